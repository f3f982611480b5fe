import { describe, expect, test } from 'vitest';
import type { CellOperation } from '../../../../../model/cell/operations.ts';
import { itemsOf } from '../../../../../model/cell/workbook.ts';
import { OFFICE, type WorkbookFixture } from '../../../../../test/support/workbook-fixture.ts';
import { edit } from '../testing/xlsx-edit.ts';

const CHART = 'http://schemas.openxmlformats.org/drawingml/2006/chart';
const LATER = 'http://schemas.microsoft.com/office/drawing/2014/chartex';
const CHART_2012 = 'http://schemas.microsoft.com/office/drawing/2012/chart';
const DRAWING = 'http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing';
const MAIN_DRAWING = 'http://schemas.openxmlformats.org/drawingml/2006/main';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006/relationships';
const ANY = 'application/xml';

const rows = '<row r="4"><c r="A4"><v>1</v></c></row>';
const insertRow: CellOperation = { op: 'insert', sheet: 's1', axis: 'row', at: 0, count: 1 };
const deleteColumn: CellOperation = { op: 'delete', sheet: 's1', axis: 'column', at: 0, count: 1 };
const moveRows: CellOperation = { op: 'move', sheet: 's1', axis: 'row', at: 2, count: 3, to: 10 };
const rename: CellOperation = { op: 'sheet', sheet: 's1', patch: { name: 'Plan A' } };

type Part = readonly [type: string, target: string, content: string];

const linksXml = (parts: readonly Part[]) =>
  `<Relationships xmlns="${PACKAGE}">${parts.map(([type, target], at) => `<Relationship Id="rId${at + 1}" Type="${type}" Target="${target}"/>`).join('')}</Relationships>`;

const anchored = (content: string) =>
  `<xdr:twoCellAnchor><xdr:from><xdr:col>4</xdr:col><xdr:row>4</xdr:row></xdr:from><xdr:to><xdr:col>8</xdr:col><xdr:row>9</xdr:row></xdr:to>${content}<xdr:clientData/></xdr:twoCellAnchor>`;
const frame = (chart: string) =>
  `<xdr:graphicFrame><a:graphic><a:graphicData>${chart}</a:graphicData></a:graphic></xdr:graphicFrame>`;

/** A workbook with a drawing over its first sheet, and the parts to which that leads, as `rId1` and so on. */
function drawn(content: string, ...parts: readonly Part[]): WorkbookFixture {
  const drawing = `<xdr:wsDr xmlns:xdr="${DRAWING}" xmlns:a="${MAIN_DRAWING}" xmlns:r="${OFFICE}" xmlns:c="${CHART}">${anchored(content)}</xdr:wsDr>`;
  return {
    sheets: [
      { rows, after: '<drawing r:id="rId1"/>', links: [['drawing', '../drawings/drawing1.xml']] },
      { rows },
    ],
    parts: {
      'xl/drawings/drawing1.xml': [ANY, drawing],
      'xl/drawings/_rels/drawing1.xml.rels': ['', linksXml(parts)],
      ...Object.fromEntries(
        parts.map(([, target, xml]) => [target.replace('..', 'xl'), [ANY, xml] as const]),
      ),
    },
  };
}

/** What the formulas of a part are after some operations. */
const formulasAfter = (fixture: WorkbookFixture, part: string, operations: readonly CellOperation[]) =>
  [
    ...edit(fixture, operations)
      .part(part)
      .matchAll(/<(?:\w+:)?(?:f|nf|sqref)\b[^>]*>([^<]*)</g),
  ].map(([, formula]) => formula);

describe('what is drawn over cells', () => {
  test('[XS279] how a picture is recoloured is read, and stays in the file', () => {
    const recoloredBy = (effects: string) => {
      const fixture = drawn(
        `<xdr:pic><xdr:blipFill><a:blip r:embed="rId9">${effects}</a:blip></xdr:blipFill><xdr:spPr/></xdr:pic>`,
      );
      const { part, reopened } = edit(fixture, [insertRow]);
      expect(part('xl/drawings/drawing1.xml')).toContain(`<a:blip r:embed="rId9">${effects}</a:blip>`);
      return [...itemsOf(reopened.sheets[0]!, 'drawing').values()][0]!.recolored;
    };
    expect(recoloredBy('<a:grayscl/>')).toEqual({ isGray: true });
    expect(recoloredBy('<a:lum bright="70000" contrast="-70000"/>')).toEqual({
      ...{ brightness: 0.7, contrast: -0.7 },
    });
    expect(recoloredBy('<a:biLevel thresh="25000"/><a:alphaModFix amt="0"/>')).toEqual({
      ...{ threshold: 0.25, opacity: 0 },
    });
    expect(
      recoloredBy('<a:duotone><a:prstClr val="black"/><a:schemeClr val="accent1"/></a:duotone>'),
    ).toEqual({
      duotone: [{ rgb: '000000' }, { theme: 4 }],
    });
    expect(recoloredBy('<a:lum/><a:duotone><a:prstClr val="black"/></a:duotone>')).toBeUndefined();
  });

  const later = `<cx:chartSpace xmlns:cx="${LATER}"><cx:chartData><cx:data id="0"><cx:strDim type="cat"><cx:f dir="row">Sheet1!$A$2:$A$6</cx:f><cx:nf>Sheet1!$A$1</cx:nf></cx:strDim><cx:numDim type="val"><cx:f>_xlchart.v1.1</cx:f></cx:numDim></cx:data></cx:chartData><cx:chart><cx:title><cx:tx><cx:txData><cx:f>Sheet1!$C$1</cx:f></cx:txData></cx:tx></cx:title><cx:plotArea><cx:plotAreaRegion><cx:series layoutId="waterfall"/></cx:plotAreaRegion></cx:plotArea></cx:chart></cx:chartSpace>`;
  const withLater = drawn(frame(`<cx:chart xmlns:cx="${LATER}" r:id="rId1"/>`), [
    'http://schemas.microsoft.com/office/2014/relationships/chartEx',
    '../charts/chartEx1.xml',
    later,
  ]);

  test.each([
    ['rows put in', insertRow, ['Sheet1!$A$3:$A$7', 'Sheet1!$A$2', '_xlchart.v1.1', 'Sheet1!$C$2']],
    ['a column taken out', deleteColumn, ['Sheet1!#REF!', 'Sheet1!#REF!', '_xlchart.v1.1', 'Sheet1!$B$1']],
    ['rows moved', moveRows, ['Sheet1!$A$2:$A$3', 'Sheet1!$A$1', '_xlchart.v1.1', 'Sheet1!$C$1']],
    ['a sheet renamed', rename, ["'Plan A'!$A$2:$A$6", "'Plan A'!$A$1", '_xlchart.v1.1', "'Plan A'!$C$1"]],
  ] as const)('[XE48] charts of Office 2016 follow: %s', (_what, operation, expected) => {
    expect(formulasAfter(withLater, 'xl/charts/chartEx1.xml', [operation])).toEqual(expected);
  });

  const series = (more: string) =>
    `<c:ser><c:idx val="0"/><c:order val="0"/><c:val><c:numRef><c:f>Sheet1!$B$3:$B$5</c:f>${more}</c:numRef></c:val>`;
  const chart = (ser: string, before = '') =>
    `<c:chartSpace xmlns:c="${CHART}" xmlns:c15="${CHART_2012}">${before}<c:chart><c:plotArea><c:barChart>${ser}</c:barChart></c:plotArea></c:chart></c:chartSpace>`;
  const plain = (xml: string) =>
    drawn(frame('<c:chart r:id="rId1"/>'), [`${OFFICE}/chart`, '../charts/chart1.xml', xml]);

  test('[XE48] charts in a group follow whole, and texts of shapes there', () => {
    const content = `<xdr:grpSp>${frame('<c:chart r:id="rId1"/>')}<xdr:grpSp><xdr:sp textlink="Sheet1!$A$4"><xdr:txBody/></xdr:sp></xdr:grpSp></xdr:grpSp>`;
    const fixture = drawn(content, [
      `${OFFICE}/chart`,
      '../charts/chart1.xml',
      chart(`${series('')}</c:ser>`),
    ]);
    expect(formulasAfter(fixture, 'xl/charts/chart1.xml', [insertRow, rename])).toEqual([
      "'Plan A'!$B$4:$B$6",
    ]);
    expect(edit(fixture, [insertRow]).part('xl/drawings/drawing1.xml')).toContain('textlink="Sheet1!$A$5"');
  });

  test('[XE48] labels from cells follow, and all that filtered data would have', () => {
    const full =
      '<c:extLst><c:ext><c15:fullRef><c15:sqref>Sheet1!$B$2:$B$9</c15:sqref></c15:fullRef></c:ext></c:extLst>';
    const labels =
      '<c:dLbls><c:dLbl><c:extLst><c:ext><c15:dlblFieldTable><c15:dlblFTEntry><c15:f>Sheet1!$E$2</c15:f></c15:dlblFTEntry></c15:dlblFieldTable></c:ext></c:extLst></c:dLbl></c:dLbls>';
    const range =
      '<c:extLst><c:ext><c15:datalabelsRange><c15:f>Sheet1!$D$3:$D$5</c15:f></c15:datalabelsRange></c:ext></c:extLst>';
    const fixture = plain(chart(`${series(full).replace('<c:val>', `${labels}<c:val>`)}${range}</c:ser>`));
    expect(formulasAfter(fixture, 'xl/charts/chart1.xml', [insertRow])).toEqual([
      'Sheet1!$E$3',
      'Sheet1!$B$4:$B$6',
      'Sheet1!$B$3:$B$10',
      'Sheet1!$D$4:$D$6',
    ]);
    expect(formulasAfter(fixture, 'xl/charts/chart1.xml', [rename])).toEqual([
      "'Plan A'!$E$2",
      "'Plan A'!$B$3:$B$5",
      "'Plan A'!$B$2:$B$9",
      "'Plan A'!$D$3:$D$5",
    ]);
  });

  test('[XE48] a chart goes on naming the sheet of its pivot table', () => {
    const source = '<c:pivotSource><c:name>[Book.xlsx]Sheet1!Pivot !1</c:name></c:pivotSource>';
    const fixture = plain(chart(`${series('')}</c:ser>`, source));
    expect(edit(fixture, [rename]).part('xl/charts/chart1.xml')).toContain('[Book.xlsx]Sheet1!Pivot !1');
    const usual = plain(chart(`${series('')}</c:ser>`, source.replace('Pivot !1', 'PivotTable1')));
    expect(edit(usual, [rename]).part('xl/charts/chart1.xml')).toContain('[Book.xlsx]Plan A!PivotTable1');
    expect(edit(usual, [insertRow]).part('xl/charts/chart1.xml')).toContain('[Book.xlsx]Sheet1!PivotTable1');
  });

  test('[XE48] texts of shapes in a chart follow', () => {
    const links = linksXml([[`${OFFICE}/chartUserShapes`, '../drawings/drawing2.xml', '']]);
    const { parts, ...fixture } = plain(chart(`${series('')}</c:ser>`));
    const shapes = `<c:userShapes xmlns:c="${CHART}" xmlns:cdr="http://schemas.openxmlformats.org/drawingml/2006/chartDrawing"><cdr:relSizeAnchor><cdr:sp textlink="Sheet1!$A$4"/></cdr:relSizeAnchor></c:userShapes>`;
    const all = {
      ...parts,
      'xl/charts/_rels/chart1.xml.rels': ['', links] as const,
      'xl/drawings/drawing2.xml': [ANY, shapes] as const,
    };
    const moved = edit({ ...fixture, parts: all }, [insertRow]).part('xl/drawings/drawing2.xml');
    expect(moved).toContain('<cdr:sp textlink="Sheet1!$A$5"/>');
  });

  test('[XE48] a picture of cells follows them', () => {
    const camera = (range: string) =>
      `<xdr:pic><xdr:nvPicPr><xdr:cNvPr id="2" name="P"/><xdr:cNvPicPr><a:extLst><a:ext><a14:cameraTool xmlns:a14="http://schemas.microsoft.com/office/drawing/2010/main" cellRange="${range}" spid="_x0000_s1"/></a:ext></a:extLst></xdr:cNvPicPr></xdr:nvPicPr></xdr:pic>`;
    const moved = edit(drawn(camera('$A$2:$C$4')), [insertRow]).part('xl/drawings/drawing1.xml');
    expect(moved).toContain('cellRange="$A$3:$C$5"');
  });
});

describe('controls and objects', () => {
  const marked = (place: string, row: number) =>
    `<${place}><xdr:col xmlns:xdr="${DRAWING}">1</xdr:col><xdr:row xmlns:xdr="${DRAWING}">${row}</xdr:row></${place}>`;
  const object = (attributes: string, from: number, to: number) =>
    `<oleObjects><oleObject progId="Word" shapeId="1" r:id="rId9"><objectPr defaultSize="0" r:id="rId10"><anchor${attributes}>${marked('from', from)}${marked('to', to)}</anchor></objectPr></oleObject></oleObjects>`;
  const shown = (attributes: string, operation: CellOperation) =>
    edit({ sheets: [{ rows, after: object(attributes, 3, 5) }, { rows }] }, [operation]).xml;
  const cut = (
    area: readonly [number, number, number, number],
    row: number,
    toSheet = 's1',
  ): CellOperation => ({
    op: 'moveCells',
    sheet: 's1',
    area,
    toSheet,
    row,
    column: area[1],
  });

  test('[XE47] an object follows by both corners, and stays where its cells are gone or only some are cut', () => {
    const moves = ' moveWithCells="1"';
    expect(shown(moves, insertRow)).toContain(object(moves, 4, 6));
    expect(shown(moves, { op: 'delete', sheet: 's1', axis: 'row', at: 0, count: 2 })).toContain(
      object(moves, 1, 3),
    );
    expect(shown(moves, { op: 'delete', sheet: 's1', axis: 'row', at: 0, count: 9 })).toContain(
      object(moves, 3, 5),
    );
    expect(shown(moves, moveRows)).toContain(object(moves, 2, 2));
    expect(shown(moves, cut([2, 0, 6, 4], 20))).toContain(object(moves, 21, 23));
    expect(shown(moves, cut([2, 0, 4, 4], 20))).toContain(object(moves, 3, 5));
    expect(shown(moves, cut([2, 0, 6, 4], 20, 's2'))).toContain(object(moves, 3, 5));
  });

  test('[XE47] an object that does not move with cells stays', () => {
    for (const attributes of ['', ' moveWithCells="0"', ' moveWithCells="false"'])
      expect(shown(attributes, insertRow)).toContain(object(attributes, 3, 5));
  });

  test('[XE48] a control of old that does not move with cells stays, which its word says by being there', () => {
    const shapes = (said: string, numbers: string) =>
      `<xml xmlns:v="urn:schemas-microsoft-com:vml" xmlns:x="urn:schemas-microsoft-com:office:excel"><v:shape id="a"><x:ClientData ObjectType="Button">${said}<x:Anchor>${numbers}</x:Anchor></x:ClientData></v:shape></xml>`;
    const place = (said: string) => {
      const fixture: WorkbookFixture = {
        sheets: [{ rows, links: [['vmlDrawing', '../drawings/vmlDrawing1.vml']] }],
        parts: { 'xl/drawings/vmlDrawing1.vml': [ANY, shapes(said, '1, 15, 3, 2, 2, 15, 5, 4')] },
      };
      const text = edit(fixture, [insertRow]).part('xl/drawings/vmlDrawing1.vml');
      return /<x:Anchor>([^<]*)/.exec(text)?.[1];
    };
    expect(place('')).toBe('1, 15, 4, 2, 2, 15, 6, 4');
    expect(place('<x:MoveWithCells>False</x:MoveWithCells>')).toBe('1, 15, 4, 2, 2, 15, 6, 4');
    for (const said of ['<x:MoveWithCells/>', '<x:MoveWithCells>True</x:MoveWithCells>'])
      expect(place(said)).toBe('1, 15, 3, 2, 2, 15, 5, 4');
  });
});
