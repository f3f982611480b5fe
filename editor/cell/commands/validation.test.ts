import { describe, expect, it } from 'vitest';
import { blankWorkbook, parseWorkbook } from '../../../model/cell/document.ts';
import { choicesOf, isAllowed, type Validation } from './validation.ts';

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
});
