import { describe, expect, test } from 'vitest';
import type { CellOperation } from '../../../../../model/cell/operations.ts';
import { OFFICE, type WorkbookFixture } from '../../../../../test/support/workbook-fixture.ts';
import { edit, opened } from '../testing/xlsx-edit.ts';

const CHART = 'http://schemas.openxmlformats.org/drawingml/2006/chart';
const DRAWING = 'http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing';
const MAIN_DRAWING = 'http://schemas.openxmlformats.org/drawingml/2006/main';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006/relationships';
const ANY = 'application/xml';

const insertRow: CellOperation = { op: 'insert', sheet: 's1', axis: 'row', at: 0, count: 1 };
const rename: CellOperation = { op: 'sheet', sheet: 's1', patch: { name: 'Plan A' } };
const cut: CellOperation = {
  ...{ op: 'moveCells', sheet: 's1', area: [0, 0, 9, 9], toSheet: 's2', row: 20, column: 0 },
};

const linkXml = (target: string, id = 'rId1', more = '') =>
  `<Relationship Id="${id}" Type="${OFFICE}/hyperlink" Target="${target}"${more}/>`;
const linksXml = (...links: readonly string[]) =>
  `<Relationships xmlns="${PACKAGE}">${links.join('')}</Relationships>`;
const shape = `<xdr:wsDr xmlns:xdr="${DRAWING}" xmlns:a="${MAIN_DRAWING}" xmlns:r="${OFFICE}" xmlns:c="${CHART}"><xdr:oneCellAnchor><xdr:from><xdr:col>4</xdr:col><xdr:row>4</xdr:row></xdr:from><xdr:ext cx="9" cy="9"/><xdr:sp textlink=""><xdr:nvSpPr><xdr:cNvPr id="2" name="Button"><a:hlinkClick r:id="rId1"/></xdr:cNvPr></xdr:nvSpPr><xdr:txBody/></xdr:sp><xdr:clientData/></xdr:oneCellAnchor></xdr:wsDr>`;

/** A workbook with a button over its first sheet, and what its drawing leads to. */
const withLinks = (...links: readonly string[]): WorkbookFixture => ({
  sheets: [
    {
      rows: '<row r="1"><c r="A1"><v>1</v></c></row>',
      after: '<drawing r:id="rId1"/>',
      links: [['drawing', '../drawings/drawing1.xml']],
    },
    {},
  ],
  after: '<definedNames><definedName name="Data">Sheet1!$A$1:$B$9</definedName></definedNames>',
  parts: {
    'xl/drawings/drawing1.xml': [ANY, shape],
    'xl/drawings/_rels/drawing1.xml.rels': ['', linksXml(...links)],
  },
});
const RELATIONSHIPS = 'xl/drawings/_rels/drawing1.xml.rels';

describe('places to which what is drawn leads', () => {
  const targetAfter = (target: string, ...operations: readonly CellOperation[]) =>
    /Target="([^"]*)"/.exec(edit(withLinks(linkXml(target)), operations).part(RELATIONSHIPS))?.[1];

  test.each([
    ['#Sheet1!A1', '#Sheet1!A2', "#'Plan A'!A1", '#Sheet2!A21'],
    ["#'Sheet1'!$A$1:$B$3", '#Sheet1!$A$2:$B$4', "#'Plan A'!$A$1:$B$3", '#Sheet2!$A$21:$B$23'],
    ['#A1', '#A2', '#A1', '#Sheet2!A21'],
    ['#%53heet1!A1', '#Sheet1!A2', "#'Plan%20A'!A1", '#Sheet2!A21'],
    ['#Sheet2!A1', '#Sheet2!A1', '#Sheet2!A1', '#Sheet2!A1'],
  ])('[XE49] %s follows rows, names of sheets and cells that are cut', (target, moved, named, taken) => {
    expect(targetAfter(target, insertRow)).toBe(moved);
    expect(targetAfter(target, rename)).toBe(named);
    expect(targetAfter(target, cut)).toBe(taken);
  });

  test('[XE49] a name follows its new name, and cells that are gone are none', () => {
    const base = withLinks(linkXml('#Data'));
    const [id] = [...opened(edit(base, [insertRow]).base).items.name!.keys()];
    const patch = { op: 'patch', sheet: null, kind: 'name', id, patch: { name: 'Sums' } } as CellOperation;
    expect(edit(base, [patch]).part(RELATIONSHIPS)).toContain('Target="#Sums"');
    expect(targetAfter('#Sheet1!A1', { op: 'delete', sheet: 's1', axis: 'row', at: 0, count: 1 })).toBe(
      '#Sheet1!#REF!',
    );
  });

  test('[XE49] other addresses stay as they are, beside those that follow and those that are new', () => {
    const others = [
      'Sheet1!A1',
      'other.xlsx#Sheet1!A1',
      'https://example.com/#Sheet1!A1',
      '#%E0%A4%A',
      '#A1+A2',
      '#',
    ];
    const links = others.map((target, at) =>
      linkXml(target, `rId${at + 2}`, at < 3 ? ' TargetMode="External"' : ''),
    );
    const fixture = withLinks(linkXml('#Sheet1!A1', 'rId1', ' TargetMode="External"'), ...links);
    expect(edit(fixture, [insertRow]).part(RELATIONSHIPS)).toContain(
      linksXml(linkXml('#Sheet1!A2', 'rId1', ' TargetMode="External"'), ...links),
    );
    const chart = { type: 'column', series: [{ values: 'Sheet1!$A$1:$A$2' }] };
    const anchor = { from: [0, 0, 0, 0], to: [5, 5, 0, 0], follows: 'both' };
    const item = { kind: 'chart', anchor, order: 9, chart };
    const put = { op: 'put', sheet: 's1', kind: 'drawing', id: 'new', item } as unknown as CellOperation;
    const both = edit(fixture, [insertRow, put]).part(RELATIONSHIPS);
    expect(both).toContain('Target="#Sheet1!A2"');
    expect(both).toContain('/charts/chart1.xml"');
  });

  test('[XE49] so do addresses of charts, and of shapes of old', () => {
    const fixture = withLinks(
      `<Relationship Id="rId1" Type="${OFFICE}/chart" Target="../charts/chart1.xml"/>`,
    );
    const old = (target: string) =>
      `<xml xmlns:v="urn:schemas-microsoft-com:vml"><v:shape id="a" href="${target}"><v:textbox/></v:shape><v:rect href="${target}"/></xml>`;
    const [first, ...sheets] = fixture.sheets!;
    const links: NonNullable<typeof first>['links'] = [
      ...first!.links!,
      ['vmlDrawing', '../drawings/vmlDrawing1.vml'],
    ];
    const saved = edit(
      {
        ...fixture,
        sheets: [{ ...first, links }, ...sheets],
        parts: {
          ...fixture.parts,
          'xl/charts/chart1.xml': [ANY, `<c:chartSpace xmlns:c="${CHART}"/>`],
          'xl/charts/_rels/chart1.xml.rels': ['', linksXml(linkXml('#Sheet1!A1'))],
          'xl/drawings/vmlDrawing1.vml': [ANY, old('#Sheet1!A1')],
        },
      },
      [insertRow],
    );
    expect(saved.part('xl/charts/_rels/chart1.xml.rels')).toContain(linkXml('#Sheet1!A2'));
    expect(saved.part('xl/drawings/vmlDrawing1.vml')).toContain(old('#Sheet1!A2'));
  });

  test('[XE49] a button of a copied sheet leads where its original does', () => {
    const copy: CellOperation = { op: 'addSheet', sheet: 'c.1', name: 'Copy', at: 1, copyOf: 's1' };
    const saved = edit(withLinks(linkXml('#Sheet1!A1')), [copy]);
    expect(saved.part('xl/drawings/drawing2.xml')).toContain('<a:hlinkClick r:id="rId1"/>');
    expect(saved.part('xl/drawings/_rels/drawing2.xml.rels')).toContain(linkXml('#Sheet1!A1'));
  });

  test('[XE14] a drawing of a copied sheet says what its prefixes stand for', () => {
    const place =
      '<xdr:col>1</xdr:col><xdr:colOff>0</xdr:colOff><xdr:row>1</xdr:row><xdr:rowOff>0</xdr:rowOff>';
    const later = 'http://schemas.microsoft.com/office/drawing/2010/main';
    const xml = `<xdr:wsDr xmlns:xdr="http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"><mc:AlternateContent xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"><mc:Choice xmlns:a14="${later}" Requires="a14"><xdr:twoCellAnchor><xdr:from>${place}</xdr:from><xdr:to>${place}</xdr:to><xdr:sp macro="" textlink=""><xdr:nvSpPr><xdr:cNvPr id="2" name="A"><a:extLst><a:ext uri="{1}"><a14:compatExt spid="x"/></a:ext></a:extLst></xdr:cNvPr><xdr:cNvSpPr/></xdr:nvSpPr><xdr:spPr/></xdr:sp><xdr:clientData/></xdr:twoCellAnchor></mc:Choice><mc:Fallback/></mc:AlternateContent></xdr:wsDr>`;
    const fixture = withLinks('');
    const copy: CellOperation = { op: 'addSheet', sheet: 'c.1', name: 'Copy', at: 1, copyOf: 's1' };
    const parts = { ...fixture.parts, 'xl/drawings/drawing1.xml': [ANY, xml] as const };
    const copied = edit({ ...fixture, parts }, [copy]).part('xl/drawings/drawing2.xml');
    expect(copied).toContain('<a14:compatExt spid="x"/>');
    expect(copied).toContain(`xmlns:a14="${later}"`);
  });

  test('[XE49] a cell whose link has a place as its address leads there, and follows', () => {
    const fixture: WorkbookFixture = {
      sheets: [
        {
          after:
            '<hyperlinks><hyperlink ref="C3" r:id="rId1"/><hyperlink ref="C4" r:id="rId2"/></hyperlinks>',
          links: [
            ['hyperlink', '#Sheet1!A1', true],
            ['hyperlink', 'https://example.com/#a', true],
          ],
        },
        {},
      ],
    };
    const saved = edit(fixture, [insertRow]);
    const links = [...saved.reopened.sheets[0]!.items.link!.values()];
    expect(links).toEqual([
      { area: [3, 2, 3, 2], location: 'Sheet1!A2' },
      { area: [4, 2, 4, 2], address: 'https://example.com/#a' },
    ]);
    expect(edit(fixture, [{ ...insertRow, sheet: 's2' } as CellOperation]).changed).toEqual([]);
  });
});
