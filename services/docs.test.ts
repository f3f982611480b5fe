import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { configTable } from '../platform/config.ts';
import { packageRoot } from '../platform/package-root.ts';

test('[CF9] the table of settings in docs shows them as they are', () => {
  const page = readFileSync(path.join(packageRoot, 'docs', 'configuration.md'), 'utf8');
  expect(page).toContain(configTable());
});

test('[CF14] no document or page has a command run that another package of the public registry would answer', () => {
  const made = new Set(['node_modules', 'dist', '.git']);
  const files = readdirSync(packageRoot)
    .filter((name) => !made.has(name))
    .flatMap((name) => textsBelow(path.join(packageRoot, name)));
  expect(files.length).toBeGreaterThan(1000);
  const elsewhere = /\b(?:npx|npm exec|pnpm dlx|yarn dlx|bunx)\s+(?:-\S+\s+)*quire\b/;
  for (const file of files) expect(readFileSync(file, 'utf8'), file).not.toMatch(elsewhere);
});

/** Texts, programs and set-ups in a folder and in those within it. */
function textsBelow(place: string): string[] {
  if (/\.(md|tsx?|m?js|ya?ml|sh)$/.test(place)) return [place];
  if (!statSync(place).isDirectory()) return [];
  return readdirSync(place).flatMap((name) => textsBelow(path.join(place, name)));
}

test('[CF21] whatever starts the server, V8 has one thread for its work in the background', () => {
  const read = (...file: string[]) => readFileSync(path.join(packageRoot, ...file), 'utf8');
  const option = '--v8-pool-size=1';
  expect(JSON.parse(read('package.json')).scripts.start).toBe(`exec node ${option} bin/quire.js serve`);
  expect(read('bin', 'quire.js').split('\n')[0]).toBe(`#!/usr/bin/env -S node ${option}`);
  expect(read('Dockerfile')).toMatch(
    new RegExp(`^FROM \\S+ AS base$[^]*^ +NODE_OPTIONS=${option} [^]*^FROM base AS server$`, 'm'),
  );
});
