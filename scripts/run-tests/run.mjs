import { existsSync, readFileSync } from 'node:fs';

/** The name of what failed of a file as a whole. */
export const wholeFile = '(the file)';

/**
 * What vitest ran, from the file that the reporter wrote.
 *
 * A run has `files`, each with its tests, `failures` (of tests, hooks and files: `{file, name, errors}`), `skipped`
 * (`{file, name, note}`), `passed` (a count) and `unhandled` (errors outside of any). A hook that failed is one failure; the tests
 * that it kept from running are neither passed nor skipped.
 *
 * @param file the report; where there is none, vitest did not get so far
 * @param status vitest's exit code
 */
export function readRun(file, status) {
  if (!existsSync(file)) {
    const errors = [{ name: 'Error', message: `vitest ended with ${status} before it had run the tests` }];
    return { files: [], failures: [], skipped: [], passed: 0, unhandled: errors };
  }
  const { files, unhandled } = JSON.parse(readFileSync(file, 'utf8'));
  const failures = files.flatMap(({ file: name, tests, broken }) => [
    ...tests
      .filter(({ state }) => state === 'failed')
      .map(({ name: test, errors }) => ({ file: name, name: test, errors })),
    ...broken.map(({ name: group, error }) => ({ file: name, name: group, errors: [error] })),
  ]);
  const skipped = files.flatMap(({ file: name, tests, broken }) =>
    tests
      .filter(({ state, name: test }) => state === 'skipped' && !isBelow(broken, test))
      .map(({ name: test, note }) => ({ file: name, name: test, note })),
  );
  const passed = files.flatMap(({ tests }) => tests).filter(({ state }) => state === 'passed').length;
  // A test that never ended is pending.
  const pending = files.flatMap(({ file: name, tests }) =>
    tests
      .filter(({ state }) => state === 'pending')
      .map(({ name: test }) => ({
        ...{ file: name, name: test },
        errors: [{ name: 'Error', message: 'it did not end' }],
      })),
  );
  const silent = status !== 0 && failures.length + pending.length + unhandled.length === 0;
  const fault = { name: 'Error', message: `vitest ended with ${status}, and no test failed` };
  return {
    files,
    failures: [...failures, ...pending],
    skipped,
    passed,
    unhandled: silent ? [fault] : unhandled,
  };
}

/** Whether a test belongs to a group, or a file, that failed before it could run. */
function isBelow(broken, test) {
  return broken.some(({ name }) => name === wholeFile || test.startsWith(`${name} > `));
}
