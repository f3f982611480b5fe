import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { CellContent } from '../../calculation/calculation.ts';
import { english } from '../../calculation/conventions.ts';
import { compileEngine } from '../../calculation/engine-instance.ts';
import { openCalculation } from '../../calculation/workbook-calculation.ts';
import { conventionsOf } from './region-conventions.ts';

const module = compileEngine(
  readFileSync(new URL('../../calculation/engine/calculation.wasm', import.meta.url)),
);

/** What formulas come to in a workbook of a region. */
function calculated(region: string, formulas: readonly string[]): unknown[] {
  const contents = formulas.map((formula): CellContent => ({ formula, kind: 'single' }));
  const calculation = openCalculation(module, {
    ...{ sheets: ['Sheet1'], names: [], tables: [], from1904: false, iterates: false },
    conventions: conventionsOf(region),
    changes: () => contents.map((content, at) => ({ sheet: 0, row: at + 1, column: 1, content })),
    content: (_sheet, row) => contents[row - 1] ?? null,
  });
  calculation.recalculate({ timeMs: Date.UTC(2026, 10, 29), timeZone: 'UTC', seed: 7 });
  const values = new Map(calculation.changed().map(({ row, value }) => [row, value]));
  return formulas.map((_, at) => values.get(at + 1));
}

const wrong = { error: '#VALUE!' };
const holds = (region: string, cases: readonly (readonly [formula: string, expected: unknown])[]) =>
  test(`[CE73] [CE96] ${region}: formulas read and write texts as the region does`, () => {
    const values = calculated(
      region,
      cases.map(([formula]) => formula),
    );
    expect(cases.map(([formula], at) => [formula, values[at]])).toEqual(cases);
  });

holds('de-DE', [
  ['1.5&" kg"', '1,5 kg'],
  ['VALUE("1.234,5")', 1234.5],
  ['"1,5"*2', 3],
  ['"(1.000,5)"+0', -1000.5],
  ['"31.12.2020"*1', 44_196],
  ['"24.12."+0', 46_380],
  ['"1.5"+0', 46_143],
  ['TEXT(44196,"TT.MM.JJJJ")', '31.12.2020'],
  ['TEXT(44196,"TTTT, T. MMMM JJJJ")', 'Donnerstag, 31. Dezember 2020'],
  ['TEXT(44196,"yyyy-mm-dd")', '2020-12-31'],
  ['TEXT(1.5,"[hh]:mm")', '36:00'],
  ['TEXT(1234.5,"#.##0,00")', '1.234,50'],
  ['TEXT(0.125,"0,0%")', '12,5%'],
  ['TEXT(1234567,"0,0E+00")', '1,2E+06'],
  ['TEXT(2,"[>1,5]""viel"";""wenig""")', 'viel'],
  ['TEXT(5,"""Nr. ""0")', 'Nr. 5'],
  ['TEXT(45352,"MMM")', 'Mrz'],
  ['"5. Mrz 2024"+0', 45_356],
  ['FIXED(1234.567,2)', '1.234,57'],
  ['DOLLAR(-1234.5)', '-1.234,50 €'],
  ['NUMBERVALUE("1.234,5")', 1234.5],
  ['TEXTJOIN("; ",TRUE,1.5,2.25)', '1,5; 2,25'],
  ['DATEVALUE("13.1.2020")', 43_843],
  ['DATEVALUE("1/2/2020")', 43_862],
  ['DATEVALUE("1.13.2020")', wrong],
  ['DATEVALUE("13. Januar 2020")', 43_843],
  ['DATEVALUE("13.1.20 14:00")', 43_843],
  ['DATEVALUE("2020-01-13")', 43_843],
  ['DATEDIF("1.2.2020","2.3.2020","d")', 30],
  ['IMSUM(COMPLEX(1.5,2),"1+1i")', '2.5+3i'],
]);
holds('fr', [
  ['VALUE("1 234,5")', 1234.5],
  ['"1 1/2"+0', 1.5],
  ['TEXT(44196,"jj/mm/aaaa")', '31/12/2020'],
  ['TEXT(44196,"jjjj")', 'jeudi'],
  ['TEXT(44196,"jj.mm.aa")', '31.12.20'],
  ['TEXT(0.75,"h:mm AM/PM")', '6:00 PM'],
]);
holds('en-GB', [
  ['"1/2/2020"+0', 43_862],
  ['DATEVALUE("13/1/2020")', 43_843],
  ['DATEVALUE("1/13/2020")', wrong],
  ['DOLLAR(-2)', '-£2.00'],
  ['TEXT(1234.5,"#,##0.0")', '1,234.5'],
]);
holds('nl', [['DOLLAR(-1234.5)', '€ -1.234,50']]);
holds('de-CH', [['DOLLAR(-2)', 'CHF-2.00']]);
holds('nb', [['DOLLAR(2)', '2,00 kr']]);
holds('sv', [['TEXT(44196,"ÅÅÅÅ-MM-DD")', '2020-12-31']]);
holds('ru', [['TEXT(44196,"ДД.ММ.ГГГГ")', '31.12.2020']]);
holds('hu', [['TEXT(44196.25,"éééé.hh.nn óó:pp")', '2020.12.31 06:00']]);
holds('tr', [['TEXT(44196.75,"gg.aa.yyyy ss:dd")', '31.12.2020 18:00']]);
holds('xx', [['TEXT(1.5,"0.0")&1.5', '1.51.5']]);

test.each([
  ['de', 'Standard'],
  ['fr', 'Standard'],
  ['es', 'Estándar'],
  ['pt', 'Geral'],
  ['nl', 'Standaard'],
  ['pl', 'Standardowy'],
  ['tr', 'Genel'],
  ['ru', 'Основной'],
  ['de', 'General'],
])('[CE136] %s: %s is the general format', (region, name) => {
  expect(calculated(region, [`TEXT(5.5,"${name}")`, `TEXT(5,"${name}"" kg""")`])).toEqual(['5,5', '5 kg']);
});

test('[CE96] English is written alike, whether the region says it or nobody', () => {
  const { days, months, ...signs } = conventionsOf('en-US');
  expect({ ...signs, days, months }).toEqual(english);
});
