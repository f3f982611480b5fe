import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { LogEntry } from '../log/change-author.ts';
import { ModelVersionError } from '../log/kind-model.ts';
import { applyTail } from '../log/log-tail.ts';
import { cellModel } from './cell-model.ts';
import { applyChange, applyOperation, encodeChange } from './change.ts';
import type { Chart } from './chart.ts';
import { blankWorkbook, parseWorkbook, type WorkbookJson, workbookJsonOf } from './document.ts';
import type { CellOperation } from './operations.ts';
import { sameWorkbook } from './same-workbook.ts';
import { readSnapshot, snapshotOf } from './snapshot.ts';
import { RandomOperations, randomOf } from './testing/random-operations.ts';
import { itemsOf, sheetOf, type Workbook } from './workbook.ts';

const blank = () => parseWorkbook(blankWorkbook());
const json = <Value>(value: Value): Value => JSON.parse(JSON.stringify(value)) as Value;

/** A log of random operations. */
function randomLog(seed: number, length: number): string[] {
  const random = new RandomOperations(randomOf(seed), 'a');
  let workbook = blank();
  return Array.from({ length }, (_, at) => {
    const operation = random.pick([
      () => random.set(workbook),
      () => random.structure(workbook),
      () => random.other(workbook),
    ])();
    const text = encodeChange('a', { ...operation, when: [at, at], region: random.pick(['de', 'fr']) }, at);
    const after = applyChange(workbook, text);
    if (typeof after !== 'string') workbook = after;
    return text;
  });
}

const replay = (changes: readonly LogEntry[], workbook: Workbook = blank()): Workbook =>
  changes.reduce<Workbook>((current, change) => {
    const after = applyChange(current, change);
    return typeof after === 'string' ? current : after;
  }, workbook);

describe('changes of workbooks', () => {
  it('[XC1] whatever a change says, it leads to a workbook or to a reason, and never throws', () => {
    const value = fc.jsonValue({ maxDepth: 3 });
    const start = replay(randomLog(1, 20));
    fc.assert(
      fc.property(fc.nat(500), fc.array(fc.tuple(fc.string(), value), { maxLength: 3 }), (seed, changed) => {
        const operation = json(JSON.parse(randomLog(seed, 1)[0]!)) as { s: Record<string, unknown> };
        const names = Object.keys(operation.s);
        for (const [name, put] of changed) operation.s[names[name.length % names.length]!] = put;
        const after = applyChange(start, JSON.stringify(operation));
        if (typeof after !== 'string') expect(sameWorkbook(after, after)).toBe(true);
      }),
      { numRuns: 150 },
    );
    const set = (cell: unknown): unknown => ({ op: 'set', sheet: 's1', cells: [cell] });
    const step = (s: unknown) => applyChange(start, JSON.stringify({ c: 'a', s }));
    for (const bad of [
      [-1, 0, {}],
      [0, 16_384, { v: 1 }],
      [0, 0, { v: { x: 1 } }],
      [0, 0, { f: '' }],
      [0, 0, { s: 0 }],
    ]) {
      expect(step(set(bad))).toBe('unknown-step');
    }
    expect(step({ op: 'later', sheet: 's1' })).toBe('unknown-step');
    expect(step({ op: 'clear', sheet: 'none', areas: [[0, 0, 0, 0]], part: 'all' })).toBe('out-of-range');
    expect(step({ op: 'insert', sheet: 's1', axis: 'row', at: 0, count: 1_048_576 })).toBe('out-of-range');
  });

  it('[XC2] an operation leaves the workbook that it was made on as it was, and every replica comes to an equal one', () => {
    fc.assert(
      fc.property(fc.nat(), (seed) => {
        const changes = randomLog(seed, 25);
        const half = replay(changes.slice(0, 12));
        const written = JSON.stringify(workbookJsonOf(half));
        const whole = replay(changes.slice(12), half);
        expect(JSON.stringify(workbookJsonOf(half))).toBe(written);
        expect(sameWorkbook(whole, replay(changes))).toBe(true);
      }),
      { numRuns: 10 },
    );
  });

  it('[XH4] an insertion that would push cells off the sheet is refused, also cells that only look some way', () => {
    const last = 1_048_575;
    const bold: CellOperation = {
      op: 'set',
      sheet: 's1',
      cells: [[last, 2, { s: 0 }]],
      formats: [{ font: { bold: true } }],
    };
    const full = applyOperation(blank(), bold) as Workbook;
    const insert = (more: object) =>
      applyOperation(full, { op: 'insert', sheet: 's1', axis: 'row', at: 3, count: 1, ...more });
    expect(insert({})).toBe('out-of-range');
    expect(insert({ band: [2, 4] })).toBe('out-of-range');
    expect(insert({ band: [3, 4] })).toMatchObject({ sheets: [{ id: 's1' }] });
    expect(insert({ axis: 'column' })).toMatchObject({ sheets: [{ id: 's1' }] });
  });

  it('[XH4] an insertion leaves no row behind the last one: rows that have a size alone go', () => {
    const last = 1_048_575;
    const lines = (at: number): CellOperation => ({
      ...{ op: 'lines', sheet: 's1', axis: 'row', spans: [[at, at]], patch: { size: at - last + 40 } },
    });
    const sized = [lines(last - 4), lines(last)].reduce<Workbook>(
      (all, one) => applyOperation(all, one) as Workbook,
      blank(),
    );
    const sizes = (at: number, count: number) => {
      const { sheets } = applyOperation(sized, {
        op: 'insert',
        sheet: 's1',
        axis: 'row',
        at,
        count,
      }) as Workbook;
      return [...sheets[0]!.grid.rows()].map(([place, { line }]) => [place - last, line.size]);
    };
    expect(sizes(3, 1)).toEqual([[-3, 36]]);
    expect(sizes(last, 5)).toEqual([[-4, 36]]);
  });

  it('[XC3] the JSON of a workbook, and its snapshot, are read as an equal workbook', () => {
    fc.assert(
      fc.property(fc.nat(), (seed) => {
        const workbook = replay(randomLog(seed, 30));
        const kept = { ...workbook, removed: new Map(), removedComments: new Map() };
        expect(sameWorkbook(parseWorkbook(json(workbookJsonOf(workbook))), kept)).toBe(true);
        expect(sameWorkbook(readSnapshot(snapshotOf(workbook).map((write) => write())), kept)).toBe(true);
      }),
      { numRuns: 10 },
    );
    const later: WorkbookJson = { ...blankWorkbook(), version: 2 };
    expect(() => cellModel.parse(later)).toThrow(ModelVersionError);
    expect(() => cellModel.parse({ ...blankWorkbook(), sheets: [] })).toThrow(TypeError);
  });

  it('[XC4] a replica that begins at a checkpoint comes to the same workbook', () => {
    fc.assert(
      fc.property(fc.nat(), fc.nat(30), (seed, cut) => {
        const base = { doc: replay(randomLog(seed + 1, 10)), rights: null };
        base.doc = parseWorkbook(json(workbookJsonOf(base.doc)));
        const changes = randomLog(seed, 30);
        const first = applyTail(cellModel, base, {
          checkpoint: null,
          changes: changes.slice(0, cut),
          wantsCheckpoint: true,
        });
        const checkpoint = first.log.checkpoint;
        expect(checkpoint).not.toBeNull();
        const tail = applyTail(cellModel, base, {
          checkpoint,
          changes: changes.slice(cut),
          wantsCheckpoint: false,
        });
        const whole = applyTail(cellModel, base, { checkpoint: null, changes, wantsCheckpoint: false });
        expect(sameWorkbook(tail.doc, whole.doc)).toBe(true);
        expect(tail.log).toEqual(whole.log);
      }),
      { numRuns: 10 },
    );
  });

  it('[XC35] a copy of a sheet has what it shows, and no pivot tables', () => {
    const given = blankWorkbook();
    const [sheet] = given.sheets;
    const items = {
      pivot: { p1: { area: [0, 0, 1, 1], name: 'Pivot' } },
      merge: { m1: { area: [5, 0, 6, 0] } },
    };
    const workbook = parseWorkbook({ ...given, sheets: [{ ...sheet, rows: [[0, 0, 0, 0, 7]], items }] });
    const copied = applyOperation(workbook, {
      op: 'addSheet',
      sheet: 'a.1',
      name: 'Copy',
      at: 1,
      copyOf: 's1',
    }) as Workbook;
    const [original, copy] = copied.sheets;
    expect(original!.items.pivot?.size).toBe(1);
    expect([copy!.items.pivot, copy!.items.merge?.size, copy!.grid.cell(0, 0).value]).toEqual([
      undefined,
      1,
      7,
    ]);
  });

  it('[XC5] names of sheets that are taken get a number, and the last sheet in sight stays', () => {
    const add = (sheet: string, name: string): CellOperation => ({ op: 'addSheet', sheet, name, at: 9 });
    const operations: CellOperation[] = [
      add('a.1', 'sheet1'),
      add('a.2', 'Other'),
      { op: 'sheet', sheet: 'a.2', patch: { name: 'SHEET1' } },
    ];
    const workbook = operations.reduce<Workbook>((all, one) => applyOperation(all, one) as Workbook, blank());
    expect(workbook.sheets.map(({ properties }) => properties.name)).toEqual([
      'Sheet1',
      'sheet1 (2)',
      'SHEET1 (3)',
    ]);
    const lone = blank();
    expect(applyOperation(lone, { op: 'removeSheet', sheet: 's1' })).toBe('out-of-range');
    expect(applyOperation(lone, { op: 'sheet', sheet: 's1', patch: { state: 'hidden' } })).toBe(
      'out-of-range',
    );
  });

  it('[XC6] volatile functions stand on the time and the seed of the last operation that has them', () => {
    const workbook = replay([
      encodeChange('a', { op: 'recalculate', when: [1_000, 5] }),
      encodeChange('a', { op: 'set', sheet: 's1', cells: [[0, 0, { v: 1 }]] }),
    ]);
    expect(workbook.volatile).toEqual({ timeMs: 1_000, seed: 5 });
  });

  it('[XC38] texts and numbers are written as in the region that was said first', () => {
    const say = (at: number, region?: string) =>
      encodeChange('a', { op: 'recalculate', when: [at, at], ...(region && { region }) });
    expect(replay([say(1)]).volatile).toEqual({ timeMs: 1, seed: 1 });
    const workbook = replay([say(1), say(2, 'de-AT'), say(3, 'en-US'), say(4)]);
    expect(workbook.volatile).toEqual({ timeMs: 4, seed: 4, region: 'de-AT' });
    expect(parseWorkbook(json(workbookJsonOf(workbook))).volatile).toEqual(workbook.volatile);
    expect(replay([say(1, 'no region'), say(2, 'fr')]).volatile).toEqual({
      timeMs: 2,
      seed: 2,
      region: 'fr',
    });
  });

  it('[XC7] cells, whole rows and whole columns keep the format that was set last', () => {
    const bold = { font: { bold: true } };
    const format = (areas: CellOperation & { op: 'format' }): CellOperation => areas;
    const operations: CellOperation[] = [
      { op: 'set', sheet: 's1', cells: [[2, 1, { v: 'x' }]] },
      format({ op: 'format', sheet: 's1', areas: [[0, 1, 1_048_575, 1]], patch: bold }),
      format({ op: 'format', sheet: 's1', areas: [[4, 0, 4, 16_383]], patch: { number: '0%' } }),
      {
        op: 'set',
        sheet: 's1',
        cells: [
          [9, 1, { v: 1 }],
          [4, 1, { v: 2 }],
          [4, 3, { v: 3 }],
        ],
      },
    ];
    const workbook = operations.reduce<Workbook>((all, one) => applyOperation(all, one) as Workbook, blank());
    const formatAt = (row: number, column: number) =>
      workbook.formats.at(sheetOf(workbook, 's1')!.grid.cell(row, column).format);
    expect(formatAt(2, 1)).toMatchObject(bold);
    expect(formatAt(9, 1)).toMatchObject(bold);
    expect(formatAt(4, 1)).toMatchObject({ ...bold, number: '0%' });
    expect(formatAt(4, 3)).toMatchObject({ number: '0%' });
    expect(formatAt(4, 3).font).toBeUndefined();
  });
});

describe('charts', () => {
  it('[XG1] the cells of series and of titles follow, and charts that nothing is moved for are the very same', () => {
    const chart: Chart = {
      type: 'column',
      title: 'Sales',
      titleFormula: 'Sheet1!$A$1',
      series: [{ values: 'Sheet1!$B$2:$B$9', cached: { values: [1] } }],
      axes: { secondValue: { titleFormula: 'Sheet1!$C$1', minimum: 0 }, value: { step: 2 } },
    };
    const item = { kind: 'chart', anchor: { from: [0, 0, 0, 0], follows: 'none' }, order: 0, chart };
    const put = { op: 'put', sheet: 's1', kind: 'drawing', id: 'a.1', item } as CellOperation;
    const before = applyOperation(blank(), put) as Workbook;
    const chartOf = (workbook: Workbook) => itemsOf(workbook.sheets[0]!, 'drawing').get('a.1')?.chart;
    const insertAt = (at: number): Workbook =>
      applyOperation(before, { op: 'insert', sheet: 's1', axis: 'row', at, count: 1 }) as Workbook;
    expect(chartOf(insertAt(0))).toEqual({
      ...chart,
      titleFormula: 'Sheet1!$A$2',
      series: [{ values: 'Sheet1!$B$3:$B$10', cached: { values: [1] } }],
      axes: { secondValue: { titleFormula: 'Sheet1!$C$2', minimum: 0 }, value: { step: 2 } },
    });
    expect(chartOf(insertAt(20))).toBe(chartOf(before));
  });
});

describe('who may change what in a workbook', () => {
  const comment = (author: string, more: object = {}): CellOperation => ({
    ...{ op: 'put', sheet: 's1', kind: 'comment', id: `${author}.1` },
    item: { cell: [0, 0], author, date: null, text: `of ${author}`, ...more } as never,
  });
  const start = applyOperation(blank(), comment('Ann')) as Workbook;
  const may = (operation: CellOperation, name: string, acts?: readonly ('comment' | 'review' | 'fill')[]) =>
    applyChange(start, { change: encodeChange('c', operation), author: { name, may: acts } }) !==
    'not-allowed';
  const patch = (fields: object): CellOperation => ({
    ...{ op: 'patch', sheet: 's1', kind: 'comment', id: 'Ann.1' },
    patch: fields as Record<string, unknown>,
  });
  const drop: CellOperation = { op: 'drop', sheet: 's1', kind: 'comment', id: 'Ann.1' };

  it('[XC8] who may only comment changes their own comments, answers and resolves, and nothing else', () => {
    const set: CellOperation = { op: 'set', sheet: 's1', cells: [[0, 0, { v: 1 }]] };
    for (const acts of [[], ['review'], ['fill'], ['comment']] as const) {
      expect(may(set, 'Me', acts)).toBe(false);
      expect(may({ op: 'several', operations: [set] }, 'Me', acts)).toBe(false);
      expect(may({ op: 'recalculate', when: [1, 1] }, 'Me', acts)).toBe(false);
      expect(may({ op: 'several', operations: [], when: [1, 1], region: 'de' }, 'Me', acts)).toBe(false);
      expect(may({ op: 'several', operations: [comment('Me')], when: [1, 1] }, 'Me', acts)).toBe(false);
      expect(may(comment('Me'), 'Me', acts)).toBe(acts[0] === 'comment');
    }
    expect(may(comment('Me', { parent: 'Ann.1' }), 'Me', ['comment'])).toBe(true);
    expect(may(patch({ done: true }), 'Me', ['comment'])).toBe(true);
    expect(may(patch({ text: 'forged' }), 'Me', ['comment'])).toBe(false);
    expect(may(patch({ text: 'better' }), 'Ann', ['comment'])).toBe(true);
    expect(may(drop, 'Me', ['comment'])).toBe(false);
    expect(may(drop, 'Ann', ['comment'])).toBe(true);
    expect(may(drop, 'Me')).toBe(true);
  });

  it('[XC8] who may only comment does not take a thread from under the answers of others', () => {
    const answered = [comment('Bob', { parent: 'Ann.1' }), comment('Cid', { cell: [1, 0] })];
    const thread = answered.reduce(
      (current, operation) => applyOperation(current, operation) as Workbook,
      start,
    );
    const sent = (fields: object) =>
      applyChange(thread, {
        change: encodeChange('c', patch(fields)),
        author: { name: 'Ann', may: ['comment'] },
      });
    expect([sent({ parent: 'Cid.1' }), sent({ isNote: true })]).toEqual(['not-allowed', 'not-allowed']);
    expect(typeof sent({ text: 'better', cell: [3, 3] })).toBe('object');
  });

  it('[XC8] whatever a hostile client of somebody who may only comment or view sends, only comments change', () => {
    const withoutComments = (workbook: Workbook): Workbook => ({
      ...workbook,
      sheets: workbook.sheets.map((sheet) => ({ ...sheet, items: { ...sheet.items, comment: new Map() } })),
      removedComments: new Map(),
    });
    const seen = { refused: 0, applied: 0 };
    fc.assert(
      fc.property(fc.nat(), fc.constantFrom(['comment'] as const, [] as const), (seed, acts) => {
        const random = new RandomOperations(randomOf(seed), 'h');
        // Those of an editor bring the workbook to where the hostile client meets it.
        let workbook = start;
        for (let at = 0; at < 25; at++) {
          const made = random.pick([
            () => random.set(workbook),
            () => random.structure(workbook),
            () => random.other(workbook),
          ])();
          const own = comment('Me', { cell: [at, 0] });
          const sent = random.pick<CellOperation>([
            made,
            { op: 'several', operations: [own, made] },
            { op: 'several', operations: [{ op: 'several', operations: [made] }, own] },
            { ...own, when: [at, at] },
            { op: 'several', operations: [own], when: [at, at], region: 'de' },
            { ...own, kind: 'link' } as CellOperation,
            { ...own, sheet: null } as CellOperation,
            own,
          ]);
          const after = applyChange(workbook, {
            change: encodeChange('h', sent),
            author: { name: 'Me', may: acts },
          });
          if (typeof after === 'string') seen.refused += 1;
          else {
            seen.applied += 1;
            expect(sameWorkbook(withoutComments(after), withoutComments(workbook))).toBe(true);
            if (acts.length === 0) expect(sameWorkbook(after, workbook)).toBe(true);
          }
          const next = applyOperation(workbook, made);
          if (typeof next !== 'string') workbook = next;
        }
      }),
      { numRuns: 40 },
    );
    expect(Math.min(seen.refused, seen.applied)).toBeGreaterThan(20);
  });

  it('[XC9] nobody comments in the name of somebody else, but a comment that was removed comes back as it was', () => {
    expect(may(comment('Zoe'), 'Me')).toBe(false);
    expect(may(patch({ author: 'Me' }), 'Me')).toBe(false);
    const without = applyOperation(start, drop) as Workbook;
    const back = (text: string) =>
      applyChange(without, { change: encodeChange('c', comment('Ann', { text })), author: { name: 'Me' } });
    expect(back('forged')).toBe('not-allowed');
    const restored = back('of Ann') as Workbook;
    expect(itemsOf(restored.sheets[0]!, 'comment').get('Ann.1')?.text).toBe('of Ann');
  });
});
