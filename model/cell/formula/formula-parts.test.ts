import { describe, expect, it } from 'vitest';
import { isReference, partsOf, textOfParts } from './formula-parts.ts';

/** The references, and in braces the names and tables, that a formula has. */
const found = (formula: string) =>
  partsOf(formula).flatMap((part) => {
    if (typeof part === 'string') return [];
    return [isReference(part) ? textOfParts([part]) : `{${textOfParts([part])}}`];
  });

describe('pieces of formulas', () => {
  it.each([
    ['A1+$B$2*C$3', ['A1', '$B$2', 'C$3']],
    ['SUM(A1:B2,C:D,$5:6)', ['A1:B2', 'C:D', '$5:6']],
    ['LOG10(2)+LOG10', ['LOG10']],
    ['ATAN2(A1,B1)&"A1 ""B2"""', ['A1', 'B1']],
    ["Sheet2!A1+'My ''own'' sheet'!B2:C3", ['Sheet2!A1', "'My ''own'' sheet'!B2:C3"]],
    ["Jan:Mar!A1+'Q1 a:Q1 b'!$A$1", ['Jan:Mar!A1', "'Q1 a:Q1 b'!$A$1"]],
    ["[1]Sheet1!A1+'[2]My sheet'!A1:B2+[1]!Name", []],
    ['Table1[[#This Row],[Net]]*Table1[Gross Q1]', ['{Table1}', '{Table1}']],
    ['Total*1.5E3+TRUE+Sheet1!Total', ['{Total}', '{Sheet1!Total}']],
    ['#REF!+Sheet1!#REF!+#REF!A1+A1#', ['{Sheet1!#REF!}', 'A1']],
    ['A1:INDEX(B:B,3)', ['A1', 'B:B']],
    ['{1,2;3,4}*XFD1048576+XFE1+A1048577', ['XFD1048576', '{XFE1}', '{A1048577}']],
    ['_xlfn.XLOOKUP(a1,Ünïcode,x.y)', ['A1', '{Ünïcode}', '{x.y}']],
    ['IF(A1<>"", -@B1:B3, 3:3)', ['A1', 'B1:B3', '3:3']],
  ])('[XC10] %s', (formula, references) => {
    expect(found(formula)).toEqual(references);
    if (!/[a-z]1/.test(formula)) expect(textOfParts(partsOf(formula))).toBe(formula);
  });
});
