import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { MemoryLeaseHub } from '../test/support/memory-leases.ts';
import { WorkDirectory } from './work-directory.ts';

let dataDir: string;
beforeEach(async () => {
  dataDir = await mkdtemp(path.join(os.tmpdir(), 'quire-work-'));
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

test('[WK3] what a dead node left is removed by another one after a while, and nothing of a living one', async () => {
  const hub = new MemoryLeaseHub();
  const open = (id: string) => WorkDirectory.open(dataDir, id, hub.leasesOf(id));
  const [one, two, dead] = [await open('one'), await open('two'), await open('dead')];
  for (const { path: directory } of [one, two, dead]) {
    await writeFile(path.join(directory, 'half a file'), '');
    await utimes(directory, new Date(0), new Date(0));
  }
  hub.end('dead');
  const starting = path.join(dataDir, 'nodes', 'has no lease yet');
  await mkdir(starting);
  await two.sweep();
  expect([one, two, dead].map(({ path: directory }) => existsSync(directory))).toEqual([true, true, false]);
  expect(existsSync(path.join(one.path, 'half a file'))).toBe(true);
  expect(existsSync(starting)).toBe(true);
  await one.remove();
  expect(existsSync(one.path)).toBe(false);
});

test('[WK3] the only node removes at its start whatever was left, also what older versions did', async () => {
  const former = await WorkDirectory.open(dataDir, 'alone', null);
  await mkdir(path.join(dataDir, 'incoming'));
  await mkdir(path.join(dataDir, 'nodes', 'somebody'));
  const now = await WorkDirectory.open(dataDir, 'alone', null);
  expect(now.path).toBe(former.path);
  expect(existsSync(path.join(dataDir, 'incoming'))).toBe(false);
  expect(existsSync(path.join(dataDir, 'nodes', 'somebody'))).toBe(false);
});
