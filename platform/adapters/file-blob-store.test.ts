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

test('[OP12] an empty directory goes, and what is stored in it at that moment is there, by whichever process', async () => {
  const dayAgoS = Date.now() / 1000 - 86_400;
  const others = [new FileBlobStore(root), new FileBlobStore(root)];
  const contents = Array.from({ length: 8 }, (_, number) => Buffer.from(`content ${number}`));
  for (let round = 0; round < 25; round += 1) {
    const stored = await Promise.all(contents.map((content) => store.put(content)));
    for (const { hash } of stored) utimesSync(fileOf(hash), dayAgoS, dayAgoS);
    const again = contents.map(async (content, at) => {
      for (let turn = 0; turn < (at * round) % 17; turn += 1) await new Promise(setImmediate);
      return others[at % 2]!.put(content);
    });
    await Promise.all([...again, store.prune(3_600_000, async (hashes) => hashes)]);
    for (const { hash } of stored) expect(await store.sizeOf(hash)).toBeGreaterThan(0);
  }
  expect(await store.prune(-60_000, async (hashes) => hashes)).toBe(contents.length);
  expect(readdirSync(root)).toEqual(['incoming']);
  const { hash } = await others[0]!.put(contents[0]!);
  expect(statSync(fileOf(hash)).size).toBe(contents[0]!.byteLength);
});
