import { type Cell, sameValue } from '../../../../model/cell/cell.ts';
import { Formula, type FormulaSpan } from '../../../../model/cell/formula/formula.ts';
import type { Grid } from '../../../../model/cell/grid.ts';
import type { Sheet, Workbook } from '../../../../model/cell/workbook.ts';
import type { CalculatedValues } from './calculation.ts';

/** Cells that are looked at: the spans of formulas beyond stay as they are. */
const mostFilled = 10_000_000;

/**
 * A workbook as its file is to have it: the span of each formula that spills is what it has come to fill, and the cells in it have
 * their values, as programs write them that do not calculate a file when they open it.
 */
export function spilledWorkbook(workbook: Workbook, values: CalculatedValues): Workbook {
  let left = mostFilled;
  // Formulas may fill cells over each other, each as many as a sheet has.
  const isInReach = ({ rows, columns }: FormulaSpan) => {
    left -= rows * columns;
    return left >= 0;
  };
  const sheets = workbook.sheets.map((sheet) => spilledSheet(sheet, values, isInReach));
  return sheets.every((sheet, index) => sheet === workbook.sheets[index])
    ? workbook
    : { ...workbook, sheets };
}

function spilledSheet(
  sheet: Sheet,
  values: CalculatedValues,
  isInReach: (span: FormulaSpan) => boolean,
): Sheet {
  const { grid } = sheet;
  const changed: [row: number, column: number, cell: Cell][] = [];
  const set = (row: number, column: number, change: Partial<Cell>) =>
    changed.push([row, column, { ...grid.cell(row, column), ...change }]);
  for (const [formula, row, column] of grid.formulas()) {
    const { span } = formula;
    if (span?.kind !== 'dynamic' || !isInReach(span)) continue;
    const valueAt = (down: number, across: number) => values.of(sheet.id, row + down, column + across);
    const filled = filledBy(span, valueAt, (down, across) => grid.cell(row + down, column + across));
    if (filled.rows !== span.rows || filled.columns !== span.columns)
      set(row, column, { formula: Formula.of(formula.text, filled) });
    for (let down = 0; down < Math.max(span.rows, filled.rows); down++) {
      for (let across = 0; across < Math.max(span.columns, filled.columns); across++) {
        const value = valueAt(down, across);
        const known = grid.cell(row + down, column + across);
        const isOther = known.formula === null && value !== undefined && !sameValue(value, known.value);
        if (isOther) set(row + down, column + across, { value });
      }
    }
  }
  return changed.length === 0 ? sheet : { ...sheet, grid: withCells(grid, changed) };
}

function withCells(grid: Grid, cells: readonly (readonly [number, number, Cell])[]): Grid {
  const edit = grid.edit();
  for (const [row, column, cell] of cells) edit.setCell(row, column, cell);
  return edit.done();
}

/** What a formula fills: the values beside it that are no formula's own. Of those that nobody has calculated, as far as it did. */
function filledBy(
  span: FormulaSpan,
  valueAt: (down: number, across: number) => Cell['value'] | undefined,
  cellAt: (down: number, across: number) => Cell,
): FormulaSpan {
  const isFilled = (down: number, across: number): boolean => {
    if (down === 0 && across === 0) return true;
    const { formula, value } = cellAt(down, across);
    const wasFilled = down < span.rows && across < span.columns;
    if (formula !== null || (value !== null && !wasFilled)) return false;
    const calculated = valueAt(down, across);
    return calculated === undefined ? wasFilled : calculated !== null;
  };
  let columns = 1;
  while (isFilled(0, columns)) columns++;
  const isRowFilled = (down: number) => {
    for (let across = 0; across < columns; across++) if (!isFilled(down, across)) return false;
    return true;
  };
  let rows = 1;
  while (isRowFilled(rows)) rows++;
  return { kind: 'dynamic', rows, columns };
}
