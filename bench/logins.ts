/**
 * Log-ins: what it costs that people come and leave again. They come at a steady rate and mixed, as in the scenario `growth`:
 * a connection, `auth` with a token, a known document, its model over HTTP. When all are in, they leave at the same rate.
 *
 *     node dist/bench/logins.js [--rate 120] [--seconds 15] [--per-document 10] [--workers 1] [--redis 0] [--warm-up 600]
 *         [--attempts 1]
 *
 * CPU time of every part, writes of the service's processes and their bytes, transactions of PostgreSQL and commands of Redis, each
 * for one log-in. `--workers 2 --redis 1` has several processes that share a Redis. What other work on the machine takes is
 * shown, too: the more it is, the more a log-in costs. On a machine that has much else to do some are refused and come again, with
 * `--attempts` up to so often; what a refusal costs is then a part of the figures.
 */
import './support/help.ts';

import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { sharedNowMs } from '../load/clock.ts';
import { GeneratorProcess } from '../load/generators.ts';
import { emptyHistogram, inMs, unpacked } from '../load/meters.ts';
import { cpuMsOf, machineCpuMs } from '../load/process-usage.ts';
import { LocalProcesses } from '../load/sampling/local-processes.ts';
import type { Scenario } from '../load/scenario.ts';
import { startRedis, type TestRedis } from '../test/support/redis.ts';
import { type Bench, numbersFrom, runBench } from './support/bench-run.ts';
import { progress, type Row, report, rounded } from './support/report.ts';

const options = numbersFrom({
  ...{ rate: 120, seconds: 15, 'per-document': 10, workers: 1, redis: 0, 'warm-up': 600, attempts: 1 },
});
const secret = 'of-the-benchmark-and-long-enough-for-a-key-of-HS256';
const pollMs = 250;
/** What is still under way when the last one has come, or left: callbacks, lists. */
const settlingMs = 1_000;
const warmUpAttempts = 12;

interface Counts {
  service: number;
  database: number;
  redis: number;
  converter: number;
  load: number;
  machine: number;
  writes: number;
  writtenBytes: number;
  transactions: number;
  commands: number;
}

/** What all parts of a server have used until now, times in milliseconds. */
class Counters {
  readonly #processes: LocalProcesses;
  readonly #database: pg.Client;
  readonly #redis: TestRedis | null;

  private constructor(processes: LocalProcesses, database: pg.Client, redis: TestRedis | null) {
    this.#processes = processes;
    this.#database = database;
    this.#redis = redis;
  }

  static async of({ server }: Bench, redis: TestRedis | null): Promise<Counters> {
    const processes = new LocalProcesses([server.port]);
    await processes.find();
    const database = new pg.Client({ connectionString: server.databaseUrl });
    // When the benchmark fails, the server ends first.
    database.on('error', () => undefined);
    await database.connect();
    return new Counters(processes, database, redis);
  }

  async read(generator: GeneratorProcess): Promise<Counts> {
    const counts: Counts = {
      ...{ service: 0, database: 0, redis: 0, converter: 0, load: 0, machine: 0 },
      ...{ writes: 0, writtenBytes: 0, transactions: 0, commands: 0 },
    };
    for (const { role, pid, others } of await this.#processes.list()) {
      if (role === 'generator' || role === 'other') continue;
      counts[role] += await cpuMsOf(pid, { withEnded: role !== 'service' });
      for (const other of others) counts[role] += await cpuMsOf(other, { withEnded: false });
      if (role !== 'service') continue;
      const io = await readFile(`/proc/${pid}/io`, 'utf8');
      counts.writes += Number(/^syscw: (\d+)/m.exec(io)![1]);
      counts.writtenBytes += Number(/^wchar: (\d+)/m.exec(io)![1]);
    }
    counts.load = await cpuMsOf(generator.pid, { withEnded: false });
    counts.machine = await machineCpuMs();
    const { rows } = await this.#database.query<{ count: number }>(
      'SELECT sum(xact_commit)::float8 AS count FROM pg_stat_database',
    );
    counts.transactions = rows[0]!.count;
    const stats = (await this.#redis?.cli('INFO', 'stats')) ?? '';
    counts.commands = Number(/total_commands_processed:(\d+)/.exec(stats)?.[1] ?? 0);
    return counts;
  }

  close(): Promise<void> {
    return this.#database.end();
  }
}

/** `attempts`: how often somebody comes who is refused. */
const scenarioOf = (people: number, attempts: number): Scenario => ({
  ...{ name: 'logins', title: 'Log-ins', about: '', published: null, model: 'word', transport: 'websocket' },
  documents: { peopleEach: options['per-document'] },
  ...{ sources: 16, changesPerSave: 5, attempts, thresholds: [], comparison: [] },
  phases: [
    { name: 'come', title: 'They come', forS: people / options.rate, people, turns: [], middle: false },
    { name: 'leave', title: 'They leave', forS: people / options.rate, people: 0, turns: [], middle: false },
  ],
});

interface Crowd {
  generator: GeneratorProcess;
  people: number;
}

async function crowdOf({ server }: Bench, run: string, people: number, attempts: number): Promise<Crowd> {
  const generator = new GeneratorProcess();
  await generator.setUp({
    ...{
      scenario: scenarioOf(people, attempts),
      scale: 1,
      seed: 1,
      url: `http://127.0.0.1:${server.port}`,
      secret,
    },
    ...{ transport: 'websocket', changesPerSave: 5, publicHost: '127.0.0.1', run, process: 0, processes: 1 },
  });
  return { generator, people };
}

/** Has everybody come, or leave. Resolves when they have, with how long it took each of them to come in. */
async function move({ generator, people }: Crowd, phase: 0 | 1): Promise<{ p50: number; p99: number }> {
  const from = phase === 0 ? 0 : people;
  generator.order({ type: 'phase', phase, startAtMs: sharedNowMs(), from });
  const times = emptyHistogram();
  for (;;) {
    await delay(pollMs);
    const { readings, problems } = await generator.report();
    for (const { kind, detail } of problems) throw new Error(`${kind}: ${detail}`);
    if (readings.counts.givenUp)
      throw new Error(`${readings.counts.givenUp} were refused: ask for a lower --rate`);
    if (readings.latencies.open) times.add(unpacked(readings.latencies.open));
    if ((readings.gauges.sessions ?? 0) === people - from) break;
  }
  await delay(settlingMs);
  return { p50: inMs(times.getValueAtPercentile(50)), p99: inMs(times.getValueAtPercentile(99)) };
}

function rowOf(what: string, before: Counts, after: Counts, people: number): Row {
  const each = (part: keyof Counts, digits = 2) => rounded((after[part] - before[part]) / people, digits);
  const known = (['service', 'database', 'redis', 'converter', 'load'] as const).reduce(
    (sum, part) => sum + after[part] - before[part],
    0,
  );
  return {
    each: what,
    'service ms': each('service'),
    'database ms': each('database'),
    'redis ms': each('redis'),
    'load ms': each('load'),
    'all ms': rounded(known / people),
    writes: each('writes', 1),
    'bytes written': each('writtenBytes', 0),
    transactions: each('transactions'),
    'redis commands': each('commands', 1),
    'others ms': rounded((after.machine - before.machine - known) / people),
  };
}

const redis = options.redis > 0 ? await startRedis() : null;
const environment = {
  ...{ JWT_ENABLED: 'true', JWT_SECRET: secret, WORKERS: String(options.workers) },
  ...(redis && { REDIS_URL: redis.url }),
};

await runBench(measure, { environment, redis });

async function measure(bench: Bench): Promise<void> {
  const counters = await Counters.of(bench, redis);
  progress('Warming up');
  // A process that has just begun is slow, and turns people away.
  const first = await crowdOf(bench, 'first', options['warm-up'], warmUpAttempts);
  await move(first, 0);
  await move(first, 1);

  const people = options.rate * options.seconds;
  const crowd = await crowdOf(bench, 'measured', people, options.attempts);
  progress(`${people} people come at ${options.rate} a second`);
  const before = await counters.read(crowd.generator);
  const opened = await move(crowd, 0);
  const between = await counters.read(crowd.generator);
  progress('They leave');
  await move(crowd, 1);
  const after = await counters.read(crowd.generator);
  await counters.close();
  // Documents that were left are handed over to their generators until the end.
  await Promise.all([first, crowd].map(({ generator }) => generator.stop()));
  const rows = [rowOf('coming', before, between, people), rowOf('leaving', between, after, people)];
  report('logins', options, rows, {
    'opened p50 ms': rounded(opened.p50, 1),
    'opened p99 ms': rounded(opened.p99, 1),
  });
}
