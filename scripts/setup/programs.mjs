import { spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import path from 'node:path';

/** What `npm test` runs beside Node, and the Debian package of each. */
export const TEST_PROGRAMS = {
  'redis-server': 'redis-server',
  'chromium-headless-shell': 'chromium-headless-shell',
  pdftotext: 'poppler-utils',
};

/** What `npm run trials` runs in addition. */
export const TRIAL_PROGRAMS = {
  pgbouncer: 'pgbouncer',
  nginx: 'nginx',
  ip: 'iproute2',
  promtool: 'prometheus',
  python3: 'python3',
  php: 'php-cli',
  gunicorn: 'gunicorn',
};

/**
 * Installs the Debian packages of programs that are not in PATH, where this user may. Otherwise says which are
 * missing and goes on: the tests that need them say so themselves.
 *
 * @param packages name of each program to the Debian package that has it
 * @returns the names of those that are missing still
 */
export function installPrograms(packages) {
  const missing = () => Object.keys(packages).filter((program) => !isInPath(program));
  return installMissing(missing, (program) => packages[program], 'What needs them will not run.');
}

/**
 * Installs Debian packages, where this user may; says what it does and what it could not.
 *
 * @param missing names of what is missing now
 * @param packageOf the Debian package of such a name
 * @param consequence what follows from what stays missing, a sentence
 * @returns the names of what is missing still
 */
export function installMissing(missing, packageOf, consequence) {
  const wanted = [...new Set(missing().map(packageOf))];
  if (wanted.length === 0) return [];
  const asRoot = waysToBeRoot();
  if (!isInPath('apt-get') || asRoot === null) {
    const means = isInPath('apt-get') ? `sudo apt-get install ${wanted.join(' ')}` : 'your package manager';
    console.log(`Missing: ${missing().join(', ')}. ${consequence} To install: ${means}`);
    return missing();
  }
  console.log(`Installing Debian packages: ${wanted.join(' ')} …`);
  const aptGet = [
    ...asRoot,
    'env',
    'DEBIAN_FRONTEND=noninteractive',
    'apt-get',
    '-qq',
    '-o',
    'DPkg::Lock::Timeout=300',
    '-o',
    'Acquire::Retries=3',
  ];
  runQuietly([...aptGet, 'update']);
  runQuietly([...aptGet, 'install', '-y', '--no-install-recommends', ...wanted]);
  const lacking = missing();
  if (lacking.length > 0) console.log(`Still missing: ${lacking.join(', ')}. ${consequence}`);
  return lacking;
}

function waysToBeRoot() {
  if (process.getuid?.() === 0) return [];
  if (isInPath('sudo') && spawnSync('sudo', ['-n', 'true'], { stdio: 'ignore' }).status === 0)
    return ['sudo', '-n'];
  return null;
}

/** Shows what the command said only when it fails. */
function runQuietly([file, ...args]) {
  const { status, stdout, stderr } = spawnSync(file, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    encoding: 'utf8',
  });
  if (status !== 0)
    console.error(`${[file, ...args].join(' ')} failed:\n${stdout ?? ''}${stderr ?? ''}`.trimEnd());
}

/** Whether a program is found by its name alone. */
export function isInPath(program) {
  // Debian keeps servers out of the PATH of ordinary users.
  const directories = [...(process.env.PATH ?? '').split(path.delimiter), '/usr/sbin', '/sbin'];
  return directories.some((directory) => {
    try {
      accessSync(path.join(directory, program), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}
