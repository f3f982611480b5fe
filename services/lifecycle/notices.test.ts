import { expect, test } from 'vitest';
import { eventually } from '../../test/support/eventually.ts';
import type { CallbackOutcome } from './integrator.ts';
import { Notices } from './notices.ts';

/** Notices to applications of which one does not answer before it is told to. */
function world() {
  const called: string[] = [];
  const refused: string[] = [];
  let answer: (outcome: CallbackOutcome) => void = () => undefined;
  const silent = new Promise<CallbackOutcome>((resolve) => {
    answer = resolve;
  });
  const call = (url: string): Promise<CallbackOutcome> => {
    called.push(url);
    return url.includes('silent') ? silent : Promise.resolve({ accepted: true });
  };
  const notices = new Notices({ call }, (key) => refused.push(key));
  const send = (host: string, key: string) =>
    notices.send({ url: `http://${host}.test/${key}`, key, routing: null, body: { status: 1 } });
  return { called, refused, answer, send };
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
  const { called, refused, send } = world();
  for (let number = 0; number < 6_000; number += 1) send('silent', String(number));
  expect(refused.length).toBe(6_000 - 5_000 - 32);
  send('other', 'a');
  await eventually(() => expect(called).toContain('http://other.test/a'));
  expect(refused).not.toContain('a');
});
