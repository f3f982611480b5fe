import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';
import { describe, expect, test } from 'vitest';
import type { CellOperation } from '../../../../model/cell/operations.ts';
import type { Workbook } from '../../../../model/cell/workbook.ts';
import { sharing, spanning, strange } from '../../../../test/corpus/workbooks.ts';
import { buildWorkbook, STYLES } from '../../../../test/support/workbook-fixture.ts';
import type { CalculatedValues } from './calculation.ts';
import { edit, inFile, opened, rowsOf } from './testing/xlsx-edit.ts';

const COMPATIBILITY = 'http://schemas.openxmlformats.org/markup-compatibility/2006';

const set = (row: number, column: number, input: object): CellOperation =>
  ({ op: 'set', sheet: 's1', cells: [[row, column, input]] }) as CellOperation;
const lines = (op: 'insert' | 'delete', axis: 'row' | 'column', at: number): CellOperation => ({
  ...{ op, axis, sheet: 's1', at, count: 1 },
});

describe('columns that fit what is in them', () => {
  const before = '<cols><col min="2" max="2" width="9" bestFit="1" customWidth="1"/></cols>';
  const sized = (column: number, patch: object): CellOperation => ({
    ...{ op: 'lines', axis: 'column', sheet: 's1', spans: [[column, column]] },
    patch,
  });

  test('[XH21] are no choice of anybody, and are written so that Excel takes their width', () => {
    const sheets = [{ before, rows: '<row r="1"><c r="A1"><v>1</v></c></row>' }];
    expect(opened(buildWorkbook({ sheets })).sheets[0]!.columns.at(1)).toEqual({ size: 9 });
    const { xml, reopened } = edit({ sheets }, [sized(1, { size: 11 }), sized(2, { size: 7, custom: true })]);
    expect(xml).toContain('<col min="2" max="2" width="11" bestFit="1" customWidth="1"/>');
    expect(xml).toMatch(/<col min="3" max="3"(?=[^>]* width="7")(?=[^>]* customWidth="1")(?![^>]*bestFit)/);
    expect(reopened.sheets[0]!.columns.runs.map(([, , line]) => line)).toEqual([
      { size: 11 },
      { size: 7, custom: true },
    ]);
  });
});

describe('cells that are set', () => {
  const row =
    '<row r="2" spans="1:2" x="kept"><c r="A2" s="1" ph="1"><v>1.50</v></c> <c r="B2" t="s" vm="3"><v>0</v></c></row>';
  const fixture = {
    strings: '<si><t>text</t></si>',
    sheets: [{ rows: `\n${row}\n<row r="5" thickBot="1"/>` }],
  };

  test('[XE4] change themselves alone: blanks, other words and other cells stay', () => {
    const { xml, changed } = edit(fixture, [set(1, 0, { v: 2 })]);
    expect(changed).toEqual(['xl/worksheets/sheet1.xml']);
    expect(rowsOf(xml)).toBe(
      `\n${row.replace('<v>1.50</v>', '<v>2</v>').replace('</c> <c', '</c><c')}\n<row r="5" thickBot="1"/>`,
    );
  });

  test('[XE4] get a row where there is none, in its place, and widen what the file says of the columns', () => {
    const { xml } = edit(fixture, [
      set(1, 3, { v: true }),
      set(2, 0, { v: 'a < b ' }),
      set(4, 0, { v: { e: '#N/A' } }),
    ]);
    expect(rowsOf(xml)).toContain('spans="1:4"');
    expect(rowsOf(xml)).toContain(
      '<row r="3"><c r="A3" t="inlineStr"><is><t xml:space="preserve">a &lt; b </t></is></c></row>\n<row r="5" thickBot="1"><c r="A5" t="e"><v>#N/A</v></c></row>',
    );
  });

  test('[XE4] hold what XML cannot say, as an escape', () => {
    const value = 'a\u0001\r_x0041_';
    const { reopened, xml } = edit(fixture, [set(0, 0, { v: value })]);
    expect(xml).toContain('a_x0001_');
    expect(reopened.sheets[0]!.grid.cell(0, 0).value).toBe(value);
  });

  test('[XE4] lose the metadata of the value that they had', () => {
    expect(rowsOf(edit(fixture, [set(1, 1, { v: 'other' })]).xml)).not.toContain('vm=');
  });

  test('[XE3] take the calculation chain along only where formulas change', () => {
    expect(edit(strange, [set(8, 0, { v: 1 })]).changed).not.toContain('xl/calcChain.xml');
    const { changed, part, reopened, expected } = edit(strange, [set(8, 0, { f: 'A4*2', v: 90_002 })]);
    expect(changed).toEqual([
      ...['[Content_Types].xml', 'xl/_rels/workbook.xml.rels', 'xl/calcChain.xml', 'xl/workbook.xml'],
      'xl/worksheets/sheet1.xml',
    ]);
    expect(
      part('xl/calcChain.xml') + part('xl/_rels/workbook.xml.rels') + part('[Content_Types].xml'),
    ).not.toContain('calcChain');
    expect(inFile(reopened)).toEqual(inFile(expected));
  });
});

describe('formulas that cells share', () => {
  test('[XE6] find a new home when their first cell is overwritten', () => {
    const { xml, reopened, expected } = edit(sharing, [set(0, 1, { v: 'gone' })]);
    expect(rowsOf(xml)).toContain('<c r="B2"><f t="shared" ref="B2:B4" si="0">A2*2</f><v>4</v></c>');
    expect(rowsOf(xml)).toContain('<c r="B3"><f t="shared" si="0"/><v>6</v></c>');
    expect(inFile(reopened)).toEqual(inFile(expected));
  });

  test('[XE46] copies of a reference into another workbook lead on, and mean the same after rows were put in', () => {
    const cell = (row: number, formula: string) =>
      `<row r="${row}"><c r="B${row}"><f t="shared" ${formula}</c></row>`;
    const rows =
      cell(2, `ref="B2:B4" si="0">[1]Sheet1!A2+A2</f>`) + cell(3, 'si="0"/>') + cell(4, 'si="0"/>');
    const formulas = ({ sheets: [sheet] }: Workbook) =>
      [...sheet!.grid.rows()].flatMap(([, { cells }]) => cells.map(({ formula }) => formula?.text));
    const base = buildWorkbook({ sheets: [{ rows }] });
    expect(formulas(opened(base))).toEqual(['[1]Sheet1!A2+A2', '[1]Sheet1!A3+A3', '[1]Sheet1!A4+A4']);
    const above = edit(base, [lines('insert', 'row', 0)]);
    expect(formulas(above.reopened)).toEqual(['[1]Sheet1!A2+A3', '[1]Sheet1!A3+A4', '[1]Sheet1!A4+A5']);
    expect(rowsOf(above.xml).match(/t="shared"/g)).toHaveLength(3);
    const between = edit(base, [lines('insert', 'row', 2)]);
    expect(formulas(between.reopened)).toEqual(['[1]Sheet1!A2+A2', '[1]Sheet1!A3+A4', '[1]Sheet1!A4+A5']);
  });

  test('[XE6] stay shared where rows move together, and are said where they differ', () => {
    const { xml, reopened, expected } = edit(sharing, [
      lines('insert', 'row', 1),
      set(3, 1, { f: 'A1', v: 1 }),
    ]);
    expect(rowsOf(xml)).toContain('<c r="B3"><f t="shared" si="0"/><v>4</v></c>');
    expect(rowsOf(xml)).toContain('<c r="B4"><f>A1</f><v>1</v></c>');
    expect(inFile(reopened)).toEqual(inFile(expected));
  });

  test('[XE6] are read where the cell with the text comes last, and stay when rows are put in order', () => {
    const rows = [3, 2].map(
      (row) => `<row r="${row}"><c r="A${row}"><f t="shared" si="0"/><v>9</v></c></row>`,
    );
    const disorderly = `${rows.join('')}<row r="1"><c r="A1"><f t="shared" ref="A1:A3" si="0">B1+1</f><v>9</v></c></row>`;
    const { reopened, expected } = edit({ sheets: [{ rows: disorderly }] }, [set(1, 3, { v: 1 })]);
    expect(expected.sheets[0]!.grid.cell(2, 0).formula?.text).toBe('B3+1');
    expect(inFile(reopened)).toEqual(inFile(expected));
  });
});

describe('formulas that fill cells', () => {
  test('[XE7] are read as arrays, as formulas that spill and as data tables', () => {
    const grid = opened(spanning).sheets[0]!.grid;
    const spans = [grid.cell(0, 3), grid.cell(0, 5), grid.cell(4, 1)].map(({ formula }) => [
      formula?.text,
      formula?.span,
    ]);
    expect(spans).toEqual([
      ['A1:A2*2', { kind: 'array', rows: 2, columns: 1 }],
      ['_xlfn.SEQUENCE(2)', { kind: 'dynamic', rows: 2, columns: 1 }],
      ['TABLE(,A1)', { kind: 'data', rows: 2, columns: 1 }],
    ]);
  });

  test('[XE7] name their cells and their input where they have moved', () => {
    const { xml, reopened, expected } = edit(spanning, [
      lines('insert', 'row', 0),
      lines('insert', 'column', 0),
    ]);
    expect(xml).toContain('<c r="E2"><f t="array" ref="E2:E3">B2:B3*2</f>');
    expect(xml).toContain('<c r="G2" cm="1"><f t="array" ref="G2:G3">');
    expect(xml).toContain('<f t="dataTable" ref="C6:C7" dt2D="0" dtr="0" r1="B2" ca="1"/>');
    expect(inFile(reopened)).toEqual(inFile(expected));
  });

  test('[XE7] get the metadata that says they spill, in a workbook that has none', () => {
    const { xml, part, reopened } = edit({}, [
      set(0, 0, { f: { t: '_xlfn.SEQUENCE(2)', a: ['dynamic', 2, 1] }, v: 1 }),
    ]);
    expect(xml).toContain('<c r="A1" cm="1"><f t="array" ref="A1:A2">_xlfn.SEQUENCE(2)</f><v>1</v></c>');
    expect(part('xl/sheetMetadata.xml')).toContain('fDynamic="1"');
    expect(reopened.sheets[0]!.grid.cell(0, 0).formula?.span?.kind).toBe('dynamic');
  });
});

describe('rows that move', () => {
  const row = (number: number, value: number) =>
    `<row r="${number}" spans="1:1" thickBot="1"><c r="A${number}" ph="1"><v>${value}</v></c></row>`;
  const fixture = {
    sheets: [{ before: '<dimension ref="A1:A3"/>', rows: row(1, 10) + row(2, 20) + row(3, 30) }],
  };

  test('[XE5] keep what the file says of them', () => {
    const { xml } = edit(fixture, [
      lines('delete', 'row', 0),
      { op: 'move', axis: 'row', sheet: 's1', at: 1, count: 1, to: 0 },
    ]);
    expect(rowsOf(xml)).toBe(row(1, 30) + row(2, 20));
    expect(xml).toContain('<dimension ref="A1:A2"/>');
  });

  test('[XE5] keep it when they are sorted', () => {
    const sort: CellOperation = { op: 'sort', axis: 'row', sheet: 's1', band: [0, 0], order: [2, 0, 1] };
    const { xml, reopened, expected } = edit(fixture, [sort]);
    expect(xml.match(/ph="1"/g)).toHaveLength(3);
    expect(inFile(reopened)).toEqual(inFile(expected));
  });

  test('[XS51] in groups say how deep these lie, as long as there are some', () => {
    const grouped = (level: number, axis: 'row' | 'column'): CellOperation => ({
      ...{ op: 'lines', axis, sheet: 's1', spans: [[0, 1]] },
      patch: { level, hidden: true },
    });
    const sheet = (formats: string, rows: string) => ({ sheets: [{ before: formats, rows }] });
    const plain = sheet('<sheetFormatPr defaultRowHeight="15"/>', row(1, 10) + row(2, 20) + row(3, 30));
    const { xml, reopened, expected } = edit(plain, [
      ...[grouped(2, 'row'), grouped(1, 'column')],
      { op: 'lines', axis: 'row', sheet: 's1', spans: [[2, 2]], patch: { collapsed: true } },
    ]);
    expect(xml).toContain('<sheetFormatPr defaultRowHeight="15" outlineLevelCol="1" outlineLevelRow="2"/>');
    expect(xml.match(/<row [^>]*outlineLevel="2"[^>]*>/g)).toHaveLength(2);
    expect(inFile(reopened)).toEqual(inFile(expected));
    const deep = sheet(
      '<sheetFormatPr defaultRowHeight="15" outlineLevelRow="2"/>',
      '<row r="1" outlineLevel="2"/>',
    );
    expect(edit(deep, [grouped(0, 'row')]).xml).toContain('<sheetFormatPr defaultRowHeight="15"/>');
  });
});

describe('other ways to write a workbook', () => {
  const rows = '<row r="1"><c r="A1"><v>1</v></c></row>';

  test('[XE9] a prefix of the file is that of all that is new', () => {
    const { xml, reopened, expected } = edit({ prefix: 'x:', sheets: [{ rows }] }, [
      set(0, 1, { v: { r: [{ t: 'a', font: { bold: true } }, { t: 'b' }] } }),
      { op: 'put', sheet: 's1', kind: 'merge', id: 'c.1', item: { area: [2, 0, 3, 0] } },
    ]);
    expect(xml).toContain(
      '<x:c r="B1" t="inlineStr"><x:is><x:r><x:rPr><x:b/></x:rPr><x:t xml:space="preserve">a</x:t></x:r><x:r><x:t xml:space="preserve">b</x:t></x:r></x:is></x:c></x:row></x:sheetData><x:mergeCells count="1"><x:mergeCell ref="A3:A4"/></x:mergeCells>',
    );
    expect(inFile(reopened)).toEqual(inFile(expected));
  });

  test('[XE9] UTF-16 and the strict vocabulary stay', () => {
    const { bytes, part } = edit({ utf16: true, strict: true, sheets: [{ rows }] }, [set(0, 0, { v: 'ä€' })]);
    expect(opened(bytes).sheets[0]!.grid.cell(0, 0).value).toBe('ä€');
    expect(part('xl/workbook.xml')).toContain('http://purl.oclc.org/ooxml/spreadsheetml/main');
  });

  test('[XE18] what the model knows nothing of stays, whatever happens to the cells', () => {
    const { changed } = edit(strange, [
      lines('insert', 'row', 0),
      lines('delete', 'column', 1),
      set(5, 5, { f: '1+1' }),
    ]);
    expect(changed.filter((name) => /vba|external|slicer/.test(name))).toEqual([]);
  });
});

describe('formats', () => {
  const patch = (area: readonly [number, number, number, number], formatPatch: object): CellOperation =>
    ({ op: 'format', sheet: 's1', areas: [area], patch: formatPatch }) as CellOperation;

  test('[XE8] are added behind those of the file, which keep their places and bytes', () => {
    const base = { sheets: [{ rows: '<row r="1"><c r="A1" s="2"><v>1</v></c></row>' }] };
    const { xml, part, reopened } = edit(base, [
      patch([0, 0, 0, 0], { font: { italic: true }, number: '0.0' }),
    ]);
    expect(rowsOf(xml)).toBe('<row r="1"><c r="A1" s="3"><v>1</v></c></row>');
    const styles = part('xl/styles.xml');
    expect(styles.replace(/<numFmts.*?<\/numFmts>/, '')).toContain(
      /<cellXfs count="3">(.*)<\/cellXfs>/.exec(STYLES)![1]!,
    );
    expect(styles).toContain('<numFmts count="1"><numFmt numFmtId="164" formatCode="0.0"/></numFmts>');
    expect(styles).toContain(
      '<font><b/><i/><sz val="11"/><name val="Calibri"/><family val="2"/><scheme val="minor"/></font>',
    );
    expect(styles).toContain('applyNumberFormat="1"><extLst><ext uri="{kept}"/></extLst></xf></cellXfs>');
    const { formats, sheets } = reopened;
    expect(formats.at(sheets[0]!.grid.cell(0, 0).format)).toEqual({
      number: '0.0',
      font: { bold: true, italic: true },
    });
  });

  test('[XE8] say nothing of numbers where the file has an empty code', () => {
    const styles = STYLES.replace(
      '<fonts',
      '<numFmts><numFmt numFmtId="190" formatCode=""/></numFmts><fonts',
    ).replace('numFmtId="14"', 'numFmtId="190"');
    const rows = '<row r="1"><c r="A1" s="1"><v>1</v></c></row>';
    const bold = {
      op: 'format',
      sheet: 's1',
      areas: [[0, 0, 0, 0]],
      patch: { font: { bold: true } },
    } as const;
    const { reopened, expected } = edit({ styles, sheets: [{ rows }] }, [bold]);
    expect(inFile(reopened)).toEqual(inFile(expected));
  });

  test('[XE8] are counted with all that their lists have, and get numbers that none has', () => {
    const [empty, twice] = [
      '<numFmt numFmtId="170" formatCode=""/>',
      '<numFmt numFmtId="1" formatCode="0"/>'.repeat(3),
    ];
    const styles = STYLES.replace('<fonts', `<numFmts count="1">${empty}${twice}</numFmts><fonts`);
    const rows = '<row r="1"><c r="A1" s="1"><v>1</v></c></row>';
    const { part } = edit({ styles, sheets: [{ rows }] }, [
      patch([0, 0, 0, 0], { number: '0.0' }),
      patch([1, 0, 1, 0], { number: '0.0000' }),
    ]);
    expect(part('xl/styles.xml')).toContain(
      `<numFmts count="6">${empty}${twice}<numFmt numFmtId="171" formatCode="0.0"/><numFmt numFmtId="172" formatCode="0.0000"/></numFmts>`,
    );
    expect(part('xl/styles.xml')).toContain('<cellXfs count="5">');
  });

  test('[XE8] are those of the file where it has them, and no more are made', () => {
    const base = { sheets: [{ rows: '<row r="1"><c r="A1"><v>1</v></c></row>' }] };
    const { part } = edit(base, [
      patch([0, 0, 0, 0], { number: 'm/d/yyyy' }),
      patch([0, 0, 0, 0], { number: null }),
    ]);
    expect(part('xl/styles.xml')).toContain(STYLES);
  });

  test('[XE60] are counted with those that programs may choose from', () => {
    const either = (xml: string, plain: string) =>
      `<mc:AlternateContent xmlns:mc="${COMPATIBILITY}"><mc:Choice xmlns:hs="urn:hs" Requires="hs">${xml}</mc:Choice><mc:Fallback>${plain}</mc:Fallback></mc:AlternateContent>`;
    const italic = '<font><i/><sz val="11"/><name val="Calibri"/></font>';
    const centred =
      '<xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0"><alignment horizontal="center"/></xf>';
    const styles = STYLES.replace('<font><b/>', `${either('<font hs:x="1"/>', italic)}<font><b/>`)
      .replace('<fonts count="2"', '<fonts count="3"')
      .replace('<xf numFmtId="14"', `${either('<xf hs:x="1"/>', centred)}<xf numFmtId="14"`)
      .replace('<cellXfs count="3"', '<cellXfs count="4"');
    const rows = `<row r="1">${[0, 1, 2, 3].map((index) => `<c r="${'ABCD'[index]}1" s="${index}"><v>1</v></c>`).join('')}</row>`;
    const { part, reopened, expected } = edit({ styles, sheets: [{ rows }] }, [
      patch([1, 0, 1, 0], { number: '0.0000' }),
    ]);
    const { formats, sheets } = reopened;
    const looks = [0, 1, 2, 3].map((column) => formats.at(sheets[0]!.grid.cell(0, column).format));
    expect(looks).toMatchObject([
      {},
      { font: { italic: true }, align: { horizontal: 'center' } },
      { number: 'm/d/yyyy' },
      { font: { italic: true } },
    ]);
    expect(part('xl/styles.xml')).toContain('<cellXfs count="5">');
    expect(part('xl/styles.xml')).toContain(either('<xf hs:x="1"/>', centred));
    expect(inFile(reopened)).toEqual(inFile(expected));
  });

  test('[XE8] may come into a workbook without any', () => {
    const bare = buildWorkbook({ styles: '' });
    const { reopened, expected } = edit(bare, [
      patch([0, 0, 1, 1], { fill: { pattern: 'solid', color: { rgb: 'FF0000' } } }),
    ]);
    // With the styles the file has a normal font.
    expect({ ...(inFile(reopened) as object), properties: {} }).toEqual(inFile(expected));
  });
});

describe('formats of a workbook that has no part for them', () => {
  test('[XE8] come into one of the name by which programs look for it', () => {
    const all = unzipSync(buildWorkbook({}));
    delete all['xl/styles.xml'];
    for (const [name, pattern] of [
      ['xl/_rels/workbook.xml.rels', /<Relationship [^>]*styles\.xml"[^>]*\/>/],
      ['[Content_Types].xml', /<Override [^>]*styles\.xml"[^>]*\/>/],
    ] as const)
      all[name] = strToU8(strFromU8(all[name]!).replace(pattern, ''));
    const { part } = edit(zipSync(all), [
      { op: 'format', sheet: 's1', areas: [[0, 0, 0, 0]], patch: { font: { bold: true } } },
    ]);
    expect(part('xl/styles.xml')).toContain('<b/>');
    expect(part('xl/_rels/workbook.xml.rels')).toContain('styles.xml"');
  });
});

describe('values that are calculated', () => {
  const values = (
    given: Record<string, number | null | undefined>,
    isComplete: boolean,
  ): CalculatedValues => ({
    of: (sheetId, row, column) => given[`${sheetId} ${row} ${column}`],
    cells: (sheetId) =>
      Object.entries(given).flatMap(([key, value]) => {
        const [sheet, row, column] = key.split(' ');
        return sheet === sheetId && typeof value === 'number'
          ? [[Number(row), Number(column), value] as const]
          : [];
      }),
    isComplete,
  });

  test('[XE10] stand beside their formulas in the file, and nobody is told to calculate it', () => {
    const { xml, changed } = edit(sharing, [set(1, 0, { v: 50 })], {
      calculate: () => values({ 's1 1 1': 100 }, true),
    });
    expect(rowsOf(xml)).toContain('<c r="B2"><f t="shared" si="0"/><v>100</v></c>');
    expect(rowsOf(xml)).toContain('<c r="B3"><f t="shared" si="0"/><v>6</v></c>');
    expect(changed).toEqual(['xl/worksheets/sheet1.xml']);
  });

  test('[XE10] of a formula that spills fill the cells beside it, and leave those that it does not fill any more', () => {
    const spilling = set(0, 3, { f: { t: 'A1:A3*2', a: ['dynamic', 1, 1] } });
    const grown = edit(sharing, [spilling], {
      calculate: () => values({ 's1 0 3': 2, 's1 1 3': 4, 's1 2 3': 6 }, true),
    });
    const written = rowsOf(grown.xml);
    expect(written).toContain('<f t="array" ref="D1:D3">A1:A3*2</f><v>2</v>');
    expect(written).toContain('<c r="D2"><v>4</v></c>');
    const again = edit(grown.bytes, [set(0, 0, { v: 9 })], {
      calculate: () => values({ 's1 0 3': 18, 's1 2 3': null }, true),
    });
    expect(rowsOf(again.xml)).toContain('ref="D1:D2"');
    expect(rowsOf(again.xml)).not.toContain('r="D3"');
  });

  test('[XE10] that are not known stay, and programs that open the file are told to calculate it', () => {
    const { part, xml } = edit(sharing, [set(1, 0, { v: 50 })], { calculate: () => values({}, false) });
    expect(rowsOf(xml)).toContain('<c r="B2"><f t="shared" si="0"/><v>4</v></c>');
    expect(part('xl/workbook.xml')).toContain('<calcPr fullCalcOnLoad="1"/>');
    expect(edit({}, [set(1, 0, { v: 50 })]).part('xl/workbook.xml')).not.toContain('calcPr');
  });
});
