import { expect, test } from 'vitest';
import type { ConversionJob } from '../../jobs/job.ts';
import { isOfLargeSource } from './large-source.ts';

const sizes: Readonly<Record<string, number>> = { small: 1_000, large: 20_000_000 };
const sources = {
  blobs: { sizeOf: async (hash: string) => sizes[hash] },
  conversions: { find: async (id: string) => (sizes[id] ? { sourceHash: id } : null) as never },
};
const isLarge = (name: string, data: object) =>
  isOfLargeSource({ name, data } as unknown as ConversionJob, sources);

test('[JP21] a job is of a large source by the size of the file that was fetched', async () => {
  for (const source of ['small', 'large', 'gone']) {
    const expected = source === 'large';
    expect([source, await isLarge('open', { sourceHash: source })]).toEqual([source, expected]);
    expect([source, await isLarge('convert', { id: source })]).toEqual([source, expected]);
  }
  expect(await isLarge('export', { key: 'large' })).toBe(false);
});
