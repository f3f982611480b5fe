import { columnName } from '../../cell-address.ts';
import { type Area, columnOf, lastColumn, lastRow } from '../area.ts';
import { CELL_LIMITS } from '../limits.ts';

/** The sheets before a reference or a name, without quotes. */
interface Qualified {
  /** Null: the sheet of the formula. */
  readonly sheet: string | null;
  /** The last sheet of a reference through several (`Jan:Mar!A1`); such references follow no cells. */
  readonly toSheet: string | null;
}

/** A reference to cells. What it does not name is whole: `columns` have all rows, `rows` all columns. */
export interface Reference extends Qualified {
  readonly type: 'cell' | 'area' | 'columns' | 'rows';
  readonly area: Area;
  /** Which sides of the area are absolute (`$`): 1 first row, 2 first column, 4 last row, 8 last column. */
  readonly absolute: number;
}

/** A name, a table (before its brackets), or the error that is left of a reference behind its sheet. */
export interface Word extends Qualified {
  readonly type: 'word' | 'table';
  readonly word: string;
}

/**
 * A reference to cells of another workbook (`[1]Sheet1!A1`), which stays letter for letter as long as its formula is not copied:
 * it follows nothing that happens here.
 */
export interface LinkedReference extends Qualified {
  readonly type: 'linked';
  /** All of it. */
  readonly word: string;
  /** What stands before the address, with its exclamation mark. */
  readonly prefix: string;
  readonly reference: Reference;
}

/** A formula in pieces: what follows cells, sheets and names, and the text between. */
export type FormulaPart = string | Reference | Word | LinkedReference;

export const isReference = (part: FormulaPart): part is Reference =>
  typeof part === 'object' && part.type !== 'word' && part.type !== 'table' && part.type !== 'linked';

const isDigit = (code: number): boolean => code >= 48 && code <= 57;
const isLetter = (code: number): boolean => (code >= 65 && code <= 90) || (code >= 97 && code <= 122);
/** Besides letters and digits: `_ . $ \ ?` and everything beyond ASCII. */
const isWordCode = (code: number): boolean =>
  isLetter(code) ||
  isDigit(code) ||
  code === 95 ||
  code === 46 ||
  code === 36 ||
  code === 92 ||
  code === 63 ||
  code > 127;

const cellPattern = /^(\$?)([A-Za-z]{1,3})(\$?)([1-9][0-9]{0,6})$/;
const columnPattern = /^(\$?)([A-Za-z]{1,3})$/;
const rowPattern = /^(\$?)([1-9][0-9]{0,6})$/;
const plainSheet = /^[A-Za-z_\u0080-\uffff][A-Za-z0-9_.\u0080-\uffff]*$/;

/** A corner of a reference, with the `$` of its sides. */
export interface Corner {
  readonly row: number;
  readonly column: number;
  readonly absoluteRow: boolean;
  readonly absoluteColumn: boolean;
}

function cornerOf(text: string): Corner | null {
  const match = cellPattern.exec(text);
  if (!match) return null;
  const column = columnOf(match[2]!);
  const row = Number(match[4]) - 1;
  if (column < 0 || row > lastRow) return null;
  return { row, column, absoluteRow: match[3] === '$', absoluteColumn: match[1] === '$' };
}

/** Reads the pieces of one formula, without the equals sign before it. Takes any text. */
class FormulaReader {
  readonly #text: string;
  readonly #parts: FormulaPart[] = [];
  #at = 0;
  /** Where the text begins that is not in the parts yet. */
  #from = 0;

  constructor(text: string) {
    this.#text = text;
  }

  read(): FormulaPart[] {
    const text = this.#text;
    while (this.#at < text.length) {
      const code = text.charCodeAt(this.#at);
      if (code === 34) this.#skipQuoted(34);
      else if (code === 39) this.#readQuotedSheet();
      else if (code === 91) this.#readExternal();
      else if (code === 35) this.#skipError();
      else if (isWordCode(code)) this.#readWord();
      else this.#at++;
    }
    this.#flush(text.length);
    return this.#parts;
  }

  /** Puts the text before a place into the parts. */
  #flush(end: number): void {
    if (end > this.#from) this.#parts.push(this.#text.slice(this.#from, end));
  }

  #push(start: number, part: FormulaPart): void {
    this.#flush(start);
    this.#parts.push(part);
    this.#from = this.#at;
  }

  /** Over a string or a quoted name; a doubled quote is one of its letters. */
  #skipQuoted(quote: number): void {
    const text = this.#text;
    for (this.#at++; this.#at < text.length; this.#at++) {
      if (text.charCodeAt(this.#at) !== quote) continue;
      if (text.charCodeAt(this.#at + 1) !== quote) break;
      this.#at++;
    }
    this.#at++;
  }

  #readQuotedSheet(): void {
    const start = this.#at;
    this.#skipQuoted(39);
    if (this.#text.charCodeAt(this.#at) !== 33) return;
    const name = this.#text.slice(start + 1, this.#at - 1).replaceAll("''", "'");
    this.#at++;
    const [sheet, toSheet = null] = name.split(':');
    if (name.includes('[')) this.#readLinked(start);
    else this.#readTarget(start, { sheet: sheet!, toSheet });
  }

  /** `[1]Sheet!A1` and `[1]Jan:Mar!A1` are of another workbook. */
  #readExternal(): void {
    const start = this.#at;
    this.#skipBrackets();
    const first = this.#at + this.#wordAt(this.#at).length;
    const isThrough = this.#text.charCodeAt(first) === 58;
    const end = isThrough ? first + 1 + this.#wordAt(first + 1).length : first;
    if (this.#text.charCodeAt(end) !== 33) return;
    this.#at = end + 1;
    this.#readLinked(start);
  }

  /** What stands behind a sheet of another workbook, whose name began at `start`. */
  #readLinked(start: number): void {
    const from = this.#at;
    const word = this.#wordAt(from);
    this.#at = from + word.length;
    const next = this.#text.charCodeAt(this.#at);
    if (word === '' || next === 40 || next === 91) return;
    const own = { sheet: null, toSheet: null };
    const reference = this.#referenceAt(word, own);
    if (!reference) return;
    const [prefix, all] = [this.#text.slice(start, from), this.#text.slice(start, this.#at)];
    this.#push(start, { type: 'linked', word: all, prefix, reference, ...own });
  }

  /** Over brackets in brackets; `'` takes the meaning from the character behind it. */
  #skipBrackets(): void {
    const text = this.#text;
    let depth = 0;
    for (; this.#at < text.length; this.#at++) {
      const code = text.charCodeAt(this.#at);
      if (code === 39) this.#at++;
      else if (code === 91) depth++;
      else if (code === 93 && --depth === 0) {
        this.#at++;
        return;
      }
    }
  }

  /** `#REF!A1` is an error as a whole. */
  #skipError(): void {
    const match = /^#(?:N\/A|[A-Za-z0-9/_]+[!?]?)/.exec(this.#text.slice(this.#at, this.#at + 32));
    this.#at += match ? match[0].length : 1;
    if (match?.[0] === '#REF!') this.#skipTarget();
  }

  #skipTarget(): void {
    this.#at += this.#wordAt(this.#at).length;
    if (this.#text.charCodeAt(this.#at) !== 58) return;
    const next = this.#wordAt(this.#at + 1);
    if (cellPattern.test(next) || columnPattern.test(next) || rowPattern.test(next))
      this.#at += next.length + 1;
  }

  #wordAt(start: number): string {
    let end = start;
    while (end < this.#text.length && isWordCode(this.#text.charCodeAt(end))) end++;
    return this.#text.slice(start, end);
  }

  #readWord(): void {
    const start = this.#at;
    const word = this.#wordAt(start);
    const end = start + word.length;
    const next = this.#text.charCodeAt(end);
    if (next === 33) {
      this.#at = end + 1;
      this.#readTarget(start, { sheet: word, toSheet: null });
      return;
    }
    if (next === 58) {
      const second = this.#wordAt(end + 1);
      const secondEnd = end + 1 + second.length;
      if (second !== '' && this.#text.charCodeAt(secondEnd) === 33) {
        this.#at = secondEnd + 1;
        this.#readTarget(start, { sheet: word, toSheet: second });
        return;
      }
    }
    this.#readTarget(start, { sheet: null, toSheet: null });
  }

  /** What stands behind the sheet, if one is named, which began at `start`. */
  #readTarget(start: number, qualified: Qualified): void {
    const text = this.#text;
    const from = this.#at;
    if (qualified.sheet !== null && text.startsWith('#REF!', from)) {
      this.#at = from + 5;
      this.#push(start, { type: 'word', word: '#REF!', ...qualified });
      return;
    }
    const word = this.#wordAt(from);
    this.#at = from + word.length;
    if (word === '') return;
    const next = text.charCodeAt(this.#at);
    if (next === 40) return;
    if (next === 91) {
      const table = this.#at;
      this.#push(start, { type: 'table', word, ...qualified });
      this.#at = table;
      this.#skipBrackets();
      return;
    }
    const reference = this.#referenceAt(word, qualified);
    const isNumber = isDigit(word.charCodeAt(0)) || word.charCodeAt(0) === 46;
    if (reference) this.#push(start, reference);
    else if (!isNumber && !/^(true|false)$/i.test(word))
      this.#push(start, { type: 'word', word, ...qualified });
  }

  /** The reference that begins with a word, before the place that is read now; moves on behind it. */
  #referenceAt(word: string, { sheet, toSheet }: Qualified): Reference | null {
    const corner = cornerOf(word);
    const second = this.#text.charCodeAt(this.#at) === 58 ? this.#secondWord() : '';
    if (corner) {
      const other = second === '' ? null : cornerOf(second);
      if (other) this.#at += second.length + 1;
      const { area, absolute } = other ? between(corner, other) : cellAt(corner);
      return { type: other ? 'area' : 'cell', area, absolute, sheet, toSheet };
    }
    if (second === '') return null;
    const [type, corners] = linesOf(word, second) ?? [];
    if (!type) return null;
    this.#at += second.length + 1;
    const { area, absolute } = between(...corners!);
    return { type, area, absolute, sheet, toSheet };
  }

  /** The word behind a colon, if it can end a reference. */
  #secondWord(): string {
    const word = this.#wordAt(this.#at + 1);
    const next = this.#text.charCodeAt(this.#at + 1 + word.length);
    return next === 40 || next === 33 || next === 91 ? '' : word;
  }
}

/** First and last of whole columns or rows; null where two words are not such. */
function linesOf(
  word: string,
  second: string,
): readonly ['columns' | 'rows', readonly [Corner, Corner]] | null {
  const [, dollar, letters] = columnPattern.exec(word) ?? [];
  const [, otherDollar, otherLetters] = columnPattern.exec(second) ?? [];
  if (letters !== undefined && otherLetters !== undefined) {
    const [one, other] = [columnOf(letters), columnOf(otherLetters)];
    if (one < 0 || other < 0) return null;
    const side = (column: number, absoluteColumn: boolean, row: number): Corner => ({
      ...{ row, column, absoluteRow: false, absoluteColumn },
    });
    return ['columns', [side(one, dollar === '$', 0), side(other, otherDollar === '$', lastRow)]];
  }
  const [, rowDollar, digits] = rowPattern.exec(word) ?? [];
  const [, otherRowDollar, otherDigits] = rowPattern.exec(second) ?? [];
  if (digits === undefined || otherDigits === undefined) return null;
  const [one, other] = [Number(digits) - 1, Number(otherDigits) - 1];
  if (one > lastRow || other > lastRow) return null;
  const side = (row: number, absoluteRow: boolean, column: number): Corner => ({
    ...{ row, column, absoluteRow, absoluteColumn: false },
  });
  return ['rows', [side(one, rowDollar === '$', 0), side(other, otherRowDollar === '$', lastColumn)]];
}

/** The area of one cell. */
const cellAt = ({
  row,
  column,
  absoluteRow,
  absoluteColumn,
}: Corner): Pick<Reference, 'area' | 'absolute'> => ({
  area: [row, column, row, column],
  absolute: (absoluteRow ? 5 : 0) | (absoluteColumn ? 10 : 0),
});

/** Corners may stand in any order: the area has the first before the last, each side with its own `$`. */
export function between(one: Corner, other: Corner): Pick<Reference, 'area' | 'absolute'> {
  const [top, bottom] = one.row <= other.row ? [one, other] : [other, one];
  const [left, right] = one.column <= other.column ? [one, other] : [other, one];
  const absolute =
    (top.absoluteRow ? 1 : 0) |
    (left.absoluteColumn ? 2 : 0) |
    (bottom.absoluteRow ? 4 : 0) |
    (right.absoluteColumn ? 8 : 0);
  return { area: [top.row, left.column, bottom.row, right.column], absolute };
}

/** The pieces of a formula, without the equals sign before it. Takes any text; put together they are the formula. */
export function partsOf(formula: string): readonly FormulaPart[] {
  if (formula.length > CELL_LIMITS.formulaChars) return [formula];
  return new FormulaReader(formula).read();
}

/** A sheet's name as it stands in a formula: in quotes where it needs them. */
export function quotedSheet(sheet: string, toSheet: string | null = null): string {
  const isPlain = (name: string) =>
    plainSheet.test(name) && !cellPattern.test(name) && !/^(r\d*c?\d*|c\d*|true|false)$/i.test(name);
  const both = toSheet === null ? sheet : `${sheet}:${toSheet}`;
  return isPlain(sheet) && (toSheet === null || isPlain(toSheet)) ? both : `'${both.replaceAll("'", "''")}'`;
}

const dollar = (absolute: number, bit: number): string => (absolute & bit ? '$' : '');

/** The address of a reference without its sheet. */
export function addressOf({ type, area: [r1, c1, r2, c2], absolute }: Reference): string {
  const column1 = `${dollar(absolute, 2)}${columnName(c1)}`;
  const column2 = `${dollar(absolute, 8)}${columnName(c2)}`;
  const row1 = `${dollar(absolute, 1)}${r1 + 1}`;
  const row2 = `${dollar(absolute, 4)}${r2 + 1}`;
  if (type === 'cell') return `${column1}${row1}`;
  if (type === 'columns') return `${column1}:${column2}`;
  if (type === 'rows') return `${row1}:${row2}`;
  return `${column1}${row1}:${column2}${row2}`;
}

export function textOfParts(parts: readonly FormulaPart[]): string {
  // Joined: a text that is added to piece by piece keeps its pieces, which take ten times as much memory.
  return parts.map(textOfPart).join('');
}

function textOfPart(part: FormulaPart): string {
  if (typeof part === 'string') return part;
  const text = isReference(part) ? addressOf(part) : part.word;
  return part.sheet === null ? text : `${quotedSheet(part.sheet, part.toSheet)}!${text}`;
}
