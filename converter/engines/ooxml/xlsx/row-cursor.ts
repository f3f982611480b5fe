import { sheetColumns, sheetRows } from '../../../../model/cell-address.ts';
import { corrupted, overLimit } from '../../../errors.ts';
import { isSpace } from '../package/xml-scanner.ts';
import { unescapeXml } from '../package/xml-text.ts';

const LT = 0x3c;
const GT = 0x3e;
const SLASH = 0x2f;
const QUOTE = 0x22;
const APOSTROPHE = 0x27;
const EQUALS = 0x3d;

/**
 * Goes through the rows and cells of a worksheet (18.3.1.73 and 18.3.1.4) by the offsets at which they lie, without making an
 * object for each: a sheet may have some hundred thousand cells. What it shows is that of the row and cell it stands at.
 * Comments between elements are passed over.
 */
export class RowCursor {
  readonly text: string;
  readonly #prefix: string;
  /** From 1. */
  row = 0;
  rowStart = 0;
  /** Offset after the start tag of the row. */
  rowOpenEnd = 0;
  /** Offset of the end tag of the row; equals `rowEnd` in a row that has none. Known when its cells have been gone through. */
  rowCloseStart = 0;
  rowEnd = 0;
  /** From 1. */
  column = 0;
  cellStart = 0;
  cellOpenEnd = 0;
  cellEnd = 0;
  /** The index of its format (`s`), 0 where it says none. */
  style = 0;
  /** `n`, `s`, `str`, `inlineStr`, `b`, `e` or `d`. */
  type = 'n';
  /** Indexes of its metadata (`cm` and `vm`), 0 for none. */
  cellMetadata = 0;
  valueMetadata = 0;
  /** Where the content of `v` lies; -1 without one. */
  valueStart = -1;
  valueEnd = -1;
  /** Where the element `f` lies, and its content; -1 without one. */
  formulaStart = -1;
  formulaOpenEnd = -1;
  formulaCloseStart = -1;
  formulaEnd = -1;
  /** Where the element `is` lies; -1 without one. */
  inlineStart = -1;
  inlineEnd = -1;
  /** Where an `extLst` lies; -1 without one. */
  extensionStart = -1;
  extensionEnd = -1;
  /** All rows and cells so far say where they are. */
  areAllPlaced = true;
  #at = 0;
  #isRowOpen = false;

  /** @param prefix of the elements, with its colon; empty for none */
  constructor(text: string, prefix: string, from = 0) {
    this.text = text;
    this.#prefix = prefix;
    this.#at = from;
  }

  /** Goes on to the next row. @throws ConversionError corrupted or limits */
  nextRow(): boolean {
    if (this.#isRowOpen) while (this.nextCell());
    const start = this.#nextTag();
    if (start < 0) return false;
    const nameEnd = this.#nameEnd(start, 'row');
    if (nameEnd < 0) throw corrupted('a sheet has something else than rows among its rows');
    this.rowStart = start;
    const { end, isEmpty, r } = this.#startTag(nameEnd);
    this.rowOpenEnd = end;
    this.row = r === '' ? this.row + 1 : rowNumber(r);
    if (r === '') this.areAllPlaced = false;
    if (this.row < 1 || this.row > sheetRows) throw overLimit('a sheet has too many rows');
    this.column = 0;
    this.#at = end;
    this.#isRowOpen = !isEmpty;
    this.rowCloseStart = this.rowEnd = end;
    return true;
  }

  /** Goes on to the next cell of the row. @throws ConversionError corrupted or limits */
  nextCell(): boolean {
    if (!this.#isRowOpen) return false;
    const { text } = this;
    const start = this.#nextTag();
    if (start < 0) throw corrupted('a row of a sheet does not end');
    if (text.charCodeAt(start + 1) === SLASH) {
      this.rowCloseStart = start;
      this.rowEnd = this.#at = this.#endTag(start, 'row');
      this.#isRowOpen = false;
      return false;
    }
    const nameEnd = this.#nameEnd(start, 'c');
    if (nameEnd < 0) {
      // Office ignores what else a row may have (`extLst`).
      this.#at = this.#elementEnd(start);
      return this.nextCell();
    }
    this.cellStart = start;
    this.style = this.cellMetadata = this.valueMetadata = 0;
    this.type = 'n';
    this.valueStart = this.valueEnd = this.formulaStart = this.inlineStart = this.extensionStart = -1;
    const isEmpty = this.#cellTag(nameEnd);
    this.#at = this.cellOpenEnd;
    if (isEmpty) this.cellEnd = this.cellOpenEnd;
    else this.#content();
    return true;
  }

  /** The text of `v`. */
  get value(): string {
    return this.valueStart < 0 ? '' : contentOf(this.text.slice(this.valueStart, this.valueEnd));
  }

  /** The text of `f`. */
  get formula(): string {
    return this.formulaStart < 0
      ? ''
      : contentOf(this.text.slice(this.formulaOpenEnd, this.formulaCloseStart));
  }

  /** The start tag of `f`. */
  get formulaTag(): string {
    return this.text.slice(this.formulaStart, this.formulaOpenEnd);
  }

  /** Whether the formula is a plain one: its tag has no attributes. */
  get isPlainFormula(): boolean {
    return this.formulaOpenEnd - this.formulaStart === this.#prefix.length + '<f>'.length;
  }

  #content(): void {
    const { text } = this;
    for (;;) {
      const start = this.#nextTag();
      if (start < 0) throw corrupted('a cell of a sheet does not end');
      if (text.charCodeAt(start + 1) === SLASH) {
        this.cellEnd = this.#at = this.#endTag(start, 'c');
        return;
      }
      const valueName = this.#nameEnd(start, 'v');
      if (valueName >= 0) {
        this.#at = this.#simple(start, valueName, 'v');
        this.valueStart = this.#contentStart;
        this.valueEnd = this.#contentEnd;
        continue;
      }
      const formulaName = this.#nameEnd(start, 'f');
      if (formulaName >= 0) {
        this.#at = this.#simple(start, formulaName, 'f');
        this.formulaStart = start;
        this.formulaOpenEnd = this.#contentStart;
        this.formulaCloseStart = this.#contentEnd;
        this.formulaEnd = this.#at;
        continue;
      }
      const end = this.#elementEnd(start);
      if (this.#nameEnd(start, 'is') >= 0) {
        this.inlineStart = start;
        this.inlineEnd = end;
      } else if (this.#nameEnd(start, 'extLst') >= 0) {
        this.extensionStart = start;
        this.extensionEnd = end;
      }
      this.#at = end;
    }
  }

  #contentStart = 0;
  #contentEnd = 0;

  /** An element that holds text alone; gives the offset after it. */
  #simple(start: number, nameEnd: number, name: string): number {
    const { text } = this;
    const tagEnd = tagEndFrom(text, nameEnd);
    this.#contentStart = this.#contentEnd = tagEnd;
    if (text.charCodeAt(tagEnd - 2) === SLASH) return tagEnd;
    let close = text.indexOf('<', tagEnd);
    // CDATA and comments.
    while (close >= 0 && text.charCodeAt(close + 1) === 0x21) close = text.indexOf('<', skip(text, close));
    if (close < 0 || text.charCodeAt(close + 1) !== SLASH)
      throw corrupted(`a cell has something else than text in its <${name}> at ${start}`);
    this.#contentEnd = close;
    return this.#endTag(close, name);
  }

  /** Reads the start tag of a cell; whether it is empty. */
  #cellTag(from: number): boolean {
    const { text } = this;
    let at = from;
    let isPlaced = false;
    for (;;) {
      let code = text.charCodeAt(at);
      while (code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09) code = text.charCodeAt(++at);
      if (code === GT || code === SLASH) break;
      const nameStart = at;
      while (code !== EQUALS && !isSpace(code)) {
        if (code === GT || code === LT || Number.isNaN(code)) throw corrupted('XML: unfinished attribute');
        code = text.charCodeAt(++at);
      }
      const nameEnd = at;
      const valueStart = this.#valueStart(at);
      const valueEnd = text.indexOf(text.charCodeAt(valueStart - 1) === QUOTE ? '"' : "'", valueStart);
      if (valueEnd < 0) throw corrupted('XML: unfinished attribute');
      const length = nameEnd - nameStart;
      if (length === 1) {
        switch (text.charCodeAt(nameStart)) {
          case 0x72:
            this.#place(valueStart, valueEnd);
            isPlaced = true;
            break;
          case 0x73:
            this.style = digits(text, valueStart, valueEnd);
            break;
          case 0x74:
            this.type = text.slice(valueStart, valueEnd);
        }
      } else if (length === 2 && text.charCodeAt(nameStart + 1) === 0x6d) {
        if (text.charCodeAt(nameStart) === 0x63) this.cellMetadata = digits(text, valueStart, valueEnd);
        else if (text.charCodeAt(nameStart) === 0x76) this.valueMetadata = digits(text, valueStart, valueEnd);
      }
      at = valueEnd + 1;
    }
    if (!isPlaced) {
      this.column++;
      this.areAllPlaced = false;
    }
    if (this.column > sheetColumns) throw overLimit('a sheet has too many columns');
    const isEmpty = text.charCodeAt(at) === SLASH;
    this.cellOpenEnd = isEmpty ? at + 2 : at + 1;
    if (isEmpty && text.charCodeAt(at + 1) !== GT) throw corrupted('XML: malformed tag');
    return isEmpty;
  }

  #valueStart(from: number): number {
    const { text } = this;
    let at = from;
    while (isSpace(text.charCodeAt(at))) at++;
    if (text.charCodeAt(at) !== EQUALS) throw corrupted('XML: attribute without a value');
    at++;
    while (isSpace(text.charCodeAt(at))) at++;
    const quote = text.charCodeAt(at);
    if (quote !== QUOTE && quote !== APOSTROPHE) throw corrupted('XML: attribute without a value');
    return at + 1;
  }

  /** Takes the column of a reference such as `AB12`; its row is that of the row it stands in. */
  #place(start: number, end: number): void {
    let column = 0;
    for (let at = start; at < end; at++) {
      const code = this.text.charCodeAt(at) & ~0x20;
      if (code < 0x41 || code > 0x5a) {
        if (this.text.charCodeAt(at) === 0x24) continue;
        break;
      }
      column = column * 26 + code - 0x40;
      if (column > sheetColumns) throw overLimit('a sheet has too many columns');
    }
    this.column = column === 0 ? this.column + 1 : column;
  }

  /** Reads the start tag of a row as far as it matters here. */
  #startTag(from: number): { end: number; isEmpty: boolean; r: string } {
    const end = tagEndFrom(this.text, from);
    const isEmpty = this.text.charCodeAt(end - 2) === SLASH;
    const tag = this.text.slice(from, end);
    const r = /\sr\s*=\s*(?:"([^"]*)"|'([^']*)')/.exec(tag);
    return { end, isEmpty, r: r?.[1] ?? r?.[2] ?? '' };
  }

  /** Offset of the next `<` that begins or ends an element; -1 at the end of the text. */
  #nextTag(): number {
    let start = this.text.indexOf('<', this.#at);
    while (start >= 0) {
      const code = this.text.charCodeAt(start + 1);
      if (code !== 0x21 && code !== 0x3f) return start;
      start = this.text.indexOf('<', skip(this.text, start));
    }
    return start;
  }

  /** Offset after the name of a start tag when it is this one, else -1. */
  #nameEnd(start: number, local: string): number {
    const { text } = this;
    const prefix = this.#prefix;
    if (prefix !== '' && !text.startsWith(prefix, start + 1)) return -1;
    const nameStart = start + 1 + prefix.length;
    if (!text.startsWith(local, nameStart)) return -1;
    const end = nameStart + local.length;
    const code = text.charCodeAt(end);
    return code === GT || code === SLASH || isSpace(code) ? end : -1;
  }

  /** Offset after an end tag, which has to be of this element. */
  #endTag(start: number, local: string): number {
    const nameStart = start + 2;
    const nameEnd = nameStart + this.#prefix.length + local.length;
    const gt = this.text.indexOf('>', nameEnd);
    const isOfElement =
      this.text.startsWith(this.#prefix, nameStart) &&
      this.text.startsWith(local, nameStart + this.#prefix.length);
    if (!isOfElement || gt < 0 || this.text.slice(nameEnd, gt).trim() !== '')
      throw corrupted('XML: end tag does not match its start tag');
    return gt + 1;
  }

  /** Offset after an element that is passed over. */
  #elementEnd(start: number): number {
    const { text } = this;
    let depth = 0;
    let at = start;
    for (;;) {
      const lt = text.indexOf('<', at);
      if (lt < 0) throw corrupted('XML: ends before an element does');
      const code = text.charCodeAt(lt + 1);
      if (code === 0x21 || code === 0x3f) {
        at = skip(text, lt);
        continue;
      }
      const end = tagEndFrom(text, lt + 1);
      if (code === SLASH) depth--;
      else if (text.charCodeAt(end - 2) !== SLASH) depth++;
      at = end;
      if (depth <= 0) return end;
    }
  }
}

/** Text that an element holds, without markup. */
export function contentOf(raw: string): string {
  if (raw.includes('<')) {
    const plain = raw.replace(/<!--[\s\S]*?-->|<\?[\s\S]*?\?>/g, '');
    return plain
      .split(/(<!\[CDATA\[[\s\S]*?\]\]>)/)
      .map((piece) => (piece.startsWith('<![CDATA[') ? piece.slice(9, -3) : unescapeXml(piece)))
      .join('');
  }
  const text = raw.includes('\r') ? raw.replace(/\r\n?/g, '\n') : raw;
  return unescapeXml(text);
}

function skip(text: string, start: number): number {
  const [end, length] = text.startsWith('<!--', start)
    ? ['-->', 4]
    : text.startsWith('<![CDATA[', start)
      ? [']]>', 9]
      : ['>', 2];
  const at = text.indexOf(end, start + length);
  if (at < 0) throw corrupted('XML: unfinished comment, CDATA or instruction');
  return at + end.length;
}

/** Offset after the `>` that ends a tag. */
function tagEndFrom(text: string, from: number): number {
  for (let at = from; ; at++) {
    const code = text.charCodeAt(at);
    if (code === GT) return at + 1;
    if (code === QUOTE || code === APOSTROPHE) {
      at = text.indexOf(code === QUOTE ? '"' : "'", at + 1);
      if (at < 0) throw corrupted('XML: unfinished attribute');
    } else if (code === LT || Number.isNaN(code)) throw corrupted('XML: unfinished tag');
  }
}

function digits(text: string, start: number, end: number): number {
  let number = 0;
  for (let at = start; at < end; at++) {
    const digit = text.charCodeAt(at) - 0x30;
    if (digit < 0 || digit > 9) return 0;
    number = number * 10 + digit;
  }
  return number;
}

function rowNumber(text: string): number {
  const number = Number(text);
  if (!Number.isInteger(number)) throw corrupted('a row of a sheet has no number');
  return number;
}
