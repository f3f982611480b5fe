#!/usr/bin/env -S node --v8-pool-size=1
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

// A server has a small process above it, which does not load the program.
const [command = 'serve'] = process.argv.slice(2);
const name = command === 'serve' ? 'supervisor' : 'cli';
const entryPoint = new URL(`../dist/program/services/${name}.js`, import.meta.url);
if (existsSync(fileURLToPath(entryPoint))) {
  await import(entryPoint.href);
} else {
  console.error('Quire is not built yet: run `npm start`, which sets everything up, or `npm run build`.');
  process.exitCode = 1;
}
