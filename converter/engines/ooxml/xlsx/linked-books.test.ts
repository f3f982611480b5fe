import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { compileEngine } from '../../../../model/calculation/engine-instance.ts';
import { CalculationFeed } from '../../../../model/cell/calculation-feed.ts';
import { CalculationHost } from '../../../../model/cell/calculation-host.ts';
import { applyOperation } from '../../../../model/cell/change.ts';
import { CELL_LIMITS } from '../../../../model/cell/limits.ts';
import { booksOf } from '../../../../model/cell/linked-book.ts';
import type { CellOperation } from '../../../../model/cell/operations.ts';
import type { Workbook } from '../../../../model/cell/workbook.ts';
import { linkingTwo, linkPartName } from '../../../../test/support/linking-workbook.ts';
import { buildWorkbook } from '../../../../test/support/workbook-fixture.ts';
import { edit, opened } from './testing/xlsx-edit.ts';

const fixture = linkingTwo;
const part = linkPartName;

const patch = (id: string, change: object): CellOperation => ({
  ...{ op: 'patch', sheet: null, kind: 'book', id, patch: change as Record<string, unknown> },
});
const rates = (...cells: unknown[]) => [
  { name: 'Rates', cells },
  { name: 'Else', cells: [] },
];
const engine = compileEngine(
  readFileSync(new URL('../../../../model/calculation/engine/calculation.wasm', import.meta.url)),
);

/** The values of the first row as they are calculated, and which cells of it are stale. */
class Calculated {
  readonly #host = new CalculationHost(engine);
  readonly #feed = new CalculationFeed('en');
  readonly values: Record<number, unknown> = {};
  stale: number[] = [];

  of(workbook: Workbook): this {
    for (const request of this.#feed.next(workbook)) {
      const answer = this.#host.take(structuredClone(request));
      for (const { column, value } of answer?.values ?? []) this.values[column] = value;
      this.stale = answer?.stale.map(({ column }) => column) ?? [];
    }
    return this;
  }
}

const applied = (workbook: Workbook, operation: CellOperation) =>
  applyOperation(workbook, operation) as Workbook;

describe('other workbooks that formulas read', () => {
  test('[LB1] are in the model with what the file keeps of them, and the file stays as it is', () => {
    const { workbook, changed } = { workbook: opened(buildWorkbook(fixture)), ...edit(fixture, []) };
    expect(changed).toEqual([]);
    expect(Object.fromEntries(booksOf(workbook))).toEqual({
      1: {
        address: 'Rates.xlsx',
        sheets: rates([0, 0, 10], [1, 0, 20]),
        names: [{ name: 'Total', formula: 'Rates!$A$2' }],
      },
      2: { address: 'https://s.test/other.xlsx', sheets: [{ name: 'Other', cells: [] }] },
    });
  });

  test('[LB2] are calculated with as far as they are known, and what is not known keeps its value', () => {
    const first = opened(buildWorkbook(fixture));
    const calculated = new Calculated().of(first);
    expect([calculated.values, calculated.stale]).toEqual([
      { 0: 20, 1: 30, 2: 20, 3: 7, 4: 5, 5: 1 },
      [3, 4],
    ]);
    const second = applied(first, patch('1', { sheets: rates([0, 0, 1], [1, 0, 2]) }));
    calculated.of(second);
    expect([calculated.values, calculated.stale]).toEqual([{ 0: 2, 1: 3, 2: 2, 3: 7, 4: 5, 5: 1 }, [3, 4]]);
    // An empty cell that was asked for is known, too; a name may stand for other cells.
    const names = [{ name: 'Total', formula: 'Rates!$A$1' }];
    const third = applied(second, patch('1', { sheets: rates([0, 0, 1], [1, 0, 2], [8, 25, null]), names }));
    calculated.of(third);
    expect([calculated.values[2], calculated.values[3], calculated.stale]).toEqual([1, 0, [4]]);
    const fourth = applied(
      third,
      patch('2', { sheets: [{ name: 'Other', cells: [[0, 0, { e: '#N/A' }]] }] }),
    );
    calculated.of(fourth);
    expect([calculated.values[4], calculated.stale]).toEqual([{ e: '#N/A' }, []]);
    const without = applied(fourth, { op: 'drop', sheet: null, kind: 'book', id: '1' });
    expect(calculated.of(without).stale).toEqual([0, 1, 2, 3]);
  });

  test('[LB3] of a link only the cells are written that have another value', () => {
    const sheets = rates([0, 0, 10], [1, 0, 'a<b'], [1, 1, true], [8, 25, null]);
    const { changed, part: text, reopened } = edit(fixture, [patch('1', { sheets })]);
    expect(changed).toEqual([part(1)]);
    expect(text(part(1))).toContain(
      '<sheetData sheetId="0"><row r="1" spans="1:1"><cell r="A1"><v>10</v></cell></row><row r="2"><cell r="A2" t="str"><v>a&lt;b</v></cell><cell r="B2" t="b"><v>1</v></cell></row><row r="9"><cell r="Z9"/></row></sheetData>',
    );
    expect(text(part(1))).toContain('<extLst><ext uri="{kept}"/></extLst>');
    expect(booksOf(reopened).get('1')!.sheets).toEqual(sheets);
    const source = { fileKey: 'f&1', instanceId: 'here' };
    const moved = edit(fixture, [
      patch('2', { address: 'new.xlsx', source, sheets: [{ name: 'New', cells: [[0, 0, 1]] }] }),
    ]);
    expect(moved.changed).toEqual(['xl/externalLinks/_rels/externalLink2.xml.rels', part(2)]);
    expect(booksOf(moved.reopened).get('2')).toEqual({
      ...{ address: 'new.xlsx', source },
      sheets: [
        { name: 'Other', cells: [] },
        { name: 'New', cells: [[0, 0, 1]] },
      ],
    });
  });

  test('[LB4] a broken link leaves the file when nothing names it and none is counted behind it', () => {
    const drop = (id: string): CellOperation => ({ op: 'drop', sheet: null, kind: 'book', id });
    const value = (column: number, v: number): CellOperation => ({
      ...{ op: 'set', sheet: 's1', cells: [[0, column, { v }]] },
    });
    const named = edit(fixture, [drop('2')]);
    expect(named.changed).toEqual([]);
    const gone = edit(fixture, [value(4, 5), drop('2')]);
    expect(gone.changed).toContain(part(2));
    expect(gone.part(part(2))).toBe('');
    expect(gone.part('xl/workbook.xml')).toContain(
      '<externalReferences><externalReference r:id="rId3"/></externalReferences>',
    );
    const first = edit(fixture, [value(0, 20), value(1, 30), value(2, 20), value(3, 7), drop('1')]);
    expect(first.part('xl/workbook.xml')).toContain('r:id="rId4"');
    expect(first.changed).not.toContain(part(1));
  });

  test('[LB5] an operation keeps as many of their cells as there is room for, by numbers that formulas can have', () => {
    const first = opened(buildWorkbook(fixture));
    const many = Array.from({ length: CELL_LIMITS.linkedWeight }, (_, at) => [at, 0, 1]);
    expect(applyOperation(first, patch('1', { sheets: [{ name: 'Rates', cells: many }] }))).toBe(
      'document-too-large',
    );
    const item = { address: 'a', sheets: [] };
    const put = (id: string) => applyOperation(first, { op: 'put', sheet: null, kind: 'book', id, item });
    expect(put('c.1')).toBe('invalid-content');
    expect(put('3')).toBeTypeOf('object');
    for (const cells of [
      [[0, 0]],
      [[-1, 0, 1]],
      [[0, 0, { r: [] }]],
      [[0, 0, Number.NaN]],
      'x',
      [[0, 16_384, 1]],
    ])
      expect(applyOperation(first, patch('1', { sheets: [{ name: 'Rates', cells }] }))).toBe(
        'invalid-content',
      );
    const author = { name: 'Ann', may: ['comment'] as const };
    expect(applyOperation(first, patch('1', { address: 'b' }), author as never)).toBe('not-allowed');
  });
});
