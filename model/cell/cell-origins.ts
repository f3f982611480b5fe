import { type Area, lastColumn, lastRow } from './area.ts';
import type { SheetArea } from './formula/formula-reads.ts';
import { Grid } from './grid.ts';
import { LineOrigins, type LineRun } from './line-origins.ts';
import { cellIn, type Row } from './row.ts';
import { type EarlierRow, isTelling, RowMatcher, signatureOf } from './row-matches.ts';
import type { Workbook } from './workbook.ts';

/** Where the cells of a sheet come from. */
export interface SheetOrigin {
  /** The number of the sheet in the earlier version. */
  readonly sheet: number;
  readonly rows: LineOrigins;
  readonly columns: LineOrigins;
}

/** Where the cells of a later version of a workbook stood in an earlier one, as far as whole rows and columns tell. */
export class CellOrigins {
  /** By the number of the sheet in the later version; null for a new one. */
  readonly sheets: readonly (SheetOrigin | null)[];
  /** Whether every sheet is where it was, under its name, and every cell in its place. */
  readonly isStill: boolean;

  constructor(before: Workbook, after: Workbook) {
    const numbers = new Map(before.sheets.map(({ id }, at) => [id, at]));
    this.sheets = after.sheets.map(({ id, grid }) => {
      const sheet = numbers.get(id);
      return sheet === undefined ? null : { sheet, ...gridOrigin(before.sheets[sheet]!.grid, grid) };
    });
    this.isStill =
      before.sheets.length === after.sheets.length &&
      this.sheets.every(
        (origin, at) =>
          origin?.sheet === at &&
          before.sheets[at]!.properties.name === after.sheets[at]!.properties.name &&
          origin.rows.isStill(lastRow) &&
          origin.columns.isStill(lastColumn),
      );
  }

  /** Where an area was that had the same shape and the same cells; null where there was none. */
  of({ sheet, area: [r1, c1, r2, c2] }: SheetArea): SheetArea | null {
    const origin = this.sheets[sheet];
    const down = origin?.rows.shiftOf(r1, r2) ?? null;
    const right = origin?.columns.shiftOf(c1, c2) ?? null;
    if (!origin || down === null || right === null) return null;
    const area: Area = [r1 - down, c1 - right, r2 - down, c2 - right];
    return { sheet: origin.sheet, area };
  }
}

function gridOrigin(before: Grid, after: Grid): Pick<SheetOrigin, 'rows' | 'columns'> {
  const ranges = [...Grid.differences(before, after)];
  const rowsIn = (grid: Grid) => ranges.flatMap(([from, to]) => [...grid.rows(from, to)]);
  const earlier = rowsIn(before).map(([place, row]) => ({ place, row }));
  const later = rowsIn(after);
  const matcher = new RowMatcher<EarlierRow>(earlier);
  matcher.match(later);
  const { sources } = matcher;
  return {
    rows: LineOrigins.of(rowRuns(ranges, later, sources), lastRow),
    columns: LineOrigins.of(columnRuns(before, after, sources), lastColumn),
  };
}

type Sources = ReadonlyMap<number, EarlierRow>;

/** Rows that no difference concerns are where they were. */
function* rowRuns(
  ranges: readonly (readonly [from: number, to: number])[],
  later: readonly (readonly [place: number, row: Row])[],
  sources: Sources,
): Generator<LineRun> {
  let [next, at] = [0, 0];
  for (const [from, to] of [...ranges, [lastRow + 1, lastRow + 1] as const]) {
    if (from > next) yield { first: next, count: from - next, origin: next };
    for (; at < later.length && later[at]![0] <= to; at++) {
      const [first] = later[at]!;
      const origin = sources.get(first)?.place;
      if (origin !== undefined) yield { first, count: 1, origin };
    }
    next = to + 1;
  }
}

/** Rows that are asked where their columns come from. */
const mostVoters = 500;

/** Columns, each from where most rows have it from. */
function columnRuns(before: Grid, after: Grid, sources: Sources): LineRun[] {
  const votes = new Map<number, Map<number, number>>();
  const every = Math.ceil(after.height / mostVoters);
  for (let place = 0; place < after.height; place += every) {
    const row = after.row(place);
    const source = sources.get(place)?.row ?? (before.row(place) === row ? row : undefined);
    if (!row || !source) continue;
    const origins = row === source ? row.columns : columnsIn(source, row);
    for (const [at, column] of row.columns.entries()) {
      const origin = origins[at];
      if (origin === undefined) continue;
      const counts = votes.get(column) ?? new Map<number, number>();
      votes.set(column, counts.set(origin, (counts.get(origin) ?? 0) + 1));
    }
  }
  const taken = new Set<number>();
  return [...votes]
    .sort(([one], [other]) => one - other)
    .flatMap(([first, counts]) => {
      const [origin] = [...counts].reduce((best, one) => (one[1] > best[1] ? one : best));
      if (taken.has(origin)) return [];
      taken.add(origin);
      return [{ first, count: 1, origin }];
    });
}

/** In which columns of an earlier row the cells of a row were; undefined for those that say nothing of it. */
function columnsIn(source: Row, row: Row): (number | undefined)[] {
  const byCell = new Map(source.cells.map((cell, at) => [cell, source.columns[at]!]));
  const bySignature = new Map<string, number>();
  for (const [at, cell] of source.cells.entries())
    if (isTelling(cell)) bySignature.set(signatureOf(cell), source.columns[at]!);
  return row.columns.map((column, at) => {
    const cell = row.cells[at]!;
    const known = byCell.get(cell);
    if (known !== undefined || !isTelling(cell)) return known;
    const signature = signatureOf(cell);
    return signatureOf(cellIn(source, column)) === signature ? column : bySignature.get(signature);
  });
}
