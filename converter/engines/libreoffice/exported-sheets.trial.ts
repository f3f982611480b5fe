import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { unzipSync } from 'fflate';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { showsDate } from '../../../model/cell/formats/shown-value.ts';
import { type CellValue, textOfValue } from '../../../model/cell/values.ts';
import { namesOf } from '../../../model/cell/workbook.ts';
import { needsOffice, realOffice, startOffice } from '../../../test/support/office.ts';
import { flatSeed } from '../../../test/support/office-seeds.ts';
import { sourceTypeOf } from '../../formats/source-type.ts';
import { encodeText } from '../../text/text-encoding.ts';
import type { ConversionEngine } from '../conversion-engine.ts';
import { XlsxSource } from '../ooxml/xlsx/xlsx-source.ts';
import { libreofficeEngine } from './libreoffice-engine.ts';
import type { OfficePool } from './office-pool.ts';

/** The 2nd of May 2026 in cells. */
const DAY = 46_144;

/** A filled cell of a workbook that was made. */
interface Made {
  readonly value: CellValue;
  readonly formula: string | undefined;
  readonly pattern: string;
}

describe.skipIf(!realOffice)(`sheets that are called xls, ${needsOffice}`, { timeout: 120_000 }, () => {
  let pool: OfficePool;
  let engine: ConversionEngine;
  let server: Server;
  let origin: string;
  const requests: string[] = [];

  beforeAll(async () => {
    server = createServer(({ method, url }, response) => {
      requests.push(`${method} ${url}`);
      response.end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    pool = await startOffice();
    engine = libreofficeEngine(pool, { version: realOffice!.version });
  });
  afterAll(async () => {
    await pool?.close();
    server.close();
  });

  /** The xlsx that is made of what is called xls. */
  const madeOf = (source: Uint8Array) =>
    engine.convert(source, { fromType: sourceTypeOf(source, 'xls'), toType: 'xlsx', options: {} }, []);

  function cellsOf(xlsx: Uint8Array, sheet = 0): Made[] {
    const { workbook } = XlsxSource.open(xlsx);
    return [...workbook.sheets[sheet]!.grid.rows()].flatMap(([, { cells }]) =>
      cells
        .filter(({ value, formula }) => value !== null || formula !== null)
        .map(({ value, formula, format }) => ({
          ...{ value: typeof value === 'number' ? value : textOfValue(value), formula: formula?.text },
          pattern: workbook.formats.at(format).number ?? '',
        })),
    );
  }
  const patternOf = (cells: readonly Made[], value: CellValue) =>
    cells.find((cell) => cell.value === value)?.pattern ?? 'no such cell';
  const sheetXml = (xlsx: Uint8Array) => Buffer.from(unzipSync(xlsx)['xl/worksheets/sheet1.xml']!).toString();

  it('[CV29] a web page arrives with its numbers, amounts, days and merged cells, and what it names is not asked for', async () => {
    const page = `<html><head><meta http-equiv="Content-Type" content="text/html; charset=windows-1252">
      <link rel="stylesheet" href="${origin}/style.css"></head><body background="${origin}/back.png">
      <img src="${origin}/logo.png"><table border="1" background="${origin}/table.png">
      <tr><th colspan="3">Übersicht</th></tr>
      <tr><td>02.05.2026</td><td>1.234,50 €</td><td>12,5 %</td></tr>
      <tr><td rowspan="2">Größe</td><td>7</td><td><img src="${origin}/cell.png">Bild</td></tr>
      <tr><td>00123</td><td>1,5e5</td><td>1/2</td></tr><tr><td>8</td><td><a href="${origin}/link">x</a></td></tr></table></body></html>`;
    const xlsx = await madeOf(encodeText(page, 1_252));
    const cells = cellsOf(xlsx);
    const values = cells.map(({ value }) => value);
    expect(values).toEqual(
      expect.arrayContaining([
        'Übersicht',
        DAY,
        1_234.5,
        0.125,
        'Größe',
        7,
        'Bild',
        '00123',
        '1,5e5',
        '1/2',
        8,
        'x',
      ]),
    );
    expect(showsDate(patternOf(cells, DAY))).toBe(true);
    expect(patternOf(cells, 1_234.5)).toContain('€');
    expect(patternOf(cells, 0.125)).toContain('%');
    expect(sheetXml(xlsx).match(/<mergeCell /g)).toHaveLength(2);
    expect([...namesOf(XlsxSource.open(xlsx).workbook).keys()]).toEqual([]);
    expect(requests).toEqual([]);
  });

  it('[CV29] numbers of an English page are English ones, and its cells need not end', async () => {
    const cells = cellsOf(
      await madeOf(
        Buffer.from('<table><tr><td>05/02/2026<td>$1,234.50<td>1.5<td>(7.25)<tr><td>a<br>b<td>Zoë</table>'),
      ),
    );
    expect(cells.map(({ value }) => value)).toEqual(
      expect.arrayContaining([DAY, 1_234.5, 1.5, -7.25, 'Zoë']),
    );
    expect(patternOf(cells, 1_234.5)).toContain('$');
  });

  it('[CV29] a workbook of Excel 2003 arrives with its sheets, days, formulas, amounts and merged cells', async () => {
    const xml = `<?xml version="1.0" encoding="windows-1252"?>
      <?mso-application progid="Excel.Sheet"?>
      <Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet" xmlns:ss="urn:schemas-microsoft-com:office:spreadsheet">
      <Styles><Style ss:ID="day"><NumberFormat ss:Format="Short Date"/></Style><Style ss:ID="price"><Font ss:Bold="1"/>
      <NumberFormat ss:Format="&quot;€&quot;#,##0.00"/></Style></Styles>
      <Worksheet ss:Name="Größe"><Table><Row><Cell ss:MergeAcross="2"><Data ss:Type="String">Übersicht</Data></Cell></Row>
      <Row ss:Index="3"><Cell ss:StyleID="day"><Data ss:Type="DateTime">2026-05-02T00:00:00.000</Data></Cell>
      <Cell ss:StyleID="price"><Data ss:Type="Number">1234.5</Data></Cell>
      <Cell ss:Formula="=RC[-1]*2"><Data ss:Type="Number">2469</Data></Cell></Row></Table></Worksheet>
      <Worksheet ss:Name="Two"><Table><Row><Cell><Data ss:Type="String">Kiwi</Data></Cell></Row></Table></Worksheet></Workbook>`;
    const xlsx = await madeOf(encodeText(xml, 1_252));
    const cells = cellsOf(xlsx);
    expect(XlsxSource.open(xlsx).workbook.sheets.map(({ properties }) => properties.name)).toEqual([
      'Größe',
      'Two',
    ]);
    expect(cells.map(({ value }) => value)).toEqual(
      expect.arrayContaining(['Übersicht', DAY, 1_234.5, 2_469]),
    );
    expect(cells.find(({ formula }) => formula !== undefined)?.formula).toBe('B3*2');
    expect(showsDate(patternOf(cells, DAY))).toBe(true);
    expect(patternOf(cells, 1_234.5)).toContain('€');
    expect(sheetXml(xlsx).match(/<mergeCell /g)).toHaveLength(1);
    expect(cellsOf(xlsx, 1).map(({ value }) => value)).toEqual(['Kiwi']);
  });

  it('[CV36] sheets keep the names of their file, and those without one are called as usual', async () => {
    const named = (xlsx: Uint8Array) =>
      XlsxSource.open(xlsx).workbook.sheets.map(({ properties }) => properties.name);
    const small = Buffer.from(Buffer.from(flatSeed('fods')).toString().replaceAll('"First"', '"sheet1"'));
    const convert = (source: Uint8Array, fromType: string, toType: string) =>
      engine.convert(source, { fromType, toType, options: {} }, []);
    const xlsx = await convert(small, 'fods', 'xlsx');
    expect(named(xlsx)[0]).toBe('sheet1');
    for (const type of ['xls', 'ods']) {
      const back = await convert(await convert(xlsx, 'xlsx', type), type, 'xlsx');
      expect([type, ...named(back)]).toEqual([type, ...named(xlsx)]);
    }
    expect(named(await madeOf(Buffer.from('<table><tr><td>1</table>')))).toEqual(['Sheet1']);
    expect(named(await madeOf(Buffer.from('ID;PWXL;N;E\nC;Y1;X1;K1\nE\n')))).toEqual(['Sheet1']);
    // One that is called as LibreOffice would call the other, in a file that says so itself.
    const alike = Buffer.from(small.toString().replaceAll('"Second"', '"quire-unnamed-1"'));
    const apart = named(await convert(alike, 'fods', 'xlsx'));
    expect(apart.slice(0, 2)).toEqual(['sheet1', 'Sheet2']);
  });

  it('[CV29] a page without a table is a damaged workbook', async () => {
    await expect(madeOf(Buffer.from('<html><body>Please log in</body></html>'))).rejects.toMatchObject({
      serviceError: -86,
    });
  });
});
