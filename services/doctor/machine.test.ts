import { chmodSync, chownSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { loadConfig } from '../../platform/config.ts';
import { reportJson, resultText, summaryText } from './command.ts';
import { checkConfiguration } from './configuration-check.ts';
import { checkConverters, checkEditors, checkFonts, fontFindings } from './converter-check.ts';
import { checksOf } from './doctor.ts';
import { type Finding, fail, ok, runChecks, skip, warn, worst } from './finding.ts';
import { checkDataDirectory, memoryFinding, openFilesFinding } from './machine-check.ts';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(path.join(tmpdir(), 'quire-doctor-'));
});
afterEach(() => rmSync(directory, { recursive: true }));

const verdicts = (findings: readonly Finding[]) => findings.map(({ verdict }) => verdict);
const configuration = (environment: Readonly<Record<string, string>>) =>
  checkConfiguration(loadConfig(environment), environment);

test('[DR1] every check is run, whatever became of others, and reported with its time', async () => {
  const check = (name: string, run: () => Promise<Finding[]>) => ({ name, timeoutMs: 100, run });
  const seen: string[] = [];
  const results = await runChecks(
    [
      check('right', async () => [ok('It is so')]),
      check('wrong', async () => [ok('This'), fail('That', 'Do so.'), warn('Hm', 'Look.')]),
      check('broken', () => Promise.reject(new Error('a bug'))),
      check('endless', () => new Promise(() => undefined)),
      check('idle', async () => [skip('Nothing to do')]),
    ],
    ({ name }) => seen.push(name),
  );
  expect(results.map(({ verdict }) => verdict)).toEqual(['ok', 'fail', 'fail', 'fail', 'skip']);
  expect(seen).toEqual(results.map(({ name }) => name));
  expect(results[2]!.findings[0]!.sentence).toContain('a bug');
  expect(results[3]!.findings[0]!.sentence).toContain('not done within 0.1 s');
  expect(results.every(({ elapsedMs }) => elapsedMs >= 0)).toBe(true);
  expect(resultText(results[1]!)).toMatch(
    /^FAIL {2}wrong \(\d+ ms\)\n {4}ok {4}This\n {4}FAIL {2}That\n {10}→ Do so\./,
  );
  expect(summaryText(results)).toBe('1 ok, 0 with warnings, 3 failed, 1 skipped');
  expect(JSON.parse(reportJson(results))).toMatchObject({
    verdict: 'fail',
    checks: [{ name: 'right' }, {}, {}, {}, {}],
  });
  expect([worst([]), worst(['ok', 'skip']), worst(['warn', 'ok'])]).toEqual(['skip', 'ok', 'warn']);
});

test('[DR13] variables that are no settings are named with what may be meant; those of others are left alone', () => {
  expect(
    verdicts(configuration({ PATH: '/bin', HOME: '/', LANG: 'C', SESSION_MANAGER: 'x', PORT: '8000' })),
  ).toEqual(['ok']);
  for (const [name, meant] of [
    ['DATABSE_URL', 'DATABASE_URL'],
    ['DATABASE_ULR', 'DATABASE_URL'],
    ['PUBLIC_URLS', 'PUBLIC_URL'],
    ['REDIS-URL', 'REDIS_URL'],
    ['DB_HOST', 'DATABASE_URL'],
    ['JWT_SECRT', 'JWT_SECRET'],
  ] as const) {
    expect(configuration({ [name]: 'x' })).toEqual([
      expect.objectContaining({
        verdict: 'warn',
        sentence: expect.stringContaining(name),
        remedy: expect.stringContaining(meant),
      }),
    ]);
  }
  expect(configuration({ JWT_SOMETHING: 'x' })).toEqual([expect.objectContaining({ verdict: 'warn' })]);
  expect(configuration({ JWT_SECRET_FILE: '' })).toEqual([expect.objectContaining({ verdict: 'ok' })]);
});

test.each<[Record<string, string>, RegExp]>([
  [{ S3_BUCKET: 'documents' }, /BLOB_STORE=s3/],
  [{ WOPI_HOSTS: 'https://files.example' }, /WOPI_ENABLED=true/],
  [{ REDIS_URL: 'redis://redis' }, /DATABASE_URL/],
  [{ DATABASE_URL: 'postgres://db.test/quire' }, /Set PUBLIC_URL/],
  [{ CONVERTER_PROCESSES: '0' }, /CONVERTER_PROCESSES/],
  [{ JWT_ENABLED: 'false', EXAMPLE_ENABLED: 'true' }, /quire config/],
])('[DR13] settings that do not go together are warned about: %j', (environment, remedy) => {
  const findings = configuration(environment);
  expect(verdicts(findings)).not.toContain('ok');
  expect(findings.map((finding) => finding.remedy).join()).toMatch(remedy);
});

test('[DR14] few open files and little memory are reported', () => {
  expect(
    [100, 1_024, 65_536, Number.POSITIVE_INFINITY].map((limit) => openFilesFinding(limit).verdict),
  ).toEqual(['fail', 'warn', 'ok', 'ok']);
  expect(openFilesFinding(Number.NaN).verdict).toBe('skip');
  const settings = { converterProcesses: 1, converterConcurrency: 2, converterMemoryMb: 1_024 };
  expect([512, 2_000, 8_000].map((memoryMb) => memoryFinding(memoryMb, settings).verdict)).toEqual([
    'fail',
    'warn',
    'ok',
  ]);
});

test('[DR15] a data directory that is a file, and secrets that are damaged or open to others, are reported', async () => {
  const check = (dataDir: string) => checkDataDirectory(loadConfig({ DATA_DIR: dataDir }));
  expect(verdicts(await check(path.join(directory, 'absent')))).toEqual(['ok']);
  expect(verdicts(await check(directory))).toEqual(['ok']);
  const file = path.join(directory, 'file');
  writeFileSync(file, '');
  expect(verdicts(await check(file))).toEqual(['fail']);
  const secrets = path.join(directory, 'secrets.json');
  writeFileSync(secrets, '{}', { mode: 0o600 });
  expect(await check(directory)).toEqual([
    expect.objectContaining({ verdict: 'ok' }),
    expect.objectContaining({ verdict: 'fail', sentence: expect.stringContaining('damaged') }),
  ]);
  chmodSync(secrets, 0o644);
  expect(await check(directory)).toContainEqual(
    expect.objectContaining({ verdict: 'warn', remedy: `chmod 600 ${secrets}` }),
  );
});

test('[DR16] an x2t that is not there or does not run, and editors that are none, are reported', async () => {
  const x2t = async (environment: Readonly<Record<string, string>>) =>
    (await checkConverters(loadConfig({ DATA_DIR: directory, ...environment })))[0]!;
  expect(await x2t({})).toMatchObject({
    verdict: 'warn',
    remedy: expect.stringContaining('quire install x2t'),
  });
  expect(await x2t({ X2T_DIR: directory })).toMatchObject({
    verdict: 'fail',
    sentence: expect.stringContaining('no program `x2t`'),
  });
  mkdirSync(path.join(directory, 'broken'));
  writeFileSync(path.join(directory, 'broken', 'x2t'), '#!/bin/sh\necho no >&2; exit 3\n', { mode: 0o755 });
  expect(await x2t({ X2T_DIR: path.join(directory, 'broken') })).toMatchObject({
    verdict: 'fail',
    sentence: expect.stringContaining('ended with 3'),
  });
  const editors = (environment: Readonly<Record<string, string>>) =>
    checkEditors(loadConfig({ DATA_DIR: directory, ...environment }));
  expect(verdicts(await editors({}))).toEqual(['skip']);
  expect(await editors({ EDITORS_DIR: directory })).toEqual([
    expect.objectContaining({ verdict: 'fail', sentence: expect.stringContaining('there is no web-apps') }),
  ]);
});

test('[DK21] what only converters need is not missed beside a server that starts none', async () => {
  const found = async (processes: string) => {
    const config = loadConfig({ DATA_DIR: directory, CONVERTER_PROCESSES: processes });
    return [await checkConverters(config), await checkFonts(config)];
  };
  for (const findings of await found('0')) {
    expect(findings.filter(({ verdict }) => verdict === 'warn')).toEqual([]);
  }
  expect((await found('0'))[0]).toContainEqual(
    expect.objectContaining({ verdict: 'skip', sentence: expect.stringContaining('`quire doctor` beside') }),
  );
  expect((await found('1'))[0]).toContainEqual(expect.objectContaining({ verdict: 'warn' }));
});

test('[DR16] editors of another release than x2t are warned about', async () => {
  const editors = path.join(directory, 'editors');
  const script = path.join(editors, 'web-apps/apps/api/documents');
  mkdirSync(script, { recursive: true });
  mkdirSync(path.join(editors, 'sdkjs/common'), { recursive: true });
  writeFileSync(path.join(script, 'api.js'), '/* Version: 9.3.1 (build:10) */');
  writeFileSync(path.join(editors, 'sdkjs/common/AllFonts.js'), '');
  const x2t = path.join(directory, 'x2t');
  mkdirSync(x2t);
  writeFileSync(path.join(x2t, 'x2t'), '#!/bin/sh\necho "Version: 8.2.0"\n', { mode: 0o755 });
  const found = await checkEditors(
    loadConfig({ DATA_DIR: directory, EDITORS_DIR: editors, X2T_DIR: x2t, X2T_UNCONFINED: 'true' }),
  );
  expect(found).toContainEqual(
    expect.objectContaining({ verdict: 'warn', sentence: 'The editors are 9.3.1, and x2t is 8.2.0' }),
  );
});

test('[DR17] fonts that are missing are named with the packages that have them', () => {
  const all = 'Carlito\nCaladea\nLiberation Sans,Liberation Sans Narrow\nLiberation Serif\nLiberation Mono\n';
  expect(verdicts(fontFindings(all))).toEqual(['ok']);
  expect(verdicts(fontFindings('Calibri\nCambria\nArial\nTimes New Roman\nCourier New'))).toEqual(['ok']);
  expect(fontFindings(all.replace('Carlito', 'DejaVu Sans'))).toEqual([
    expect.objectContaining({
      verdict: 'warn',
      sentence: expect.stringContaining('Calibri (or Carlito)'),
      remedy: expect.stringContaining('fonts-crosextra-carlito'),
    }),
  ]);
  expect(verdicts(fontFindings(''))).toEqual(['warn']);
});

test.skipIf(process.getuid?.() !== 0)(
  '[DR15] nothing is written to a data directory of another user (needs root)',
  async () => {
    chownSync(directory, 54_321, 54_321);
    const config = loadConfig({ DATA_DIR: directory });
    const files = checksOf(config, {}, { jobTimeoutMs: 1_000 }).find(({ name }) => name === 'files')!;
    for (const findings of [await checkDataDirectory(config), await files.run()]) {
      expect(findings).toEqual([
        expect.objectContaining({
          verdict: 'warn',
          sentence: expect.stringContaining('belongs to user 54321'),
        }),
      ]);
    }
    expect(readdirSync(directory)).toEqual([]);
  },
);
