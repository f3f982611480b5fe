import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { columnName } from '../cell-address.ts';
import { applyOperation } from './change.ts';
import { blankWorkbook, parseWorkbook, type RowJson } from './document.ts';
import { isReference, partsOf } from './formula/formula-parts.ts';
import type { CellOperation } from './operations.ts';
import { GhostCells } from './testing/ghost-cells.ts';
import { RandomOperations, randomOf, testColumns, testRows } from './testing/random-operations.ts';
import { sheetNamed, sheetOf, type Workbook } from './workbook.ts';

const sheets = ['s1', 's2'] as const;
const nameOf = { s1: 'First', s2: "Second 'one'" };

/** Two sheets whose every cell refers to another one; which, by the ids of both. */
function workbookOf(random: RandomOperations): { workbook: Workbook; targets: Map<string, string> } {
  const targets = new Map<string, string>();
  const json = sheets.map((id) => {
    const rows = Array.from({ length: testRows }, (_, row): RowJson => {
      const cells = Array.from({ length: testColumns }, (_unused, column) => {
        const sheet = random.pick(sheets);
        const [targetRow, targetColumn] = [random.below(testRows), random.below(testColumns)];
        targets.set(`${id}:${row},${column}`, `${sheet}:${targetRow},${targetColumn}`);
        const address = `${random.pick(['', '$'])}${columnName(targetColumn)}${random.pick(['', '$'])}${targetRow + 1}`;
        const prefix = sheet === id ? '' : sheet === 's1' ? 'First!' : "'Second ''one'''!";
        return [column, 0, { f: prefix + address }];
      });
      return [0, 0, ...cells.flat()] as unknown as RowJson;
    });
    return { id, properties: { name: nameOf[id] }, rows };
  });
  return { workbook: parseWorkbook({ ...blankWorkbook(), sheets: json }), targets };
}

/** Where the one reference of a formula leads, by id; null: nowhere. */
function targetOf(workbook: Workbook, ghosts: GhostCells, owner: string, formula: string): string | null {
  const part = partsOf(formula).find((one) => typeof one === 'object' && isReference(one));
  if (typeof part !== 'object' || !isReference(part)) return null;
  const sheet = part.sheet === null ? owner : sheetNamed(workbook, part.sheet)!.id;
  return ghosts.at(sheet, part.area[0], part.area[1])!;
}

describe('references', () => {
  it('[XC11] follow the cell that they were made for, wherever it goes, and are #REF! when it is gone', () => {
    fc.assert(
      fc.property(fc.nat(), (seed) => {
        const random = new RandomOperations(randomOf(seed), 'a');
        const { workbook, targets } = workbookOf(random);
        const ghosts = new GhostCells(sheets);
        let current = workbook;
        const done: CellOperation[] = [];
        for (let step = 0; step < 8; step++) {
          const operation = random.structure(current, false);
          const after = applyOperation(current, operation);
          if (typeof after === 'string') continue;
          current = after;
          ghosts.apply(operation, `o${step}`);
          done.push(operation);
        }
        const places = ghosts.places();
        for (const { id, grid } of current.sheets) {
          for (const [formula, row, column] of grid.formulas()) {
            const owner = ghosts.at(id, row, column)!;
            const target = targets.get(owner);
            if (target === undefined) throw new Error(`a formula where there was none: ${owner}`);
            const now = targetOf(current, ghosts, id, formula.text);
            expect([owner, formula.text, now], JSON.stringify(done)).toEqual([
              owner,
              formula.text,
              places.has(target) ? target : null,
            ]);
          }
        }
      }),
      { numRuns: 25 },
    );
  });

  const apply = (formula: string, ...operations: readonly CellOperation[]): string => {
    const rows = [[20, 0, 20, 0, { f: formula }]] as unknown as RowJson[];
    const two = ['Sheet1', 'Data'].map((name, at) => ({
      id: `s${at + 1}`,
      properties: { name },
      rows: at === 0 ? rows : [],
    }));
    const before = parseWorkbook({ ...blankWorkbook(), sheets: two });
    const after = operations.reduce(
      (workbook, operation) => applyOperation(workbook, operation) as Workbook,
      before,
    );
    const [found] = sheetOf(after, 's1')!.grid.formulas();
    return found![0].text;
  };
  const rows = (op: 'insert' | 'delete', at: number, count: number): CellOperation => ({
    ...{ op, sheet: 's1', axis: 'row', at, count },
  });
  const columns = (op: 'insert' | 'delete', at: number, count: number): CellOperation => ({
    ...{ op, sheet: 's1', axis: 'column', at, count },
  });
  const inserted = (sheet: string, band?: [number, number]): CellOperation => ({
    ...{ op: 'insert', sheet, axis: 'row', at: band ? 1 : 0, count: 1 },
    ...(band ? { band } : {}),
  });

  it.each<[string, string, CellOperation]>([
    ['SUM(A2:A5)', 'SUM(A2:A7)', rows('insert', 3, 2)],
    ['SUM(A2:A5)', 'SUM(A4:A7)', rows('insert', 1, 2)],
    ['SUM(A2:A5)', 'SUM(A2:A5)', rows('insert', 5, 2)],
    ['SUM(A2:A5)', 'SUM(A2:A3)', rows('delete', 3, 2)],
    ['SUM(A2:A5)', 'SUM(A1:A2)', rows('delete', 0, 3)],
    ['SUM(A2:A5)+A6', 'SUM(#REF!)+A2', rows('delete', 1, 4)],
    ['SUM($A:$C,1:2)', 'SUM($A:$D,1:2)', columns('insert', 1, 1)],
    ['SUM($A:$C,1:2)', 'SUM($A:$C,1:3)', rows('insert', 1, 1)],
    ['SUM(B:B)', 'SUM(#REF!)', columns('delete', 1, 1)],
    ['SUM(A1:C3)', 'SUM(A1:C3)', inserted('s1', [0, 1])],
    ['SUM(A1:B3)', 'SUM(A1:B4)', inserted('s1', [0, 2])],
    ['Data!A2+A2+"A2"', 'Data!A2+A3+"A2"', rows('insert', 0, 1)],
    ['Data!A2+T1[Net]', 'Data!A3+T1[Net]', inserted('s2')],
    ['Data!A2+1', "'My data'!A2+1", { op: 'sheet', sheet: 's2', patch: { name: 'My data' } }],
    ['Data!A2+A1', '#REF!+A1', { op: 'removeSheet', sheet: 's2' }],
    ['SUM(Sheet1:Data!A1)', 'SUM(Sheet1!A1)', { op: 'removeSheet', sheet: 's2' }],
    [
      'SUM(A1:A3)+A1',
      'SUM(A1:A3)+D9',
      { op: 'moveCells', sheet: 's1', area: [0, 0, 0, 0], toSheet: 's1', row: 8, column: 3 },
    ],
    [
      'SUM(A1:A3)',
      'SUM(Data!D9:D11)',
      { op: 'moveCells', sheet: 's1', area: [0, 0, 2, 0], toSheet: 's2', row: 8, column: 3 },
    ],
    [
      'A9+D9',
      'A9+#REF!',
      { op: 'moveCells', sheet: 's1', area: [0, 0, 0, 0], toSheet: 's1', row: 8, column: 3 },
    ],
    ['A1:A9', 'A1:A9', { op: 'move', sheet: 's1', axis: 'row', at: 2, count: 2, to: 6 }],
    ['A3:A4+A6', 'A5:A6+A4', { op: 'move', sheet: 's1', axis: 'row', at: 2, count: 2, to: 6 }],
    ['SUM($B$2:C4)', 'SUM($C$2:D4)', columns('insert', 0, 1)],
  ])('[XC12] %s becomes %s', (formula, expected, operation) => {
    expect(apply(formula, operation)).toBe(expected);
  });
});
