/**
 * How often people are disconnected or refused while they save: pairs and sixes, each in one document and spread over
 * nodes, all of whom save at once; half of the documents with the client library, half with clients that know none of
 * its extensions. Ends with a comparison of the logs in the database with what was acknowledged and what everybody was given.
 *
 *     node dist/bench/overtaking.js [--nodes 3] [--saves 10000] [--documents 8] [--pause-ms 60]
 *
 * Everybody pauses for up to `--pause-ms` between two saves; 1600 is a save every 0.8 s. It exits with 1 when somebody was
 * disconnected, or a log is wrong.
 */
import './support/help.ts';

import pg from 'pg';
import { type CrowdFamily, SavingCrowd } from '../test/support/saving-crowd.ts';
import { numbersFrom } from './support/bench-run.ts';
import { NodeProcesses } from './support/node-processes.ts';
import { progress, type Row, report } from './support/report.ts';
import { startSourceHost } from './support/source-host.ts';

const options = numbersFrom({ nodes: 3, saves: 10_000, documents: 8, 'pause-ms': 60 });
const families: readonly CrowdFamily[] = ['library', 'other'];
const sizes = [2, 6];

const sources = await startSourceHost();
const nodes = await NodeProcesses.start();
const pool = new pg.Pool({ connectionString: nodes.databaseUrl, max: 2 });
let isWrong = false;

/** All documents of one size and family, at once. */
async function measure(people: number, family: CrowdFamily): Promise<Row> {
  const addresses = nodes.ports.map((port) => `http://127.0.0.1:${port}`);
  const count = Math.max(1, Math.floor(options.documents / (sizes.length * families.length)));
  const each = Math.ceil(options.saves / (sizes.length * families.length * count * people));
  const crowds = await Promise.all(
    Array.from({ length: count }, (_, number) =>
      SavingCrowd.open({
        ...{ addresses, family, people, key: `${family}-${people}-${number}` },
        ...{ sourceUrl: sources.url(), callbackUrl: sources.callbackUrl },
      }),
    ),
  );
  const since = performance.now();
  const outcomes = await Promise.allSettled(crowds.map((crowd) => crowd.save(each, options['pause-ms'])));
  const seconds = (performance.now() - since) / 1_000;
  for (const crowd of crowds) await crowd.settled();
  const found = await Promise.all(crowds.map((crowd) => crowd.complaints(pool)));
  const failures = outcomes.filter((one) => one.status === 'rejected').map(({ reason }) => String(reason));
  const complaints = [...found.flat(), ...failures.map((reason) => reason.slice(0, 300))];
  for (const complaint of complaints) progress(complaint);
  const sum = (of: 'saves' | 'closes' | 'refusals') =>
    crowds.reduce((all, { counts }) => all + counts[of], 0);
  const row = {
    ...{ clients: family, people, documents: count, saves: sum('saves') },
    ...{ closes: sum('closes'), refusals: sum('refusals'), complaints: complaints.length },
    'saves/s': Math.round(sum('saves') / seconds),
  };
  await Promise.all(crowds.map((crowd) => crowd.close()));
  isWrong ||= row.closes > 0 || row.complaints > 0;
  return row;
}

try {
  await nodes.grow(options.nodes);
  const rows: Row[] = [];
  for (const family of families) {
    for (const people of sizes) {
      progress(`${people} people, ${family}`);
      rows.push(await measure(people, family));
    }
  }
  report('overtaking', options, rows);
} finally {
  await pool.end();
  await nodes.stop();
  await sources.stop();
}
process.exit(isWrong ? 1 : 0);
