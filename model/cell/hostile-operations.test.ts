import { describe, expect, it, vi } from 'vitest';
import { applyChange, applyOperation, encodeChange } from './change.ts';
import { checkpointOf, documentAt } from './checkpoint.ts';
import { blankWorkbook, parseWorkbook } from './document.ts';
import type { CellOperation } from './operations.ts';
import { sameWorkbook } from './same-workbook.ts';
import type { Workbook } from './workbook.ts';

/** Small ones: what they are is not the affair of these tests. */
vi.mock('./limits.ts', async (original) => {
  const { CELL_LIMITS } = await original<typeof import('./limits.ts')>();
  const small = {
    cellsPerOperation: 20_000,
    cellsPerFill: 20_000,
    keptBeyond: 100,
    cellsPerSeveral: 60_000,
    kept: 50_000,
    sheets: 20,
    itemsOfKind: 50,
    formats: 200,
  };
  return { CELL_LIMITS: { ...CELL_LIMITS, ...small } };
});

const blank = parseWorkbook(blankWorkbook());
const sheet = 's1';

/** A log as every replica applies it. */
function replay(operations: readonly CellOperation[], from: Workbook = blank) {
  const reasons: string[] = [];
  let workbook = from;
  for (const [at, operation] of operations.entries()) {
    const after = applyChange(workbook, encodeChange('mallory', operation, at));
    if (typeof after === 'string') reasons.push(after);
    else workbook = after;
  }
  return { workbook, reasons };
}

const done = (workbook: Workbook, operation: CellOperation): Workbook => {
  const after = applyOperation(workbook, operation);
  if (typeof after === 'string') throw new Error(after);
  return after;
};

/** What is counted one by one. */
const counted = ({ sheets }: Workbook): number =>
  sheets.reduce((sum, { grid }) => {
    let cells = 0;
    for (const [, { columns }] of grid.rows()) cells += columns.length + 1;
    expect(grid.weight).toBe(cells);
    return sum + cells;
  }, 0);

const one: CellOperation = { op: 'set', sheet, cells: [[0, 0, { v: 1 }]] };
const fill = (columns: number, at = 0, on = sheet): CellOperation => {
  return { op: 'fill', sheet: on, from: [0, 0, 0, 0], to: [0, at, 999, at + columns - 1], part: 'all' };
};

describe('a workbook does not outgrow its replicas', () => {
  it('[XA1] however many operations make cells, rows, items and copies of sheets', () => {
    const added = Array.from({ length: 30 }, (_, at): CellOperation => {
      return { op: 'addSheet', sheet: `m.${at}`, name: 'Data', at: 1, copyOf: sheet };
    });
    const { workbook, reasons } = replay([
      one,
      ...Array.from({ length: 200 }, (_, at) => fill(10, at * 10)),
      ...added,
      { op: 'lines', sheet, axis: 'row', spans: [[0, 99_999]], patch: { size: 30 } },
    ]);
    expect(counted(workbook)).toBeLessThanOrEqual(50_000);
    expect(new Set(reasons)).toEqual(new Set(['document-too-large']));
    // What makes it smaller, and what does not make it larger, applies.
    const cleared = done(workbook, { op: 'clear', sheet, areas: [[0, 0, 999, 9]], part: 'all' });
    expect(counted(cleared)).toBe(counted(workbook) - 10_000);
    expect(typeof applyOperation(workbook, { op: 'set', sheet, cells: [[0, 0, { v: 2 }]] })).toBe('object');
  });

  it('[XA1] removed sheets come back as long as they can be kept, also behind a checkpoint', () => {
    const operations = Array.from({ length: 12 }, (_, at): CellOperation[] => [
      { op: 'addSheet', sheet: `m.${at}`, name: 'Data', at: 1 },
      { op: 'set', sheet: `m.${at}`, cells: [[0, 0, { v: at }]] },
      fill(10, 0, `m.${at}`),
      { op: 'removeSheet', sheet: `m.${at}` },
    ]).flat();
    const { workbook, reasons } = replay(operations);
    expect(reasons).toEqual([]);
    expect([...workbook.removed.keys()]).toEqual(['m.8', 'm.9', 'm.10', 'm.11']);
    expect(applyOperation(workbook, { op: 'restoreSheet', sheet: 'm.0' })).toBe('out-of-range');
    const log = { index: operations.length, digest: '0'.repeat(16), skipped: 0 };
    const checkpoint = checkpointOf(blank, workbook, log as never);
    const read = documentAt(blank, JSON.parse(JSON.stringify(checkpoint)));
    expect(sameWorkbook(read.doc, workbook)).toBe(true);
    expect([...read.doc.removed.keys()]).toEqual([...workbook.removed.keys()]);
    expect(counted(done(read.doc, { op: 'restoreSheet', sheet: 'm.11' }))).toBe(11_000);
  });

  it('[XA1] where a file has more than that, people go on typing', () => {
    const rows = Array.from({ length: 60_000 }, () => [0, 0, 0, 0, 1]);
    const large = parseWorkbook({
      ...blankWorkbook(),
      sheets: [{ id: sheet, properties: { name: 'Data' }, rows }],
    });
    const { workbook, reasons } = replay(
      [{ op: 'set', sheet, cells: [[0, 5, { v: 1 }]] }, fill(1, 7), fill(5, 8)],
      large,
    );
    expect([counted(workbook), reasons]).toEqual([120_001, ['document-too-large', 'document-too-large']]);
  });

  it('[XA1] items of a kind are counted, those that are there can be changed', () => {
    const { workbook, reasons } = replay(
      Array.from({ length: 60 }, (_, at): CellOperation => {
        return { op: 'put', sheet, kind: 'merge', id: `m.${at}`, item: { area: [at * 2, 0, at * 2 + 1, 1] } };
      }),
    );
    expect([workbook.sheets[0]!.items.merge!.size, reasons.length]).toEqual([50, 10]);
    const moved = done(workbook, {
      op: 'put',
      sheet,
      kind: 'merge',
      id: 'm.0',
      item: { area: [0, 5, 1, 6] },
    });
    expect(moved.sheets[0]!.items.merge!.size).toBe(50);
  });
});

it('[XA1] formats of rows and columns count as those of cells', () => {
  const { workbook, reasons } = replay(
    Array.from({ length: 300 }, (_, at): CellOperation => {
      const format = { number: `0"${at}"` };
      return {
        op: 'lines',
        sheet,
        axis: at % 2 === 0 ? 'row' : 'column',
        spans: [[0, 0]],
        patch: {},
        format,
      };
    }),
  );
  expect([workbook.formats.count, new Set(reasons)]).toEqual([200, new Set(['document-too-large'])]);
});

describe('an operation does not ask for more work than a sheet is worth', () => {
  const filled = replay([one, fill(10)]).workbook;
  const whole: [number, number, number, number] = [0, 0, 1_048_575, 16_383];
  const areas = Array.from({ length: 10_000 }, () => whole);
  const refused: readonly [string, CellOperation][] = [
    ['a sheet cleared over and over', { op: 'clear', sheet, areas, part: 'all' }],
    ['a sheet formatted over and over', { op: 'format', sheet, areas, patch: { number: '0' } }],
    ['a fill of everything', { op: 'fill', sheet, from: [0, 0, 0, 0], to: whole, part: 'all' }],
    [
      'several operations of which each would do',
      { op: 'several', operations: Array.from({ length: 5_000 }, () => fill(10)) },
    ],
    [
      'columns put in again and again',
      {
        op: 'several',
        operations: Array.from(
          { length: 5_000 },
          () => ({ op: 'insert', sheet, axis: 'column', at: 0, count: 1 }) as const,
        ),
      },
    ],
  ];
  it.each(refused)('[XA2] %s', (_name, operation) => {
    expect(applyOperation(filled, operation)).toBe('too-large');
  });

  const several = (count: number, operation: CellOperation): CellOperation => {
    return { op: 'several', operations: Array.from({ length: count }, () => operation) };
  };

  it('[XA2] items that are changed again and again, as those that are there cost', () => {
    const areas = Array.from({ length: 5_000 }, (_, at) => [at * 2, 0, at * 2, 0] as const);
    const names = Array.from({ length: 50 }, (_, at): CellOperation => {
      return {
        op: 'put',
        sheet: null,
        kind: 'name',
        id: `m.${at}`,
        item: { name: `name${at}`, formula: '1' },
      };
    });
    const { workbook, reasons } = replay([
      ...names,
      { op: 'put', sheet, kind: 'openRange', id: 'm.99', item: { areas, name: 'open' } },
    ]);
    expect(reasons).toEqual([]);
    const renamed: CellOperation = {
      op: 'patch',
      sheet: null,
      kind: 'name',
      id: 'm.0',
      patch: { name: 'x' },
    };
    const large: CellOperation = { op: 'patch', sheet, kind: 'openRange', id: 'm.99', patch: { name: 'x' } };
    expect(
      [several(5_000, renamed), several(100, large)].map((one) => applyOperation(workbook, one)),
    ).toEqual(['too-large', 'too-large']);
    expect(
      [several(100, renamed), several(2, large)].map((one) => typeof applyOperation(workbook, one)),
    ).toEqual(['object', 'object']);
  });

  it('[XA2] arrays that fill more than cells of a sheet, together, copied or over each other', () => {
    const array = (rows: number) => ({ f: { t: '1', a: ['array', rows, 1] as const } });
    const cells = (count: number, rows: number): CellOperation => {
      return {
        op: 'set',
        sheet,
        cells: Array.from({ length: count }, (_, at) => [0, at, array(rows)] as const),
      };
    };
    expect(applyOperation(blank, cells(30, 1_000))).toBe('too-large');
    expect(
      applyOperation(blank, {
        op: 'block',
        sheet,
        row: 0,
        column: 0,
        rows: [[array(15_000), array(15_000)]],
      }),
    ).toBe('too-large');
    const { workbook } = replay([cells(1, 1_000)]);
    const copies: CellOperation = { op: 'fill', sheet, from: [0, 0, 0, 0], to: [0, 0, 99, 0], part: 'all' };
    expect(applyOperation(workbook, copies)).toBe('too-large');
    expect(applyOperation(blank, several(10, cells(10, 1_000)))).toBe('too-large');
    expect(typeof applyOperation(blank, cells(10, 1_000))).toBe('object');
  });

  it('[XA2] ranges that are open in a protected sheet, however many and however cut', () => {
    const areas = Array.from(
      { length: 10_000 },
      (_, at) => [at * 3, at % 5, at * 3 + 1, (at % 5) + 1] as const,
    );
    const ranges = Array.from({ length: 30 }, (_, at): CellOperation => {
      return { op: 'put', sheet, kind: 'openRange', id: `m.${at}`, item: { areas, name: `r${at}` } };
    });
    const protection = { allows: ['formatCells', 'sort'] as const };
    const { workbook } = replay([...ranges, { op: 'sheet', sheet, patch: { protection } }]);
    const whole: CellOperation = { op: 'clear', sheet, areas: [[0, 0, 1_048_575, 16_383]], part: 'content' };
    const order = Array.from({ length: 20_000 }, (_, at) => at).reverse();
    expect(applyOperation(workbook, whole)).toBe('not-allowed');
    expect(applyOperation(workbook, { op: 'sort', sheet, axis: 'row', band: [0, 5], order })).toBe(
      'not-allowed',
    );
    expect(typeof applyOperation(workbook, { op: 'set', sheet, cells: [[3, 1, { v: 1 }]] })).toBe('object');
  });

  it('[XA2] rows that are to look like a long one', () => {
    const { workbook } = replay([
      { op: 'format', sheet, areas: [[0, 0, 0, 9_999]], patch: { font: { bold: true } } },
    ]);
    const like = (count: number): CellOperation => {
      return { op: 'insert', sheet, axis: 'row', at: 1, count, like: 'before' };
    };
    expect(applyOperation(workbook, like(3))).toBe('too-large');
    expect(counted(done(workbook, like(2)))).toBe(30_003);
  });

  it('[XA2] columns that cross rows with a look of their own, unless they are all', () => {
    const rows: CellOperation = {
      op: 'lines',
      sheet,
      axis: 'row',
      spans: [[0, 99]],
      patch: {},
      format: { number: '0' },
    };
    const { workbook } = replay([rows]);
    const bold = (columns: number): CellOperation => {
      return {
        op: 'format',
        sheet,
        areas: [[0, 0, 1_048_575, columns - 1]],
        patch: { font: { bold: true } },
      };
    };
    expect(applyOperation(workbook, bold(16_383))).toBe('too-large');
    expect(counted(done(workbook, bold(50)))).toBe(100 * 51);
    const all = done(workbook, bold(16_384));
    expect(counted(all)).toBe(100);
    const [first] = all.sheets;
    const looks = [first!.grid.row(5)!.line.format, first!.columns.at(7).format].map((at) =>
      all.formats.at(at!),
    );
    expect(looks).toMatchObject([{ number: '0', font: { bold: true } }, { font: { bold: true } }]);
  });

  it('[XA2] many cells and comments are sorted in one go, by columns too', () => {
    const comments = Array.from({ length: 50 }, (_, at): CellOperation => {
      return {
        op: 'put',
        sheet,
        kind: 'link',
        id: `l.${at}`,
        item: { area: [at, at % 10, at, at % 10], address: 'https://example.com' },
      };
    });
    const { workbook, reasons } = replay(
      [...comments, { op: 'set', sheet, cells: [[3, 2, { f: 'A4+1' }]] }],
      filled,
    );
    expect(reasons).toEqual([]);
    const order = Array.from({ length: 10 }, (_, at) => 9 - at);
    const sorted = done(workbook, { op: 'sort', sheet, axis: 'column', band: [0, 5], order }).sheets[0]!;
    expect(sorted.grid.cell(3, 7).formula!.text).toBe('F4+1');
    expect([sorted.items.link!.get('l.3'), sorted.items.link!.get('l.33')]).toMatchObject([
      { area: [3, 6, 3, 6] },
      { area: [33, 3, 33, 3] },
    ]);
  });
});

describe('what is no operation, or none of its author', () => {
  const { workbook } = replay([one]);
  const long = 'x'.repeat(1_000_000);
  const nonsense: readonly [string, unknown][] = [
    ['a later version', { op: 'pivot', sheet, version: 99 }],
    ['a formula of 100,000 characters', { op: 'set', sheet, cells: [[0, 0, { f: 'A'.repeat(100_000) }]] }],
    ['a text of a million', { op: 'set', sheet, cells: [[0, 0, { v: long }]] }],
    ['rows below zero', { op: 'insert', sheet, axis: 'row', at: -1, count: 1 }],
    ['rows beyond the sheet', { op: 'insert', sheet, axis: 'row', at: 1e9, count: 1e9 }],
    ['rows that are no numbers', { op: 'delete', sheet, axis: 'row', at: null, count: '1' }],
    [
      'cells beyond the sheet',
      {
        op: 'set',
        sheet,
        cells: [
          [1_048_576, 0, { v: 1 }],
          [0, 16_384, { v: 1 }],
        ],
      },
    ],
    ['a fraction of a row', { op: 'set', sheet, cells: [[0.5, 0, { v: 1 }]] }],
    ['a sheet that is a prototype', { op: 'addSheet', sheet: '__proto__', name: 'x', at: 0 }],
    ['a name of a million characters', { op: 'addSheet', sheet: 'm.1', name: long, at: 0 }],
    ['a name that no workbook can have', { op: 'sheet', sheet, patch: { name: 'a/b' } }],
    ['an order that names a row twice', { op: 'sort', sheet, axis: 'row', band: [0, 1], order: [0, 0] }],
    ['a band that is none', { op: 'sort', sheet, axis: 'row', band: [5, 1], order: [1, 0] }],
    ['an area upside down', { op: 'clear', sheet, areas: [[5, 5, 0, 0]], part: 'all' }],
    [
      'an item that is a prototype',
      { op: 'put', sheet, kind: 'merge', id: '__proto__', item: { area: [0, 0, 1, 1] } },
    ],
    ['a kind that is a prototype', { op: 'put', sheet, kind: 'constructor', id: 'm.1', item: {} }],
    ['operations in operations', { op: 'several', operations: [{ op: 'several', operations: [] }] }],
    ['a moment that is none', { op: 'recalculate', when: [null, -1] }],
    ['a moment of no calendar', { op: 'recalculate', when: [1e300, 1] }],
    ['a header that is no text', { op: 'sheet', sheet, patch: { page: { header: { text: 'a' } } } }],
    ['margins that are no numbers', { op: 'sheet', sheet, patch: { page: { margins: { left: '1' } } } }],
    ['a tab of no colour', { op: 'sheet', sheet, patch: { color: { rgb: 5 } } }],
    ['iterations that are no number', { op: 'workbook', patch: { calculation: { iterations: 'x' } } }],
    [
      'a condition whose look is none',
      {
        op: 'put',
        sheet,
        kind: 'condition',
        id: 'm.1',
        item: {
          areas: [[0, 0, 1, 1]],
          type: 'cellIs',
          priority: 1,
          formulas: [],
          format: { fill: { gradient: 5 } },
        },
      },
    ],
    [
      'an array beyond the sheet',
      { op: 'set', sheet, cells: [[1, 0, { f: { t: '1', a: ['array', 1_048_576, 1] } }]] },
    ],
    [
      'an array in a block beyond the sheet',
      { op: 'block', sheet, row: 0, column: 9, rows: [[{ f: { t: '1', a: ['dynamic', 1, 16_384] } }]] },
    ],
  ];
  it.each(nonsense)('[XA3] %s', (_name, operation) => {
    expect(applyChange(workbook, encodeChange('mallory', operation as CellOperation, 1))).toBe(
      'unknown-step',
    );
  });

  it('[XA3] of several operations each is taken as what it is by itself', () => {
    const one = { op: 'recalculate', when: [1_700_000_000_000, 7], region: { no: 'text' } };
    const text = JSON.stringify({ c: 'm', n: 1, s: { op: 'several', operations: [one] } });
    expect((applyChange(workbook, text) as Workbook).volatile).toEqual({
      timeMs: 1_700_000_000_000,
      seed: 7,
    });
    const header = { op: 'sheet', sheet, patch: { page: { header: 5 } } };
    const other = JSON.stringify({ c: 'm', n: 2, s: { op: 'several', operations: [header] } });
    expect(applyChange(workbook, other)).toBe('unknown-step');
  });

  it('[XA3] values without an end, brackets without an end, and texts without an end', () => {
    const infinite = `{"c":"m","n":1,"s":{"op":"set","sheet":"s1","cells":[[0,0,{"v":1e999}]]}}`;
    const deep = `{"c":"m","s":${'['.repeat(1_000)}${']'.repeat(1_000)}}`;
    expect(
      [infinite, deep, 'x'.repeat(8_000_001), '{"c":"m","s":'].map((text) => applyChange(workbook, text)),
    ).toEqual(['unknown-step', 'too-deep', 'too-large', 'malformed']);
  });

  it('[XA3] keys that JSON may have and objects may not are data', () => {
    const text = `{"c":"m","n":1,"s":{"op":"sheet","sheet":"s1","patch":{"page":{"__proto__":{"polluted":1}}}}}`;
    applyChange(workbook, text);
    const item = `{"c":"m","n":2,"s":{"op":"put","sheet":"s1","kind":"drawing","id":"toString","item":{"__proto__":{"polluted":1}}}}`;
    applyChange(workbook, item);
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
  });
});
