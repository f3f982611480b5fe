import { expect, it } from 'vitest';
import { Formula } from '../../../../../model/cell/formula/formula.ts';
import { CopiedLength } from './copied-length.ts';

it.each([
  "A1+$B$2*C$3+$D4+SUM(A1:B2,$C$1:D9,E$2:$F3)+'My sheet'!A1:B2+Sheet1!Z99+Jan:Mar!A9",
  `SUM(A:C,$D:E,3:5,$6:7)+[1]Sheet1!A9+'[2]My sheet'!A1:B2+[1]S!$A:B+Total+T[[#This Row],[a]]&"A1"`,
  "XFD1048576+AA100000+a1+B2:A1+#REF!+9.5E3+'Plain'!A1",
])('[XC51] how long copies are is known before they are made: %s', (text) => {
  const formula = Formula.of(text);
  const length = new CopiedLength(formula);
  for (const rows of [-1_048_575, -100, -8, -1, 1, 8, 9, 98, 99_990, 1_048_000])
    for (const columns of [-16_383, -30, -2, 0, 1, 24, 25, 700, 16_000]) {
      const copy = Formula.copied(formula, rows, columns);
      expect([rows, columns, length.at(rows, columns)]).toEqual([rows, columns, copy.text.length]);
    }
});
