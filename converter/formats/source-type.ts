import { decodeMarkup, decodeText, statedCodePage, WESTERN_CODE_PAGE } from '../text/text-encoding.ts';
import { webTable } from './conversion.ts';
import { kindOf, typeOf } from './file-kind.ts';

/** Names of binary workbooks. Programs export sheets of other formats under them, which Excel opens by their content. */
const workbookNames: ReadonlySet<string> = new Set(['xls', 'xlt']);

/** So much of a file is looked at to find out whether it is text, bytes. */
const lookedAtBytes = 65_536;
const lookedAtLines = 50;
/** A message says in its first lines that it is one, characters. */
const headChars = 1_024;

/**
 * The type by which engines read a file of a name: where its content contradicts the name, the content counts. What is called a
 * binary workbook may be a sheet of another format; else it is damaged, which its engine says.
 */
export function sourceTypeOf(bytes: Uint8Array, namedType: string): string {
  const kind = kindOf(bytes);
  const type = typeOf(kind, namedType);
  if (!workbookNames.has(type)) return type;
  if (kind === 'xml') return kind;
  return (kind === 'unknown' && exportedType(bytes)) || type;
}

/** What a file is that is called a workbook and is text; undefined for what is no text, or a web page without a table. */
function exportedType(bytes: Uint8Array): string | undefined {
  const beginning = bytes.subarray(0, lookedAtBytes);
  const text = decodeText(beginning, statedCodePage(beginning) ?? WESTERN_CODE_PAGE);
  if (text.trim() === '' || hasControls(text)) return undefined;
  if (/^\s*</.test(text)) return /<table[\s>]/i.test(decodeMarkup(bytes)) ? webTable : undefined;
  // A web page in one file, which no engine reads as a sheet.
  if (/^MIME-Version:/im.test(text.slice(0, headChars))) return 'mht';
  if (/^ID;P[^\r\n]*[\r\n]+[A-Z];/.test(text)) return 'slk';
  return isTabbed(text) ? 'tsv' : 'csv';
}

/** Whether control characters are in it that no text has. */
function hasControls(text: string): boolean {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code < 0x20 && (code < 0x09 || code > 0x0d)) return true;
  }
  return false;
}

/** Whether tabs stand between the cells. Excel looks for them first under such a name, and so commas of numbers mean nothing. */
function isTabbed(text: string): boolean {
  const lines = text.split(/\r\n|\r|\n/, lookedAtLines).filter((line) => line.trim() !== '');
  return lines.filter((line) => line.includes('\t')).length * 2 > lines.length;
}
