import { describe, expect, it } from 'vitest';
import type { Area } from '../../../model/cell/area.ts';
import { blankWorkbook, parseWorkbook } from '../../../model/cell/document.ts';
import { Formula } from '../../../model/cell/formula/formula.ts';
import { transposedFormula } from '../../../model/cell/formula/transposing.ts';
import { changedWorkbook } from '../../../model/cell/testing/changed-workbook.ts';
import type { CellValue } from '../../../model/cell/values.ts';
import { sheetOf, type Workbook } from '../../../model/cell/workbook.ts';
import { rangeName, readRange } from '../grid/cell-areas.ts';
import { SceneCache } from '../shown/scene-cache.ts';
import { SheetScene, type ValueOf } from '../shown/sheet-scene.ts';
import type { TableOrigin } from './cell-table.ts';
import { copiedBlock } from './copied-block.ts';
import { copyCells, readOwn } from './copied-cells.ts';
import { bordersOf, declarationsOf, readGoogleFormat, readMsoFormat } from './html-format.ts';
import { fallsOff, type Pasting, pastedRange, pasteOperations } from './paste.ts';
import { combined } from './paste-arithmetic.ts';
import { type PastedPart, type PasteOptions, plainPaste } from './paste-options.ts';
import { readSeparated } from './separated-text.ts';

const settings = { locale: 'en' };
const range = (name: string): Area => readRange(name)!;
const noValues: ValueOf = () => undefined;

const begun = parseWorkbook(blankWorkbook());
const id = begun.sheets[0]!.id;
const workbook = changedWorkbook(
  begun,
  {
    op: 'set',
    sheet: id,
    cells: [
      [0, 0, { v: 1 }],
      [0, 1, { f: 'A1*2', v: 2, s: 0 }],
      [1, 0, { v: 'two\nlines' }],
      [1, 1, { f: '$A$1+B1', v: 3 }],
    ],
    formats: [{ number: '0.00', font: { bold: true } }],
  },
  { op: 'put', sheet: id, kind: 'merge', id: 'm', item: { area: [2, 0, 2, 1] } },
);

const measures = { measure: (text: string) => text.length * 7, heights: () => ({ ascent: 10, descent: 3 }) };

const viewOf = (of: Workbook) =>
  new SheetScene(
    of,
    of.sheets[0]!,
    new SceneCache(),
    {
      settings,
      scale: { zoom: 1, pixelRatio: 1, digitPx: 7 },
      measures,
      valueOf: noValues,
      formulaValue: () => undefined,
      isStale: () => false,
    },
    null,
  );

const pasting = (over: Partial<Pasting>): Pasting => ({
  sheet: id,
  table: { rows: [], merges: [] },
  target: range('D4'),
  used: null,
  options: plainPaste,
  settings,
  contentAt: (row, column) => sheetOf(workbook, id)!.grid.cell(row, column),
  formatAt: () => ({}),
  newId: () => 'new',
  isCovered: () => false,
  mergesIn: () => [],
  ...over,
});

const chosen = (options: Partial<PasteOptions>): PasteOptions => ({ ...plainPaste, ...options });

/** What the clipboard gets of areas, one or several. */
const copied = (of: Workbook, ...names: string[]) => {
  const view = viewOf(of);
  return copyCells(of, view, copiedBlock(view, names.map(range))!, 'c');
};

/** A workbook with a copy of some areas of it pasted. */
const pastedInto = (of: Workbook, names: string[], target: string, options: Partial<PasteOptions> = {}) =>
  changedWorkbook(
    of,
    ...pasteOperations(
      pasting({
        ...{
          table: readOwn(copied(of, ...names).own)!.table,
          target: range(target),
          options: chosen(options),
        },
        contentAt: (row, column) => sheetOf(of, id)!.grid.cell(row, column),
        formatAt: (row, column) => of.formats.at(sheetOf(of, id)!.grid.cell(row, column).format),
      }),
    ),
  );

/** A workbook whose cells from A1 on hold this, row by row; text that begins with an equals sign is a formula. */
const holding = (...rows: (CellValue | undefined)[][]): Workbook =>
  changedWorkbook(begun, {
    op: 'block',
    sheet: id,
    row: 0,
    column: 0,
    rows: rows.map((row) =>
      row.map((value) =>
        typeof value === 'string' && value.startsWith('=')
          ? { f: value.slice(1), v: 0 }
          : value === undefined
            ? null
            : { v: value },
      ),
    ),
  });

/** Formula or value of cells, row by row. */
function held(of: Workbook, name: string): unknown[][] {
  const [top, left, bottom, right] = range(name);
  const { grid } = sheetOf(of, id)!;
  return Array.from({ length: bottom - top + 1 }, (_, row) =>
    Array.from({ length: right - left + 1 }, (_cell, column) => {
      const { formula, value } = grid.cell(top + row, left + column);
      return formula ? `=${formula.text}` : value;
    }),
  );
}

describe('copying and pasting cells', () => {
  it('[XS180] asks for more than the sheet has where copies would be cut off at its end', () => {
    const { table } = readOwn(copied(workbook, 'A1:B3').own)!;
    const falls = (target: string, options: Partial<PasteOptions> = {}) =>
      fallsOff(table, pastedRange(table, range(target), chosen(options)), chosen(options));
    expect([falls('A1048574'), falls('XFC1'), falls('A1048575', { isTransposed: true })]).toEqual([
      ...[false, false, false],
    ]);
    expect([falls('A1048575'), falls('XFD1'), falls('XFC1', { isTransposed: true })]).toEqual([
      ...[true, true, true],
    ]);
    expect(falls('XFD1048576', { part: 'widths' })).toBe(false);
    expect([falls('A:B'), falls('1:3')]).toEqual([false, false]);
  });

  it('[XS11] keeps values, formats and merged cells, and moves relative references along', () => {
    const { own, text, html } = copied(workbook, 'A1:B3');
    const { table } = readOwn(own)!;
    const pasted = changedWorkbook(workbook, ...pasteOperations(pasting({ table })));
    expect(held(pasted, 'D4:E5')).toEqual([
      [1, '=D4*2'],
      ['two\nlines', '=$A$1+E4'],
    ]);
    expect(pasted.formats.at(sheetOf(pasted, id)!.grid.cell(3, 4).format)).toMatchObject({ number: '0.00' });
    expect(viewOf(pasted).mergeAt(5, 4)).toEqual(range('D6:E6'));
    expect(text).toBe('1\t2.00\n"two\nlines"\t3\n\t');
    expect(html).toContain('<td style="');
    expect(html).toContain('font-weight:bold');
    expect(html).toContain('colspan="2"');
  });

  it('[XS11] can paste the values alone, or the looks alone, or rows as columns', () => {
    const { table } = readOwn(copied(workbook, 'A1:B2').own)!;
    const values = changedWorkbook(
      workbook,
      ...pasteOperations(pasting({ table, options: chosen({ part: 'values' }) })),
    );
    expect(held(values, 'D4:E5')).toEqual([
      [1, 2],
      ['two\nlines', 3],
    ]);
    const looks = changedWorkbook(
      workbook,
      ...pasteOperations(pasting({ table, options: chosen({ part: 'formats' }) })),
    );
    expect(held(looks, 'D4:E4')).toEqual([[null, null]]);
    expect(looks.formats.at(sheetOf(looks, id)!.grid.cell(3, 4).format).font?.bold).toBe(true);
    const turned = changedWorkbook(
      workbook,
      ...pasteOperations(pasting({ table, options: chosen({ part: 'values', isTransposed: true }) })),
    );
    expect(held(turned, 'D4:E4')).toEqual([[1, 'two\nlines']]);
  });

  it('[XS11] reads text of other programs as if it were typed', () => {
    const rows = readSeparated('12%\tabc\n=A1\t').map((row) => row.map((text) => ({ text })));
    const pasted = changedWorkbook(workbook, ...pasteOperations(pasting({ table: { rows, merges: [] } })));
    expect(held(pasted, 'D4:E5')).toEqual([
      [0.12, 'abc'],
      ['=A1', null],
    ]);
  });

  it('[XS11] repeats what fits into the selection several times', () => {
    const table = { rows: [[{ text: '1' }, { text: '2' }]], merges: [] };
    const repeated = (name: string) => rangeName(pastedRange(table, range(name)));
    expect(repeated('D4')).toBe('D4:E4');
    expect(repeated('D4:E6')).toBe('D4:E6');
    expect(repeated('D4:F6')).toBe('D4:E4');
    expect(repeated('D:E')).toBe('D1:E1');
    const down = (rows: number, name: string, origin?: TableOrigin) => {
      const repeatedTable = {
        rows: Array.from({ length: rows }, () => [{ text: '1' }]),
        merges: [],
        ...(origin && { origin }),
      };
      return rangeName(pastedRange(repeatedTable, range(name), plainPaste, range('B2:H9')));
    };
    expect(down(1, 'D:E')).toBe('D1:E9');
    expect(down(1, '3:4')).toBe('A3:H4');
    expect(down(3, 'D:D')).toBe('D1:D3');
    const wholeColumn = { rows: [0], columns: [0], widths: [{}], heights: null, hasWholeColumns: true };
    expect(down(1, 'D:D', wholeColumn)).toBe('D1');
    expect(repeated('XFD1048576')).toBe('XFD1048576');
  });

  it('[XS11] takes nothing for its own that it did not write', () => {
    expect(readOwn('')).toBeNull();
    expect(readOwn('{"version":1,"rows":[]}')).toBeNull();
    expect(readOwn('[]')).toBeNull();
  });
});

describe('pasting what is chosen of cells', () => {
  const bordered = changedWorkbook(
    begun,
    {
      op: 'set',
      sheet: id,
      cells: [
        [0, 0, { f: 'B1*2', v: 4, s: 0 }],
        [0, 3, { v: 'old', s: 1 }],
      ],
      formats: [
        { number: '0.00', font: { bold: true }, border: { top: { style: 'thin' } } },
        { number: '0%', font: { italic: true }, border: { left: { style: 'thick' } } },
      ],
    },
    { op: 'lines', sheet: id, axis: 'column', spans: [[0, 0]], patch: { size: 20, custom: true } },
  );
  const pastedCell = (options: Partial<PasteOptions>) => {
    const after = pastedInto(bordered, ['A1'], 'D1', options);
    const { value, formula, format } = sheetOf(after, id)!.grid.cell(0, 3);
    return [formula?.text ?? value, after.formats.at(format)];
  };

  it('[XP1] pastes everything, values, number formats with them, formulas, looks, or all but borders', () => {
    const [bold, italic] = [{ bold: true }, { italic: true }];
    const [thin, thick] = [{ top: { style: 'thin' } }, { left: { style: 'thick' } }];
    expect(pastedCell({})).toEqual(['E1*2', { number: '0.00', font: bold, border: thin }]);
    expect(pastedCell({ part: 'values' })).toEqual([4, { number: '0%', font: italic, border: thick }]);
    expect(pastedCell({ part: 'valuesAndNumbers' })).toEqual([
      4,
      { number: '0.00', font: italic, border: thick },
    ]);
    expect(pastedCell({ part: 'formulas' })).toEqual(['E1*2', { number: '0%', font: italic, border: thick }]);
    expect(pastedCell({ part: 'formats' })).toEqual(['old', { number: '0.00', font: bold, border: thin }]);
    expect(pastedCell({ part: 'allButBorders' })).toEqual([
      'E1*2',
      { number: '0.00', font: bold, border: thick },
    ]);
  });

  it('[XP1] what other programs copy is read as a day where its value alone is pasted, without their looks', () => {
    const table = { rows: [[{ text: '5 May 2026', format: { font: { bold: true } } }]], merges: [] };
    const values = pasteOperations(pasting({ table, options: chosen({ part: 'values' }) }));
    expect(values).toMatchObject([{ rows: [[{ v: 46147, s: 0 }]], formats: [{ number: 'd mmmm yyyy' }] }]);
    expect(JSON.stringify(values)).not.toContain('bold');
  });

  it('[XP1] where merged cells stay only the first of them gets something', () => {
    const pasted = (part: PastedPart, ...texts: string[]) =>
      held(
        changedWorkbook(
          workbook,
          ...pasteOperations(
            pasting({
              table: { rows: [texts.map((text) => ({ text }))], merges: [] },
              target: range('D4:E4'),
              options: chosen({ part }),
              isCovered: (_, column) => column === 4,
              mergesIn: () => ['m'],
            }),
          ),
        ),
        'D4:E4',
      );
    expect(pasted('values', '5', '6')).toEqual([[5, null]]);
    expect(pasted('all', '5', '6')).toEqual([[5, 6]]);
    // A cell that is pasted alone parts none.
    expect(pasted('all', '5')).toEqual([[5, null]]);
  });

  it('[XP2] numbers are added, subtracted, multiplied and divided, and formulas become one', () => {
    const cells = holding([10, 4], ['=C1', 4], [10, '=D9'], ['=C1', '=D9'], ['x', 1], [7, 'x'], ['12', 1]);
    const outcome = (operation: PasteOptions['operation']) =>
      held(pastedInto(cells, ['B1:B7'], 'A1', { operation }), 'A1:A7').flat();
    expect(outcome('add')).toEqual([14, '=(C1)+4', '=10+(C9)', '=(C1)+(C9)', 'x', 7, 13]);
    expect(outcome('subtract')).toEqual([6, '=(C1)-4', '=10-(C9)', '=(C1)-(C9)', 'x', 7, 11]);
    expect(outcome('multiply')).toEqual([40, '=(C1)*4', '=10*(C9)', '=(C1)*(C9)', 'x', 7, 12]);
    expect(outcome('divide')).toEqual([2.5, '=(C1)/4', '=10/(C9)', '=(C1)/(C9)', 'x', 7, 12]);
    const values = pastedInto(cells, ['B1:B4'], 'A1', { operation: 'add', part: 'values' });
    expect(held(values, 'A3:A4').flat()).toEqual([10, '=(C1)+0']);
  });

  it('[XP2] empty cells count as 0, an error that is pasted stays one, and nothing is divided by 0', () => {
    const nothing = { value: null, formula: null };
    const ten = { value: 10, formula: null };
    const broken = { value: { e: '#REF!' }, formula: null };
    expect(combined(nothing, { v: 3 }, 'multiply', settings)).toEqual({ v: 0 });
    expect(combined(ten, { v: null }, 'subtract', settings)).toEqual({ v: 10 });
    expect(combined(ten, { v: null }, 'divide', settings)).toEqual({ v: { e: '#DIV/0!' } });
    expect(combined(nothing, { v: null }, 'add', settings)).toBeNull();
    expect(combined(ten, { v: { e: '#N/A' } }, 'add', settings)).toEqual({ v: { e: '#N/A' } });
    expect(combined(broken, { v: 1 }, 'add', settings)).toBeNull();
    expect(combined(ten, { v: true }, 'add', settings)).toBeNull();
    expect(combined({ value: 0, formula: Formula.of('A1') }, { v: -2 }, 'subtract', settings)).toEqual({
      f: '(A1)-(-2)',
      v: null,
    });
  });

  it('[XP3] empty cells leave what is there alone, if that is asked for', () => {
    const cells = holding([1, undefined, 3], ['a', 'b', 'c']);
    expect(held(pastedInto(cells, ['A1:C1'], 'A2', { skipsBlanks: true }), 'A2:C2')).toEqual([[1, 'b', 3]]);
    expect(held(pastedInto(cells, ['A1:C1'], 'A2'), 'A2:C2')).toEqual([[1, null, 3]]);
  });

  it('[XP4] with rows for columns formulas stay, and see the cells beside them that they saw above', () => {
    const cells = holding(
      [1, 2, '=A1+B1'],
      [3, 4, '=SUM(A$1:A2)*$B$1'],
      ['=SUM($A$1:A2)', '=SUM(A:A)', "='My sheet'!B1"],
    );
    expect(held(pastedInto(cells, ['A1:C3'], 'E5', { isTransposed: true }), 'E5:G7')).toEqual([
      [1, 3, '=SUM($A$1:F5)'],
      [2, 4, '=SUM(5:5)'],
      ['=E5+E6', '=SUM($A5:F5)*$B$1', "='My sheet'!E6"],
    ]);
  });

  it('[XP4] what would lie beside the sheet is no reference any more', () => {
    const far = Formula.of('B20000+$C$9+$A2');
    const moved = transposedFormula(far, { row: 0, column: 0 }, { row: 0, column: 0 });
    expect(moved.text).toBe('#REF!+$C$9+B$1');
  });

  it('[XP5] areas of the same rows, or the same columns, are copied as one block; others are not', () => {
    const cells = holding(['a', 1, 'x'], ['b', 2, 'y'], ['c', 3, '=A3']);
    const block = pastedInto(cells, ['C1:C3', 'A1:A3'], 'E1');
    expect(held(block, 'E1:G3')).toEqual([
      ['a', 'x', null],
      ['b', 'y', null],
      ['c', '=D3', null],
    ]);
    expect(held(pastedInto(cells, ['A1:B1', 'A3:B3'], 'A5'), 'A5:B6')).toEqual([
      ['a', 1],
      ['c', 3],
    ]);
    const ofAreas = (...names: string[]) => copiedBlock(viewOf(cells), names.map(range));
    expect(ofAreas('A1:A2', 'C1:C3')).toBeNull();
    expect(ofAreas('A1', 'B2')).toBeNull();
    expect(ofAreas('A:A', 'C:C')).toMatchObject({ rows: [0, 1, 2], columns: [0, 2], hasWholeColumns: true });
  });

  it('[XP5] a formula below rows that a filter hides keeps seeing what it saw', () => {
    const cells = changedWorkbook(holding(['a', 1], ['b', 2], ['c', '=B1']), {
      ...{ op: 'lines', sheet: id, axis: 'row', spans: [[1, 1]], patch: { filtered: true } },
    });
    expect(held(pastedInto(cells, ['A1:B3'], 'D1'), 'D1:E2')).toEqual([
      ['a', 1],
      ['c', '=#REF!'],
    ]);
  });

  it('[XP6] columns take the widths along that are asked for, and whole ones their own', () => {
    const widths = (of: Workbook, column: number) => sheetOf(of, id)!.columns.at(column).size;
    const alone = pastedInto(bordered, ['A1:B1'], 'D1:G1', { part: 'widths', isTransposed: true });
    expect([3, 4, 5, 6].map((column) => widths(alone, column))).toEqual([20, undefined, 20, undefined]);
    expect(held(alone, 'D1')).toEqual([['old']]);
    expect(widths(pastedInto(bordered, ['A1'], 'D1'), 3)).toBeUndefined();
    const whole = pastedInto(bordered, ['A:A'], 'D:D');
    expect([widths(whole, 3), held(whole, 'D1')]).toEqual([20, [['=E1*2']]]);
    const table = { rows: [[{ text: 'x' }]], merges: [] };
    expect(pasteOperations(pasting({ table, options: chosen({ part: 'widths' }) }))).toEqual([]);
  });

  it('[XP6] whole rows take their heights along', () => {
    const high = changedWorkbook(bordered, {
      ...{ op: 'lines', sheet: id, axis: 'row', spans: [[0, 0]], patch: { size: 40, custom: true } },
    });
    expect(sheetOf(pastedInto(high, ['1:1'], '5:5'), id)!.grid.row(4)?.line.size).toBe(40);
    expect(sheetOf(pastedInto(high, ['A1'], 'A5'), id)!.grid.row(4)?.line.size).toBeUndefined();
  });
});

it('[XH8] a thousand pasted days have one format', () => {
  const rows = Array.from({ length: 1_000 }, (_, day) => [
    { text: `${(day % 28) + 1} May 2026` },
    { text: 'x' },
  ]);
  const [block] = pasteOperations(pasting({ table: { rows, merges: [] } }));
  expect(block).toMatchObject({ op: 'block', formats: [{ number: 'd mmmm yyyy' }] });
});

describe('what other programs write into HTML', () => {
  it('[XH5] declarations keep semicolons of number formats, which are read with the signs behind their numbers', () => {
    const declared = declarationsOf(
      String.raw`color:red; mso-number-format:"\#\,\#\#0\.00\\ \0022€\0022\;\[Red\]\-0";font-weight:700`,
    );
    expect([...declared.keys()]).toEqual(['color', 'mso-number-format', 'font-weight']);
    expect(readMsoFormat(declared.get('mso-number-format')!)).toBe('#,##0.00\\ "€";[Red]-0');
    expect(readMsoFormat(String.raw`'0\.00'`)).toBe('0.00');
    expect(readMsoFormat('"Medium Date"')).toBe('dd-mmm-yy');
    expect(readGoogleFormat('{"1":4,"2":"\\"€\\"#,##0","3":1}')).toBe('"€"#,##0');
    expect(readGoogleFormat('{"1":5}')).toBe('yyyy-mm-dd');
    expect(readGoogleFormat('{"1":2}')).toBeNull();
    for (const name of ['"Short Date"', 'General']) expect(readMsoFormat(name)).toBeNull();
  });

  it('[XH5] lines around cells come along, those of one side before those of all', () => {
    expect(bordersOf(declarationsOf('border:.5pt solid windowtext;border-left:none'))).toEqual({
      top: { style: 'thin' },
      right: { style: 'thin' },
      bottom: { style: 'thin' },
    });
    expect(
      bordersOf(declarationsOf('border-bottom:2.0pt double #C00000;border-top:1.0pt solid #000000')),
    ).toEqual({
      top: { style: 'medium' },
      bottom: { style: 'double', color: { rgb: 'C00000' } },
    });
    expect(bordersOf(declarationsOf('border-left:1px solid #000'))).toEqual({ left: { style: 'thin' } });
  });
});
