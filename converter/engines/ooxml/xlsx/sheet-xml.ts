import { corrupted } from '../../../errors.ts';
import { decodeXml, encodeXml, XmlDocument, type XmlEncoding } from '../package/xml-document.ts';
import { scanXml } from '../package/xml-scanner.ts';
import { RowCursor } from './row-cursor.ts';
import { SHEET_PREFIXES } from './vocabulary.ts';

interface SheetPieces {
  readonly shell: XmlDocument;
  readonly rows: string;
  readonly prefix: string;
  readonly encoding: XmlEncoding;
  readonly isWhole?: boolean;
}

const ROOT = /^\ufeff?(?:\s|<\?[\s\S]*?\?>|<!--[\s\S]*?-->)*<((?:[^\s<>/:"'=]+:)?)worksheet[\s/>]/;

/**
 * A worksheet part in two pieces: the shell, which is all but its rows, in the form that our code reads (`CanonicalXml`); and
 * the rows, with the prefix that the file has for them, as they may be many megabytes.
 */
export class SheetXml {
  readonly shell: XmlDocument;
  /** What `sheetData` holds. */
  readonly rows: string;
  /** Prefix of the elements in the rows, with its colon; empty for none. */
  readonly prefix: string;
  readonly #encoding: XmlEncoding;
  /** The shell has the rows as well, in canonical form. */
  readonly #isWhole: boolean;

  /** @throws ConversionError corrupted for a part that is no worksheet */
  static parse(bytes: Uint8Array): SheetXml {
    const { text, encoding } = decodeXml(bytes);
    const prefix = ROOT.exec(text)?.[1];
    if (prefix === undefined) throw corrupted('a sheet is no worksheet');
    const cut = rowsOf(text, `${prefix}sheetData`);
    if (!cut) {
      const shell = XmlDocument.canonical(text, encoding, SHEET_PREFIXES);
      return new SheetXml({ shell, rows: '', prefix, encoding });
    }
    const rows = text.slice(cut.start, cut.end);
    if (/\sxmlns\s*[:=]/.test(rows)) return SheetXml.#withCanonicalRows(text, encoding);
    const shell = XmlDocument.canonical(
      text.slice(0, cut.start) + text.slice(cut.end),
      encoding,
      SHEET_PREFIXES,
    );
    return new SheetXml({ shell, rows, prefix, encoding });
  }

  /** For rows that declare namespaces themselves: the whole part in canonical form. */
  static #withCanonicalRows(text: string, encoding: XmlEncoding): SheetXml {
    const whole = XmlDocument.canonical(text, encoding, SHEET_PREFIXES);
    const data = whole.child(whole.root, 'sheetData');
    if (!data) throw corrupted('a sheet has no rows that can be read');
    return new SheetXml({ shell: whole, rows: whole.inner(data), prefix: '', encoding, isWhole: true });
  }

  private constructor({ shell, rows, prefix, encoding, isWhole = false }: SheetPieces) {
    this.shell = shell;
    this.rows = rows;
    this.prefix = prefix;
    this.#encoding = encoding;
    this.#isWhole = isWhole;
  }

  cursor(): RowCursor {
    return new RowCursor(this.rows, this.prefix);
  }

  /** Bytes of the part with another text of the shell, and other rows. */
  encode(shellText: string, rows: string): Uint8Array {
    if (this.#isWhole) return this.shell.encode(withRows(shellText, 'sheetData', rows));
    const text = withRows(this.shell.restore(shellText), `${this.prefix}sheetData`, rows);
    return encodeXml(text, this.#encoding);
  }
}

/** Where the rows lie in the text of a sheet; undefined where it has none. */
function rowsOf(text: string, name: string): { start: number; end: number } | undefined {
  if (text.includes('<!--') || text.includes('<![CDATA[')) {
    const data = scanXml(text).children.find((child) => child.name === name);
    return data && !data.selfClosing ? { start: data.openEnd, end: data.closeStart } : undefined;
  }
  const open = new RegExp(`<${name}(?:\\s[^<>]*?)?(/?)>`).exec(text);
  if (!open || open[1] === '/') return undefined;
  const start = open.index + open[0].length;
  const end = text.indexOf(`</${name}`, start);
  if (end < 0) throw corrupted('the rows of a sheet do not end');
  return { start, end };
}

/** The text of a sheet with other rows. */
function withRows(text: string, name: string, rows: string): string {
  const data = scanXml(text).children.find((child) => child.name === name);
  if (!data) return text;
  if (!data.selfClosing) return text.slice(0, data.openEnd) + rows + text.slice(data.closeStart);
  if (rows === '') return text;
  const tag = text.slice(data.start, data.end).replace(/\s*\/>$/, '>');
  return `${text.slice(0, data.start)}${tag}${rows}</${name}>${text.slice(data.end)}`;
}
