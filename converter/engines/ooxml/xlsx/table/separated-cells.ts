import { separatorLine } from '../../../../../model/delimiters.ts';

/** What stands between the cells of a table in plain text; undefined where nothing does. */
export type Delimiter = string | undefined;

const quote = '"';
/** So many rows say which cells are in quotation marks. */
const sampledRows = 500;

type Rows = readonly (readonly string[])[];

/** Whether cells are in quotation marks that need not be. */
interface Quoting {
  readonly empty: boolean;
  readonly number: boolean;
  readonly text: boolean;
}

/** The cells of a table in plain text, and how they are written there. */
export class SeparatedCells {
  /** What the cells say, row by row. */
  readonly rows: Rows;
  /** The cells as they stand in the text, with their quotation marks. */
  readonly #written: Rows;
  readonly #delimiter: Delimiter;
  readonly #lineEnd: string;
  /** Whether the last line ends, too. */
  readonly #isEnded: boolean;
  /** The line before the table that names the delimiter; empty without one. */
  readonly #head: string;

  private constructor({
    rows,
    written,
    delimiter,
    lineEnd,
    isEnded,
    head,
  }: { rows: Rows; written: Rows; delimiter: Delimiter; lineEnd: string; isEnded: boolean; head: string }) {
    this.rows = rows;
    this.#written = written;
    this.#delimiter = delimiter;
    this.#lineEnd = lineEnd;
    this.#isEnded = isEnded;
    this.#head = head;
  }

  /**
   * A cell that begins with a quotation mark ends with the next one that stands alone; a mark elsewhere is one of its signs. A
   * last line end begins no row. A first line that names this delimiter (`sep=;`) is none of the table.
   */
  static read(text: string, delimiter: Delimiter): SeparatedCells {
    const rows: string[][] = [];
    const written: string[][] = [];
    let lineEnd: string | undefined;
    let isEnded = false;
    const mark = text.startsWith('\uFEFF') ? 1 : 0;
    const line = separatorLine(text);
    let at = line !== undefined && line.delimiter === delimiter ? line.end : mark;
    const head = text.slice(mark, at);
    while (at < text.length) {
      const row: string[] = [];
      const writtenRow: string[] = [];
      for (;;) {
        const begin = at;
        const quoted = text[begin] === quote ? quotedCell(text, begin) : undefined;
        at = cellEnd(text, quoted?.end ?? begin, delimiter);
        const cell = text.slice(begin, at);
        row.push(quoted === undefined ? cell : quoted.cell + text.slice(quoted.end, at));
        writtenRow.push(quoted?.isOpen ? cell + quote : cell);
        if (at === text.length || text[at] !== delimiter) break;
        at++;
      }
      rows.push(row);
      written.push(writtenRow);
      const end = text.startsWith('\r\n', at) ? '\r\n' : text.slice(at, at + 1);
      isEnded = end !== '';
      if (isEnded) lineEnd ??= end;
      at += end.length;
    }
    lineEnd ??= head.match(/[\r\n]+$/)?.[0] ?? '\n';
    return new SeparatedCells({ rows, written, delimiter, lineEnd, isEnded, head });
  }

  /**
   * Rows as a table that is written like this one: a cell that is in it stands there with the same signs, another one is in
   * quotation marks where those of its sort are, or where it must be. What {@link read} reads of it is the same.
   * @param isNumber whether a text is that of a number
   */
  write(rows: Rows, isNumber: (text: string) => boolean): string {
    const quoting = this.#quoting(isNumber);
    const usual = (cell: string) => {
      const isQuoted =
        cell === ''
          ? quoting.empty
          : this.#mustBeQuoted(cell) ||
            (quoting.number === quoting.text || !isNumber(cell) ? quoting.text : quoting.number);
      return isQuoted ? quote + cell.replaceAll(quote, '""') + quote : cell;
    };
    const stays = (cell: string, place: number, column: number) => this.rows[place]?.[column] === cell;
    const moved = this.#writtenAnywhere(
      new Set(rows.flatMap((row, place) => row.filter((cell, column) => !stays(cell, place, column)))),
    );
    const written = (cell: string, place: number, column: number) =>
      stays(cell, place, column) ? this.#written[place]![column]! : (moved.get(cell) ?? usual(cell));
    const lines = rows.map((row, place) =>
      row.map((cell, column) => written(cell, place, column)).join(this.#delimiter ?? ''),
    );
    const table = lines.join(this.#lineEnd) + (this.#isEnded && lines.length > 0 ? this.#lineEnd : '');
    if (this.#head !== '') return this.#head + table;
    // Cells that would be taken for such a line are in quotation marks.
    const isTaken = separatorLine(table)?.delimiter === (this.#delimiter ?? null);
    return isTaken ? table.replace(/^sep=/i, '"$&"') : table;
  }

  /** Which cells are in quotation marks although they need not be: all of a sort, or none. */
  #quoting(isNumber: (text: string) => boolean): Quoting {
    const bare = new Set<keyof Quoting>();
    const quoted = new Set<keyof Quoting>();
    for (const [place, row] of this.rows.slice(0, sampledRows).entries()) {
      // An empty line has no cell.
      if (row.length === 1 && this.#written[place]![0] === '') continue;
      for (const [column, cell] of row.entries()) {
        if (this.#mustBeQuoted(cell)) continue;
        const sort = cell === '' ? 'empty' : isNumber(cell) ? 'number' : 'text';
        (this.#written[place]![column]!.startsWith(quote) ? quoted : bare).add(sort);
      }
    }
    const all = (sort: keyof Quoting) => quoted.has(sort) && !bare.has(sort);
    const text = all('text');
    const like = (sort: keyof Quoting) => (quoted.has(sort) || bare.has(sort) ? all(sort) : text);
    return { text, empty: like('empty'), number: like('number') };
  }

  /** How cells that say these texts are written, of those that are in this table. */
  #writtenAnywhere(texts: ReadonlySet<string>): Map<string, string> {
    const found = new Map<string, string>();
    if (texts.size === 0) return found;
    for (const [place, row] of this.rows.entries()) {
      for (const [column, cell] of row.entries()) {
        if (cell !== '' && texts.has(cell)) found.set(cell, this.#written[place]![column]!);
      }
    }
    return found;
  }

  #mustBeQuoted(cell: string): boolean {
    return (this.#delimiter !== undefined && cell.includes(this.#delimiter)) || /["\r\n]/.test(cell);
  }
}

/** What a cell in quotation marks says, and where it ends; without an end it is open, and all of the text. */
function quotedCell(text: string, start: number): { cell: string; end: number; isOpen: boolean } {
  let end = start + 1;
  for (;;) {
    const next = text.indexOf(quote, end);
    const isOpen = next < 0;
    if (isOpen || text[next + 1] !== quote) {
      const inside = text.slice(start + 1, isOpen ? text.length : next);
      return { cell: inside.replaceAll('""', quote), end: isOpen ? text.length : next + 1, isOpen };
    }
    end = next + 2;
  }
}

function cellEnd(text: string, from: number, delimiter: Delimiter): number {
  let at = from;
  while (at < text.length && text[at] !== delimiter && text[at] !== '\n' && text[at] !== '\r') at++;
  return at;
}
