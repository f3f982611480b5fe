import { type Area, type Axis, areaOf } from '../area.ts';
import type { Chart } from '../chart.ts';
import type { LinkedCell } from '../linked-book.ts';
import type { CellInput, CellOperation } from '../operations.ts';
import { itemsOf, type Sheet, type Workbook } from '../workbook.ts';
import { randomChartChange } from './random-chart-changes.ts';

/** Numbers from 0 to less than 1, the same for a seed. */
export function randomOf(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Tests work in this corner of each sheet. */
export const testRows = 16;
export const testColumns = 9;

/** Operations of all kinds, as an editor could make them on a workbook. */
export class RandomOperations {
  readonly #random: () => number;
  readonly #client: string;
  #count = 0;

  constructor(random: () => number, client: string) {
    this.#random = random;
    this.#client = client;
  }

  below(count: number): number {
    return Math.floor(this.#random() * count);
  }

  pick<Value>(values: readonly Value[]): Value {
    return values[this.below(values.length)]!;
  }

  id(): string {
    return `${this.#client}.${this.#count++}`;
  }

  /** A text that no other operation has. */
  marker(): string {
    return `${this.#client}#${this.#count++}`;
  }

  area(height = 4, width = 4): Area {
    const row = this.below(testRows - height);
    const column = this.below(testColumns - width);
    return [row, column, row + this.below(height), column + this.below(width)];
  }

  set(workbook: Workbook): CellOperation {
    const cells = Array.from({ length: 1 + this.below(3) }, (): [number, number, CellInput] => {
      const input: CellInput =
        this.below(4) === 0 ? { f: this.formula(workbook), v: this.marker() } : { v: this.marker() };
      const styled = this.below(5) === 0 ? { ...input, s: 0 } : input;
      return [this.below(testRows), this.below(testColumns), styled];
    });
    const unique = new Map(cells.map((cell) => [`${cell[0]},${cell[1]}`, cell]));
    return {
      op: 'set',
      sheet: this.pick(workbook.sheets).id,
      cells: [...unique.values()],
      formats: [{ font: { size: 8 + this.below(4) } }],
    };
  }

  formula(workbook: Workbook): string {
    const cell = () => `${String.fromCharCode(65 + this.below(testColumns))}${1 + this.below(testRows)}`;
    const sheet = this.pick(workbook.sheets).properties.name.replaceAll("'", "''");
    return this.pick([
      () => cell(),
      () => `SUM(${cell()}:${cell()})*2`,
      () => `'${sheet}'!${cell()}+$A$1`,
      () => `SUM(B:C)+${cell()}&"A1"`,
      () => `LOG10(${cell()})+SUM(2:3)`,
      () => `[${1 + this.below(2)}]Prices!${cell()}*2`,
    ])();
  }

  /** Moves cells. @param sorts with sorting, which takes formulas along as copies */
  structure(workbook: Workbook, sorts = true): CellOperation {
    const sheet = this.pick(workbook.sheets).id;
    const axis = this.pick(['row', 'row', 'column'] as const);
    const size = axis === 'row' ? testRows : testColumns;
    const at = this.below(size - 3);
    const count = 1 + this.below(2);
    const across = this.below(4);
    const band = this.below(3) === 0 ? { band: [across, across + this.below(4)] as const } : {};
    switch (this.below(sorts ? 10 : 8)) {
      case 0:
      case 1:
      case 2:
        return {
          op: 'insert',
          sheet,
          axis,
          at,
          count,
          ...band,
          ...(this.below(2) ? { like: 'before' as const } : {}),
        };
      case 3:
      case 4:
        return { op: 'delete', sheet, axis, at, count, ...band };
      case 5:
      case 6:
        return { op: 'move', sheet, axis, at, count, to: this.below(size) };
      case 7:
        return this.moveCells(workbook);
      default:
        return this.sort(sheet, axis);
    }
  }

  moveCells(workbook: Workbook): CellOperation {
    const [row, column] = [this.below(testRows - 4), this.below(testColumns - 4)];
    const [sheet, toSheet] = [this.pick(workbook.sheets).id, this.pick(workbook.sheets).id];
    return {
      op: 'moveCells',
      sheet,
      area: this.area(3, 3),
      toSheet: this.below(3) ? sheet : toSheet,
      row,
      column,
    };
  }

  sort(sheet: string, axis: Axis): CellOperation {
    const size = axis === 'row' ? testRows : testColumns;
    const from = this.below(size - 4);
    const order = Array.from({ length: 2 + this.below(4) }, (_, at) => from + at).filter(
      (place) => place < size,
    );
    for (let at = order.length - 1; at > 0; at--) {
      const other = this.below(at + 1);
      [order[at], order[other]] = [order[other]!, order[at]!];
    }
    const first = this.below(3);
    return { op: 'sort', sheet, axis, band: [first, first + this.below(5)], order };
  }

  /** Anything but sets and moves of cells. */
  other(workbook: Workbook): CellOperation {
    const sheet = this.pick(workbook.sheets);
    const { id } = sheet;
    switch (this.below(25)) {
      case 8:
      case 9:
        return this.protection(sheet, workbook);
      case 10:
        return {
          op: 'sheet',
          sheet: id,
          patch: {
            page: this.pick([
              null,
              { orientation: 'landscape' as const, header: this.marker() },
              { paper: 9 },
            ]),
          },
        };
      case 0:
        return {
          op: 'clear',
          sheet: id,
          areas: [this.area()],
          part: this.pick(['content', 'format', 'all'] as const),
        };
      case 1:
        return { op: 'fill', sheet: id, from: this.area(2, 2), to: this.area(5, 4), part: 'all' };
      case 2:
        return {
          op: 'format',
          sheet: id,
          areas: [this.pick([this.area(), areaOf('row', 3, 4), areaOf('column', 2, 2)])],
          patch: { font: { bold: this.below(2) ? true : null, size: 10 + this.below(3) }, number: '0.00' },
        };
      case 3: {
        const axis = this.pick(['row', 'column'] as const);
        const from = this.below(6);
        const patch = this.pick([
          { size: 20 + this.below(9) },
          { filtered: this.below(2) ? true : null },
          { hidden: true },
          { level: 1 },
          { hidden: null },
        ]);
        return { op: 'lines', sheet: id, axis, spans: [[from, from + this.below(3)]], patch };
      }
      case 4:
        return {
          op: 'block',
          sheet: id,
          row: this.below(testRows - 3),
          column: this.below(testColumns - 3),
          rows: [
            [this.marker(), 1, null],
            [true, { f: this.formula(workbook) }, { v: null }],
          ],
        };
      case 5:
        return this.sheets(workbook);
      case 6:
        return {
          op: 'sheet',
          sheet: id,
          patch: this.pick([
            { name: `N${this.below(4)}` },
            { frozen: { rows: 2, columns: 1 } },
            { color: { rgb: 'FF0000' } },
            { zoomPercent: 120 },
          ]),
        };
      case 7:
        return {
          op: 'put',
          sheet: null,
          kind: 'name',
          id: this.id(),
          item: { name: `Name${this.below(5)}`, formula: this.formula(workbook) },
        };
      case 11:
      case 12:
        return this.book(workbook);
      case 13:
        return this.name(workbook) ?? this.item(sheet, workbook);
      case 14:
        return {
          op: 'several',
          operations: [this.set(workbook), this.item(sheet, workbook), this.book(workbook)],
        };
      case 15:
        return { op: 'recalculate' };
      default:
        return this.item(sheet, workbook);
    }
  }

  /** Takes in another workbook that formulas read, learns more of it, or forgets it. */
  book(workbook: Workbook): CellOperation {
    const place = { sheet: null, kind: 'book', id: String(1 + this.below(2)) } as const;
    const cell: LinkedCell = [this.below(testRows), this.below(testColumns), this.below(99)];
    const sheets = [{ name: 'Prices', cells: [cell] }];
    if (!workbook.items.book?.has(place.id))
      return { op: 'put', ...place, item: { address: `${this.marker()}.xlsx`, sheets } };
    const source = { fileKey: this.marker(), instanceId: 'storage' };
    return this.pick<CellOperation>([
      { op: 'patch', ...place, patch: { sheets } },
      { op: 'patch', ...place, patch: this.pick([{ source }, { source: null }]) },
      { op: 'drop', ...place },
    ]);
  }

  /** Changes a name, or takes it away; null where there is none. */
  name(workbook: Workbook): CellOperation | null {
    const ids = [...(workbook.items.name?.keys() ?? [])];
    if (ids.length === 0) return null;
    const place = { sheet: null, kind: 'name', id: this.pick(ids) } as const;
    return this.pick<CellOperation>([
      { op: 'patch', ...place, patch: { name: `Name${this.below(5)}` } },
      { op: 'patch', ...place, patch: { formula: this.formula(workbook) } },
      { op: 'drop', ...place },
    ]);
  }

  /** Protects, opens cells for it, and mostly takes the protection off again. */
  protection({ id, properties }: Sheet, workbook: Workbook): CellOperation {
    if (workbook.properties.protected) return { op: 'workbook', patch: { protected: null } };
    if (properties.protection) return { op: 'sheet', sheet: id, patch: { protection: null } };
    return this.pick<CellOperation>([
      {
        ...{ op: 'format', sheet: id, areas: [this.area(), areaOf('row', 2, 9)] },
        patch: { protection: { locked: this.below(3) === 0 } },
      },
      {
        ...{ op: 'sheet', sheet: id },
        patch: { protection: { allows: ['deleteRows', 'sort', 'formatCells', 'formatRows'] } },
      },
      { op: 'workbook', patch: { protected: true } },
    ]);
  }

  sheets(workbook: Workbook): CellOperation {
    const { id } = this.pick(workbook.sheets);
    const [removed] = workbook.removed.keys();
    if (removed !== undefined && this.below(2)) return { op: 'restoreSheet', sheet: removed };
    if (workbook.sheets.length < 3) {
      return {
        op: 'addSheet',
        sheet: this.id(),
        name: `N${this.below(3)}`,
        at: this.below(3),
        ...(this.below(3) ? {} : { copyOf: id }),
      };
    }
    return this.below(2)
      ? { op: 'removeSheet', sheet: id }
      : { op: 'moveSheet', sheet: id, to: this.below(3) };
  }

  chart(sheet: string, id: string, chart: Chart, workbook: Workbook): CellOperation {
    const change = randomChartChange(chart, {
      below: (count) => this.below(count),
      pick: (values) => this.pick(values),
      marker: () => this.marker(),
      reference: () => {
        const name = this.pick(workbook.sheets).properties.name.replaceAll("'", "''");
        return `'${name}'!$B$${1 + this.below(4)}:$B$${5 + this.below(9)}`;
      },
    });
    return { op: 'chart', sheet, id, ...change };
  }

  item(sheet: Sheet, workbook: Workbook): CellOperation {
    const kind = this.pick([
      'comment',
      'merge',
      'condition',
      'validation',
      'link',
      'table',
      'drawing',
      'filter',
      'openRange',
      'pageBreak',
    ] as const);
    const ids = [...itemsOf(sheet, kind).keys()];
    const known = ids.length > 0 ? this.pick(ids) : null;
    const place = { sheet: sheet.id, kind };
    if (known && this.below(4) === 0) return { op: 'drop', ...place, id: known };
    const areas = [this.area(), this.area()];
    const cell: [number, number] = [this.below(testRows), this.below(testColumns)];
    const changes = {
      comment: [{ text: this.marker() }, { done: true }],
      merge: [{ area: this.area() }],
      condition: [{ areas }, { priority: 1 + this.below(5) }],
      validation: [{ formulas: [this.formula(workbook)] }],
      link: [{ location: this.formula(workbook) }],
      table: [{ name: `Table${this.below(5)}` }, { style: 'Dark' }],
      drawing: [{ order: this.below(9) }],
      filter: [{ columns: [{ column: this.below(3), values: [this.marker()] }] }],
      openRange: [{ areas }],
      pageBreak: [{ cell }],
    } as const;
    const { chart } = (kind === 'drawing' && known && itemsOf(sheet, kind).get(known)) || {};
    if (chart && known && this.below(4) > 0) return this.chart(sheet.id, known, chart, workbook);
    if (known && this.below(2))
      return { op: 'patch', ...place, id: known, patch: this.pick<Record<string, unknown>>(changes[kind]) };
    const table = this.area();
    const item = {
      comment: {
        cell,
        author: this.#client,
        date: null,
        text: this.marker(),
        ...(known && this.below(2) ? { parent: known } : {}),
      },
      merge: { area: this.area() },
      condition: { areas, type: 'expression', priority: 1, formulas: [this.formula(workbook)] },
      validation: { areas, type: 'custom' as const, formulas: [this.formula(workbook)] },
      link: { area: this.area(1, 1), location: this.formula(workbook) },
      table: {
        area: table,
        name: `Table${this.below(5)}`,
        hasHeader: true,
        columns: Array.from({ length: table[3] - table[1] + 1 }, (_, at) => ({ name: `C${at}` })),
      },
      drawing: {
        kind: 'chart' as const,
        anchor: { from: [...cell, 0, 0] as [number, number, number, number], follows: 'move' as const },
        order: 1,
        chart: { type: 'line', series: [{ values: this.formula(workbook) }] },
      },
      filter: { area: this.area(), columns: [] },
      openRange: { areas, name: this.marker() },
      pageBreak: { axis: 'row' as const, cell },
    }[kind];
    return { op: 'put', ...place, id: this.id(), item };
  }
}
