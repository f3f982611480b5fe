import { crc32, createInflateRaw } from 'node:zlib';
import { ZipArchive, type ZipEntry } from '../engines/ooxml/package/zip-archive.ts';
import { corrupted, overLimit } from '../errors.ts';
import { ContentCount } from './content-count.ts';
import { checkPicture } from './picture-size.ts';
import { maxNesting, type SourceLimits, zipLimits } from './source-limits.ts';
import { isWebPage, isXml, XmlGuard } from './xml-guard.ts';

/** So much of an XML file is looked at in one go, bytes. */
const stepBytes = 1_048_576;

/**
 * Looks at a file before any engine does, and refuses files that are made to exhaust or mislead the programs that read
 * them: files that unpack to too much, names that lead out of a package, entities that multiply or name other files,
 * elements that are nested too deeply or too many, pictures, tables and sheets of absurd sizes. Nothing is unpacked in
 * memory but packages in packages. Content of binary formats and pictures written as text are not checked: the limits on
 * processes hold for those. Returns what was counted.
 * @throws ConversionError limits, corrupted, or unknownFormat (packages that our zip reader cannot read)
 */
export async function checkSource(bytes: Uint8Array, limits: SourceLimits): Promise<ContentCount> {
  if (isZip(bytes)) return checkZip(bytes, limits);
  if (isXml(bytes) && !isWebPage(bytes)) return checkXml(bytes, limits);
  checkPicture(bytes, limits);
  return new ContentCount(limits);
}

async function checkXml(bytes: Uint8Array, limits: SourceLimits): Promise<ContentCount> {
  if (bytes.length > limits.unpackedBytes) throw overLimit('the file is too large');
  const count = new ContentCount(limits);
  const guard = new XmlGuard(bytes, count);
  for (let at = 0; at < bytes.length; at += stepBytes) {
    guard.read(bytes.subarray(at, at + stepBytes));
    await new Promise(setImmediate);
  }
  return count;
}

/** How much of a part is kept to find out what it is and how large its picture is, bytes. */
const startBytes = 131_072;
const DEFLATED = 8;
const pieceBytes = 65_536;
const smallBytes = 262_144;

/** High half of the external attributes of an entry: the type of a file of Unix. */
const TYPE_MASK = 0o170000;
const LINK = 0o120000;

const isZip = (bytes: Uint8Array): boolean =>
  bytes[0] === 0x50 && bytes[1] === 0x4b && (bytes[2] === 3 || bytes[2] === 5);

/** What has been unpacked of a source so far, packages in it too. */
interface Unpacked {
  sizeBytes: number;
  nesting: number;
  count: ContentCount;
}

/** @throws ConversionError */
async function checkZip(
  bytes: Uint8Array,
  limits: SourceLimits,
  unpacked: Unpacked = { sizeBytes: 0, nesting: 1, count: new ContentCount(limits) },
): Promise<ContentCount> {
  if (unpacked.nesting > maxNesting) throw overLimit('packages lie too deeply in each other');
  const archive = new ZipArchive(bytes, zipLimits(limits));
  for (const entry of archive.entries) {
    checkName(entry);
    await checkEntry(archive, entry, limits, unpacked);
  }
  return unpacked.count;
}

/** A package has no use for names that lead out of it, and programs that unpack it may follow them. */
function checkName({ name, record }: ZipEntry): void {
  const isLink = (Buffer.from(record).readUInt16LE(40) & TYPE_MASK) === LINK && record[5] === 3;
  const segments = name.split(/[\\/]/);
  if (isLink || name.includes('\0') || segments.includes('..') || /^[A-Za-z]:/.test(name)) {
    throw corrupted('the name of a part leads out of the package');
  }
}

async function checkEntry(
  archive: ZipArchive,
  entry: ZipEntry,
  limits: SourceLimits,
  unpacked: Unpacked,
): Promise<void> {
  const pieces: Uint8Array[] = [];
  let keptBytes = 0;
  let readBytes = 0;
  let sum = 0;
  let guard: XmlGuard | null | undefined;
  for await (const piece of piecesOf(archive, entry)) {
    readBytes += piece.length;
    unpacked.sizeBytes += piece.length;
    if (readBytes > entry.sizeBytes) throw overLimit('a part of the package is larger than it says');
    if (unpacked.sizeBytes > limits.unpackedBytes) throw overLimit('the package is too large when unpacked');
    sum = crc32(piece, sum);
    guard ??= guardOf(entry, piece, unpacked.count);
    guard?.read(piece);
    if (keptBytes < startBytes) {
      pieces.push(piece);
      keptBytes += piece.length;
    }
  }
  if (readBytes !== entry.sizeBytes || sum !== entry.crc) throw corrupted('a part of the package is damaged');
  const start = Buffer.concat(pieces);
  if (isZip(start)) {
    const inner = { sizeBytes: unpacked.sizeBytes, nesting: unpacked.nesting + 1, count: unpacked.count };
    await checkZip(archive.read(entry), limits, inner);
    unpacked.sizeBytes = inner.sizeBytes;
  } else checkPicture(start, limits);
}

const htmlName = /\.(?:x?html?|mht)$/i;

function guardOf({ name }: ZipEntry, start: Uint8Array, count: ContentCount): XmlGuard | null {
  return isXml(start) && !htmlName.test(name) ? new XmlGuard(start, count) : null;
}

/** The content of a part: a small one at once, others piece by piece. @throws ConversionError */
async function* piecesOf(archive: ZipArchive, entry: ZipEntry): AsyncIterable<Uint8Array> {
  if (entry.method !== DEFLATED || entry.sizeBytes <= smallBytes) {
    yield archive.read(entry);
    return;
  }
  const data = archive.bytes.subarray(entry.dataStart, entry.dataStart + entry.compressedBytes);
  const inflating = createInflateRaw({ chunkSize: pieceBytes });
  inflating.end(data);
  try {
    for await (const piece of inflating) yield piece as Uint8Array;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code?.startsWith('Z_')) {
      throw corrupted('a part of the package is damaged', error);
    }
    throw error;
  } finally {
    inflating.destroy();
  }
}
