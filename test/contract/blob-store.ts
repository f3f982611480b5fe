import { createHash, randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { BlobMissingError, type BlobStore, isBlobHash } from '../../platform/ports/blob-store.ts';

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** What every blob store does. `create` makes an empty one that may keep files in `directory`. */
export function describeBlobStore(name: string, create: (directory: string) => BlobStore): void {
  describe(`blob store: ${name}`, () => {
    let directory: string;
    let store: BlobStore;
    beforeEach(() => {
      directory = mkdtempSync(path.join(tmpdir(), 'quire-blobs-'));
      store = create(path.join(directory, 'store'));
    });
    afterEach(() => rmSync(directory, { recursive: true }));

    test('[BL1] what was put is read back under the hash of its content', async () => {
      await fc.assert(
        fc.asyncProperty(fc.uint8Array({ maxLength: 5_000 }), async (bytes) => {
          const blob = await store.put(bytes);
          expect(blob).toEqual({ hash: sha256(bytes), sizeBytes: bytes.byteLength });
          expect(await store.read(blob.hash)).toEqual(Buffer.from(bytes));
          expect(await store.sizeOf(blob.hash)).toBe(bytes.byteLength);
        }),
        { numRuns: 30 },
      );
    });

    test('[BL1] a stream of many chunks and an iterable are stored like bytes', async () => {
      const chunks = Array.from({ length: 40 }, () => randomBytes(30_000));
      const expected = { hash: sha256(Buffer.concat(chunks)), sizeBytes: 1_200_000 };
      expect(await store.put(Readable.from(chunks))).toEqual(expected);
      const iterable = {
        async *[Symbol.asyncIterator]() {
          yield* chunks;
        },
      };
      expect(await store.put(iterable)).toEqual(expected);
      expect((await store.read(expected.hash)).equals(Buffer.concat(chunks))).toBe(true);
    });

    test('[BL2] the same content may be put many times at once', async () => {
      const bytes = randomBytes(100_000);
      const blobs = await Promise.all(Array.from({ length: 12 }, () => store.put(bytes)));
      expect(new Set(blobs.map((blob) => blob.hash))).toEqual(new Set([sha256(bytes)]));
      expect((await store.read(sha256(bytes))).equals(bytes)).toBe(true);
      expect(await store.sweep(-60_000)).toBe(0);
    });

    test('[BL3] a stream that fails stores nothing and leaves nothing behind', async () => {
      const failing = Readable.from(
        (async function* () {
          yield Buffer.from('half');
          throw new Error('source broke');
        })(),
      );
      await expect(store.put(failing)).rejects.toThrow('source broke');
      expect(await store.sizeOf(sha256(Buffer.from('half')))).toBeUndefined();
      expect(await store.sweep(-60_000)).toBe(0);
      expect(failing.destroyed).toBe(true);
    });

    test('[BL4] a file is taken over: it is gone from where it was', async () => {
      const file = path.join(directory, 'made');
      for (const known of [undefined, { hash: sha256(Buffer.from('content')), sizeBytes: 7 }]) {
        writeFileSync(file, 'content');
        const blob = await store.putFile(file, known);
        expect(blob).toEqual({ hash: sha256(Buffer.from('content')), sizeBytes: 7 });
        await expect(stat(file)).rejects.toThrow('ENOENT');
        expect((await store.read(blob.hash)).toString()).toBe('content');
      }
      await expect(store.putFile(path.join(directory, 'none'))).rejects.toThrow('ENOENT');
    });

    test('[BL5] a range has both its ends', async () => {
      const { hash } = await store.put(Buffer.from('0123456789'));
      expect((await buffer((await store.open(hash))!)).toString()).toBe('0123456789');
      expect((await buffer((await store.open(hash, { start: 0, end: 0 }))!)).toString()).toBe('0');
      expect((await buffer((await store.open(hash, { start: 3, end: 9 }))!)).toString()).toBe('3456789');
    });

    test('[BL6] what is not there is missing, and deleting it succeeds', async () => {
      const hash = sha256(Buffer.from('never stored'));
      expect(await store.sizeOf(hash)).toBeUndefined();
      expect(await store.open(hash)).toBeUndefined();
      await expect(store.read(hash)).rejects.toThrow(BlobMissingError);
      await store.delete(hash);
      const stored = await store.put(Buffer.from('x'));
      await store.delete(stored.hash);
      expect(await store.sizeOf(stored.hash)).toBeUndefined();
      expect((await store.put(Buffer.from('x'))).hash).toBe(stored.hash);
      expect((await store.read(stored.hash)).toString()).toBe('x');
    });

    test('[BL7] a name that is no hash reaches no file', async () => {
      const { hash } = await store.put(Buffer.from('x'));
      for (const name of [
        '',
        '..',
        '../../etc/passwd',
        `${hash}/`,
        hash.toUpperCase(),
        hash.slice(1),
        `${hash}\0`,
      ]) {
        expect(isBlobHash(name)).toBe(false);
        expect(await store.sizeOf(name)).toBeUndefined();
        expect(await store.open(name)).toBeUndefined();
        await expect(store.read(name)).rejects.toThrow(BlobMissingError);
        await store.delete(name);
      }
      expect(await store.sizeOf(hash)).toBe(1);
    });
  });
}
