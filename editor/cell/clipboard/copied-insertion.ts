import type { Area, Axis } from '../../../model/cell/area.ts';
import { applyOperation } from '../../../model/cell/change.ts';
import type { FormatSettings } from '../../../model/cell/formats/shown-value.ts';
import { Formula } from '../../../model/cell/formula/formula.ts';
import type { CellOperation, InsertLines } from '../../../model/cell/operations.ts';
import { regionOf, structureMapOf } from '../../../model/cell/structure-map.ts';
import { sheetOf, type Workbook } from '../../../model/cell/workbook.ts';
import { copiedRules } from '../commands/copied-rules.ts';
import { rulesOf } from '../commands/ruled-areas.ts';
import { type CellPosition, cornerOf, rangeOf } from '../grid/cell-areas.ts';
import { type CellTable, widthOfTable } from './cell-table.ts';
import type { Copied } from './copied.ts';
import { pasteOperations } from './paste.ts';
import { plainPaste } from './paste-options.ts';
import { pastedLinks } from './pasted-links.ts';

/** Where copied cells come in between others. */
export interface InsertionPlace {
  readonly sheet: string;
  /** `row`: others move down; `column`: to the right. */
  readonly axis: Axis;
  /** Their first cell. */
  readonly cell: CellPosition;
}

/** The cells that a table comes to. */
export function insertedArea(table: CellTable, lines: Axis | null, { axis, cell }: InsertionPlace): Area {
  const row = lines === 'column' && axis === 'column' ? 0 : cell.row;
  const column = lines === 'row' && axis === 'row' ? 0 : cell.column;
  return [row, column, row + table.rows.length - 1, column + widthOfTable(table) - 1];
}

/**
 * The operations by which copied cells come in between others. Their formulas are those of a copy that is made when room has been
 * made for it: what they refer to may have moved.
 */
export function insertionOf(
  workbook: Workbook,
  { sheet: from, lines }: Pick<Copied, 'sheet' | 'lines'>,
  table: CellTable,
  place: InsertionPlace,
  { settings, newId }: { readonly settings: FormatSettings; readonly newId: () => string },
): CellOperation[] {
  const { sheet, axis } = place;
  const area = insertedArea(table, lines, place);
  const [at, end] = axis === 'row' ? [area[0], area[2]] : [area[1], area[3]];
  const band = axis === 'row' ? ([area[1], area[3]] as const) : ([area[0], area[2]] as const);
  const insert: InsertLines = {
    ...{ op: 'insert', sheet, axis, at, count: end - at + 1 },
    ...(lines !== axis && { band }),
  };
  const after = applyOperation(workbook, insert);
  if (typeof after === 'string') return [insert];
  const pasted = placedTable(table, cornerOf(area), (formula, source, to) => {
    const before = sheetOf(workbook, from)?.grid.cell(source.row, source.column).formula;
    const [moved] = structureMapOf(insert)!.forward(regionOf(from, rangeOf(source)));
    const now = moved && cornerOf(moved.area);
    const followed = now && sheetOf(after, from)?.grid.cell(now.row, now.column).formula;
    // Something else may stand there since it was copied.
    return before?.equals(formula) && now && followed
      ? Formula.copied(followed, to.row - now.row, to.column - now.column)
      : Formula.copied(formula, to.row - source.row, to.column - source.column);
  });
  return [
    insert,
    ...pasteOperations({
      ...{ sheet, table: pasted, target: rangeOf(cornerOf(area)), used: null, options: plainPaste },
      ...{ settings, newId },
      // There is nothing yet where room has been made.
      contentAt: () => ({ value: null, formula: null }),
      formatAt: () => ({}),
      isCovered: () => false,
      mergesIn: () => [],
    }),
    ...carriedOperations(after, from, { table, pasted, area, insert, newId }),
  ];
}

/** The rules and links that copied cells take along. */
function carriedOperations(
  after: Workbook,
  from: string,
  {
    table: { origin },
    pasted,
    area,
    insert,
    newId,
  }: {
    /** As it was copied, and as it is pasted. */
    readonly table: CellTable;
    readonly pasted: CellTable;
    readonly area: Area;
    readonly insert: InsertLines;
    readonly newId: () => string;
  },
): CellOperation[] {
  const [sheet, source] = [sheetOf(after, insert.sheet)!, sheetOf(after, from)];
  const links = pastedLinks(sheet, pasted, area, { options: plainPaste, newId });
  if (!origin || !source) return links;
  const map = structureMapOf(insert)!;
  /** Where lines are that cells were copied of, now that room has been made. */
  const placeOf = (row: number, column: number): CellPosition | null => {
    const [moved] = map.forward(regionOf(from, rangeOf({ row, column })));
    return moved ? cornerOf(moved.area) : null;
  };
  const rows = origin.rows.map((row) => placeOf(row, origin.columns[0]!)?.row ?? row);
  const columns = origin.columns.map((column) => placeOf(origin.rows[0]!, column)?.column ?? column);
  const rules = copiedRules(
    sheet,
    [{ rows, columns, to: area }],
    { rules: rulesOf(source), isSame: source === sheet },
    { kinds: ['condition', 'validation'], newId },
  );
  return [...rules, ...links];
}

/** A table whose formulas are as they come to be from a cell on. */
function placedTable(
  table: CellTable,
  { row, column }: CellPosition,
  copied: (formula: Formula, source: CellPosition, to: CellPosition) => Formula,
): CellTable {
  const { origin } = table;
  if (!origin) return table;
  const rows = table.rows.map((cells, down) =>
    cells.map((cell, across) => {
      if (!cell.formula) return cell;
      const source = { row: origin.rows[down]!, column: origin.columns[across]! };
      const to = { row: row + down, column: column + across };
      return { ...cell, formula: copied(cell.formula, source, to) };
    }),
  );
  const there = {
    rows: origin.rows.map((_, down) => row + down),
    columns: origin.columns.map((_, across) => column + across),
  };
  return { ...table, rows, origin: { ...origin, ...there } };
}
