import { spawnSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { propertySeed, seedVariable } from '../test/support/property-seed.ts';
import { keepEvidence } from './run-tests/evidence.mjs';
import { readRun } from './run-tests/run.mjs';
import { lookAgain } from './run-tests/second-look.mjs';
import { unlistedSkips } from './run-tests/skips.mjs';
import { trialsRecord } from './run-tests/trials-record.mjs';
import { guardedRules, isWait, verdict } from './run-tests/verdict.mjs';

const root = path.dirname(import.meta.dirname);
const folder = mkdtempSync(path.join(os.tmpdir(), 'quire-runs-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const late = { name: 'WaitError', message: 'Waited for a save: not within 60000 ms' };
const wrong = { name: 'AssertionError', message: 'expected 1 to be 2\nand more' };
const spec =
  '### Saving\n\nProves I1, I5.\n\n- **SV1** a\n\n### Looks\n\nProves I10, I11.\n\n- **VW1** b\n\n### None\n\n- **ME1** c\n';

type Failure = { file: string; name: string; errors: (typeof late)[] };

/** A run of ten tests that passed and some that failed. */
const ran = (failures: Failure[] = [], more: object = {}) => {
  const files = [...new Set(['a.test.ts', ...failures.map(({ file }) => file)])].map((file) => ({
    file,
    tests: [] as object[],
  }));
  return { files, failures, skipped: [] as object[], passed: 10, unhandled: [] as object[], ...more };
};

/** The second look: each of these passed, alone. */
const green = (...failures: Failure[]) =>
  new Map(
    failures.map(({ file, name }) => [
      file,
      { ...ran(), files: [{ file, tests: [{ name, state: 'passed' }] }] },
    ]),
  );

const failing = (name: string, ...errors: (typeof late)[]): Failure => ({ file: 'b.test.ts', name, errors });
const judge = (first: object, second: object = new Map(), more: object = {}) =>
  verdict({ first, second, spec, unlisted: [], isInCi: true, ...more });

describe('the verdict', () => {
  test('[GU9] counts in the last line', () => {
    expect(judge(ran())).toEqual({
      lines: ['tests: 10 passed, 0 failed, 0 skipped'],
      isGreen: true,
      evidenceOf: [],
    });
    expect(judge(ran([], { passed: 0 })).isGreen).toBe(false);
    const { lines, isGreen } = judge(
      ran([failing('[ME1] x', wrong)]),
      new Map([['b.test.ts', ran([failing('[ME1] x', wrong)])]]),
    );
    expect(lines).toEqual([
      'failed: b.test.ts > [ME1] x: expected 1 to be 2',
      'tests: 10 passed, 1 failed, 0 skipped',
    ]);
    expect(isGreen).toBe(false);
  });

  test('[GU9] fails by an error outside of any test, also when all tests passed', () => {
    const { lines, isGreen } = judge(ran([], { unhandled: [wrong] }));
    expect(lines.at(-1)).toBe('tests: 10 passed, 1 failed, 0 skipped');
    expect(isGreen).toBe(false);
  });

  test('[GU9] fails in CI by a skipped test that is not listed', () => {
    const skipped = ['x', 'y', 'z'].map((name) => ({ file: `${name === 'z' ? 'c' : 'b'}.test.ts`, name }));
    const first = ran([], { skipped });
    const unlisted = unlistedSkips(first, [
      { file: 'b.test.ts', name: 'x', reason: 'r' },
      { file: 'c.test.ts', reason: 'r' },
    ]);
    expect(unlisted).toEqual([{ file: 'b.test.ts', name: 'y' }]);
    expect(judge(first, new Map(), { unlisted }).lines.at(-1)).toBe('tests: 10 passed, 1 failed, 3 skipped');
    expect(judge(first, new Map(), { unlisted, isInCi: false }).isGreen).toBe(true);
  });

  test('[GU4] forgives what passes alone, names and counts it', () => {
    const failure = failing('[ME1] x', wrong);
    expect(judge(ran([failure]), green(failure))).toEqual({
      lines: [
        'unsteady: b.test.ts > [ME1] x: expected 1 to be 2',
        'unsteady tests: 1',
        'tests: 11 passed, 0 failed, 0 skipped',
      ],
      isGreen: true,
      evidenceOf: ['b.test.ts'],
    });
  });

  test('[GU4] forgives three and no more', () => {
    const failures = ['b', 'c', 'd', 'e'].map((file) => ({ ...failing(`[ME1] ${file}`, late), file }));
    expect(judge(ran(failures.slice(1)), green(...failures)).isGreen).toBe(true);
    const { lines, isGreen } = judge(ran(failures), green(...failures));
    expect(lines.at(-1)).toBe('tests: 10 passed, 4 failed, 0 skipped');
    expect(isGreen).toBe(false);
  });

  test('[GU4] does not forgive what was not looked at again', () => {
    expect(judge(ran([failing('[ME1] x', late)])).isGreen).toBe(false);
  });

  test('[GU4] forgives a group whose hook failed by what is in it', () => {
    const failure = failing('group', late);
    const second = new Map([
      [
        'b.test.ts',
        { ...ran(), files: [{ file: 'b.test.ts', tests: [{ name: 'group > y', state: 'passed' }] }] },
      ],
    ]);
    expect(judge(ran([failure]), second).isGreen).toBe(true);
  });

  test('[GU4] counts what fails only when it is looked at again', () => {
    const failure = failing('[ME1] x', late);
    const first = ran([failure]);
    first.files.find(({ file }) => file === failure.file)!.tests.push({ name: '[ME1] y', state: 'passed' });
    const second = new Map(
      [...green(failure)].map(([file, run]) => [file, { ...run, failures: [failing('[ME1] y', wrong)] }]),
    );
    const { lines, isGreen } = judge(first, second);
    expect(lines.slice(-2)).toEqual(['unsteady tests: 2', 'tests: 11 passed, 0 failed, 0 skipped']);
    expect(isGreen).toBe(true);
  });

  test('[GU8] does not forgive a mismatch in a rule of the invariants that people’s work depends on', () => {
    for (const name of ['[SV1] x', 'group > [ME1, SV1] x']) {
      const mismatch = failing(name, late, wrong);
      const { lines, isGreen } = judge(ran([mismatch]), green(mismatch));
      expect(lines[0]).toMatch(/^failed once, which is not forgiven: b\.test\.ts > /);
      expect(isGreen).toBe(false);
      const wait = failing(name, late);
      expect(judge(ran([wait]), green(wait)).isGreen).toBe(true);
    }
    const elsewhere = failing('[VW1] x', wrong);
    expect(judge(ran([elsewhere]), green(elsewhere)).isGreen).toBe(true);
  });

  test('[GU8] finds these rules in SPEC.md', () => {
    const isGuarded = guardedRules(readFileSync(path.join(root, 'SPEC.md'), 'utf8'));
    for (const id of [
      'SV1',
      'LK1',
      'EL1',
      'MN1',
      'CL1',
      'SD1',
      'FT1',
      'FH1',
      'RL1',
      'AT1',
      'CG1',
      'DA1',
      'WO12',
    ])
      expect([id, isGuarded(`[${id}]`)]).toEqual([id, true]);
    for (const id of ['GU4', 'SU40', 'ME1', 'LD15']) expect([id, isGuarded(`[${id}]`)]).toEqual([id, false]);
  });
});

test('[GU4] the second look runs each file once, and none when many failed', async () => {
  const failures = [failing('x', late), failing('y', late), { ...failing('z', late), file: 'c.test.ts' }];
  const looks: [string, number][] = [];
  const second = await lookAgain(
    ran(failures),
    (file: string, number: number) => looks.push([file, number]),
    async () => {},
  );
  expect(looks).toEqual([
    ['b.test.ts', 1],
    ['c.test.ts', 2],
  ]);
  expect([...second.keys()]).toEqual(['b.test.ts', 'c.test.ts']);
  const many = Array.from({ length: 11 }, (_, number) => ({ ...failing('x', late), file: `${number}` }));
  expect(
    await lookAgain(
      ran(many),
      () => expect.fail('looked'),
      async () => {},
    ),
  ).toEqual(new Map());
});

test('[GU4, GU9] what vitest ran is told with hooks, waits and skips', () => {
  const place = path.join(folder, 'run');
  mkdirSync(place);
  symlinkSync(path.join(root, 'node_modules'), path.join(place, 'node_modules'));
  writeFileSync(
    path.join(place, 'x.test.ts'),
    `import { beforeAll, describe, expect, test } from 'vitest';
    describe('hooked', () => {
      beforeAll(() => { throw new Error('no server'); });
      test('kept from running', () => {});
    });
    test('right', () => {});
    test('wrong', () => { expect(1).toBe(2); });
    test('polled', async () => { await expect.poll(() => 1, { timeout: 50 }).toBe(2); });
    test('endless', () => new Promise(() => {}), 50);
    test.skipIf(true)('skipped', () => {});
    `,
  );
  writeFileSync(path.join(place, 'y.test.ts'), "throw new Error('not read');");
  const report = path.join(place, 'report.json');
  const vitest = path.join(root, 'node_modules/vitest/vitest.mjs');
  const reporter = path.join(root, 'scripts/run-tests/reporter.mjs');
  const { status } = spawnSync(process.execPath, [vitest, 'run', '--root', place, `--reporter=${reporter}`], {
    env: { PATH: process.env.PATH, QUIRE_TEST_REPORT: report },
  });
  const run = readRun(report, status);
  const failures = run.failures.map(({ file, name, errors }: Failure) => [file, name, errors.map(isWait)]);
  expect(failures.sort()).toEqual([
    ['x.test.ts', 'endless', [true]],
    ['x.test.ts', 'hooked', [false]],
    ['x.test.ts', 'polled', [true]],
    ['x.test.ts', 'wrong', [false]],
    ['y.test.ts', '(the file)', [false]],
  ]);
  expect(run.skipped.map(({ name }: Failure) => name)).toEqual(['skipped']);
  expect([run.passed, run.unhandled]).toEqual([1, []]);
  expect(readRun(path.join(place, 'none.json'), 1).unhandled).toHaveLength(1);
});

test('[GU12] the trials say at their end what ran, of which tree, by which seed, and what did not run', () => {
  const of = { seed: '7', tree: 'f00', changed: false, minutes: 3 };
  const file = (name: string, state: string, seconds: number, broken: object[] = []) => ({
    ...{ file: `${name}.trial.ts`, durationMs: seconds * 1_000, broken },
    tests: [
      { name: 'x', state: 'skipped' },
      { name: 'y', state },
    ],
  });
  const files = [file('a', 'passed', 20), file('b', 'skipped', 1), file('c', 'skipped', 10, [{ name: 'c' }])];
  expect(trialsRecord({ files: [...files, file('d', 'failed', 90)] }, of)).toEqual([
    'trials that did not run, all skipped: b.trial.ts',
    'trials that took longest: d.trial.ts 90 s, a.trial.ts 20 s, c.trial.ts 10 s',
    'trials: 3 files of 2.0 min ran in 3.0 min, seed 7, tree f00',
  ]);
  expect(trialsRecord({ files: [] }, { ...of, changed: true })).toEqual([
    'trials: 0 files of 0.0 min ran in 3.0 min, seed 7, tree f00 and changes that are not committed',
  ]);
});

test('[GU10] what servers and pages of a failed file left is kept, and nothing else', () => {
  const run = path.join(folder, 'evidence');
  const leave = (look: string, file: string) => {
    mkdirSync(path.join(run, look, file), { recursive: true });
    writeFileSync(path.join(run, look, file, 'server-1.log'), 'x');
  };
  leave('first', 'test/a.test.ts');
  expect(keepEvidence(run, ['test/c.test.ts'])).toBeNull();
  for (const file of ['test/a.test.ts', 'test/b.test.ts']) leave('first', file);
  leave('again-1', 'test/b.test.ts');
  expect(keepEvidence(run, ['test/b.test.ts'])).toBe(path.join(run, 'kept'));
  expect(readdirSync(run)).toEqual(['kept']);
  const files = readdirSync(path.join(run, 'kept'), { recursive: true, encoding: 'utf8' });
  expect(files.filter((file) => file.endsWith('.log')).sort()).toEqual([
    'again-1/test/b.test.ts/server-1.log',
    'first/test/b.test.ts/server-1.log',
  ]);
});

describe('[GU7] properties', () => {
  test('take their seed from the committed tree, or from who asks for another', () => {
    const tree = 'f0000001aa';
    expect(propertySeed(undefined, tree)).toBe(0xf0000001 | 0);
    expect(propertySeed('', tree)).toBe(propertySeed(undefined, tree));
    expect(propertySeed('-7', tree)).toBe(-7);
    expect(() => propertySeed('x', tree)).toThrow('QUIRE_TEST_SEED');
  });

  test('have the seed of the run in each file', () => {
    expect(fc.readConfigureGlobal().seed).toBe(Number(process.env[seedVariable]));
  });
});
