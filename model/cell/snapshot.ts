import {
  parseWorkbook,
  type RowJson,
  rowsJsonOf,
  sheetJsonOf,
  type WorkbookJson,
  workbookJsonOf,
} from './document.ts';
import { Grid } from './grid.ts';
import type { Workbook } from './workbook.ts';

/** Rows of a sheet that are written in one go. */
const rowsPerPart = 500;

interface RowsPart {
  readonly sheet: number;
  readonly from: number;
  readonly rows: readonly RowJson[];
}

/** Writes a workbook in parts, each when its function is called. What was removed is not in it. */
export function snapshotOf(workbook: Workbook): readonly (() => string)[] {
  const head = () => {
    const sheets = workbook.sheets.map((sheet) => sheetJsonOf({ ...sheet, grid: Grid.empty }));
    return JSON.stringify({ ...workbookJsonOf({ ...workbook, sheets: [] }), sheets });
  };
  const parts = workbook.sheets.flatMap(({ grid }, sheet) =>
    Array.from({ length: Math.ceil(grid.height / rowsPerPart) }, (_, at) => () => {
      const from = at * rowsPerPart;
      const rows = rowsJsonOf(grid.rows(from, from + rowsPerPart - 1), from);
      return JSON.stringify({ sheet, from, rows } satisfies RowsPart);
    }),
  );
  return [head, ...parts];
}

/** @throws TypeError if the parts are of no workbook */
export function readSnapshot(parts: readonly string[]): Workbook {
  const [head, ...rest] = parts.map((part) => JSON.parse(part) as unknown);
  const json = head as WorkbookJson;
  const rows = new Map<number, RowJson[]>();
  const ends = new Map<number, number>();
  for (const { sheet, from, rows: added } of rest as RowsPart[]) {
    const list = rows.get(sheet) ?? [];
    rows.set(sheet, list);
    let end = ends.get(sheet) ?? 0;
    let place = from;
    for (const [gap, line, ...cells] of added) {
      place += gap;
      list.push([place - end, line, ...cells]);
      place += 1;
      end = place;
    }
    ends.set(sheet, end);
  }
  const sheets = json.sheets.map((sheet, at) => ({ ...sheet, rows: rows.get(at) ?? [] }));
  return parseWorkbook({ ...json, sheets });
}
