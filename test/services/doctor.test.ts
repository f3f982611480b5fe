import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadConfig } from '../../platform/config.ts';
import { checksOf } from '../../services/doctor/doctor.ts';
import { type CheckResult, runChecks } from '../../services/doctor/finding.ts';
import { freePort } from '../support/free-port.ts';
import { ReverseProxy } from '../support/reverse-proxy.ts';
import { Scene, sceneSecret } from '../support/scene.ts';

const program = fileURLToPath(new URL('../../bin/quire.js', import.meta.url));
let scene: Scene;
let dataDir: string;

beforeAll(async () => {
  scene = await Scene.open({ tokens: true, environment: { CONVERTER_PROCESSES: '1' } });
  dataDir = await mkdtemp(path.join(os.tmpdir(), 'quire-doctor-'));
});
afterAll(async () => {
  await scene?.close();
  await rm(dataDir, { recursive: true, force: true });
});

const environmentOf = (changes: Readonly<Record<string, string>>) => ({
  ...{ DATABASE_URL: scene.database.url, DATA_DIR: scene.quire.dataDir, JWT_SECRET: sceneSecret },
  PUBLIC_URL: scene.quire.address,
  ...changes,
});

/** The checks of these names, made in this process. */
async function checked(
  names: readonly string[],
  url?: string,
  changes: Readonly<Record<string, string>> = {},
) {
  const environment = environmentOf(changes);
  const options = { ...(url !== undefined && { url }), jobTimeoutMs: 1_000 };
  const checks = checksOf(loadConfig(environment), environment, options);
  return reportOf(await runChecks(checks.filter(({ name }) => names.includes(name))));
}

/** The command, as it is run by hand. */
async function doctor(given: readonly string[], changes: Readonly<Record<string, string>> = {}) {
  const child = spawn(process.execPath, [program, 'doctor', '--json', ...given], {
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...environmentOf(changes) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [[code], output, errors] = await Promise.all([
    once(child, 'exit') as Promise<[number]>,
    text(child.stdout),
    text(child.stderr),
  ]);
  expect(output, errors).toMatch(/^\{/);
  expect(output).not.toContain(sceneSecret);
  const { checks } = JSON.parse(output) as { checks: CheckResult[] };
  return { code, checks, ...reportOf(checks) };
}

function reportOf(checks: readonly CheckResult[]) {
  const of = (name: string) => checks.find((check) => check.name === name)!;
  const said = (name: string) =>
    of(name)
      .findings.map(({ sentence }) => sentence)
      .join('\n');
  return { of, said };
}

describe('quire doctor', () => {
  it('[DR18] finds a server that runs in order: database, files, worker, address and tokens', async () => {
    await scene.converterReady();
    const source = `${scene.integrator.address}/files/document.docx`;
    const { code, checks, said } = await doctor(['--url', scene.quire.address, '--download-url', source]);
    expect(checks.filter(({ verdict }) => verdict === 'fail')).toEqual([]);
    expect(code).toBe(0);
    expect(said('job-queue')).toContain('A worker took a job');
    expect(said('own-address')).toMatch(/WebSockets reach the server[\s\S]*Long polling reaches the server/);
    expect(said('tokens')).toContain('The running server takes tokens of this secret');
    expect(said('database')).toContain('Its tables are those of this version');
    expect(said('download')).toContain('It gives a file');
  });

  it('[DR18] settings that keep the server from starting are told, with exit code 1', async () => {
    const { code, checks } = await doctor([], { PORT: 'many', BLOB_STORE: 'tape' });
    expect(code).toBe(1);
    expect(checks).toEqual([
      expect.objectContaining({
        name: 'configuration',
        verdict: 'fail',
        findings: [expect.anything(), expect.anything()],
      }),
    ]);
  });

  it('[DR18] through a proxy with a path of its own it sees what a browser sees', async () => {
    const proxy = await ReverseProxy.to(scene.quire.address, { prefix: '/docs' });
    const silent = await ReverseProxy.to(scene.quire.address, { prefix: '/docs', headers: {} });
    try {
      expect((await checked(['own-address'], proxy.address)).of('own-address').verdict).toBe('ok');
      const { of, said } = await checked(['own-address'], silent.address);
      expect(of('own-address').verdict).toBe('fail');
      expect(said('own-address')).toContain('for its own address: links to files lead there');
    } finally {
      await proxy.close();
      await silent.close();
    }
  });

  it('[DR18] secrets that differ between these settings and the running server are told', async () => {
    const other = { JWT_SECRET: 'another secret that is long enough for the doctor' };
    const { said } = await checked(['tokens'], scene.quire.address, other);
    expect(said('tokens')).toContain('The running server refuses a token');
  });

  it('[DR18] works where nothing runs', async () => {
    const nothing = {
      DATA_DIR: dataDir,
      PORT: String(await freePort()),
      DATABASE_URL: 'postgres://quire@127.0.0.1:1/quire',
      PUBLIC_URL: '',
    };
    const { of, said } = await checked(['database', 'files', 'job-queue', 'own-address'], undefined, nothing);
    expect(said('database')).toContain('Nothing listens at 127.0.0.1:1');
    expect(said('own-address')).toContain('nothing listens there');
    expect(of('job-queue').verdict).toBe('skip');
    expect(of('files').verdict).toBe('ok');
  });
});
