import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { packageRoot } from '../../platform/package-root.ts';

/** Compilers may put into another order what modules do when they are loaded. */
test('[CE123] every module of the models that the build makes can be loaded', () => {
  const built = path.join(packageRoot, 'dist', 'model');
  const names = readdirSync(built, { recursive: true, encoding: 'utf8' });
  const modules = names.filter((name) => name.endsWith('.js') && !name.includes('testing'));
  expect(modules).toContain(path.join('cell', 'grid.js'));
  const urls = modules.map((name) => pathToFileURL(path.join(built, name)).href);
  const script = `for (const url of ${JSON.stringify(urls)}) await import(url); console.log('loaded');`;
  const args = ['--input-type=module', '--eval', script];
  expect(execFileSync(process.execPath, args, { encoding: 'utf8' })).toBe('loaded\n');
});
