import { SignJWT } from 'jose';
import { expect, test } from 'vitest';
import { type Callback, Integrator } from './integrator.ts';
import { loadKinds } from './load-kinds.ts';

test('[LD10] what a callback has only in its token is found', async () => {
  const integrator = await Integrator.start('127.0.0.1', loadKinds.word);
  const taken: Callback[] = [];
  integrator.onEnd = async (callback) => {
    taken.push(callback);
  };
  const plain = { key: 'k', status: 2, url: 'http://127.0.0.1/file' };
  const whole = { ...plain, changesurl: 'http://127.0.0.1/changes' };
  const token = await new SignJWT(whole).setProtectedHeader({ alg: 'HS256' }).sign(Buffer.alloc(32, 1));
  for (const body of [{ ...plain, token }, whole]) {
    const answer = await fetch(integrator.callbackUrl, { method: 'POST', body: JSON.stringify(body) });
    expect(await answer.json()).toEqual({ error: 0 });
  }
  await integrator.stop();
  expect(taken.map(({ changesurl }) => changesurl)).toEqual([whole.changesurl, whole.changesurl]);
});

test('[LD20] who is answered when the load stops gets the whole answer', async () => {
  const integrator = await Integrator.start('127.0.0.1', loadKinds.word);
  let stopped: Promise<void> | undefined;
  integrator.onEnd = async () => {
    stopped = integrator.stop();
  };
  const body = JSON.stringify({ key: 'k', status: 4 });
  const answer = await fetch(integrator.callbackUrl, { method: 'POST', body });
  expect(await answer.json()).toEqual({ error: 0 });
  await stopped;
});
