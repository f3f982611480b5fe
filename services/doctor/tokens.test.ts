import { createHmac } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadConfig } from '../../platform/config.ts';
import type { Finding } from './finding.ts';
import { checkTokens } from './token-check.ts';
import { checkToken } from './token-text-check.ts';

const secret = 'YSBzZWNyZXQgdGhhdCBpcyBsb25nIGVub3VnaCBmb3IgdGVzdHM=';
let dataDir: string;
beforeAll(() => {
  dataDir = mkdtempSync(path.join(tmpdir(), 'quire-doctor-'));
});
afterAll(() => rmSync(dataDir, { recursive: true }));

const configOf = (more: Readonly<Record<string, string>> = {}) =>
  loadConfig({
    ...{
      DATA_DIR: dataDir,
      JWT_SECRET: secret,
      JWT_SESSION_SECRET: 's'.repeat(40),
      SECURE_LINK_SECRET: 'l'.repeat(40),
    },
    ...more,
  });
const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
function sign(
  claims: object,
  by: string | Uint8Array = secret,
  header: object = { alg: 'HS256', typ: 'JWT' },
): string {
  const signed = `${part(header)}.${part(claims)}`;
  return `${signed}.${createHmac('sha256', by).update(signed).digest('base64url')}`;
}
const nowS = Math.floor(Date.now() / 1_000);
const editor = { document: { key: 'k', url: 'https://files.example/a.docx', fileType: 'docx' } };
const problems = (findings: readonly Finding[]) =>
  findings.filter(({ verdict }) => verdict === 'fail' || verdict === 'warn');

test('[DR11] a token that is right passes, with or without the word before it', async () => {
  const good = sign({ ...editor, iat: nowS, exp: nowS + 300 });
  for (const text of [good, `Bearer ${good}`, `${good}\n`]) {
    expect(problems(await checkToken(text, configOf()))).toEqual([]);
  }
  for (const claims of [
    { c: 'info', key: 'k' },
    { payload: { url: 'u' } },
    { filetype: 'docx', outputtype: 'pdf' },
  ]) {
    expect(problems(await checkToken(sign(claims), configOf()))).toEqual([]);
  }
});

test.each<[string, () => string, RegExp]>([
  ['no token', () => 'abc', /no token/],
  ['a part that is no JSON', () => `a.${part(editor)}.c`, /no token/],
  ['no signature algorithm', () => sign(editor, secret, { alg: 'none' }), /signed with none/],
  ['an asymmetric algorithm', () => sign(editor, secret, { alg: 'RS256' }), /HS256, HS384 or HS512/],
  ['another secret', () => sign(editor, 'another secret'), /another secret, or changed since.*quire secret/],
  ['a decoded secret', () => sign(editor, Buffer.from(secret, 'base64')), /decoded from base64/],
  ['an encoded secret', () => sign(editor, Buffer.from(secret).toString('base64')), /encoded in base64/],
  ['a secret with a line end', () => sign(editor, `${secret}\n`), /line end behind it/],
  ['a secret in quotation marks', () => sign(editor, `"${secret}"`), /quotation marks/],
  ['an empty secret', () => sign(editor, ''), /empty secret/],
  ['an expired token', () => sign({ ...editor, exp: nowS - 3_600 }), /expired 3[67]\d\d s ago/],
  ['a token of the future', () => sign({ ...editor, nbf: nowS + 3_600 }), /not valid before/],
  ['a clock that is ahead', () => sign({ ...editor, iat: nowS + 3_600 }), /in the future/],
  ['milliseconds', () => sign({ ...editor, exp: Date.now() }), /in milliseconds/],
  ['a text as time', () => sign({ ...editor, exp: 'soon' }), /exp is no number/],
  [
    'a document without key',
    () => sign({ document: { url: 'u', fileType: 'docx' } }),
    /without document\.key/,
  ],
  ['nothing of an editor', () => sign({ user: 'ann' }), /holds user, and neither document nor c nor payload/],
])('[DR11] %s is reported as such', async (_name, token, sentence) => {
  const found = problems(await checkToken(token(), configOf()));
  expect(found).toHaveLength(1);
  expect(`${found[0]!.sentence} ${found[0]!.remedy}`).toMatch(sentence);
  expect(JSON.stringify(found)).not.toContain(secret);
});

test('[DR11] a key may be a number', async () => {
  const document = { ...editor.document, key: 42 };
  expect(problems(await checkToken(sign({ document }), configOf()))).toEqual([]);
});

test('[DR11] a token of callbacks and one of the previous secret are recognised', async () => {
  const config = configOf({ JWT_SECRET_OUTBOX: 'o'.repeat(40), JWT_SECRET_PREVIOUS: 'p'.repeat(40) });
  expect(problems(await checkToken(sign(editor, 'o'.repeat(40)), config))[0]!.remedy).toContain(
    'JWT_SECRET_OUTBOX',
  );
  expect(problems(await checkToken(sign(editor, 'p'.repeat(40)), config))).toEqual([
    expect.objectContaining({ verdict: 'warn', sentence: expect.stringContaining('JWT_SECRET_PREVIOUS') }),
  ]);
});

test('[DR12] secrets that can be guessed are reported, and no secret is made', async () => {
  const nobody = 'http://127.0.0.1:1';
  const first = async (more: Readonly<Record<string, string>>) =>
    (await checkTokens(configOf(more), nobody))[0]!;
  expect(await first({})).toMatchObject({ verdict: 'ok' });
  expect(await first({ JWT_SECRET: 'short one' })).toMatchObject({
    verdict: 'warn',
    sentence: expect.stringContaining('9 bytes'),
  });
  expect(await first({ JWT_SECRET: 'secret' })).toMatchObject({ verdict: 'fail' });
  expect(await first({ JWT_ENABLED: 'false' })).toMatchObject({
    verdict: 'fail',
    remedy: expect.stringContaining('JWT_ENABLED=true'),
  });
  expect(await checkTokens(loadConfig({ DATA_DIR: dataDir }), nobody)).toEqual([
    expect.objectContaining({ verdict: 'skip' }),
  ]);
  expect(readdirSync(dataDir)).toEqual([]);
});

test.each([
  ['refuses the secret of these settings', () => 6, /refuses a token/],
  ['takes any token', () => 0, /takes a token of another secret/],
  ['is none', () => undefined, /no JSON/],
])('[DR12] a running server that %s is reported as such', async (_name, answer, sentence) => {
  const server = createServer((_request, response) => response.end(JSON.stringify({ error: answer() })));
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  try {
    const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    expect(problems(await checkTokens(configOf(), base))).toEqual([
      expect.objectContaining({
        sentence: expect.stringMatching(sentence),
        remedy: expect.stringMatching(/./),
      }),
    ]);
  } finally {
    server.close();
    server.closeAllConnections();
  }
});
