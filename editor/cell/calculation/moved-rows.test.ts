import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compileEngine } from '../../../model/calculation/engine-instance.ts';
import { CalculationHost } from '../../../model/cell/calculation-host.ts';
import { applyOperation } from '../../../model/cell/change.ts';
import { parseWorkbook, WORKBOOK_FORMAT } from '../../../model/cell/document.ts';
import { movedSheets } from '../../../model/cell/moved-sheets.ts';
import type { CellOperation } from '../../../model/cell/operations.ts';
import { RandomOperations, randomOf } from '../../../model/cell/testing/random-operations.ts';
import { RandomWorkbook } from '../../../model/cell/testing/random-workbook.ts';
import { WORKBOOK_VERSION } from '../../../model/cell/version.ts';
import type { Workbook } from '../../../model/cell/workbook.ts';
import type { WorkerAnswer, WorkerRequest } from './calculation-worker.ts';
import { type CalculationWorker, PageCalculation } from './page-calculation.ts';

const engine = compileEngine(
  readFileSync(new URL('../../../model/calculation/engine/calculation.wasm', import.meta.url)),
);

/** A page whose worker answers at once. */
class Page {
  /** What was told with the last version, and how many values came of it. */
  told: WorkerRequest[] = [];
  answered = 0;
  readonly #calculation = new PageCalculation({
    region: 'en',
    makeWorker: () => this.#worker(),
    movedSheets: () => movedSheets,
    onValues: () => undefined,
    onProblem: (problem) => expect(problem).toBeNull(),
    onLong: () => undefined,
    patienceMs: { first: 1e6, later: 1e6 },
  });

  update(workbook: Workbook): void {
    this.told = [];
    this.#calculation.update(workbook);
  }

  get moves(): number {
    return this.#changes.filter((change) => 'moved' in change).length;
  }

  get contents(): number {
    return this.#changes.filter((change) => 'content' in change).length;
  }

  /** Whether the calculation has begun anew. */
  get framed(): boolean {
    return this.told.some((request) => 'frame' in request);
  }

  get #changes() {
    return this.told.flatMap((request) => ('changes' in request ? request.changes : []));
  }

  /** Everything that is known of the cells of a workbook. */
  known({ sheets }: Workbook): Record<string, unknown> {
    const known: Record<string, unknown> = {};
    for (const { id, grid } of sheets)
      for (let row = 0; row < 40; row++)
        for (let column = 0; column < 16; column++) {
          const value = this.#calculation.valueOf(id, row, column);
          const isFormula = grid.cell(row, column).formula !== null;
          const stale = isFormula ? this.#calculation.staleness(id, row, column) : undefined;
          if (value !== undefined || stale) known[`${id} ${row} ${column}`] = [value, stale];
        }
    return known;
  }

  valueOf(row: number, column: number): unknown {
    return this.#calculation.valueOf('s1', row, column);
  }

  stop(): void {
    this.#calculation.stop();
  }

  #worker(): CalculationWorker {
    const host = new CalculationHost(engine);
    const worker = {
      onmessage: null as ((event: { data: WorkerAnswer }) => void) | null,
      onerror: null,
      postMessage: (request: WorkerRequest) => {
        this.told.push(structuredClone(request));
        const answer = 'changes' in request ? host.take(structuredClone(request)) : null;
        if (!answer) return;
        this.answered = answer.values.length;
        worker.onmessage?.({ data: answer });
      },
      terminate: () => undefined,
    };
    return worker as unknown as CalculationWorker;
  }
}

/** Names and tables that move begin a calculation anew. */
function withoutNames(workbook: Workbook): Workbook {
  const sheets = workbook.sheets.map((sheet) => ({ ...sheet, items: { ...sheet.items, table: new Map() } }));
  return { ...workbook, sheets, items: { ...workbook.items, name: new Map() } };
}

test('[CE80] after rows were put in and taken out a page knows what one knows that begins there', () => {
  let moves = 0;
  fc.assert(
    fc.property(fc.nat(), (seed) => {
      const random = new RandomOperations(randomOf(seed), 'a');
      const workbooks = new RandomWorkbook(random);
      let workbook = workbooks.workbook();
      if (seed % 4 > 0) workbook = withoutNames(workbook);
      const page = new Page();
      page.update(workbook);
      for (let step = 0; step < 4; step++) {
        const { after, done } = workbooks.changed(workbook);
        workbook = after;
        page.update(workbook);
        moves += page.moves;
        const fresh = new Page();
        fresh.update(workbook);
        expect(page.known(workbook), JSON.stringify(done)).toEqual(fresh.known(workbook));
        fresh.stop();
      }
      page.stop();
    }),
    { numRuns: 20 },
  );
  expect(moves).toBeGreaterThan(3);
});

const sheetOf = (rows: readonly unknown[], items = {}): Workbook =>
  parseWorkbook({
    items,
    format: WORKBOOK_FORMAT,
    version: WORKBOOK_VERSION,
    formats: [{}],
    sheets: [{ id: 's1', properties: { name: 'First' }, rows }],
  });

const after = (workbook: Workbook, ...operations: readonly CellOperation[]): Workbook =>
  operations.reduce((version, operation) => applyOperation(version, operation) as Workbook, workbook);

const insertion = (at: number, count = 1): CellOperation => ({
  ...{ op: 'insert', sheet: 's1', axis: 'row', at, count },
});

test('[CE80] of a row that is put in nothing is told but that, and what reads across it', () => {
  const rows = Array.from({ length: 300 }, (_, at) => {
    const row = at + 1;
    const formulas = [{ f: `SUM(A${row}:B${row})` }, { f: `C${row}*1.5+$A$1` }, { f: `SUM(A$1:A${row})` }];
    return [0, 0, 0, 0, row, 1, 0, 2, ...formulas.flatMap((formula, column) => [column + 2, 0, formula])];
  });
  const page = new Page();
  const before = sheetOf(rows);
  page.update(before);
  const inserted = after(before, insertion(200));
  page.update(inserted);
  expect([page.moves, page.contents, page.answered]).toEqual([1, 0, 0]);
  const deletion: CellOperation = { op: 'delete', sheet: 's1', axis: 'row', at: 100, count: 1 };
  page.update(after(inserted, deletion));
  // The growing sums below the row lose what stood there.
  expect([page.moves, page.contents, page.answered]).toEqual([1, 0, 199]);
  page.stop();
});

test('[CE80] whole columns have what has moved, also where the engine is made anew', () => {
  const before = sheetOf([
    [0, 0, 0, 0, 1, 1, 0, { f: 'SUM(A:A)' }],
    [0, 0, 0, 0, 2, 1, 0, { f: 'A2*$A$1' }],
  ]);
  const page = new Page();
  page.update(before);
  page.update(after(before, insertion(1)));
  expect([page.moves, page.valueOf(0, 1), page.valueOf(2, 1)]).toEqual([1, 3, 2]);
  page.update(before);
  const moved = after(before, insertion(1, 2_000));
  page.update(moved);
  expect(page.moves).toBe(1);
  page.update(after(moved, { op: 'set', sheet: 's1', cells: [[2_001, 0, { v: 5 }]] }));
  expect(page.known(moved)).toEqual({ 's1 0 1': [6, undefined] });
  expect(page.valueOf(2_001, 1)).toBe(5);
  page.stop();
});

test('[CE80] an array that rows come between spills anew', () => {
  const dynamic = { f: { t: 'SEQUENCE(3)', a: ['dynamic', 1, 1] } };
  const before = sheetOf([
    [0, 0, 0, 0, dynamic, 1, 0, { f: 'SUM(A1:A4)' }],
    [0, 0, 2, 0, 1],
  ]);
  const page = new Page();
  page.update(before);
  page.update(after(before, insertion(1)));
  expect(page.moves).toBe(1);
  expect([0, 1, 2, 3].map((row) => page.valueOf(row, 0))).toEqual([1, 2, 3, undefined]);
  expect(page.valueOf(0, 1)).toBe(6);
  page.stop();
});

test('[CE126] what is put into a cell of an array has the value of the array, as where the workbook is opened anew', () => {
  const array = { f: { t: 'D1:D2*2', a: ['array', 2, 1] } };
  const before = sheetOf([
    [0, 0, 0, 0, array, 3, 0, 3],
    [0, 0, 3, 0, 4],
  ]);
  const page = new Page();
  page.update(before);
  expect(page.valueOf(1, 0)).toBe(8);
  for (const content of [{ f: 'PHONETIC(D1)' }, { f: 'D1+1' }, { f: 'PHONETIC(D2)' }]) {
    const changed = after(before, { op: 'set', sheet: 's1', cells: [[1, 0, content]] });
    page.update(changed);
    const fresh = new Page();
    fresh.update(changed);
    expect(page.known(changed)).toEqual(fresh.known(changed));
    expect(page.valueOf(1, 0)).toBe(8);
    fresh.stop();
  }
  page.stop();
});

test('[CE82] where what is printed moves with rows a calculation goes on, unless a formula uses it', () => {
  const name = { name: '_xlnm.Print_Area', formula: 'First!$A$1:$A$2', scope: 's1' };
  const before = sheetOf(
    [
      [0, 0, 0, 0, 3, 1, 0, { f: 'A1*2' }],
      [0, 0, 0, 0, 4],
    ],
    { name: { n1: name } },
  );
  const page = new Page();
  page.update(before);
  const moved = after(before, insertion(1));
  page.update(moved);
  expect([page.moves, page.framed]).toEqual([1, false]);
  const used = after(moved, { op: 'set', sheet: 's1', cells: [[5, 3, { f: 'SUM(_xlnm.Print_Area)' }]] });
  page.update(used);
  expect([page.framed, page.valueOf(5, 3)]).toEqual([true, 7]);
  page.update(after(used, insertion(1)));
  expect([page.framed, page.valueOf(6, 3), page.valueOf(0, 1)]).toEqual([true, 7, 6]);
  page.stop();
});
