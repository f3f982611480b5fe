/**
 * Sessions of intruders: people with lawful tokens of every kind who send whatever comes to mind, over Socket.IO, polling,
 * plain WebSocket and HTTP. What they bring about is compared with what their tokens grant: in the log, in files, in
 * callbacks, in what others see and in what the server fetches. Beside them somebody normal edits all the time.
 *
 *     node dist/bench/rights.js [--sessions 100000] [--nodes 1] [--seed 1] [--first 0] [--parallel 6]
 *
 * Each breach is printed with the number of its session and the least that brings it about; `--seed <seed> --first <number>
 * --sessions 1` plays that session again. It ends with code 1 where there was one. More than one node needs `redis-server`.
 */
import './support/help.ts';

import { migrate } from '../db/migrate.ts';
import { RestartablePostgres } from '../test/support/fault-postgres.ts';
import { runRights } from '../test/support/rights/run.ts';
import { RightsWorld } from '../test/support/rights/world.ts';
import { numbersFrom } from './support/bench-run.ts';
import { progress } from './support/report.ts';

const options = numbersFrom({ sessions: 100_000, nodes: 1, seed: 1, first: 0, parallel: 6 });

/** Asked to stop, it ends the sessions that are under way, so that nothing is left behind. */
let stopping = false;
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    progress('stopping after the sessions that are under way');
    stopping = true;
  });
}

const postgres = await RestartablePostgres.start();
await migrate({ url: postgres.url });
const world = await RightsWorld.start(postgres.url, options.nodes);
const startedAt = performance.now();
const perSecond = (sessions: number) =>
  Math.round((sessions / (performance.now() - startedAt)) * 10_000) / 10;
try {
  const { counts, findings } = await runRights(world, {
    ...options,
    isStopping: () => stopping,
    found: ({ seed, session, breach, plan }) => {
      progress(`breach: seed ${seed}, session ${session}: ${breach.kind}: ${breach.what}`);
      progress(plan === null ? '  (played alone it did not happen)' : JSON.stringify(plan, null, 2));
    },
    progress: (now) =>
      progress(`${now.sessions} sessions, ${perSecond(now.sessions)} a second: ${JSON.stringify(now)}`),
  });
  const { sessions } = counts;
  const kinds = findings.map(({ session, breach }) => `${session} ${breach.kind}: ${breach.what}`);
  console.log(
    JSON.stringify({ ...options, counts, perSecond: perSecond(sessions), breaches: kinds }, null, 2),
  );
  process.exitCode = findings.length > 0 ? 1 : 0;
} finally {
  await world.close();
  await postgres.remove();
}
