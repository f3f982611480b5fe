import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { LogEntry } from '../log/change-author.ts';
import { ModelVersionError } from '../log/kind-model.ts';
import { applyTail } from '../log/log-tail.ts';
import { cellModel } from './cell-model.ts';
import { applyChange, applyOperation, encodeChange } from './change.ts';
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
    const text = encodeChange('a', { ...operation, when: [at, at] }, at);
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
