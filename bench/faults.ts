/**
 * Runs of random clients under random faults, each checked against the invariants of co-authoring. It ends with code 1
 * after the first run that broke one, unless told to go on.
 *
 *     node dist/bench/faults.js [--minutes 10] [--seed 1] [--nodes 3] [--only kill,pause,…] [--harm-seconds 40]
 *                               [--seats 1] [--workers 1] [--pace 1] [--redis-cluster] [--directory faults]
 *                               [--front turns|nginx] [--keep-going]
 *
 * `--front nginx` puts the nginx that is shipped before the nodes, in place of a proxy that takes them in turn.
 * A run that broke something leaves its history, the audit of the database and the logs of the nodes under `--directory`
 * in `seed-<number>`; `--seed <number> --minutes 0` makes that run again: the same clients, faults and pauses.
 */
import './support/help.ts';

import { parseArgs } from 'node:util';
import { type FaultName, faultNames } from '../test/support/histories/faults.ts';
import { runHistory } from '../test/support/histories/run.ts';
import { progress } from './support/report.ts';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    seed: { type: 'string', default: '1' },
    nodes: { type: 'string', default: '3' },
    only: { type: 'string' },
    'harm-seconds': { type: 'string', default: '40' },
    seats: { type: 'string', default: '1' },
    workers: { type: 'string', default: '1' },
    pace: { type: 'string', default: '1' },
    directory: { type: 'string', default: 'faults' },
    'redis-cluster': { type: 'boolean', default: false },
    front: { type: 'string', default: 'turns' },
    'keep-going': { type: 'boolean', default: false },
  },
});

function chosenFaults(): FaultName[] {
  const names = values.only?.split(',') ?? faultNames;
  for (const name of names) {
    if (!faultNames.includes(name as FaultName)) {
      throw new Error(`--only takes names of these, with commas between them: ${faultNames.join(', ')}`);
    }
  }
  return names as FaultName[];
}

/** Asked to stop, it ends the run it is in, so that nothing is left behind. */
let stopping = false;
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    progress('stopping after this run');
    stopping = true;
  });
}

const only = chosenFaults();
const front = values.front;
if (front !== 'turns' && front !== 'nginx') throw new Error('--front takes turns or nginx.');
const end = Date.now() + Number(values.minutes) * 60_000;
const totals: Record<string, number> = {};
let broken = 0;
let runs = 0;
for (let seed = Number(values.seed); runs === 0 || (Date.now() < end && !stopping); seed += 1) {
  const startedAt = Date.now();
  const { violations, counts, report } = await runHistory({
    seed,
    nodes: Number(values.nodes),
    harmMs: Number(values['harm-seconds']) * 1_000,
    only,
    seats: Number(values.seats),
    pace: Number(values.pace),
    redisCluster: values['redis-cluster'],
    front,
    environment: { WORKERS: values.workers },
    reportDirectory: values.directory,
    progress: (text) => progress(`  ${text}`),
  });
  runs += 1;
  for (const [name, count] of Object.entries(counts)) totals[name] = (totals[name] ?? 0) + count;
  const seconds = Math.round((Date.now() - startedAt) / 1_000);
  progress(`seed ${seed}: ${violations.length} violations in ${seconds} s, ${JSON.stringify(counts)}`);
  for (const { invariant, key, what } of violations.slice(0, 20)) progress(`  ${invariant} ${key}: ${what}`);
  if (violations.length === 0) continue;
  broken += 1;
  progress(`  the report is in ${report}`);
  if (!values['keep-going']) break;
}
progress(`${runs} runs, ${broken} broken, ${JSON.stringify(totals)}`);
process.exit(broken > 0 ? 1 : 0);
