import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';
import { describe, expect, test } from 'vitest';
import type { CellOperation } from '../../../../../model/cell/operations.ts';
import { itemsOf } from '../../../../../model/cell/workbook.ts';
import {
  buildWorkbook,
  MAIN,
  OFFICE,
  type WorkbookFixture,
} from '../../../../../test/support/workbook-fixture.ts';
import { edit, opened } from '../testing/xlsx-edit.ts';

const X14 = 'http://schemas.microsoft.com/office/spreadsheetml/2009/9/main';
const X15 = 'http://schemas.microsoft.com/office/spreadsheetml/2010/11/main';
const XM = 'http://schemas.microsoft.com/office/excel/2006/main';
const CHART = 'http://schemas.openxmlformats.org/drawingml/2006/chart';
const DRAWING = 'http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing';
const ANY = 'application/xml';

const lines = (op: 'insert' | 'delete', axis: 'row' | 'column', at: number, count = 1): CellOperation => ({
  ...{ op, axis, sheet: 's1', at, count },
});
const insertRow = lines('insert', 'row', 0);
const rename: CellOperation = { op: 'sheet', sheet: 's1', patch: { name: 'Plan A' } };

const sparkline = (formula: string, place: string) =>
  `<x14:sparkline><xm:f>${formula}</xm:f><xm:sqref>${place}</xm:sqref></x14:sparkline>`;
const sparklines = (...all: string[]) =>
  `<extLst><ext uri="{05C60535-1F16-4fd2-B633-F4F36F0B64E0}" xmlns:x14="${X14}"><x14:sparklineGroups xmlns:xm="${XM}"><x14:sparklineGroup dateAxis="1"><x14:colorSeries rgb="FF000000"/><xm:f>Sheet1!A1:D1</xm:f><x14:sparklines>${all.join('')}</x14:sparklines></x14:sparklineGroup></x14:sparklineGroups></ext></extLst>`;

const rows = '<row r="4"><c r="A4"><v>1</v></c></row>';
const sheet = (before: string, after: string, more: Partial<WorkbookFixture> = {}): WorkbookFixture => ({
  sheets: [{ rows, before, after, links: [] }, { rows }],
  ...more,
});

describe('what stands beside cells in a sheet', () => {
  test('[XE47] sparklines follow with their source and their place, and go with their cell', () => {
    const fixture = sheet('', sparklines(sparkline('Sheet1!A4:D4', 'E4'), sparkline('Sheet2!A9', 'F9')));
    const moved = edit(fixture, [insertRow]);
    expect(moved.xml).toContain(
      sparklines(sparkline('Sheet1!A5:D5', 'E5'), sparkline('Sheet2!A9', 'F10')).replace(
        'Sheet1!A1:D1',
        'Sheet1!A2:D2',
      ),
    );
    const named = edit(fixture, [rename]);
    expect(named.xml).toContain(sparkline("'Plan A'!A4:D4", 'E4'));
    const gone = edit(fixture, [lines('delete', 'row', 3)]);
    expect(gone.xml).toContain(
      `<x14:sparklines>${sparkline('Sheet2!A9', 'F8')}</x14:sparklines></x14:sparklineGroup>`,
    );
    const none = edit(fixture, [lines('delete', 'column', 4, 2)]);
    expect(none.xml).not.toContain('x14:sparkline');
  });

  test.each([
    [
      'scenarios',
      '',
      '<scenarios current="0" sqref="B2"><scenario name="Best" count="1"><inputCells r="B2" val="9"/></scenario></scenarios>',
      '<scenarios current="0" sqref="B3"><scenario name="Best" count="1"><inputCells r="B3" val="9"/></scenario></scenarios>',
    ],
    [
      'ignored errors',
      '',
      '<ignoredErrors><ignoredError sqref="A2 C2:C9" numberStoredAsText="1"/></ignoredErrors>',
      '<ignoredErrors><ignoredError sqref="A3 C3:C10" numberStoredAsText="1"/></ignoredErrors>',
    ],
    [
      'watches',
      '',
      '<cellWatches><cellWatch r="D4"/></cellWatches>',
      '<cellWatches><cellWatch r="D5"/></cellWatches>',
    ],
    [
      'views of people',
      '',
      '<customSheetViews><customSheetView guid="{1}" topLeftCell="A3"><pane ySplit="2" topLeftCell="A4"/><selection activeCell="B2" sqref="B2:B3"/><autoFilter ref="A1:B9"/></customSheetView></customSheetViews>',
      '<customSheetViews><customSheetView guid="{1}" topLeftCell="A4"><pane ySplit="2" topLeftCell="A5"/><selection activeCell="B3" sqref="B3:B4"/><autoFilter ref="A2:B10"/></customSheetView></customSheetViews>',
    ],
    [
      'the order of a filter',
      '',
      '<autoFilter ref="A1:B9"><sortState ref="A2:B9"><sortCondition descending="1" ref="B2:B9"/></sortState></autoFilter>',
      '<autoFilter ref="A2:B10"><sortState ref="A3:B10"><sortCondition descending="1" ref="B3:B10"/></sortState></autoFilter>',
    ],
    [
      'consolidated data',
      '',
      '<dataConsolidate><dataRefs count="2"><dataRef ref="A1:B2" sheet="Sheet1"/><dataRef ref="A1:B2" sheet="Sheet2"/></dataRefs></dataConsolidate>',
      '<dataConsolidate><dataRefs count="2"><dataRef ref="A2:B3" sheet="Sheet1"/><dataRef ref="A1:B2" sheet="Sheet2"/></dataRefs></dataConsolidate>',
    ],
    [
      'controls',
      '',
      `<controls><control shapeId="1" r:id="rId9" name="C"><controlPr linkedCell="$A$4" listFillRange="Sheet2!$A$1:$A$4"><anchor moveWithCells="1"><from><xdr:col xmlns:xdr="${DRAWING}">1</xdr:col><xdr:row xmlns:xdr="${DRAWING}">3</xdr:row></from><to><xdr:col xmlns:xdr="${DRAWING}">2</xdr:col><xdr:row xmlns:xdr="${DRAWING}">5</xdr:row></to></anchor></controlPr></control></controls>`,
      `<controls><control shapeId="1" r:id="rId9" name="C"><controlPr linkedCell="$A$5" listFillRange="Sheet2!$A$1:$A$4"><anchor moveWithCells="1"><from><xdr:col xmlns:xdr="${DRAWING}">1</xdr:col><xdr:row xmlns:xdr="${DRAWING}">4</xdr:row></from><to><xdr:col xmlns:xdr="${DRAWING}">2</xdr:col><xdr:row xmlns:xdr="${DRAWING}">6</xdr:row></to></anchor></controlPr></control></controls>`,
    ],
    [
      'breaks of pages in views of people',
      '',
      '<customSheetViews><customSheetView guid="{1}"><rowBreaks count="2" manualBreakCount="2"><brk id="1" max="16383"/><brk id="7" max="16383"/></rowBreaks><colBreaks count="1"><brk id="2" max="1048575"/></colBreaks></customSheetView></customSheetViews>',
      '<customSheetViews><customSheetView guid="{1}"><rowBreaks count="2" manualBreakCount="2"><brk id="2" max="16383"/><brk id="8" max="16383"/></rowBreaks><colBreaks count="1"><brk id="2" max="1048575"/></colBreaks></customSheetView></customSheetViews>',
    ],
    [
      'what is published',
      '',
      '<webPublishItems count="1"><webPublishItem id="1" divId="a" sourceType="range" sourceRef="A2:B5" destinationFile="a.htm"/></webPublishItems>',
      '<webPublishItems count="1"><webPublishItem id="1" divId="a" sourceType="range" sourceRef="A3:B6" destinationFile="a.htm"/></webPublishItems>',
    ],
    [
      'places where sheets scroll together, and marks of words',
      '<sheetPr syncHorizontal="1" syncRef="C3"/>',
      '<smartTags><cellSmartTags r="A4"><cellSmartTag type="1"/></cellSmartTags></smartTags>',
      '<smartTags><cellSmartTags r="A5"><cellSmartTag type="1"/></cellSmartTags></smartTags>',
    ],
    [
      'ranges that stay open, and cells of add-ins',
      '',
      `<extLst><ext uri="{1}" xmlns:x14="${X14}" xmlns:xm="${XM}"><x14:protectedRanges><x14:protectedRange name="a"><xm:sqref>A1:B2 D9</xm:sqref></x14:protectedRange></x14:protectedRanges></ext><ext uri="{2}" xmlns:x15="${X15}" xmlns:xm="${XM}"><x15:webExtensions><x15:webExtension appRef="{1}"><xm:f>Sheet1!$B$2:$B$5</xm:f></x15:webExtension></x15:webExtensions></ext></extLst>`,
      `<extLst><ext uri="{1}" xmlns:x14="${X14}" xmlns:xm="${XM}"><x14:protectedRanges><x14:protectedRange name="a"><xm:sqref>A2:B3 D10</xm:sqref></x14:protectedRange></x14:protectedRanges></ext><ext uri="{2}" xmlns:x15="${X15}" xmlns:xm="${XM}"><x15:webExtensions><x15:webExtension appRef="{1}"><xm:f>Sheet1!$B$3:$B$6</xm:f></x15:webExtension></x15:webExtensions></ext></extLst>`,
    ],
  ])('[XE47] %s follow', (_what, before, after, expected) => {
    const result = edit(sheet(before, after), [insertRow]);
    expect(result.xml).toContain(expected);
    expect(result.changed).toEqual(['xl/worksheets/sheet1.xml']);
  });

  test('[XE47] where sheets scroll together is a cell', () => {
    const result = edit(sheet('<sheetPr syncHorizontal="1" syncRef="C3"/>', ''), [insertRow]);
    expect(result.xml).toContain('<sheetPr syncHorizontal="1" syncRef="C4"/>');
  });

  test('[XE47] a list that counts what is in it says how many are left', () => {
    const breaks = (count: number, ...ids: readonly number[]) =>
      `<rowBreaks count="${count}">${ids.map((id) => `<brk id="${id}" max="16383"/>`).join('')}</rowBreaks>`;
    const view = (content: string) =>
      `<customSheetViews><customSheetView guid="{1}">${content}</customSheetView></customSheetViews>`;
    const result = edit(sheet('', view(breaks(3, 2, 4, 8))), [lines('delete', 'row', 2, 3)]);
    expect(result.xml).toContain(view(breaks(1, 5)));
  });

  test('[XE47] the last of a list goes with the list', () => {
    const after = '<cellWatches><cellWatch r="D4"/></cellWatches>';
    expect(edit(sheet('', after), [lines('delete', 'row', 3)]).xml).not.toContain('cellWatch');
  });
});

const link = (target: string, type: string) => [type, target] as const;

describe('what names cells in other parts', () => {
  const pivot = (source: string) =>
    `<pivotCacheDefinition xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><cacheSource type="worksheet"><worksheetSource ${source}/></cacheSource></pivotCacheDefinition>`;
  const withPivot = (source: string): WorkbookFixture => ({
    sheets: [{ rows }, { rows }],
    links: [link('pivotCache/pivotCacheDefinition1.xml', 'pivotCacheDefinition')],
    parts: { 'xl/pivotCache/pivotCacheDefinition1.xml': [ANY, pivot(source)] },
    after: '<definedNames><definedName name="Data">Sheet1!$A$1:$B$9</definedName></definedNames>',
  });
  const sourceAfter = (source: string, operations: readonly CellOperation[]) =>
    /<worksheetSource (.*?)\/>/.exec(
      edit(withPivot(source), operations).part('xl/pivotCache/pivotCacheDefinition1.xml'),
    )?.[1];

  test('[XE48] the source of a pivot table follows as an area, to a renamed sheet, and as a name', () => {
    expect(sourceAfter('ref="A2:B5" sheet="Sheet1"', [insertRow])).toBe('ref="A3:B6" sheet="Sheet1"');
    expect(sourceAfter('ref="A2:B5" sheet="Sheet1"', [rename])).toBe('ref="A2:B5" sheet="Plan A"');
    expect(sourceAfter('ref="A2:B5" sheet="Sheet2"', [insertRow])).toBe('ref="A2:B5" sheet="Sheet2"');
    const named = {
      op: 'patch',
      sheet: null,
      kind: 'name',
      id: 'n1',
      patch: { name: 'Sums' },
    } as CellOperation;
    const base = buildWorkbook(withPivot('name="Data"'));
    const [id] = [...opened(base).items.name!.keys()];
    expect(sourceAfter('name="Data"', [{ ...named, id: id! } as CellOperation])).toBe('name="Sums"');
  });

  test('[XE48] a source that is gone, or of another file, stays as it is', () => {
    expect(sourceAfter('ref="A2:B5" sheet="Sheet1"', [lines('delete', 'row', 0, 9)])).toBe(
      'ref="A2:B5" sheet="Sheet1"',
    );
    expect(sourceAfter('ref="A2:B5" sheet="Sheet1" r:id="rId1"', [insertRow])).toBe(
      'ref="A2:B5" sheet="Sheet1" r:id="rId1"',
    );
  });

  test('[XE48] cells of form controls follow, in the properties of the control and in the shape of old', () => {
    const shape =
      '<xml xmlns:v="urn:schemas-microsoft-com:vml" xmlns:x="urn:schemas-microsoft-com:office:excel"><v:shape id="a"><x:ClientData ObjectType="Checkbox"><x:Anchor>1, 15, 3, 2, 2, 15, 5, 4</x:Anchor><x:FmlaLink>$A$4</x:FmlaLink></x:ClientData></v:shape></xml>';
    const fixture: WorkbookFixture = {
      sheets: [
        {
          rows,
          links: [
            link('../ctrlProps/ctrlProp1.xml', 'ctrlProp'),
            link('../drawings/vmlDrawing1.vml', 'vmlDrawing'),
          ],
        },
      ],
      parts: {
        'xl/ctrlProps/ctrlProp1.xml': [
          ANY,
          '<formControlPr xmlns="http://schemas.microsoft.com/office/spreadsheetml/2009/9/main" objectType="Drop" fmlaLink="$A$4" fmlaRange="Sheet1!$B$1:$B$9"/>',
        ],
        'xl/drawings/vmlDrawing1.vml': ['application/vnd.openxmlformats-officedocument.vmlDrawing', shape],
      },
    };
    const after = edit(fixture, [lines('insert', 'row', 1)]);
    expect(after.part('xl/ctrlProps/ctrlProp1.xml')).toContain(
      'fmlaLink="$A$5" fmlaRange="Sheet1!$B$1:$B$10"',
    );
    expect(after.part('xl/drawings/vmlDrawing1.vml')).toContain(
      shape.replace('1, 15, 3, 2, 2, 15, 5, 4', '1, 15, 4, 2, 2, 15, 6, 4').replace('$A$4', '$A$5'),
    );
  });

  const series = (more: string) =>
    `<c:ser><c:idx val="0"/><c:order val="0"/>${more}<c:val><c:numRef><c:f>Sheet1!$B$3:$B$5</c:f></c:numRef></c:val></c:ser>`;
  const chart = (more: string, type = 'barChart') =>
    `<c:chartSpace xmlns:c="${CHART}"><c:chart><c:plotArea><c:${type}>${series(more)}</c:${type}></c:plotArea></c:chart></c:chartSpace>`;
  const errorBars =
    '<c:errBars><c:plus><c:numRef><c:f>Sheet1!$C$3:$C$5</c:f></c:numRef></c:plus></c:errBars>';
  const frame = `<xdr:wsDr xmlns:xdr="${DRAWING}"><xdr:twoCellAnchor><xdr:from><xdr:col>4</xdr:col><xdr:row>4</xdr:row></xdr:from><xdr:to><xdr:col>8</xdr:col><xdr:row>9</xdr:row></xdr:to><xdr:graphicFrame><a:graphic xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"><a:graphicData><c:chart xmlns:c="${CHART}" xmlns:r="${OFFICE}" r:id="rId1"/></a:graphicData></a:graphic></xdr:graphicFrame></xdr:twoCellAnchor><xdr:twoCellAnchor><xdr:from><xdr:col>1</xdr:col><xdr:row>4</xdr:row></xdr:from><xdr:to><xdr:col>2</xdr:col><xdr:row>9</xdr:row></xdr:to><xdr:sp textlink="Sheet1!$A$4"><xdr:txBody/></xdr:sp></xdr:twoCellAnchor></xdr:wsDr>`;
  const drawn = (chartXml: string): NonNullable<WorkbookFixture['parts']> => ({
    'xl/drawings/drawing1.xml': [ANY, frame],
    'xl/drawings/_rels/drawing1.xml.rels': [
      '',
      `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="${OFFICE}/chart" Target="../charts/chart1.xml"/></Relationships>`,
    ],
    'xl/charts/chart1.xml': [ANY, chartXml],
  });

  test('[XE48] cells of error bars and of the text of a shape follow beside the data of a chart', () => {
    const fixture: WorkbookFixture = {
      sheets: [
        { rows, after: '<drawing r:id="rId1"/>', links: [link('../drawings/drawing1.xml', 'drawing')] },
      ],
      parts: drawn(chart(errorBars)),
    };
    const after = edit(fixture, [insertRow]);
    expect(after.part('xl/charts/chart1.xml')).toContain('<c:plus><c:numRef><c:f>Sheet1!$C$4:$C$6</c:f>');
    expect(after.part('xl/charts/chart1.xml')).toContain('<c:val><c:numRef><c:f>Sheet1!$B$4:$B$6</c:f>');
    expect(after.part('xl/drawings/drawing1.xml')).toContain('textlink="Sheet1!$A$5"');
    expect(edit(fixture, [rename]).part('xl/drawings/drawing1.xml')).toContain('textlink="\'Plan A\'!$A$4"');
  });

  test('[XS276] the chart of a sheet of its own is read to be shown, is shown of the cells that it follows, and stays as the file has it', () => {
    const drawing = drawn(chart(''));
    const bytes = chartSheet(drawing);
    const shownIn = ({ sheets }: ReturnType<typeof opened>) => [...itemsOf(sheets[1]!, 'drawing').values()];
    expect(shownIn(opened(bytes))).toMatchObject([
      { kind: 'chart', anchor: { follows: 'none' }, chart: { series: [{ values: 'Sheet1!$B$3:$B$5' }] } },
    ]);
    expect(opened(bytes).sheets[1]!.properties).toMatchObject({ hidesGridlines: true, hidesHeadings: true });
    const after = edit(bytes, [insertRow]);
    expect(shownIn(after.expected)).toMatchObject([{ chart: { series: [{ values: 'Sheet1!$B$4:$B$6' }] } }]);
    expect(after.part('xl/drawings/drawing1.xml')).toContain(frame.replace('$A$4', '$A$5'));
    const damaged = opened(chartSheet({ ...drawing, 'xl/charts/chart1.xml': [ANY, '<c:chartSpace'] }));
    expect(shownIn(damaged)).toEqual([]);
  });

  test('[XE48] the whole chart of a sheet of its own follows', () => {
    const after = edit(chartSheet(drawn(chart(errorBars))), [insertRow, rename]);
    expect(after.part('xl/charts/chart1.xml')).toContain(
      chart(errorBars)
        .replace('Sheet1!$C$3:$C$5', "'Plan A'!$C$4:$C$6")
        .replace('Sheet1!$B$3:$B$5', "'Plan A'!$B$4:$B$6"),
    );
  });

  test('[XE51] the text of a shape in a copied sheet is of the cells of the copy', () => {
    const fixture: WorkbookFixture = {
      sheets: [
        { rows, after: '<drawing r:id="rId1"/>', links: [link('../drawings/drawing1.xml', 'drawing')] },
      ],
      parts: drawn(chart('')),
    };
    const copy: CellOperation = { op: 'addSheet', sheet: 'c.1', name: 'Copy', at: 1, copyOf: 's1' };
    const after = edit(fixture, [insertRow, copy, { ...insertRow, sheet: 'c.1' } as CellOperation]);
    expect(after.part('xl/drawings/drawing2.xml')).toContain('textlink="Copy!$A$6"');
    expect(after.part('xl/drawings/drawing1.xml')).toContain('textlink="Sheet1!$A$5"');
  });

  test('[XE48] the order of what a query brings follows, in a table or beside tables', () => {
    const query = (row: number) =>
      `<queryTable xmlns="${MAIN}" name="Q" connectionId="1"><queryTableRefresh><queryTableFields count="1"><queryTableField id="1"/></queryTableFields><sortState ref="A${row}:A9"><sortCondition ref="A${row}:A9"/></sortState></queryTableRefresh></queryTable>`;
    const table = `<table xmlns="${MAIN}" id="1" name="T" displayName="T" ref="A1:A9"><tableColumns count="1"><tableColumn id="1" name="a"/></tableColumns></table>`;
    const fixture: WorkbookFixture = {
      sheets: [
        {
          rows: '<row r="1"><c r="A1" t="str"><v>a</v></c></row>',
          after: '<tableParts count="1"><tablePart r:id="rId1"/></tableParts>',
          links: [
            link('../tables/table1.xml', 'table'),
            link('../queryTables/queryTable2.xml', 'queryTable'),
          ],
        },
      ],
      parts: {
        'xl/tables/table1.xml': [ANY, table],
        'xl/tables/_rels/table1.xml.rels': [
          '',
          `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="${OFFICE}/queryTable" Target="../queryTables/queryTable1.xml"/></Relationships>`,
        ],
        'xl/queryTables/queryTable1.xml': [ANY, query(2)],
        'xl/queryTables/queryTable2.xml': [ANY, query(3)],
      },
    };
    const after = edit(fixture, [lines('insert', 'row', 1), lines('delete', 'row', 9)]);
    for (const [name, row] of [
      ['queryTable1', 3],
      ['queryTable2', 4],
    ] as const)
      expect(after.part(`xl/queryTables/${name}.xml`)).toContain(query(row));
  });

  test('[XE48] parameters of queries follow, and cells that are mapped to XML', () => {
    const fixture: WorkbookFixture = {
      sheets: [{ rows, links: [link('../tables/tableSingleCells1.xml', 'tableSingleCells')] }],
      links: [link('connections.xml', 'connections')],
      parts: {
        'xl/connections.xml': [
          ANY,
          '<connections xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><connection id="1"><parameters><parameter parameterType="cell" cell="Sheet1!$B$2"/></parameters></connection></connections>',
        ],
        'xl/tables/tableSingleCells1.xml': [
          ANY,
          '<singleXmlCells xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><singleXmlCell id="1" r="B2" connectionId="0"/></singleXmlCells>',
        ],
      },
    };
    const after = edit(fixture, [insertRow]);
    expect(after.part('xl/connections.xml')).toContain('cell="Sheet1!$B$3"');
    expect(after.part('xl/tables/tableSingleCells1.xml')).toContain('r="B3"');
  });

  test('[XE48] filters of views that people have each for themselves follow', () => {
    const views = (area: string, column: string) =>
      `<namedSheetViews xmlns="http://schemas.microsoft.com/office/spreadsheetml/2019/namedsheetviews" xmlns:x="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><namedSheetView name="A" id="{1}"><nsvFilter filterId="{2}" ref="${area}" tableId="0"><sortRules><sortRule colId="1"><sortCondition ref="${column}"/></sortRule></sortRules></nsvFilter></namedSheetView></namedSheetViews>`;
    const type = 'http://schemas.microsoft.com/office/2019/04/relationships/namedSheetView';
    const fixture: WorkbookFixture = {
      sheets: [{ rows, links: [link('../namedSheetViews/namedSheetView1.xml', type)] }],
      parts: { 'xl/namedSheetViews/namedSheetView1.xml': [ANY, views('A1:B9', 'B2:B9')] },
    };
    const viewsAfter = (operation: CellOperation) =>
      edit(fixture, [operation]).part('xl/namedSheetViews/namedSheetView1.xml');
    expect(viewsAfter(insertRow)).toContain(views('A2:B10', 'B3:B10'));
    expect(viewsAfter(lines('delete', 'row', 0, 20))).toContain(views('A1:B9', 'B2:B9'));
  });

  test('[XE48] nobody can put something of their own into the file by what is held', () => {
    const base = buildWorkbook(withPivot('ref="A2:B5" sheet="Sheet1"'));
    const [id] = [...opened(base).items.held!.keys()];
    const put = (formulas: string[]): CellOperation =>
      ({
        op: 'put',
        sheet: null,
        kind: 'held',
        id,
        item: { formulas, scope: null },
      }) as unknown as CellOperation;
    for (const formulas of [[], ['Sheet1!A1', 'Sheet1!A2'], ['"/><x y="'], ['1+1']])
      expect(edit(base, [put(formulas)]).changed).toEqual([]);
    const [shifted] = [edit(base, [put(["'a\"<b>'!C3"])])];
    expect(shifted.part('xl/pivotCache/pivotCacheDefinition1.xml')).toContain(
      '<worksheetSource ref="C3" sheet="a&quot;&lt;b&gt;"/>',
    );
  });
});

/** A workbook whose second sheet is a chart. */
function chartSheet(parts: NonNullable<WorkbookFixture['parts']>): Uint8Array {
  const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
  const files = unzipSync(
    buildWorkbook({
      sheets: [{ rows }],
      links: [link('chartsheets/sheet1.xml', 'chartsheet')],
      parts: {
        ...parts,
        'xl/chartsheets/sheet1.xml': [
          ANY,
          `<chartsheet xmlns="${main}" xmlns:r="${OFFICE}"><sheetViews><sheetView workbookViewId="0"/></sheetViews><drawing r:id="rId1"/></chartsheet>`,
        ],
        'xl/chartsheets/_rels/sheet1.xml.rels': [
          '',
          `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="${OFFICE}/drawing" Target="../drawings/drawing1.xml"/></Relationships>`,
        ],
      },
    }),
  );
  const sheets = '<sheet name="Chart1" sheetId="9" r:id="rId3"/></sheets>';
  const workbook = strFromU8(files['xl/workbook.xml']!).replace('</sheets>', sheets);
  return zipSync({ ...files, 'xl/workbook.xml': strToU8(workbook) });
}
