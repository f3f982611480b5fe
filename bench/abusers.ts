/**
 * How much longer a save takes while connections to other documents ask for as much as they can, against without, by turns.
 *
 *     node dist/bench/abusers.js [--seconds 10] [--rounds 2] [--abusers 10] [--savers 20] [--rate 40]
 *
 * Savers save documents of their own at a steady rate. Beside them nobody, then the abusers with one kind of message after the
 * other, each as fast as its connection takes it; those that are disconnected come back. Abusers have a process of their own of
 * the lowest priority, so that it is the server that is measured.
 */
import './support/help.ts';

import { setTimeout as delay } from 'node:timers/promises';
import type { Saver } from '../load/saver.ts';
import { Abusers, abuses } from './support/abusers.ts';
import { numbersFrom, runBench } from './support/bench-run.ts';
import { openSavers, saveAtRate } from './support/opaque-saves.ts';
import { percentile, progress, type Row, report, rounded, timesOf } from './support/report.ts';

const options = numbersFrom({ seconds: 10, rounds: 2, abusers: 10, savers: 20, rate: 40 });

/** Saves at a steady rate for a while. Returns how long each took, with the save lock. */
async function saveFor(savers: readonly Saver[], seconds: number): Promise<number[]> {
  const times: number[] = [];
  for (const saver of savers) saver.onSaved = ({ totalMs }) => times.push(totalMs);
  const stop = saveAtRate(savers, options.rate);
  await delay(seconds * 1_000);
  stop();
  while (savers.some((saver) => saver.busy)) await delay(10);
  return times;
}

await runBench(async (bench) => {
  const savers = await openSavers(bench, options.savers);
  await saveFor(savers, 3);
  const alone: number[] = [];
  const beside = new Map<string, number[]>();
  for (let round = 0; round < options.rounds; round += 1) {
    for (const kind of abuses) {
      progress(`Round ${round + 1}: alone, then beside ${kind}`);
      alone.push(...(await saveFor(savers, options.seconds / 2)));
      const abusers = await Abusers.start(bench, kind, options.abusers);
      await delay(1_000);
      const times = await saveFor(savers, options.seconds);
      beside.set(kind, [...(beside.get(kind) ?? []), ...times]);
      await abusers.stop();
      await delay(1_000);
    }
  }
  const aloneP99 = percentile(alone, 0.99);
  const rowOf = (name: string, times: readonly number[]): Row => ({
    beside: name,
    saves: times.length,
    ...timesOf('save', times),
    'p99, times': rounded(percentile(times, 0.99) / aloneP99),
  });
  report('abusers', options, [
    rowOf('nobody', alone),
    ...[...beside].map(([kind, times]) => rowOf(kind, times)),
    rowOf('any of them', [...beside.values()].flat()),
  ]);
});
