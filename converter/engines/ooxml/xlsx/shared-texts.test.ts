import { expect, test } from 'vitest';
import { buildWorkbook } from '../../../../test/support/workbook-fixture.ts';
import { openXlsx } from './xlsx-engine.ts';

/** One row for each cell. */
const column = (count: number, cell: string) => `<row>${cell}</row>`.repeat(count);

const long = `<si><t>${'a'.repeat(1_000_000)}</t></si>`;
const piece = '<r><rPr><b/></rPr><t>a</t></r>';
const shared = '<c t="s"><v>0</v></c>';
const formula = Array.from({ length: 2_000 }, () => '$A1').join('+');
const growing = Array.from({ length: 1_600 }, () => '$A1').join('+');
const copies = (count: number, text = formula) =>
  `<row><c><f t="shared" si="0" ref="A1:A${count}">${text}</f></c></row>${column(count, '<c><f t="shared" si="0"/></c>')}`;

const late = Array.from({ length: 1_000 }, () => '$A20001').join('+');
const copiesBefore = `${column(20_000, '<c><f t="shared" si="0"/></c>')}<row><c><f t="shared" si="0" ref="A1:A20001">${late}</f></c></row>`;

test.each([
  ['a text', { strings: long, sheets: [{ rows: column(140, shared) }] }],
  [
    'texts on several sheets',
    { strings: long, sheets: [70, 70].map((count) => ({ rows: column(count, shared) })) },
  ],
  [
    'a text of many pieces',
    { strings: `<si>${piece.repeat(20_000)}</si>`, sheets: [{ rows: column(750, shared) }] },
  ],
  ['a formula', { sheets: [{ rows: copies(17_000) }] }],
  ['a formula that comes last', { sheets: [{ rows: copiesBefore }] }],
  ['a formula whose copies are longer than the first', { sheets: [{ rows: copies(17_000, growing) }] }],
])('[CV30] a small file is refused as soon as its cells share too much of %s', (_what, fixture) => {
  const bytes = buildWorkbook(fixture);
  expect(bytes.length).toBeLessThan(100_000);
  expect(() => openXlsx(bytes)).toThrow(expect.objectContaining({ code: 'limits' }));
});

test('[CV30] one whose cells share as much as a model may have opens', () => {
  const sheets = [{ rows: column(100, shared) }, { rows: copies(300) }];
  expect(openXlsx(buildWorkbook({ strings: long, sheets })).model.sheets).toHaveLength(2);
});
