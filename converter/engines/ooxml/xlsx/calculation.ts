import type { CellValue } from '../../../../model/cell/values.ts';
import type { Workbook } from '../../../../model/cell/workbook.ts';

/** The values of a workbook's formulas as they are calculated. */
export interface CalculatedValues {
  /** Of a formula, or of a cell that one fills; undefined where it is not known, and what the file says stays. */
  of(sheetId: string, row: number, column: number): CellValue | undefined;
  /** False: the values of some formulas are not known, so programs that open the file should calculate it. */
  readonly isComplete: boolean;
}

export type CalculateWorkbook = (workbook: Workbook) => CalculatedValues;
