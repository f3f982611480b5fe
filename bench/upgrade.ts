/**
 * Rehearses a rolling upgrade: nodes of one version on one PostgreSQL and one Redis behind nginx, people typing in all of
 * their documents, and one node after the other is drained, stopped, and started again with the other version. With
 * `--back` they are then replaced by the first version in the same way, and at last by the second one again; where the
 * second has migrations that the first lacks, the way back begins with its `quire db step-back`. Nodes of both versions serve
 * side by side for `--beside` seconds, when the first of them has been replaced. At the end every log is compared with
 * what was acknowledged, and a text and a workbook of our editors with their files. It ends with code 1 when something was lost,
 * doubled or put out of order.
 *
 *     node dist/bench/upgrade.js --from <directory of the older version, built> [--to <directory>] [--nodes 3]
 *                                [--documents 8] [--people 2] [--every 500] [--beside 0] [--back]
 */
import './support/help.ts';

import { execFile } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs, promisify } from 'node:util';
import { packageRoot } from '../platform/package-root.ts';
import { RestartablePostgres } from '../test/support/fault-postgres.ts';
import { freePort } from '../test/support/free-port.ts';
import { ask } from '../test/support/histories/audit.ts';
import { until } from '../test/support/histories/editor-client.ts';
import { wordSource } from '../test/support/histories/word-client.ts';
import { TestIntegrator } from '../test/support/integrator.ts';
import { TestNginx } from '../test/support/nginx.ts';
import { QuireProcess } from '../test/support/quire-process.ts';
import { startRedis } from '../test/support/redis.ts';
import { SteadyTypist } from '../test/support/steady-typist.ts';
import { fileComplaint, type KeptDocument, KeptText, KeptWorkbook } from './support/kept-documents.ts';
import { progress, type Row, report, rounded } from './support/report.ts';

const { values } = parseArgs({
  options: {
    from: { type: 'string' },
    to: { type: 'string', default: packageRoot },
    nodes: { type: 'string', default: '3' },
    documents: { type: 'string', default: '8' },
    people: { type: 'string', default: '2' },
    every: { type: 'string', default: '500' },
    beside: { type: 'string', default: '0' },
    back: { type: 'boolean', default: false },
  },
});
const drainMs = 25_000;
const settleMs = 60_000;

function programOf(directory: string | undefined): string {
  const program = path.resolve(directory ?? '', 'bin', 'quire.js');
  if (directory === undefined || !existsSync(program))
    throw new Error('--from takes a directory with a built Quire');
  return program;
}

const [older, newer] = [programOf(values.from), programOf(values.to)];
const integrator = await TestIntegrator.start();
const postgres = await RestartablePostgres.start();
const redis = await startRedis();
const blobs = await mkdtemp(path.join(os.tmpdir(), 'quire-upgrade-'));
const ports = await Promise.all(Array.from({ length: Number(values.nodes) }, freePort));

function startNode(at: number, program: string): Promise<QuireProcess> {
  const environment = {
    JWT_ENABLED: 'false',
    ALLOW_PRIVATE_IP_ADDRESS: 'true',
    EXAMPLE_ENABLED: 'false',
    BLOB_DIR: blobs,
    DATABASE_URL: postgres.url,
    REDIS_URL: redis.url,
    JWT_SESSION_SECRET: 'one secret for all nodes of a rehearsal',
    SECURE_LINK_SECRET: 'another secret for all of its nodes',
    CONVERTER_PROCESSES: at < 2 ? '1' : '0',
    DRAIN_SPREAD_MS: '3000',
    PORT: String(ports[at]),
  };
  return QuireProcess.start(environment, { program });
}

const nodes: QuireProcess[] = [];
for (const at of ports.keys()) nodes.push(await startNode(at, older));
const nginx = await TestNginx.start(ports);
/** Why connections were lost, with how often since the last step. */
const losses = new Map<string, number>();
const noteLoss = (why: string) => losses.set(why, (losses.get(why) ?? 0) + 1);
const sourceUrl = integrator.serve('upgrade.docx', { bytes: wordSource() });
const typists: SteadyTypist[] = [];
for (let document = 0; document < Number(values.documents); document += 1) {
  for (let number = 0; number < Number(values.people); number += 1) {
    const key = `upgrade-${document}`;
    const callbackUrl = integrator.callbackUrl(key);
    const typist = new SteadyTypist({
      url: nginx.address,
      key,
      userId: `u${number}-`,
      sourceUrl,
      callbackUrl,
    });
    await typist.client.open();
    typist.client.on('lost', (why) => noteLoss(JSON.stringify(why)));
    typists.push(typist);
  }
}

const place = { url: nginx.address, integrator };
const kept: KeptDocument[] = [new KeptText(place), new KeptWorkbook(place)];
for (const document of kept) await document.open();

let turn = 0;
const timer = setInterval(() => {
  for (let at = turn % 10; at < typists.length; at += 10) typists[at]!.type();
  if (turn % 10 === 0) for (const document of kept) document.put();
  turn += 1;
}, Number(values.every) / 10);

const rows: Row[] = [];
function row(step: string, sinceMs: number): void {
  const all = typists.map((typist) => typist.sinceLast());
  for (const [why, count] of losses) progress(`  lost ${count} x ${why}`);
  losses.clear();
  rows.push({
    step,
    seconds: rounded((performance.now() - sinceMs) / 1_000, 1),
    'connections lost': all.filter(({ lost }) => lost).length,
    'longest wait ms': Math.round(Math.max(...all.map(({ slowestMs }) => slowestMs))),
  });
}

/** Warnings and errors of all nodes by their text, with how often and one of each. */
const lines = new Map<string, { count: number; sample: string }>();
function keepLines(node: QuireProcess): void {
  for (const { level, msg, ...fields } of node.log) {
    if (level === 'info' || level === 'debug') continue;
    const seen = lines.get(msg);
    lines.set(msg, {
      count: (seen?.count ?? 0) + 1,
      sample: seen?.sample ?? JSON.stringify(fields).slice(0, 300),
    });
  }
}

/** As `docs/operations.md` describes it: drain, stop, start the other version. */
async function replace(at: number, program: string): Promise<void> {
  const { address } = nodes[at]!;
  const drain = `${address}/internal/cluster/drain`;
  await fetch(drain, { method: 'PUT' });
  const deadline = Date.now() + drainMs;
  while (Date.now() < deadline && (await (await fetch(drain)).text()).trim() !== 'true') await delay(200);
  const code = await nodes[at]!.stop();
  if (code !== 0) progress(`node ${at} ended with ${code}: ${nodes[at]!.errorText()}`);
  keepLines(nodes[at]!);
  await nodes[at]!.remove();
  nodes[at] = await startNode(at, program);
  await delay(2_000);
}

async function replaceAll(program: string, name: string): Promise<void> {
  for (const at of ports.keys()) {
    const sinceMs = performance.now();
    progress(`node ${at} to ${name}`);
    await replace(at, program);
    row(`node ${at} to ${name}`, sinceMs);
    if (at === 0 && Number(values.beside) > 0) {
      const besideSinceMs = performance.now();
      await delay(Number(values.beside) * 1_000);
      row(`one node ${name}, side by side`, besideSinceMs);
    }
  }
}

/** Names of the migrations of a version, whose program is given. */
const migrationsOf = (program: string): string[] =>
  readdirSync(path.join(path.dirname(program), '..', 'db', 'migrations'))
    .filter((name) => name.endsWith('.sql'))
    .sort();

/** What an operator does before the way back to a version with fewer migrations. */
async function stepBack(): Promise<void> {
  const [last] = migrationsOf(older).slice(-1);
  if (last === undefined || migrationsOf(newer).at(-1) === last) return;
  const env = { ...process.env, DATABASE_URL: postgres.url };
  await promisify(execFile)(process.execPath, [newer, 'db', 'step-back', '--to', last], { env });
  progress(`stepped back to ${last}`);
}

/** What is wrong with the log of a document; null when it has everything once and in order. */
async function complaintOf(key: string): Promise<string | null> {
  const batches = await ask<{ changes: string }>(
    postgres.url,
    'SELECT changes FROM batches WHERE key = $1 ORDER BY first_index',
    [key],
  );
  const log = batches.flatMap(({ changes }) => JSON.parse(changes) as string[]);
  const own = typists.filter((typist) => typist.key === key);
  for (const { saved } of own) {
    const user = saved[0]?.split(';')[0];
    const stored = log.filter((change) => change.split(';')[0] === user);
    if (stored.join() !== saved.join()) {
      return `${key}: ${saved.length} changes of ${user} were acknowledged, ${stored.length} are stored, or in another order`;
    }
  }
  const saved = own.reduce((sum, typist) => sum + typist.saved.length, 0);
  return saved === log.length
    ? null
    : `${key}: ${saved} changes were acknowledged and ${log.length} are stored`;
}

const complaints: string[] = [];
try {
  const startedAt = performance.now();
  await delay(5_000);
  row('before', startedAt);
  await replaceAll(newer, 'new');
  if (values.back) {
    await stepBack();
    await replaceAll(older, 'old');
    await replaceAll(newer, 'new again');
  }
  clearInterval(timer);
  const isSettled = await until(
    () =>
      typists.every((typist) => typist.isSaved) && kept.every(({ session }) => session.client.status.saved),
    settleMs,
  );
  if (!isSettled) {
    const unsaved = typists.filter((typist) => !typist.isSaved).map(({ state }) => state);
    for (const { name, session } of kept)
      if (!session.client.status.saved) unsaved.push(`${name} is ${session.client.status.connection}`);
    complaints.push(`a minute after all was done: ${unsaved.join('; ')}`);
  }
  for (const key of new Set(typists.map((typist) => typist.key))) {
    const complaint = await complaintOf(key);
    if (complaint) complaints.push(complaint);
  }
  for (const document of kept) {
    const inFile = await fileComplaint(document, place, progress);
    if (inFile) complaints.push(inFile);
  }
  for (const node of nodes) keepLines(node);
  for (const [msg, { count, sample }] of lines) progress(`in the logs: ${count} x ${msg} ${sample}`);
} catch (error) {
  complaints.push(String(error));
} finally {
  clearInterval(timer);
  await Promise.all(
    typists.map(({ client }) => Promise.race([client.close().catch(() => undefined), delay(3_000)])),
  );
  await nginx.close();
  await Promise.all(nodes.map((node) => node.remove()));
  await Promise.all([integrator.close(), redis.stop(), postgres.remove()]);
  await rm(blobs, { recursive: true, force: true });
}
const acknowledged = typists.reduce((sum, { saved }) => sum + saved.length, 0);
report('upgrade', values, rows, {
  acknowledged,
  kept: kept.reduce((sum, { count }) => sum + count, 0),
  complaints,
});
for (const complaint of complaints) progress(complaint);
process.exit(complaints.length > 0 ? 1 : 0);
