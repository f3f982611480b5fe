import { type Area, type Axis, areaOf, lastOf } from '../../model/cell/area.ts';
import type { Item, ItemOf, SheetItemKind } from '../../model/cell/items.ts';
import type { CellInput, CellOperation, OperationNamed } from '../../model/cell/operations.ts';
import { itemsOf, namesOf, type Sheet, type Workbook } from '../../model/cell/workbook.ts';

/** What a deed may look at: a workbook, a sheet of it that has cells, and how far those reach. */
export interface Place {
  readonly workbook: Workbook;
  readonly sheet: Sheet;
  /** Rows and columns up to the last cell that holds something; at least 1. */
  readonly rows: number;
  readonly columns: number;
  /** In the middle of them. */
  readonly row: number;
  readonly column: number;
}

/** An act of LibreOffice: the name of the operation, the number of the sheet, and where. */
export type OfficeAct = readonly [act: string, sheet: number, ...numbers: number[]];

/** One thing that people do to a workbook. */
export interface Deed {
  readonly name: string;
  /** Null where the workbook has nothing that it could be done to. */
  operations(place: Place): readonly CellOperation[] | null;
  /** Cells that come to hold something else; absent: none. Other cells stay where they are and as they are. */
  touched?(place: Place): readonly Area[];
  /** It moves cells or renames what formulas name: other cells are not as they were, but as the model says. */
  readonly moves?: true;
  /** The same done by LibreOffice. */
  office?(place: Place, sheet: number): OfficeAct;
}

/** Bytes of a picture, and its path in the model. */
export const PICTURE_PATH = 'media/quire-bench.png';
export const PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

const cellAt = ({ row, column }: Place): Area => [row, column, row, column];
/** Cells below all others. */
const below = ({ rows }: Place, height: number, width: number): Area => [
  rows + 1,
  0,
  rows + height,
  width - 1,
];

const setting = (name: string, input: CellInput, format?: OperationNamed<'set'>['formats']): Deed => ({
  name,
  operations: ({ sheet, row, column }) => [
    { op: 'set', sheet: sheet.id, cells: [[row, column, input]], ...(format && { formats: format }) },
  ],
  touched: (place) => [cellAt(place)],
});

const onSheet = (name: string, patch: OperationNamed<'sheet'>['patch']): Deed => ({
  name,
  operations: ({ sheet }) => [{ op: 'sheet', sheet: sheet.id, patch }],
});

const putting = <Kind extends SheetItemKind>(
  name: string,
  kind: Kind,
  item: (place: Place) => ItemOf<Kind>,
): Deed => ({
  name,
  operations: (place) => [
    { op: 'put', sheet: place.sheet.id, kind, id: 'bench.1', item: item(place) as Item },
  ],
});

/** Takes the first item of a kind out of the first sheet that has one. */
const dropping = (kind: SheetItemKind): Deed => ({
  name: `drop ${kind}`,
  operations: ({ workbook }) => {
    for (const sheet of workbook.sheets)
      for (const id of itemsOf(sheet, kind).keys()) return [{ op: 'drop', sheet: sheet.id, kind, id }];
    return null;
  },
});

/** Changes the first item of a kind. */
const changing = <Kind extends SheetItemKind>(
  name: string,
  kind: Kind,
  patchOf: (item: ItemOf<Kind>, sheet: Sheet) => Record<string, unknown> | null,
): Deed => ({
  name,
  operations: ({ workbook }) => {
    for (const sheet of workbook.sheets) {
      for (const [id, item] of itemsOf(sheet, kind)) {
        const patch = patchOf(item, sheet);
        if (patch) return [{ op: 'patch', sheet: sheet.id, kind, id, patch }];
      }
    }
    return null;
  },
});

const along = (axis: Axis, place: Place) => (axis === 'row' ? place.row : place.column);

function lineDeeds(axis: Axis): Deed[] {
  const lines = (name: string, patch: OperationNamed<'lines'>['patch']): Deed => ({
    name: `${name} ${axis}s`,
    operations: (place) => {
      const at = along(axis, place);
      return [{ op: 'lines', sheet: place.sheet.id, axis, spans: [[at, at + 1]], patch }];
    },
  });
  return [
    {
      name: `insert ${axis}s`,
      moves: true,
      operations: (place) => [
        { op: 'insert', axis, sheet: place.sheet.id, at: along(axis, place), count: 2, like: 'before' },
      ],
      office: (place, sheet) => ['insert', sheet, axis === 'row' ? 0 : 1, along(axis, place), 2],
    },
    {
      name: `delete ${axis}s`,
      moves: true,
      operations: (place) => [
        { op: 'delete', axis, sheet: place.sheet.id, at: along(axis, place), count: 1 },
      ],
      office: (place, sheet) => ['delete', sheet, axis === 'row' ? 0 : 1, along(axis, place), 1],
    },
    {
      name: `move ${axis}s`,
      moves: true,
      operations: (place) => [
        {
          op: 'move',
          axis,
          sheet: place.sheet.id,
          at: along(axis, place),
          count: 1,
          to: along(axis, place) + 3,
        },
      ],
    },
    {
      name: axis === 'row' ? 'insert cells, down' : 'insert cells, right',
      moves: true,
      operations: (place) => {
        const across = along(axis === 'row' ? 'column' : 'row', place);
        return [
          {
            ...{ op: 'insert', axis, sheet: place.sheet.id, at: along(axis, place), count: 1 },
            band: [across, across + 1],
          },
        ];
      },
    },
    {
      name: axis === 'row' ? 'delete cells, up' : 'delete cells, left',
      moves: true,
      operations: (place) => {
        const across = along(axis === 'row' ? 'column' : 'row', place);
        return [
          {
            ...{ op: 'delete', axis, sheet: place.sheet.id, at: along(axis, place), count: 1 },
            band: [across, across + 1],
          },
        ];
      },
    },
    {
      name: `sort ${axis}s`,
      moves: true,
      operations: (place) => {
        const at = along(axis, place);
        const order = [4, 2, 0, 3, 1].map((by) => Math.min(at + by, lastOf(axis)));
        const size = axis === 'row' ? place.columns : place.rows;
        return [{ op: 'sort', axis, sheet: place.sheet.id, band: [0, size - 1], order }];
      },
    },
    lines('size', { size: 33, custom: true }),
    lines('hide', { hidden: true }),
    lines('group', { level: 1 }),
    {
      name: `format ${axis}s`,
      operations: (place) => {
        const at = along(axis, place);
        const patch = { font: { italic: true }, align: { wrap: true } };
        return [{ op: 'format', sheet: place.sheet.id, areas: [areaOf(axis, at, at)], patch }];
      },
    },
  ];
}

const cellDeeds: readonly Deed[] = [
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

const sheetDeeds: readonly Deed[] = [
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

const nameDeeds: readonly Deed[] = [
  {
    name: 'put name',
    operations: ({ sheet }) => [
      {
        op: 'put',
        sheet: null,
        kind: 'name',
        id: 'bench.1',
        item: { name: 'quire_name', formula: `${quoted(sheet)}!$A$1` },
      },
    ],
  },
  {
    name: 'put name of a sheet',
    operations: ({ sheet }) => [
      {
        ...{ op: 'put', sheet: null, kind: 'name', id: 'bench.1' },
        item: {
          name: 'quire_name',
          formula: `${quoted(sheet)}!$A$1:$B$2`,
          scope: sheet.id,
          comment: 'a < b',
        },
      },
    ],
  },
  {
    name: 'rename name',
    moves: true,
    operations: ({ workbook }) => {
      const found = [...namesOf(workbook)].find(([, { name }]) => !name.startsWith('_xlnm.'));
      return found
        ? [{ op: 'patch', sheet: null, kind: 'name', id: found[0], patch: { name: 'quire_renamed' } }]
        : null;
    },
  },
  {
    name: 'drop name',
    operations: ({ workbook }) => {
      const [id] = namesOf(workbook).keys();
      return id === undefined ? null : [{ op: 'drop', sheet: null, kind: 'name', id }];
    },
  },
];

const quoted = ({ properties }: Sheet): string => `'${properties.name.replaceAll("'", "''")}'`;

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

const itemDeeds: readonly Deed[] = [
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

/** Every operation that there is, each alone. */
export const workbookDeeds: readonly Deed[] = [
  ...cellDeeds,
  ...lineDeeds('row'),
  ...lineDeeds('column'),
  ...sheetDeeds,
  ...nameDeeds,
  ...itemDeeds,
];

/** A sheet of a workbook to do something to: the first that has cells, if one does. */
export function placeIn(workbook: Workbook): Place | undefined {
  const sheets = workbook.sheets.filter(({ properties }) => (properties.type ?? 'cells') === 'cells');
  const sheet = sheets.find(({ grid }) => grid.height > 0) ?? sheets[0];
  if (!sheet) return undefined;
  let columns = 1;
  let rows = 1;
  for (const [place, row] of sheet.grid.rows()) {
    if (row.columns.length === 0) continue;
    rows = Math.max(rows, place + 1);
    columns = Math.max(columns, row.columns.at(-1)! + 1);
  }
  return { workbook, sheet, rows, columns, row: rows >> 1, column: columns >> 1 };
}
