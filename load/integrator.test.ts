import { afterEach, beforeEach, describe, expect, it, test } from 'vitest';
import { loadConfig } from '../platform/config.ts';
import { type Claims, callbackHeaderLimit, Tokens } from '../platform/secrets/tokens.ts';
import { type Callback, Integrator } from './integrator.ts';
import { loadKinds } from './load-kinds.ts';
import { Meters } from './meters.ts';
import { Rooms } from './rooms.ts';

const secret = 'of the callbacks, and long enough for it';
/** The tokens of a server that signs with a secret. */
const tokensOf = (own: string) =>
  new Tokens({ inbox: own, previousInbox: undefined, outbox: own, session: own }, loadConfig({}));

describe('a callback', () => {
  let integrator: Integrator;
  let taken: Callback[];
  let forged: string[];
  beforeEach(async () => {
    integrator = await Integrator.start('127.0.0.1', loadKinds.word, secret);
    taken = [];
    forged = [];
    integrator.onEnd = async (callback) => void taken.push(callback);
    integrator.onForged = (key, reason) => void forged.push(`${key}: ${reason}`);
  });
  afterEach(() => integrator.stop());

  const post = async (body: object, headers: Record<string, string> = {}) => {
    const answer = await fetch(integrator.callbackUrl, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    });
    return answer.json();
  };
  /** As the server sends it when so many people were in a room. */
  const callbackOf = (people: number) => ({
    ...{ key: 'k', status: 2, url: 'http://127.0.0.1/file', changesurl: 'http://127.0.0.1/changes' },
    users: Array.from({ length: people }, (_, number) => `u${number}`),
    history: { changes: Array.from({ length: people }, (_, number) => ({ user: { id: `u${number}` } })) },
  });

  it('[LD10] that is too large for a header has its file and its log in the token of the body', async () => {
    const whole = callbackOf(427);
    const { headers, body } = await tokensOf(secret).signCallback(whole);
    expect(JSON.stringify(whole).length).toBeGreaterThan(callbackHeaderLimit);
    expect(body).not.toHaveProperty('changesurl');
    expect(await post(body, headers)).toEqual({ error: 0 });
    const { token: _, ...plain } = body;
    expect(taken).toEqual([expect.objectContaining(whole)]);
    // Without that token there is what the header's has.
    expect(await post(plain, headers)).toEqual({ error: 0 });
    expect(taken[1]).toEqual({ ...whole, changesurl: undefined, history: {} });
  });

  it('[LD10] counts by what is signed, in the header where the body has no token, and else as it is', async () => {
    const whole = callbackOf(2);
    const { headers, body } = await tokensOf(secret).signCallback(whole);
    const other: Claims = { ...body, url: 'http://127.0.0.1/other' };
    const { token: _, ...plain } = other;
    await post(other);
    await post(plain, headers);
    await post(whole);
    expect(taken.map(({ url }) => url)).toEqual([whole.url, whole.url, whole.url]);
    expect(forged).toEqual([]);
  });

  it('[LD11] that is not signed by the server is not taken', async () => {
    const { headers, body } = await tokensOf('the secret of somebody else altogether').signCallback(
      callbackOf(2),
    );
    const { token: _, ...plain } = body;
    expect(await post(body)).toEqual({ error: 1 });
    expect(await post(plain, headers)).toEqual({ error: 1 });
    expect(taken).toEqual([]);
    expect(forged).toEqual(['k: invalid signature', 'k: invalid signature']);
  });
});

describe('a document that came back', () => {
  const changed = () => {
    const rooms = new Rooms('run', loadKinds.word, 1, 1, new Meters());
    const room = rooms.enter('0', 0);
    room.works.set('000000', { acknowledged: 1, sent: 1 });
    room.leave('', 0);
    return { rooms, key: room.key };
  };
  const url = 'http://127.0.0.1:9/';

  it.each([
    ['no file', { status: 2, changesurl: url }, 'without its file'],
    ['no log', { status: 2, url }, 'without its log'],
    ['a status that is no file', { status: 3 }, 'with status 3'],
    ['nothing although changed', { status: 4 }, 'closed without a file'],
    ['a file that cannot be fetched', { status: 2, url, changesurl: url }, 'cannot be fetched'],
  ])('[LD11] with %s differs, and it is said how', async (_name, callback, said) => {
    const { rooms, key } = changed();
    await rooms.ended({ key, ...callback });
    expect(rooms.compared.files).toMatchObject({ different: 1 });
    expect(rooms.compared.files.differences[0]).toContain(said);
  });

  it('[LD11] with the token of somebody else differs once', () => {
    const { rooms, key } = changed();
    rooms.forged(key, 'invalid signature');
    rooms.forged(key, 'invalid signature');
    expect(rooms.compared.files.differences).toEqual([expect.stringContaining('invalid signature')]);
  });
});

test('[LD20] who is answered when the load stops gets the whole answer', async () => {
  const integrator = await Integrator.start('127.0.0.1', loadKinds.word, null);
  let stopped: Promise<void> | undefined;
  integrator.onEnd = async () => {
    stopped = integrator.stop();
  };
  const body = JSON.stringify({ key: 'k', status: 4 });
  const answer = await fetch(integrator.callbackUrl, { method: 'POST', body });
  expect(await answer.json()).toEqual({ error: 0 });
  await stopped;
});
