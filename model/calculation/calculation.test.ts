import { readFileSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { columnName } from '../cell-address.ts';
import type {
  Calculation,
  CellContent,
  CellFormula,
  CellResult,
  CellValue,
  Change,
  Moment,
  Workbook,
} from './calculation.ts';
import { compileEngine } from './engine-instance.ts';
import { cellOf } from './formula-tokens.ts';
import { openCalculation } from './workbook-calculation.ts';

const bytes = readFileSync(new URL('./engine/calculation.wasm', import.meta.url));
const module = compileEngine(bytes);
const moment: Moment = { timeMs: Date.UTC(2026, 2, 4, 5, 6, 7), timeZone: 'UTC', seed: 7 };

const single = (formula: string, stored?: CellValue): CellFormula => ({
  formula,
  kind: 'single',
  ...(stored !== undefined && { stored }),
});
const dynamic = (formula: string): CellFormula => ({ formula, kind: 'dynamic' });

/** Sheets with the contents of their cells by address. */
type Sheets = Record<string, Record<string, CellContent>>;

/** A workbook that a test changes, and its calculation. */
class Trial {
  readonly values = new Map<string, CellValue | null>();
  readonly #cells = new Map<string, Change & { content: CellContent }>();
  readonly #names: string[];
  readonly #hidden: Change[];
  readonly calculation: Calculation;
  lastChanged: CellResult[] = [];

  constructor(
    sheets: Sheets,
    {
      hidden = [],
      engine = module,
      ...more
    }: Partial<Workbook> & { hidden?: Change[]; engine?: object } = {},
  ) {
    this.#names = Object.keys(sheets);
    this.#hidden = hidden;
    for (const [name, cells] of Object.entries(sheets)) {
      for (const [address, content] of Object.entries(cells)) this.#keep(name, address, content);
    }
    const workbook: Workbook = {
      sheets: this.#names,
      names: [],
      tables: [],
      from1904: false,
      iterates: false,
      changes: () => [...this.#hidden, ...this.#cells.values()],
      content: (sheet, row, column) =>
        this.#cells.get(`${this.#names[sheet]}!${columnName(column - 1)}${row}`)?.content ?? null,
      ...more,
    };
    this.calculation = openCalculation(engine, workbook);
    this.calculate();
  }

  #keep(name: string, address: string, content: CellContent): Change {
    const { row, column } = cellOf(address);
    const change = { sheet: this.#names.indexOf(name), row, column, content };
    this.#cells.set(`${name}!${address}`, change);
    return change;
  }

  /** Sets cells of the first sheet, and calculates. */
  set(cells: Record<string, CellContent>): void {
    const changes = Object.entries(cells).map(([address, content]) =>
      this.#keep(this.#names[0]!, address, content),
    );
    this.calculation.apply(changes);
    this.calculate();
  }

  calculate(at: Moment = moment): void {
    this.calculation.recalculate(at);
    this.lastChanged = this.calculation.changed();
    for (const { sheet, row, column, value } of this.lastChanged) {
      this.values.set(`${this.#names[sheet]}!${columnName(column - 1)}${row}`, value);
    }
  }

  /** The value of a formula, of the first sheet unless the address names another. */
  value(address: string): CellValue | null | undefined {
    return this.values.get(address.includes('!') ? address : `${this.#names[0]}!${address}`);
  }

  /** The values of formulas whose addresses have spaces between them. */
  all(addresses: string): (CellValue | null | undefined)[] {
    return addresses.split(' ').map((address) => this.value(address));
  }

  stale(address: string): string | undefined {
    const { row, column } = cellOf(address);
    return this.calculation.stale(0, row, column);
  }
}

/** What a formula gives in A1 of a workbook in which nothing else is. */
function calculated(formula: string, more: Partial<Workbook> = {}): CellValue | null | undefined {
  return new Trial({ Sheet: { A1: single(formula) } }, more).value('A1');
}

describe('values', () => {
  test('[CE1] numbers come out of the engine bit by bit as they went in, and the engine imports nothing', () => {
    const { Module } = Reflect.get(globalThis, 'WebAssembly') as {
      Module: { imports(of: object): unknown[] };
    };
    expect(Module.imports(module)).toEqual([]);
    fc.assert(
      fc.property(
        fc.array(fc.double({ noNaN: true, noDefaultInfinity: true }), { maxLength: 200 }),
        (numbers) => {
          const cells = numbers.flatMap((number, index): [string, CellContent][] => [
            [`A${index + 1}`, number],
            [`B${index + 1}`, single(`A${index + 1}`)],
          ]);
          const trial = new Trial({ Sheet: Object.fromEntries(cells) });
          numbers.forEach((number, index) => {
            // Smaller ones have fewer digits, and are none in Excel.
            const isNormal = number === 0 || Math.abs(number) >= 2 ** -1022;
            expect(Object.is(trial.value(`B${index + 1}`), isNormal ? number : 0)).toBe(true);
          });
        },
      ),
      { numRuns: 20 },
    );
  });

  test('[CE1] texts, booleans and errors come out as they went in', () => {
    const cells = { A1: 'häß\u0000日本 𝄞', A2: true, A3: { error: '#N/A' }, A4: '' };
    const formulas = { B1: single('A1'), B2: single('A2'), B3: single('A3'), B4: single('A4') };
    const trial = new Trial({ Sheet: { ...cells, ...formulas } });
    expect(trial.all('B1 B2 B3 B4')).toEqual(Object.values(cells));
  });

  test('[CE2] only changed values are told, and null where nothing is spilled any more', () => {
    const trial = new Trial({
      Sheet: { A1: 3, B1: dynamic('=SEQUENCE(A1)'), C1: single('A1*2'), C2: single('5*5') },
    });
    expect(trial.lastChanged).toHaveLength(5);
    trial.set({ A1: 2 });
    expect(trial.lastChanged.map(({ row, column, value }) => [row, column, value]).sort()).toEqual([
      [1, 3, 4],
      [3, 2, null],
    ]);
    trial.calculate();
    expect(trial.lastChanged).toEqual([]);
  });

  test('[CE3] what is no number of a cell is an error', () => {
    const trial = new Trial({
      Sheet: { A1: Number.NaN, A2: Number.POSITIVE_INFINITY, B1: single('A1'), B2: single('A2+1') },
    });
    expect([trial.value('B1'), trial.value('B2')]).toEqual([{ error: '#NUM!' }, { error: '#NUM!' }]);
  });
});

describe('moments', () => {
  test('[CE4] time and chance depend on the given moment alone, not on what was calculated before', () => {
    const cells = {
      A1: single('NOW()'),
      A2: single('TODAY()'),
      B1: single('RAND()'),
      B2: single('B3+RAND()'),
      B3: single('RAND()'),
    };
    const one = new Trial({ Sheet: cells });
    expect([one.value('A1'), one.value('A2')]).toEqual([46085 + (5 * 3600 + 6 * 60 + 7) / 86400, 46085]);
    const first = [...one.values];
    one.calculate({ ...moment, seed: 8 });
    expect(one.value('B1')).not.toBe(new Map(first).get('Sheet!B1'));
    one.set({ C1: single('SUM(B1:B3)'), A9: 1 });
    one.values.delete('Sheet!C1');
    expect([...one.values]).toEqual(first);
    const berlin = new Trial({ Sheet: { A1: single('TODAY()') } });
    berlin.calculate({ ...moment, timeMs: Date.UTC(2026, 6, 1, 22, 30), timeZone: 'Europe/Berlin' });
    expect(berlin.value('A1')).toBe(46205);
  });
});

describe('formulas of files', () => {
  const table = {
    name: 'Sales',
    sheet: 0,
    firstRow: 1,
    firstColumn: 1,
    lastRow: 4,
    lastColumn: 2,
    headerRows: 1,
    totalsRows: 1,
    columns: ['Item', 'Price [€]'],
  };

  test('[CE5] structured references are ranges of their table', () => {
    const cells = {
      A1: 'Item',
      B1: 'Price [€]',
      A2: 'a',
      B2: 1,
      A3: 'b',
      B3: 2,
      B4: single("SUBTOTAL(109,Sales[Price '[€']])"),
    };
    const formulas = {
      C2: single("Sales[[#This Row],[Price '[€']]]*10"),
      C3: single("[@[Price '[€']]]*10"),
      D1: single("COUNTA(Sales[#All])&COUNTA(Sales)&Sales[[#Headers],[Item]]&Sales[[#Totals],[Price '[€']]]"),
      D2: single('SUM(Sales[Cost])'),
    };
    const trial = new Trial({ Sheet: { ...cells, ...formulas } }, { tables: [table] });
    expect(trial.all('B4 C2 D1 D2')).toEqual([3, 10, '74Item3', { error: '#REF!' }]);
    // C is not within the table, so its row says nothing.
    expect(trial.stale('C3')).toBe('unreadable');
  });

  test('[CE5] names stand for their formulas, those of the sheet first, and for functions', () => {
    const names = [
      { name: 'Rate', formula: '0.5' },
      { name: 'Rate', sheet: 1, formula: '=0.25' },
      { name: 'Left', formula: 'Sheet!XFD1048576+Rate*2' },
      { name: 'Data', formula: 'Sheet!$A$1:$A$3' },
      { name: 'Twice', formula: '_xlfn.LAMBDA(_xlpm.x,_xlpm.x*2)' },
      { name: 'Round', formula: 'Round+1' },
    ];
    const trial = new Trial(
      {
        Sheet: {
          A1: 1,
          A2: 2,
          A3: 3,
          B2: single('Left'),
          B3: single('SUM(data)*Rate'),
          B4: single('Twice(Rate)'),
          B5: single('Round'),
        },
        Other: { A1: single('Rate'), A2: single('Sheet!Rate') },
      },
      { names },
    );
    expect(trial.all('B2 B3 B4 Other!A1 Other!A2')).toEqual([2, 3, 1, 0.25, 0.5]);
    expect(trial.stale('B5')).toBe('circular');
  });

  test('[CE6] formulas of the time before dynamic arrays take the cell of their row; others spill', () => {
    const cells = { A1: 1, A2: 2, A3: 3 };
    const trial = new Trial({
      Sheet: {
        ...cells,
        B2: single('A1:A3*10'),
        C1: dynamic('A1:A3*10'),
        D1: { formula: 'A1:A3*10', kind: 'array', rows: 2, columns: 1 },
        E1: single('SUM(_xlfn.ANCHORARRAY(C1))'),
      },
    });
    expect(trial.all('B2 C1 C2 C3 D1 D2 D3 E1')).toEqual([20, 10, 20, 30, 10, 20, undefined, 60]);
  });

  test('[CE6] stored values that a formula has spilled do not stand in its way; what is typed there does', () => {
    const trial = new Trial({
      Sheet: {
        A1: { ...dynamic('SEQUENCE(3)'), rows: 3, columns: 1, stored: 1 },
        A2: 2,
        A3: 3,
        B1: { formula: '{1;2}', kind: 'array', rows: 2, columns: 1 },
        B2: 9,
      },
    });
    expect(trial.all('A1 A2 A3 B2')).toEqual([1, 2, 3, 2]);
    trial.set({ A2: 'typed' });
    expect([trial.value('A1'), trial.value('A3')]).toEqual([{ error: '#SPILL!' }, null]);
    trial.set({ A2: null });
    expect([trial.value('A1'), trial.value('A2')]).toEqual([1, 2]);
  });

  test('[CE103] what is not calculated is no error that a formula goes on with', () => {
    const trial = new Trial({
      Sheet: {
        A1: single('IFERROR(CELL("format",A9),0)', 'G'),
        A2: single('ISERROR(INFO("osversion"))', 8),
        A3: single('IFERROR(A1,"none")'),
        A4: single('IF(FALSE,CELL("width",A9),5)'),
        A5: single('IFERROR(ROWS(_xlfn.GROUPBY(B1:C2,B1:B2,_xleta.SUM)),0)', 3),
        A6: single('COUNT(IFERROR(CELL({"row","width"},A9),0))', 2),
        A7: single('LEN(BAHTTEXT(1000001))', 9),
        B1: 1,
        B2: 1,
        C1: 1,
        C2: 2,
      },
    });
    const stale = [...trial.calculation.staleCells()].map(({ row, why }) => [row, why]).sort();
    expect(stale).toEqual([1, 2, 5, 6, 7].map((row) => [row, 'not-supported']));
    expect(trial.all('A1 A2 A3 A4 A5 A6 A7')).toEqual(['G', 8, 'G', 5, 3, 2, 9]);
  });

  test('[CE7] a reference over several sheets is one to each of them', () => {
    const trial = new Trial({
      Sum: { A1: single("SUM('Jan 1:Mar'!B2:B3)"), A2: single("'Jan 1:Mar'!B2", 4), A3: single('SHEETS()') },
      'Jan 1': { B2: 1 },
      Feb: { B2: 2, B3: 3 },
      Mar: { B2: 4 },
      Apr: { B2: 100 },
    });
    expect([trial.value('A1'), trial.value('A3')]).toEqual([10, 5]);
    expect([trial.value('A2'), trial.stale('A2')]).toEqual([4, 'not-supported']);
  });

  test('[CE65] a sheet is found whatever the case of its name', () => {
    const trial = new Trial(
      {
        One: {
          A1: single('tWO!A1+1'),
          A2: single("SUM('two'!A1:A2)"),
          A3: single('Named'),
          A4: single('SUM(two!A1:INDEX(TWO!A1:A2,2))'),
          A5: single('SUM(one:two!A1)-A1'),
          A6: single('SUM(two!A:A)'),
        },
        Two: { A1: 4, A2: 5 },
      },
      { names: [{ name: 'Named', formula: 'TWO!$A$2' }] },
    );
    expect(trial.all('A1 A2 A3 A4 A5 A6')).toEqual([5, 9, 5, 9, 4, 9]);
  });

  test('[CE8] totals leave out rows that a filter hides, other totals, and hidden rows where they say so', () => {
    const cells = { A1: 1, A2: 2, A3: 4, A4: single('SUBTOTAL(9,A1:A3)'), A5: { error: '#N/A' } };
    const formulas = {
      B1: single('SUBTOTAL(9,A1:A4)'),
      B2: single('SUBTOTAL(109,A1:A4)'),
      B3: single('AGGREGATE(9,6,A1:A5)'),
      B4: single('AGGREGATE(9,3,A1:A5)'),
      B5: single('AGGREGATE(14,6,A1:A3/(A1:A3<4),1)'),
      B6: single('AGGREGATE(1,,A1:A2)'),
    };
    const hidden: Change[] = [
      { sheet: 0, row: 2, hidden: 'by-hand' },
      { sheet: 0, row: 3, hidden: 'by-filter' },
    ];
    const trial = new Trial({ Sheet: { ...cells, ...formulas } }, { hidden });
    expect(trial.all('B1 B2 B3 B4 B5 B6')).toEqual([3, 1, 6, 1, 2, 1.5]);
    trial.calculation.apply([{ sheet: 0, row: 3, hidden: null }]);
    trial.calculate();
    expect([trial.value('B1'), trial.value('B2')]).toEqual([7, 5]);
  });

  test('[CE9] whole columns are looked through as far as they are used, also when they grow', () => {
    const trial = new Trial({
      Sheet: {
        A1: 'a',
        B1: 1,
        D1: single('VLOOKUP("z",A:B,2,FALSE)'),
        D2: single('ROWS(A:A)'),
        D3: single('MATCH("z",A2:A1048576,0)'),
      },
    });
    expect(trial.all('D1 D2 D3')).toEqual([{ error: '#N/A' }, 1_048_576, { error: '#N/A' }]);
    trial.set({ A2000: 'z', B2000: 42 });
    expect(trial.all('D1 D3')).toEqual([42, 1999]);
  });
});

describe('what cannot be calculated', () => {
  test('[CE10] unknown and missing functions, other workbooks and what is no formula keep their stored value, and say why', () => {
    const trial = new Trial({
      Sheet: {
        A1: single('MyMacro(1)', 12),
        A2: single('GETPIVOTDATA("Sum",A9)', 'x'),
        A3: single('[1]Sheet1!A1*2', 3),
        A4: single('1+*2', true),
        A5: single('_xlfn.UNHEARD.OF(1)'),
        B1: single('A1*2'),
      },
    });
    expect([...trial.calculation.staleCells()].map(({ row, why }) => [row, why])).toEqual([
      [2, 'not-supported'],
      [3, 'external'],
      [1, 'unknown-function'],
      [4, 'unreadable'],
      [5, 'unknown-function'],
    ]);
    expect(trial.all('A1 A2 A3 A4 A5 B1')).toEqual([12, 'x', 3, true, { error: '#NAME?' }, 24]);
    trial.set({ A1: single('1+1') });
    expect([trial.value('A1'), trial.value('B1'), trial.stale('A1')]).toEqual([2, 4, undefined]);
  });

  test('[CE72] [CE98] what goes on behind its end, and what asks how a cell looks or what the computer is', () => {
    const trial = new Trial({
      Sheet: {
        A1: single('CELL("format",A9)', 'G'),
        A2: single('INFO("osversion")', 'NT'),
        A3: single('SUM(B1:B3)5', 7),
        A4: single('B1)', 8),
      },
    });
    const stale = [...trial.calculation.staleCells()].map(({ row, why }) => [row, why]).sort();
    expect(stale).toEqual([
      [1, 'not-supported'],
      [2, 'not-supported'],
      [3, 'unreadable'],
      [4, 'unreadable'],
    ]);
    expect(trial.all('A1 A2 A3 A4')).toEqual(['G', 'NT', 7, 8]);
  });

  test('[CE11] circular formulas keep their stored value or 0 and say that they are, until they are not', () => {
    const trial = new Trial({ Sheet: { A1: single('B1+1', 5), B1: single('A1+1'), C1: single('A1*2') } });
    expect([trial.stale('A1'), trial.stale('B1'), trial.stale('C1')]).toEqual([
      'circular',
      'circular',
      undefined,
    ]);
    expect(trial.all('A1 B1 C1')).toEqual([5, 0, 10]);
    trial.set({ D1: 1 });
    expect([trial.stale('A1'), trial.value('C1')]).toEqual(['circular', 10]);
    trial.set({ B1: 7 });
    expect([trial.stale('A1'), trial.value('A1'), trial.value('C1')]).toEqual([undefined, 8, 16]);
  });

  /** Formulas of all kinds that read A1 to A3 in all ways, without being part of what is wrong there. */
  const readers: Record<string, CellContent> = {
    C1: single('A1*2'),
    C2: single('SUMPRODUCT(A1:A3*1)'),
    C3: single('SUM(Taken)+SUM(Numbers[N])'),
    C4: single('SUM(INDEX(A:A,2):A3)+MATCH(A2,A1:A3,0)'),
    D1: { formula: 'A1:A3*2', kind: 'array', rows: 3, columns: 1 },
    E1: { formula: 'SUM(A1:A3*2)', kind: 'array', rows: 1, columns: 1 },
    F1: dynamic('A1:A3*2'),
    G1: dynamic('_xlfn.ANCHORARRAY(F1)+1'),
    H1: dynamic('Taken&""'),
    I1: dynamic('Numbers[N]+1'),
    J1: dynamic('_xlfn.UNIQUE(A1:A3)'),
    K1: { formula: 'D1:D3+1', kind: 'array', rows: 3, columns: 1 },
  };
  const ofReaders = 'C1 C2 C3 C4 D1 D2 D3 E1 F1 F2 F3 G1 G2 G3 H1 H2 H3 I1 I2 I3 J1 J2 J3 K1 K2 K3';
  /** Their values where A1 to A3 are 5, 6 and 1. */
  const ofFive = [
    ...[10, 12, 24, 9, 10, 12, 2, 24, 10, 12, 2, 11, 13, 3],
    ...['5', '6', '1', 6, 7, 2, 5, 6, 1, 11, 13, 3],
  ];
  const numbersTable = {
    ...{ name: 'Numbers', sheet: 0, firstRow: 1, firstColumn: 1, lastRow: 3, lastColumn: 1 },
    ...{ headerRows: 0, totalsRows: 0, columns: ['N'] },
  };

  test.each([
    ['of single cells', 'A2-1'],
    ['through a range', 'SUM(A2:A3)-1'],
    ['through a name', 'SUM(Others)-1'],
    ['through a table', 'SUM(Rest[N])-1'],
  ])('[CE66] what only reads a circle %s is calculated with the stored values', (_, first) => {
    const trial = new Trial(
      { Sheet: { A1: single(first, 5), A2: single('A1+1', 6), A3: 1, ...readers } },
      {
        names: [
          { name: 'Taken', formula: 'Sheet!$A$1:$A$3' },
          { name: 'Others', formula: 'Sheet!$A$2:$A$3' },
        ],
        tables: [numbersTable, { ...numbersTable, name: 'Rest', firstRow: 2 }],
      },
    );
    const stale = [...trial.calculation.staleCells()].map(({ row, column, why }) => [row, column, why]);
    expect(stale).toEqual([
      [1, 1, 'circular'],
      [2, 1, 'circular'],
    ]);
    expect(trial.all(ofReaders)).toEqual(ofFive);
    trial.set({ A3: 1 });
    expect(trial.all(ofReaders)).toEqual(ofFive);
    trial.set({ A1: 6, A2: 7 });
    expect([trial.stale('A1'), ...trial.all('C1 D1 F2 K2')]).toEqual([undefined, 12, 12, 14, 15]);
  });

  test('[CE66] arrays of all kinds that are on a circle say so, and what they fill is as stored or 0', () => {
    const trial = new Trial(
      {
        Sheet: {
          A1: { formula: 'B1:B2+1', kind: 'array', rows: 2, columns: 1, stored: 4 },
          B1: single('A2+1', 7),
          B2: 1,
          C1: dynamic('D1:D2+1'),
          D1: single('SUM(Spilled)'),
          E1: single('A1+B1+C1+D1'),
        },
      },
      { names: [{ name: 'Spilled', formula: 'Sheet!$C$1:$C$2' }] },
    );
    const circular = [...trial.calculation.staleCells()].map(({ row, column }) => [row, column]);
    expect(circular.sort()).toEqual([
      [1, 1],
      [1, 2],
      [1, 3],
      [1, 4],
    ]);
    expect(trial.all('A1 B1 C1 D1 E1')).toEqual([4, 7, 0, 0, 11]);
  });

  const nested = (depth: number) => `${'IF(A1>0,1,'.repeat(depth)}2${')'.repeat(depth)}`;

  test('[CE12] two hundred and seventy nested functions are calculated; more than anybody writes is not', () => {
    const trial = new Trial({
      Sheet: {
        A1: 0,
        B1: single(nested(270)),
        B2: single(nested(300), 3),
        B3: single(`1${'+1'.repeat(959)}`),
        B4: single('A1'.repeat(20_000), 4),
        C1: single('B1+1'),
      },
    });
    expect([trial.value('B1'), trial.value('B3'), trial.value('C1')]).toEqual([2, 960, 3]);
    expect([trial.stale('B2'), trial.value('B2'), trial.stale('B4')]).toEqual(['too-deep', 3, 'too-deep']);
  });

  test('[CE12] as many are calculated by optimised code, which takes twice as much of the stack', () => {
    // A section without meaning: code of the same bytes that has been compiled already is used again.
    const other = Buffer.concat([bytes, Buffer.from([0, 2, 1, 120])]);
    setFlagsFromString('--no-liftoff');
    try {
      const sheet = { A1: 0, B1: single(nested(270)), B2: single(`${'1+('.repeat(200)}1${')'.repeat(200)}`) };
      const trial = new Trial({ Sheet: sheet }, { engine: compileEngine(other) });
      expect(trial.all('B1 B2')).toEqual([2, 201]);
    } finally {
      setFlagsFromString('--liftoff');
    }
  });

  test('[CE13] a formula over which the engine breaks down keeps its stored value, and the rest is calculated', () => {
    const names = [{ name: 'Down', formula: 'LAMBDA(n,IF(n=0,0,1+Down(n-1)))' }];
    const trial = new Trial(
      { Sheet: { A1: 2, B1: single('Down(1000000)', 11), B2: single('Down(A1)'), B3: single('B1+B2') } },
      { names },
    );
    expect([trial.stale('B1'), trial.value('B1'), trial.value('B2'), trial.value('B3')]).toEqual([
      'failed',
      11,
      2,
      13,
    ]);
    trial.set({ A1: 3 });
    expect([trial.value('B2'), trial.value('B3')]).toEqual([3, 14]);
    trial.set({ B1: single('Down(4)') });
    expect([trial.stale('B1'), trial.value('B3')]).toEqual([undefined, 7]);
  });

  test('[CE13] a workbook without sheets, or with a name that no sheet can have, is refused', () => {
    expect(() => new Trial({})).toThrow('without a sheet');
    expect(() => new Trial({ 'a/b': {} })).toThrow('cannot be calculated');
  });
});

describe('dates and texts', () => {
  test('[CE14] serial numbers are those of Excel in both systems, also before March 1900', () => {
    const cases: [string, CellValue][] = [
      ['DATE(1900,1,1)', 1],
      ['DATE(1900,2,29)', 60],
      ['DATE(1900,3,1)', 61],
      ['DAY(60)', 29],
      ['YEAR(0)&"-"&MONTH(0)&"-"&DAY(0)', '1900-1-0'],
      ['EDATE(0,1)', 31],
      ['EDATE(0,0)', 0],
      ['EDATE(0,2)', 60],
      ['EDATE(0,-1)', { error: '#NUM!' }],
      ['EOMONTH(0,0)', 31],
      ['EOMONTH(A9,1)', 60],
      ['EOMONTH(0,-1)', { error: '#NUM!' }],
      ['HOUR(2958465.5)', 12],
      ['HOUR(2958466)&MINUTE(3E6)', { error: '#NUM!' }],
      ['SECOND(2958466)', { error: '#NUM!' }],
      ['TEXT(59,"yyyy-mm-dd")', '1900-02-28'],
    ];
    for (const [formula, value] of cases) expect([formula, calculated(formula)]).toEqual([formula, value]);
    const from1904 = { from1904: true };
    expect(calculated('DATE(1904,1,1)', from1904)).toBe(0);
    expect(calculated('EDATE(0,0)&" "&EOMONTH(0,0)', from1904)).toBe('0 30');
    expect(calculated('DATE(2016,3,9)', from1904)).toBe(42_438 - 1_462);
    expect(calculated('YEAR(40976)&TEXT(40976,"ddd")', from1904)).toBe('2016Wed');
    expect(calculated('TODAY()', from1904)).toBe(46_085 - 1_462);
  });

  test.each([
    ['1234.567', '#,##0.00', '1,234.57'],
    ['-1234.567', '#,##0.00;(#,##0.00)', '(1,234.57)'],
    ['0', '0;-0;"none"', 'none'],
    ['0.256', '0.0%', '25.6%'],
    ['1234567', '0.0,,"M"', '1.2M'],
    ['12345', '0.00E+00', '1.23E+04'],
    ['0', '#e-#', '0e0'],
    ['0', '##E+0" units"', '0E+0 units'],
    ['0', '0.0E+0', '0.0E+0'],
    ['1.75', '# ?/?', '1 3/4'],
    ['5', '000', '005'],
    ['5551234', '000-0000', '555-1234'],
    ['12', '[>10]"many";"few"', 'many'],
    ['46085.5', 'd mmmm yyyy', '4 March 2026'],
    ['46085.5', 'dd\\ mmm\\ yy hh:mm AM/PM', '04 Mar 26 12:00 PM'],
    ['1.5', '[h]:mm', '36:00'],
    ['0.123456789', 'mm:ss.000', '57:46.667'],
    ['"word"', '"<"@">"', '<word>'],
    ['1/3', 'General', '0.333333333'],
    ['2.5', '[$€-407] 0.00', '€ 2.50'],
  ])('[CE15] TEXT(%s, %s) gives %s', (value, format, text) => {
    expect(calculated(`TEXT(${value},"${format.replaceAll('"', '""')}")`)).toBe(text);
  });

  test('[CE15] numbers in texts have fifteen digits', () => {
    expect(calculated('(0.1+0.2)&" "&1/3&" "&1E21&" "&-0.5&" "&123456789012')).toBe(
      '0.3 0.333333333333333 1E+21 -0.5 123456789012',
    );
  });

  test('[CE16] corrected functions give what Excel gives', () => {
    const cases: [string, CellValue][] = [
      ['CONVERT(0,"K","C")', -273.15],
      ['COUNT({1;2;4;"Text";TRUE})', 3],
      ['AVERAGE({1;2;4;"Text";TRUE})', 7 / 3],
      ['PRODUCT({2,3})', 6],
      ['LEFT("word","2")', 'wo'],
      ['SUM(OFFSET(B1:C2,0,0,,1))', 0],
      ['CODE(CHAR(10))', 10],
      ['INDEX(_xlfn.SORT({1;3;2},,-1),1)', 3],
      ['INDEX(LINEST({2,4,6},{1,2,3}),1)', 2],
    ];
    for (const [formula, value] of cases) expect([formula, calculated(formula)]).toEqual([formula, value]);
  });

  test('[CE16] a range of one cell is one for functions with criteria', () => {
    const formulas = {
      B1: single('SUMIF(A1,">2")'),
      B2: single('COUNTIF(A1,3)'),
      B3: single('AVERAGEIF(A1,3,A1)'),
      B4: single('SUMIFS(A1,A1,"<3")'),
      B5: single('COUNTIFS(A1,3,A1,">0")'),
    };
    const trial = new Trial({ Sheet: { A1: 3, ...formulas } });
    expect(trial.all('B1 B2 B3 B4 B5')).toEqual([3, 1, 3, 0, 1]);
  });

  test('[CE20] orders and combinations beyond all numbers are errors at once', () => {
    const absurd = [
      'BESSELI(1,1E9)',
      'BESSELJ(1,1E9)',
      'BESSELK(1,1E9)',
      'BESSELY(1,1E9)',
      'COMBIN(1E300,5E299)',
    ];
    for (const formula of [...absurd, 'COMBINA(1E300,1E300)'])
      expect([formula, calculated(formula)]).toEqual([formula, { error: '#NUM!' }]);
  });

  test('[CE30] combinations are counted by the fewer of what is chosen and what is not', () => {
    const counted = [
      'COMBINA(1,1E15)',
      'COMBINA(3,1E15)',
      'COMBIN(1E15,1E15-1)',
      'COMBINA(0,0)',
      'COMBINA(4,3)',
    ];
    expect(counted.map((formula) => calculated(formula))).toEqual([1, 5.000000000000015e29, 1e15, 1, 20]);
  });

  test('[CE31] a formula that no cell has is calculated as seen from a cell, and changes nothing', () => {
    const names = [{ name: 'Rates', formula: 'Other!$A$1:$A$3' }];
    const trial = new Trial(
      {
        Sheet: { A1: 2, A2: 3, B1: single('A1*10'), C1: 'Other!A2:A3', D5: single('Nothing(1)', 'kept') },
        Other: { A1: 'x', A2: 'y', A3: 5 },
      },
      { names },
    );
    const seen = (address: string, formula: string, most = 1) =>
      trial.calculation.evaluate({ sheet: 0, ...cellOf(address), formula, most });
    expect(seen('A2', 'B1>15')).toEqual([true]);
    expect(seen('C7', 'ROW()*100+COLUMN()')).toEqual([703]);
    expect(seen('A1', 'INDIRECT(C1)', 10)).toEqual(['y', 5]);
    expect(seen('A1', 'INDIRECT("A1:A3")', 10)).toEqual([2, 3, null]);
    expect(seen('A1', 'Rates', 2)).toEqual(['x', 'y']);
    expect(seen('A1', 'OFFSET(Other!A1,1,0,2,1)', 10)).toEqual(['y', 5]);
    expect(seen('A1', 'A1:A2*2', 10)).toEqual([4, 6]);
    expect(seen('A1', '1/0')).toEqual([{ error: '#DIV/0!' }]);
    expect(seen('A1', 'D5&"!"')).toEqual(['kept!']);
    expect(
      ['Nothing(1)', '1+', '[1]Book!A1', 'WEBSERVICE("x")'].map((formula) => seen('A1', formula)),
    ).toEqual([null, null, null, null]);
    trial.calculate();
    expect(trial.lastChanged).toEqual([]);
    trial.set({ A1: 4 });
    expect(seen('A2', 'SUM(A:B)')).toEqual([47]);
  });

  test('[CE21] a wrong number of arguments is an error of its formula alone', () => {
    const wrong = ['CORREL(1,2,3)', 'PERMUT(1,2,3)', 'SLOPE(1,2,3)', 'MAKEARRAY(1,2,3,4)'];
    const cells = wrong.map((formula, index): [string, CellContent] => [`A${index + 1}`, single(formula)]);
    const trial = new Trial({ Sheet: Object.fromEntries(cells) });
    expect(trial.all('A1 A2 A3 A4').map((value) => typeof value)).toEqual(wrong.map(() => 'object'));
    expect([...trial.calculation.staleCells()]).toEqual([]);
  });
});
