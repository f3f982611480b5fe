import { strToU8, unzipSync, zipSync } from 'fflate';
import { describe, expect, test } from 'vitest';
import { buildDocx } from '../../../../test/support/docx-fixture.ts';
import { buildWorkbook, MAIN, STYLES } from '../../../../test/support/workbook-fixture.ts';
import { CONVERSION_ERROR, ConversionError } from '../../../errors.ts';
import { edit, opened } from './testing/xlsx-edit.ts';
import { openXlsx, xlsxEngine } from './xlsx-engine.ts';

function codeOf(bytes: Uint8Array): number | undefined {
  try {
    openXlsx(bytes);
  } catch (error) {
    if (error instanceof ConversionError) return error.serviceError;
    throw error;
  }
  return undefined;
}

const row = (xml: string) => buildWorkbook({ sheets: [{ rows: xml }] });

describe('a workbook that is opened', () => {
  const values = (rows: string, before = '') =>
    opened(buildWorkbook({ before, sheets: [{ rows: `<row r="1">${rows}</row>` }] }))
      .sheets[0]!.grid.row(0)
      ?.cells.map(({ value }) => value);

  test('[XE1] has the values of its cells, of every type', () => {
    expect(
      values(
        '<c><v>1.5</v></c><c t="b"><v>1</v></c><c t="e"><v>#REF!</v></c><c t="str"><v>a_x0009_b</v></c><c t="inlineStr"><is><r><rPr><b/></rPr><t>b</t></r><r><t>c</t></r></is></c><c t="d"><v>1900-03-01T12:00:00</v></c><c><v><![CDATA[7]]></v></c>',
      ),
    ).toEqual([
      1.5,
      true,
      { e: '#REF!' },
      'a\tb',
      { r: [{ t: 'b', font: { bold: true } }, { t: 'c' }] },
      61.5,
      7,
    ]);
  });

  test('[XE1] counts its dates from 1904 where it says so', () => {
    expect(values('<c t="d"><v>1904-01-02</v></c>', '<workbookPr date1904="1"/>')).toEqual([1]);
  });

  test('[XE1] is the same for the same bytes, ids included', () => {
    const bytes = row('<row r="1"><c r="A1"><v>1</v></c></row>');
    expect(openXlsx(bytes).model).toEqual(openXlsx(bytes).model);
  });

  test('[XE1] keeps plain cells plain in rows and columns that have a format', () => {
    const sheet = {
      before: '<cols><col min="2" max="2" style="2" width="9"/></cols>',
      rows: '<row r="1" s="2" customFormat="1"><c r="A1"/></row><row r="2"><c r="B2"/></row>',
    };
    const workbook = opened(buildWorkbook({ sheets: [sheet] }));
    const [{ grid }] = workbook.sheets as [(typeof workbook.sheets)[number]];
    for (const cell of [grid.cell(0, 0), grid.cell(1, 1)])
      expect(workbook.formats.at(cell.format)).toEqual({});
    expect(grid.cell(0, 0).format).not.toBe(0);
    const styles = STYLES.replace(
      /(<cellXfs count="3"><xf [^>]*)\/>/,
      '$1><alignment vertical="center"/></xf>',
    );
    const centred = opened(buildWorkbook({ styles, sheets: [sheet] }));
    const { format } = centred.sheets[0]!.grid.cell(0, 0);
    expect([format, centred.formats.at(format)]).toEqual([3, { align: { vertical: 'center' } }]);
  });
});

describe('a file that is none, or asks for too much', () => {
  const damaged = (name: string, change: (text: string) => string) => {
    const parts = unzipSync(row('<row r="1"><c r="A1"><v>1</v></c></row>'));
    parts[name] = strToU8(change(Buffer.from(parts[name]!).toString()));
    return zipSync(parts);
  };

  test.each([
    ['no package', Buffer.from('hello'), CONVERSION_ERROR.corrupted],
    ['a text document', buildDocx({ paragraphs: ['x'] }), CONVERSION_ERROR.unknownFormat],
    ['a PDF', Buffer.from('%PDF-1.7'), CONVERSION_ERROR.unknownFormat],
    [
      'rows that do not end',
      damaged('xl/worksheets/sheet1.xml', (text) => text.replace('</row>', '')),
      CONVERSION_ERROR.corrupted,
    ],
    [
      'cells that do not end',
      damaged('xl/worksheets/sheet1.xml', (text) => text.replace('</c>', '')),
      CONVERSION_ERROR.corrupted,
    ],
    [
      'a document type',
      damaged('xl/worksheets/sheet1.xml', (text) => text.replace('?>', '?><!DOCTYPE x [<!ENTITY y "z">]>')),
      CONVERSION_ERROR.corrupted,
    ],
    [
      'another vocabulary',
      damaged('xl/workbook.xml', (text) => text.replace(MAIN, 'urn:other')),
      CONVERSION_ERROR.unknownFormat,
    ],
    [
      'no sheets',
      damaged('xl/workbook.xml', (text) => text.replace(/<sheet .*?\/>/, '')),
      CONVERSION_ERROR.corrupted,
    ],
    [
      'one part for two sheets',
      damaged('xl/workbook.xml', (text) =>
        text.replace(
          /<sheet (.*?)name="[^"]*" sheetId="1"(.*?)\/>/,
          '$&<sheet $1name="Twin" sheetId="2"$2/>',
        ),
      ),
      CONVERSION_ERROR.corrupted,
    ],
    ['a row beyond the last', row('<row r="1048577"><c><v>1</v></c></row>'), CONVERSION_ERROR.limits],
    ['a column beyond the last', row('<row r="1"><c r="XFE1"><v>1</v></c></row>'), CONVERSION_ERROR.limits],
    [
      'more sheets than can be shown',
      buildWorkbook({ sheets: Array.from({ length: 1_001 }, () => ({})) }),
      CONVERSION_ERROR.limits,
    ],
  ])('[XE15] %s is refused with its code', (_name, bytes, code) => {
    expect(codeOf(bytes)).toBe(code);
  });
});

describe('a blank workbook', () => {
  test('[XE16] has one sheet, called as in its language, and takes cells', () => {
    const blank = xlsxEngine().blank('xlsx', 'de-DE')!;
    const { reopened } = edit(blank, [{ op: 'set', sheet: 's1', cells: [[0, 0, { v: 'x' }]] }]);
    expect(reopened.sheets.map(({ properties }) => properties.name)).toEqual(['Tabelle1']);
    expect(reopened.sheets[0]!.grid.cell(0, 0).value).toBe('x');
    expect(xlsxEngine().blank('xlsx', 'xx')).not.toBeNull();
    expect(xlsxEngine().blank('ods', 'de')).toBeNull();
  });

  test('[XH28] has a theme, whose colours cells, lines and tabs have with their tints in the file', () => {
    const blank = xlsxEngine().blank('xlsx', 'en')!;
    const tint = -0.249977111117893;
    const border = { top: { style: 'thin', color: { theme: 7, tint: 0.5 } } };
    const fill = { pattern: 'solid', color: { theme: 5, tint } };
    const patch = { font: { color: { theme: 4 } }, fill, border };
    const { part, reopened } = edit(blank, [
      { op: 'format', sheet: 's1', areas: [[0, 0, 0, 0]], patch },
      { op: 'sheet', sheet: 's1', patch: { color: { theme: 9, tint: 0.5 } } },
    ]);
    const styles = part('xl/styles.xml');
    expect(styles).toContain('<color theme="4"/>');
    expect(styles).toContain(`<fgColor theme="5" tint="${tint}"/>`);
    expect(styles).toContain('<top style="thin"><color theme="7" tint="0.5"/></top>');
    expect(part('xl/worksheets/sheet1.xml')).toContain('<tabColor theme="9" tint="0.5"/>');
    expect(reopened.properties.theme?.colors.slice(0, 5).join()).toBe('FFFFFF,000000,E7E6E6,44546A,4472C4');
    expect(reopened.formats.at(reopened.sheets[0]!.grid.cell(0, 0).format)).toMatchObject({ fill, border });
  });
});
