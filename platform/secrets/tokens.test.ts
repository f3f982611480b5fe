import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { jwtVerify, SignJWT } from 'jose';
import { expect, test } from 'vitest';
import { exactJson } from '../../client/protocol/exact-json.ts';
import { loadConfig } from '../config.ts';
import { signedAtS } from './signing-key.ts';
import { type Claims, callbackHeaderLimit, sessionTokenLifeS, Tokens } from './tokens.ts';

const secrets = {
  inbox: 'integrator secret, long enough here',
  previousInbox: undefined,
  outbox: 'integrator secret, long enough here',
  session: 'session secret, also long enough',
};
const nowMs = 1_760_000_000_000;
const nowS = nowMs / 1000;
const tokensAt = (atMs = nowMs, environment: Record<string, string> = {}, other = {}) =>
  new Tokens({ ...secrets, ...other }, loadConfig(environment), () => atMs);
const tokens = tokensAt();

/** A token made without the code under test. */
function forge(claims: unknown, { alg = 'HS256', secret = secrets.inbox } = {}): string {
  const encode = (part: unknown) => Buffer.from(JSON.stringify(part)).toString('base64url');
  const signed = `${encode({ alg, typ: 'JWT' })}.${encode(claims)}`;
  return `${signed}.${createHmac(`sha${alg.slice(2)}`, secret)
    .update(signed)
    .digest('base64url')}`;
}

const claimsOf = (token: unknown): Claims =>
  JSON.parse(Buffer.from(String(token).split('.')[1]!, 'base64url').toString()) as Claims;

test('[TK1] tokens with HS256, HS384 and HS512 are accepted, each with its own hash', async () => {
  for (const alg of ['HS256', 'HS384', 'HS512']) {
    expect(await tokens.verifyInbox(forge({ a: 1 }, { alg }))).toEqual({ kind: 'ok', claims: { a: 1 } });
  }
});

test('[TK2] a token is expired or not yet valid only beyond 60 seconds', async () => {
  expect(await tokens.verifyInbox(forge({ exp: nowS - 59 }))).toMatchObject({ kind: 'ok' });
  const late = await tokens.verifyInbox(forge({ exp: nowS - 61 }));
  expect(late).toEqual({ kind: 'expired', code: 4005, reason: 'jwt expired' });
  expect(await tokens.verifyInbox(forge({ nbf: nowS + 59 }))).toMatchObject({ kind: 'ok' });
  const early = await tokens.verifyInbox(forge({ nbf: nowS + 61 }));
  expect(early).toEqual({ kind: 'invalid', code: 4006, reason: 'jwt not active' });
});

test('[TK3] a token that cannot be trusted is refused with the reason', async () => {
  const good = forge({ a: 1 });
  const none = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${good.split('.')[1]}.`;
  const cases: [unknown, string][] = [
    [undefined, 'jwt must be provided'],
    ['', 'jwt must be provided'],
    [42, 'jwt must be a string'],
    ['nonsense', 'jwt malformed'],
    ['a.b.c', 'jwt malformed'],
    [none, 'invalid algorithm'],
    [forge({ a: 1 }, { secret: 'another' }), 'invalid signature'],
    [forge({ a: 1 }, { secret: secrets.session }), 'invalid signature'],
    [`${good.slice(0, -3)}AAA`, 'invalid signature'],
    [forge([1, 2]), 'jwt malformed'],
    [forge({ exp: 'soon' }), 'invalid claim exp'],
  ];
  for (const [token, reason] of cases) {
    expect(await tokens.verifyInbox(token), String(token)).toEqual({ kind: 'invalid', code: 4006, reason });
  }
});

test('[TK17] whole numbers of a token that would be rounded are texts of their digits', async () => {
  const one = '{"document":{"key":12345678901234567890},"editorConfig":{"user":{"id":12345678901234567891}}}';
  const encode = (json: string) => Buffer.from(json).toString('base64url');
  const signed = (json: string) => {
    const content = `${encode('{"alg":"HS256"}')}.${encode(json)}`;
    return `${content}.${createHmac('sha256', secrets.inbox).update(content).digest('base64url')}`;
  };
  expect(await tokens.verifyInbox(signed(one))).toEqual({
    kind: 'ok',
    claims: {
      document: { key: '12345678901234567890' },
      editorConfig: { user: { id: '12345678901234567891' } },
    },
  });
  const never = await tokens.verifyInbox(signed('{"exp":9223372036854775807,"nbf":0}'));
  expect(never).toMatchObject({ kind: 'ok' });
  expect(await tokens.verifyInbox(signed('{"nbf":9223372036854775807}'))).toMatchObject({
    reason: 'jwt not active',
  });
  expect(await tokens.verifyInbox(signed('{"exp":-9223372036854775807}'))).toMatchObject({
    reason: 'jwt expired',
  });
});

test('[TK3] no text is taken for a token, and none makes verification throw', async () => {
  const part = fc.oneof(
    fc.string(),
    fc.json().map((text) => Buffer.from(text).toString('base64url')),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(part, { maxLength: 5 }), async (parts) => {
      expect((await tokens.verifyInbox(parts.join('.'))).kind).toBe('invalid');
    }),
  );
});

test('[TK1] tokens go both ways between this server and another library', async () => {
  const claims = fc.dictionary(fc.string(), fc.jsonValue(), { noNullPrototype: true });
  const alg = fc.constantFrom('HS256', 'HS384', 'HS512');
  const session = Buffer.from(secrets.session);
  await fc.assert(
    fc.asyncProperty(claims, alg, async (given, alg) => {
      // What JSON cannot say (-0) is nobody's claim; a number that it would round is a text.
      const { iat: _iat, nbf: _nbf, exp: _exp, ...some } = exactJson(JSON.stringify(given)) as Claims;
      const theirs = await new SignJWT(some).setProtectedHeader({ alg }).sign(session);
      expect(await tokens.verifySession(theirs)).toEqual({ kind: 'ok', claims: some });
      const ours = await tokensAt(nowMs, { JWT_ALGORITHM: alg }).signSession(some);
      const { payload, protectedHeader } = await jwtVerify(ours, session, { currentDate: new Date(nowMs) });
      expect(protectedHeader).toEqual({ alg, typ: 'JWT' });
      expect(payload).toEqual({ ...some, iat: nowS, exp: nowS + sessionTokenLifeS });
    }),
    { numRuns: 50 },
  );
});

test('[TK3] a signature that is written in another way makes no other token', async () => {
  const good = forge({ a: 1 });
  // The last character of 32 bytes has two bits that mean nothing.
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  const twin = good.slice(0, -1) + letters[letters.indexOf(good.at(-1)!) ^ 1];
  for (const token of [twin, `${good}=`, `${good} `, good.replace('.', '=.')]) {
    expect((await tokens.verifyInbox(token)).kind, token).toBe('invalid');
  }
});

test('[TK3] a token whose header calls something critical is refused', async () => {
  const encode = (part: unknown) => Buffer.from(JSON.stringify(part)).toString('base64url');
  const signed = `${encode({ alg: 'HS256', crit: ['b64'], b64: true })}.${encode({ a: 1 })}`;
  const token = `${signed}.${createHmac('sha256', secrets.inbox).update(signed).digest('base64url')}`;
  expect(await tokens.verifyInbox(token)).toMatchObject({ kind: 'invalid', reason: 'jwt malformed' });
});

test('[TK4] a session token works for 30 days and with the session secret only', async () => {
  const token = await tokens.signSession({ document: { key: 'D1' } });
  expect(await tokens.verifySession(token)).toMatchObject({
    kind: 'ok',
    claims: { document: { key: 'D1' } },
  });
  expect(await tokens.verifyInbox(token)).toMatchObject({ kind: 'invalid', reason: 'invalid signature' });
  const after = (seconds: number) =>
    tokensAt(nowMs + (sessionTokenLifeS + seconds) * 1000).verifySession(token);
  expect((await after(59)).kind).toBe('ok');
  expect((await after(61)).kind).toBe('expired');
});

test('[NC21] of a token that is known only the times are looked at again, and it counts as nothing else than what it was shown as', async () => {
  const exp = nowS + 10;
  const token = forge({ a: 1, exp });
  const known = { of: 'inbox' as const, token, claims: { a: 1, exp } };
  const again = (atS: number) => tokensAt(atS * 1_000).verifyInbox(token, known);
  const found = await again(nowS);
  expect(found.kind === 'ok' && found.claims).toBe(known.claims);
  expect((await again(exp + 59)).kind).toBe('ok');
  expect(await again(exp + 61)).toEqual({ kind: 'expired', code: 4005, reason: 'jwt expired' });

  expect(await tokens.verifySession(token, known)).toMatchObject({ reason: 'invalid signature' });
  const session = await tokens.signSession({ a: 2 });
  const knownSession = { of: 'session' as const, token: session, claims: { a: 2 } };
  expect(await tokens.verifyInbox(session, knownSession)).toMatchObject({ reason: 'invalid signature' });
  expect(await tokens.verifyInbox(forge({ a: 3 }), known)).toEqual({ kind: 'ok', claims: { a: 3 } });
  expect(await tokens.verifyInbox(`${token}x`, known)).toMatchObject({ reason: 'invalid signature' });
});

test('[TK5] a request token is read from the body, else from the header with its prefix', async () => {
  const body = forge({ c: 'info' });
  const header = forge({ payload: { c: 'drop' } });
  const headers = { authorization: `Bearer ${header}` };
  expect(await tokens.readInboxToken({ token: body, c: 'x' }, headers)).toMatchObject({
    claims: { c: 'info' },
  });
  expect(await tokens.readInboxToken({ c: 'x' }, headers)).toEqual({ kind: 'ok', claims: { c: 'drop' } });
  expect(await tokens.readInboxToken({ token: 'bad' }, headers)).toMatchObject({ kind: 'invalid' });
  expect(await tokens.readInboxToken({ token: '' }, headers)).toMatchObject({ kind: 'ok' });
  for (const wrong of [
    { authorization: header },
    { authorization: `Bearer${header}` },
    { authorization: `Basic ${header}` },
    { Authorization: 'x' },
    {},
  ]) {
    expect(await tokens.readInboxToken({}, wrong)).toMatchObject({ reason: 'jwt must be provided' });
  }
  const renamed = tokensAt(nowMs, { JWT_HEADER: 'AuthorizationJwt' });
  expect(await renamed.readInboxToken({}, headers)).toMatchObject({ kind: 'invalid' });
  const renamedHeaders = { authorizationjwt: `Bearer ${header}` };
  expect(await renamed.readInboxToken({}, renamedHeaders)).toMatchObject({ claims: { c: 'drop' } });
});

test('[TK14] the word before a token counts in upper and lower case, and more than one blank behind it', async () => {
  const token = forge({ c: 'drop' });
  for (const authorization of [`bearer ${token}`, `BEARER ${token}`, `Bearer   ${token} `]) {
    expect(await tokens.readInboxToken({}, { authorization })).toMatchObject({ claims: { c: 'drop' } });
  }
  const bare = tokensAt(nowMs, { JWT_PREFIX: 'none' });
  expect(await bare.readInboxToken({}, { authorization: token })).toMatchObject({ claims: { c: 'drop' } });
});

test('[TK15] when a token says that it was signed refuses nothing, whatever it is; as text it is read', async () => {
  for (const iat of ['1760000000', '2026-11-28', null, {}, nowS + 9_999, -1, 1e300]) {
    expect(await tokens.verifyInbox(forge({ a: 1, iat }))).toMatchObject({ kind: 'ok' });
  }
  expect([1.5, '1760000000', '12.5', 0].map((iat) => signedAtS({ iat }))).toEqual([1.5, 1760000000, 12.5, 0]);
  for (const iat of ['', 'soon', '-1', -1, 1e300, Number.NaN, null, undefined, [1]])
    expect(signedAtS({ iat })).toBeNull();
});

test('[TK6] claims under payload and query are one set of parameters, and flat claims are taken as they are', async () => {
  const nested = forge({ payload: { c: 'info', key: 'P' }, query: { key: 'Q', userdata: 'u' }, iat: 1 });
  const result = await tokens.readInboxToken({ token: nested, key: 'unsigned' }, {});
  expect(result).toEqual({ kind: 'ok', claims: { c: 'info', key: 'P', userdata: 'u', iat: 1 } });
  const flat = await tokens.readInboxToken({ token: forge({ c: 'info', payload: 'text' }) }, {});
  expect(flat).toMatchObject({ claims: { c: 'info', payload: 'text' } });
});

test('[TK7] a download carries the address it is for, for five minutes', async () => {
  const headers = await tokensAt(nowMs, { JWT_HEADER: 'X-Token' }).downloadHeaders('https://store/f.docx');
  const token = headers['X-Token']!.replace(/^Bearer /, '');
  expect(claimsOf(token)).toEqual({
    payload: { url: 'https://store/f.docx' },
    iat: nowS - 10,
    exp: nowS + 300,
  });
  expect(await tokens.verifyInbox(token)).toMatchObject({ kind: 'ok' });
});

test('[TK8] a callback carries its body as claims in the body token and under payload in the header', async () => {
  const body = {
    key: 'D1',
    status: 2,
    url: 'https://q/f',
    changesurl: 'https://q/c',
    history: { changes: [1] },
  };
  const signed = await tokens.signCallback(body);
  const { token, ...plain } = signed.body;
  expect(plain).toEqual(body);
  expect(claimsOf(token)).toEqual({ ...body, iat: nowS - 10, exp: nowS + 300 });
  expect(claimsOf(signed.headers.Authorization)).toEqual({ payload: body, iat: nowS - 10, exp: nowS + 300 });
});

test('[TK9] a header token that would be too long loses changesurl and history, the body token does not', async () => {
  const bodyWith = (size: number) => ({
    key: 'D1',
    status: 2,
    changesurl: 'https://q/c',
    history: { serverVersion: '9.3.0', changes: ['x'.repeat(size)] },
  });
  const headerLength = async (size: number) => {
    const { headers } = await tokens.signCallback(bodyWith(size));
    return headers.Authorization!.length - 'Bearer '.length;
  };
  let size = 4_000;
  while ((await headerLength(size)) > 4_000 && size < 6_000) size += 1;
  const large = await tokens.signCallback(bodyWith(size));
  expect(claimsOf(large.headers.Authorization)).toMatchObject({
    payload: { key: 'D1', status: 2, history: {} },
  });
  expect(claimsOf(large.headers.Authorization).payload).not.toHaveProperty('changesurl');
  expect(large.body).not.toHaveProperty('changesurl');
  expect(large.body.history).toEqual({});
  expect(claimsOf(large.body.token)).toMatchObject(bodyWith(size));
  const largestWhole = await headerLength(size - 1);
  expect(largestWhole).toBeLessThan(callbackHeaderLimit);
  expect(largestWhole).toBeGreaterThan(callbackHeaderLimit - 4);
});

test('[TK10] both directions have secrets, headers and prefixes of their own', async () => {
  const environment = {
    JWT_HEADER_INBOX: 'X-In',
    JWT_PREFIX_INBOX: 'none',
    JWT_HEADER_OUTBOX: 'X-Out',
    JWT_PREFIX_OUTBOX: 'Token',
  };
  const apart = tokensAt(nowMs, environment, { outbox: 'the secret of what goes out, long enough' });
  const token = forge({ payload: { c: 'info' } });
  expect(await apart.readInboxToken({}, { 'x-in': token })).toMatchObject({ claims: { c: 'info' } });
  expect(await apart.readInboxToken({}, { 'x-in': `Bearer ${token}` })).toMatchObject({ kind: 'invalid' });
  expect(await apart.readInboxToken({}, { authorization: `Bearer ${token}` })).toMatchObject({
    reason: 'jwt must be provided',
  });
  const { headers, body } = await apart.signCallback({ key: 'D1', status: 1 });
  expect(Object.keys(headers)).toEqual(['X-Out']);
  expect(headers['X-Out']).toMatch(/^Token ey/);
  for (const sent of [headers['X-Out']!.slice('Token '.length), body.token]) {
    expect(await apart.verifyInbox(sent)).toMatchObject({ reason: 'invalid signature' });
    const reader = tokensAt(nowMs, {}, { inbox: 'the secret of what goes out, long enough' });
    expect(await reader.verifyInbox(sent)).toMatchObject({ kind: 'ok' });
  }
});

test('[TK11] while a secret is replaced, tokens of the one before are taken too, and only those', async () => {
  const previous = 'the secret before, long enough too';
  const rotating = tokensAt(nowMs, {}, { previousInbox: previous });
  expect(await rotating.verifyInbox(forge({ a: 1 }))).toMatchObject({ kind: 'ok' });
  expect(await rotating.verifyInbox(forge({ a: 1 }, { secret: previous }))).toMatchObject({ kind: 'ok' });
  expect(await rotating.verifyInbox(forge({ exp: nowS - 61 }, { secret: previous }))).toMatchObject({
    kind: 'expired',
  });
  expect(await rotating.verifyInbox(forge({ a: 1 }, { secret: 'neither of them' }))).toMatchObject({
    reason: 'invalid signature',
  });
  expect(await tokens.verifyInbox(forge({ a: 1 }, { secret: previous }))).toMatchObject({
    reason: 'invalid signature',
  });
  const { body } = await rotating.signCallback({ key: 'D1', status: 1 });
  expect(await tokens.verifyInbox(body.token)).toMatchObject({ kind: 'ok' });
});

test('[UP4] in the documented order of a change of the secret no token is refused, whichever server of either state is asked', async () => {
  const [before, after] = ['the secret before, long enough too', 'the secret after it, long enough too'];
  const server = (inbox: string, previousInbox: string | undefined, outbox: string) =>
    tokensAt(nowMs, {}, { inbox, previousInbox, outbox });
  const old = server(before, undefined, before);
  const both = server(after, before, after);
  const done = server(after, undefined, after);
  const oneWay = server(after, before, before);
  const steps: [servers: Tokens[], signsWith: string, accepts: string[]][] = [
    [[old], before, [before, after]],
    [[old, both], before, [before, after]],
    [[both], after, [after]],
    [[both, done], after, [after]],
    // For an integrator that has one secret at a time, until it changes it.
    [[old, oneWay], before, [before]],
  ];
  const isAccepted = async (token: unknown, accepts: readonly string[]) =>
    (await Promise.all(accepts.map((inbox) => server(inbox, undefined, inbox).verifyInbox(token)))).some(
      ({ kind }) => kind === 'ok',
    );
  for (const [servers, signsWith, accepts] of steps) {
    for (const one of servers) {
      expect(await one.verifyInbox(forge({ a: 1 }, { secret: signsWith }))).toMatchObject({ kind: 'ok' });
      const { body } = await one.signCallback({ key: 'D1', status: 1 });
      expect(await isAccepted(body.token, accepts)).toBe(true);
    }
  }
  // Signing with the new one before all servers know it is what the order avoids, and so are callbacks of its second way.
  expect(await old.verifyInbox(forge({ a: 1 }, { secret: after }))).toMatchObject({ kind: 'invalid' });
  const { body } = await oneWay.signCallback({ key: 'D1', status: 1 });
  expect(await isAccepted(body.token, [after])).toBe(false);
  expect(await oneWay.verifyInbox(forge({ a: 1 }, { secret: after }))).toMatchObject({ kind: 'ok' });
});

test('[TK12] outgoing tokens have the algorithm and the life that are set, and may be left out', async () => {
  const strong = tokensAt(nowMs, { JWT_ALGORITHM: 'hs512', JWT_OUTBOX_LIFE_S: '30' });
  const { body } = await strong.signCallback({ key: 'D1', status: 1 });
  const [header] = String(body.token).split('.');
  expect(JSON.parse(Buffer.from(header!, 'base64url').toString())).toMatchObject({ alg: 'HS512' });
  expect(claimsOf(body.token)).toMatchObject({ iat: nowS - 10, exp: nowS + 30 });
  expect(await tokens.verifyInbox(body.token)).toMatchObject({ kind: 'ok' });

  const silent = tokensAt(nowMs, { JWT_ENABLED_OUTBOX: 'false' });
  expect(await silent.signCallback({ key: 'D1' })).toEqual({ headers: {}, body: { key: 'D1' } });
  expect(await silent.downloadHeaders('https://store/f.docx')).toEqual({});
  expect(silent.areDemanded).toBe(true);
  expect(tokensAt(nowMs, { JWT_ENABLED_INBOX: 'false' }).areDemanded).toBe(false);
  expect(tokensAt(nowMs, { JWT_ENABLED: 'false' }).areDemanded).toBe(false);

  const excluding = tokensAt(nowMs, { JWT_OUTBOX_EXCLUDE: String.raw`^https://[^/]*\.s3\.` });
  expect(await excluding.downloadHeaders('https://files.s3.example/f?X-Amz-Signature=1')).toEqual({});
  expect(await excluding.downloadHeaders('https://store/f.docx')).toHaveProperty('Authorization');
});

test('[TK13] the tolerance of clocks is a setting', async () => {
  const strict = tokensAt(nowMs, { JWT_CLOCK_TOLERANCE_S: '5' });
  expect(await strict.verifyInbox(forge({ exp: nowS - 4 }))).toMatchObject({ kind: 'ok' });
  expect(await strict.verifyInbox(forge({ exp: nowS - 6 }))).toMatchObject({ kind: 'expired' });
});

test('[TK16] tokens for integrators are dated ten seconds back, and end no earlier', async () => {
  const { Authorization } = await tokens.downloadHeaders('https://store/f.docx');
  expect(claimsOf(Authorization)).toMatchObject({ iat: nowS - 10, exp: nowS + 300 });
});
