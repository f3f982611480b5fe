/**
 * How much longer a save takes while others save as much at once as the server takes, in documents of their own, against without.
 *
 *     node dist/bench/large-saves.js [--seconds 15] [--savers 10] [--rate 40] [--attackers 1] [--megabytes 11] [--kind 0]
 *
 * Savers save documents of their own at a steady rate: alone, then beside attackers with each kind of large save, or with that of one number alone. An attacker takes
 * another document and a new connection after every other save, so that none but the budget of its person slows it down.
 */
import './support/help.ts';

import { setTimeout as delay } from 'node:timers/promises';
import type { Saver } from '../load/saver.ts';
import { type Bench, numbersFrom, runBench } from './support/bench-run.ts';
import { LargeSavers, largeSaves } from './support/large-savers.ts';
import { openSavers, saveAtRate } from './support/opaque-saves.ts';
import { progress, type Row, report, rounded, timesOf } from './support/report.ts';

const options = numbersFrom({ seconds: 15, savers: 10, rate: 40, attackers: 1, megabytes: 11, kind: 0 });

/** How late the event loop of the service was since this was asked last, milliseconds. */
async function loopDelays({ server }: Bench): Promise<Row> {
  const page = await (await fetch(`http://127.0.0.1:${server.port}/metrics`)).text();
  const of = (name: string) => {
    const value = new RegExp(`^quire_nodejs_eventloop_lag_${name}_seconds (\\S+)`, 'm').exec(page)?.[1];
    return rounded(Number(value) * 1_000, 1);
  };
  return { 'loop p99 ms': of('p99'), 'loop max ms': of('max') };
}

/** Saves at a steady rate for a while, with the save lock. */
async function saveFor(bench: Bench, savers: readonly Saver[], seconds: number): Promise<Row> {
  const times: number[] = [];
  for (const saver of savers) saver.onSaved = ({ totalMs }) => times.push(totalMs);
  await loopDelays(bench);
  const stop = saveAtRate(savers, options.rate);
  await delay(seconds * 1_000);
  stop();
  while (savers.some((saver) => saver.busy)) await delay(10);
  return { saves: times.length, ...timesOf('save', times), ...(await loopDelays(bench)) };
}

await runBench(async (bench) => {
  const savers = await openSavers(bench, options.savers);
  await saveFor(bench, savers, 3);
  progress('alone');
  const rows: Row[] = [{ beside: 'nobody', ...(await saveFor(bench, savers, options.seconds)), large: 0 }];
  for (const kind of options.kind > 0 ? [largeSaves[options.kind - 1]!] : largeSaves) {
    progress(`beside ${kind}`);
    const attackers = await LargeSavers.start(bench, kind, {
      count: options.attackers,
      megabytes: options.megabytes,
    });
    await delay(1_000);
    const before = attackers.saves;
    rows.push({
      beside: kind,
      ...(await saveFor(bench, savers, options.seconds)),
      large: attackers.saves - before,
    });
    await attackers.stop();
    await delay(3_000);
  }
  report('large-saves', options, rows);
});
