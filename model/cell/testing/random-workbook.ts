import { applyOperation } from '../change.ts';
import { parseWorkbook, WORKBOOK_FORMAT, type WorkbookJson } from '../document.ts';
import type { FormulaJson } from '../formula/formula.ts';
import type { CellOperation } from '../operations.ts';
import type { CellValue } from '../values.ts';
import { WORKBOOK_VERSION } from '../version.ts';
import type { Workbook } from '../workbook.ts';
import { answerOf } from './calculated-workbooks.ts';
import type { RandomOperations } from './random-operations.ts';

const [ROWS, COLUMNS] = [14, 8];
const letters = [...'ABCDEFGH'];

/** A cell as text: a formula begins with `=`, and with `{` one of old that fills two cells. */
type Contents = ReadonlyMap<string, CellValue>;

function workbookOf(sheets: readonly Contents[], names: Readonly<Record<string, string>>): Workbook {
  const rowOf = (contents: Contents, row: number) =>
    letters.flatMap((letter, column) => {
      const content = contents.get(`${letter}${row + 1}`);
      if (content === undefined) return [];
      const isFormula = typeof content === 'string' && /^[={]/.test(content);
      return [column, 0, isFormula ? { f: formulaOf(content) } : content];
    });
  return parseWorkbook({
    format: WORKBOOK_FORMAT,
    version: WORKBOOK_VERSION,
    formats: [{}],
    sheets: sheets.map((contents, at) => ({
      id: `s${at + 1}`,
      properties: { name: ['One', 'Two', "It's 3"][at]! },
      rows: Array.from({ length: ROWS }, (_, row) => [0, 0, ...rowOf(contents, row)]),
      ...(at === 0 && { items: { table: { t1: table } } }),
    })) as unknown as WorkbookJson['sheets'],
    items: {
      name: Object.fromEntries(
        Object.entries(names).map(([name, formula], at) => [`n${at}`, { name, formula }]),
      ),
    },
    volatile: { timeMs: Date.UTC(2026, 2, 4), seed: 3 },
  } as never);
}

const formulaOf = (content: string): FormulaJson =>
  content.startsWith('=') ? content.slice(1) : { t: content.slice(1), a: ['array', 2, 1] };

/** Below the cells of the first sheet, from row 10 on. */
const table = {
  area: [9, 0, 12, 2],
  name: 'Sales',
  hasHeader: true,
  hasTotals: false,
  columns: [{ name: 'Item' }, { name: 'Price' }, { name: 'Net' }],
};

/** The workbook with what its formulas come to beside them. */
function calculated(workbook: Workbook): Workbook {
  return withValues(workbook, answerOf(workbook).values);
}

export function withValues(workbook: Workbook, values: ReturnType<typeof answerOf>['values']): Workbook {
  const sheets = workbook.sheets.map((sheet) => {
    const edit = sheet.grid.edit();
    for (const { sheet: id, row, column, value } of values)
      if (id === sheet.id && value !== null)
        edit.setCell(row, column, { ...sheet.grid.cell(row, column), value });
    return { ...sheet, grid: edit.done() };
  });
  return { ...workbook, sheets };
}

/** What every cell shows. */
export function shownIn({ sheets }: Workbook): Map<string, CellValue> {
  return new Map(
    sheets.flatMap(({ properties, grid }) =>
      [...grid.rows()].flatMap(([row, { columns, cells }]) =>
        cells.map(({ value }, at): [string, CellValue] => [
          `${properties.name}!${row},${columns[at]}`,
          value,
        ]),
      ),
    ),
  );
}

const unknown = ['=INDIRECT("A"&2)+1', '=SUM(OFFSET(A1,1,0))', '=SUM(One:Two!A1)', '=DSUM(A1:C5,1,A1:A2)'];

export class RandomWorkbook {
  readonly #random: RandomOperations;

  constructor(random: RandomOperations) {
    this.#random = random;
  }

  /** Formulas mostly read values, which stand on the left. */
  workbook(): Workbook {
    const sheets = [0, 1, 2].map((sheet): Map<string, CellValue> => {
      const contents = new Map<string, CellValue>();
      for (let row = 1; row <= ROWS; row++) {
        for (const [at, letter] of letters.entries()) {
          if (this.#random.below(4) === 0) continue;
          const isTable = sheet === 0 && row > 9 && row < 14 && at < 3;
          if (at < 3 && !isTable) contents.set(letter + row, this.#value());
          else if (at > 2 && at < COLUMNS - 1) contents.set(letter + row, this.#formula());
        }
      }
      contents.set('H2', `{IFERROR(${this.#range(1)}*2,0)`);
      return sheet === 0 ? new Map([...contents, ...this.#tableCells()]) : contents;
    });
    // What is reached cannot be told.
    if (this.#random.below(8) === 0) sheets[1]!.set('H5', this.#random.pick(unknown));
    return calculated(
      workbookOf(sheets, {
        Rate: 'One!$A$1',
        Rates: `Two!$B$2:$B$${3 + this.#random.below(9)}`,
        Whole: "SUM('It''s 3'!$A:$A)+Rate",
        Place: 'ROW()',
      }),
    );
  }

  #tableCells(): Contents {
    const heads: [string, CellValue][] = [
      ['A10', 'Item'],
      ['B10', 'Price'],
      ['C10', 'Net'],
    ];
    const rows = [11, 12, 13].flatMap((row): [string, CellValue][] => [
      [`A${row}`, `x${row}`],
      [`B${row}`, row * 2],
      [`C${row}`, '=Sales[[#This Row],[Price]]*2'],
    ]);
    return new Map([...heads, ...rows]);
  }

  /** Another version, and the operations that lead to it. */
  changed(workbook: Workbook): { readonly after: Workbook; readonly done: readonly CellOperation[] } {
    let after = workbook;
    const done: CellOperation[] = [];
    for (let step = 1 + this.#random.below(4); step > 0; step--) {
      const kind = this.#random.below(8);
      const others = kind < 6 ? this.#random.structure(after) : this.#edit(after);
      const operation = kind === 0 ? sheetOperation(this.#random, after) : others;
      const next = applyOperation(after, operation);
      if (typeof next === 'string') continue;
      after = next;
      done.push(operation);
    }
    return { after, done };
  }

  #edit(workbook: Workbook): CellOperation {
    const sheet = this.#random.pick(workbook.sheets).id;
    const [row, column] = [this.#random.below(ROWS), this.#random.below(COLUMNS)];
    const isEmptied = this.#random.below(6) === 0;
    const content = isEmptied ? null : column < 3 ? this.#value() : this.#formula();
    const isFormula = typeof content === 'string' && /^[={]/.test(content);
    const input = isFormula ? { f: formulaOf(content) } : { v: content };
    return { op: 'set', sheet, cells: [[row, column, input]] };
  }

  #value(): CellValue {
    return this.#random.pick([1, 2, 3, 4, 5, 6, 7, -2, 'x', true]);
  }

  #cell(): string {
    const { below, pick } = {
      below: (count: number) => this.#random.below(count),
      pick: <T>(values: readonly T[]) => this.#random.pick(values),
    };
    const letter = below(8) ? pick(['A', 'B', 'C']) : pick(letters);
    return `${pick(['', '', '', 'One!', 'Two!', "'It''s 3'!"])}${pick(['', '$'])}${letter}${pick(['', '$'])}${1 + below(ROWS)}`;
  }

  #range(width = 2): string {
    const row = 1 + this.#random.below(ROWS - 3);
    const column = this.#random.below(3 - Math.min(width, 2));
    const last = row + this.#random.below(5);
    return `${this.#random.pick(['', '', 'Two!'])}${letters[column]}${row}:${letters[column + width - 1]}${last}`;
  }

  #formula(): string {
    const [cell, range, column] = [this.#cell(), this.#range(), this.#range(1)];
    return this.#random.pick([
      `=${cell}+${this.#cell()}`,
      `=SUM(${range})-${cell}`,
      `=SUMIF(${column},">1",${cell})`,
      `=COUNTIF(${column},${cell})&"A1"`,
      `=VLOOKUP(${cell},${range},2,0)`,
      `=INDEX(${range},2,1)+MATCH(${cell},${column},0)`,
      `=${column}*2`,
      `=SUM(${column}*2)`,
      `=SUBTOTAL(9,${column})`,
      `=ROW()+COLUMN(${cell})`,
      `=ROWS(${range})*COLUMNS(${range})`,
      `=_xlfn.FORMULATEXT(${cell})`,
      `=_xlfn.SHEET()&_xlfn.SHEETS()`,
      `=ADDRESS(ROW(${cell}),2)`,
      `=LET(x,${cell},y,Rate,x-y)`,
      '=SUM(Rates)+Rate',
      '=Rates+1',
      '=Whole',
      '=Place',
      '=SUM(One!A:A)',
      '=SUM($2:$3)',
      '=SUM(Two!C:C,Sales[Price])',
      '=Sales[[#This Row],[Price]]+1',
      '=SUM(Sales)',
      '=SUM(Sales[[#Headers],[#Data],[Net]])',
      '=YEAR(NOW())',
      '=Nobody!A1',
    ]);
  }
}

const sheetOperation = (random: RandomOperations, { sheets }: Workbook): CellOperation => {
  const sheet = random.pick(sheets).id;
  return random.pick<CellOperation>([
    { op: 'sheet', sheet, patch: { name: random.pick(['New', "Other's", 'X']) } },
    { op: 'moveSheet', sheet, to: random.below(sheets.length) },
    { op: 'removeSheet', sheet },
    { op: 'addSheet', sheet: random.id(), at: 0, name: random.pick(['Four', 'New']) } as never,
  ]);
};
