import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { Router } from 'express';
import { expect, test } from 'vitest';
import { knowRightsOf, printedAddresses } from './address-rights.ts';

const security = path.join(import.meta.dirname, '../../docs/security.md');

test('[AT23] a server with an address of which no rights are said does not start', () => {
  const known = Router().get('/baseurl', () => undefined);
  known.post(['/converter', '/command'], () => undefined);
  expect(() => knowRightsOf([known])).not.toThrow();
  const outer = Router().use(Router().get('/other', () => undefined));
  outer.route('/new/:key').put(() => undefined);
  expect(() => knowRightsOf([known, outer])).toThrow('/other, /new/:key');
});

test('[AT23] docs/security.md prints the rights of all addresses', async () => {
  expect(await readFile(security, 'utf8')).toContain(printedAddresses());
});
