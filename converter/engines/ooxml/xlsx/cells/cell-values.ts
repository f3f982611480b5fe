import type { CellValue } from '../../../../../model/cell/values.ts';
import { XmlDocument } from '../../package/xml-document.ts';
import { unescapeXml } from '../../package/xml-text.ts';
import { decodeCellText } from '../cell-text.ts';
import type { RowCursor } from '../row-cursor.ts';
import { readText, type SharedStrings } from './shared-strings.ts';

const PLAIN_INLINE = /^<is>\s*<t(?:\s[^<>]*)?>([^<]*)<\/t>\s*<\/is>$/;
const MS_PER_DAY = 86_400_000;
/** Days are counted from here: 0 is 30 December 1899 for all that programs have stored since March 1900. */
const EPOCH_1900 = Date.UTC(1899, 11, 30);
const EPOCH_1904 = Date.UTC(1904, 0, 1);

/** What the values of a workbook's cells depend on. */
export interface ValueContext {
  readonly strings: SharedStrings;
  readonly date1904: boolean;
  /** Prefix of the elements of the sheet, with its colon; empty for none. */
  readonly prefix: string;
}

/** The value of the cell at which a cursor stands (18.18.11); of a formula, what it had last. */
export function readValue(cursor: RowCursor, { strings, date1904, prefix }: ValueContext): CellValue {
  const { type } = cursor;
  if (type === 'inlineStr') {
    if (cursor.inlineStart >= 0)
      return inlineText(cursor.text.slice(cursor.inlineStart, cursor.inlineEnd), prefix);
    return cursor.valueStart < 0 ? null : decodeCellText(cursor.value);
  }
  if (cursor.valueStart < 0) return null;
  const text = cursor.value;
  switch (type) {
    case 's': {
      const index = Number(text);
      return Number.isInteger(index) ? strings.at(index) : '';
    }
    case 'str':
      return decodeCellText(text);
    case 'b':
      return text === '1' || text === 'true';
    case 'e':
      return { e: text };
    case 'd':
      return dateNumber(text, date1904) ?? text;
    default: {
      if (text.trim() === '') return null;
      const number = Number(text);
      return Number.isFinite(number) ? number : decodeCellText(text);
    }
  }
}

function inlineText(xml: string, prefix: string): CellValue {
  // A `<` begins a tag here, except in CDATA, where a prefix is of no consequence.
  const plain = prefix === '' ? xml : xml.replaceAll(`<${prefix}`, '<').replaceAll(`</${prefix}`, '</');
  const simple = PLAIN_INLINE.exec(plain);
  if (simple) return decodeCellText(unescapeXml(simple[1]!.replace(/\r\n?/g, '\n')));
  const document = new XmlDocument(plain);
  return readText(document, document.root);
}

/** The number of a date that is written as ISO 8601. */
function dateNumber(text: string, date1904: boolean): number | undefined {
  const time = Date.parse(
    /[zZ]|[+-]\d\d:\d\d$/.test(text) ? text : `${text}${text.includes('T') ? 'Z' : ''}`,
  );
  if (Number.isNaN(time)) return undefined;
  return (time - (date1904 ? EPOCH_1904 : EPOCH_1900)) / MS_PER_DAY;
}
