import { isColumn, isRow } from './area.ts';
import { CELL_LIMITS } from './limits.ts';
import { type CellValue, isErrorValue } from './values.ts';

/** A cell of another workbook as it was last read; null: it was empty. */
export type LinkedCell = readonly [row: number, column: number, value: CellValue];

/** A sheet of another workbook, of which those cells are known that somebody has asked for. */
export interface LinkedSheet {
  readonly name: string;
  readonly cells: readonly LinkedCell[];
}

/** Whether a value from JSON is a list of sheets of another workbook. */
export function isLinkedSheets(value: unknown): value is readonly LinkedSheet[] {
  return Array.isArray(value) && value.length <= CELL_LIMITS.sheets && value.every(isLinkedSheet);
}

function isLinkedSheet(value: unknown): value is LinkedSheet {
  const { name, cells, ...others } = (value ?? {}) as { name?: unknown; cells?: unknown };
  return (
    typeof name === 'string' &&
    name !== '' &&
    name.length <= CELL_LIMITS.linkedNameChars &&
    Array.isArray(cells) &&
    cells.length <= CELL_LIMITS.linkedWeight &&
    cells.every(isLinkedCell) &&
    Object.keys(others).length === 0
  );
}

function isLinkedCell(value: unknown): value is LinkedCell {
  return (
    Array.isArray(value) &&
    value.length === 3 &&
    isRow(value[0]) &&
    isColumn(value[1]) &&
    isLinkedValue(value[2])
  );
}

function isLinkedValue(value: unknown): value is CellValue {
  if (value === null || typeof value === 'boolean') return true;
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value === 'string') return value.length <= CELL_LIMITS.textChars;
  return (
    typeof value === 'object' && isErrorValue(value as CellValue) && (value as { e: string }).e.length <= 20
  );
}
