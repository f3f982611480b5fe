import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { BlobDamagedError } from '../ports/blob-store.ts';
import { FileBlobStore } from './file-blob-store.ts';

let root: string;
let store: FileBlobStore;
beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), 'quire-blobs-'));
  store = new FileBlobStore(root);
});
afterEach(() => rmSync(root, { recursive: true }));

const fileOf = (hash: string) => path.join(root, hash.slice(0, 2), hash.slice(2, 4), hash);

test('[BL8] a blob lies two directories deep, readable by the owner only', async () => {
  const { hash } = await store.put(Buffer.from('x'));
  expect(statSync(fileOf(hash)).mode & 0o777).toBe(0o600);
  expect(readdirSync(path.join(root, 'incoming'))).toEqual([]);
});

test('[BL9] bytes that changed on disk are reported as damaged when read whole', async () => {
  const { hash } = await store.put(Buffer.from('content'));
  writeFileSync(fileOf(hash), 'c0ntent');
  await expect(store.read(hash)).rejects.toThrow(BlobDamagedError);
});

test('[BL9] a blob that lost its end is replaced when its content is put again', async () => {
  const { hash } = await store.put(Buffer.from('content'));
  writeFileSync(fileOf(hash), 'cont');
  await store.put(Buffer.from('content'));
  expect((await store.read(hash)).toString()).toBe('content');
});

test('[BL10] a sweep removes old leavings and keeps writes that are under way', async () => {
  const incoming = path.join(root, 'incoming');
  mkdirSync(incoming, { recursive: true });
  for (const name of ['old', 'young']) writeFileSync(path.join(incoming, name), 'half');
  const hourAgoS = Date.now() / 1000 - 3600;
  utimesSync(path.join(incoming, 'old'), hourAgoS, hourAgoS);
  expect(await store.sweep(1_800_000)).toBe(1);
  expect(readdirSync(incoming)).toEqual(['young']);
});

test('[BL10] a sweep of a store that was never written to finds nothing', async () => {
  expect(await new FileBlobStore(path.join(root, 'absent')).sweep(0)).toBe(0);
});
