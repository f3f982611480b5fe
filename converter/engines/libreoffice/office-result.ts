import { readdir, readFile, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { zipSync } from 'fflate';
import { ConversionError, overLimit } from '../../errors.ts';
import { decodeText, encodeText, UTF8_CODE_PAGE } from '../../text/text-encoding.ts';
import { ContentTypes } from '../ooxml/package/content-types.ts';
import { OfficePackage } from '../ooxml/package/office-package.ts';
import { ZipArchive } from '../ooxml/package/zip-archive.ts';
import { patchZip } from '../ooxml/package/zip-patcher.ts';
import { withOwnLinks } from './own-links.ts';

/** How the files that LibreOffice has written become the result of a conversion. Paths are inside the job's directory. */
export type OfficeResult =
  | { kind: 'file'; file: string }
  /** UTF-8, which is wanted in an encoding, and without a mark at its beginning. */
  | { kind: 'text'; file: string; codePage: number }
  /** A package whose main part is to be called something else. */
  | { kind: 'retyped'; file: string; mainContentType: string }
  /** All files of a directory as a zip file. */
  | { kind: 'zip'; directory: string };

/** @throws ConversionError when there is no result, or more than `maxBytes` of it */
export async function readOfficeResult(
  directory: string,
  result: OfficeResult,
  maxBytes: number,
): Promise<Uint8Array> {
  if (result.kind === 'zip') return zipped(path.join(directory, result.directory), maxBytes);
  const written = await readBounded(path.join(directory, result.file), maxBytes);
  const bytes = withOwnLinks(written, await realpath(directory));
  if (result.kind === 'text') return encodeText(decodeText(bytes, UTF8_CODE_PAGE), result.codePage);
  return result.kind === 'retyped' ? retyped(bytes, result.mainContentType) : bytes;
}

async function readBounded(file: string, maxBytes: number): Promise<Uint8Array> {
  const found = await stat(file).catch(() => undefined);
  if (!found) throw new ConversionError('convert', 'LibreOffice has written no file');
  if (found.size > maxBytes) throw overLimit('the result is too large');
  return readFile(file);
}

async function zipped(directory: string, maxBytes: number): Promise<Uint8Array> {
  const names = (await readdir(directory)).sort();
  if (names.length === 0) throw new ConversionError('convert', 'LibreOffice has written no pages');
  const files: Record<string, Uint8Array> = {};
  let left = maxBytes;
  for (const name of names) {
    const bytes = await readBounded(path.join(directory, name), left);
    left -= bytes.length;
    files[name] = bytes;
  }
  // Pictures are compressed already; without a clock the same pages give the same bytes.
  return zipSync(files, { level: 0, mtime: new Date(1980, 0, 1) });
}

function retyped(bytes: Uint8Array, mainContentType: string): Uint8Array {
  const archive = new ZipArchive(bytes);
  const types = archive.find(ContentTypes.partName)!;
  const written = new OfficePackage(bytes).mainContentType;
  const text = Buffer.from(archive.read(types))
    .toString('utf8')
    .replace(`"${written}"`, `"${mainContentType}"`);
  return patchZip(archive, new Map([[ContentTypes.partName, Buffer.from(text)]]));
}
