import { describe, expect, it } from 'vitest';
import { blankWorkbook, parseWorkbook } from '../../../model/cell/document.ts';
import type { CellOperation } from '../../../model/cell/operations.ts';
import { changedWorkbook } from '../../../model/cell/testing/changed-workbook.ts';
import type { Workbook } from '../../../model/cell/workbook.ts';
import { conditionOf, draftOf } from './conditions.ts';
import { problemWithDefinedName } from './name-making.ts';
import { areasName, movedFormula, readAreas, ruleWithout } from './ruled-areas.ts';

const made = (...operations: CellOperation[]): Workbook =>
  changedWorkbook(parseWorkbook(blankWorkbook()), operations);

describe('cells with rules', () => {
  it('[XS18] a rule without some of its cells says of the others what it said', () => {
    const rule = { areas: [[0, 0, 9, 0]] as const, formulas: ['A1>$B$1', 'SUM(A1:A2)'] };
    expect(ruleWithout(rule, [[0, 0, 2, 0]])).toEqual({
      areas: [[3, 0, 9, 0]],
      formulas: ['A4>$B$1', 'SUM(A4:A5)'],
    });
    expect(ruleWithout(rule, [[20, 0, 30, 0]])).toBe(rule);
    expect(ruleWithout(rule, [[0, 0, 90, 9]])).toBeNull();
    expect(movedFormula('A$1+Other!B2', 2, 1)).toBe('B$1+Other!C4');
    expect(areasName(readAreas('A1:B3, D4')!)).toBe('A1:B3, D4');
    expect(readAreas('A1, x')).toBeNull();
  });

  it('[XS18] a rule on words or days has the formula by which other programs go', () => {
    const areas = [[1, 1, 9, 1]] as const;
    const rule = conditionOf({ type: 'beginsWith', operator: 'beginsWith', text: 'a"b' }, areas as never, 3);
    expect(rule).toMatchObject({ priority: 3, formulas: ['LEFT(B2,3)="a""b"'] });
    expect(draftOf(rule)).toMatchObject({ type: 'beginsWith', text: 'a"b' });
    expect(conditionOf({ type: 'timePeriod', period: 'today' }, areas as never, 1).formulas).toEqual([
      'FLOOR(B2,1)=TODAY()',
    ]);
    expect(
      conditionOf({ type: 'cellIs', operator: 'equal', values: ['5'] }, areas as never, 1).formulas,
    ).toEqual(['5']);
  });
});

describe('names', () => {
  it('[XS19] of cells are told apart from references, from each other, and from tables', () => {
    const workbook = made(
      { op: 'put', sheet: null, kind: 'name', id: 'n1', item: { name: 'Rate', formula: 'Sheet1!$A$1' } },
      {
        ...{ op: 'put', sheet: 's1', kind: 'table', id: 't1' },
        item: { area: [0, 0, 2, 0], name: 'Sales', hasHeader: true, columns: [{ name: 'A' }] },
      },
    );
    for (const name of ['', 'A1', 'R1C1', 'r', '1st', 'two words', 'rate', 'SALES', 'TRUE', 'x'.repeat(256)])
      expect([name, problemWithDefinedName(workbook, name)]).not.toEqual([name, null]);
    for (const name of ['Rate2', '_x', 'Größe', 'Q1.Sum', 'tax'])
      expect([name, problemWithDefinedName(workbook, name)]).toEqual([name, null]);
    expect(problemWithDefinedName(workbook, 'RATE', null, 'n1')).toBeNull();
    expect(problemWithDefinedName(workbook, 'Rate', 's1')).toBeNull();
  });
});
