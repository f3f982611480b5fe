/**
 * Rehearses a backup and a restore as `docs/operations.md` describes them: while people type, the database is dumped and then
 * the files are copied; the server is lost, with its database and files; both are restored elsewhere, and a server starts
 * on them at the same address. Everything that was acknowledged before the dump has to be there, editors have to be able
 * to go on, and forgotten work to be fetched. It ends with code 1 when something is missing.
 *
 *     node dist/bench/restore.js --programs /usr/lib/postgresql/15/bin [--documents 4] [--seconds 4]
 */
import './support/help.ts';

import { cp, mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { ask } from '../test/support/histories/audit.ts';
import { until } from '../test/support/histories/editor-client.ts';
import { wordSource } from '../test/support/histories/word-client.ts';
import { accepted, TestIntegrator } from '../test/support/integrator.ts';
import { QuireProcess } from '../test/support/quire-process.ts';
import { SteadyTypist } from '../test/support/steady-typist.ts';
import { InstalledPostgres } from './support/installed-postgres.ts';
import { progress, report, rounded } from './support/report.ts';

const { values } = parseArgs({
  options: {
    programs: { type: 'string' },
    documents: { type: 'string', default: '4' },
    seconds: { type: 'string', default: '4' },
  },
});
if (values.programs === undefined)
  throw new Error('--programs takes the directory with initdb, postgres, pg_ctl and pg_dump');
const patienceMs = 30_000;
const forgottenKey = 'restore-forgotten';

const directory = await mkdtemp(path.join(os.tmpdir(), 'quire-restore-'));
const integrator = await TestIntegrator.start();
integrator.answer(forgottenKey, { status: 500, body: '' });
const sourceUrl = integrator.serve('restore.docx', { bytes: wordSource() });
const before = await InstalledPostgres.start(values.programs);
const after = await InstalledPostgres.start(values.programs);

const startServer = (databaseUrl: string, blobs: string, port = '0') =>
  QuireProcess.start({
    JWT_ENABLED: 'false',
    ALLOW_PRIVATE_IP_ADDRESS: 'true',
    EXAMPLE_ENABLED: 'false',
    DATABASE_URL: databaseUrl,
    BLOB_DIR: path.join(directory, blobs),
    JWT_SESSION_SECRET: 'the secret that was saved with the rest',
    SECURE_LINK_SECRET: 'the other secret that was saved with it',
    CLOSING_GRACE_MS: '500',
    RECONNECT_GRACE_MS: '5000',
    CALLBACK_RETRY_FOR_MS: '500',
    PORT: port,
  });

const typistAt = (url: string, key: string, userId: string) =>
  new SteadyTypist({ url, key, userId, sourceUrl, callbackUrl: integrator.callbackUrl(key) });

/** The log of a document as a database has it. */
async function logOf(databaseUrl: string, key: string): Promise<string[]> {
  const rows = await ask<{ changes: string }>(
    databaseUrl,
    'SELECT changes FROM batches WHERE key = $1 ORDER BY first_index',
    [key],
  );
  return rows.flatMap(({ changes }) => JSON.parse(changes) as string[]);
}

async function command(url: string, body: object): Promise<Record<string, unknown>> {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(`${url}/command`, { method: 'POST', headers, body: JSON.stringify(body) });
  return (await response.json()) as Record<string, unknown>;
}

const complaints: string[] = [];
const measured: Record<string, number> = {};
let server = await startServer(before.url, 'blobs');
const { address } = server;
let timer: NodeJS.Timeout | undefined;
try {
  // Work that its integrator did not take.
  const forgotten = typistAt(address, forgottenKey, 'f-');
  await forgotten.client.open();
  forgotten.type();
  await until(() => forgotten.isSaved, patienceMs);
  await forgotten.client.close();
  const isForgotten = async () =>
    (await command(address, { c: 'getForgotten', key: forgottenKey })).error === 0;
  for (const deadline = Date.now() + patienceMs; !(await isForgotten()); await delay(200)) {
    if (Date.now() > deadline) throw new Error('nothing was forgotten before the backup');
  }
  const typists: SteadyTypist[] = [];
  for (let document = 0; document < Number(values.documents); document += 1) {
    const typist = typistAt(address, `restore-${document}`, 'u-');
    await typist.client.open();
    typists.push(typist);
  }
  timer = setInterval(() => {
    for (const typist of typists) typist.type();
  }, 100);
  await delay(Number(values.seconds) * 1_000);

  progress('backup: the database, then the files');
  const acknowledged = typists.map(({ saved }) => [...saved]);
  const dump = path.join(directory, 'quire.dump');
  const dumpedAt = performance.now();
  await before.tool('pg_dump', '--format=custom', `--file=${dump}`, before.url);
  await cp(path.join(directory, 'blobs'), path.join(directory, 'blobs-copy'), { recursive: true });
  measured['backup s'] = rounded((performance.now() - dumpedAt) / 1_000, 1);
  // What comes after the dump is lost with the server; some of them will know more than the restored log.
  await delay(1_000);
  await server.kill();
  await server.remove();
  await rm(path.join(directory, 'blobs'), { recursive: true, force: true });
  clearInterval(timer);

  progress('restore');
  const restoredAt = performance.now();
  await cp(path.join(directory, 'blobs-copy'), path.join(directory, 'restored'), { recursive: true });
  await after.tool('pg_restore', '--clean', '--if-exists', `--dbname=${after.url}`, dump);
  server = await startServer(after.url, 'restored', new URL(address).port);
  measured['restore s'] = rounded((performance.now() - restoredAt) / 1_000, 1);
  const isTold = ({ client }: SteadyTypist) =>
    client.status.connection === 'ended' || client.status.connection === 'ready';
  if (!(await until(() => typists.every(isTold), patienceMs)))
    complaints.push('an editor neither goes on nor loads anew');
  measured['editors that load anew'] = typists.filter(
    ({ client }) => client.status.connection === 'ended',
  ).length;
  for (const [at, typist] of typists.entries()) {
    const log = await logOf(after.url, typist.key);
    const lacking = acknowledged[at]!.filter((change) => !log.includes(change));
    if (lacking.length > 0)
      complaints.push(`${typist.key} lacks ${lacking.length} changes that were acknowledged before the dump`);
    const goesOn = typistAt(address, typist.key, 'v-');
    await goesOn.client.open();
    goesOn.type();
    if (!(await until(() => goesOn.isSaved, patienceMs)))
      complaints.push(`nobody can go on in ${typist.key}: ${goesOn.state}`);
    await goesOn.client.close();
    measured.restored = (measured.restored ?? 0) + log.length;
  }
  const answer = await command(address, { c: 'getForgotten', key: forgottenKey });
  const file = answer.error === 0 ? await fetch(String(answer.url)) : null;
  if (!file?.ok || (await file.arrayBuffer()).byteLength === 0)
    complaints.push(`forgotten work cannot be fetched: ${JSON.stringify(answer)}`);
  await Promise.all(
    typists.map(({ client }) => Promise.race([client.close().catch(() => undefined), delay(3_000)])),
  );
  integrator.answer(forgottenKey, accepted);
} catch (error) {
  complaints.push(String(error));
} finally {
  clearInterval(timer);
  await server.remove();
  await Promise.all([integrator.close(), before.remove(), after.remove()]);
  await rm(directory, { recursive: true, force: true });
}
report('restore', values, [measured], { complaints });
for (const complaint of complaints) progress(complaint);
process.exit(complaints.length > 0 ? 1 : 0);
