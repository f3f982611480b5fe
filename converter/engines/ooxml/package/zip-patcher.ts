import { crc32 } from 'node:zlib';
import { deflateSync } from 'fflate';
import type { ZipArchive, ZipEntry } from './zip-archive.ts';

const DEFLATE = 8;
const DESCRIPTOR_FLAG = 8;
const UTF8_FLAG = 0x800;
/** 1 January 1980, the first day of MS-DOS time: new parts carry no clock, so the same input gives the same bytes. */
const EPOCH = 0x0021_0000;

/**
 * The archive with some parts replaced, added, or left out (null). Every other entry is copied as the bytes it lies in, in
 * the same order; replaced parts keep their place and time; new parts follow. Without changes the bytes are the very same.
 */
export function patchZip(archive: ZipArchive, changes: ReadonlyMap<string, Uint8Array | null>): Uint8Array {
  if (changes.size === 0) return archive.bytes;
  const replaced = new Map<ZipEntry, Uint8Array | null>();
  const added: [string, Uint8Array][] = [];
  for (const [name, content] of changes) {
    const entry = archive.find(name);
    if (entry) replaced.set(entry, content);
    else if (content) added.push([name, content]);
  }
  const writer = new ZipWriter();
  const physical = archive.physicalOrder();
  for (const [index, entry] of physical.entries()) {
    const content = replaced.get(entry);
    if (content) writer.replace(entry, content);
    else if (content === undefined)
      writer.copy(
        entry,
        archive.bytes.subarray(entry.offset, physical[index + 1]?.offset ?? archive.directoryStart),
      );
  }
  for (const [name, content] of added) writer.add(name, content);
  return writer.finish(archive.entries, archive.endRecord);
}

class ZipWriter {
  readonly #chunks: Uint8Array[] = [];
  readonly #records = new Map<ZipEntry, Buffer>();
  readonly #added: Buffer[] = [];
  #size = 0;

  copy(entry: ZipEntry, bytes: Uint8Array): void {
    const record = Buffer.from(entry.record);
    record.writeUInt32LE(this.#size, 42);
    this.#records.set(entry, record);
    this.#put(bytes);
  }

  replace(entry: ZipEntry, content: Uint8Array): void {
    const record = Buffer.from(entry.record);
    record.writeUInt16LE(entry.flags & ~DESCRIPTOR_FLAG, 8);
    const nameEnd = 46 + record.readUInt16LE(28);
    this.#records.set(entry, this.#write(record, record.subarray(46, nameEnd), content));
  }

  add(name: string, content: Uint8Array): void {
    const nameBytes = Buffer.from(name, 'utf8');
    const record = Buffer.alloc(46 + nameBytes.length);
    record.writeUInt32LE(0x02014b50, 0);
    record.writeUInt16LE(20, 4);
    record.writeUInt16LE(20, 6);
    record.writeUInt16LE(UTF8_FLAG, 8);
    record.writeUInt32LE(EPOCH, 12);
    record.writeUInt16LE(nameBytes.length, 28);
    nameBytes.copy(record, 46);
    this.#added.push(this.#write(record, nameBytes, content));
  }

  /** Directory order is the original's, then the added parts; the end record keeps its comment. */
  finish(entries: readonly ZipEntry[], endRecord: Uint8Array): Uint8Array {
    const directoryStart = this.#size;
    const kept = entries.flatMap((entry) => this.#records.get(entry) ?? []);
    const records = [...kept, ...this.#added];
    for (const record of records) this.#put(record);
    const end = Buffer.from(endRecord);
    end.writeUInt16LE(records.length, 8);
    end.writeUInt16LE(records.length, 10);
    end.writeUInt32LE(this.#size - directoryStart, 12);
    end.writeUInt32LE(directoryStart, 16);
    this.#put(end);
    return Buffer.concat(this.#chunks);
  }

  #write(record: Buffer, name: Uint8Array, content: Uint8Array): Buffer {
    // Not zlib: what that makes of the same content differs between processors.
    // Level 5 takes two thirds of the time of 6, the default, for 1.5 % more bytes (a sheet of 6 MB).
    const data = deflateSync(content, { level: 5 });
    record.writeUInt16LE(DEFLATE, 10);
    record.writeUInt32LE(crc32(content), 16);
    record.writeUInt32LE(data.length, 20);
    record.writeUInt32LE(content.length, 24);
    record.writeUInt32LE(this.#size, 42);
    const header = Buffer.alloc(30);
    header.writeUInt32LE(0x04034b50, 0);
    record.copy(header, 4, 6, 28);
    header.writeUInt16LE(name.length, 26);
    this.#put(header);
    this.#put(name);
    this.#put(data);
    return record;
  }

  #put(bytes: Uint8Array): void {
    this.#chunks.push(bytes);
    this.#size += bytes.length;
  }
}
