import { expect, test } from 'vitest';
import { SmallFiles } from './small-files.ts';

/** A store that counts what it is asked for. */
function storeOf(files: Record<string, Buffer>) {
  const asked = { sizes: 0, reads: 0 };
  const store = {
    sizeOf: async (hash: string) => {
      asked.sizes += 1;
      return files[hash]?.length;
    },
    read: async (hash: string) => {
      asked.reads += 1;
      const content = files[hash];
      if (!content) throw new Error('none');
      return content;
    },
  };
  return { store, asked };
}

test('[FL12] a small file is read once; one that is gone is served for some seconds more', async () => {
  const files: Record<string, Buffer> = { a: Buffer.from('content') };
  const { store, asked } = storeOf(files);
  const looked: boolean[] = [];
  let now = 0;
  const small = new SmallFiles(
    store,
    (found) => looked.push(found),
    () => now,
  );
  for (let times = 0; times < 3; times += 1) {
    expect(await small.find('a')).toEqual({ sizeBytes: 7, content: Buffer.from('content') });
  }
  expect([asked, looked, small.heldBytes]).toEqual([{ sizes: 1, reads: 1 }, [false, true, true], 7]);
  now = 10_000;
  expect(await small.find('a')).toMatchObject({ sizeBytes: 7 });
  expect(asked).toEqual({ sizes: 2, reads: 1 });
  delete files.a;
  now = 19_999;
  expect(await small.find('a')).toBeDefined();
  now = 20_000;
  expect(await small.find('a')).toBeUndefined();
  expect(small.heldBytes).toBe(0);
});

test('[FL12] large files stay in the store, and of small ones those that were asked for last are kept', async () => {
  const files = Object.fromEntries(
    Array.from({ length: 300 }, (_, number) => [`f${number}`, Buffer.alloc(65_536)]),
  );
  const { store, asked } = storeOf({ ...files, large: Buffer.alloc(65_537) });
  const small = new SmallFiles(store);
  expect(await small.find('large')).toEqual({ sizeBytes: 65_537, content: null });
  for (const name of Object.keys(files)) {
    await small.find(name);
    await small.find('f0');
    expect(small.heldBytes).toBeLessThanOrEqual(16_777_216);
  }
  expect(asked.reads).toBe(300);
  await small.find('f1');
  expect(asked.reads).toBe(301);
});
