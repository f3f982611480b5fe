import { expect, it } from 'vitest';
import { encodeText } from '../../text/text-encoding.ts';
import { markupSource } from './markup-source.ts';
import { officeTask } from './office-options.ts';
import { pageWithNumbers } from './page-numbers.ts';

const rows = (cells: readonly string[]) => `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`;
const page = (cells: readonly string[], head = '') => `<html>${head}<table>${rows(cells)}</table></html>`;
const given = async (text: string, codePage = 65_001) =>
  Buffer.from((await markupSource(encodeText(text, codePage), 'webtable'))!.bytes).toString();
/** What cells of a page are said to be: the value and the number format; a format alone; or nothing. */
async function saidOf(cells: readonly string[]): Promise<unknown[]> {
  const made = await pageWithNumbers(page(cells));
  const patternOf = new Map(made.formats.map(({ mark, pattern }) => [mark, pattern]));
  return [...made.page.matchAll(/<td(?: sdval="([^"]*)")?(?: sdnum="1033;1033;([^"]*)")?>/g)].map(
    ([, value, mark]) => {
      const pattern = patternOf.get(mark ?? '') ?? mark ?? null;
      return value === undefined ? pattern : [Number(value), pattern];
    },
  );
}

it('[CV29] cells of a web page say which numbers, days and amounts they are in the language of most of them', async () => {
  expect(
    await saidOf(['02.05.2026', '1.234,50&nbsp;&euro;', '<b>7,5</b>', '12,5 %', '€ 5,00', 'Größe 5']),
  ).toEqual([
    [46_144, 'dd.mm.yyyy'],
    [1_234.5, '#,##0.00 "€"'],
    [7.5, 'General'],
    [0.125, '0.00%'],
    [5, '"€" #,##0.00'],
    null,
  ]);
  expect(await saidOf(['05/02/2026', '$1,234.50', '(7.25)', '12'])).toEqual([
    [46_144, 'mm/dd/yyyy'],
    [1_234.5, '"$"#,##0.00'],
    [-7.25, '0.00'],
    [12, 'General'],
  ]);
});

it('[CV29] numbers that would lose signs are texts, and words say nothing', async () => {
  expect(await saidOf(['00123', '12345678901234567890', '1e5', '1/2', 'Name', ''])).toEqual([
    ...['@', '@', '@'],
    ...[null, null, null],
  ]);
});

it('[CV29] so many number formats as there are marks are kept, and what LibreOffice wrote itself says its own', async () => {
  const amounts = ['€', '$', '£'].flatMap((sign) =>
    [1, 2, 3, 4, 5, 6, 7].map((zeros) => `${sign}1.${'0'.repeat(zeros)}`),
  );
  const many = await saidOf(amounts);
  expect(new Set(many.map((said) => (said as [number, string])[1])).size).toBe(16);
  expect(many.every((said) => (said as [number, string])[0] === 1)).toBe(true);
  const own = page(['1']).replace('<td>', '<td sdval="1" sdnum="1033;0;0.00">');
  expect(await pageWithNumbers(own)).toEqual({ page: own, formats: [] });
});

it('[CV29] a web page is read in the encoding that it shows or names', async () => {
  const written = (codePage: number, head = '') => given(page(['Größe €'], head), codePage);
  const charset = (name: string) => `<meta http-equiv="Content-Type" content="text/html; charset=${name}">`;
  const expected = rows(['Gr&#246;&#223;e &#8364;']);
  for (const codePage of [65_001, 1_200, 1_201]) expect(await written(codePage)).toContain(expected);
  for (const name of ['windows-1252', 'iso-8859-1'])
    expect(await written(1_252, charset(name))).toContain(expected);
  expect(await given(page(['Привет'], '<meta charset="koi8-r">'), 20_866)).toContain('&#1055;&#1088;');
  expect(await given(page(['😀']))).toContain('&#128512;');
});

it('[CV29] a page of many open tags is read as fast', async () => {
  const text = await given(`<table>${'<td '.repeat(100_000)}${'<td>1'.repeat(10_000)}${'<'.repeat(300_000)}`);
  expect(text.length).toBeGreaterThan(700_000);
});

it('[CV29] a workbook of Excel 2003 is given in UTF-8, and says no other encoding', async () => {
  const xml = '\n<?xml version="1.0" encoding="windows-1252"?><Workbook>Größe</Workbook>';
  const made = (await markupSource(encodeText(xml, 1_252), 'xml'))!;
  expect(Buffer.from(made.bytes).toString()).toBe('<?xml version="1.0"?><Workbook>Größe</Workbook>');
  expect(await markupSource(Buffer.from(xml), 'fods')).toBeUndefined();
});

it('[CV29] LibreOffice is told what such a file is', async () => {
  const source = async (fromType: string) =>
    (await officeTask({ fromType, toType: 'xlsx', options: {} }, Buffer.from(page(['Name'])))).task;
  expect(await source('webtable')).toMatchObject({
    source: { filter: 'calc_HTML_WebQuery', filterOptions: '1033 0' },
    steps: [
      { kind: 'web-tables', formats: [] },
      { kind: 'paper' },
      { kind: 'name-sheets', unnamed: 'quire-unnamed-' },
      { kind: 'hide-directory' },
    ],
  });
  expect((await source('xml')).source).toEqual({ file: 'source.xml', filter: 'MS Excel 2003 XML Orcus' });
});
