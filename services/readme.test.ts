import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { configTable } from './config.ts';

test('[CF9] the README shows the settings as they are', () => {
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
  expect(readme).toContain(configTable());
});
