import { type Deed, onSheet } from './deed.ts';

const page = {
  ...({
    orientation: 'landscape',
    paper: 9,
    fitsTo: { width: 1, height: 2 },
    gridlines: true,
    headings: true,
  } as const),
  ...{ centersHorizontally: true, header: '&L&"Arial,Bold"a & b&RPage &P', footer: '&C&D' },
  margins: { left: 0.5, right: 0.5, top: 1, bottom: 1, header: 0.3, footer: 0.3 },
} as const;

export const sheetDeeds: readonly Deed[] = [
  {
    name: 'add sheet',
    operations: () => [{ op: 'addSheet', sheet: 'bench.1', name: "Quire's & <new>", at: 1 }],
  },
  {
    name: 'copy sheet',
    operations: ({ workbook, sheet }) => [
      { op: 'addSheet', sheet: 'bench.1', name: 'Quire copy', at: workbook.sheets.length, copyOf: sheet.id },
    ],
  },
  {
    name: 'remove sheet',
    moves: true,
    operations: ({ workbook, sheet }) =>
      workbook.sheets.length === 1 ? null : [{ op: 'removeSheet', sheet: sheet.id }],
  },
  {
    name: 'restore sheet',
    moves: true,
    operations: ({ workbook, sheet }) =>
      workbook.sheets.length === 1
        ? null
        : [
            { op: 'removeSheet', sheet: sheet.id },
            { op: 'restoreSheet', sheet: sheet.id },
          ],
  },
  { name: 'rename sheet', moves: true, operations: onSheet('', { name: "Quire's & <one>" }).operations },
  {
    name: 'move sheet',
    operations: ({ workbook, sheet }) =>
      workbook.sheets.length === 1
        ? null
        : [{ op: 'moveSheet', sheet: sheet.id, to: workbook.sheets.length - 1 }],
  },
  {
    name: 'hide sheet',
    operations: ({ workbook, sheet }) =>
      workbook.sheets.length === 1 ? null : [{ op: 'sheet', sheet: sheet.id, patch: { state: 'hidden' } }],
  },
  onSheet('colour sheet', { color: { rgb: '00FF00' } }),
  onSheet('freeze', { frozen: { rows: 1, columns: 1 } }),
  onSheet('unfreeze', { frozen: null }),
  onSheet('protect sheet', { protection: { allows: ['selectLocked', 'sort', 'filter'] } }),
  onSheet('unprotect sheet', { protection: null }),
  onSheet('set view', {
    ...{ hidesGridlines: true, hidesHeadings: true, zoomPercent: 75, rightToLeft: true },
    ...{ showsFormulas: true, hidesZeros: true, summaryAbove: true, summaryLeft: true },
  }),
  onSheet('set sizes', { rowHeight: 20, columnWidth: 12 }),
  onSheet('set page', { page }),
  onSheet('reset page', { page: null }),
  { name: 'protect workbook', operations: () => [{ op: 'workbook', patch: { protected: true } }] },
  { name: 'recalculate', operations: () => [{ op: 'recalculate', when: [1_764_000_000_000, 7] }] },
];
