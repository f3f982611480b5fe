/**
 * Changes the secret of integrators and servers as docs/operations.md says, with nodes behind nginx and people who open,
 * save and leave documents all the time: by two secrets that the integrator accepts (`--way two`), or by one at a time
 * (`--way one`, for which callbacks are refused for a while). Counts what each side refused in each step. With
 * `--wrong-order` the integrator signs with the new secret before the servers know it, which has to be noticed. It ends
 * with code 1 when something was refused that should not have been.
 *
 *     node dist/bench/secrets.js [--way two|one] [--nodes 3] [--visitors 12] [--wrong-order]
 */
import './support/help.ts';

import { createHmac } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { signJwt } from '../test/support/bad-requests.ts';
import { RestartablePostgres } from '../test/support/fault-postgres.ts';
import { freePort } from '../test/support/free-port.ts';
import { wordSource } from '../test/support/histories/word-client.ts';
import { accepted, TestIntegrator } from '../test/support/integrator.ts';
import { TestNginx } from '../test/support/nginx.ts';
import { QuireProcess } from '../test/support/quire-process.ts';
import { startRedis } from '../test/support/redis.ts';
import { SteadyTypist } from '../test/support/steady-typist.ts';
import { progress, type Row, report, rounded } from './support/report.ts';

const { values } = parseArgs({
  options: {
    way: { type: 'string', default: 'two' },
    nodes: { type: 'string', default: '3' },
    visitors: { type: 'string', default: '12' },
    'wrong-order': { type: 'boolean', default: false },
  },
});
const oldSecret = 'the secret that both have had until today, long enough';
const newSecret = 'the secret that both are to have from now on, long enough';
const stepMs = 6_000;
const visitMs = 20_000;

/** What the integrator signs with, and what it accepts from the servers. */
const integratorHas = { signs: oldSecret, accepts: [oldSecret] };
const seen = {
  visits: 0,
  callbacks: 0,
  commands: 0,
  unanswered: 0,
  refusedCallbacks: 0,
  refusedDownloads: 0,
  refusals: [] as string[],
};

const integrator = await TestIntegrator.start();
const postgres = await RestartablePostgres.start();
const redis = await startRedis();
const blobs = await mkdtemp(path.join(os.tmpdir(), 'quire-secrets-'));
const ports = await Promise.all(Array.from({ length: Number(values.nodes) }, freePort));

type Secrets = Readonly<Record<string, string>>;
const startNode = (at: number, secrets: Secrets): Promise<QuireProcess> =>
  QuireProcess.start({
    ALLOW_PRIVATE_IP_ADDRESS: 'true',
    EXAMPLE_ENABLED: 'false',
    BLOB_DIR: blobs,
    DATABASE_URL: postgres.url,
    REDIS_URL: redis.url,
    JWT_SESSION_SECRET: 'one secret for all nodes of a rehearsal',
    SECURE_LINK_SECRET: 'another secret for all of its nodes',
    CONVERTER_PROCESSES: at < 2 ? '1' : '0',
    CLOSING_GRACE_MS: '200',
    PORT: String(ports[at]),
    ...secrets,
  });

/** Whether a token in a header is signed with a secret that the integrator accepts. */
function isAccepted(header: string | undefined): boolean {
  const [head, payload, signature] = String(header)
    .replace(/^Bearer /, '')
    .split('.');
  return integratorHas.accepts.some(
    (secret) => createHmac('sha256', secret).update(`${head}.${payload}`).digest('base64url') === signature,
  );
}

integrator.answerAll(({ headers }) => {
  if (isAccepted(headers.authorization)) {
    seen.callbacks += 1;
    return accepted;
  }
  seen.refusedCallbacks += 1;
  return { status: 403, body: '{"error":1}' };
});

let number = 0;
let isOver = false;

/** Somebody opens a new document from a page of the integrator, saves a change and leaves. */
async function visit(): Promise<void> {
  number += 1;
  const key = `secrets-${number}`;
  const url = integrator.serve(`${key}.docx`, { bytes: wordSource() });
  const callbackUrl = integrator.callbackUrl(key);
  const token = signJwt(
    {
      document: { key, url, fileType: 'docx', title: 'a.docx', permissions: { edit: true } },
      editorConfig: { callbackUrl, mode: 'edit', user: { id: key, name: key } },
    },
    integratorHas.signs,
  );
  const place = { url: nginx.address, key, userId: key, sourceUrl: url, callbackUrl, token };
  const typist = new SteadyTypist(place);
  const { client } = typist;
  client.on('ended', ({ error }) => {
    if (error) seen.refusals.push(`${error.code}: ${error.message}`);
  });
  try {
    await client.open();
    typist.type();
    for (const deadline = Date.now() + visitMs; !typist.isSaved && Date.now() < deadline; ) await delay(20);
    if (!typist.isSaved) seen.refusals.push(`${key} could not save`);
    const { authorization } = integrator.headersOf(`${key}.docx`) ?? {};
    if (authorization !== undefined && !isAccepted(authorization)) seen.refusedDownloads += 1;
    const asked = await command(key);
    if (asked !== 0) seen.refusals.push(`the command service answered ${asked}`);
    seen.visits += 1;
  } catch (error) {
    seen.refusals.push(String(error));
  } finally {
    await Promise.race([client.close().catch(() => undefined), delay(3_000)]);
  }
}

async function command(key: string): Promise<unknown> {
  const parameters = { c: 'info', key };
  const response = await fetch(`${nginx.address}/coauthoring/CommandService.ashx`, {
    method: 'POST',
    body: JSON.stringify({ token: signJwt(parameters, integratorHas.signs) }),
  });
  seen.commands += 1;
  // nginx repeats no POST that a node which has just stopped may have got: that is no matter of secrets.
  if (response.status === 502) {
    seen.unanswered += 1;
    return 0;
  }
  return ((await response.json()) as { error?: unknown }).error;
}

const rows: Row[] = [];
/** Does a step, lets people work for a while, and tells what was refused since the step before. */
async function step(name: string, task: () => unknown): Promise<void> {
  const sinceMs = performance.now();
  progress(name);
  await task();
  await delay(stepMs);
  rows.push({
    step: name,
    seconds: rounded((performance.now() - sinceMs) / 1_000, 1),
    visits: seen.visits,
    callbacks: seen.callbacks,
    'refused by servers': seen.refusals.length,
    'commands not answered (502)': seen.unanswered,
    'callbacks refused': seen.refusedCallbacks,
    'downloads refused': seen.refusedDownloads,
  });
  for (const refusal of new Set(seen.refusals)) progress(`refused: ${refusal}`);
  allRefusals += seen.refusals.length;
  outgoingRefusals += seen.refusedCallbacks + seen.refusedDownloads;
  Object.assign(seen, {
    visits: 0,
    callbacks: 0,
    unanswered: 0,
    refusedCallbacks: 0,
    refusedDownloads: 0,
    refusals: [],
  });
}

/** One after the other: drained, stopped and started with other secrets. */
async function restartAll(secrets: Secrets): Promise<void> {
  for (const at of ports.keys()) {
    await nodes[at]!.stop();
    await nodes[at]!.remove();
    nodes[at] = await startNode(at, secrets);
  }
}

let allRefusals = 0;
let outgoingRefusals = 0;
const nodes: QuireProcess[] = [];
for (const at of ports.keys()) nodes.push(await startNode(at, { JWT_SECRET: oldSecret }));
const nginx = await TestNginx.start(ports);

const visitors = Array.from({ length: Number(values.visitors) }, async () => {
  while (!isOver) {
    await visit();
    await delay(300);
  }
});

const signNew = () => {
  integratorHas.signs = newSecret;
};
try {
  await step('before', () => undefined);
  if (values['wrong-order']) await step('the integrator signs with the new secret too early', signNew);
  if (values.way === 'two') {
    await step('1. the integrator accepts both', () => {
      integratorHas.accepts = [oldSecret, newSecret];
    });
    await step('2. servers one by one: new, and the old as previous', () =>
      restartAll({ JWT_SECRET: newSecret, JWT_SECRET_PREVIOUS: oldSecret }),
    );
    await step('3. the integrator signs with the new one and accepts only that', () => {
      signNew();
      integratorHas.accepts = [newSecret];
    });
  } else {
    await step('1. servers one by one: accept both, sign with the old', () =>
      restartAll({
        JWT_SECRET_INBOX: newSecret,
        JWT_SECRET_PREVIOUS: oldSecret,
        JWT_SECRET_OUTBOX: oldSecret,
      }),
    );
    await step('2. the integrator has the new one only', () => {
      signNew();
      integratorHas.accepts = [newSecret];
    });
    await step('3. servers one by one: sign with the new', () =>
      restartAll({
        JWT_SECRET_INBOX: newSecret,
        JWT_SECRET_PREVIOUS: oldSecret,
        JWT_SECRET_OUTBOX: newSecret,
      }),
    );
    await step('after', () => undefined);
  }
  await step('4. servers one by one: without the old', () => restartAll({ JWT_SECRET: newSecret }));
} finally {
  isOver = true;
  await Promise.race([Promise.all(visitors), delay(visitMs)]);
}
const waiting = await fetch(`${nodes[0]!.address}/metrics`).then((answer) => answer.text());
const left = [...waiting.matchAll(/^quire_outbox_callbacks\{.*\} (\d+)/gm)].map(([, count]) => Number(count));
await nginx.close();
await Promise.all(nodes.map((node) => node.remove()));
await Promise.all([integrator.close(), redis.stop(), postgres.remove()]);
await rm(blobs, { recursive: true, force: true });
report('secrets', values, rows, {
  refusedByServers: allRefusals,
  refusedByIntegrator: outgoingRefusals,
  left,
});
process.exit(allRefusals > 0 || (values.way === 'two' && outgoingRefusals > 0) ? 1 : 0);
