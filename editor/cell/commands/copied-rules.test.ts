import { expect, it } from 'vitest';
import { blankWorkbook, parseWorkbook } from '../../../model/cell/document.ts';
import type { CellOperation } from '../../../model/cell/operations.ts';
import { changedWorkbook } from '../../../model/cell/testing/changed-workbook.ts';
import { itemsOf, type Workbook } from '../../../model/cell/workbook.ts';
import { readRange } from '../grid/cell-areas.ts';
import { copiedRules, linesBetween } from './copied-rules.ts';
import { areasName, readAreas, rulesOf } from './ruled-areas.ts';

const begun = parseWorkbook(blankWorkbook());
const sheet = begun.sheets[0]!.id;

const condition = (id: string, areas: string, formula: string, priority = 1): CellOperation =>
  ({
    ...{ op: 'put', sheet, kind: 'condition', id },
    item: { areas: readAreas(areas)!, type: 'expression', priority, formulas: [formula] },
  }) as CellOperation;

const validation = (areas: string): CellOperation =>
  ({
    ...{ op: 'put', sheet, kind: 'validation', id: 'v' },
    item: { areas: readAreas(areas)!, type: 'list', formulas: ['"a,b"'] },
  }) as CellOperation;

/** The rules of a sheet after cells of its own, or of another sheet, were copied. */
function after(workbook: Workbook, from: string, to: string, isSame = true, isTransposed = false) {
  const [top, left, bottom, right] = readRange(from)!;
  const lines = { rows: linesBetween(top, bottom), columns: linesBetween(left, right) };
  const copy = { ...lines, to: readRange(to)!, isTransposed };
  let id = 0;
  const operations = copiedRules(
    workbook.sheets[0]!,
    [copy],
    { rules: rulesOf(workbook.sheets[0]!), isSame },
    { kinds: ['condition', 'validation'], newId: () => `new${id++}` },
  );
  const next = changedWorkbook(workbook, operations).sheets[0]!;
  const rules = [...itemsOf(next, 'condition').values(), ...itemsOf(next, 'validation').values()];
  return rules.map(({ areas, formulas }) => `${areasName(areas)} ${formulas[0]}`);
}

it('[XS194] copied cells take their conditional formats and lists along, in the place of those that are there', () => {
  const one = changedWorkbook(begun, [condition('c1', 'A1:A10', '$B1>5'), validation('A1:A10')]);
  expect(after(one, 'A2', 'D4:E5')).toEqual(['A1:A10, D4:E5 $B1>5', 'A1:A10, D4:E5 "a,b"']);
  expect(after(one, 'A9:A12', 'D1:D8')[0]).toBe('A1:A10, D1:D2, D5:D6 $B1>5');
  // Within its own cells a rule stays as it is, and what has none leaves rules alone.
  expect(after(one, 'A2', 'A5:A6')).toEqual(['A1:A10 $B1>5', 'A1:A10 "a,b"']);
  expect(after(one, 'F1', 'A5')).toEqual(['A1:A10 $B1>5', 'A1:A10 "a,b"']);
  const two = changedWorkbook(one, [condition('c2', 'D1:D10', '$C1=1', 2)]);
  expect(after(two, 'A1', 'D1:D3')).toEqual(['A1:A10, D1:D3 $B1>5', 'D4:D10 $C4=1', 'A1:A10, D1:D3 "a,b"']);
  expect(after(two, 'A1', 'D1:D10')).toEqual(['A1:A10, D1:D10 $B1>5', 'A1:A10, D1:D10 "a,b"']);
});

it('[XS194] on another sheet rules are new ones, after those that are there, and see what is beside them', () => {
  const one = changedWorkbook(begun, [condition('c1', 'A1:A10', 'B1>5', 4)]);
  expect(after(one, 'A3', 'C7', false)).toEqual(['A1:A10 B1>5', 'C7 D7>5']);
});

it('[XS139] with rows for columns a formula turns with its cells; a rule without references goes on', () => {
  const one = changedWorkbook(begun, [condition('c1', 'A1:A10', '$B1>5', 4), validation('A1:A10')]);
  expect(after(one, 'A2:A4', 'D20:F20', true, true)).toEqual([
    'A1:A10 $B1>5',
    'D20:F20 D$2>5',
    'A1:A10, D20:F20 "a,b"',
  ]);
  expect(after(one, 'A9:B11', 'D20:F21', true, true)[1]).toBe('D20:E20 D$2>5');
});
