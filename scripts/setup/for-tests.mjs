import { installGoPrograms, TEST_GO_PROGRAMS, TRIAL_GO_PROGRAMS } from './go-programs.mjs';
import { installPrograms, TEST_PROGRAMS, TRIAL_PROGRAMS } from './programs.mjs';
import { installPythonPrograms, TRIAL_PYTHON_PROGRAMS } from './python-programs.mjs';

/**
 * Installs the programs that `npm test` needs, or those of `npm run trials`, which are more.
 *
 * @param purpose `test` or `trials`
 * @returns the names of those that are missing still
 */
export function installForTests(purpose) {
  const missing = [...installPrograms(TEST_PROGRAMS), ...installGoPrograms(TEST_GO_PROGRAMS)];
  if (purpose === 'test') return missing;
  return [
    ...missing,
    ...installPrograms(TRIAL_PROGRAMS),
    ...installGoPrograms(TRIAL_GO_PROGRAMS),
    ...installPythonPrograms(TRIAL_PYTHON_PROGRAMS),
  ];
}
