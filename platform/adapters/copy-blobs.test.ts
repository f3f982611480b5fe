import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { OwnedBlobStore, StoredBlob } from '../ports/blob-store.ts';
import { copyBlobs } from './copy-blobs.ts';
import { FileBlobStore } from './file-blob-store.ts';

const plain = { verify: false, concurrency: 3 };
let directory: string;
let from: FileBlobStore;
let to: FileBlobStore;
let blobs: StoredBlob[];
beforeEach(async () => {
  directory = mkdtempSync(path.join(tmpdir(), 'quire-copy-'));
  from = new FileBlobStore(path.join(directory, 'from'));
  to = new FileBlobStore(path.join(directory, 'to'));
  blobs = await Promise.all(Array.from({ length: 12 }, (_one, at) => from.put(Buffer.from(`content ${at}`))));
});
afterEach(() => rmSync(directory, { recursive: true }));

const fileOf = (store: string, hash: string) =>
  path.join(directory, store, hash.slice(0, 2), hash.slice(2, 4), hash);
const listOf = async (store: OwnedBlobStore) => {
  const listed: StoredBlob[] = [];
  for await (const blob of store.all()) listed.push(blob);
  return listed;
};

test('[BL11] every blob of a store is listed once, in the order of hashes', async () => {
  const sorted = [...blobs].sort((one, other) => (one.hash < other.hash ? -1 : 1));
  expect(await listOf(from)).toEqual(sorted);
});

test('[OS6] everything is copied, and what is there already is passed over', async () => {
  await to.put(Buffer.from('content 3'));
  expect(await copyBlobs(from, to, plain)).toMatchObject({ copied: 11, present: 1, damaged: [] });
  expect(await listOf(to)).toEqual(await listOf(from));
  expect(await copyBlobs(from, to, plain)).toMatchObject({ copied: 0, present: 12 });
});

test('[OS6] a copying that a store interrupts goes on where it was', async () => {
  let puts = 0;
  const failing: FileBlobStore = Object.create(to, {
    put: {
      value: (content: Parameters<typeof to.put>[0]) => {
        puts += 1;
        if (puts > 5) throw new Error('the store is gone');
        return to.put(content);
      },
    },
    sizeOf: { value: (hash: string) => to.sizeOf(hash) },
  });
  await expect(copyBlobs(from, failing, plain)).rejects.toThrow('the store is gone');
  const { copied, present } = await copyBlobs(from, to, plain);
  expect(present).toBeGreaterThan(0);
  expect(copied + present).toBe(12);
});

test('[OS7] a damaged blob is reported and does not arrive; the others do', async () => {
  const { hash } = blobs[4]!;
  writeFileSync(fileOf('from', hash), 'c0ntent 4');
  expect(await copyBlobs(from, to, plain)).toMatchObject({ copied: 11, damaged: [hash] });
  expect((await listOf(to)).map((blob) => blob.hash)).not.toContain(hash);
  expect(readdirSync(path.join(directory, 'to', 'incoming'))).toEqual([]);
});

test('[OS7] verifying finds what is damaged in the target and copies it anew', async () => {
  await copyBlobs(from, to, plain);
  writeFileSync(fileOf('to', blobs[7]!.hash), 'c0ntent 7');
  expect(await copyBlobs(from, to, plain)).toMatchObject({ copied: 0 });
  expect(await copyBlobs(from, to, { ...plain, verify: true })).toMatchObject({ copied: 1, present: 11 });
  expect((await to.read(blobs[7]!.hash)).toString()).toBe('content 7');
});
