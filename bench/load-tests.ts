/**
 * Load tests one after the other: each scenario that is named runs against a server of its own, with a database of its own, once
 * the machine is quiet. Its result (JSON), its report (HTML) and what it said are left in a folder.
 *
 *     node dist/bench/load-tests.js hour storm [--out load-results] [--workers 2] [--redis 0] [--quiet 10] [--apart] [-- --scale 1 --middle 10m]
 *
 * What stands behind `--` goes to `quire load` as it is. `--redis 1` gives each server a Redis of its own. `--quiet` is the share of
 * all cores in percent that may be busy for ten seconds before a run begins; after half an hour without that it is given up. `--apart`
 * leaves the first half of the cores to the server, its PostgreSQL and its Redis, and the other half to the load, so that a load that
 * grows takes nothing from the server (Linux, `taskset` of util-linux). Ends with the worst exit code of `quire load`: 1 where a
 * threshold was missed or something differs. Interrupted (Ctrl-C, SIGTERM), it keeps the figures so far, stops its server and ends with 130.
 */
import './support/help.ts';

import { execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { cpus } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { BusyCores } from '../load/busy-cores.ts';
import { waitForQuiet } from '../load/quiet-machine.ts';
import { readScenario } from '../load/scenario.ts';
import { processEnvironment } from '../platform/config.ts';
import { startRedis } from '../test/support/redis.ts';
import { progress } from './support/report.ts';
import { startServerProcess } from './support/server-process.ts';

const program = fileURLToPath(new URL('../../bin/quire.js', import.meta.url));
const patienceS = 1_800;
const interruptedCode = 130;

const given = process.argv.slice(2);
const end = given.includes('--') ? given.indexOf('--') : given.length;
const { values, positionals: scenarios } = parseArgs({
  args: given.slice(0, end),
  allowPositionals: true,
  options: {
    out: { type: 'string', default: 'load-results' },
    workers: { type: 'string', default: '1' },
    redis: { type: 'string', default: '0' },
    quiet: { type: 'string', default: '10' },
    apart: { type: 'boolean', default: false },
  },
});
const further = given.slice(end + 1);
if (scenarios.length === 0) throw new Error('No scenario is named: quire load --list names them');
// A name that is wrong is to be known before the first run, and not hours later.
await Promise.all(scenarios.map(readScenario));

const interrupted = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => interrupted.abort());

await mkdir(values.out, { recursive: true });
for (const scenario of scenarios) {
  const code = await run(scenario);
  progress(`${scenario} ended with ${code}`);
  process.exitCode = Math.max(Number(process.exitCode ?? 0), code);
  if (interrupted.signal.aborted) break;
}

/** Returns the exit code of `quire load`. */
async function run(scenario: string): Promise<number> {
  await waitUntilQuiet();
  if (interrupted.signal.aborted) return interruptedCode;
  if (values.apart) keepTo('first half');
  const secret = randomBytes(32).toString('base64url');
  const redis = values.redis === '0' ? null : await startRedis();
  try {
    const server = await startServerProcess({
      environment: {
        ...{ JWT_ENABLED: 'true', JWT_SECRET: secret, WORKERS: values.workers },
        ...(redis && { REDIS_URL: redis.url }),
      },
    });
    try {
      return await putLoad(scenario, `http://127.0.0.1:${server.port}`, secret);
    } finally {
      await server.stop();
    }
  } finally {
    await redis?.stop();
  }
}

async function waitUntilQuiet(): Promise<void> {
  const busy = new BusyCores();
  const waitedS = await waitForQuiet({
    ...{ atMost: Number(values.quiet) / 100, withinS: patienceS },
    busyShare: () => busy.take() / cpus().length,
    second: () => delay(1_000, undefined, { signal: interrupted.signal }),
  }).catch(unlessInterrupted);
  if (waitedS === undefined) return;
  if (waitedS === null) throw new Error(`The machine was not quiet within ${patienceS} s`);
  progress(`The machine was quiet after ${waitedS} s`);
}

/** Whatever is started from now on runs on these cores. */
function keepTo(half: 'first half' | 'second half'): void {
  const all = cpus().length;
  if (all < 2) throw new Error('--apart needs two cores');
  const middle = Math.floor(all / 2);
  const cores = half === 'first half' ? `0-${middle - 1}` : `${middle}-${all - 1}`;
  execFileSync('taskset', ['--cpu-list', '--pid', cores, String(process.pid)], { stdio: 'ignore' });
}

async function putLoad(scenario: string, url: string, secret: string): Promise<number> {
  const file = path.join(values.out, path.basename(scenario, '.json'));
  if (values.apart) keepTo('second half');
  progress(`${scenario} runs; ${file}.txt has what it says`);
  const written = ['--result', `${file}.json`, '--report', `${file}.html`];
  const child = spawn(process.execPath, [program, 'load', scenario, '--url', url, ...written, ...further], {
    env: { ...processEnvironment(), JWT_SECRET: secret },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const endLoad = () => child.kill('SIGTERM');
  interrupted.signal.addEventListener('abort', endLoad);
  if (interrupted.signal.aborted) endLoad();
  const said = createWriteStream(`${file}.txt`);
  child.stdout.pipe(said, { end: false });
  child.stderr.pipe(said, { end: false });
  const [code] = (await once(child, 'close')) as [number | null];
  interrupted.signal.removeEventListener('abort', endLoad);
  said.end();
  return interrupted.signal.aborted ? interruptedCode : (code ?? 1);
}

function unlessInterrupted(error: unknown): void {
  if (!interrupted.signal.aborted) throw error;
}
