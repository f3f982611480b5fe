import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';

const web = path.join(import.meta.dirname, '../dist/web');

/** Bytes as the server sends them to browsers, in English. Another language comes on top with its texts, at most 20 KB. */
const limits = { word: 250_000, cell: 250_000, viewer: 100_000 };

/** The files without which a page shows nothing: what it names, and what these import at once. */
function firstFiles(page: string): Set<string> {
  const html = path.join(web, page, 'index.html');
  const files = new Set([html]);
  for (const file of files) {
    const source = readFileSync(file, 'utf8');
    const named = file.endsWith('.html')
      ? source.matchAll(/(?:src|href)="(\.\.?\/[^"]+)"/g)
      : file.endsWith('.js')
        ? source.matchAll(/(?:\bfrom|\bimport)\s*"(\.\.?\/[^"]+)"/g)
        : [];
    for (const [, address] of named) files.add(path.join(path.dirname(file), address!));
  }
  return files;
}

function sentBytes(file: string): number {
  const compressed = `${file}.br`;
  return existsSync(compressed)
    ? readFileSync(compressed).length
    : brotliCompressSync(readFileSync(file)).length;
}

describe('[SU56] the first load of a page', () => {
  it.each(Object.entries(limits))('%s', (page, limit) => {
    const sizes = [...firstFiles(page)].map((file) => [path.basename(file), sentBytes(file)] as const);
    const total = sizes.reduce((sum, [, bytes]) => sum + bytes, 0);
    const largest = sizes.toSorted(([, one], [, other]) => other - one).slice(0, 5);
    // It has a script, styles and what these share, so that a change of how pages are built is noticed.
    expect(sizes.length).toBeGreaterThan(4);
    expect(total, `${total} bytes of ${limit}: ${largest.join('; ')}`).toBeLessThanOrEqual(limit);
  });
});

/** The files that a page may ever load, by whatever it imports at once or later. */
function allFiles(page: string): Set<string> {
  const files = firstFiles(page);
  for (const file of files) {
    if (!file.endsWith('.js')) continue;
    const source = readFileSync(file, 'utf8');
    for (const [, address] of source.matchAll(/(?:\bfrom|\bimport)\s*\(?\s*["'](\.\.?\/[^"']+\.js)["']/g))
      files.add(path.join(path.dirname(file), address!));
  }
  return files;
}

it.each(Object.keys(limits))('[SU65] the page %s never runs the code of another page', (page) => {
  const others = Object.keys(limits).filter((other) => other !== page);
  const names = [...allFiles(page)].map((file) => path.basename(file));
  expect(names.length).toBeGreaterThan(10);
  expect(
    names.filter((name) => others.some((other) => new RegExp(`^${other}-[^-]{8}\\.js$`).test(name))),
  ).toEqual([]);
});
