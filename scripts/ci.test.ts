import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
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

  test('[GU4] no test of what is ours gets a second attempt', () => {
    const projects = (config.test?.projects ?? []) as { test: { name: string; retry?: number } }[];
    expect(projects.filter(({ test }) => 'retry' in test).map(({ test }) => test.name)).toEqual([
      'editors of others',
    ]);
  });
});
