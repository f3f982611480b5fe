import type { Area } from '../../../model/cell/area.ts';
import type { ItemOf } from '../../../model/cell/items.ts';
import type { CellOperation } from '../../../model/cell/operations.ts';
import type { Sheet } from '../../../model/cell/workbook.ts';
import { below, changing, type Deed, dropping, type Place, putting, quoted } from './deed.ts';

/** Bytes of a picture, and its path in the model. */
export const PICTURE_PATH = 'media/quire-bench.png';
export const PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

const GROUPINGS = { column: 'clustered', bar: 'clustered', line: 'standard', area: 'standard' } as const;

/** The line around a new chart, and below it. */
const THIN = { color: { theme: 1, tint: 0.85 }, width: 0.75 };

const axesOf = (type: string) => ({
  category: { stroke: THIN, ...(type === 'scatter' && { gridlines: false, between: false }) },
  value: { stroke: { none: true } as const, ...(['scatter', 'area'].includes(type) && { between: false }) },
});

/** With all that a file of such a chart says, so that it is read as it is meant. */
function chart(sheet: Sheet, type: string): ItemOf<'drawing'>['chart'] {
  const marks = type === 'line' ? { marker: { symbol: 'none' } } : {};
  const references = (column: string) => `${quoted(sheet)}!$${column}$1:$${column}$3`;
  return {
    type,
    ...(type in GROUPINGS && { grouping: GROUPINGS[type as keyof typeof GROUPINGS] }),
    ...(type !== 'pie' && type !== 'doughnut' && { valueFormat: 'General', axes: axesOf(type) }),
    ...{ background: { theme: 0 }, stroke: THIN, textColor: { theme: 1, tint: 0.35 } },
    ...(type === 'doughnut' && { holePercent: 50 }),
    title: 'A & B',
    legend: 'right',
    series: [
      { name: '"one"', categories: references('A'), values: references('B'), ...marks },
      { values: references('C'), ...marks },
    ],
  };
}
const anchor: ItemOf<'drawing'>['anchor'] = { from: [1, 1, 0, 0], to: [12, 6, 0, 0], follows: 'both' };

/** A table of words below all cells. */
function newTable(place: Place): CellOperation[] {
  const area = below(place, 3, 2);
  const { id } = place.sheet;
  const rows = [
    ['First', 'Second'],
    [1, 2],
    [3, 4],
  ];
  const columns = [{ name: 'First' }, { name: 'Second' }];
  const item = {
    area,
    name: 'QuireTable',
    hasHeader: true,
    columns,
    style: 'TableStyleMedium2',
    rowStripes: true,
  };
  return [
    { op: 'block', sheet: id, row: area[0], column: 0, rows },
    { op: 'put', sheet: id, kind: 'table', id: 'bench.1', item },
  ];
}

export const itemDeeds: readonly Deed[] = [
  {
    ...putting('merge', 'merge', (place) => ({ area: below(place, 2, 2) })),
  },
  dropping('merge'),
  putting('put filter', 'filter', ({ rows, columns }) => ({
    area: [0, 0, rows - 1, columns - 1],
    columns: [
      { column: 0, values: ['1', 'a & b'], blanks: true },
      ...(columns > 1 ? [{ column: 1, conditions: [{ operator: 'greaterThan', value: '2' }] }] : []),
      ...(columns > 2 ? [{ column: 2, top: { count: 3, percent: false, bottom: false } }] : []),
    ],
  })),
  dropping('filter'),
  changing('change filter', 'filter', () => ({ columns: [{ column: 0, values: ['x'] }] })),
  putting('put condition by value', 'condition', (place) => ({
    ...{
      areas: [below(place, 3, 3), [0, 0, 1, 1]],
      type: 'cellIs',
      priority: 1,
      operator: 'between',
      formulas: ['1', 'A1*2'],
    },
    format: {
      font: { bold: true, color: { rgb: '9C0006' } },
      fill: { pattern: 'solid', color: { rgb: 'FFC7CE' } },
    },
  })),
  putting('put condition by formula', 'condition', () => ({
    ...{ areas: [[0, 0, 9, 9]], type: 'expression', priority: 1, formulas: ['A1<>"<&>"'], stops: true },
    format: { number: '0.000', border: { left: { style: 'thin' } } },
  })),
  putting('put scale', 'condition', () => ({
    ...{ areas: [[0, 0, 9, 9]], type: 'colorScale', priority: 1, formulas: [] },
    points: [
      { type: 'min', color: { rgb: 'F8696B' } },
      { type: 'percentile', value: '50', color: { rgb: 'FFEB84' } },
      { type: 'max', color: { rgb: '63BE7B' } },
    ],
  })),
  putting('put bar', 'condition', () => ({
    ...{ areas: [[0, 0, 9, 9]], type: 'dataBar', priority: 1, formulas: [], color: { rgb: '638EC6' } },
    points: [{ type: 'min' }, { type: 'max' }],
  })),
  putting('put icons', 'condition', () => ({
    ...{ areas: [[0, 0, 9, 9]], type: 'iconSet', priority: 1, formulas: [], icons: '3TrafficLights1' },
    points: [
      { type: 'percent', value: '0' },
      { type: 'percent', value: '33' },
      { type: 'percent', value: '67' },
    ],
  })),
  dropping('condition'),
  changing('change condition', 'condition', () => ({ areas: [[2, 2, 5, 5]], priority: 1 })),
  putting('put validation', 'validation', () => ({
    ...{ areas: [[0, 0, 9, 0]], type: 'list', formulas: ['"a,b & c"'], allowsBlank: true, showsError: true },
    ...{
      style: 'warning',
      errorTitle: 'No <',
      error: 'Choose',
      showsPrompt: true,
      promptTitle: 'P',
      prompt: 'a\nb',
    },
  })),
  putting('put validation of numbers', 'validation', () => ({
    ...{ areas: [[0, 1, 9, 1]], type: 'whole', operator: 'between', formulas: ['1', '$A$1+1'] },
  })),
  dropping('validation'),
  changing('change validation', 'validation', () => ({ areas: [[3, 3, 4, 4]], showsError: true })),
  { name: 'put table', operations: newTable, touched: (place) => [below(place, 3, 2)] },
  dropping('table'),
  {
    name: 'rename table',
    moves: true,
    operations: changing('', 'table', () => ({ name: 'QuireRenamed' })).operations,
  },
  changing('table without a style', 'table', () => ({ style: null, rowStripes: null, firstColumn: true })),
  changing('table without a filter', 'table', () => ({ hidesButtons: true, filter: null })),
  putting('link to an address', 'link', ({ row, column }) => ({
    ...{
      area: [row, column, row, column] as Area,
      address: 'https://example.org/?a=1&b=<2>',
      tooltip: 'T "q"',
    },
  })),
  putting('link to a place', 'link', ({ sheet }) => ({
    area: [0, 0, 0, 0],
    location: `${quoted(sheet)}!B2`,
  })),
  dropping('link'),
  changing('change link', 'link', () => ({ address: 'https://example.org/other', location: null })),
  putting('put note', 'comment', ({ row, column }) => ({
    ...{
      cell: [row, column] as [number, number],
      author: 'Ann <a&b>',
      date: null,
      text: 'A note\nof two lines & more',
      isNote: true,
    },
  })),
  {
    name: 'put thread',
    operations: ({ sheet, rows }) =>
      (['', 'bench.1'] as const).map((parent, index) => ({
        ...{ op: 'put', sheet: sheet.id, kind: 'comment', id: `bench.${index + 1}` },
        item: {
          ...{
            cell: [rows + 2, 2] as [number, number],
            author: `Ann ${index}`,
            date: '2026-11-25T10:00:00Z',
          },
          ...{ text: 'Is it <so>?', ...(parent && { parent }) },
        },
      })),
  },
  dropping('comment'),
  changing('change comment', 'comment', () => ({ text: 'Changed & <so>' })),
  {
    ...changing('move comment', 'comment', ({ cell, parent }, { grid }) =>
      parent === undefined ? { cell: [grid.height + 3, cell[1]] } : null,
    ),
  },
  putting('put picture', 'drawing', () => ({
    kind: 'picture',
    anchor,
    order: 1_000,
    src: PICTURE_PATH,
    name: 'P & Q',
  })),
  ...['column', 'line', 'pie', 'scatter', 'doughnut', 'area', 'bar'].map((type) =>
    putting(`put ${type} chart`, 'drawing', ({ sheet }) => ({
      ...{ kind: 'chart', anchor, order: 1_000, name: 'C', chart: chart(sheet, type) },
    })),
  ),
  putting('put shape', 'drawing', () => ({
    kind: 'shape',
    anchor,
    order: 1_000,
    text: 'a < b\nc',
    look: { shape: 'rect' },
    name: 'Box',
  })),
  dropping('drawing'),
  changing('move drawing', 'drawing', () => ({
    anchor: { ...anchor, from: [3, 3, 9_525, 0], to: [9, 9, 0, 9_525] },
  })),
  changing('change chart', 'drawing', ({ chart: present }, sheet) =>
    present ? { chart: { ...present, title: 'New & <title>', series: chart(sheet, 'line')!.series } } : null,
  ),
  putting('open range', 'openRange', () => ({ areas: [[0, 0, 3, 3]], name: 'Open' })),
  dropping('openRange'),
  putting('break page', 'pageBreak', ({ row }) => ({ axis: 'row', cell: [Math.max(1, row), 0] })),
  dropping('pageBreak'),
];
