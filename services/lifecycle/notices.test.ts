import { expect, test } from 'vitest';
import { eventually } from '../../test/support/eventually.ts';
import type { CallbackOutcome } from './integrator.ts';
import { Notices } from './notices.ts';

/** Notices to applications of which one does not answer before it is told to. */
function world() {
  const called: string[] = [];
  const refused: string[] = [];
  const dropped: string[] = [];
  let answer: (outcome: CallbackOutcome) => void = () => undefined;
  const silent = new Promise<CallbackOutcome>((resolve) => {
    answer = resolve;
  });
  let others: CallbackOutcome = { accepted: true };
  const call = (url: string): Promise<CallbackOutcome> => {
    called.push(url);
    return url.includes('silent') ? silent : Promise.resolve(others);
  };
  const notices = new Notices(
    { call },
    { refused: (key) => refused.push(key), dropped: (key) => dropped.push(key) },
  );
  const send = (host: string, key: string) =>
    notices.send({ url: `http://${host}.test/${key}`, key, routing: null, body: { status: 1 } });
  const setOthers = (outcome: CallbackOutcome) => {
    others = outcome;
  };
  return { called, refused, dropped, answer, setOthers, send };
}

test('[CB6] callbacks of joining to an application that does not answer hold up none to another', async () => {
  const { called, answer, send } = world();
  for (let number = 0; number < 100; number += 1) send('silent', String(number));
  for (let number = 0; number < 20; number += 1) send('other', String(number));
  const other = () => called.filter((url) => url.includes('other'));
  await eventually(() => expect(other()).toHaveLength(20));
  expect(called).toHaveLength(20 + 32);
  answer({ accepted: true });
  await eventually(() => expect(called).toHaveLength(120));
  const order = (host: string) =>
    called.filter((url) => url.includes(host)).map((url) => Number(url.split('/').at(-1)));
  expect(order('silent')).toEqual(Array.from({ length: 100 }, (_, number) => number));
});

test('[CB6] where more wait for one application than may, those to others are taken still', async () => {
  const { called, dropped, refused, send } = world();
  for (let number = 0; number < 6_000; number += 1) send('silent', String(number));
  expect(dropped.length).toBe(6_000 - 5_000 - 32);
  send('other', 'a');
  await eventually(() => expect(called).toContain('http://other.test/a'));
  expect(dropped).not.toContain('a');
  expect(refused).toEqual([]);
});

test('[CB7] that the callbacks of joining of a document are not accepted is told once, until one is', async () => {
  const { called, refused, setOthers, send } = world();
  let sent = 0;
  const sendAll = async (keys: readonly string[]) => {
    for (const key of keys) send('other', key);
    sent += keys.length;
    await eventually(() => expect(called).toHaveLength(sent));
  };
  setOthers({ accepted: false, reason: 'no' });
  await sendAll(['a', 'a', 'b', 'a']);
  expect(refused).toEqual(['a', 'b']);
  setOthers({ accepted: true });
  await sendAll(['a']);
  setOthers({ accepted: false, reason: 'no' });
  await sendAll(['a', 'b']);
  await eventually(() => expect(refused).toEqual(['a', 'b', 'a']));
});
