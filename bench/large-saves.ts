/**
 * How much longer saves and openings take while others save as much at once as the server takes, in documents of their own, against
 * without.
 *
 *     node dist/bench/large-saves.js [--seconds 15] [--savers 10] [--rate 40] [--attackers 1] [--megabytes 11] [--kind 0]
 *
 * Savers save documents of their own at a steady rate, and new ones are opened: alone, then beside attackers with each kind of large save, or with that of one number alone. An attacker takes
 * another document and a new connection after every other save, so that none but the budget of its person slows it down.
 */
import './support/help.ts';

import { setTimeout as delay } from 'node:timers/promises';
import { type Bench, numbersFrom, runBench } from './support/bench-run.ts';
import { LargeSavers, largeSaves } from './support/large-savers.ts';
import { openSavers } from './support/opaque-saves.ts';
import { ordinaryWork, waitsRow } from './support/ordinary-work.ts';
import { progress, type Row, report, rounded } from './support/report.ts';

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

await runBench(async (bench) => {
  const savers = await openSavers(bench, options.savers);
  const { seconds, rate } = options;
  await ordinaryWork(bench, savers, { seconds: 3, rate });
  progress('alone');
  await loopDelays(bench);
  const alone = await ordinaryWork(bench, savers, { seconds, rate });
  const rows: Row[] = [
    { beside: 'nobody', ...waitsRow(alone, alone), ...(await loopDelays(bench)), large: 0 },
  ];
  for (const kind of options.kind > 0 ? [largeSaves[options.kind - 1]!] : largeSaves) {
    progress(`beside ${kind}`);
    const attackers = await LargeSavers.start(bench, kind, {
      count: options.attackers,
      megabytes: options.megabytes,
    });
    await delay(1_000);
    const before = attackers.saves;
    await loopDelays(bench);
    const waits = await ordinaryWork(bench, savers, { seconds, rate });
    rows.push({
      beside: kind,
      ...waitsRow(waits, alone),
      ...(await loopDelays(bench)),
      large: attackers.saves - before,
    });
    await attackers.stop();
    await delay(3_000);
  }
  report('large-saves', options, rows);
});
