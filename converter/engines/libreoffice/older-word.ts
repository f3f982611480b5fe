import { detectOffice } from '../ooxml/package/office-kind.ts';

/** Documents of Word 97 and later have one of these streams ([MS-DOC] 2.1.2). */
const tables: readonly Buffer[] = ['0Table', '1Table'].map((name) => Buffer.from(name, 'utf16le'));

/** Whether a file is a document of Word 6 or Word 95, which goes by the same name as later ones. */
export function isOlderWord(bytes: Uint8Array): boolean {
  if (detectOffice(bytes) !== 'doc') return false;
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return !tables.some((name) => buffer.includes(name));
}
