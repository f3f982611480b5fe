import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { packageRoot } from '../../../platform/package-root.ts';
import { eventually } from '../../../test/support/eventually.ts';
import { isRunning, needsOffice, officeProcesses, realOffice } from '../../../test/support/office.ts';

/** Below the packages, so that what is built finds them. */
const cache = path.join(packageRoot, 'node_modules', '.cache');
let directory: string;
let program: string;

describe.skipIf(!realOffice)(`a converter that is killed, ${needsOffice}`, () => {
  beforeAll(async () => {
    await mkdir(cache, { recursive: true });
    directory = await mkdtemp(path.join(cache, 'quire-orphans-'));
    program = path.join(directory, 'holder.mjs');
    await build({
      entryPoints: [path.join(packageRoot, 'test', 'support', 'office-holder.ts')],
      outfile: program,
      ...{ bundle: true, platform: 'node', format: 'esm', packages: 'external', target: 'node20' },
    });
  });
  afterAll(() => rm(directory, { recursive: true, force: true }));

  it('[LO11] leaves no process of LibreOffice and nothing in the directory for temporary files', async () => {
    const temporary = path.join(directory, 'tmp');
    await mkdir(temporary);
    const holder = fork(program, { env: { PATH: process.env.PATH, TMPDIR: temporary }, stdio: 'inherit' });
    await once(holder, 'message');
    const pids = await officeProcesses('all', holder.pid);
    expect(pids.length).toBeGreaterThan(2);
    expect(await readdir(temporary)).not.toEqual([]);
    holder.kill('SIGKILL');
    await eventually(
      () => Promise.all(pids.map(isRunning)),
      (running) => !running.includes(true),
    );
    await eventually(
      () => readdir(temporary),
      (names) => names.length === 0,
    );
  });
});
