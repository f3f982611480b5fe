import { describe, expect, it } from 'vitest';
import { rowsAt } from '../../../client/testing/cell-world.ts';
import { applyOperation } from '../../../model/cell/change.ts';
import { parseWorkbook, WORKBOOK_FORMAT } from '../../../model/cell/document.ts';
import type { CellOperation } from '../../../model/cell/operations.ts';
import { structureMapsOf } from '../../../model/cell/structure-map.ts';
import { WORKBOOK_VERSION } from '../../../model/cell/version.ts';
import type { Workbook } from '../../../model/cell/workbook.ts';
import { beginEditing, beginTyping } from '../editing/cell-editing.ts';
import { followedTyping } from './followed-typing.ts';

const sheet = (id: string, name: string) => ({ id, properties: { name }, rows: [[0, 0, 0, 0, 1]] });
const before = parseWorkbook({
  ...{ format: WORKBOOK_FORMAT, version: WORKBOOK_VERSION, formats: [{}] },
  sheets: [sheet('s1', 'Sum'), sheet('s2', 'Data')],
});

/** What is typed into B6 of the first sheet, after somebody else has done something. */
function typedAfter(text: string, operation: CellOperation, shown = 's1') {
  const changed = applyOperation(before, operation) as Workbook;
  const moves = structureMapsOf(operation);
  const change = {
    before,
    after: changed,
    moves: moves.length > 0 ? { back: [], forward: moves } : null,
  };
  return followedTyping(beginTyping('s1', { row: 5, column: 1 }, text), change, shown);
}

describe('what is typed while others change the workbook', () => {
  it('[XS199] stays with its cell, also where another sheet is shown, and ends with it', () => {
    for (const shown of ['s1', 's2']) {
      expect(typedAfter('text', rowsAt('insert', 2, 3), shown)?.cell).toEqual({ row: 8, column: 1 });
      expect(typedAfter('text', rowsAt('delete', 5), shown)).toBeNull();
      expect(typedAfter('text', { op: 'removeSheet', sheet: 's1' }, shown)).toBeNull();
    }
    expect(typedAfter('text', { op: 'removeSheet', sheet: 's2' }, 's2')?.text).toBe('text');
  });

  it.each<[typed: string, operation: CellOperation, expected: string]>([
    ['=SUM(A2:A4', rowsAt('insert', 2), '=SUM(A2:A5'],
    ['=A3+$A$4*A$1+"A3"', rowsAt('insert', 2, 2), '=A5+$A$6*A$1+"A3"'],
    ['=A3+A4', rowsAt('delete', 2), '=#REF!+A3'],
    ['=SUM(3:4)+SUM(B:$C)', rowsAt('insert', 0), '=SUM(4:5)+SUM(B:$C)'],
    ['=Data!B2', rowsAt('insert', 0), '=Data!B2'],
    ['=data!B2', { ...rowsAt('insert', 0), sheet: 's2' } as CellOperation, '=data!B3'],
    ['=data!B2&Sum!A1', { op: 'sheet', sheet: 's2', patch: { name: 'My data' } }, "='My data'!B2&Sum!A1"],
    ['=Data!B2+A1', { op: 'removeSheet', sheet: 's2' }, '=#REF!+A1'],
    ['A3 is text', rowsAt('insert', 0), 'A3 is text'],
  ])('[XS200] %s names the same cells', (typed, operation, expected) => {
    expect(typedAfter(typed, operation)?.text).toBe(expected);
  });

  it('[XS200] the cursor stays between the same signs', () => {
    const change = {
      before,
      after: before,
      moves: { back: [], forward: structureMapsOf(rowsAt('insert', 0, 100)) },
    };
    const typed = '=A9+B9+C9';
    const now = followedTyping(
      { ...beginEditing('s1', { row: 0, column: 0 }, typed), from: 6, to: 7 },
      change,
      's1',
    );
    expect(now).toMatchObject({ text: '=A109+B109+C109', from: 10, to: 11 });
  });
});
