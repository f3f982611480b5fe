import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';
import { describe, expect, test } from 'vitest';
import { ZipArchive } from './zip-archive.ts';
import { patchZip } from './zip-patcher.ts';

const files = { 'a.xml': strToU8('first'), 'b.xml': strToU8('second'), 'c.xml': strToU8('third') };
const bytes = Buffer.from(zipSync(files, { mtime: new Date(2024, 0, 1), comment: 'kept' } as object));

function rawEntry(archive: ZipArchive, name: string): Buffer {
  const { offset, dataStart, compressedBytes } = archive.find(name)!;
  return archive.bytes.subarray(offset, dataStart + compressedBytes);
}

describe('patching a zip archive', () => {
  test('[W1] without changes the bytes are the very same', () => {
    expect(patchZip(new ZipArchive(bytes), new Map())).toEqual(bytes);
  });

  test('[W3] other parts keep their bytes, their order and their place in the directory', () => {
    const archive = new ZipArchive(bytes);
    const patched = new ZipArchive(patchZip(archive, new Map([['b.xml', strToU8('a longer second part')]])));
    expect(patched.entries.map(({ name }) => name)).toEqual(['a.xml', 'b.xml', 'c.xml']);
    for (const name of ['a.xml', 'c.xml']) expect(rawEntry(patched, name)).toEqual(rawEntry(archive, name));
    expect(strFromU8(unzipSync(patched.bytes)['b.xml']!)).toBe('a longer second part');
  });

  test('[XE3] a part that is left out is gone from the directory as well, and the others keep their bytes', () => {
    const archive = new ZipArchive(bytes);
    const patched = new ZipArchive(patchZip(archive, new Map([['b.xml', null]])));
    expect(patched.entries.map(({ name }) => name)).toEqual(['a.xml', 'c.xml']);
    for (const name of ['a.xml', 'c.xml']) expect(rawEntry(patched, name)).toEqual(rawEntry(archive, name));
    expect(Object.keys(unzipSync(patched.bytes))).toEqual(['a.xml', 'c.xml']);
  });

  test('[W5] added parts follow and carry no clock', () => {
    const changes = new Map([['word/media/new.png', strToU8('bytes')]]);
    const patched = patchZip(new ZipArchive(bytes), changes);
    expect(patched).toEqual(patchZip(new ZipArchive(bytes), changes));
    expect(strFromU8(unzipSync(patched)['word/media/new.png']!)).toBe('bytes');
    expect(new ZipArchive(patched).entries.at(-1)?.name).toBe('word/media/new.png');
  });

  test('[W3] a part written with a data descriptor is copied whole, and replaced without one', () => {
    const streamed = withDescriptor('a.xml', 'streamed');
    const archive = new ZipArchive(streamed);
    const added = patchZip(archive, new Map([['b.xml', strToU8('new')]]));
    expect(added.subarray(0, archive.directoryStart)).toEqual(streamed.subarray(0, archive.directoryStart));
    const replaced = patchZip(archive, new Map([['a.xml', strToU8('replaced')]]));
    expect(strFromU8(unzipSync(replaced)['a.xml']!)).toBe('replaced');
    expect(new ZipArchive(replaced).entries[0]!.flags & 8).toBe(0);
  });
});

/** An archive of one part with sizes and checksum after its data, as streaming writers make it. */
function withDescriptor(name: string, text: string): Buffer {
  const plain = Buffer.from(zipSync({ [name]: strToU8(text) }, { mtime: new Date(2024, 0, 1) }));
  const directoryStart = plain.readUInt32LE(plain.length - 6);
  const header = Buffer.from(plain.subarray(0, directoryStart));
  const descriptor = Buffer.alloc(16);
  descriptor.writeUInt32LE(0x08074b50, 0);
  header.copy(descriptor, 4, 14, 26);
  header.writeUInt16LE(header.readUInt16LE(6) | 8, 6);
  header.fill(0, 14, 26);
  const directory = Buffer.from(plain.subarray(directoryStart));
  directory.writeUInt16LE(directory.readUInt16LE(8) | 8, 8);
  directory.writeUInt32LE(directoryStart + descriptor.length, directory.length - 6);
  return Buffer.concat([header, descriptor, directory]);
}
