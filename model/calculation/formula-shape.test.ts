import { expect, it } from 'vitest';
import { formulaShape, isLawfulFormula } from './formula-shape.ts';
import { documentedValues } from './testing/documented-values.ts';
import { everydaySections } from './testing/everyday-values.ts';

const nested = (levels: number, inner = '1') => `${'SIN('.repeat(levels)}${inner}${')'.repeat(levels)}`;
const listed = (count: number) => Array.from({ length: count }, () => 'A1').join(',');

it('[XE90] every formula of everyday sheets and of documentations may stand in a file', () => {
  const formulas = [
    ...documentedValues.map(({ formula }) => formula),
    ...everydaySections.flatMap((section) => section.formulas.map(({ formula }) => formula)),
  ];
  expect(formulas.length).toBeGreaterThan(2_000);
  expect(formulas.filter((formula) => !isLawfulFormula(formula.replace(/^=/, '')))).toEqual([]);
});

it.each([
  nested(64),
  nested(64, `(${'('.repeat(80)}1${')'.repeat(80)})`),
  `SUM(${listed(255)})+SUM(${listed(255)})`,
  `LEN("${'a'.repeat(255)}")&"${'""'.repeat(255)}"`,
  "SUM('it''s (\"odd\"'!A1,T[['#a]]:[b'[c]],[1]Sheet1!A1)",
  '{1,2;3,4}+SUM((A1,B1),)%',
  '-A1:INDEX(A:A,9)#',
  'Sheet1!#REF!',
  "WinWord|'C:\\letter.doc'!'!LINK (1'",
  "['file:///home/books.xls']Sheet1!A1",
])('[XE90] %.60s may stand in a file', (formula) => {
  expect(isLawfulFormula(formula)).toBe(true);
});

it.each([
  nested(65),
  nested(300),
  `SUM(${listed(256)})`,
  `"${'a'.repeat(256)}"`,
  '1'.repeat(8_193),
  ...['', ' ', '1+', 'SUM(', 'SUM(1', '1)', 'A1:', '*2', '"a', "'a", 'T[a', '{1,2', '(1}', 'SUM(1))', ','],
])('[XE90] %.60s may not', (formula) => {
  expect(isLawfulFormula(formula)).toBe(false);
});

it('[XE90] a shape is read of any text', () => {
  expect(formulaShape('IF(A1,SUM(B1,(C1,D1)),"a""b")')).toEqual({
    ...{ levels: 2, arguments: 3, textChars: 3, isWhole: true },
  });
});
