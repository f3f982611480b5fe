import type { CellContent } from '../calculation.ts';

/** Cells that the formulas of `documented-values.txt` read: an orchard with criteria above it, as in the documentation of Excel, and some lists. */
export const documentedCells: Readonly<Record<string, CellContent>> = Object.fromEntries(
  [
    'Tree|Height|Age|Yield|Profit|Height|4.14|Apples|0.69|10|Kumar|Mon|1|a|',
    '=Apple|>10||||<16|4.19|Oranges|0.34|7|Abbas|Tue|2|b|',
    '=Pear||||||5.17|Bananas|0.55|9|Nagy|Wed|3||TRUE',
    'Tree|Height|Age|Yield|Profit||5.77|Pears|0.25|27|Kumar|Thu|4|#DIV/0!|',
    'Apple|18|20|14|105||6.39|Almonds|2.8|2|Nagy|Fri|5||',
    'Pear|12|12|10|96|||Cashews|3.55|8|Abbas|Sat|6||',
    'Cherry|13|14|9|105|||Peanuts|1.25|4||Sun|7||',
    'Apple|14|15|10|75|||Walnuts|1.75|1||||',
    'Pear|9|8|8|76.8|||||||||',
    'Apple|8|9|6|45|||||||||',
  ].flatMap((line, row) =>
    line.split('|').flatMap((text, column): [string, CellContent][] => {
      if (text === '') return [];
      const address = `${String.fromCharCode(65 + column)}${row + 1}`;
      if (text.startsWith('#')) return [[address, { error: text }]];
      if (text === 'TRUE') return [[address, true]];
      return [[address, Number.isNaN(Number(text)) ? text : Number(text)]];
    }),
  ),
);
