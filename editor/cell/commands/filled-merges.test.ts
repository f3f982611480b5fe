import { describe, expect, it } from 'vitest';
import { intersection } from '../../../model/cell/area.ts';
import { blankWorkbook, parseWorkbook } from '../../../model/cell/document.ts';
import type { CellOperation } from '../../../model/cell/operations.ts';
import { changedWorkbook } from '../../../model/cell/testing/changed-workbook.ts';
import { itemsOf, type Sheet } from '../../../model/cell/workbook.ts';
import { rangeName, readRange } from '../grid/cell-areas.ts';
import { filledMerges } from './filled-merges.ts';
import { firstOfMerged } from './series-filling.ts';

const blank = parseWorkbook(blankWorkbook());
const { id } = blank.sheets[0]!;
const range = (name: string) => readRange(name)!;

const changed = (before: Sheet, operations: readonly CellOperation[]): Sheet =>
  changedWorkbook({ ...blank, sheets: [before] }, operations).sheets[0]!;

const merged = (...names: string[]): Sheet =>
  changed(
    blank.sheets[0]!,
    names.map((name) => ({ op: 'put', sheet: id, kind: 'merge', id: name, item: { area: range(name) } })),
  );

const areasOf = (sheet: Sheet) => [...itemsOf(sheet, 'merge').values()].map(({ area }) => area);

/** The merged cells of a sheet once some cells repeat others. */
function filled(sheet: Sheet, from: string, to: string): string[] {
  let ids = 0;
  const view = {
    sheet,
    mergesIn: (area: ReturnType<typeof range>) => areasOf(sheet).filter((one) => intersection(one, area)),
  };
  const after = changed(
    sheet,
    filledMerges(view, range(from), range(to), () => `new${ids++}`),
  );
  return areasOf(after).map(rangeName).toSorted();
}

describe('[XS175] cells that repeat others', () => {
  it('are merged as these, each whole time that there is room for', () => {
    expect(filled(merged('A1:A2'), 'A1:A2', 'A3:A7')).toEqual(['A1:A2', 'A3:A4', 'A5:A6']);
    expect(filled(merged('A1:B1'), 'A1:B1', 'A2:B3')).toEqual(['A1:B1', 'A2:B2', 'A3:B3']);
    expect(filled(merged('C1:C2'), 'B1:C2', 'D1:G2')).toEqual(['C1:C2', 'E1:E2', 'G1:G2']);
    expect(filled(merged('A9:A10'), 'A9:A10', 'A6:A8')).toEqual(['A7:A8', 'A9:A10']);
  });

  it('keep merged cells that are the same, and part others', () => {
    expect(filled(merged('A1:A2', 'A3:A4'), 'A1:A2', 'A3:A4')).toEqual(['A1:A2', 'A3:A4']);
    expect(filled(merged('A3:A4', 'C3:C4'), 'A1:A2', 'A3:A4')).toEqual(['C3:C4']);
  });

  it('go on as a series of the first of merged cells', () => {
    const merges = [range('A1:A2'), range('A3:A4')];
    const mergeAt = (row: number, column: number) =>
      merges.find((area) => intersection(area, [row, column, row, column])) ?? null;
    const cells = (from: number, to: number) =>
      Array.from({ length: to - from + 1 }, (_, at) => ({ row: from + at, column: 0 }));
    const rowsOf = (begun: ReturnType<typeof cells>, further: ReturnType<typeof cells>) => {
      const line = firstOfMerged({ mergeAt }, { begun, further });
      return [line.begun.map(({ row }) => row), line.further.map(({ row }) => row)];
    };
    expect(rowsOf(cells(0, 3), cells(4, 8))).toEqual([
      [0, 2],
      [4, 6, 8],
    ]);
    expect(rowsOf(cells(2, 3).toReversed(), cells(0, 1).toReversed())).toEqual([[2], [0]]);
  });

  it('stay as they are among rows that a filter hides', () => {
    const hidden: CellOperation = {
      ...{ op: 'lines', sheet: id, axis: 'row', spans: [[3, 3]] },
      patch: { filtered: true },
    };
    expect(filled(changed(merged('A1:B1'), [hidden]), 'A1:B1', 'A2:B9')).toEqual(['A1:B1']);
  });
});
