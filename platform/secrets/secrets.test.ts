import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ConfigError, loadConfig } from '../config.ts';
import { loadSecrets } from './secrets.ts';

let parent: string;
let dataDir: string;
beforeEach(() => {
  parent = mkdtempSync(path.join(tmpdir(), 'quire-secrets-'));
  dataDir = path.join(parent, 'data');
});
afterEach(() => rmSync(parent, { recursive: true }));

const configOf = (environment: Record<string, string> = {}) =>
  loadConfig({ DATA_DIR: dataDir, ...environment });
const file = () => path.join(dataDir, 'secrets.json');

test('[SC1] secrets are generated at the first start, differ, are readable by the owner only and stay', async () => {
  const first = await loadSecrets(configOf());
  const { inbox, outbox, session, link, previousInbox } = first;
  expect([outbox, previousInbox]).toEqual([inbox, undefined]);
  expect(new Set([inbox, session, link]).size).toBe(3);
  for (const value of [inbox, session, link]) expect(Buffer.from(value, 'base64url')).toHaveLength(32);
  expect(statSync(file()).mode & 0o777).toBe(0o600);
  expect(readdirSync(dataDir)).toEqual(['secrets.json']);
  expect(await loadSecrets(configOf())).toEqual(first);
});

test('[SC2] what the configuration gives wins, and no file is written when it gives everything', async () => {
  const all = { JWT_SECRET: 'a', JWT_SESSION_SECRET: 'b', SECURE_LINK_SECRET: 'c' };
  expect(await loadSecrets(configOf(all))).toEqual({ inbox: 'a', outbox: 'a', session: 'b', link: 'c' });
  const each = { JWT_SECRET_INBOX: 'i', JWT_SECRET_OUTBOX: 'o', JWT_SECRET_PREVIOUS: 'p' };
  expect(await loadSecrets(configOf({ ...all, ...each }))).toEqual({
    inbox: 'i',
    outbox: 'o',
    previousInbox: 'p',
    session: 'b',
    link: 'c',
  });
  expect(readdirSync(parent)).toEqual([]);
  const some = await loadSecrets(configOf({ JWT_SECRET: 'a' }));
  expect([some.inbox, some.outbox]).toEqual(['a', 'a']);
  expect(some.session.length).toBeGreaterThan(40);
});

test('[SC3] a damaged file is an error and is left as it is', async () => {
  await loadSecrets(configOf());
  const whole = readFileSync(file(), 'utf8');
  for (const damaged of ['', whole.slice(0, 40), '{}', '[]', whole.replace(/"link": ".*"/, '"link": ""')]) {
    writeFileSync(file(), damaged);
    await expect(loadSecrets(configOf())).rejects.toThrow(ConfigError);
    expect(readFileSync(file(), 'utf8')).toBe(damaged);
  }
});

test('[SC4] starts at about the same moment agree on one set of secrets', async () => {
  for (let round = 0; round < 20; round += 1) {
    dataDir = path.join(parent, String(round));
    const starts = Array.from({ length: 12 }, async (_, turns) => {
      for (let turn = 0; turn < turns; turn += 1) await setImmediate();
      return JSON.stringify(await loadSecrets(configOf()));
    });
    expect(new Set(await Promise.all(starts)).size).toBe(1);
    expect(readdirSync(dataDir)).toEqual(['secrets.json']);
  }
});
