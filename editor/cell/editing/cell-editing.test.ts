import { describe, expect, it } from 'vitest';
import { selectionOf } from '../grid/selection.ts';
import {
  beginEditing,
  beginTyping,
  complete,
  type Editing,
  pick,
  pickFurther,
  picksReferences,
  placed,
  turnReference,
  typed,
  withFunction,
} from './cell-editing.ts';

const cell = { row: 0, column: 0 };
const typing = (text: string): Editing => typed(beginTyping('s', cell, ''), text, text.length);

describe('what is being typed into a cell', () => {
  it('[XS8] takes references from the grid behind an operator, each in the place of the last', () => {
    const sum = typing('=SUM(');
    expect(picksReferences(sum)).toBe(true);
    const selected = selectionOf({ row: 1, column: 1 });
    const one = pick(sum, 'B2', selected);
    const wide = pick(one, 'B2:B9', selected);
    expect([one.text, wide.text]).toEqual(['=SUM(B2', '=SUM(B2:B9']);
    expect(picksReferences(wide)).toBe(true);
    const further = typed(wide, '=SUM(B2:B9,', 11);
    expect(pick(further, 'C1', selected).text).toBe('=SUM(B2:B9,C1');
    expect(pick(pickFurther(wide, 'en'), 'D1', selected).text).toBe('=SUM(B2:B9,D1');
    expect(picksReferences(typed(wide, '=SUM(B2:B9)', 11))).toBe(false);
    expect(picksReferences(typing('SUM('))).toBe(false);
  });

  it('[XS154] takes further references with the sign that people of the region write between arguments', () => {
    const selected = selectionOf({ row: 1, column: 1 });
    const one = pick(typing('=SUM('), 'B2:B9', selected);
    expect(pick(pickFurther(one, 'de'), 'D1', selected).text).toBe('=SUM(B2:B9;D1');
    expect(pickFurther(typing('=SUM('), 'de').text).toBe('=SUM(');
  });

  it('[XS8] is edited where the cursor was placed', () => {
    const editing = placed(beginEditing('s', cell, '=A1+B1'), 3, 3);
    expect(editing.mode).toBe('editing');
    expect(turnReference(editing).text).toBe('=$A$1+B1');
    expect(turnReference(turnReference(editing)).text).toBe('=A$1+B1');
    expect(turnReference(typing('abc')).text).toBe('abc');
  });

  it('[XS8] is completed to the name of a function, and a bracket', () => {
    const sum = { label: 'SUM', detail: '', text: 'SUM', isFunction: true };
    expect(complete(typing('=1+su'), { ...sum, from: 3 })).toMatchObject({ text: '=1+SUM(', from: 7 });
    expect(complete({ ...typing('=su(A1)'), from: 3, to: 3 }, { ...sum, from: 1 })).toMatchObject({
      text: '=SUM(A1)',
      from: 5,
    });
  });

  it('[XH27] takes a function that is inserted: for its beginning, at the cursor, or as a formula of its own', () => {
    const inserted = (editing: Editing, name = 'SUM') => {
      const { text, from, to } = withFunction(editing, name);
      return [text, from, to];
    };
    expect(inserted(typing('=su'))).toEqual(['=SUM(', 5, 5]);
    expect(inserted(typing('='))).toEqual(['=SUM(', 5, 5]);
    expect(inserted(typing('=A1*'))).toEqual(['=A1*SUM(', 8, 8]);
    expect(inserted(typing('=A1'))).toEqual(['=A1+SUM(', 8, 8]);
    expect(inserted(typed(typing('=ROUND(;2)'), '=ROUND(;2)', 7))).toEqual(['=ROUND(SUM(;2)', 11, 11]);
    expect(inserted(typed(typing('=su(A1)'), '=su(A1)', 3))).toEqual(['=SUM(A1)', 5, 5]);
    expect(inserted(typed(typing('=A1+B1'), '=A1+B1', 4, 6))).toEqual(['=A1+SUM(', 8, 8]);
    expect(inserted(typing(''))).toEqual(['=SUM(', 5, 5]);
    expect(inserted(typing('12'))).toEqual(['=SUM(', 5, 5]);
  });
});
