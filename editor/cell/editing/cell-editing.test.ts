import { describe, expect, it } from 'vitest';
import {
  beginEditing,
  beginTyping,
  complete,
  type Editing,
  pick,
  picksReferences,
  placed,
  turnReference,
  typed,
  withBrackets,
} from './cell-editing.ts';

const cell = { row: 0, column: 0 };
const typing = (text: string): Editing => typed(beginTyping('s', cell, ''), text, text.length);

describe('what is being typed into a cell', () => {
  it('[XS8] takes references from the grid behind an operator, each in the place of the last', () => {
    const sum = typing('=SUM(');
    expect(picksReferences(sum)).toBe(true);
    const one = pick(sum, 'B2');
    const wide = pick(one, 'B2:B9');
    expect([one.text, wide.text]).toEqual(['=SUM(B2', '=SUM(B2:B9']);
    expect(picksReferences(wide)).toBe(true);
    const further = typed(wide, '=SUM(B2:B9,', 11);
    expect(pick(further, 'C1').text).toBe('=SUM(B2:B9,C1');
    expect(picksReferences(typed(wide, '=SUM(B2:B9)', 11))).toBe(false);
    expect(picksReferences(typing('SUM('))).toBe(false);
  });

  it('[XS8] is edited where the cursor was placed', () => {
    const editing = placed(beginEditing('s', cell, '=A1+B1'), 3, 3);
    expect(editing.mode).toBe('editing');
    expect(turnReference(editing).text).toBe('=$A$1+B1');
    expect(turnReference(turnReference(editing)).text).toBe('=A$1+B1');
    expect(turnReference(typing('abc')).text).toBe('abc');
  });

  it('[XS8] is completed to the name of a function, and to all of its brackets', () => {
    expect(complete(typing('=1+su'), 'SUM')).toMatchObject({ text: '=1+SUM(', from: 7 });
    expect(complete({ ...typing('=su(A1)'), from: 3, to: 3 }, 'SUM')).toMatchObject({
      text: '=SUM(A1)',
      from: 5,
    });
    expect(withBrackets('=SUM(A1,MAX(B1')).toBe('=SUM(A1,MAX(B1))');
    expect(withBrackets('="(("&SUM(A1)')).toBe('="(("&SUM(A1)');
    expect(withBrackets(':-(')).toBe(':-(');
  });
});
