// A set-up file of vitest. What the servers of a test file say goes into a folder of that file, and pages are pictured where
// a test fails. `scripts/run-tests.mjs` names the folder of the run, and keeps what belongs to tests that failed.
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, expect } from 'vitest';
import { evidenceVariable, takePictures } from './evidence.ts';

const run = process.env.QUIRE_TEST_EVIDENCE;
const { testPath } = expect.getState();
if (run && testPath) {
  const folder = path.join(run, path.relative(process.cwd(), testPath));
  mkdirSync(folder, { recursive: true });
  process.env[evidenceVariable] = folder;
  beforeEach(({ onTestFailed, task }) => {
    onTestFailed(() => takePictures(folder, task.name));
  });
}
