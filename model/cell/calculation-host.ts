import type {
  CellValue as CalculatedValue,
  Workbook as CalculatedWorkbook,
  Calculation,
  CellContent,
  Change,
  Hidden,
  Moment,
  Staleness,
} from '../calculation/calculation.ts';
import type { EngineModule } from '../calculation/engine-instance.ts';
import { rowsAfter } from '../calculation/moved-rows.ts';
import { type CalculationLimits, openCalculation } from '../calculation/workbook-calculation.ts';
import type { CalculationFrame, CalculationRequest } from './calculation-feed.ts';
import { KeptContents } from './kept-contents.ts';
import type { CellValue } from './values.ts';

/** A cell: rows and columns count from 0, as in the model. */
export interface CalculatedPlace {
  /** The id of the sheet. */
  readonly sheet: string;
  readonly row: number;
  readonly column: number;
}

/** A calculated value; null where nothing is spilled any more. */
export interface CalculatedCell extends CalculatedPlace {
  readonly value: CellValue;
}

export interface StaleCell extends Omit<CalculatedCell, 'value'> {
  readonly why: Staleness;
}

export interface CalculationAnswer {
  /** The values that are others than in the last answer; at first, and after a new frame, all of formulas. */
  readonly values: readonly CalculatedCell[];
  /** All cells that keep what they have stored. */
  readonly stale: readonly StaleCell[];
}

/** What a formula of a rule comes to, as seen from a cell; rows and columns count from 0. */
export interface RuleQuestion {
  /** The id of the sheet. */
  readonly sheet: string;
  readonly row: number;
  readonly column: number;
  readonly formula: string;
  /** How many of its values are wanted at most. */
  readonly most: number;
  /** What is taken to be in the cell meanwhile: what somebody is about to enter. */
  readonly assumed?: CellContent;
}

/** The values, null for an empty cell; null where the formula cannot be calculated. */
export type RuleAnswer = readonly CellValue[] | null;

interface Place {
  readonly sheet: number;
  readonly row: number;
  readonly column: number;
}

/** The calculation of one workbook after another, in whichever thread it is. A `CalculationFeed` says what to tell it. */
export class CalculationHost {
  readonly #engine: EngineModule;
  readonly #limits: CalculationLimits;
  #frame: CalculationFrame | null = null;
  #calculation: Calculation | null = null;
  #contents: KeptContents[] = [];
  #hidden: Map<number, Hidden>[] = [];
  #moment: Moment | null = null;
  /** What the calculation has not been told. */
  #untold: Change[] = [];

  /** @param engine as `compileEngine` gives it */
  constructor(engine: EngineModule, limits: CalculationLimits = {}) {
    this.#engine = engine;
    this.#limits = limits;
  }

  /**
   * Null for a request after which more follows.
   * @throws Error after which the host is of no use any more
   */
  take({ frame, changes, moment }: CalculationRequest): CalculationAnswer | null {
    if (frame) this.#begin(frame);
    for (const change of changes) this.#keep(change);
    if (!this.#frame) throw new TypeError('The first request has no frame.');
    if (!moment) return null;
    const { sheets } = this.#frame;
    // What the calculation is opened with is already kept.
    if (this.#calculation) this.#calculation.apply(this.#untold);
    else this.#calculation = openCalculation(this.#engine, this.#workbook(this.#frame), this.#limits);
    this.#untold = [];
    this.#moment = moment;
    this.#calculation.recalculate(moment);
    const placed = (cell: { sheet: number; row: number; column: number }) => ({
      ...{ sheet: sheets[cell.sheet]!.id, row: cell.row - 1, column: cell.column - 1 },
    });
    return {
      values: this.#calculation.changed().map((cell) => ({ ...placed(cell), value: modelValue(cell.value) })),
      stale: [...this.#calculation.staleCells()].map((cell) => ({ ...placed(cell), why: cell.why })),
    };
  }

  /** Answers of the calculation as it was last told. */
  answer(questions: readonly RuleQuestion[]): RuleAnswer[] {
    return questions.map((question) => {
      const sheet = this.#frame?.sheets.findIndex(({ id }) => id === question.sheet) ?? -1;
      if (!this.#calculation || sheet < 0) return null;
      const { formula, most, assumed } = question;
      const place = { sheet, row: question.row + 1, column: question.column + 1 };
      const evaluate = () => this.#calculation!.evaluate({ ...place, formula, most });
      const values = assumed === undefined ? evaluate() : this.#assuming(place, assumed, evaluate);
      return values?.map(modelValue) ?? null;
    });
  }

  #assuming<T>(place: Place, assumed: CellContent, task: () => T): T {
    const before = this.#contents[place.sheet]!.at(place.row, place.column);
    this.#put({ ...place, content: assumed });
    const result = task();
    this.#put({ ...place, content: before });
    return result;
  }

  #put(change: Change): void {
    this.#keep(change);
    this.#calculation!.apply(this.#untold);
    this.#untold = [];
    this.#calculation!.recalculate(this.#moment!);
  }

  #begin(frame: CalculationFrame): void {
    this.#frame = frame;
    this.#calculation = null;
    this.#contents = frame.sheets.map(() => new KeptContents());
    this.#hidden = frame.sheets.map(() => new Map());
    this.#untold = [];
  }

  #keep(change: Change): void {
    if ('content' in change) {
      this.#contents[change.sheet]!.set(change.row, change.column, change.content);
    } else if ('moved' in change) {
      this.#contents[change.sheet]!.move(change);
      this.#hidden[change.sheet] = rowsAfter(change, this.#hidden[change.sheet]!);
    } else if (change.hidden === null) this.#hidden[change.sheet]!.delete(change.row);
    else this.#hidden[change.sheet]!.set(change.row, change.hidden);
    if (this.#calculation) this.#untold.push(change);
  }

  #workbook(frame: CalculationFrame): CalculatedWorkbook {
    const { sheets, names, tables, conventions, from1904, iterates, linked } = frame;
    const [contents, hidden] = [this.#contents, this.#hidden];
    return {
      sheets: sheets.map(({ name }) => name),
      ...{ names, tables, conventions, from1904, iterates },
      ...(linked && { linked }),
      *changes() {
        for (const sheet of sheets.keys()) {
          for (const [row, how] of hidden[sheet]!) yield { sheet, row, hidden: how };
          for (const cell of contents[sheet]!.all()) yield { sheet, ...cell };
        }
      },
      content: (sheet, row, column) => contents[sheet]!.at(row, column),
    };
  }
}

function modelValue(value: CalculatedValue | null): CellValue {
  return typeof value === 'object' && value !== null ? { e: value.error } : value;
}
