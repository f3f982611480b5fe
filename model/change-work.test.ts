import { expect, test } from 'vitest';
import type { CellOperation } from './cell/operations.ts';
import { areWork, workOfChange } from './change-work.ts';
import { encodeEnvelope } from './log/change.ts';

const envelope = { clientId: 'a"\\b', number: 7, step: { stepType: 'replace', from: 1 } };
const large = 'x'.repeat(100_000);

test.each([
  ['a change of an editor', encodeEnvelope(envelope)],
  ['one without a number', encodeEnvelope({ ...envelope, number: undefined })],
  ['one whose step is a list', encodeEnvelope({ ...envelope, step: [1] })],
  ['one of a kind whose steps are texts', encodeEnvelope({ ...envelope, step: 'x' })],
  ['one in another order', JSON.stringify({ s: {}, c: 'a' })],
  ['one with more than we know', JSON.stringify({ c: 'a', n: 1, later: true, s: {} })],
  ['a large one', encodeEnvelope({ ...envelope, step: { text: large } })],
  ['a large one in another order', JSON.stringify({ s: { text: large }, c: 'a' })],
  [
    'one that is larger than the model takes',
    encodeEnvelope({ ...envelope, step: { text: 'x'.repeat(8_000_001) } }),
  ],
  [
    'one that is nested too deep',
    encodeEnvelope({ ...envelope, step: JSON.parse('['.repeat(200) + ']'.repeat(200)) }),
  ],
])('[SV38] %s may be a change of a model of ours', (_what, text) => {
  expect(workOfChange('word', text)).toBeGreaterThan(0);
});

test.each([
  ['junk', 'x'],
  ['nothing', ''],
  ['a part of a change', encodeEnvelope(envelope).slice(0, -1)],
  ['large junk', large],
  ['a change of nobody', JSON.stringify({ n: 1, s: {} })],
  ['a change without a step', JSON.stringify({ c: 'x', n: 1, junk: large })],
  ['a list', '[{"c":"x","s":{}}]'],
])('[SV38] %s is none', (_what, text) => {
  expect(workOfChange('word', text)).toBeNull();
});

const change = (step: unknown) => encodeEnvelope({ clientId: 'a', number: 1, step });
const s1 = { sheet: 's1' };

test('[SV43] a change counts as what it tells of its work: cells that it writes, and what may look through a sheet', () => {
  const typed: CellOperation = { op: 'set', ...s1, cells: [[0, 0, { v: 1 }]] };
  const row: CellOperation = { op: 'insert', ...s1, axis: 'row', at: 5, count: 1 };
  const sorted: CellOperation = { op: 'sort', ...s1, axis: 'row', band: [0, 1], order: [1, 0] };
  const works: readonly (readonly [CellOperation, number])[] = [
    [typed, 1],
    [row, 1],
    [{ ...row, axis: 'column' }, 100],
    [{ ...row, band: [0, 3] }, 100],
    [sorted, 100],
    [{ op: 'fill', ...s1, from: [0, 0, 0, 0], to: [0, 0, 99_999, 0], part: 'all' }, 400],
    [{ op: 'format', ...s1, areas: [[0, 0, 999, 999]], patch: {} }, 4_000],
    [{ op: 'format', ...s1, areas: [[0, 0, 1_048_575, 0]], patch: {} }, 100],
    [{ op: 'clear', ...s1, areas: [[0, 0, 9, 9]], part: 'all' }, 1],
    [{ op: 'clear', ...s1, areas: [[0, 0, 1_048_575, 16_383]], part: 'all' }, 100],
    [{ op: 'lines', ...s1, axis: 'row', spans: [[0, 24_999]], patch: { hidden: true } }, 100],
    [{ op: 'sheet', ...s1, patch: { name: 'Other' } }, 100],
    [{ op: 'sheet', ...s1, patch: { zoomPercent: 80 } }, 1],
    [{ op: 'several', operations: [typed, sorted, sorted] }, 201],
  ];
  for (const [operation, work] of works)
    expect([operation, workOfChange('cell', change(operation))]).toEqual([operation, work]);
  // No single change is more than several may be together, and what only looks like one of cells is none of theirs.
  const all = { op: 'several', operations: Array.from({ length: 500 }, () => sorted) };
  expect(workOfChange('cell', change(all))).toBe(20_000);
  expect(workOfChange('word', change(sorted))).toBe(1);
  expect(workOfChange('cell', change({ ...typed, cells: [[0, 0, { v: 'x'.repeat(30_000) }]] }))).toBe(7);
});

test('[SV43] a change that is too long to be read counts by its length where it is plainly one of cells, else as what it holds, or as much as that may be', () => {
  const sorted = { op: 'sort', ...s1, axis: 'row', band: [0, 1], order: [1, 0] };
  const junk = (characters: number) => ({ junk: 'x'.repeat(characters) });
  const block = { op: 'block', ...s1, row: 0, column: 0, rows: [['x'.repeat(99_000)]] };
  expect(workOfChange('cell', change(block))).toBe(20);
  // Behind the beginning of such a one there may be another operation, by a key that comes twice or is spelled otherwise.
  const spelled = (key: string) => change(block).replace(/}}$/, `,${key}:"sort"}}`);
  expect(JSON.parse(spelled('"op"')).s.op).toBe('sort');
  expect(JSON.parse(spelled('"\\u006fp"')).s.op).toBe('sort');
  for (const text of [spelled('"op"'), spelled('"\\u006fp"'), change({ ...sorted, ...junk(99_000) })])
    expect(workOfChange('cell', text)).toBe(100);
  expect(workOfChange('cell', change({ ...sorted, ...junk(300_000) }))).toBe(4_400);
  expect(workOfChange('cell', change({ op: 'several', operations: [sorted], ...junk(300_000) }))).toBe(
    20_000,
  );
  expect(workOfChange('word', change({ ...sorted, ...junk(300_000) }))).toBe(61);
});

test('[SV43] whatever JSON a step is, it counts as something', () => {
  const odd = [
    [1, 'x', null, [], {}, true],
    ['fill', 'format', 'clear', 'lines', 'several', 'sheet', 'put', 'constructor', '__proto__'].map((op) => ({
      ...{ op, areas: [null, [1], [{}, 0, 1e308, 1e308], [9, 9, 0, 0]], to: { toString: 1 }, patch: 7 },
      ...{ spans: [[-1e308, 1e308], 'x'], operations: [null, { op: 'several', operations: {} }] },
    })),
  ].flat();
  for (const step of odd) {
    const work = workOfChange('cell', change(step))!;
    expect(work).toBeGreaterThanOrEqual(1);
    expect(work).toBeLessThanOrEqual(20_000);
  }
});

test('[SV43] changes are so much work together as each of them', () => {
  const sorted = change({ op: 'sort', ...s1, axis: 'row', band: [0, 1], order: [1, 0] });
  expect(areWork('cell', [sorted, { change: sorted, author: { name: 'Ann' } }], 200)).toBe(true);
  expect(areWork('cell', [sorted, sorted], 201)).toBe(false);
  expect(areWork('word', ['x', 'x'], 2)).toBe(true);
});
