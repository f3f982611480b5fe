import type { Area } from '../../../model/cell/area.ts';
import { below, cellAt, type Deed, setting } from './deed.ts';

export const cellDeeds: readonly Deed[] = [
  setting('set number', { v: 42.5 }),
  setting('set text', { v: ' Quire <&> "here"\n_x0041_ 😀' }),
  setting('set truth', { v: true }),
  setting('set error', { v: { e: '#N/A' } }),
  setting('set formula', { f: 'SUM(1,2)*A1048576', v: 0 }),
  setting('set array formula', { f: { t: 'ROW(A1:A2)', a: ['array', 1, 1] }, v: 1 }),
  setting('set rich text', {
    v: { r: [{ t: 'bold', font: { bold: true, size: 11, name: 'Arial' } }, { t: ' plain' }] },
  }),
  setting('set with a format', { v: 45_000, s: 0 }, [
    {
      number: 'yyyy-mm-dd "day"',
      font: { bold: true, color: { rgb: 'FF0000' }, size: 14 },
      fill: { pattern: 'solid', color: { theme: 4, tint: 0.4 } },
      border: {
        top: { style: 'thin', color: { indexed: 10 } },
        diagonal: { style: 'dashed' },
        diagonalUp: true,
      },
      align: { horizontal: 'center', rotation: 45, indent: 1 },
      protection: { locked: false },
    },
  ]),
  {
    name: 'paste block',
    operations: (place) => {
      const [row, column] = below(place, 2, 3);
      const rows = [
        [1, 'two', { f: 'A1+1', v: 0 }],
        [null, false, { v: { e: '#DIV/0!' } }],
      ];
      return [{ op: 'block', sheet: place.sheet.id, row, column, rows }];
    },
    touched: (place) => [below(place, 2, 3)],
  },
  ...(['content', 'format', 'all'] as const).map(
    (part): Deed => ({
      name: `clear ${part}`,
      operations: (place) => [{ op: 'clear', sheet: place.sheet.id, areas: [cellAt(place)], part }],
      touched: (place) => [cellAt(place)],
    }),
  ),
  {
    name: 'fill',
    operations: ({ sheet, row, columns, rows }) => [
      {
        ...{ op: 'fill', sheet: sheet.id, part: 'all' },
        from: [row, 0, row, columns - 1],
        to: [rows, 0, rows + 2, columns - 1],
      },
    ],
    touched: ({ rows, columns }) => [[rows, 0, rows + 2, columns - 1]],
  },
  {
    name: 'format cells',
    operations: (place) => [
      {
        ...{ op: 'format', sheet: place.sheet.id, areas: [[0, 0, place.row, place.column]] },
        patch: { font: { bold: true }, fill: { pattern: 'solid', color: { rgb: 'FFFF00' } } },
      },
    ],
  },
  {
    name: 'cut cells',
    moves: true,
    operations: (place) => {
      const [row, column] = below(place, 2, 2);
      const area: Area = [place.row, place.column, place.row + 1, place.column + 1];
      const { id } = place.sheet;
      return [{ op: 'moveCells', sheet: id, area, toSheet: id, row: row + 1, column: column + 1 }];
    },
    office: ({ row, column, rows }, sheet) => [
      'cut',
      sheet,
      row,
      column,
      row + 1,
      column + 1,
      sheet,
      rows + 2,
      1,
    ],
  },
  {
    name: 'cut cells to another sheet',
    moves: true,
    operations: ({ workbook, sheet, row, column }) => {
      const other = workbook.sheets.find(
        ({ id, properties }) => id !== sheet.id && (properties.type ?? 'cells') === 'cells',
      );
      if (!other) return null;
      const area: Area = [row, column, row, column];
      return [
        { op: 'moveCells', sheet: sheet.id, area, toSheet: other.id, row: other.grid.height + 1, column: 0 },
      ];
    },
  },
];
