import { describe, expect, it } from 'vitest';
import { blankWorkbook, parseWorkbook } from '../../../model/cell/document.ts';
import { changedWorkbook } from '../../../model/cell/testing/changed-workbook.ts';
import { itemsOf } from '../../../model/cell/workbook.ts';
import {
  calculatedFormulas,
  choicesOf,
  choicesOfValues,
  isAllowed,
  type Operands,
  type Validation,
} from './validation.ts';

const settings = { locale: 'en' };
const rule = (over: Partial<Validation>): Validation => ({
  areas: [[0, 0, 9, 0]],
  type: 'whole',
  formulas: [],
  ...over,
});

describe('what may be typed into a cell', () => {
  it('[XS17] is one of the words of a list', () => {
    const workbook = parseWorkbook(blankWorkbook());
    const list = rule({ type: 'list', formulas: ['"Yes,No, Maybe"'] });
    const choices = choicesOf(list, workbook, workbook.sheets[0]!, { row: 0, column: 0 }, settings);
    expect(choices).toEqual(['Yes', 'No', 'Maybe']);
    expect(isAllowed(list, 'no', choices, settings)).toBe(true);
    expect(isAllowed(list, 'Perhaps', choices, settings)).toBe(false);
    expect(isAllowed(list, '', choices, settings)).toBe(true);
    expect(isAllowed({ ...list, allowsBlank: false }, '', choices, settings)).toBe(false);
  });

  it('[XS17] is a number within its bounds, or a text that is not too long; formulas pass', () => {
    const between = rule({ operator: 'between', formulas: ['1', '10'] });
    expect(['5', '11', '5.5', 'a', '=A1'].map((text) => isAllowed(between, text, null, settings))).toEqual([
      true,
      false,
      false,
      false,
      true,
    ]);
    const short = rule({ type: 'textLength', operator: 'lessThanOrEqual', formulas: ['3'] });
    expect(['abc', 'abcd'].map((text) => isAllowed(short, text, null, settings))).toEqual([true, false]);
  });

  it('[XS17] goes by what formulas of the rule come to, and passes where that is not known', () => {
    const between = rule({ operator: 'between', formulas: ['1', 'MAX(B:B)'] });
    expect(calculatedFormulas(between, null)).toEqual([1]);
    const fits = (text: string, ...operands: Operands) => isAllowed(between, text, null, settings, operands);
    expect([fits('7', undefined, 6), fits('7', undefined, 8), fits('7'), fits('0')]).toEqual([
      false,
      true,
      true,
      true,
    ]);
    const custom = rule({ type: 'custom', formulas: ['A1>B1'] });
    expect(calculatedFormulas(custom, null)).toEqual([0]);
    const results = [true, false, 2, 0, 'x', { e: '#N/A' }, undefined];
    expect(results.map((result) => isAllowed(custom, '=B1', null, settings, [result]))).toEqual([
      true,
      false,
      true,
      false,
      false,
      false,
      true,
    ]);
    const list = rule({ type: 'list', formulas: ['INDIRECT(B1)'] });
    expect([calculatedFormulas(list, null), calculatedFormulas(list, ['x'])]).toEqual([[0], []]);
    const choices = choicesOfValues(['Red', 1.5, null, true], settings);
    expect(choices).toEqual(['Red', '1.5', 'TRUE']);
    expect(['red', '1.50', 'blue'].map((text) => isAllowed(list, text, choices, settings))).toEqual([
      true,
      true,
      false,
    ]);
  });

  it('[XS260] is anything where the list comes to an error, as one whose sheet is gone', () => {
    const list = rule({ type: 'list', formulas: ['Lists!A1:A3'] });
    const workbook = changedWorkbook(parseWorkbook(blankWorkbook()), [
      { op: 'addSheet', sheet: 's2', name: 'Lists', at: 1 },
      { op: 'put', sheet: 's1', kind: 'validation', id: 'v', item: list },
      { op: 'removeSheet', sheet: 's2' },
    ]);
    const left = itemsOf(workbook.sheets[0]!, 'validation').get('v')!;
    expect(left.formulas).toEqual(['#REF!']);
    const known = choicesOf(left, workbook, workbook.sheets[0]!, { row: 0, column: 0 }, settings);
    expect([known, calculatedFormulas(left, known)]).toEqual([null, [0]]);
    const choices = choicesOfValues([{ e: '#REF!' }], settings);
    expect(isAllowed(left, 'whatever', choices, settings)).toBe(true);
    expect(choicesOfValues([{ e: '#N/A' }, 'x'], settings)).toEqual(['#N/A', 'x']);
  });
});
