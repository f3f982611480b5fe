/**
 * How much longer saves and openings take while connections to other documents ask for as much as they can, against without, by turns.
 *
 *     node dist/bench/abusers.js [--seconds 10] [--rounds 2] [--abusers 10] [--savers 20] [--rate 40] [--kind 0]
 *
 * Savers save documents of their own at a steady rate, and new ones are opened. Beside them nobody, then the abusers with one kind of message after the
 * other, or that of one number alone, each as fast as its connection takes it; those that are disconnected come back. Abusers have a process of their own of
 * the lowest priority, so that it is the server that is measured.
 */
import './support/help.ts';

import { setTimeout as delay } from 'node:timers/promises';
import { Abusers, abuses } from './support/abusers.ts';
import { numbersFrom, runBench } from './support/bench-run.ts';
import { openSavers } from './support/opaque-saves.ts';
import { ordinaryWork, type Waits, waitsRow } from './support/ordinary-work.ts';
import { progress, type Row, report } from './support/report.ts';

const options = numbersFrom({ seconds: 10, rounds: 2, abusers: 10, savers: 20, rate: 40, kind: 0 });

const together = (some: readonly Waits[]): Waits => ({
  saveMs: some.flatMap(({ saveMs }) => saveMs),
  openMs: some.flatMap(({ openMs }) => openMs),
});

await runBench(async (bench) => {
  const savers = await openSavers(bench, options.savers);
  const { rate } = options;
  await ordinaryWork(bench, savers, { seconds: 3, rate });
  const alone: Waits[] = [];
  const beside = new Map<string, Waits[]>();
  for (let round = 0; round < options.rounds; round += 1) {
    for (const kind of options.kind > 0 ? [abuses[options.kind - 1]!] : abuses) {
      progress(`Round ${round + 1}: alone, then beside ${kind}`);
      alone.push(await ordinaryWork(bench, savers, { seconds: options.seconds / 2, rate }));
      const abusers = await Abusers.start(bench, kind, options.abusers);
      await delay(1_000);
      const waits = await ordinaryWork(bench, savers, { seconds: options.seconds, rate });
      beside.set(kind, [...(beside.get(kind) ?? []), waits]);
      await abusers.stop();
      await delay(1_000);
    }
  }
  const rowOf = (name: string, waits: readonly Waits[]): Row => ({
    beside: name,
    ...waitsRow(together(waits), together(alone)),
  });
  report('abusers', options, [
    rowOf('nobody', alone),
    ...[...beside].map(([kind, waits]) => rowOf(kind, waits)),
    rowOf('any of them', [...beside.values()].flat()),
  ]);
});
