#!/usr/bin/env -S node --v8-pool-size=1
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const entryPoint = new URL('../dist/program/services/cli.js', import.meta.url);
if (existsSync(fileURLToPath(entryPoint))) {
  await import(entryPoint.href);
} else {
  console.error('Quire is not built yet: run `npm start`, which sets everything up, or `npm run build`.');
  process.exitCode = 1;
}
