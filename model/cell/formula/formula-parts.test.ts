import { describe, expect, it } from 'vitest';
import { Formula } from './formula.ts';
import { isReference, partsOf, textOfParts } from './formula-parts.ts';
import { transposedFormula } from './transposing.ts';

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
    ['SUM(Sheet2!A1:Sheet2!B2)', ['Sheet2!A1', 'Sheet2!B2']],
    ["Jan:Mar!A1+'Q1 a:Q1 b'!$A$1", ['Jan:Mar!A1', "'Q1 a:Q1 b'!$A$1"]],
    ["[1]Sheet1!A1+'[2]My sheet'!A1:B2+[1]!Name", ['{[1]Sheet1!A1}', "{'[2]My sheet'!A1:B2}"]],
    ["[1]Jan:Mar!A1+'C:\\x\\[b.xlsx]S'!a:b+[1]S!LOG10(1)", ['{[1]Jan:Mar!A1}', "{'C:\\x\\[b.xlsx]S'!a:b}"]],
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

describe('copies of references into other workbooks', () => {
  const copied = (formula: string, rows: number, columns: number) =>
    Formula.copied(Formula.of(formula), rows, columns).text;

  it.each([
    ["[1]Sheet1!A2+'C:\\x\\[b.xlsx]S'!$A2:B$3", "[1]Sheet1!B3+'C:\\x\\[b.xlsx]S'!$A3:C$3"],
    ["'[b.xlsx]S'!A:A+[1]S!$2:3&[1]S!a$1", "'[b.xlsx]S'!B:B+[1]S!$2:4&[1]S!B$1"],
    ['[1]Jan:Mar!A1', '[1]Jan:Mar!B2'],
    ['[1]!Name+T[Column1]&"[1]S!A1"', '[1]!Name+T[Column1]&"[1]S!A1"'],
  ])('[XC37] %s becomes %s', (formula, expected) => {
    expect(copied(formula, 1, 1)).toBe(expected);
  });

  it('[XC37] lead nowhere beyond the edge, and stay letter for letter where they do not move', () => {
    expect(copied('[1]S!A1*2', -1, 0)).toBe('[1]S!#REF!*2');
    expect(copied('[1]S!$a$1*A1', 1, 0)).toBe('[1]S!$a$1*A2');
  });

  it('[XC37] are turned with a formula that is', () => {
    const turned = transposedFormula(Formula.of('[1]S!A2+A2'), { row: 0, column: 0 }, { row: 0, column: 0 });
    expect(turned.text).toBe('[1]S!B1+B1');
  });
});
