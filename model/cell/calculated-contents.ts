import {
  type CellValue as CalculatedValue,
  type CellContent,
  type Change,
  type Hidden,
  isFormula,
} from '../calculation/calculation.ts';
import { AreaIndex } from './area-index.ts';
import { type Cell, isCalculated, sameContent } from './cell.ts';
import { hidesRows } from './filter-columns.ts';
import { noLine } from './lines.ts';
import type { Row } from './row.ts';
import { type CellValue, isErrorValue, textOfValue } from './values.ts';
import { itemsOf, type Sheet } from './workbook.ts';

/** Excel counts no hidden row of a sheet in totals while one of its filters has criteria, whatever has hidden the row. */
export function hiddenOf({ line }: Row, isFiltering: boolean): Hidden | null {
  if (line === noLine) return null;
  if (line.filtered) return 'by-filter';
  if (!line.hidden) return null;
  return isFiltering ? 'by-filter' : 'by-hand';
}

/** Whether a filter of the sheet, or of a table on it, has criteria. */
export const filters = (sheet: Sheet): boolean =>
  [...itemsOf(sheet, 'filter').values()].some(({ columns }) => hidesRows(columns)) ||
  [...itemsOf(sheet, 'table').values()].some(({ filter }) => hidesRows(filter));

/** What a cell has, as the calculation knows it. */
export function calculatedContent({ formula, value }: Pick<Cell, 'formula' | 'value'>): CellContent {
  const plain = calculatedValue(value);
  if (formula === null || !isCalculated({ formula })) return plain;
  const { span, text } = formula;
  return {
    formula: text,
    kind: span === null ? 'single' : (span.kind as 'array' | 'dynamic'),
    ...(span !== null && { rows: span.rows, columns: span.columns }),
    ...(plain !== null && { stored: plain }),
  };
}

/** A value, as the calculation knows it. */
export function calculatedValue(value: CellValue): CalculatedValue | null {
  if (value === null || typeof value !== 'object') return value;
  return isErrorValue(value) ? { error: value.e } : textOfValue(value);
}

const isSameCell = (old: Cell, now: Cell): boolean => old === now || sameContent(old, now);

/** Whether two rows hold the same in the same cells, as rows do whose cells have come to look otherwise. */
export const holdSame = (one: Row, other: Row): boolean =>
  one.columns === other.columns && one.cells.every((cell, at) => isSameCell(cell, other.cells[at]!));

/**
 * What a row holds that another one does not.
 * @param isSame whether a calculation has to be told nothing of a cell that was another one
 */
export function* cellDifferences(
  sheet: number,
  place: number,
  one: Row,
  other: Row,
  isSame: (old: Cell, now: Cell) => boolean = isSameCell,
): Generator<Change> {
  const row = place + 1;
  let [a, b] = [0, 0];
  while (a < one.columns.length || b < other.columns.length) {
    const column = Math.min(one.columns[a] ?? Infinity, other.columns[b] ?? Infinity);
    const old = one.columns[a] === column ? one.cells[a++]! : undefined;
    const now = other.columns[b] === column ? other.cells[b++]! : undefined;
    if (old && now && isSame(old, now)) continue;
    const content = now ? calculatedContent(now) : null;
    if (content !== null || (old && calculatedContent(old) !== null))
      yield { sheet, row, column: column + 1, content };
  }
}

/** Whether a row is hidden otherwise than it was. */
export function* hiddenDifference(
  sheet: number,
  place: number,
  before: Hidden | null,
  hidden: Hidden | null,
): Generator<Change> {
  if (before !== hidden) yield { sheet, row: place + 1, hidden };
}

/** Areas that are looked at; beyond that, arrays lie over each other as no program makes them. */
const mostLooks = 20_000_000;

/** Values within what a formula among the changes fills came there with it: they are no content. */
export function withoutSpilled(changes: readonly Change[]): readonly Change[] {
  const filled = new AreaIndex();
  let hasFilled = false;
  for (const { row, column, content } of changes.filter((change) => 'content' in change)) {
    if (!isFormula(content) || content.rows === undefined) continue;
    filled.add([row, column, row + content.rows - 1, column + (content.columns ?? 1) - 1], 0);
    hasFilled = true;
  }
  if (!hasFilled) return changes;
  let looks = 0;
  return changes.filter((change) => {
    if (!('content' in change) || change.content === null || isFormula(change.content)) return true;
    if (looks > mostLooks) return true;
    let isFilled = false;
    looks += filled.visit(change.row, change.column, () => {
      isFilled = true;
    });
    return !isFilled;
  });
}
