import fc from 'fast-check';
import { expect, test } from 'vitest';
import { requestedBytes } from './byte-range.ts';

test('[FL8] a range is from-to, from on, or the last so many bytes', () => {
  expect(requestedBytes('bytes=2-4', 10)).toEqual({ kind: 'part', start: 2, end: 4 });
  expect(requestedBytes('bytes=2-', 10)).toEqual({ kind: 'part', start: 2, end: 9 });
  expect(requestedBytes('bytes=-3', 10)).toEqual({ kind: 'part', start: 7, end: 9 });
  expect(requestedBytes('bytes=-30', 10)).toEqual({ kind: 'part', start: 0, end: 9 });
  expect(requestedBytes('bytes=9-99', 10)).toEqual({ kind: 'part', start: 9, end: 9 });
});

test('[FL8] what lies outside is unsatisfiable, what is malformed counts as absent', () => {
  for (const header of ['bytes=10-', 'bytes=10-12', 'bytes=-0']) {
    expect(requestedBytes(header, 10), header).toEqual({ kind: 'unsatisfiable' });
  }
  expect(requestedBytes('bytes=0-', 0)).toEqual({ kind: 'unsatisfiable' });
  for (const header of [undefined, '', 'bytes=-', 'bytes=4-2', 'bytes=0-1,3-4', 'items=0-1', 'bytes=a-b']) {
    expect(requestedBytes(header, 10), header).toEqual({ kind: 'whole' });
  }
});

test('[FL8] a part is never empty and never outside the file', () => {
  fc.assert(
    fc.property(fc.string(), fc.nat(), fc.nat(), fc.nat(1_000), (text, from, to, size) => {
      for (const header of [text, `bytes=${from}-${to}`, `bytes=-${to}`, `bytes=${from}-`]) {
        const bytes = requestedBytes(header, size);
        if (bytes.kind !== 'part') continue;
        expect(bytes.start).toBeGreaterThanOrEqual(0);
        expect(bytes.end).toBeGreaterThanOrEqual(bytes.start);
        expect(bytes.end).toBeLessThan(size);
      }
    }),
  );
});
