/** What a workbook, and an operation on it, may ask of every replica. Beyond any of these an operation is skipped. */
export const CELL_LIMITS = {
  sheets: 1_000,
  sheetNameChars: 31,
  /** In UTF-16 code units, as in xlsx. */
  formulaChars: 8_192,
  textChars: 32_767,
  /** Cells that one operation writes or looks through, beyond those that its sheet has: a format of cells that are there. */
  cellsPerOperation: 1_100_000,
  cellsPerFill: 500_000,
  /** What several operations write or look through together. */
  cellsPerSeveral: 5_000_000,
  /** Cells, rows and items of all sheets together. Removed sheets that can come back have as many again. */
  kept: 3_000_000,
  /** So many more an operation makes at most where there are more than that: in a workbook that had them when it was opened. */
  keptBeyond: 1_000,
  /** Different formats of cells, unless there were more when the workbook was opened. */
  formats: 64_000,
  /** Items of one kind that a sheet, or the workbook, has; there may have been more when it was opened. */
  itemsOfKind: 100_000,
  /** References beside the model that follow cells, of all sheets together. */
  held: 200_000,
  /** Cells of other workbooks whose values are kept, a long text as several; there may have been more when it was opened. */
  linkedWeight: 200_000,
  /** Characters of the name of a sheet of another workbook. */
  linkedNameChars: 255,
  /** Parts of one operation that are areas, and items that it puts in. */
  areasPerOperation: 10_000,
  /** Series of a chart and colours of a gradient as in Excel, points of a series that look otherwise, and values that a file had last. */
  chartSeries: 255,
  chartStops: 10,
  chartPoints: 500,
  chartValues: 10_000,
} as const;
