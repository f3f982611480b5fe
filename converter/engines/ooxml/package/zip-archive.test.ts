import { strToU8, zipSync } from 'fflate';
import { describe, expect, test } from 'vitest';
import { CONVERSION_ERROR, ConversionError } from '../../../errors.ts';
import { LIMITS } from './limits.ts';
import { ZipArchive } from './zip-archive.ts';

const { corrupted, limits, unknownFormat } = CONVERSION_ERROR;

function zip(files: Record<string, string>): Buffer {
  const entries = Object.entries(files).map(([name, text]) => [name, strToU8(text)] as const);
  return Buffer.from(zipSync(Object.fromEntries(entries), { mtime: new Date(2024, 0, 1) }));
}

/** Offset of the directory record of the entry with this index. */
function recordAt(bytes: Buffer, index: number): number {
  let at = bytes.readUInt32LE(bytes.length - 6);
  for (let skipped = 0; skipped < index; skipped++) at += 46 + bytes.readUInt16LE(at + 28);
  return at;
}

function codeOf(run: () => unknown): number | undefined {
  try {
    run();
  } catch (error) {
    if (error instanceof ConversionError) return error.serviceError;
    throw error;
  }
  return undefined;
}

function readAll(bytes: Uint8Array): Uint8Array[] {
  const archive = new ZipArchive(bytes);
  return archive.entries.map((entry) => archive.read(entry));
}

describe('zip archives', () => {
  test('[W9] parts are read by name without regard to case', () => {
    const archive = new ZipArchive(zip({ 'word/A.xml': 'one', b: 'two' }));
    expect(archive.entries.map(({ name }) => name)).toEqual(['word/A.xml', 'b']);
    expect(Buffer.from(archive.read(archive.find('/WORD/a.XML')!)).toString()).toBe('one');
  });

  test('[W9] a part that says it is larger than the limit is refused before anything is unpacked', () => {
    const bytes = zip({ a: 'x' });
    bytes.writeUInt32LE(LIMITS.partBytes + 1, recordAt(bytes, 0) + 24);
    expect(codeOf(() => new ZipArchive(bytes))).toBe(limits);
  });

  test('[W9] a part that is larger than it says is not unpacked beyond that', () => {
    const bytes = zip({ a: 'x'.repeat(100_000) });
    bytes.writeUInt32LE(10, recordAt(bytes, 0) + 24);
    expect(codeOf(() => readAll(bytes))).toBe(limits);
  });

  test('[W9] a part compressed beyond belief is refused', () => {
    const bytes = zip({ a: 'x'.repeat(1000) });
    bytes.writeUInt32LE(LIMITS.ratioFromBytes + 1, recordAt(bytes, 0) + 24);
    expect(codeOf(() => new ZipArchive(bytes))).toBe(limits);
  });

  test('[W9] a real bomb of zeros is refused', () => {
    const bytes = Buffer.from(zipSync({ a: new Uint8Array(LIMITS.ratioFromBytes * 2) }));
    expect(codeOf(() => new ZipArchive(bytes))).toBe(limits);
  });

  test('[XE62] a part of no bytes is empty, also where it is said to be compressed', () => {
    const bytes = Buffer.from(zipSync({ a: new Uint8Array(), b: strToU8('b') }, { level: 0 }));
    bytes.writeUInt16LE(8, recordAt(bytes, 0) + 10);
    expect(readAll(bytes).map((content) => content.length)).toEqual([0, 1]);
  });

  test('[W9] entries that share bytes are refused', () => {
    const overlapping = zip({ aa: 'same content', ab: 'same content' });
    overlapping.writeUInt32LE(500, recordAt(overlapping, 0) + 20);
    expect(codeOf(() => new ZipArchive(overlapping))).toBe(corrupted);
  });

  test('[W9] two parts of one name are refused, also when only case differs', () => {
    expect(codeOf(() => new ZipArchive(zip({ 'word/a.xml': '1', 'WORD/A.xml': '2' })))).toBe(corrupted);
  });

  test('[W9] a part with another name in its own header is refused', () => {
    const bytes = zip({ abc: '1' });
    bytes.write('abd', 30);
    expect(codeOf(() => new ZipArchive(bytes))).toBe(corrupted);
  });

  test('[W9] too many parts are refused', () => {
    const names = Array.from({ length: LIMITS.entries + 1 }, (_, index) => [`p${index}`, '']);
    expect(codeOf(() => new ZipArchive(zip(Object.fromEntries(names))))).toBe(limits);
  });

  test('[W9] a part whose content does not match its checksum is refused', () => {
    const bytes = zip({ a: 'content' });
    bytes[recordAt(bytes, 0) + 16]! ^= 1;
    expect(codeOf(() => readAll(bytes))).toBe(corrupted);
  });

  test('[W9] ZIP64 and encrypted archives are of an unknown format', () => {
    const zip64 = zip({ a: '1' });
    zip64.writeUInt32LE(0xffffffff, zip64.length - 6);
    expect(codeOf(() => new ZipArchive(zip64))).toBe(unknownFormat);
    const encrypted = zip({ a: '1' });
    encrypted.writeUInt16LE(1, recordAt(encrypted, 0) + 8);
    expect(codeOf(() => new ZipArchive(encrypted))).toBe(unknownFormat);
  });

  test('[W9] damage at any byte never ends in anything but an answer', () => {
    const intact = zip({ 'a.xml': '<a>text</a>', 'b.xml': 'more text, more text, more text' });
    for (let at = 0; at < intact.length; at++) {
      const damaged = Buffer.from(intact);
      damaged[at] = damaged[at]! ^ 0xff;
      expect(() => codeOf(() => readAll(damaged)), `byte ${at}`).not.toThrow();
    }
  });
});
