import { strFromU8, unzipSync } from 'fflate';
import { kinds, wordKind } from '../../model/kinds.ts';
import type { DocumentKind } from '../api.ts';
import { Refusal } from './refusal.ts';

interface StoredFormat {
  /** Sent when the file is downloaded. */
  mediaType: string;
  /** What the content must look like. */
  family: Family;
}

type Family =
  /** Office Open XML: a zip whose content types name this main part. */
  | { form: 'ooxml'; mainTypes: readonly string[] }
  /** OpenDocument: a zip that begins with a part `mimetype`. */
  | { form: 'opendocument' }
  /** Word, Excel and PowerPoint before 2007. */
  | { form: 'ole' }
  | { form: 'begins'; with: string }
  | { form: 'text' };

const office = 'application/vnd.openxmlformats-officedocument';
const openDocument = 'application/vnd.oasis.opendocument';

const formats: Readonly<Record<string, StoredFormat>> = {
  docx: ooxml(`${office}.wordprocessingml.document`, 'wordprocessingml.document.main+xml'),
  xlsx: ooxml(`${office}.spreadsheetml.sheet`, 'spreadsheetml.sheet.main+xml'),
  pptx: ooxml(`${office}.presentationml.presentation`, 'presentationml.presentation.main+xml'),
  odt: { mediaType: `${openDocument}.text`, family: { form: 'opendocument' } },
  ott: { mediaType: `${openDocument}.text-template`, family: { form: 'opendocument' } },
  ods: { mediaType: `${openDocument}.spreadsheet`, family: { form: 'opendocument' } },
  odp: { mediaType: `${openDocument}.presentation`, family: { form: 'opendocument' } },
  doc: { mediaType: 'application/msword', family: { form: 'ole' } },
  xls: { mediaType: 'application/vnd.ms-excel', family: { form: 'ole' } },
  ppt: { mediaType: 'application/vnd.ms-powerpoint', family: { form: 'ole' } },
  rtf: { mediaType: 'application/rtf', family: { form: 'begins', with: '{\\rtf' } },
  pdf: { mediaType: 'application/pdf', family: { form: 'begins', with: '%PDF-' } },
  html: { mediaType: 'text/html; charset=utf-8', family: { form: 'text' } },
  txt: { mediaType: 'text/plain; charset=utf-8', family: { form: 'text' } },
  csv: { mediaType: 'text/csv; charset=utf-8', family: { form: 'text' } },
};

function ooxml(mediaType: string, ...mainTypes: string[]): StoredFormat {
  return { mediaType, family: { form: 'ooxml', mainTypes } };
}

const contentTypesPart = '[Content_Types].xml';
const maxContentTypesBytes = 1_048_576;
const oleMagic = Buffer.from('d0cf11e0a1b11ae1', 'hex');

/** Extensions, without a dot, of the files that can be stored. */
export const fileTypes: readonly string[] = Object.keys(formats);

/** The kind of a stored file. */
export function kindOf(fileType: string): DocumentKind {
  return (kinds.ofType(fileType)[0] ?? wordKind).name as DocumentKind;
}

/** The media type of a stored file. */
export function mediaTypeOf(fileType: string): string {
  return formats[fileType]?.mediaType ?? 'application/octet-stream';
}

/** Splits a file name into title and extension. @throws Refusal when the extension is not one we store */
export function splitFileName(name: string): { title: string; fileType: string } {
  const dot = name.lastIndexOf('.');
  const fileType = name.slice(dot + 1).toLowerCase();
  if (dot <= 0 || !Object.hasOwn(formats, fileType)) {
    throw new Refusal('unknown-type', `Files of this type are not supported; try ${fileTypes.join(', ')}.`);
  }
  return { title: name.slice(0, dot), fileType };
}

/** Whether the content is what the extension says. @throws Refusal when not */
export function checkContent(bytes: Uint8Array, fileType: string): void {
  const format = formats[fileType];
  if (!format) throw new Refusal('unknown-type', 'Files of this type are not supported.');
  if (bytes.byteLength === 0) throw new Refusal('empty-file', 'The file is empty.');
  if (format.family.form !== 'ole' && beginsWith(bytes, oleMagic)) {
    throw new Refusal('protected-file', 'The file is protected by a password, or in an older format.');
  }
  if (!isOf(format.family, bytes)) {
    throw new Refusal('wrong-content', `The content of the file is not that of a .${fileType} file.`);
  }
}

function isOf(family: Family, bytes: Uint8Array): boolean {
  switch (family.form) {
    case 'ooxml': {
      const types = partOf(bytes, contentTypesPart);
      return types !== null && family.mainTypes.some((type) => types.includes(type));
    }
    case 'opendocument':
      return partOf(bytes, 'mimetype')?.startsWith(openDocument) ?? false;
    case 'ole':
      return beginsWith(bytes, oleMagic);
    case 'begins':
      return beginsWith(bytes, Buffer.from(family.with, 'latin1'));
    case 'text':
      return !bytes.includes(0);
  }
}

function beginsWith(bytes: Uint8Array, start: Uint8Array): boolean {
  return Buffer.compare(bytes.subarray(0, start.byteLength), start) === 0;
}

/** A small part of a zip as text; null when there is none, it is too large, or the zip is damaged. */
function partOf(bytes: Uint8Array, name: string): string | null {
  try {
    const filter = (entry: { name: string; originalSize: number }) =>
      entry.name === name && entry.originalSize <= maxContentTypesBytes;
    const part = unzipSync(bytes, { filter })[name];
    return part ? strFromU8(part) : null;
  } catch {
    return null;
  }
}
