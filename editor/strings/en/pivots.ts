const pivots = {
  inPivot: 'This cell is part of a pivot table. What is typed here goes when the table is refreshed.',
  pivotChanged: 'Cells of a pivot table have changed. What they hold now goes when the table is refreshed.',
  pivotTorn:
    'A part of a pivot table cannot be moved, taken out or pushed apart. Select the whole table, or cells beside it.',
} as const;

export const texts = { pivots } as const;
