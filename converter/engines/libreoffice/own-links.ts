import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { ConversionError } from '../../errors.ts';
import { ZipArchive } from '../ooxml/package/zip-archive.ts';
import { patchZip } from '../ooxml/package/zip-patcher.ts';

const WITH_ADDRESSES = /\.(?:rels|xml)$/;
const ZIP = Buffer.from('PK\u0003\u0004', 'latin1');
const COMPOUND = Buffer.from('d0cf11e0a1b11ae1', 'hex');

/** Bytes that are looked for, and what stands in their place. */
interface Replacement {
  readonly from: Buffer;
  readonly to: Buffer;
}

/**
 * A written file in which links to files beside its source are relative again, as they were there: LibreOffice writes many of them with
 * the directory of the job, which is gone by then and concerns nobody. What is encrypted stays as it is.
 */
export function withOwnLinks(bytes: Uint8Array, directory: string): Uint8Array {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (buffer.subarray(0, ZIP.length).equals(ZIP)) return withOwnLinksInParts(bytes, addresses(directory));
  const isBinary = buffer.subarray(0, COMPOUND.length).equals(COMPOUND);
  return replaced(buffer, isBinary ? addressesOfSameLength(directory) : addresses(directory)) ?? bytes;
}

function withOwnLinksInParts(bytes: Uint8Array, replacements: readonly Replacement[]): Uint8Array {
  const archive = opened(bytes);
  if (!archive) return bytes;
  const changes = new Map<string, Uint8Array>();
  for (const entry of archive.entries) {
    if (!WITH_ADDRESSES.test(entry.name)) continue;
    const { buffer, byteOffset, byteLength } = archive.read(entry);
    const changed = replaced(Buffer.from(buffer, byteOffset, byteLength), replacements);
    if (changed) changes.set(entry.name, changed);
  }
  return changes.size === 0 ? bytes : patchZip(archive, changes);
}

/** Null where the package is larger than those that are taken apart here: then it stays as it is. */
function opened(bytes: Uint8Array): ZipArchive | null {
  try {
    return new ZipArchive(bytes);
  } catch (error) {
    if (error instanceof ConversionError) return null;
    throw error;
  }
}

/** The directory of a job and the two above it, which are the converter's own, and the way to each from a file in the first. */
const levels = (directory: string): readonly (readonly [of: string, way: readonly string[]])[] => [
  [directory, []],
  [path.dirname(directory), ['..']],
  [path.dirname(path.dirname(directory)), ['..', '..']],
];

const urlOf = (directory: string): string => `${pathToFileURL(directory).href}/`;

/** What is in quotation marks is the name of a workbook in OpenDocument, which LibreOffice knows only by a whole address. */
const addresses = (directory: string): Replacement[] =>
  levels(directory).flatMap(([of, way]) => {
    const url = urlOf(of);
    const quoted = ["'", '&apos;'].map((mark) => [mark + url, `${mark}file:///`] as const);
    return [...quoted, [url, way.map((step) => `${step}/`).join('')] as const].map(([from, to]) => ({
      from: Buffer.from(from),
      to: Buffer.from(to),
    }));
  });

/** In binary files everything has its place: the way is as long as the address was, by steps that lead nowhere. */
function addressesOfSameLength(directory: string): Replacement[] {
  return levels(directory).flatMap(([of, way]) => {
    const url = urlOf(of);
    const steps = way.map(() => '../').join('');
    const asUrl = [url, steps + idleSteps(url.length - steps.length, '/', '../')] as const;
    // Addresses of workbooks in xls ([MS-XLS] 2.5.277): 2 is the root, 3 ends a directory and 4 is the directory above.
    const coded = `\u0002${of.slice(1).replaceAll('/', '\u0003')}\u0003`;
    const codedSteps = way.map(() => '\u0004').join('');
    const asCoded = [
      coded,
      codedSteps + idleSteps(coded.length - codedSteps.length, '\u0003', '\u0004'),
    ] as const;
    return [asUrl, asCoded].flatMap(([from, to]) =>
      (['latin1', 'utf16le'] as const).map((encoding) => ({
        from: Buffer.from(from, encoding),
        to: Buffer.from(to, encoding),
      })),
    );
  });
}

/** A way of so many characters to where one is: each step is to the same directory, and an odd one down and up again. */
function idleSteps(length: number, separator: string, up: string): string {
  const downAndUp = length % 2 === 0 ? '' : `_${separator}${up}`;
  return downAndUp + `.${separator}`.repeat((length - downAndUp.length) / 2);
}

/** Null where nothing of it is in the bytes. */
function replaced(bytes: Buffer, replacements: readonly Replacement[]): Buffer | null {
  let found: Buffer | null = null;
  for (const { from, to } of replacements) {
    const text = found ?? bytes;
    const chunks: Buffer[] = [];
    let done = 0;
    for (let at = text.indexOf(from); at >= 0; at = text.indexOf(from, done)) {
      chunks.push(text.subarray(done, at), to);
      done = at + from.length;
    }
    if (done > 0) found = Buffer.concat([...chunks, text.subarray(done)]);
  }
  return found;
}
