import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { headComment } from '../bench/support/head-comment.ts';

const folder = path.join(path.dirname(import.meta.dirname), 'bench');
const names = readdirSync(folder).filter((name) => name.endsWith('.ts'));

test.each(names)(
  '[SU53] %s says with `--help` what it measures and how it is run, before it does anything',
  (name) => {
    const source = readFileSync(path.join(folder, name), 'utf8');
    expect(source.startsWith('/**\n')).toBe(true);
    expect(headComment(source)).toContain(`node dist/bench/${name.replace('.ts', '.js')}`);
    expect(/^import .*$/m.exec(source)?.[0]).toBe("import './support/help.ts';");
  },
);
