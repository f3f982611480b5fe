import type { CellOperation } from '../operations.ts';

/** More rows and columns than tests ever move cells by. */
const rowCount = 90;
const columnCount = 60;

/**
 * Which cell is which, kept by the simplest means: a table of ids for each sheet, cut and put together as the operations say.
 * It shares nothing with the model, so that it can tell whether the model moves cells as it should.
 */
export class GhostCells {
  readonly sheets = new Map<string, string[][]>();
  readonly #removed = new Map<string, string[][]>();
  /** Which row and which column is which, by sheet and axis: only whole lines move them. */
  readonly #lineIds = new Map<string, string[]>();

  constructor(sheets: readonly string[]) {
    for (const sheet of sheets)
      this.sheets.set(
        sheet,
        tableOf((row, column) => `${sheet}:${row},${column}`),
      );
  }

  clone(): GhostCells {
    const copy = new GhostCells([]);
    for (const [id, rows] of this.sheets)
      copy.sheets.set(
        id,
        rows.map((row) => row.slice()),
      );
    for (const [id, rows] of this.#removed)
      copy.#removed.set(
        id,
        rows.map((row) => row.slice()),
      );
    for (const [key, ids] of this.#lineIds) copy.#lineIds.set(key, ids.slice());
    return copy;
  }

  at(sheet: string, row: number, column: number): string | undefined {
    return this.sheets.get(sheet)?.[row]?.[column];
  }

  /** Where each cell is. */
  places(): Map<string, readonly [sheet: string, row: number, column: number]> {
    const places = new Map<string, readonly [string, number, number]>();
    for (const [sheet, rows] of this.sheets) {
      for (const [row, cells] of rows.entries()) {
        for (const [column, id] of cells.entries()) places.set(id, [sheet, row, column]);
      }
    }
    return places;
  }

  /** @param name of the change: cells that it makes are called after it */
  apply(operation: CellOperation, name: string): void {
    switch (operation.op) {
      case 'several':
        for (const one of operation.operations) this.apply(one, name);
        break;
      case 'insert':
      case 'delete':
      case 'move':
        this.#lines(operation, name);
        break;
      case 'sort':
        this.#sort(operation);
        break;
      case 'moveCells':
        this.#moveCells(operation, name);
        break;
      case 'addSheet':
        this.sheets.set(
          operation.sheet,
          tableOf((row, column) => `${operation.sheet}:${row},${column}`),
        );
        break;
      case 'removeSheet':
        this.#removed.set(operation.sheet, this.sheets.get(operation.sheet)!);
        this.sheets.delete(operation.sheet);
        break;
      case 'restoreSheet':
        this.sheets.set(operation.sheet, this.#removed.get(operation.sheet)!);
        this.#removed.delete(operation.sheet);
        break;
    }
  }

  #lines(operation: CellOperation & { readonly op: 'insert' | 'delete' | 'move' }, name: string): void {
    const { sheet, axis, at, count } = operation;
    if (operation.op === 'move' && operation.to >= at && operation.to <= at + count) return;
    const rows = this.sheets.get(sheet)!;
    const table = axis === 'row' ? rows : turned(rows);
    const [first, last] =
      operation.op !== 'move' && operation.band ? operation.band : [0, table[0]!.length - 1];
    const width = Math.min(last, table[0]!.length - 1) - first + 1;
    const part = table.map((line) => line.slice(first, first + width));
    const isWhole = operation.op === 'move' || !operation.band;
    const across = this.#linesOf(sheet, axis === 'row' ? 'column' : 'row');
    // A cell that an insertion makes is told by the column it is in, or, in a band, by the cell that makes room for it.
    const made = (word: string) =>
      Array.from({ length: count }, (_, line) =>
        Array.from({ length: width }, (_unused, right) => {
          const beside = isWhole ? across[first + right]! : part[at]![right]!;
          return `${name}${word}${line}/${beside}`;
        }),
      );
    const along = this.#linesOf(sheet, axis);
    const ids = Array.from({ length: count }, (_, line) => `${name}+${line}`);
    splice(operation, part, made);
    if (isWhole) splice(operation, along, () => ids);
    for (const [line, cells] of table.entries()) cells.splice(first, width, ...part[line]!);
    this.sheets.set(sheet, axis === 'row' ? table : turned(table));
  }

  #linesOf(sheet: string, axis: 'row' | 'column'): string[] {
    const key = `${sheet}/${axis}`;
    let ids = this.#lineIds.get(key);
    if (!ids) {
      ids = Array.from({ length: axis === 'row' ? rowCount : columnCount }, (_, at) => `${axis}${at}`);
      this.#lineIds.set(key, ids);
    }
    return ids;
  }

  #sort({ sheet, axis, band: [first, last], order }: CellOperation & { readonly op: 'sort' }): void {
    const rows = this.sheets.get(sheet)!;
    const table = axis === 'row' ? rows : turned(rows);
    const places = [...order].sort((one, other) => one - other);
    const cells = order.map((from) => table[from]!.slice(first, last + 1));
    for (const [at, place] of places.entries()) table[place]!.splice(first, last - first + 1, ...cells[at]!);
    this.sheets.set(sheet, axis === 'row' ? table : turned(table));
  }

  #moveCells(operation: CellOperation & { readonly op: 'moveCells' }, name: string): void {
    const {
      sheet,
      area: [r1, c1, r2, c2],
      toSheet,
      row,
      column,
    } = operation;
    if (sheet === toSheet && r1 === row && c1 === column) return;
    const from = this.sheets.get(sheet)!;
    const to = this.sheets.get(toSheet)!;
    const taken: string[][] = [];
    for (let r = r1; r <= r2; r++) {
      taken.push(from[r]!.slice(c1, c2 + 1));
      for (let c = c1; c <= c2; c++) from[r]![c] = `${name}hole/${from[r]![c]}`;
    }
    for (const [down, cells] of taken.entries()) {
      for (const [right, id] of cells.entries()) to[row + down]![column + right] = id;
    }
  }
}

const tableOf = (id: (row: number, column: number) => string): string[][] =>
  Array.from({ length: rowCount }, (_, row) =>
    Array.from({ length: columnCount }, (_unused, column) => id(row, column)),
  );

const turned = (rows: readonly (readonly string[])[]): string[][] =>
  rows[0]!.map((_, column) => rows.map((row) => row[column]!));

/** Cuts lines and puts them together again. */
function splice<Line>(
  operation: CellOperation & { readonly op: 'insert' | 'delete' | 'move' },
  lines: Line[],
  made: (word: string) => Line[],
): void {
  const { at, count } = operation;
  if (operation.op === 'insert') {
    const room = made('+');
    lines.splice(at, 0, ...room);
    lines.length -= count;
  } else if (operation.op === 'delete') {
    const last = made('end');
    lines.splice(at, count);
    lines.push(...last);
  } else {
    const taken = lines.splice(at, count);
    lines.splice(operation.to > at ? operation.to - count : operation.to, 0, ...taken);
  }
}
