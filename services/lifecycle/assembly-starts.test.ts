import { pino } from 'pino';
import { expect, test } from 'vitest';
import { DatabaseBusyError } from '../../db/pool.ts';
import { silentLog } from '../../test/support/silent-log.ts';
import { AssemblyStarts } from './assembly-starts.ts';

const rest = () => new Promise((resolve) => setImmediate(resolve));

test('[NC17] when thousands leave, four assemblies are started at once and the others in their order', async () => {
  const starts = new AssemblyStarts(silentLog);
  const begun: number[] = [];
  const ends: (() => void)[] = [];
  const all = Array.from({ length: 2_000 }, (_, number) =>
    starts.run(async () => {
      begun.push(number);
      await new Promise<void>((resolve) => ends.push(resolve));
    }),
  );
  expect(begun).toEqual([0, 1, 2, 3]);
  ends[2]!();
  await rest();
  expect(begun).toEqual([0, 1, 2, 3, 4]);
  for (let number = 0; number < all.length; number += 1) {
    ends[number]!();
    if (number % 4 === 3) await rest();
  }
  await Promise.all(all);
  expect(begun).toEqual(all.map((_, number) => number));
});

test('[NC17] a busy database is waited for, and those who wait in line ask nothing of it meanwhile', async () => {
  const lines: { level: number; msg: string }[] = [];
  const log = pino({}, { write: (line: string) => void lines.push(JSON.parse(line)) });
  const pauses: { ms: number; end: () => void }[] = [];
  const starts = new AssemblyStarts(log, (ms) => new Promise<void>((end) => pauses.push({ ms, end })));
  let isBusy = true;
  const tries: number[] = [];
  const all = Array.from({ length: 10 }, (_, number) =>
    starts.run(async () => {
      tries.push(number);
      if (isBusy) throw new DatabaseBusyError('busy');
    }),
  );
  await rest();
  expect(tries).toEqual([0, 1, 2, 3]);
  for (const { end } of pauses.splice(0)) end();
  await rest();
  expect(tries).toEqual([0, 1, 2, 3, 0, 1, 2, 3]);
  isBusy = false;
  // They come back at different times.
  expect(new Set(pauses.map(({ ms }) => ms)).size).toBe(4);
  for (const { end } of pauses.splice(0)) end();
  await Promise.all(all);
  expect(tries.slice(8).sort()).toEqual(all.map((_, number) => number));
  expect(lines.every(({ level }) => level === pino.levels.values.warn)).toBe(true);
});

test('[NC17] a start that fails for another reason says so and gives its place to the next', async () => {
  const starts = new AssemblyStarts(silentLog);
  await expect(starts.run(() => Promise.reject(new Error('a fault')))).rejects.toThrow('a fault');
  let begun = 0;
  await Promise.all(
    Array.from({ length: 8 }, () =>
      starts.run(async () => {
        begun += 1;
      }),
    ),
  );
  expect(begun).toBe(8);
});

test('[NC17] what waits when a server stops is left to the sweep', async () => {
  let end: () => void = () => undefined;
  const starts = new AssemblyStarts(
    silentLog,
    () =>
      new Promise<void>((resolve) => {
        end = resolve;
      }),
  );
  let tries = 0;
  const start = starts.run(async () => {
    tries += 1;
    throw new DatabaseBusyError('busy');
  });
  await rest();
  starts.stop();
  end();
  await start;
  await starts.run(async () => {
    tries += 1;
  });
  expect(tries).toBe(1);
});
