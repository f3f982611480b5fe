import { describe, expect, test } from 'vitest';
import { cellModel } from '../../../../model/cell/cell-model.ts';
import { applyChange } from '../../../../model/cell/change.ts';
import type { CellOperation } from '../../../../model/cell/operations.ts';
import { namesOf, type Workbook } from '../../../../model/cell/workbook.ts';
import { OFFICE, STYLES, type WorkbookFixture } from '../../../../test/support/workbook-fixture.ts';
import { edit } from './testing/xlsx-edit.ts';

const X14 = 'http://schemas.microsoft.com/office/spreadsheetml/2009/9/main';
const XM = 'http://schemas.microsoft.com/office/excel/2006/main';
const copy: CellOperation = { op: 'addSheet', sheet: 'c.1', name: 'Copy', at: 1, copyOf: 's1' };
const insertRow = (sheet: string): CellOperation => ({ op: 'insert', axis: 'row', sheet, at: 0, count: 1 });

const sparklines = (sheet: string, row: number) =>
  `<ext xmlns:x14="${X14}" uri="{05C60535-1F16-4fd2-B633-F4F36F0B64E0}"><x14:sparklineGroups xmlns:xm="${XM}"><x14:sparklineGroup type="column"><x14:colorSeries rgb="FF376092"/><x14:sparklines><x14:sparkline><xm:f>${sheet}!A${row}:C${row}</xm:f><xm:sqref>D${row}</xm:sqref></x14:sparkline></x14:sparklines></x14:sparklineGroup></x14:sparklineGroups></ext>`;
const slicers = `<ext xmlns:x14="${X14}" uri="{A8765BA9-456A-4dab-B4F3-ACF838C121DE}"><x14:slicerList><x14:slicer r:id="rId9"/></x14:slicerList></ext>`;
const inExtension = `<ext xmlns:x14="${X14}" uri="{78C0D931-6437-407d-A8EE-F0AAD7539E65}"><x14:conditionalFormattings><x14:conditionalFormatting xmlns:xm="${XM}"><x14:cfRule type="dataBar" id="{HALF}"><x14:dataBar kept="1"/></x14:cfRule><xm:sqref>A2:A9</xm:sqref></x14:conditionalFormatting></x14:conditionalFormattings></ext>`;
const bar = `<conditionalFormatting sqref="A2:A9"><cfRule type="dataBar" priority="1"><dataBar showValue="0"><cfvo type="min"/><cfvo type="max"/><color rgb="FF638EC6"/></dataBar><extLst><ext xmlns:x14="${X14}" uri="{B025F937-C7B1-47D3-B67F-A62EFF666E3E}"><x14:id>{HALF}</x14:id></ext></extLst></cfRule></conditionalFormatting>`;
const scenarios = (row: number) =>
  `<scenarios current="0"><scenario name="Best" count="1"><inputCells r="A${row}" val="9"/></scenario></scenarios>`;
const print =
  '<printOptions gridLines="1"/><pageMargins left="1" right="1" top="1" bottom="1" header="0.5" footer="0.5"/><pageSetup paperSize="9" firstPageNumber="7" blackAndWhite="1" r:id="ID"/><headerFooter differentFirst="1"><oddHeader>&amp;L&amp;G</oddHeader><firstFooter>1st</firstFooter></headerFooter>';
const before = (isActive: boolean, codeName: string) =>
  `<sheetPr${codeName}><tabColor rgb="FFFF0000"/></sheetPr><sheetViews><sheetView${isActive ? ' tabSelected="1"' : ''} view="pageLayout" workbookViewId="0"><selection activeCell="B2" sqref="B2"/></sheetView></sheetViews>`;
const rows =
  '<row r="1" ht="20" x14ac:dyDescent="0.3"><c r="A1" s="1" ph="1"><v>1</v></c><c r="B1"><f>A1*2</f><v>2</v></c></row>';

const fixture: WorkbookFixture = {
  styles: STYLES,
  after:
    '<definedNames><definedName name="_xlnm.Print_Area" localSheetId="0">Sheet1!$A$1:$B$9</definedName><definedName name="All">Sheet1!$A$1</definedName></definedNames>',
  sheets: [
    {
      before: before(true, ' codeName="Tabelle1"'),
      rows,
      after: `<sheetProtection sheet="1" objects="1" insertRows="0"/>${scenarios(1)}${bar}${print.replace('ID', 'rId1')}<cellWatches><cellWatch r="A1"/></cellWatches><ignoredErrors><ignoredError sqref="A1" numberStoredAsText="1"/></ignoredErrors><legacyDrawingHF r:id="rId2"/><picture r:id="rId3"/><controls><control shapeId="1" r:id="rId8"/></controls><extLst>${inExtension}${slicers}${sparklines('Sheet1', 1)}</extLst>`,
      links: [
        ['printerSettings', '../printerSettings/printerSettings1.bin'],
        ['vmlDrawing', '../drawings/vmlDrawing1.vml'],
        ['image', '../media/image1.png'],
      ],
    },
    { name: 'Other' },
  ],
  parts: {
    'xl/printerSettings/printerSettings1.bin': ['application/printer', 'settings'],
    'xl/drawings/vmlDrawing1.vml': ['application/vml', '<xml><picture/></xml>'],
    'xl/drawings/_rels/vmlDrawing1.vml.rels': [
      '',
      `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="${OFFICE}/image" Target="../media/image1.png"/></Relationships>`,
    ],
    'xl/media/image1.png': ['image/png', 'png'],
  },
};
const copied = (operations: readonly CellOperation[] = [copy]) => {
  const saved = edit(fixture, operations);
  return { ...saved, copy: saved.part('xl/worksheets/sheet3.xml') };
};

describe('a copied sheet', () => {
  test('[XE51] has what only the file has of its original', () => {
    const { copy: xml, part } = copied();
    expect(xml).toContain(before(false, ''));
    expect(xml).toContain(rows);
    for (const same of [scenarios(1), bar, '<cellWatch r="A1"/>', '<ignoredError sqref="A1"'])
      expect(xml).toContain(same);
    expect(xml).toContain(inExtension);
    expect(xml).toContain(print.replace('ID', 'rId1'));
    expect(part('xl/worksheets/_rels/sheet3.xml.rels')).toContain('printerSettings2.bin');
    expect(part('xl/drawings/vmlDrawing2.vml')).toContain('<xml><picture/></xml>');
    expect(part('xl/drawings/_rels/vmlDrawing2.vml.rels')).toContain('image1.png');
    expect(part('xl/worksheets/_rels/sheet3.xml.rels')).toContain('/media/image1.png');
  });

  test('[XE51] has sparklines of its own cells, which follow them', () => {
    expect(copied().copy).toContain(`${inExtension}${sparklines('Copy', 1)}`);
    const saved = copied([insertRow('s1'), copy, insertRow('c.1'), insertRow('c.1'), insertRow('s1')]);
    expect(saved.copy).toContain(sparklines('Copy', 4));
    expect(saved.copy).toContain(scenarios(4));
    expect(saved.xml).toContain(sparklines('Sheet1', 3));
  });

  test('[XE51] has nothing that leads to parts of its original', () => {
    const { copy: xml } = copied();
    for (const name of ['slicer', 'control', 'codeName', 'tabSelected']) expect(xml).not.toContain(name);
  });

  test('[XE51] has the names that count in its original alone', () => {
    const { reopened, part } = copied();
    const names = [...namesOf(reopened).values()].map(({ name, formula, scope }) => [name, formula, scope]);
    expect(names).toEqual([
      ['_xlnm.Print_Area', 'Sheet1!$A$1:$B$9', 's1'],
      ['All', 'Sheet1!$A$1', undefined],
      ['_xlnm.Print_Area', 'Copy!$A$1:$B$9', 's3'],
    ]);
    expect(part('xl/workbook.xml')).toContain('localSheetId="1">Copy!$A$1:$B$9<');
  });

  test('[XE51] may be copied itself, and outlive its original', () => {
    const again: CellOperation = { op: 'addSheet', sheet: 'c.2', name: 'Again', at: 2, copyOf: 'c.1' };
    const saved = edit(fixture, [
      copy,
      insertRow('c.1'),
      again,
      insertRow('c.2'),
      { op: 'removeSheet', sheet: 's1' },
    ]);
    const texts = ['sheet3', 'sheet4'].map((name) => saved.part(`xl/worksheets/${name}.xml`));
    expect(texts[0]).toContain(sparklines('Copy', 2));
    expect(texts[1]).toContain(sparklines('Again', 3));
    const areas = [...namesOf(saved.reopened).values()].map(({ formula }) => formula);
    expect(areas).toContain('Again!$A$3:$B$11');
  });

  test('[XE51] has none of its references where there would be too many', () => {
    const { expected } = edit(fixture, []);
    const heldOf = (count: number) => ({
      ...expected,
      items: { held: new Map([['h1', { formulas: Array<string>(count).fill('A1'), scope: 's1' }]]) },
    });
    const copyIn = (workbook: Workbook) =>
      applyChange(workbook, cellModel.encode('client', copy, 0)) as Workbook;
    const [few, many] = [copyIn(heldOf(100_000)), copyIn(heldOf(100_001))];
    expect([few.items.held?.size, few.sheets[1]!.copyOf]).toEqual([2, 's1']);
    expect([many.items.held?.size, many.sheets[1]!.copyOf]).toEqual([1, undefined]);
  });
});
