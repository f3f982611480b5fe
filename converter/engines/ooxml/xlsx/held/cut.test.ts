import { describe, expect, test } from 'vitest';
import { inverseOf } from '../../../../../client/cell/inverse.ts';
import { cellModel } from '../../../../../model/cell/cell-model.ts';
import { applyOperation } from '../../../../../model/cell/change.ts';
import type { CellOperation } from '../../../../../model/cell/operations.ts';
import type { Workbook } from '../../../../../model/cell/workbook.ts';
import { buildWorkbook, OFFICE, type WorkbookFixture } from '../../../../../test/support/workbook-fixture.ts';
import { edit, opened } from '../testing/xlsx-edit.ts';
import { xlsxEngine } from '../xlsx-engine.ts';

const X14 = 'http://schemas.microsoft.com/office/spreadsheetml/2009/9/main';
const XM = 'http://schemas.microsoft.com/office/excel/2006/main';
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const CHART = 'http://schemas.openxmlformats.org/drawingml/2006/chart';
const DRAWING = 'http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing';
const MAIN_DRAWING = 'http://schemas.openxmlformats.org/drawingml/2006/main';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006/relationships';
const ANY = 'application/xml';

const sparklines = (...all: readonly (readonly [formula: string, place: string])[]) =>
  `<x14:sparklines>${all.map(([formula, place]) => `<x14:sparkline><xm:f>${formula}</xm:f><xm:sqref>${place}</xm:sqref></x14:sparkline>`).join('')}</x14:sparklines>`;
const references = (ref: string, sheet: string) =>
  `<dataConsolidate><dataRefs count="1"><dataRef ref="${ref}" sheet="${sheet}"/></dataRefs></dataConsolidate>`;
const chart = `<c:chartSpace xmlns:c="${CHART}"><c:chart><c:plotArea><c:barChart><c:ser><c:idx val="0"/><c:order val="0"/><c:errBars><c:plus><c:numRef><c:f>Sheet2!$C$3:$C$5</c:f></c:numRef></c:plus></c:errBars><c:val><c:numRef><c:f>Sheet2!$B$3:$B$5</c:f></c:numRef></c:val></c:ser></c:barChart></c:plotArea></c:chart></c:chartSpace>`;
const drawing = `<xdr:wsDr xmlns:xdr="${DRAWING}" xmlns:a="${MAIN_DRAWING}" xmlns:r="${OFFICE}" xmlns:c="${CHART}"><xdr:twoCellAnchor><xdr:from><xdr:col>4</xdr:col><xdr:colOff>7</xdr:colOff><xdr:row>4</xdr:row><xdr:rowOff>7</xdr:rowOff></xdr:from><xdr:to><xdr:col>8</xdr:col><xdr:colOff>7</xdr:colOff><xdr:row>9</xdr:row><xdr:rowOff>7</xdr:rowOff></xdr:to><xdr:graphicFrame><a:graphic><a:graphicData><c:chart r:id="rId1"/></a:graphicData></a:graphic></xdr:graphicFrame><xdr:clientData/></xdr:twoCellAnchor></xdr:wsDr>`;

/** A sheet with all kinds of places, whose chart and whose data are of the second sheet, and a pivot table of its own cells. */
const fixture: WorkbookFixture = {
  sheets: [
    {
      rows: '<row r="4"><c r="A4"><v>1</v></c><c r="B4"><v>2</v></c></row>',
      after: `${references('A1:B2', 'Sheet2')}<drawing r:id="rId1"/><extLst><ext uri="{1}" xmlns:x14="${X14}"><x14:sparklineGroups xmlns:xm="${XM}"><x14:sparklineGroup>${sparklines(['Sheet1!A4:D4', 'E4'], ['Sheet1!A9:D9', 'E9'])}</x14:sparklineGroup></x14:sparklineGroups></ext></extLst>`,
      links: [['drawing', '../drawings/drawing1.xml']],
    },
    { rows: '<row r="4"><c r="B4"><v>1</v></c></row>' },
  ],
  links: [['pivotCacheDefinition', 'pivotCache/pivotCacheDefinition1.xml']],
  parts: {
    'xl/drawings/drawing1.xml': [ANY, drawing],
    'xl/drawings/_rels/drawing1.xml.rels': [
      '',
      `<Relationships xmlns="${PACKAGE}"><Relationship Id="rId1" Type="${OFFICE}/chart" Target="../charts/chart1.xml"/></Relationships>`,
    ],
    'xl/charts/chart1.xml': [ANY, chart],
    'xl/pivotCache/pivotCacheDefinition1.xml': [
      ANY,
      `<pivotCacheDefinition xmlns="${MAIN}"><cacheSource type="worksheet"><worksheetSource ref="A2:B5" sheet="Sheet1"/></cacheSource></pivotCacheDefinition>`,
    ],
  },
};

const cut = (
  sheet: string,
  area: readonly [number, number, number, number],
  toSheet: string,
  [row, column]: readonly [number, number],
): CellOperation => ({ op: 'moveCells', sheet, area, toSheet, row, column });
const series = (xml: string) => [...xml.matchAll(/<c:f>([^<]*)</g)].map(([, formula]) => formula);
const anchorOf = (xml: string) =>
  [...xml.matchAll(/<xdr:(?:row|col|rowOff|colOff)>(\d+)</g)].map(([, n]) => Number(n));

describe('cells that are cut and pasted', () => {
  test('[XE47] sparklines go with their cells within the sheet, by source and by place', () => {
    expect(edit(fixture, [cut('s1', [3, 0, 3, 3], 's1', [19, 1])]).xml).toContain(
      sparklines(['Sheet1!B20:E20', 'E4'], ['Sheet1!A9:D9', 'E9']),
    );
    expect(edit(fixture, [cut('s1', [3, 4, 3, 4], 's1', [19, 1])]).xml).toContain(
      sparklines(['Sheet1!A4:D4', 'B20'], ['Sheet1!A9:D9', 'E9']),
    );
    // Something else is where it was.
    expect(edit(fixture, [cut('s1', [0, 0, 0, 0], 's1', [3, 4])]).xml).toContain(
      sparklines(['Sheet1!A9:D9', 'E9']),
    );
  });

  test('[XE47] a place that is cut to another sheet leaves its sheet, a source is followed there', () => {
    expect(edit(fixture, [cut('s1', [3, 4, 3, 4], 's2', [0, 0])]).xml).toContain(
      sparklines(['Sheet1!A9:D9', 'E9']),
    );
    expect(edit(fixture, [cut('s1', [3, 0, 3, 3], 's2', [0, 0])]).xml).toContain(
      sparklines(['Sheet2!A1:D1', 'E4'], ['Sheet1!A9:D9', 'E9']),
    );
  });

  test('[XE48] a source of a pivot table, and data of other sheets, name the sheet where they are now', () => {
    const moved = edit(fixture, [cut('s1', [1, 0, 4, 1], 's2', [0, 2])]);
    expect(moved.part('xl/pivotCache/pivotCacheDefinition1.xml')).toContain('ref="C1:D4" sheet="Sheet2"');
    const hither = edit(fixture, [cut('s2', [0, 0, 1, 1], 's1', [19, 0])]);
    expect(hither.xml).toContain(references('A20:B21', 'Sheet1'));
  });

  test('[XE14] [XE48] a chart names the sheet of its cells, also where that is the one it is drawn on', () => {
    const moved = edit(fixture, [cut('s2', [2, 1, 4, 2], 's1', [19, 5])]);
    expect(series(moved.part('xl/charts/chart1.xml'))).toEqual(['Sheet1!$G$20:$G$22', 'Sheet1!$F$20:$F$22']);
  });

  test.each([
    ['all of its cells are cut', cut('s1', [4, 4, 9, 8], 's1', [19, 4]), [4, 7, 19, 7, 8, 7, 24, 7]],
    ['a corner of it is cut', cut('s1', [4, 4, 6, 8], 's1', [19, 4]), [4, 7, 4, 7, 8, 7, 9, 7]],
    ['all are cut to another sheet', cut('s1', [4, 4, 9, 8], 's2', [0, 0]), [4, 7, 4, 7, 8, 7, 9, 7]],
    ['something is pasted over it', cut('s1', [30, 0, 50, 20], 's1', [0, 0]), [4, 7, 4, 7, 8, 7, 9, 7]],
    [
      'its first rows are taken out',
      { op: 'delete', sheet: 's1', axis: 'row', at: 2, count: 4 },
      [4, 7, 2, 0, 8, 7, 5, 7],
    ],
    [
      'its last rows are taken out',
      { op: 'delete', sheet: 's1', axis: 'row', at: 8, count: 4 },
      [4, 7, 4, 7, 8, 7, 8, 0],
    ],
    [
      'all of its columns are taken out',
      { op: 'delete', sheet: 's1', axis: 'column', at: 2, count: 9 },
      [4, 7, 4, 7, 8, 7, 9, 7],
    ],
    [
      'its first rows are moved away',
      { op: 'move', sheet: 's1', axis: 'row', at: 3, count: 3, to: 30 },
      [4, 7, 3, 7, 8, 7, 6, 7],
    ],
  ] as const)('[XE14] a drawing keeps its corners in order: %s', (_what, operation, expected) => {
    expect(anchorOf(edit(fixture, [operation as CellOperation]).part('xl/drawings/drawing1.xml'))).toEqual(
      expected,
    );
  });

  const base = buildWorkbook(fixture);
  const acts: readonly CellOperation[] = [
    cut('s1', [3, 4, 3, 4], 's1', [19, 1]),
    cut('s1', [3, 0, 3, 4], 's2', [19, 1]),
    cut('s2', [0, 0, 5, 5], 's1', [1, 0]),
    { op: 'delete', sheet: 's1', axis: 'row', at: 1, count: 5 },
    { op: 'move', sheet: 's1', axis: 'row', at: 2, count: 3, to: 12 },
    { op: 'sheet', sheet: 's2', patch: { name: 'Data' } },
    { op: 'removeSheet', sheet: 's2' },
  ];

  test('[XE47] [XE48] what is taken back is in the file as it was', () => {
    for (const act of acts) {
      const before = opened(base);
      const after = applyOperation(before, act) as Workbook;
      const result = edit(base, [act, ...inverseOf([{ operation: act, document: before }], after)]);
      expect(
        result.changed.filter((name) => !/sheet\d\.xml$|workbook\.xml$/.test(name)),
        JSON.stringify(act),
      ).toEqual([]);
      expect(result.xml).toContain(sparklines(['Sheet1!A4:D4', 'E4'], ['Sheet1!A9:D9', 'E9']));
      expect(result.xml).toContain(references('A1:B2', 'Sheet2'));
    }
  });

  test('[XE17] a save is the same by way of a checkpoint, whatever is held', () => {
    const engine = xlsxEngine();
    for (const act of acts) {
      const changes = [cellModel.encode('client', act, 0)];
      const { checkpoint } = engine.checkpoint(base, { checkpoint: null, changes, wantsCheckpoint: true });
      const saved = engine.assemble(base, { checkpoint, changes: [], wantsCheckpoint: false }, {});
      expect(checkpoint).not.toBeNull();
      expect(Buffer.compare(saved.bytes, edit(base, [act]).bytes), JSON.stringify(act)).toBe(0);
    }
  });
});
