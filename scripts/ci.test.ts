import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { propertySeed, seedVariable } from '../test/support/property-seed.ts';
import config from '../vitest.config.ts';

const root = path.dirname(import.meta.dirname);
const folder = mkdtempSync(path.join(os.tmpdir(), 'quire-ci-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const passed = (fullName: string, ...failureMessages: string[]) => ({
  status: 'passed',
  fullName,
  failureMessages,
});
const failed = (fullName: string) => ({ status: 'failed', fullName, failureMessages: ['no'] });

/** What CI prints of a report, and its exit code. Without tests the report is not there. */
function counted(files: readonly ReturnType<typeof passed>[][] | null, failedChecks = 0) {
  const report = path.join(folder, 'report.json');
  const tests = files?.flat() ?? [];
  const json = {
    numPassedTests: tests.filter(({ status }) => status === 'passed').length,
    numFailedTests: tests.filter(({ status }) => status === 'failed').length,
    testResults: files?.map((assertionResults) => ({ status: 'passed', assertionResults })),
  };
  if (files) writeFileSync(report, JSON.stringify(json));
  else rmSync(report, { force: true });
  const run = spawnSync(process.execPath, [path.join(root, '.ci/count.mjs'), report, String(failedChecks)]);
  return { lines: run.stdout.toString().trim().split('\n'), code: run.status };
}

describe('the last line of CI', () => {
  test.each([
    ['nothing else where all passed', [[passed('a'), passed('b')]], 0, ['2 passed, 0 failed'], 0],
    [
      'second attempts before the rest',
      [[passed('a', 'not at first')], [passed('b')]],
      0,
      ['passed at the second attempt: a', 'second attempts: 1; 2 passed, 0 failed'],
      0,
    ],
    ['a test that failed once', [[passed('a'), failed('b')]], 1, ['1 passed, 1 failed'], 1],
    ['a test and another check', [[passed('a'), failed('b')]], 2, ['1 passed, 2 failed'], 1],
    ['a check alone', [[passed('a')]], 1, ['1 passed, 1 failed'], 1],
    ['no tests at all', null, 1, ['0 passed, 1 failed'], 1],
  ])('[GU4] says %s', (_what, files, failedChecks, lines, code) => {
    expect(counted(files, failedChecks)).toEqual({ lines, code });
  });

  test('[GU4] second attempts are made in CI alone, one a test', () => {
    const projects = (config.test?.projects ?? []) as { test: { retry?: number } }[];
    expect(projects.filter(({ test }) => 'retry' in test)).toEqual([]);
    expect(config.test?.retry).toBe(process.env.CI ? 1 : 0);
  });
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
