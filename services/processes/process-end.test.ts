import { EventEmitter } from 'node:events';
import pino from 'pino';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { endWhenUncaught, uncaughtExitCode } from './process-end.ts';

let said: { level: number; code: string; origin: string; msg: string; err: { message: string } }[];
let exit: ReturnType<typeof vi.fn<(code: number) => void>>;
let host: EventEmitter & { exit(code: number): void };

beforeEach(() => {
  vi.useFakeTimers();
  said = [];
  exit = vi.fn();
  host = Object.assign(new EventEmitter(), { exit });
});
afterEach(() => {
  vi.useRealTimers();
});

/** A process with the last net; `halt` is what it does before it ends. */
function watched(halt: () => Promise<unknown>): (message: string) => void {
  const log = pino({}, { write: (line: string) => said.push(JSON.parse(line)) });
  endWhenUncaught(log, halt, host);
  return (message) => host.emit('uncaughtException', new Error(message), 'uncaughtException');
}

test('[LN1] an error that nobody caught is one line in the log, and the process ends when it has halted', async () => {
  let halted = () => {};
  const throwUncaught = watched(
    () =>
      new Promise<void>((resolve) => {
        halted = resolve;
      }),
  );
  throwUncaught('broken');
  expect(said).toMatchObject([
    {
      level: 60,
      code: 'uncaught',
      origin: 'uncaughtException',
      msg: 'Nobody caught an error: this process ends',
      err: { message: 'broken' },
    },
  ]);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(exit).not.toHaveBeenCalled();
  halted();
  await vi.advanceTimersByTimeAsync(0);
  expect(exit).toHaveBeenCalledExactlyOnceWith(uncaughtExitCode);
  expect(uncaughtExitCode).not.toBe(0);
});

test('[LN1] it ends after two seconds whatever its halt does', async () => {
  watched(() => new Promise(() => {}))('broken');
  await vi.advanceTimersByTimeAsync(1_999);
  expect(exit).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  expect(exit).toHaveBeenCalledExactlyOnceWith(uncaughtExitCode);
});

test('[LN1] it ends also when its halt fails', async () => {
  watched(() => {
    throw new Error('the halt is broken, too');
  })('broken');
  await vi.advanceTimersByTimeAsync(0);
  expect(exit).toHaveBeenCalledExactlyOnceWith(uncaughtExitCode);
});

test('[LN1] a second error ends it at once', () => {
  const throwUncaught = watched(() => new Promise(() => {}));
  throwUncaught('broken');
  throwUncaught('broken again');
  expect(exit).toHaveBeenCalledExactlyOnceWith(uncaughtExitCode);
  expect(said).toHaveLength(1);
});
