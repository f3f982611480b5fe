import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';
import { describe, expect, test } from 'vitest';
import type { Item, ItemKind } from '../../../../model/cell/items.ts';
import type { CellOperation } from '../../../../model/cell/operations.ts';
import type { CellValue } from '../../../../model/cell/values.ts';
import { itemsOf } from '../../../../model/cell/workbook.ts';
import { commented, drawn, itemised, ownWorkbooks, strange } from '../../../../test/corpus/workbooks.ts';
import { buildWorkbook, MAIN, STYLES } from '../../../../test/support/workbook-fixture.ts';
import { edit, inFile, opened } from './testing/xlsx-edit.ts';

const COMPATIBILITY = 'http://schemas.openxmlformats.org/markup-compatibility/2006';

const THREAD = '{00000000-0000-0000-0000-000000000001}';

const put = (kind: ItemKind, item: object, id = 'c.1'): CellOperation => ({
  ...{ op: 'put', sheet: kind === 'name' ? null : 's1', kind, id, item: item as Item },
});
const patch = (kind: ItemKind, id: string, changes: object): CellOperation =>
  ({ op: 'patch', sheet: kind === 'name' ? null : 's1', kind, id, patch: changes }) as CellOperation;
const drop = (kind: ItemKind, id: string): CellOperation => ({
  op: 'drop',
  sheet: kind === 'name' ? null : 's1',
  kind,
  id,
});
const insertRow = (at: number): CellOperation => ({ op: 'insert', axis: 'row', sheet: 's1', at, count: 1 });

/** The fixture is protected by a password of old. */
const unprotect: CellOperation = {
  ...{ op: 'sheet', sheet: 's1', patch: { protection: null } },
  proof: 'CC1A',
};

describe('items of sheets', () => {
  test.each([
    '<iconFilter iconSet="3Arrows" iconId="1"/>',
    '<extLst><ext uri="{1}" xmlns:x14="urn:x14"><x14:iconFilter iconSet="3Stars" iconId="1"/></ext></extLst>',
  ])(
    '[XE63] rows are filtered by %s, which stays in the file beside the filter of another column',
    (criteria) => {
      const base = buildWorkbook({
        sheets: [
          {
            rows: '<row r="2"><c r="A2"><v>1</v></c></row><row r="3" hidden="1"><c r="A3"><v>2</v></c></row>',
            after: `<autoFilter ref="A1:B4"><filterColumn colId="0">${criteria}</filterColumn></autoFilter>`,
          },
        ],
      });
      const [sheet] = opened(base).sheets;
      expect(sheet!.grid.row(2)?.line).toMatchObject({ filtered: true });
      const [id, { columns }] = [...itemsOf(sheet!, 'filter')][0]!;
      const { xml } = edit(base, [
        patch('filter', id, { columns: [...columns, { column: 1, values: ['x'] }] }),
      ]);
      expect(xml).toContain(`<filterColumn colId="0">${criteria}</filterColumn><filterColumn colId="1">`);
      expect(edit(base, [patch('filter', id, { columns: [] })]).xml).toContain(
        '<autoFilter ref="A1:B4"></autoFilter>',
      );
    },
  );

  test('[XE1] are read with what the model has for them', () => {
    const [sheet] = opened(itemised).sheets;
    const all = Object.fromEntries(
      Object.entries(sheet!.items).map(([kind, items]) => [kind, [...items!.values()]]),
    );
    expect(all.merge).toEqual([{ area: [4, 0, 5, 1] }, { area: [0, 3, 0, 4] }]);
    expect(all.link).toEqual([
      { area: [4, 0, 4, 0], address: 'https://example.org/', tooltip: 'go' },
      { area: [0, 3, 0, 3], location: 'Sheet1!A1', display: 'top' },
    ]);
    expect(all.condition?.[0]).toMatchObject({
      type: 'cellIs',
      operator: 'greaterThan',
      format: { font: { bold: true } },
    });
    expect(all.condition?.[2]).toMatchObject({
      points: [{ type: 'min', color: { rgb: 'FF0000' } }, { color: { theme: 4, tint: 0.5 } }],
    });
    expect(all.filter).toEqual([{ area: [6, 3, 8, 3], columns: [{ column: 0, values: ['2'] }] }]);
    expect(all.table).toMatchObject([
      { name: 'Table1', area: [0, 0, 2, 1], columns: [{ name: 'Name' }, { name: 'Sum' }] },
    ]);
    expect(sheet?.properties.protection).toEqual({
      allows: ['selectLocked', 'selectUnlocked', 'sort', 'scenarios'],
      extra: { password: 'CC1A' },
    });
    expect(all.openRange).toEqual([
      { areas: [[0, 5, 8, 5]], name: 'open', extra: { securityDescriptor: 'kept' } },
    ]);
    expect(sheet?.grid.row(7)?.line).toEqual({ filtered: true });
  });

  test('[XU2] [XU4] days of a filter, and cells without a colour of their own, are written as Excel does and read again', () => {
    const [id] = [...itemsOf(opened(itemised).sheets[0]!, 'filter').keys()];
    const columns = [
      { column: 0, values: ['2'], blanks: true, dates: [[2026], [2025, 3], [2024, 2, 29]] },
      { column: 1, color: { color: { auto: true }, ofFont: false } },
      { column: 2, color: { color: { auto: true }, ofFont: true } },
    ];
    const { xml, part, reopened } = edit(itemised, [unprotect, patch('filter', id!, { columns })]);
    expect(xml).toContain(
      '<filters blank="1"><filter val="2"/><dateGroupItem year="2026" dateTimeGrouping="year"/>' +
        '<dateGroupItem year="2025" month="3" dateTimeGrouping="month"/>' +
        '<dateGroupItem year="2024" month="2" day="29" dateTimeGrouping="day"/></filters>',
    );
    expect(part('xl/styles.xml')).toContain(
      '<dxf><fill><patternFill patternType="none"></patternFill></fill></dxf>',
    );
    expect(part('xl/styles.xml')).toContain('<dxf><font><color auto="1"/></font></dxf>');
    expect([...itemsOf(reopened.sheets[0]!, 'filter').values()]).toMatchObject([{ columns }]);
  });

  test('[XE11] follow an inserted row in every part, and keep what only the file says', () => {
    const { xml, part, reopened, expected } = edit(itemised, [unprotect, insertRow(1)]);
    expect(inFile(reopened)).toEqual(inFile(expected));
    expect(xml).toContain('<protectedRange sqref="F1:F10" name="open" securityDescriptor="kept"/>');
    expect(xml).toContain('imeMode="kept" sqref="C3:C10"');
    expect(xml).toContain('<conditionalFormatting sqref="A1:A4" pivot="1">');
    expect(part('xl/tables/table1.xml')).toContain('<tableColumn id="1" name="Name" dataDxfId="0"/>');
    expect(part('xl/tables/table1.xml')).toContain('ref="A1:B4"');
    expect(part('xl/workbook.xml')).toContain('hidden="1">Sheet1!$D$8:$D$10<');
  });

  test('[XE11] are changed one by one, and the others keep their bytes', () => {
    const { xml, changed } = edit(itemised, [
      unprotect,
      patch('merge', 'm1', { area: [4, 0, 4, 1] }),
      drop('link', 'l1'),
      patch('condition', 'c2', { stops: true }),
    ]);
    expect(changed).toEqual(['xl/worksheets/sheet1.xml']);
    expect(xml).toContain(
      '<mergeCells count="2"><mergeCell ref="A5:B5"/><mergeCell ref="D1:E1"/></mergeCells>',
    );
    expect(xml).toContain(
      '<hyperlinks><hyperlink ref="D1" location="Sheet1!A1" display="top"/></hyperlinks>',
    );
    expect(xml).toContain(
      '<cfRule type="cellIs" dxfId="0" priority="2" operator="greaterThan"><formula>5</formula></cfRule><cfRule type="expression" priority="1" stopIfTrue="1">',
    );
  });

  test.each(
    ownWorkbooks.filter(([name]) =>
      ['plain', 'strict', 'with a prefix', 'with tables, rules and names'].includes(name),
    ),
  )('[XE11] are put into %s, where the schema wants them', (_name, bytes) => {
    const { reopened, expected, xml } = edit(bytes, [
      unprotect,
      put('merge', { area: [20, 0, 21, 1] }),
      put('link', { area: [20, 3, 20, 3], address: 'https://example.com/?a&b' }),
      put('validation', {
        areas: [[20, 2, 30, 2]],
        type: 'whole',
        operator: 'greaterThan',
        formulas: ['3'],
        style: 'warning',
      }),
      put('condition', {
        areas: [[20, 0, 30, 0]],
        type: 'cellIs',
        operator: 'equal',
        priority: 9,
        formulas: ['1'],
        format: { fill: { pattern: 'solid', color: { rgb: '00FF00' } } },
      }),
      put(
        'condition',
        {
          areas: [[20, 1, 30, 1]],
          type: 'iconSet',
          priority: 10,
          formulas: [],
          icons: '3Arrows',
          points: [
            { type: 'percent', value: '0' },
            { type: 'percent', value: '33' },
            { type: 'percent', value: '67' },
          ],
        },
        'c.2',
      ),
      { op: 'block', sheet: 's1', row: 40, column: 0, rows: [['a', 'b']] },
      put('table', {
        area: [40, 0, 41, 1],
        name: 'New',
        hasHeader: true,
        columns: [{ name: 'a' }, { name: 'b' }],
        style: 'TableStyleLight1',
      }),
      put('name', { name: 'Total', formula: 'Sheet1!$A$1' }),
      put('pageBreak', { axis: 'column', cell: [0, 5] }),
    ]);
    expect(inFile(reopened)).toEqual(inFile(expected));
    const order = [
      'sheetData',
      'mergeCells',
      'conditionalFormatting',
      'dataValidations',
      'hyperlinks',
      'colBreaks',
      'tableParts',
    ];
    const places = order.map((name) => xml.search(new RegExp(`<(?:x:)?${name}`)));
    expect(places).toEqual(places.toSorted((one, other) => one - other));
    expect(places).not.toContain(-1);
  });

  test('[XE11] say the usual where the file says it, too', () => {
    const validation =
      '<dataValidations count="1"><dataValidation type="whole" errorStyle="stop" sqref="A1"><formula1>1</formula1></dataValidation></dataValidations>';
    const fixture = { sheets: [{ after: validation }] };
    const [id] = itemsOf(edit(fixture, []).expected.sheets[0]!, 'validation').keys();
    const { xml, reopened, expected } = edit(fixture, [patch('validation', id!, { areas: [[2, 2, 2, 2]] })]);
    expect(xml).toContain('errorStyle="stop"');
    expect(inFile(reopened)).toEqual(inFile(expected));
  });

  test('[XE60] of a list of words with commas are those that every program reads, and stay beside the others', () => {
    const choice = `<mc:AlternateContent xmlns:mc="${COMPATIBILITY}"><mc:Choice xmlns:x12ac="http://schemas.microsoft.com/office/spreadsheetml/2011/1/ac" Requires="x12ac"><x12ac:list>1,"2,3"</x12ac:list></mc:Choice><mc:Fallback><formula1>"1,2,3"</formula1></mc:Fallback></mc:AlternateContent>`;
    const after = `<dataValidations count="1"><dataValidation type="list" sqref="A1">${choice}</dataValidation></dataValidations>`;
    const fixture = { sheets: [{ after }] };
    const validations = itemsOf(edit(fixture, []).expected.sheets[0]!, 'validation');
    const [id] = validations.keys();
    expect([...validations.values()]).toMatchObject([{ type: 'list', formulas: ['"1,2,3"'] }]);
    const moved = edit(fixture, [patch('validation', id!, { areas: [[2, 2, 2, 2]] })]);
    expect(moved.xml).toContain(`sqref="C3">${choice}</dataValidation>`);
    expect(inFile(moved.reopened)).toEqual(inFile(moved.expected));
    const other = edit(fixture, [patch('validation', id!, { formulas: ['"4,5"'] })]);
    expect(other.xml).toContain('sqref="A1"><formula1>"4,5"</formula1></dataValidation>');
  });

  test('[XE11] may be the first in their sheet that need a relationship', () => {
    const parts = unzipSync(buildWorkbook({}));
    const name = 'xl/worksheets/sheet1.xml';
    parts[name] = strToU8(strFromU8(parts[name]!).replace(/ xmlns:r="[^"]*"/, ''));
    const link = { area: [0, 0, 0, 0], address: 'https://example.org/' };
    const { xml, reopened, expected } = edit(zipSync(parts), [put('link', link)]);
    expect(xml).toMatch(/<worksheet [^>]*xmlns:r="[^>]*><sheetData.*<hyperlink ref="A1" r:id="rId1"/);
    expect(inFile(reopened)).toEqual(inFile(expected));
  });

  test('[XE11] come where the schema wants them among what programs choose from, and what it does not know', () => {
    const choice = (xml: string) =>
      `<mc:AlternateContent xmlns:mc="${COMPATIBILITY}"><mc:Choice Requires="x14">${xml}</mc:Choice></mc:AlternateContent>`;
    const fixture = {
      before: `${choice('<x15ac:absPath xmlns:x15ac="urn:x" url="/a"/>')}<xr:revisionPtr xmlns:xr="urn:y"/><bookViews/>`,
      sheets: [{ after: choice('<controls><control shapeId="1" r:id="rId9"/></controls>') }],
    };
    const { part, xml } = edit(fixture, [
      put('name', { name: 'Total', formula: 'Sheet1!$A$1' }),
      put('link', { area: [0, 0, 0, 0], location: 'Sheet1!B2' }),
      put('comment', { cell: [1, 1], author: 'Ann', date: null, text: 'look', isNote: true }),
    ]);
    expect(part('xl/workbook.xml')).toMatch(/<\/sheets><definedNames>/);
    expect(xml).toMatch(/<\/sheetData><hyperlinks>.*<\/hyperlinks><legacyDrawing .*\/><mc:AlternateContent/);
  });
});

describe('sheets', () => {
  test('[XE12] are renamed, moved, hidden, added and removed, and names that count in one stay with it', () => {
    const { part, reopened, expected, changed } = edit(itemised, [
      { op: 'addSheet', sheet: 'c.1', name: 'New & more', at: 0 },
      { op: 'set', sheet: 'c.1', cells: [[0, 0, { f: 'Rate*2', v: 2 }]] },
      { op: 'sheet', sheet: 's1', patch: { name: 'First', state: 'hidden' } },
    ]);
    expect(part('xl/workbook.xml')).toContain('<sheet name="New &amp; more" sheetId="2"');
    expect(part('xl/workbook.xml')).toContain('localSheetId="1" hidden="1">First!$D$7:$D$9<');
    const { sheets } = reopened;
    expect(sheets.map(({ properties }) => [properties.name, properties.state])).toEqual([
      ['New & more', undefined],
      ['First', 'hidden'],
    ]);
    expect(sheets[1]!.items.table).toEqual(expected.sheets[1]!.items.table);
    expect(changed).toContain('xl/worksheets/sheet2.xml');
  });

  test('[XE12] leave the file with all that is theirs alone', () => {
    const { part, changed, reopened } = edit(strange, [{ op: 'removeSheet', sheet: 's1' }]);
    expect(reopened.sheets.map(({ properties }) => properties.name)).toEqual(['Other']);
    expect(changed).toContain('xl/worksheets/sheet1.xml');
    expect(part('xl/_rels/workbook.xml.rels')).not.toContain('sheet1.xml');
    expect(part('xl/vbaProject.bin')).toBe('\u0001\u0002\u0003');
  });

  test('[XE12] are closed together with the password of the workbook', () => {
    const structureKey = {
      algorithmName: 'SHA-512',
      hashValue: 'aGFzaA==',
      saltValue: 'c2FsdA==',
      spinCount: '1',
    };
    const { reopened, part } = edit(strange, [{ op: 'workbook', patch: { protected: true, structureKey } }]);
    expect(reopened.properties).toMatchObject({ protected: true, structureKey });
    expect(part('xl/workbook.xml')).toContain('workbookSpinCount="1"');
  });

  test('[XE12] say what they look like, how they are printed and what is protected', () => {
    const { reopened, expected, xml } = edit(strange, [
      {
        ...{ op: 'sheet', sheet: 's1' },
        patch: {
          color: { rgb: 'FF0000' },
          frozen: { rows: 1, columns: 2 },
          hidesGridlines: true,
          zoomPercent: 80,
          protection: { allows: ['selectLocked', 'sort'] },
          page: {
            orientation: 'landscape',
            paper: 9,
            fitsTo: { width: 1, height: 0 },
            header: '&Ca & b',
            margins: { left: 1, right: 1, top: 1, bottom: 1, header: 0.5, footer: 0.5 },
          },
        },
      },
    ]);
    expect(inFile(reopened)).toEqual(inFile(expected));
    expect(xml).toContain(
      '<pane xSplit="2" ySplit="1" topLeftCell="C2" activePane="bottomRight" state="frozen"/>',
    );
  });

  test('[XE12] forget how they are printed', () => {
    const after =
      '<printOptions gridLines="1"/><pageMargins left="1" right="1" top="1" bottom="1" header="1" footer="1"/><pageSetup orientation="landscape"/>';
    const { reopened } = edit({ sheets: [{ after }] }, [{ op: 'sheet', sheet: 's1', patch: { page: null } }]);
    expect(reopened.sheets[0]!.properties.page).toBeUndefined();
  });

  test('[XE11] that are copied have conditional formats that take a look away', () => {
    const after =
      '<conditionalFormatting sqref="A1"><cfRule type="expression" dxfId="0" priority="1"><formula>1</formula></cfRule></conditionalFormatting>';
    const styles = STYLES.replace('<dxf><font><b/>', '<dxf><font><b val="0"/><i/>');
    const { reopened } = edit({ styles, sheets: [{ after }] }, [
      { op: 'addSheet', sheet: 'c.1', name: 'Copy', at: 1, copyOf: 's1' },
    ]);
    const [copied] = itemsOf(reopened.sheets[1]!, 'condition').values();
    expect(copied?.format).toEqual({ font: { bold: false, italic: true } });
  });
});

describe('what programs would repair', () => {
  const tableXml = (name: string) =>
    `<table xmlns="${MAIN}" id="1" name="T" displayName="T" ref="A1:B2"><tableColumns count="2"><tableColumn id="1" name="${name}"/><tableColumn id="2" name="b"/></tableColumns></table>`;
  const withTable = (name = 'a') => ({
    sheets: [
      {
        rows: '<row r="1"><c r="A1" t="str"><v>a</v></c><c r="B1" t="str"><v>b</v></c></row><row r="2"><c r="A2"><v>1</v></c></row>',
        after: '<tableParts count="1"><tablePart r:id="rId1"/></tableParts>',
        links: [['table', '/xl/tables/table1.xml'] as const],
      },
    ],
    parts: {
      'xl/tables/table1.xml': [
        'application/vnd.openxmlformats-officedocument.spreadsheetml.table+xml',
        tableXml(name),
      ] as const,
    },
  });
  /** Names of the columns, their ids, and the texts above them. */
  const headings = ({ reopened, part }: ReturnType<typeof edit>) => {
    const { grid, items } = reopened.sheets[0]!;
    const [table] = [...items.table!.values()] as unknown as [
      { area: number[]; columns: { name: string }[] },
    ];
    return table.columns.map(({ name }, at) => {
      const id = new RegExp(`id="(\\d)" name="${name}"`).exec(part('xl/tables/table1.xml'))?.[1];
      return [name, id, grid.cell(table.area[0]!, table.area[1]! + at).value];
    });
  };
  const insert = { op: 'insert', axis: 'column', sheet: 's1', at: 1, count: 1 } as const;
  const set = (column: number, v: CellValue) =>
    ({ op: 'set', sheet: 's1', cells: [[0, column, { v }]] }) as const;

  test.each<[string, CellOperation, unknown[]]>([
    [
      'that is put in is named',
      insert,
      [
        ['a', '1', 'a'],
        ['Column1', '3', 'Column1'],
        ['b', '2', 'b'],
      ],
    ],
    [
      'that is typed over is the name',
      set(0, 'new'),
      [
        ['new', '1', 'new'],
        ['b', '2', 'b'],
      ],
    ],
    [
      'that is a number is a text',
      set(0, 7),
      [
        ['7', '1', '7'],
        ['b', '2', 'b'],
      ],
    ],
    [
      'that is emptied comes back',
      set(1, null),
      [
        ['a', '1', 'a'],
        ['b', '2', 'b'],
      ],
    ],
    [
      'is there once',
      set(1, 'A'),
      [
        ['a', '1', 'a'],
        ['A2', '2', 'A2'],
      ],
    ],
    [
      'that is sorted takes its column along',
      { op: 'sort', axis: 'column', sheet: 's1', band: [0, 1], order: [1, 0] },
      [
        ['b', '2', 'b'],
        ['a', '1', 'a'],
      ],
    ],
  ])('[XE19] is not in the file: the heading of a column of a table %s', (_name, operation, expected) => {
    expect(headings(edit(withTable(), [operation]))).toEqual(expected);
  });

  test('[XE19] stays where the file has it: a heading that is not the name of its column', () => {
    const { part, reopened } = edit(withTable('z'), [insertRow(0)]);
    expect(part('xl/tables/table1.xml')).toContain('name="z"');
    expect(reopened.sheets[0]!.grid.cell(1, 0).value).toBe('a');
  });

  test('[XE19] is not in the file: one cell that is merged', () => {
    const after = '<mergeCells count="2"><mergeCell ref="A1:B1"/><mergeCell ref="A3:C3"/></mergeCells>';
    const { xml } = edit({ sheets: [{ after }] }, [
      { op: 'delete', axis: 'column', sheet: 's1', at: 0, count: 1 },
    ]);
    expect(xml).toContain('<mergeCells count="1"><mergeCell ref="A3:B3"/></mergeCells>');
  });
});

describe('a package that names the type of each part', () => {
  test('[XE11] gets the types of new relationships as well', () => {
    const { base } = edit({}, []);
    const parts = unzipSync(base);
    const types = strFromU8(parts['[Content_Types].xml']!).replace(
      /<Default Extension="rels" ContentType="([^"]*)"\/>/,
      '<Override PartName="/_rels/.rels" ContentType="$1"/><Override PartName="/xl/_rels/workbook.xml.rels" ContentType="$1"/>',
    );
    const bytes = zipSync({ ...parts, '[Content_Types].xml': strToU8(types) });
    const { part } = edit(bytes, [put('link', { area: [0, 0, 0, 0], address: 'https://example.org/' })]);
    expect(part('[Content_Types].xml')).toMatch(
      /<Default Extension="rels"|PartName="\/xl\/worksheets\/_rels\/sheet1.xml.rels"/,
    );
  });
});

describe('comments', () => {
  test('[XE13] are read as notes, and as threads with their answers', () => {
    const comments = [...itemsOf(opened(commented).sheets[0]!, 'comment').values()];
    expect(comments).toMatchObject([
      { cell: [3, 3], author: 'Bea', text: 'why?', date: '2024-05-01T10:00:00.00Z' },
      { author: 'Bea', text: 'because', parent: '{00000000-0000-0000-0000-000000000001}' },
      { cell: [1, 1], author: 'Ann', text: 'look', isNote: true },
    ]);
  });

  test('[XE13] move with their cells, boxes and the notes beside threads as well', () => {
    const { part, reopened, expected } = edit(commented, [insertRow(2)]);
    expect(inFile(reopened)).toEqual(inFile(expected));
    expect(part('xl/comments1.xml')).toContain('<comment ref="D5" authorId="1">');
    expect(part('xl/comments1.xml')).toContain(
      '<comment ref="B2" authorId="0" shapeId="0"><text><r><rPr><b/></rPr>',
    );
    const shapes = part('xl/drawings/vmlDrawing1.vml');
    expect(shapes).toContain('<div>not <br> XML</div>');
    expect(shapes).toContain('<x:Anchor>4, 15, 4, 2, 6, 31, 8, 9</x:Anchor><x:Row>4</x:Row>');
  });

  test('[XE13] come and go', () => {
    const { part, reopened } = edit(commented, [
      drop('comment', 'o1'),
      put('comment', { cell: [6, 0], author: 'Cid', date: '2024-06-01T00:00:00Z', text: 'new <thread>' }),
      put('comment', { cell: [6, 0], author: 'Bea', date: null, text: 'answer', parent: 'c.1' }, 'c.2'),
    ]);
    const comments = [...itemsOf(reopened.sheets[0]!, 'comment').values()];
    expect(comments.map(({ text }) => text)).toEqual(['why?', 'because', 'new <thread>', 'answer']);
    expect(comments[3]?.parent).toMatch(/^\{[0-9A-F-]{36}\}$/);
    expect(part('xl/persons/person.xml')).toContain('displayName="Cid"');
    expect(part('xl/drawings/vmlDrawing1.vml')).not.toContain('<x:Row>1</x:Row>');
  });

  test('[XE13] whose text is changed stay those of their authors', () => {
    const { part, reopened, expected } = edit(commented, [patch('comment', THREAD, { text: 'why not?' })]);
    const before = strFromU8(unzipSync(commented)['xl/threadedComments/threadedComment1.xml']!);
    expect(part('xl/threadedComments/threadedComment1.xml')).toBe(before.replace('why?', 'why not?'));
    expect(inFile(reopened)).toEqual(inFile(expected));
  });

  test('[XE13] may be the first of a workbook', () => {
    const { reopened, part, xml } = edit({}, [
      put('comment', { cell: [0, 0], author: 'Ann', date: null, text: 'a note', isNote: true }),
      put('comment', { cell: [1, 0], author: 'Bea', date: '2024-06-01T00:00:00Z', text: 'a thread' }, 'c.2'),
    ]);
    const comments = [...itemsOf(reopened.sheets[0]!, 'comment').values()];
    expect(comments.map(({ author, text, isNote }) => [author, text, isNote])).toEqual([
      ['Bea', 'a thread', undefined],
      ['Ann', 'a note', true],
    ]);
    expect(xml).toMatch(/<legacyDrawing r:id="rId\d"\/>/);
    expect(part('xl/drawings/vmlDrawing1.vml').match(/ObjectType="Note"/g)).toHaveLength(2);
  });

  test('[XE13] that several people begin in one cell stand there as one note, or as one thread', () => {
    const note = (text: string) => ({ cell: [1, 1], author: 'Cid', date: null, text, isNote: true });
    const thread = (cell: number[], text: string) => ({ cell, author: 'Dan', date: null, text });
    const { part, reopened } = edit(commented, [
      put('comment', note('again'), 'c.1'),
      put('comment', thread([3, 3], 'me, too'), 'c.2'),
      put('comment', thread([8, 8], 'first'), 'c.3'),
      put('comment', { ...note('and a note'), cell: [8, 8] }, 'c.4'),
    ]);
    const all = [...itemsOf(reopened.sheets[0]!, 'comment').values()];
    expect(all.map(({ cell, text, parent }) => [...cell, text, parent === undefined])).toEqual([
      [3, 3, 'why?', true],
      [3, 3, 'because', false],
      [8, 8, 'first', true],
      [3, 3, 'me, too', false],
      [8, 8, 'and a note', false],
      [1, 1, 'look\n\nCid:\nagain', true],
    ]);
    const refs = [...part('xl/comments1.xml').matchAll(/<comment ref="(\w+)"/g)].map(([, ref]) => ref);
    expect(refs.sort()).toEqual(['B2', 'D4', 'I9']);
    expect(part('xl/drawings/vmlDrawing1.vml').match(/ObjectType="Note"/g)).toHaveLength(3);
  });
});

/** A package with other texts in its parts and names. */
function rebuilt(bytes: Uint8Array, replace: (text: string) => string): Uint8Array {
  const parts = Object.entries(unzipSync(bytes)).map(([name, content]) => {
    const isText = /\.(?:xml|rels)$/.test(name);
    return [replace(name), isText ? strToU8(replace(strFromU8(content))) : content] as const;
  });
  return zipSync(Object.fromEntries(parts));
}

describe('what is drawn', () => {
  const png = new Uint8Array([137, 80, 78, 71, 13, 10, 26, 10]);

  test('[XE14] is read, charts with their references and the values they had', () => {
    const drawings = [...itemsOf(opened(drawn).sheets[0]!, 'drawing').values()];
    expect(drawings).toMatchObject([
      {
        kind: 'picture',
        src: 'media/image1.png',
        name: 'Logo',
        description: 'a dot',
        anchor: { from: [4, 0, 0, 9], size: [100, 50], follows: 'move' },
      },
      {
        kind: 'chart',
        chart: { type: 'column', series: [{ values: 'Sheet1!$A$1:$A$3', cached: { values: [1, null, 3] } }] },
      },
    ]);
  });

  test('[XE14] follows cells, and so do the references of charts, whose look stays', () => {
    const { part, reopened, expected } = edit(drawn, [insertRow(1)]);
    expect(inFile(reopened)).toEqual(inFile(expected));
    expect(part('xl/charts/chart1.xml')).toContain('<c:f>Sheet1!$A$1:$A$4</c:f>');
    expect(part('xl/charts/chart1.xml')).toContain('<a:kept/>');
  });

  test('[XE14] lies behind and before others as it was put, new and old', () => {
    const anchor = { from: [1, 1, 0, 0], to: [5, 5, 0, 0], follows: 'both' };
    const names = (workbook: ReturnType<typeof opened>) =>
      [...itemsOf(workbook.sheets[0]!, 'drawing').values()].map(({ kind, name }) => name ?? kind);
    const before = names(opened(drawn));
    const { reopened, part } = edit(
      drawn,
      [
        patch('drawing', 'd1', { order: 7, description: 'in front' }),
        put('drawing', { kind: 'picture', anchor, order: 3, src: 'media/new.png', name: 'Middle' }),
      ],
      { media: () => png },
    );
    expect(names(reopened)).toEqual([...before.slice(1), 'Middle', before[0]]);
    expect(part('xl/drawings/drawing1.xml')).toContain('descr="in front"');
  });

  test('[XE14] a metafile is a picture with an address, and is copied as it is', () => {
    const metafile = rebuilt(drawn, (text) =>
      text.replaceAll('image1.png', 'image1.emf').replaceAll('image/png', 'image/x-emf'),
    );
    const [logo] = [...itemsOf(opened(metafile).sheets[0]!, 'drawing').values()];
    expect(logo).toMatchObject({ kind: 'picture', src: 'media/image1.emf' });
    const { reopened } = edit(metafile, [put('drawing', { ...logo!, name: 'Copy' }, 'c.1')]);
    const sources = [...itemsOf(reopened.sheets[0]!, 'drawing').values()].map(({ src }) => src);
    expect(sources.filter((src) => src === 'media/image1.emf')).toHaveLength(2);
  });

  test('[XE14] may be new: pictures and charts, in a sheet without any', () => {
    const anchor = { from: [1, 1, 0, 0], to: [5, 5, 0, 0], follows: 'both' };
    const chart = {
      type: 'pie',
      title: 'Share',
      legend: 'right',
      series: [{ name: '"Sum"', categories: 'Sheet1!$A$1:$A$2', values: 'Sheet1!$B$1:$B$2' }],
    };
    const rows =
      '<row r="1"><c r="A1" t="str"><v>x</v></c><c r="B1"><v>1</v></c></row><row r="2"><c r="B2"><v>2</v></c></row>';
    const operations = [
      put('drawing', { kind: 'picture', anchor, order: 0, src: 'media/new.png', name: 'Dot' }),
      put('drawing', { kind: 'chart', anchor, order: 1, chart }, 'c.2'),
      put('drawing', { kind: 'picture', anchor, order: 2, src: 'media/lost.png' }, 'c.3'),
    ];
    const { reopened, missingMedia, part } = edit({ sheets: [{ rows }] }, operations, {
      media: (path) => (path === 'media/new.png' ? png : undefined),
    });
    expect(missingMedia).toEqual(['media/lost.png']);
    const drawings = [...itemsOf(reopened.sheets[0]!, 'drawing').values()];
    expect(drawings).toMatchObject([
      { kind: 'picture', src: 'media/new.png', anchor },
      {
        kind: 'chart',
        anchor,
        chart: {
          type: 'pie',
          title: 'Share',
          series: [{ values: 'Sheet1!$B$1:$B$2', cached: { values: [1, 2], categories: ['x'] } }],
        },
      },
    ]);
    expect(part('[Content_Types].xml')).toContain('image/png');
  });

  test('[XE14] goes without a trace of it in the drawing', () => {
    const { reopened, part } = edit(drawn, [drop('drawing', 'd1')]);
    expect(reopened.sheets[0]!.items.drawing?.size).toBe(1);
    expect(part('xl/drawings/drawing1.xml')).not.toContain('Logo');
  });
});

describe('items in extensions of later versions', () => {
  const extended = {
    sheets: [
      {
        after:
          '<conditionalFormatting sqref="A2:A9"><cfRule type="dataBar" priority="1"><dataBar><cfvo type="min"/><cfvo type="max"/><color rgb="FF638EC6"/></dataBar><extLst><ext xmlns:x14="http://schemas.microsoft.com/office/spreadsheetml/2009/9/main" uri="{B025F937-C7B1-47D3-B67F-A62EFF666E3E}"><x14:id>{HALF}</x14:id></ext></extLst></cfRule></conditionalFormatting><extLst><ext xmlns:x14="http://schemas.microsoft.com/office/spreadsheetml/2009/9/main" uri="{78C0D931-6437-407d-A8EE-F0AAD7539E65}"><x14:conditionalFormattings><x14:conditionalFormatting xmlns:xm="http://schemas.microsoft.com/office/excel/2006/main"><x14:cfRule type="dataBar" id="{HALF}"><x14:dataBar kept="1"/></x14:cfRule><xm:sqref>A2:A9</xm:sqref></x14:conditionalFormatting><x14:conditionalFormatting xmlns:xm="http://schemas.microsoft.com/office/excel/2006/main"><x14:cfRule type="expression" priority="2" id="{ALONE}"><xm:f>Sheet1!B2&gt;1</xm:f><x14:dxf><font><b/></font></x14:dxf></x14:cfRule><xm:sqref>B2:B9</xm:sqref></x14:conditionalFormatting></x14:conditionalFormattings></ext><ext xmlns:x14="http://schemas.microsoft.com/office/spreadsheetml/2009/9/main" uri="{CCE6A557-97BC-4b89-ADB6-D9C93CAAB3DF}"><x14:dataValidations xmlns:xm="http://schemas.microsoft.com/office/excel/2006/main" count="1"><x14:dataValidation type="list" allowBlank="1"><x14:formula1><xm:f>Other!$A$1:$A$3</xm:f></x14:formula1><xm:sqref>C2:C9</xm:sqref></x14:dataValidation></x14:dataValidations></ext></extLst>',
      },
      { name: 'Other' },
    ],
  };

  test('[XE11] are read as all others, follow cells, and keep their words', () => {
    const { reopened, expected, xml } = edit(extended, [
      insertRow(0),
      { op: 'insert', axis: 'row', sheet: 's2', at: 1, count: 1 },
    ]);
    expect(inFile(reopened)).toEqual(inFile(expected));
    expect(xml).toContain('<x14:dataBar kept="1"/></x14:cfRule><xm:sqref>A3:A10</xm:sqref>');
    expect(xml).toContain('<xm:f>Sheet1!B3&gt;1</xm:f>');
    expect(xml).toContain('<xm:f>Other!$A$1:$A$4</xm:f></x14:formula1><xm:sqref>C3:C10</xm:sqref>');
  });

  test('[XE11] go, with their extension when nothing else is in it', () => {
    const { reopened, xml } = edit(extended, [drop('validation', 'vx1'), drop('condition', 'cx1')]);
    expect(itemsOf(reopened.sheets[0]!, 'condition').size).toBe(1);
    expect(reopened.sheets[0]!.items.validation).toBeUndefined();
    expect(xml).not.toContain('dataValidations');
    expect(xml).toContain('{HALF}');
    expect(xml).not.toContain('{ALONE}');
  });

  test('[XE11] are counted when one of them goes', () => {
    const [one] = /<x14:dataValidation [\s\S]*<\/x14:dataValidation>/.exec(extended.sheets[0]!.after!)!;
    const after = extended.sheets[0]!.after!.replace('count="1"', 'count="2"').replace(one, one + one);
    const { xml } = edit({ sheets: [{ after }, { name: 'Other' }] }, [drop('validation', 'vx1')]);
    expect(xml).toContain(`count="1">${one}</x14:dataValidations>`);
  });
});
