import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { detectDelimiter } from '../../../../../model/delimiters.ts';
import { openXlsx, xlsxEngine } from '../xlsx-engine.ts';
import { type Delimiter, SeparatedCells } from './separated-cells.ts';
import { localeOfTable, tableValue } from './table-values.ts';
import { tableOfXlsx, xlsxOfTable } from './table-workbook.ts';

const { tables } = xlsxEngine();
const isNumber = (text: string) => /^\d+$/.test(text);
const readCells = (text: string, delimiter: Delimiter) => SeparatedCells.read(text, delimiter).rows;
/** Rows that are written like a table. */
const writtenLike = (text: string, rows: string[][], delimiter: Delimiter) =>
  SeparatedCells.read(text, delimiter).write(rows, isNumber);
const untouched = (text: string, delimiter: string | undefined) =>
  tables!.write(tables!.read(text, delimiter), text, delimiter);

describe('tables in plain text', () => {
  it('[XU10] a table comes back with the signs it came with, whatever its cells look like', () => {
    const german =
      'Datum;Name;Betrag;PLZ;Notiz\n' +
      '02.05.2026;"Schäfer; Söhne";1.234,50;01099;=A1\n' +
      '1.5.2026;"O""Neil";-64,50;80331;1/2\n' +
      '31.12.26;Größe;0,5;00123;"zwei\nZeilen"\n' +
      ';;12 %;+49 30 12345;1e5\n' +
      '2026-12-31;@SUM(1);12,34 €;3-4;TRUE\n' +
      "31.02.2026;'x; 7 ;12345678901234567890;true\n";
    expect(untouched(german, ';')).toBe(german);
    const english = 'day,amount,code\n12/31/2026,"1,234.50",007\n1/5/2026,2.50,5%\n,"$1,000.00",-0\n';
    expect(untouched(english, ',')).toBe(english);
    const quoted = '"a","b"\n"1","2.50"\n"","x"\n';
    expect(untouched(quoted, ',')).toBe(quoted);
    expect(untouched('a\tb\n1\t2\n\n3\t4\n', '\t')).toBe('a\tb\n1\t2\n\n3\t4\n');
  });

  const cell = fc.string({ unit: fc.constantFrom(...'a";\n\r 0,.-='), maxLength: 6 });
  const quotings = ['a;1;\n', '"a";"1";""\n', '"a";"1";\r\n', '"a";1;\r', 'x"y;"";"1"'];

  it('[XU10] cells that are written are read again as they were, however the table was written', () => {
    const rows = fc.array(fc.array(cell, { minLength: 2, maxLength: 3 }), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(rows, fc.constantFrom(...quotings), (table, like) => {
        expect(readCells(writtenLike(like, table, ';'), ';')).toEqual(table);
      }),
    );
  });

  it('[XU10] any text comes back as it is where no quotation mark is open and lines end alike', () => {
    const text = fc.string({ unit: fc.constantFrom(...'ab";;\n 01'), maxLength: 40 });
    fc.assert(
      fc.property(text, fc.constantFrom('\n', '\r\n', '\r'), (lines, end) => {
        const source = lines.replaceAll('\n', end);
        const { rows } = SeparatedCells.read(`${source};"`, ';');
        // The mark in the cell that was added is the last one, and a cell of its own: none before it is open.
        fc.pre(rows.at(-1)!.at(-1) === '');
        expect(untouched(source, ';')).toBe(source);
      }),
      { numRuns: 100 },
    );
  });

  it('[XU11] numbers, days and amounts are such in the language of most cells; what would come back otherwise is text', () => {
    const german = readCells('02.05.2026;1.234,50\n03.05.2026;7,5\n', ';');
    expect(localeOfTable(german, ';')).toBe('de-DE');
    expect(localeOfTable([['1.5', '12/31/2026']], ',')).toBe('en-US');
    expect(localeOfTable([['31/12/2026']], ',')).toBe('en-GB');
    const value = (text: string, locale = 'de-DE') => tableValue(text, locale).value;
    expect(['02.05.2026', '1.234,50', '7,5', '64,50', '-3'].map((text) => value(text))).toEqual([
      ...[46_144, 1234.5, 7.5, 64.5, -3],
    ]);
    const texts = [
      '00123',
      '1/2',
      '3-4',
      '=A1',
      '1e5',
      '+49 30',
      '3.4.',
      'true',
      ' 7',
      '12345678901234567890',
    ];
    expect(texts.map((text) => value(text))).toEqual(texts);
    expect(texts.map((text) => value(text, 'en-US'))).toEqual(texts);
  });

  it('[XU11] what is changed is written as the table writes it', () => {
    const text = 'Tag;Betrag\r\n02.05.2026;1.234,50\r\n';
    const { model } = openXlsx(xlsxOfTable(text, ';'));
    expect(JSON.stringify(model)).toContain('46144');
    expect(tableOfXlsx(xlsxOfTable('Tag;Betrag\n02.05.2026;99,50\n', ';'), text, ';')).toBe(
      'Tag;Betrag\r\n02.05.2026;99,50\r\n',
    );
  });

  it('[XU10] a cell far below a wide table does not fill all lines before it', () => {
    const wide = `a${','.repeat(16_383)}`;
    const below = '\n'.repeat(200_000);
    expect(tableOfXlsx(xlsxOfTable(`a${below}x`, ','), wide, ',')).toBe(
      `${wide}${below}x${','.repeat(16_383)}`,
    );
  });

  it('[XU10] a cell that nobody changed has its quotation marks as they were, wherever it is moved to', () => {
    const text = 'size,name\r\nMonitor 24",5\r\n"quoted",7\r\n';
    expect(
      writtenLike(
        text,
        [
          ['new', 'x"'],
          ['Monitor 24"', '6'],
          ['7', 'quoted'],
        ],
        ',',
      ),
    ).toBe('new,"x"""\r\nMonitor 24",6\r\n7,"quoted"\r\n');
  });

  it('[XU10] new cells are in quotation marks where all of their sort are, or where they must be', () => {
    const rows = [['new', '99', '', 'a,b']];
    const written = (text: string) => writtenLike(text, rows, ',');
    expect(written('a,b\n1,"2,3"\n')).toBe('new,99,,"a,b"\n');
    expect(written('"a","b"\n"",""\n')).toBe('"new","99","","a,b"\n');
    expect(written('"a","b"\n,"c"\n')).toBe('"new","99",,"a,b"\n');
    expect(written('"a",1\n"b",2\n')).toBe('"new",99,"","a,b"\n');
    expect(written('"a",1,\n\n"b",2,\n')).toBe('"new",99,,"a,b"\n');
  });

  it("[BO19] line ends, and the lines without cells at the end, are those of the table; within cells they are the cells' own", () => {
    const text = '"a\nb",c\r\nd,e';
    expect(untouched(text, ',')).toBe(text);
    expect(writtenLike(text, [['a\nb', 'x'], ['f\n"g"']], ',')).toBe('"a\nb",x\r\n"f\n""g"""');
    for (const tail of ['', '\r\n', '\r\n\r\n\r\n', '\r\n,\r\n,\r\n', '\r\n\r\n,,,'])
      expect(untouched(`a,b\r\nc,d${tail}`, ',')).toBe(`a,b\r\nc,d${tail}`);
    const changed = (rows: string, source: string) => tableOfXlsx(xlsxOfTable(rows, ','), source, ',');
    expect(changed('a,b', 'a,b\nc,d\n,\n,\n')).toBe('a,b\n,\n,\n');
    expect(changed('a,b\nx', 'a,b\n,\n,\n')).toBe('a,b\nx,\n,\n');
    expect(changed('a,b,c\nd,e', 'a,b,,\nd,,\n')).toBe('a,b,c,\nd,e,\n');
  });

  it('[XS229] a first line that names the delimiter is no row, and comes back', () => {
    const text = 'sep=;\r\nday;amount\r\n"a,b";7\r\n';
    expect(['sep=;\n1,2;3,4\n', '\uFEFFSEP=|\ra;b|c;d', text].map(detectDelimiter)).toEqual([';', '|', ';']);
    expect(readCells(text, ';')).toEqual([
      ['day', 'amount'],
      ['a,b', '7'],
    ]);
    expect(readCells('\uFEFFsep=\t\na\tb', '\t')).toEqual([['a', 'b']]);
    expect(untouched(text, ';')).toBe(text);
    expect(writtenLike(text, [['x', '8']], ';')).toBe('sep=;\r\nx;8\r\n');
  });

  it('[XS229] it is a row where another delimiter is chosen, and cells that look like it are cells', () => {
    const text = 'sep=;\na,b\n';
    expect(readCells(text, ',')).toEqual([['sep=;'], ['a', 'b']]);
    expect(untouched(text, ',')).toBe(text);
    const written = writtenLike('a;b\n', [['sep=', '']], ';');
    expect(written).toBe('"sep=";\n');
    expect(readCells(written, ';')).toEqual([['sep=', '']]);
    expect(untouched('sep=a\nb\n', undefined)).toBe('sep=a\nb\n');
  });

  it('[XU10] takes no longer for quotation marks that are far apart, or for many lines without a cell', () => {
    const long = `24",${'b'.repeat(20_000_000)}"\r\n`;
    expect(writtenLike(long, [['c'], ['d']], ',')).toBe('c\r\nd\r\n');
    const rows = [...Array.from({ length: 1_048_575 }, () => []), ['x']];
    expect(writtenLike('a\r\n', rows, ',')).toBe(`${'\r\n'.repeat(1_048_575)}x\r\n`);
  });
});
