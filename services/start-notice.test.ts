import path from 'node:path';
import { expect, test } from 'vitest';
import { loadConfig } from '../platform/config.ts';
import { type Found, startNotice } from './start-notice.ts';

const found = { address: 'http://localhost:8000', adminAddress: 'http://127.0.0.1:8001/admin/' };
const notice = (environment: Record<string, string> = {}, where: Found = found) =>
  startNotice(loadConfig(environment), where);

test('[LG10] the notice names the example, the administration and the file of its token', () => {
  expect(notice()).toBe(`
Open in a browser:

  http://localhost:8000/example/    make a document, and open it as two people
  http://127.0.0.1:8001/admin/      the administration; sign in with the token in
                                    ${path.resolve('data/admin-token')}

Ctrl-C stops Quire.

`);
});

test('[LG10] the notice leads to nothing that is not there', () => {
  const withDatabase = notice({ DATABASE_URL: 'postgres://db/quire' });
  expect(withDatabase).toContain('http://localhost:8000/ ');
  expect(withDatabase).not.toContain('example');
  expect(notice({ ADMIN_PASSWORD: 'hidden-1' })).toMatch(/the administration\n\n/);
  expect(notice({ ADMIN_TOKEN: 'hidden-2' })).not.toMatch(/hidden|admin-token/);
  expect(notice({}, { ...found, adminAddress: null })).not.toContain('admin');
  const proxied = { ...found, address: 'https://docs.example.com/quire/' };
  expect(notice({}, proxied)).toContain('  https://docs.example.com/quire/example/ ');
});
