/**
 * Breaks a cluster as it breaks in an installation, and prints what an operator can see: which alerts fire and when, which
 * parts the administration names and why, what it says of unsaved documents, and which lines come in the log. Three nodes
 * behind the nginx that is shipped, PostgreSQL, Redis, a converter with LibreOffice, Prometheus with the shipped rules, and
 * people who type, come and go. Afterwards it waits until all alerts have ceased and everything is saved, and compares the
 * logs with what was acknowledged. It ends with code 1 when an alert fired that should not have, one that should did not,
 * one did not cease, or something was lost or doubled. Needs root (a small disk), Prometheus, nginx and Redis.
 *
 *     node dist/bench/incidents.js [--only redis-killed …] [--people 24] [--scrape 5] [--during 150] [--after 240]
 *     node dist/bench/incidents.js --list
 */
import './support/help.ts';

import { execFileSync } from 'node:child_process';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import pg from 'pg';
import type { OverviewAnswer } from '../services/admin/api.ts';
import { AdminClient } from '../test/support/admin-client.ts';
import { ask } from '../test/support/histories/audit.ts';
import { accepted } from '../test/support/integrator.ts';
import type { LogLine } from '../test/support/quire-process.ts';
import { IncidentWorld, type WorldSize } from './support/incident-world.ts';
import type { Alert } from './support/prometheus.ts';
import { progress } from './support/report.ts';

const { values } = parseArgs({
  options: {
    only: { type: 'string', multiple: true },
    people: { type: 'string', default: '24' },
    scrape: { type: 'string', default: '5' },
    during: { type: 'string', default: '150' },
    after: { type: 'string', default: '240' },
    list: { type: 'boolean', default: false },
  },
});
const duringMs = Number(values.during) * 1_000;
const afterMs = Number(values.after) * 1_000;

interface Incident {
  /** Alerts that have to fire while it lasts. */
  alerts: readonly string[];
  /** Alerts that may, as they are consequences of it. */
  may?: readonly string[];
  files?: WorldSize['files'];
  begin(world: IncidentWorld): Promise<unknown> | unknown;
  end(world: IncidentWorld): Promise<unknown> | unknown;
}

let held: pg.Client[] = [];

const incidents: Readonly<Record<string, Incident>> = {
  'redis-killed': {
    alerts: ['QuireRedisAway'],
    may: ['QuireConvertersAway', 'QuireJobsWait', 'QuirePromisedSaveLate'],
    begin: ({ parts: { redis } }) => redis.kill(),
    end: ({ parts: { redis } }) => redis.startAgain(),
  },
  'redis-paused': {
    alerts: ['QuireRedisAway'],
    may: ['QuireConvertersAway', 'QuireJobsWait', 'QuirePromisedSaveLate'],
    begin: ({ parts: { redis } }) => redis.pause(),
    end: ({ parts: { redis } }) => redis.resume(),
  },
  'postgres-stopped': {
    alerts: ['QuireDatabaseAway'],
    may: ['QuireSavesNotTaken', 'QuireJobsFail', 'QuireJobsWait'],
    begin: ({ parts: { postgres } }) => postgres.end('SIGQUIT'),
    end: ({ parts: { postgres } }) => postgres.startAgain(),
  },
  'postgres-paused': {
    alerts: ['QuireDatabaseAway'],
    may: [
      'QuireSavesNotTaken',
      'QuireJobsFail',
      'QuireJobsWait',
      'QuireDatabasePoolExhausted',
      'QuireSavesSlow',
    ],
    begin: ({ parts: { postgres } }) => postgres.pause(),
    end: ({ parts: { postgres } }) => postgres.resume(),
  },
  'disk-full': {
    files: 'disk',
    alerts: ['QuireFilesAway', 'QuireDiskFull'],
    may: ['QuireDiskAlmostFull', 'QuireJobsWait', 'QuireJobsFail'],
    begin: ({ parts: { blobDir } }) => {
      // It ends with an error when there is no more room, as it should.
      try {
        execFileSync('dd', ['if=/dev/zero', `of=${path.join(blobDir, 'filler')}`, 'bs=1M'], {
          stdio: 'ignore',
        });
      } catch {}
    },
    end: ({ parts: { blobDir } }) => rm(path.join(blobDir, 'filler')),
  },
  's3-away': {
    files: 's3',
    alerts: ['QuireFilesAway'],
    may: ['QuireJobsWait', 'QuireJobsFail', 'QuireOutboxOld'],
    begin: ({ parts: { s3 } }) => s3!.pause(),
    end: ({ parts: { s3 } }) => s3!.resume(),
  },
  'converter-dead': {
    alerts: ['QuireConvertersAway'],
    may: ['QuireJobsWait'],
    begin: async ({ converter }) => {
      converter.signal('SIGKILL');
      await converter.remove();
    },
    end: (world) => world.startConverter(),
  },
  'integrator-refuses': {
    alerts: ['QuireOutboxOld'],
    may: ['QuireStorageRefuses'],
    begin: ({ parts: { integrator } }) => integrator.answerAll(() => ({ status: 507, body: '{"error":1}' })),
    end: ({ parts: { integrator } }) => integrator.answerAll(() => accepted),
  },
  'node-killed': {
    alerts: ['QuireDown'],
    begin: ({ parts: { nodes } }) => nodes[1]!.kill(),
    end: ({ parts: { nodes } }) => nodes[1]!.restart(),
  },
  'node-hung': {
    alerts: ['QuireDown'],
    begin: ({ parts: { nodes } }) => nodes[1]!.signal('SIGSTOP'),
    end: ({ parts: { nodes } }) => nodes[1]!.signal('SIGCONT'),
  },
  'wrong-secret': {
    alerts: ['QuireSignInsRefused'],
    begin: (world) => {
      world.signsWith = 'another secret than the one of the servers, long enough';
    },
    end: (world) => {
      world.signsWith = 'the secret of the integrator of incidents, long enough';
    },
  },
  'connections-exhausted': {
    alerts: ['QuireDatabaseAway'],
    may: [
      'QuireSavesNotTaken',
      'QuireJobsFail',
      'QuireJobsWait',
      'QuireDatabasePoolExhausted',
      'QuireSavesSlow',
    ],
    begin: async ({ parts: { postgres } }) => {
      // Somebody else takes all connections there are, and ends those of the servers: they come back to find none.
      const guard = new pg.Client({ connectionString: postgres.url });
      await guard.connect();
      guard.on('error', () => undefined);
      held = [guard];
      for (const round of [1, 2, 3]) {
        for (;;) {
          const client = new pg.Client({ connectionString: postgres.url, application_name: 'somebody else' });
          client.on('error', () => undefined);
          try {
            await client.connect();
          } catch {
            break;
          }
          held.push(client);
        }
        if (round < 3)
          await guard.query(
            `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
             WHERE application_name LIKE 'quire%' OR application_name = 'bullmq'`,
          );
      }
    },
    end: async () => {
      for (const client of held.splice(0)) await client.end().catch(() => undefined);
    },
  },
};

if (values.list) {
  console.log(Object.keys(incidents).join('\n'));
  process.exit();
}

/** Whether a condition holds within a time; it is looked at every second. */
async function eventually(condition: () => Promise<boolean>, withinMs: number): Promise<boolean> {
  for (const deadline = Date.now() + withinMs; Date.now() < deadline; await delay(1_000)) {
    if (await condition()) return true;
  }
  return false;
}

const nameOf = ({ labels }: Alert) => labels.alertname!;
/** An answer of the administration, or why there was none. */
async function overviewOf(world: IncidentWorld, at: number): Promise<OverviewAnswer | string> {
  try {
    const admin = await AdminClient.of(world.parts.nodes[at]!);
    return await admin.get<OverviewAnswer>('overview', AbortSignal.timeout(5_000));
  } catch (error) {
    return String(error);
  }
}

/** What the first screen of the administration says. */
function firstScreen(answer: OverviewAnswer | string): unknown {
  if (typeof answer === 'string') return answer;
  const { nodes, missing, silent, unsaved, saves, queue } = answer;
  return {
    missing,
    silent,
    'parts that do not work': nodes.flatMap(({ name, parts = [] }) =>
      parts.filter(({ isUp }) => !isUp).map(({ part, reason }) => `${name}: ${part}: ${reason}`),
    ),
    unsaved: unsaved && {
      total: unsaved.total,
      first: unsaved.documents.slice(0, 2).map(({ why, lastError }) => `${why}: ${lastError}`),
    },
    saves: saves && { waiting: saves.waiting, failing: saves.failing, forgotten: saves.forgotten },
    queue,
  };
}

/** Warnings and errors by their text, how often, and the newest of each. */
function linesSince(lines: readonly LogLine[]): string[] {
  const byText = new Map<string, LogLine[]>();
  for (const line of lines) {
    if (line.level === 'info' || line.level === 'debug') continue;
    byText.set(line.msg, [...(byText.get(line.msg) ?? []), line]);
  }
  return [...byText].map(([msg, all]) => {
    const { level: _level, time: _time, msg: _msg, pid: _pid, err, ...fields } = all.at(-1)!;
    const error = (err as { message?: string } | undefined)?.message;
    return `${all.length} x ${msg} ${JSON.stringify({ ...fields, ...(error && { err: error }) }).slice(0, 220)}`;
  });
}

/** What is wrong with the logs of those who stayed. */
async function complaintsOf(world: IncidentWorld): Promise<string[]> {
  const complaints: string[] = [];
  for (const typist of world.typists) {
    const batches = await ask<{ changes: string }>(
      world.parts.postgres.url,
      'SELECT changes FROM batches WHERE key = $1 ORDER BY first_index',
      [typist.key],
    );
    const user = typist.saved[0]?.split(';')[0];
    const stored = batches
      .flatMap(({ changes }) => JSON.parse(changes) as string[])
      .filter((change) => change.split(';')[0] === user);
    if (stored.join() !== typist.saved.join())
      complaints.push(
        `${typist.key}: ${typist.saved.length} acknowledged of ${user}, ${stored.length} stored`,
      );
  }
  return complaints;
}

async function tryOne(name: string, incident: Incident): Promise<string[]> {
  const size = {
    people: Number(values.people),
    scrapeS: Number(values.scrape),
    files: incident.files ?? 'directory',
  };
  const world = await IncidentWorld.start(size);
  const wrong: string[] = [];
  let isOver = false;
  try {
    await world.populate();
    await delay(20_000);
    const early = (await world.parts.prometheus.alerts())
      .filter(({ state }) => state === 'firing')
      .map(nameOf);
    if (early.length > 0) wrong.push(`fired before: ${early.join()}`);
    for (const typist of world.typists) typist.sinceLast();
    const logged = world.parts.nodes.map(({ log }) => log.length);
    const beganAtMs = Date.now();
    progress(`${name}: begins`);
    await incident.begin(world);
    const fired = new Map<string, { afterS: number; runbook: string }>();
    const wanted = () => incident.alerts.every((alert) => fired.has(alert));
    const deadline = beganAtMs + duringMs;
    const watch = async () => {
      for (const alert of await world.parts.prometheus.alerts()) {
        if (alert.state === 'firing' && !fired.has(nameOf(alert)))
          fired.set(nameOf(alert), {
            afterS: Math.round((Date.now() - beganAtMs) / 1_000),
            runbook: alert.annotations.runbook ?? '',
          });
      }
    };
    while (Date.now() < deadline && !wanted()) {
      await delay(1_000);
      await watch();
    }
    await delay(10_000);
    await watch();
    const screens = await Promise.all(world.parts.nodes.map((_node, at) => overviewOf(world, at)));
    const people = world.typists.map((typist) => typist.sinceLast());
    const lines = world.parts.nodes.map(({ log }, at) => linesSince(log.slice(logged[at])));
    const series = await world.parts.prometheus.history('{__name__=~"quire_part_up|up"}', beganAtMs);
    progress(`${name}: ends`);
    isOver = true;
    const endedAtMs = Date.now();
    await incident.end(world);
    const isCalm = await eventually(async () => {
      await watch();
      return (await world.parts.prometheus.alerts()).length === 0;
    }, afterMs);
    const calmAfterS = Math.round((Date.now() - endedAtMs) / 1_000);
    const isSaved = await eventually(async () => world.typists.every((one) => one.isSaved), 30_000);
    const allowed = new Set([...incident.alerts, ...(incident.may ?? [])]);
    for (const alert of incident.alerts) if (!fired.has(alert)) wrong.push(`${alert} did not fire`);
    for (const alert of fired.keys()) if (!allowed.has(alert)) wrong.push(`${alert} should not have fired`);
    if (!isCalm) {
      const left = (await world.parts.prometheus.alerts()).map((one) => `${nameOf(one)} (${one.state})`);
      wrong.push(`did not cease: ${left.join()}`);
    }
    if (!isSaved)
      wrong.push(
        `not saved: ${world.typists
          .filter((one) => !one.isSaved)
          .map(({ state }) => state)
          .join('; ')}`,
      );
    wrong.push(...(await complaintsOf(world)));
    console.log(
      JSON.stringify(
        {
          incident: name,
          at: new Date(beganAtMs).toISOString(),
          'lasted s': Math.round((endedAtMs - beganAtMs) / 1_000),
          'alerts, after s': Object.fromEntries(fired),
          'all alerts ceased after s': isCalm ? calmAfterS : null,
          'connections lost': people.filter(({ lost }) => lost).length,
          'longest wait ms': Math.round(Math.max(...people.map(({ slowestMs }) => slowestMs))),
          'visits refused': world.refusedVisits,
          acknowledged: world.typists.reduce((sum, { saved }) => sum + saved.length, 0),
          'first screen': screens.map(firstScreen),
          log: lines,
          series: series.map(({ metric, values: all }) => [
            `${metric.__name__}{${metric.part ?? ''}} ${metric.instance}`,
            all.map(([, value]) => value).join(' '),
          ]),
          wrong,
        },
        null,
        1,
      ),
    );
  } finally {
    if (!isOver) await Promise.resolve(incident.end(world)).catch(() => undefined);
    await world.close();
  }
  return wrong;
}

let isWrong = false;
for (const name of values.only ?? Object.keys(incidents)) {
  const incident = incidents[name];
  if (!incident) throw new Error(`There is no incident ${name}; see --list`);
  const wrong = await tryOne(name, incident).catch((error: unknown) => [String(error)]);
  for (const one of wrong) progress(`${name}: ${one}`);
  isWrong ||= wrong.length > 0;
}
process.exit(isWrong ? 1 : 0);
