import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Block, EditorType, lockKey } from '../../../client/protocol/index.ts';
import { acquireLocks, dropRefusals, type LockTable, noLocks, releaseLocks } from './element-locks.ts';
import { conflicts } from './lock-rules.ts';

const request = (userId: string, blocks: Block[], editorType: number = EditorType.text) => ({
  connectionId: `c-${userId}`,
  userId,
  editorType,
  blocks,
  nowMs: 1,
});

const cell = (guid: string, more: object): Block =>
  ({ sheetId: 's1', type: 1, subType: null, guid, rangeOrObjectId: null, ...more }) as Block;
const range = (guid: string, c1: number, r1: number, c2: number, r2: number, more: object = {}): Block =>
  cell(guid, { rangeOrObjectId: { c1, r1, c2, r2 }, ...more });

describe('text documents', () => {
  test('[EL1] a block held by another user is refused, and the refusal names who holds it', () => {
    const { state } = acquireLocks(noLocks, request('ann1', ['p1']));
    const second = acquireLocks(state, request('bob2', ['p1']));
    expect(second.outcome).toMatchObject({ granted: false, refused: { key: 'p1', lock: { user: 'ann1' } } });
    expect(second.state.locks).toEqual(state.locks);
  });

  test('[EL2] a request is granted whole or not at all, and a refusal is shown under its first key', () => {
    const { state } = acquireLocks(noLocks, request('ann1', ['p2']));
    const { state: after, outcome } = acquireLocks(state, request('bob2', ['p1', 'p2', 'p3']));
    expect(Object.keys(after.locks)).toEqual(['p2']);
    expect(outcome).toMatchObject({ refused: { key: 'p1', lock: { user: 'ann1', block: 'p1' } } });
  });

  test('[EL3] the holder may ask again for what it holds', () => {
    const { state } = acquireLocks(noLocks, request('ann1', ['p1']));
    expect(acquireLocks(state, request('ann1', ['p1', 'p4'])).outcome.granted).toBe(true);
  });

  test('[EL4] an empty request is refused and changes nothing', () => {
    expect(acquireLocks(noLocks, request('ann1', []))).toEqual({
      state: noLocks,
      outcome: { granted: false, refused: null },
    });
  });

  test('[EL5] when the holder lets go, everybody it was shown to is told', () => {
    const { state } = acquireLocks(noLocks, request('ann1', ['p1', 'p2']));
    const refused = acquireLocks(state, request('bob2', ['p0', 'p2'])).state;
    const { released, lifted, state: after } = releaseLocks(refused, 'ann1');
    expect(released.map((lock) => lock.block)).toEqual(['p1', 'p2']);
    expect(lifted).toEqual([{ connectionId: 'c-bob2', lock: { time: 1, user: 'ann1', block: 'p0' } }]);
    expect(after).toEqual(noLocks);
    expect(dropRefusals(refused, 'c-bob2').refusals).toEqual([]);
  });
});

test('[LK19] of the refusals of one connection the newest hundred are remembered, and all of another', () => {
  let { state } = acquireLocks(noLocks, request('ann1', ['p1']));
  state = acquireLocks(state, request('cem3', ['first', 'p1'])).state;
  for (let number = 0; number < 1_000; number += 1)
    state = acquireLocks(state, request('bob2', [`b${number}`, 'p1'])).state;
  const { lifted } = releaseLocks(state, 'ann1');
  const keys = lifted.map(({ lock }) => lock.block);
  expect(keys).toEqual(['first', ...Array.from({ length: 100 }, (_, number) => `b${900 + number}`)]);
});

describe('spreadsheets', () => {
  const held = (...blocks: Block[]) => acquireLocks(noLocks, request('ann1', blocks, 1)).state;
  const granted = (state: LockTable, block: Block) =>
    acquireLocks(state, request('bob2', [block], EditorType.spreadsheet)).outcome.granted;

  test('[EL6] ranges that share a cell conflict whatever their guids; ranges side by side do not', () => {
    const state = held(range('g1', 0, 0, 3, 3));
    expect(granted(state, range('g2', 3, 3, 5, 5))).toBe(false);
    expect(granted(state, range('g3', 4, 0, 5, 3))).toBe(true);
    expect(granted(state, range('g4', 0, 0, 1, 1, { sheetId: 's2' }))).toBe(true);
  });

  test('[EL7] a range may be locked beside an insertion of rows, not two structural changes at once', () => {
    const state = held(range('g1', 0, 2, 100, 2, { subType: 4 }));
    expect(granted(state, range('g2', 0, 0, 3, 3))).toBe(true);
    expect(granted(state, range('g3', 5, 5, 6, 6, { subType: 3 }))).toBe(false);
  });

  test('[EL8] a sheet lock excludes ranges and objects of that sheet and any sheet lock of others', () => {
    const state = held(cell('g1', { type: 3 }));
    expect(granted(state, range('g2', 0, 0, 1, 1))).toBe(false);
    expect(granted(state, cell('g3', { type: 2, rangeOrObjectId: 'chart' }))).toBe(false);
    expect(granted(state, cell('g4', { type: 3, sheetId: 's2' }))).toBe(false);
    expect(granted(state, range('g5', 0, 0, 1, 1, { sheetId: 's2' }))).toBe(true);
  });

  test('[EL9] properties may change beside ranges and objects, not beside a sheet lock', () => {
    const state = held(range('g1', 0, 0, 3, 3));
    expect(granted(state, range('g2', 0, 0, 3, 3, { subType: 5 }))).toBe(true);
    expect(granted(held(cell('g3', { type: 3 })), range('g4', 0, 0, 3, 3, { subType: 5 }))).toBe(false);
  });

  test('[EL10] an object the asker holds already is granted under its new guid', () => {
    const state = held(cell('g1', { type: 2, rangeOrObjectId: 'chart' }));
    const again = request('ann1', [cell('g2', { type: 2, rangeOrObjectId: 'chart' })], 1);
    expect(acquireLocks(state, again).state.locks).toHaveProperty('g2');
    expect(granted(state, cell('g3', { type: 2, rangeOrObjectId: 'chart' }))).toBe(false);
    expect(granted(state, cell('g4', { type: 2, rangeOrObjectId: 'other' }))).toBe(true);
  });
});

test('[EL11] a slide and the objects on it exclude each other, and so do two locks of the presentation', () => {
  const object = (guid: string, slideId: string): Block => ({ type: 1, slideId, objId: guid, guid });
  const slide = (val: string): Block => ({ type: 2, val, guid: `slide-${val}` });
  const whole = (val: string, guid: string): Block => ({ type: 3, val, guid });
  const { presentation } = EditorType;
  expect(conflicts(presentation, slide('1'), object('o1', '1'))).toBe(true);
  expect(conflicts(presentation, object('o1', '1'), slide('1'))).toBe(true);
  expect(conflicts(presentation, object('o1', '1'), slide('2'))).toBe(false);
  expect(conflicts(presentation, object('o1', '1'), object('o1', '1'))).toBe(true);
  expect(conflicts(presentation, object('o1', '1'), object('o2', '1'))).toBe(false);
  expect(conflicts(presentation, whole('theme', 'a'), whole('theme', 'b'))).toBe(true);
  expect(conflicts(presentation, whole('theme', 'a'), slide('theme'))).toBe(false);
});

const anyRange = fc
  .tuple(fc.nat(6), fc.nat(6), fc.nat(3), fc.nat(3), fc.constantFrom(null, 1, 2, 3, 4, 5), fc.nat(999))
  .map(([c, r, w, h, subType, id]) => range(`g${id}`, c, r, c + w, r + h, { subType }));
const anyBlocks: Record<number, fc.Arbitrary<Block>> = {
  [EditorType.text]: fc.constantFrom('p1', 'p2', 'p3', 'p4'),
  [EditorType.spreadsheet]: fc.oneof(
    anyRange,
    fc
      .tuple(fc.constantFrom(2, 3), fc.constantFrom('s1', 's2'), fc.constantFrom('a', 'b'), fc.nat(999))
      .map(([type, sheetId, rangeOrObjectId, id]) => cell(`h${id}`, { type, sheetId, rangeOrObjectId })),
  ),
  [EditorType.presentation]: fc.oneof(
    fc.tuple(fc.nat(2), fc.nat(5)).map(
      ([s, o]): Block => ({
        type: 1,
        slideId: `s${s}`,
        objId: `o${o}`,
        guid: `o${o}`,
      }),
    ),
    fc.nat(2).map((s): Block => ({ type: 2, val: `s${s}`, guid: `s${s}` })),
  ),
};

for (const editorType of [EditorType.text, EditorType.spreadsheet, EditorType.presentation]) {
  test(`[EL12] whatever is asked for in whatever order, no lock is granted against a lock of another user (type ${editorType})`, () => {
    const step = fc.record({
      user: fc.constantFrom('ann1', 'bob2', 'cem3'),
      blocks: fc.array(anyBlocks[editorType]!, { minLength: 1, maxLength: 3 }),
      release: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        let state = noLocks;
        for (const { user, blocks, release } of steps) {
          if (release) {
            state = releaseLocks(state, user).state;
            expect(Object.values(state.locks).some((lock) => lock.user === user)).toBe(false);
            continue;
          }
          const before = state;
          const { state: after, outcome } = acquireLocks(before, request(user, blocks, editorType));
          const others = Object.values(before.locks).filter((lock) => lock.user !== user);
          const excluded = blocks.some((block) =>
            others.some((lock) => conflicts(editorType, block, lock.block)),
          );
          expect(outcome.granted).toBe(!excluded);
          expect(after.locks).toEqual(
            excluded
              ? before.locks
              : {
                  ...before.locks,
                  ...Object.fromEntries(blocks.map((block) => [lockKey(block), { time: 1, user, block }])),
                },
          );
          state = after;
        }
      }),
    );
  });
}
