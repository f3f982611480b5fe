import { ConversionError } from '../../../errors.ts';
import { ContentTypes } from './content-types.ts';
import { OfficePackage } from './office-package.ts';
import { ZipArchive } from './zip-archive.ts';

/** What a file is, by its content. */
export type OfficeKind =
  | 'docx'
  | 'xlsx'
  /** A workbook of binary records ([MS-XLSB]). */
  | 'xlsb'
  | 'pptx'
  /** A zip file that is no OOXML package (an OpenDocument file, for one). */
  | 'zip'
  /** A zip file that is damaged. */
  | 'broken-zip'
  | 'doc'
  | 'xls'
  | 'ppt'
  /** An OLE file that is none of these. */
  | 'ole'
  /** An OOXML package encrypted with a password ([MS-OFFCRYPTO] 2.3). */
  | 'ole-encrypted'
  | 'pdf'
  | 'rtf'
  | 'unknown';

const OLE_HEADER = Buffer.from('d0cf11e0a1b11ae1', 'hex');
/** In capitals: names of streams are compared without regard to case ([MS-CFB] 2.6.4). */
const OLE_STREAMS: readonly (readonly [string, OfficeKind])[] = [
  ['ENCRYPTEDPACKAGE', 'ole-encrypted'],
  ['WORDDOCUMENT', 'doc'],
  ['WORKBOOK', 'xls'],
  ['BOOK', 'xls'],
  ['POWERPOINT DOCUMENT', 'ppt'],
];
/** Directory entries of an OLE file lie on multiples of this ([MS-CFB] 2.6.1). */
const OLE_ENTRY_BYTES = 128;

export function detectOffice(bytes: Uint8Array): OfficeKind {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const start = buffer.toString('latin1', 0, 8);
  if (buffer.subarray(0, 8).equals(OLE_HEADER)) return oleKind(buffer);
  if (start.startsWith('%PDF-')) return 'pdf';
  if (start.startsWith('{\\rtf')) return 'rtf';
  if (start.startsWith('PK\x03\x04') || start.startsWith('PK\x05\x06')) return zipKind(bytes);
  return 'unknown';
}

function zipKind(bytes: Uint8Array): OfficeKind {
  try {
    if (!new ZipArchive(bytes).find(ContentTypes.partName)) return 'zip';
    return packageKind(new OfficePackage(bytes)) ?? 'zip';
  } catch (error) {
    if (error instanceof ConversionError) return 'broken-zip';
    throw error;
  }
}

export function packageKind({
  mainContentType,
}: OfficePackage): 'docx' | 'xlsx' | 'xlsb' | 'pptx' | undefined {
  if (/wordprocessingml|ms-word/.test(mainContentType)) return 'docx';
  if (/ms-excel\.sheet\.binary/.test(mainContentType)) return 'xlsb';
  if (/spreadsheetml|ms-excel/.test(mainContentType)) return 'xlsx';
  if (/presentationml|ms-powerpoint/.test(mainContentType)) return 'pptx';
  return undefined;
}

/** Looks for stream names where directory entries can be; a whole reader of OLE files is not needed to tell kinds. */
function oleKind(buffer: Buffer): OfficeKind {
  const found = new Set<string>();
  for (let at = 512; at + OLE_ENTRY_BYTES <= buffer.length; at += OLE_ENTRY_BYTES) {
    const nameBytes = buffer.readUInt16LE(at + 64);
    if (nameBytes < 4 || nameBytes > 64 || nameBytes % 2 !== 0) continue;
    found.add(buffer.toString('utf16le', at, at + nameBytes - 2).toUpperCase());
  }
  return OLE_STREAMS.find(([stream]) => found.has(stream))?.[1] ?? 'ole';
}
