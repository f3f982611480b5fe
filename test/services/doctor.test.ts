import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadConfig } from '../../platform/config.ts';
import { checkBacklog } from '../../services/doctor/backlog-check.ts';
import { checksOf, type DoctorOptions } from '../../services/doctor/doctor.ts';
import { type CheckResult, runChecks, worst } from '../../services/doctor/finding.ts';
import { eventually } from '../support/eventually.ts';
import { freePort } from '../support/free-port.ts';
import { accepted } from '../support/integrator.ts';
import { openEmptyDatabase, openTestDatabase } from '../support/postgres.ts';
import { ReverseProxy } from '../support/reverse-proxy.ts';
import { save } from '../support/saving.ts';
import { Scene, sceneSecret } from '../support/scene.ts';
import { append, joinWord } from '../support/word-editor.ts';

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
  options: Partial<DoctorOptions> = {},
  changes: Readonly<Record<string, string>> = {},
) {
  const environment = environmentOf(changes);
  const checks = checksOf(loadConfig(environment), environment, { jobTimeoutMs: 1_000, ...options });
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
      expect((await checked(['own-address'], { url: proxy.address })).of('own-address').verdict).toBe('ok');
      const { of, said } = await checked(['own-address'], { url: silent.address });
      expect(of('own-address').verdict).toBe('fail');
      expect(said('own-address')).toContain('for its own address: links to files lead there');
    } finally {
      await proxy.close();
      await silent.close();
    }
  });

  it('[DR18] secrets that differ between these settings and the running server are told', async () => {
    const other = { JWT_SECRET: 'another secret that is long enough for the doctor' };
    const { said } = await checked(['tokens'], { url: scene.quire.address }, other);
    expect(said('tokens')).toContain('The running server refuses a token');
  });

  it('[DR18] works where nothing runs', async () => {
    const nothing = {
      DATA_DIR: dataDir,
      PORT: String(await freePort()),
      DATABASE_URL: 'postgres://quire@127.0.0.1:1/quire',
      PUBLIC_URL: '',
    };
    const { of, said } = await checked(['database', 'files', 'job-queue', 'own-address'], {}, nothing);
    expect(said('database')).toContain('Nothing listens at 127.0.0.1:1');
    expect(said('own-address')).toContain('nothing listens there');
    expect(of('job-queue').verdict).toBe('skip');
    expect(of('files').verdict).toBe('ok');
  });

  describe('the callbacks of an integrator', () => {
    const tried = (key: string, given: readonly string[]) =>
      doctor([
        ...['--only', 'callback', '--url', scene.quire.address, '--callback-key', key],
        ...['--callback-url', scene.integrator.callbackUrl(key), ...given],
      ]);
    /** The same without the command. */
    const found = (key: string, given: Partial<DoctorOptions>, changes: Record<string, string> = {}) => {
      const callback = { callbackKey: key, callbackUrl: scene.integrator.callbackUrl(key) };
      return checked(['callback'], { ...callback, ...given }, changes);
    };
    const document = () => `${scene.integrator.address}/files/document.docx`;
    const bytesAt = async (url: unknown) =>
      Buffer.from(await (await fetch(String(url))).arrayBuffer()).toString('base64');

    it('[DR21] are tried with the status of a closing, and with the very file in a forced and in a last save', async () => {
      const key = scene.newKey();
      const original = await bytesAt(document());
      const fetched: string[] = [];
      scene.integrator.answer(key, async ({ body }) => {
        if (body.url !== undefined) fetched.push(await bytesAt(body.url));
        return accepted;
      });
      const { code, said } = await tried(key, ['--download-url', document()]);
      expect(said('callback')).toMatch(
        /takes status 4[\s\S]*takes status 6.*file[\s\S]*takes status 2.*file/,
      );
      expect(code).toBe(0);
      const sent = scene.integrator.callbacksOf(key).map(({ body }) => body);
      expect(sent.map(({ status }) => status)).toEqual([4, 6, 2]);
      expect(fetched).toEqual([original, original]);
      for (const body of sent.slice(1)) {
        expect(body).toMatchObject({ filetype: 'docx', users: ['quire-doctor'], token: expect.any(String) });
      }
    });

    it('[DR21] a file of this machine is delivered with its type, to a key that no integrator knows', async () => {
      const file = path.join(dataDir, 'trial.xlsx');
      await writeFile(file, 'a spreadsheet of the trial');
      const { said } = await doctor([
        ...['--only', 'callback', '--url', scene.quire.address, '--callback-file', file],
        ...['--callback-url', scene.integrator.callbackUrl('quire-doctor')],
      ]);
      expect(said('callback')).toMatch(/takes status 2.*file/);
      const last = scene.integrator.callbacksOf('quire-doctor').at(-1)!;
      expect(last.body).toMatchObject({ status: 2, filetype: 'xlsx' });
      expect(await (await fetch(String(last.body.url))).text()).toBe('a spreadsheet of the trial');
    });

    it('[DR22] an integrator that takes the closing and refuses each file has failed, with what it said', async () => {
      const key = scene.newKey();
      scene.integrator.answer(key, ({ status }) =>
        status === 4 ? accepted : { status: 200, body: '{"error":1,"message":"no room"}' },
      );
      const { of } = await found(key, { downloadUrl: document() });
      expect(of('callback').verdict).toBe('fail');
      expect(of('callback').findings.map(({ verdict }) => verdict)).toEqual(['ok', 'fail', 'fail']);
      for (const { sentence } of of('callback').findings.slice(1)) {
        expect(sentence).toMatch(/status [26].*\{"error":1,"message":"no room"\}/);
      }
      scene.integrator.answer(key, ({ status }) =>
        status === 2 ? { status: 500, body: '{"reason":"quota"}' } : accepted,
      );
      const second = await found(key, { downloadUrl: document() });
      expect(second.of('callback').findings.map(({ verdict }) => verdict)).toEqual(['ok', 'ok', 'fail']);
      expect(second.said('callback')).toContain('status 500: {"reason":"quota"}');
    });

    it('[DR23] without a file nothing is replaced, and it is said that files were not tried', async () => {
      const key = scene.newKey();
      const { code, of } = await tried(key, []);
      expect(code).toBe(0);
      expect(of('callback')).toMatchObject({
        ...{ verdict: 'warn' },
        findings: [{ verdict: 'ok' }, { verdict: 'warn', remedy: expect.stringContaining('--download-url') }],
      });
      expect(scene.integrator.callbacksOf(key).map(({ status }) => status)).toEqual([4]);
    });

    it('[DR24] an address of the server at which the file is not to be had is named', async () => {
      const elsewhere = `http://127.0.0.1:${await freePort()}`;
      const { of } = await found('quire-doctor', { downloadUrl: document() }, { PUBLIC_URL: elsewhere });
      expect(of('callback').findings.at(-1)).toMatchObject({
        ...{ verdict: 'fail', sentence: expect.stringContaining(elsewhere) },
        remedy: expect.stringContaining('PUBLIC_URL'),
      });
    });
  });
});

describe('the backlog of a server', () => {
  let saving: Scene;
  beforeAll(async () => {
    saving = await Scene.open({ environment: { CONVERTER_PROCESSES: '1' } });
  });
  afterAll(() => saving?.close());

  const backlog = async () => {
    const findings = await checkBacklog(saving.database.url);
    return {
      findings,
      verdict: worst(findings.map(({ verdict }) => verdict)),
      sentences: findings.map(({ sentence }) => sentence).join('\n'),
    };
  };

  it('[DR25] of a server in order is empty, and a database without tables is none', async () => {
    expect(await backlog()).toMatchObject({ verdict: 'ok' });
    const empty = await openEmptyDatabase();
    try {
      expect(
        (await checked(['backlog'], undefined, { DATABASE_URL: empty.url })).of('backlog'),
      ).toMatchObject({ verdict: 'skip' });
    } finally {
      await empty.drop();
    }
  });

  it('[DR25] tells of a save that its integrator refuses, how often it was tried and what it said, and of the document when it is forgotten', async () => {
    const key = saving.newKey();
    saving.integrator.answer(key, { status: 507, body: '{"error":1}' });
    const { client, doc } = await joinWord(saving, key, 'ann');
    await save(client, [append('a', doc, 0, ' by Ann').change]);
    expect((await backlog()).sentences).toMatch(
      /1 documents have changes that their integrator has not yet, the oldest for \d+ s/,
    );
    await client.leave();
    await saving.integrator.waitForCallback(key, ({ status }) => status === 2);
    const refused = await eventually(backlog, ({ verdict }) => verdict === 'warn');
    expect(refused.findings[0]!.sentence).toMatch(
      /^1 saves are not accepted .* after \d+ attempts \(http.*: .*507/,
    );
    await saving.database.pool.query(`UPDATE saves SET created_at = now() - interval '10 minutes'`);
    expect(await backlog()).toMatchObject({
      ...{ verdict: 'fail' },
      findings: [{ sentence: expect.stringContaining('the oldest for 10 min') }, {}],
    });
    await saving.database.pool.query(
      `INSERT INTO forgotten (key, save_id, source_hash, file_type, forgotten_at)
       SELECT 'lost', id, 'x', 'docx', now() - interval '3 days' FROM saves LIMIT 1`,
    );
    await saving.database.pool.query(
      `UPDATE documents SET store_within_ms = 1000, unsaved_since = now() - interval '1 hour' WHERE key = $1`,
      [key],
    );
    const sentences = (await backlog()).sentences;
    expect(sentences).toContain('1 document is kept as forgotten, the oldest for 3 days');
    expect(sentences).toMatch(/1 document is not stored in the time .* unsaved for 60 min/);
    await saving.database.pool.query('DELETE FROM forgotten');
  });

  it('[DR29] tells of saves whose files are gone from the store', async () => {
    await inDatabase(
      `INSERT INTO saves (key, epoch, status, base_url, end_index, last_error, created_at)
       VALUES ('gone', 1, 2, '', 1, 'file-gone: No blob', now() - interval '20 minutes')`,
      'The files of 1 saves are gone from the store and cannot be made anew (file-gone), the oldest for 20 min',
    );
  });

  it('[DR25] tells of documents that were left and have no file', async () => {
    await inDatabase(
      `INSERT INTO documents (key, state, state_since, file_type, title, base_url)
       VALUES ('stuck', 'assembling', now() - interval '20 minutes', 'docx', '', '')`,
      '1 document is closed and without a file, the oldest for 20 min',
    );
  });

  /** Looks at rows in a database without a server, which would go on with what they say is left. */
  async function inDatabase(rows: string, expected: string) {
    const database = await openTestDatabase();
    try {
      await database.pool.query(rows);
      expect((await checkBacklog(database.url)).map(({ sentence }) => sentence)).toContainEqual(
        expect.stringContaining(expected),
      );
    } finally {
      await database.close();
    }
  }
});
