import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { printedAddresses } from './address-rights.ts';

const security = path.join(import.meta.dirname, '../../docs/security.md');

test('[AT23] docs/security.md prints the rights of all addresses', async () => {
  expect(await readFile(security, 'utf8')).toContain(printedAddresses());
});
