import { readFileSync } from 'node:fs';
import path from 'node:path';
import { packageRoot } from '../../platform/package-root.ts';

const { scripts } = JSON.parse(readFileSync(path.join(packageRoot, 'package.json'), 'utf8')) as {
  scripts: { start: string };
};

/** The options of Node with which `npm start` starts the server. */
export const serverOptions: readonly string[] = scripts.start.match(/--\S+/g) ?? [];
