import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { late, within } from './within.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});
afterEach(() => {
  vi.useRealTimers();
});

it('gives an answer that comes in time, or fails as it does, and leaves no timer', async () => {
  expect(await within(10, Promise.resolve('answer'))).toBe('answer');
  await expect(within(10, Promise.reject(new Error('refused')))).rejects.toThrow('refused');
  // There is no time at all for what is there already.
  expect(await within(0, Promise.resolve(undefined))).toBeUndefined();
  expect(vi.getTimerCount()).toBe(0);
});

it('is late when the time is over, not before, and hears nothing of a failure after that', async () => {
  const unheard = vi.fn();
  process.on('unhandledRejection', unheard);
  const { promise, reject } = withResolvers();
  const waited = vi.fn();
  const waiting = within(10, promise).then(waited);
  await vi.advanceTimersByTimeAsync(9);
  expect(waited).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  await waiting;
  expect(waited.mock.calls).toEqual([[late]]);
  reject(new Error('too late'));
  await nextTurn();
  expect(unheard).not.toHaveBeenCalled();
  process.off('unhandledRejection', unheard);
});

function withResolvers() {
  let reject: (error: Error) => void = () => undefined;
  const promise = new Promise<never>((_resolve, refuse) => {
    reject = refuse;
  });
  return { promise, reject };
}
