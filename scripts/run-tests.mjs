// Runs the tests: `node scripts/run-tests.mjs tests` (npm test) or `… trials` (npm run trials), further arguments are vitest's:
// names of files, `-t name`. What failed is looked at a second time, each file alone. The last line counts:
// `tests: N passed, N failed, N skipped`. docs/testing.md says what an unsteady test means.
import { spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { keepEvidence } from './run-tests/evidence.mjs';
import { readRun } from './run-tests/run.mjs';
import { lookAgain } from './run-tests/second-look.mjs';
import { unlistedSkips } from './run-tests/skips.mjs';
import { trialsRecord } from './run-tests/trials-record.mjs';
import { verdict } from './run-tests/verdict.mjs';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const configs = { tests: 'vitest.config.ts', trials: 'vitest.trials.config.ts' };
const reporter = path.join(root, 'scripts/run-tests/reporter.mjs');

const [purpose, ...asked] = process.argv.slice(2);
if (!(purpose in configs))
  throw new Error(`Usage: node scripts/run-tests.mjs ${Object.keys(configs).join('|')}`);

const folder = mkdtempSync(path.join(os.tmpdir(), 'quire-tests-'));
const isInCi = Boolean(process.env.CI);
const startedAtMs = Date.now();
// Trials draw other values each time; a second look has to meet the same ones.
if (purpose === 'trials') process.env.QUIRE_TEST_SEED ||= String(randomInt(2 ** 31));

/** Runs vitest with these arguments, and says what it ran; `name` is that of this look. */
function runVitest(args, name) {
  const file = path.join(folder, `${name}.json`);
  const vitest = path.join(root, 'node_modules/vitest/vitest.mjs');
  const { status } = spawnSync(
    process.execPath,
    [vitest, 'run', '--config', configs[purpose], '--reporter=default', `--reporter=${reporter}`, ...args],
    {
      cwd: root,
      stdio: 'inherit',
      env: { ...process.env, QUIRE_TEST_REPORT: file, QUIRE_TEST_EVIDENCE: path.join(folder, name) },
    },
  );
  return readRun(file, status);
}

const first = runVitest(asked, 'first');
const second = await lookAgain(first, (file, number) =>
  runVitest([file, '--maxWorkers=1'], `again-${number}`),
);
const listed = JSON.parse(readFileSync(path.join(root, 'test/skipped.json'), 'utf8'));
const { lines, isGreen, evidenceOf } = verdict({
  first,
  second,
  spec: readFileSync(path.join(root, 'SPEC.md'), 'utf8'),
  unlisted: unlistedSkips(first, listed),
  isInCi,
});
const kept = keepEvidence(folder, evidenceOf);
if (kept) console.log(`logs and screenshots: ${kept}`);
else rmSync(folder, { recursive: true, force: true });
if (purpose === 'trials') {
  const git = (...args) => spawnSync('git', args, { cwd: root, encoding: 'utf8' }).stdout?.trim() ?? '';
  const record = trialsRecord(first, {
    seed: process.env.QUIRE_TEST_SEED,
    tree: git('rev-parse', 'HEAD^{tree}'),
    changed: git('status', '--porcelain') !== '',
    minutes: (Date.now() - startedAtMs) / 60_000,
  });
  for (const line of record) console.log(line);
}
for (const line of lines) console.log(line);
process.exitCode = isGreen ? 0 : 1;
