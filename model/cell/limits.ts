/** What a workbook, and an operation on it, may ask of every replica. Beyond any of these an operation is skipped. */
export const CELL_LIMITS = {
  /** Rows and columns of every sheet, as in xlsx. */
  rows: 1_048_576,
  columns: 16_384,
  sheets: 1_000,
  sheetNameChars: 31,
  /** In UTF-16 code units, as in xlsx. */
  formulaChars: 8_192,
  textChars: 32_767,
  /** Cells that one operation writes: a fill, or a format of cells that are there. */
  cellsPerOperation: 2_000_000,
  /** Different formats of cells, unless there were more when the workbook was opened. */
  formats: 64_000,
  /** Parts of one operation that are areas, and items that it puts in. */
  areasPerOperation: 10_000,
} as const;
