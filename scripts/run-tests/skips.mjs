/**
 * Tests that were skipped and are not on the list of those that may be.
 *
 * @param run what ran
 * @param listed `{file, name?, reason}`: all tests of a file, or those whose name begins so
 */
export function unlistedSkips(run, listed) {
  return run.skipped.filter(
    (test) =>
      !listed.some(
        ({ file, name }) => file === test.file && (name === undefined || test.name.startsWith(name)),
      ),
  );
}
