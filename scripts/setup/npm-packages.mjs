import { spawnSync } from 'node:child_process';
import { existsSync, lstatSync, readFileSync, readlinkSync, symlinkSync, unlinkSync } from 'node:fs';
import path from 'node:path';

/**
 * Runs `npm ci` unless `node_modules` is what `package-lock.json` asks for, here and completely.
 *
 * @returns whether anything was installed
 */
export function installNpmPackages(root) {
  const reason = whatIsMissing(root);
  if (reason === null) return false;
  console.log(`Installing npm packages (${reason}) …`);
  const putBack = removeLink(path.join(root, 'node_modules'));
  try {
    install(root);
  } catch (error) {
    putBack();
    throw error;
  }
  return true;
}

function install(root) {
  if (!npm(root, 'ci')) {
    // npm versions disagree on when a lock file is complete; the locked versions hold here, too.
    console.log('npm ci refused; trying npm install …');
    if (!npm(root, 'install', '--no-save')) throw new Error('npm could not install the packages.');
  }
  const stillMissing = whatIsMissing(root);
  if (stillMissing !== null) throw new Error(`npm left something out: ${stillMissing}.`);
}

/**
 * `npm ci` empties `node_modules`, and where that is a link, what it leads to: the packages of another checkout.
 *
 * @returns what puts the link back where npm has made nothing in its place
 */
function removeLink(folder) {
  if (!lstatSync(folder, { throwIfNoEntry: false })?.isSymbolicLink()) return () => {};
  const target = readlinkSync(folder);
  unlinkSync(folder);
  return () => {
    if (!existsSync(folder)) symlinkSync(target, folder);
  };
}

function npm(root, ...command) {
  // The npm that runs this script, where one does: it need not be the first one in PATH.
  const own = process.env.npm_execpath;
  const [file, first] = own?.endsWith('npm-cli.js') ? [process.execPath, [own]] : ['npm', []];
  // Development packages always: the compiler is one of them.
  const args = [...first, ...command, '--include=dev', '--include=optional', '--no-audit', '--no-fund'];
  const { status, error } = spawnSync(file, args, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] });
  if (error) throw new Error(`npm could not be started: ${error.message}`);
  return status === 0;
}

/**
 * npm writes `node_modules/.package-lock.json` when an installation is complete, so an interrupted one is noticed,
 * and one that somebody made by hand is accepted.
 *
 * @returns why an installation is needed, or null
 */
export function whatIsMissing(root) {
  const wanted = readPackages(path.join(root, 'package-lock.json'));
  if (wanted === null) throw new Error('package-lock.json is missing or cannot be read.');
  const installed = readPackages(path.join(root, 'node_modules', '.package-lock.json'));
  if (installed === null) return 'none are installed completely';
  for (const [place, entry] of Object.entries(wanted)) {
    if (place === '' || entry.link || (entry.optional && !isForThisMachine(entry))) continue;
    const name = place.replace(/^.*node_modules\//, '');
    if (installed[place]?.version !== entry.version) return `${name} ${entry.version} is not installed`;
    if (!existsSync(path.join(root, place, 'package.json'))) return `${name} is gone`;
  }
  return null;
}

/** Of the optional packages those are needed that carry binaries for this platform. */
function isForThisMachine({ os, cpu, libc }) {
  if (!os && !cpu) return false;
  return allows(os, process.platform) && allows(cpu, process.arch) && (!libc || allows(libc, ownLibc()));
}

function ownLibc() {
  process.report.excludeNetwork = true;
  return process.report.getReport().header.glibcVersionRuntime ? 'glibc' : 'musl';
}

function allows(list, value) {
  if (!list) return true;
  return (
    list.includes(value) || (list.every((entry) => entry.startsWith('!')) && !list.includes(`!${value}`))
  );
}

function readPackages(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).packages;
  } catch {
    return null;
  }
}
