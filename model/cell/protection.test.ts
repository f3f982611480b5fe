import { describe, expect, it } from 'vitest';
import type { WithheldAct } from '../log/change-author.ts';
import { type Area, areaOf } from './area.ts';
import { applyChange, applyOperation, encodeChange } from './change.ts';
import { blankWorkbook, parseWorkbook } from './document.ts';
import type { CellOperation } from './operations.ts';
import { isProof, newPassword, passwordCheckOf, proofOf } from './protection-password.ts';
import { changedWorkbook } from './testing/changed-workbook.ts';
import type { SheetAct, SheetProtection, Workbook } from './workbook.ts';

const blank = () => parseWorkbook(blankWorkbook());
const s1 = { sheet: 's1' };
const set = (row: number, column: number): CellOperation => ({
  ...{ op: 'set', ...s1 },
  cells: [[row, column, { v: 'new' }]],
});
const protect = (allows: readonly SheetAct[], extra?: SheetProtection['extra']): CellOperation => ({
  ...{ op: 'sheet', ...s1 },
  patch: { protection: { allows, ...(extra && { extra }) } },
});
const unprotect: CellOperation = { op: 'sheet', ...s1, patch: { protection: null } };

/** A2:B3 and the columns from F on are not locked, D1:D9 is an open range, and D5 one that a password opens. */
const prepared = changedWorkbook(
  blank(),
  {
    op: 'set',
    ...s1,
    cells: [
      [1, 0, { v: 1 }],
      [6, 6, { v: 2 }],
    ],
  },
  {
    op: 'format',
    ...s1,
    areas: [
      [1, 0, 2, 1],
      [0, 5, 1_048_575, 16_383],
    ],
    patch: { protection: { locked: false } },
  },
  { op: 'put', ...s1, kind: 'openRange', id: 'r1', item: { areas: [[0, 3, 3, 3]], name: 'open' } },
  {
    ...{ op: 'put', ...s1, kind: 'openRange', id: 'r2' },
    item: { areas: [[4, 3, 4, 3]], name: 'secret', extra: { password: 'CC1A' } },
  },
  { op: 'put', ...s1, kind: 'filter', id: 'f1', item: { area: [0, 0, 5, 2], columns: [] } },
);
const may = (workbook: Workbook, operation: CellOperation): boolean => {
  // Whoever replays the log decides alike, with the author's stamp or without.
  const stamped = applyChange(workbook, { change: encodeChange('c', operation), author: { name: 'Ann' } });
  const skipped = applyOperation(workbook, operation) === 'not-allowed';
  expect(stamped === 'not-allowed').toBe(skipped);
  return !skipped;
};

describe('protection', () => {
  it('[XC30] locked cells of a protected sheet stay as they are, and the others can be written', () => {
    const workbook = changedWorkbook(prepared, protect([]));
    for (const [row, column] of [
      [1, 0],
      [2, 1],
      [0, 3],
      [3, 3],
      [900, 5],
      [6, 6],
    ] as const)
      expect(may(workbook, set(row, column))).toBe(true);
    for (const [row, column] of [
      [0, 0],
      [1, 2],
      [4, 3],
      [900, 4],
    ] as const)
      expect(may(workbook, set(row, column))).toBe(false);
    const block = (rows: (string | null)[][]): CellOperation => ({
      op: 'block',
      ...s1,
      row: 1,
      column: 0,
      rows,
    });
    expect(
      may(
        workbook,
        block([
          ['a', 'b'],
          ['c', 'd'],
        ]),
      ),
    ).toBe(true);
    expect(may(workbook, block([['a', 'b', 'c']]))).toBe(false);
    expect(may(workbook, block([['a', null, null, 'd']]))).toBe(true);
    expect(may(workbook, { op: 'fill', ...s1, from: [0, 0, 0, 0], to: [0, 0, 2, 0], part: 'all' })).toBe(
      true,
    );
    expect(may(workbook, { op: 'fill', ...s1, from: [0, 0, 0, 0], to: [0, 0, 3, 0], part: 'all' })).toBe(
      false,
    );
    const clear = (part: 'content' | 'all'): CellOperation => ({
      op: 'clear',
      ...s1,
      areas: [[1, 0, 2, 1]],
      part,
    });
    expect([may(workbook, clear('content')), may(workbook, clear('all'))]).toEqual([true, false]);
    const cut = (to: number): CellOperation => ({
      ...{ op: 'moveCells', ...s1, toSheet: 's1' },
      ...{ area: [1, 0, 1, 0], row: to, column: 5 },
    });
    expect(may(workbook, cut(7))).toBe(true);
    expect(may(workbook, { ...cut(7), area: [0, 0, 0, 0] } as CellOperation)).toBe(false);
    expect(may(changedWorkbook(workbook, unprotect), set(0, 0))).toBe(true);
  });

  it('[XC30] what protection leaves is left, and nothing that would open locked cells', () => {
    const operations: Readonly<Record<string, readonly [CellOperation, SheetAct | null]>> = {
      bold: [{ op: 'format', ...s1, areas: [[0, 0, 0, 0]], patch: { font: { bold: true } } }, 'formatCells'],
      unlock: [
        { op: 'format', ...s1, areas: [[0, 0, 0, 0]], patch: { protection: { locked: false } } },
        null,
      ],
      open: [
        {
          op: 'lines',
          ...s1,
          axis: 'row',
          spans: [[0, 0]],
          patch: {},
          format: { protection: { locked: false } },
        },
        null,
      ],
      insert: [{ op: 'insert', ...s1, axis: 'row', at: 1, count: 1 }, 'insertRows'],
      insertCells: [{ op: 'insert', ...s1, axis: 'row', at: 1, count: 1, band: [0, 0] }, null],
      deleteOpen: [{ op: 'delete', ...s1, axis: 'column', at: 5, count: 2 }, 'deleteColumns'],
      deleteLocked: [{ op: 'delete', ...s1, axis: 'column', at: 4, count: 2 }, null],
      sortOpen: [{ op: 'sort', ...s1, axis: 'row', band: [0, 1], order: [2, 1] }, 'sort'],
      sortLocked: [{ op: 'sort', ...s1, axis: 'row', band: [0, 2], order: [2, 1] }, null],
      hide: [{ op: 'lines', ...s1, axis: 'row', spans: [[0, 0]], patch: { hidden: true } }, 'formatRows'],
      filtered: [{ op: 'lines', ...s1, axis: 'row', spans: [[0, 0]], patch: { filtered: true } }, 'filter'],
      filter: [{ op: 'patch', ...s1, kind: 'filter', id: 'f1', patch: { columns: [] } }, 'filter'],
      noFilter: [{ op: 'drop', ...s1, kind: 'filter', id: 'f1' }, null],
      merge: [{ op: 'put', ...s1, kind: 'merge', id: 'm', item: { area: [1, 0, 2, 1] } }, null],
      open2: [
        { op: 'put', ...s1, kind: 'openRange', id: 'r3', item: { areas: [[0, 0, 9, 9]], name: 'x' } },
        null,
      ],
      link: [
        { op: 'put', ...s1, kind: 'link', id: 'l', item: { area: [1, 0, 1, 0], address: 'https://a.b/' } },
        'insertLinks',
      ],
    };
    for (const [name, [operation, act]] of Object.entries(operations)) {
      const all = changedWorkbook(
        prepared,
        protect([
          'formatCells',
          'formatRows',
          'insertRows',
          'deleteColumns',
          'sort',
          'filter',
          'insertLinks',
        ]),
      );
      expect([name, may(changedWorkbook(prepared, protect([])), operation)]).toEqual([name, false]);
      expect([name, may(all, operation)]).toEqual([name, act !== null]);
      if (act)
        expect([name, may(changedWorkbook(prepared, protect([act])), operation)]).toEqual([name, true]);
    }
    const comment: CellOperation = {
      ...{ op: 'put', ...s1, kind: 'comment', id: 'c' },
      item: { cell: [0, 0], author: 'Ann', date: null, text: 'why?' },
    };
    expect(may(changedWorkbook(prepared, protect([])), comment)).toBe(true);
  });

  it('[XC40] while a sheet is protected its cells stay locked or not, and their formulas hidden or not', () => {
    const workbook = changedWorkbook(prepared, protect(['formatCells', 'formatRows', 'formatColumns']));
    const look = { font: { bold: true }, protection: { hidden: true } };
    const opened = { protection: { locked: false } };
    const areas: Area[] = [[1, 0, 2, 1]];
    const allowed: readonly CellOperation[] = [
      { op: 'set', ...s1, cells: [[1, 0, { v: 1, s: 0 }]], formats: [look] },
      { op: 'block', ...s1, row: 1, column: 1, rows: [[{ v: 2, s: 0 }]], formats: [{}] },
      { op: 'fill', ...s1, from: [6, 6, 6, 6], to: [1, 0, 2, 1], part: 'all' },
      { op: 'fill', ...s1, from: [0, 0, 0, 0], to: [1, 0, 2, 1], part: 'format' },
      { op: 'clear', ...s1, areas: [...areas, areaOf('column', 6, 7)], part: 'format' },
      { op: 'clear', ...s1, areas, part: 'all' },
      { op: 'format', ...s1, areas: [[0, 0, 9, 9]], patch: {}, format: opened },
      { op: 'format', ...s1, areas: [[0, 0, 9, 9]], patch: {}, format: look },
      { op: 'lines', ...s1, axis: 'column', spans: [[0, 9]], patch: {}, format: look },
      { op: 'lines', ...s1, axis: 'column', spans: [[0, 9]], patch: {}, format: null },
    ];
    const locksIn = (of: Workbook) => {
      const free = changedWorkbook(of, protect([]));
      return [0, 1, 2, 6].flatMap((row) => [0, 1, 2, 6, 8].map((column) => may(free, set(row, column))));
    };
    const isHiding = ({ formats, sheets: [sheet] }: Workbook) => {
      const cells = [...sheet!.grid.rows()].flatMap(([, row]) => row.cells.map(({ format }) => format));
      const lines = sheet!.columns.runs.map(([, , { format }]) => format ?? 0);
      return [...cells, ...lines].some((format) => formats.at(format).protection?.hidden);
    };
    const locks = locksIn(workbook);
    expect(new Set(locks)).toEqual(new Set([true, false]));
    for (const operation of allowed) {
      const after = changedWorkbook(workbook, operation);
      expect([operation, locksIn(after)]).toEqual([operation, locks]);
      expect([operation, isHiding(after)]).toEqual([operation, false]);
    }
    const [after] = changedWorkbook(workbook, allowed[0]!).sheets;
    expect(after!.grid.cell(1, 0).value).toBe(1);
    const { formats } = changedWorkbook(workbook, allowed[0]!);
    expect(formats.at(after!.grid.cell(1, 0).format)).toEqual({ font: look.font, ...opened });
    expect(locksIn(changedWorkbook(workbook, unprotect, allowed[1]!))).not.toEqual(locks);
  });

  it('[XC31] several operations of which one is not allowed do nothing', () => {
    const workbook = changedWorkbook(prepared, protect([]));
    expect(may(workbook, { op: 'several', operations: [set(1, 0), set(0, 0)] })).toBe(false);
    expect(may(workbook, { op: 'several', operations: [set(1, 0), unprotect, set(0, 0)] })).toBe(true);
  });

  it('[XC32] a protection with a password is changed and taken off by who proves the password only', async () => {
    const key = await newPassword('päss', 3_000);
    const check = passwordCheckOf(key)!;
    const [right, wrong] = [await proofOf('päss', check), await proofOf('pass', check)];
    const workbook = changedWorkbook(prepared, protect([], key));
    expect(may(workbook, unprotect)).toBe(false);
    expect(may(workbook, protect(['sort']))).toBe(false);
    for (const [proof, isRight] of [
      [wrong, false],
      [check.hash, false],
      ['?', false],
      [right, true],
    ] as const) {
      expect(may(workbook, { ...unprotect, proof } as CellOperation)).toBe(isRight);
      expect(isProof(proof, check)).toBe(isRight);
    }
    // What Excel writes for these passwords.
    expect(await proofOf('test', passwordCheckOf({ password: 'CBEB' })!)).toBe('CBEB');
    const old = changedWorkbook(prepared, protect([], { password: 'cbeb' }));
    expect(may(old, { ...unprotect, proof: 'CBEB' } as CellOperation)).toBe(true);
    const unknown = changedWorkbook(prepared, protect([], { ...key, algorithmName: 'WHIRLPOOL' }));
    expect(may(unknown, { ...unprotect, proof: right } as CellOperation)).toBe(false);
  });

  it('[XC33] where the structure is protected, sheets are not added, removed, named, moved or hidden', async () => {
    const key = await newPassword('secret', 1_000);
    const lock: CellOperation = { op: 'workbook', patch: { protected: true, structureKey: key } };
    const workbook = changedWorkbook(blank(), { op: 'addSheet', sheet: 'c.1', name: 'Two', at: 1 }, lock);
    for (const operation of [
      { op: 'addSheet', sheet: 'c.2', name: 'Three', at: 1 },
      { op: 'removeSheet', ...s1 },
      { op: 'moveSheet', ...s1, to: 1 },
      { op: 'sheet', ...s1, patch: { name: 'Other' } },
      { op: 'sheet', ...s1, patch: { state: 'hidden' } },
      { op: 'workbook', patch: { protected: null } },
      { op: 'workbook', patch: { structureKey: null } },
    ] satisfies CellOperation[])
      expect(may(workbook, operation)).toBe(false);
    expect(may(workbook, { op: 'sheet', ...s1, patch: { zoomPercent: 80 } })).toBe(true);
    const proof = await proofOf('secret', passwordCheckOf(key)!);
    const open = changedWorkbook(workbook, {
      op: 'workbook',
      patch: { protected: null, structureKey: null },
      proof,
    });
    expect(may(open, { op: 'removeSheet', ...s1 })).toBe(true);
  });
});

describe('what is kept from who may change everything else', () => {
  const table: CellOperation = {
    ...{ op: 'put', ...s1, kind: 'table', id: 't1' },
    item: { area: [10, 0, 14, 0], name: 'Sales', hasHeader: true, columns: [{ name: 'Column' }] },
  };
  const lines = (patch: object): CellOperation =>
    ({ op: 'lines', ...s1, axis: 'row', spans: [[2, 3]], patch }) as CellOperation;
  const about: Readonly<Record<WithheldAct, readonly CellOperation[]>> = {
    protect: [
      protect([]),
      unprotect,
      { op: 'workbook', patch: { protected: true } },
      { op: 'workbook', patch: { structureKey: null } },
      { op: 'put', ...s1, kind: 'openRange', id: 'r3', item: { areas: [[7, 7, 7, 7]], name: 'mine' } },
      { op: 'patch', ...s1, kind: 'openRange', id: 'r1', patch: { name: 'other' } },
      { op: 'drop', ...s1, kind: 'openRange', id: 'r1' },
    ],
    filter: [
      lines({ filtered: true }),
      lines({ filtered: null }),
      { op: 'put', ...s1, kind: 'filter', id: 'f2', item: { area: [20, 0, 25, 2], columns: [] } },
      { op: 'patch', ...s1, kind: 'filter', id: 'f1', patch: { columns: [] } },
      { op: 'drop', ...s1, kind: 'filter', id: 'f1' },
      { op: 'patch', ...s1, kind: 'table', id: 't1', patch: { filter: [] } },
    ],
  };
  const open = [
    set(2, 2),
    table,
    lines({ hidden: true }),
    { op: 'sheet', ...s1, patch: { zoomPercent: 80 } },
    { op: 'workbook', patch: { dates1904: true } },
    { op: 'format', ...s1, areas: [[2, 2, 3, 3]], patch: { protection: { locked: false } } },
  ] as CellOperation[];
  const workbook = changedWorkbook(prepared, table);
  const isTaken = (operation: CellOperation, mayNot: readonly WithheldAct[]): boolean => {
    const entry = { change: encodeChange('c', operation), author: { name: 'Eve', mayNot } };
    return applyChange(workbook, entry) !== 'not-allowed';
  };

  it.each(['protect', 'filter'] as const)(
    '[XC36] of who may not %s nothing of it applies, also behind other operations',
    (act) => {
      const other = act === 'protect' ? 'filter' : 'protect';
      for (const operation of about[act]) {
        const name = JSON.stringify(operation);
        expect(isTaken(operation, [other]), name).toBe(true);
        expect(isTaken(operation, [act]), name).toBe(false);
        expect(isTaken({ op: 'several', operations: [set(2, 2), operation] }, [act]), name).toBe(false);
      }
      for (const operation of open) expect(isTaken(operation, [act]), JSON.stringify(operation)).toBe(true);
    },
  );

  it('[XC36] what a filter or a protection does of itself is nobody’s act', () => {
    // The filter goes with its rows, and a copy of a sheet is protected as that is.
    const without: CellOperation = { op: 'delete', ...s1, axis: 'row', at: 0, count: 6 };
    expect(isTaken(without, ['filter'])).toBe(true);
    expect(isTaken({ op: 'addSheet', sheet: 'c.1', name: 'Copy', at: 1, copyOf: 's1' }, ['protect'])).toBe(
      true,
    );
  });
});
