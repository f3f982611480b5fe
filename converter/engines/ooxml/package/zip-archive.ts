import { crc32, inflateRawSync } from 'node:zlib';
import { ConversionError, corrupted, overLimit } from '../../../errors.ts';
import { LIMITS } from './limits.ts';
import { comparedName, plainName } from './part-names.ts';

const END_OF_DIRECTORY = 0x06054b50;
const DIRECTORY_ENTRY = 0x02014b50;
const LOCAL_HEADER = 0x04034b50;
const END_SIZE = 22;
const ENCRYPTED_FLAG = 1;

export interface ZipEntry {
  readonly name: string;
  readonly method: number;
  readonly flags: number;
  readonly crc: number;
  readonly compressedBytes: number;
  readonly sizeBytes: number;
  /** Offset of the local header. */
  readonly offset: number;
  /** Offset of the compressed data. */
  readonly dataStart: number;
  /** Its record in the central directory. */
  readonly record: Uint8Array;
}

/** What a zip file may hold. */
type ZipLimits = Readonly<
  Record<
    'packageBytes' | 'entries' | 'partBytes' | 'totalBytes' | 'compressionRatio' | 'ratioFromBytes',
    number
  >
>;

/**
 * A zip file read by its central directory (PKWARE APPNOTE 6.3). Everything declared is checked on opening:
 * counts, sizes, ratio, names that occur twice, entries that overlap or whose local header tells another story.
 * Parts are inflated on demand, and never beyond the size they declare.
 */
export class ZipArchive {
  readonly bytes: Buffer;
  /** In the order of the central directory. */
  readonly entries: readonly ZipEntry[];
  readonly directoryStart: number;
  /** The end record with its comment. */
  readonly endRecord: Uint8Array;
  readonly #byName = new Map<string, ZipEntry>();
  /** The first of each name, where names that differ are one when they are compared. */
  readonly #byCompared = new Map<string, ZipEntry>();

  /** @throws ConversionError corrupted, limits, or unknownFormat (ZIP64, encrypted entries, several disks) */
  constructor(bytes: Uint8Array, limits: ZipLimits = LIMITS) {
    if (bytes.length > limits.packageBytes) throw overLimit('the file is too large');
    this.bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const end = findEnd(this.bytes);
    const count = this.bytes.readUInt16LE(end + 10);
    const directoryBytes = this.bytes.readUInt32LE(end + 12);
    this.directoryStart = this.bytes.readUInt32LE(end + 16);
    if (count === 0xffff || directoryBytes === 0xffffffff || this.directoryStart === 0xffffffff) {
      throw new ConversionError('unknownFormat', 'ZIP64 packages are not supported');
    }
    if (this.bytes.readUInt32LE(end + 4) !== 0 || this.bytes.readUInt16LE(end + 8) !== count) {
      throw new ConversionError('unknownFormat', 'packages on several disks are not supported');
    }
    if (count > limits.entries) throw overLimit('the package has too many parts');
    if (this.directoryStart + directoryBytes > end) throw corrupted('the package directory is damaged');
    const commentBytes = this.bytes.readUInt16LE(end + 20);
    this.endRecord = this.bytes.subarray(end, end + END_SIZE + commentBytes);
    this.entries = readDirectory(this.bytes, this.directoryStart, end, count);
    for (const entry of this.entries) checkSize(entry, limits);
    this.#index(limits);
    this.#checkOverlaps();
  }

  /** The entry of a part, by its very name or by one that means the same. */
  find(name: string): ZipEntry | undefined {
    return this.#byName.get(plainName(name).toLowerCase()) ?? this.#byCompared.get(comparedName(name));
  }

  /** Entries in the order in which they lie in the file. */
  physicalOrder(): ZipEntry[] {
    return this.entries.toSorted((a, b) => a.offset - b.offset);
  }

  /** @throws ConversionError corrupted when the part is damaged, limits when it is larger than it says */
  read(entry: ZipEntry): Uint8Array {
    const data = this.bytes.subarray(entry.dataStart, entry.dataStart + entry.compressedBytes);
    const content = entry.method === 0 ? data : inflate(data, entry);
    if (content.length !== entry.sizeBytes || crc32(content) !== entry.crc) {
      throw corrupted('a part of the package is damaged');
    }
    return content;
  }

  #index(limits: ZipLimits): void {
    let total = 0;
    for (const entry of this.entries) {
      const key = plainName(entry.name).toLowerCase();
      if (this.#byName.has(key)) throw corrupted('the package has two parts of the same name');
      this.#byName.set(key, entry);
      const compared = comparedName(entry.name);
      if (!this.#byCompared.has(compared)) this.#byCompared.set(compared, entry);
      total += entry.sizeBytes;
    }
    if (total > limits.totalBytes) throw overLimit('the package is too large when unpacked');
  }

  #checkOverlaps(): void {
    let free = 0;
    for (const entry of this.physicalOrder()) {
      if (entry.offset < free) throw corrupted('parts of the package overlap');
      free = entry.dataStart + entry.compressedBytes;
    }
    if (free > this.directoryStart) throw corrupted('parts of the package overlap its directory');
  }
}

function findEnd(bytes: Buffer): number {
  const lowest = Math.max(0, bytes.length - END_SIZE - 0xffff);
  for (let at = bytes.length - END_SIZE; at >= lowest; at--) {
    if (bytes.readUInt32LE(at) !== END_OF_DIRECTORY) continue;
    if (at + END_SIZE + bytes.readUInt16LE(at + 20) <= bytes.length) return at;
  }
  throw corrupted('the package has no directory: it is truncated or not a package');
}

function readDirectory(bytes: Buffer, start: number, end: number, count: number): ZipEntry[] {
  const entries: ZipEntry[] = [];
  let at = start;
  for (let index = 0; index < count; index++) {
    if (at + 46 > end || bytes.readUInt32LE(at) !== DIRECTORY_ENTRY)
      throw corrupted('the package directory is damaged');
    const nameBytes = bytes.readUInt16LE(at + 28);
    const recordEnd = at + 46 + nameBytes + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
    if (recordEnd > end) throw corrupted('the package directory is damaged');
    entries.push(readEntry(bytes, bytes.subarray(at, recordEnd), nameBytes));
    at = recordEnd;
  }
  return entries;
}

function readEntry(bytes: Buffer, record: Buffer, nameBytes: number): ZipEntry {
  const flags = record.readUInt16LE(8);
  const compressedBytes = record.readUInt32LE(20);
  const sizeBytes = record.readUInt32LE(24);
  const offset = record.readUInt32LE(42);
  if (compressedBytes === 0xffffffff || sizeBytes === 0xffffffff || offset === 0xffffffff) {
    throw new ConversionError('unknownFormat', 'ZIP64 packages are not supported');
  }
  if (flags & ENCRYPTED_FLAG)
    throw new ConversionError('unknownFormat', 'encrypted zip files are not supported');
  if (offset + 30 > bytes.length || bytes.readUInt32LE(offset) !== LOCAL_HEADER) {
    throw corrupted('a part of the package is missing');
  }
  const name = record.subarray(46, 46 + nameBytes);
  const localNameBytes = bytes.readUInt16LE(offset + 26);
  if (!bytes.subarray(offset + 30, offset + 30 + localNameBytes).equals(name)) {
    throw corrupted('a part of the package has two names');
  }
  const dataStart = offset + 30 + localNameBytes + bytes.readUInt16LE(offset + 28);
  return {
    name: name.toString('utf8'),
    method: record.readUInt16LE(10),
    flags,
    crc: record.readUInt32LE(16),
    compressedBytes,
    sizeBytes,
    offset,
    dataStart,
    record,
  };
}

function checkSize({ sizeBytes, compressedBytes }: ZipEntry, limits: ZipLimits): void {
  if (sizeBytes > limits.partBytes) throw overLimit('a part of the package is too large');
  if (sizeBytes > limits.ratioFromBytes && sizeBytes > compressedBytes * limits.compressionRatio) {
    throw overLimit('a part of the package is compressed beyond belief');
  }
}

function inflate(data: Uint8Array, entry: ZipEntry): Uint8Array {
  // Some programs say of an empty part that it is compressed.
  if (data.length === 0 && entry.sizeBytes === 0) return data;
  if (entry.method !== 8)
    throw new ConversionError('unknownFormat', 'a part is compressed in an unknown way');
  try {
    return inflateRawSync(data, { maxOutputLength: Math.max(1, entry.sizeBytes) });
  } catch (error) {
    if (error instanceof RangeError) throw overLimit('a part of the package is larger than it says');
    throw corrupted('a part of the package is damaged', error);
  }
}
