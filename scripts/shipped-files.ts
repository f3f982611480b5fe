import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Setting } from '../platform/config/setting.ts';
import { settings } from '../platform/config/settings.ts';

/** The checkout. */
export const root = fileURLToPath(new URL('..', import.meta.url));
/** The text of a file of it. */
export const textOf = (file: string) => readFileSync(path.join(root, file), 'utf8');
/** Paths of what a folder of it has. */
export const filesIn = (directory: string) =>
  readdirSync(path.join(root, directory)).map((name) => path.join(directory, name));

/** Variables that Quire reads. */
export const known = new Set(
  Object.values(settings as Record<string, Setting<unknown>>).flatMap(({ env, secret }) =>
    secret ? [env, `${env}_FILE`] : [env],
  ),
);
