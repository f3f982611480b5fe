import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { installMissing, isInPath } from './programs.mjs';

/** What `npm run trials` runs that is a Python package, and the version its tests were written with. */
export const TRIAL_PYTHON_PROGRAMS = { 'kubernetes-validate': 'kubernetes-validate==1.37.0' };

/** The environment for Python of this user's checkouts: packages of the machine's own Python belong to its packager. */
const environment = path.join(
  process.env.XDG_CACHE_HOME || path.join(os.homedir(), '.cache'),
  'quire',
  'python',
);

/** Where the programs are that are not in PATH. */
export const pythonProgramFolder = path.join(environment, 'bin');

const installTimeoutMs = 300_000;

/**
 * Installs Python programs that are not there, into an environment of their own. Says which are still missing and goes on: the
 * tests that need them say so themselves.
 *
 * @param programs name of each program to what pip installs
 * @returns the names of those that are missing still
 */
export function installPythonPrograms(programs) {
  const missing = () =>
    Object.keys(programs).filter(
      (program) => !isInPath(program) && !existsSync(path.join(pythonProgramFolder, program)),
    );
  if (missing().length === 0) return [];
  const consequence = 'What needs them will not run.';
  // Debian has the module that makes environments in a package of its own.
  const lacking = () => (succeeds('python3', '-c', 'import ensurepip, venv') ? [] : missing());
  installMissing(lacking, () => 'python3-venv', consequence);
  if (lacking().length > 0) return missing();
  const wanted = missing().map((program) => programs[program]);
  console.log(`Installing Python packages: ${wanted.join(' ')} …`);
  const pip = path.join(pythonProgramFolder, 'pip');
  if (!existsSync(pip)) succeeds('python3', '-m', 'venv', environment);
  const { status, stderr } = spawnSync(pip, ['install', '--quiet', ...wanted], {
    stdio: ['ignore', 'ignore', 'pipe'],
    encoding: 'utf8',
    timeout: installTimeoutMs,
  });
  if (status !== 0)
    console.log(`Still missing: ${missing().join(', ')}. ${consequence}\n${stderr ?? ''}`.trimEnd());
  return missing();
}

const succeeds = (file, ...args) => spawnSync(file, args, { stdio: 'ignore' }).status === 0;
