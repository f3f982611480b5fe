import { sheetColumns, sheetRows } from '../cell-address.ts';
import {
  type Calculation,
  type CellContent,
  type CellFormula,
  type CellResult,
  type CellValue,
  type Change,
  type Expression,
  isFormula,
  type Moment,
  type MovedRows,
  type Staleness,
  type Workbook,
} from './calculation.ts';
import { type Conventions, english } from './conventions.ts';
import { type EngineResult, EngineWriter, operations, type Refused, refusals } from './engine-buffers.ts';
import { EngineInstance, type EngineModule, EngineTrap } from './engine-instance.ts';
import { FormulaPreparation, type Prepared } from './formula-preparation.ts';
import { asksForFormulas, formulaText } from './formula-text.ts';
import { localSerial } from './local-time.ts';
import { rowAfter } from './moved-rows.ts';
import type { Place } from './structured-reference.ts';

/** How often one call makes the engine anew before it gives up. */
const MOST_REPAIRS = 20;
/** How often values are calculated again because formulas turned out not to be calculable. */
const MOST_ROUNDS = 20;

/** Why a formula that the engine refuses is stale. */
const refusalReasons: Readonly<Record<number, Staleness>> = {
  [refusals.unreadable]: 'unreadable',
  [refusals.unknownFunction]: 'unknown-function',
};

/** What a cell shows whose formula is not calculated and has no stored value. */
const valuesWithoutStored: Readonly<Record<Staleness, CellValue>> = {
  circular: 0,
  'unknown-function': { error: '#NAME?' },
  'not-supported': { error: '#NAME?' },
  external: { error: '#REF!' },
  unreadable: { error: '#NAME?' },
  'too-deep': { error: '#VALUE!' },
  endless: { error: '#VALUE!' },
  failed: { error: '#VALUE!' },
};

export interface CalculationLimits {
  /**
   * Steps, of which a formula may take fifty million. Once all together have taken so many each may take half a million, and what takes
   * more is left as it is stored. Without it each has its fifty million.
   */
  readonly mostStepsInAll?: number;
}

/**
 * Loads a workbook into the engine.
 * @param module the engine, as `compileEngine` gives it
 * @throws Error when the workbook has no sheet, or sheets whose names are no names
 */
export function openCalculation(
  module: EngineModule,
  workbook: Workbook,
  limits: CalculationLimits = {},
): Calculation {
  return new WorkbookCalculation(module, workbook, limits);
}

/** The key of a cell, below 2⁵³ for the first 500,000 sheets. */
function keyOf({ sheet, row, column }: Place): number {
  return (sheet * (sheetRows + 1) + row) * sheetColumns + column - 1;
}

function placeOf(key: number): Place {
  const rest = Math.floor(key / sheetColumns);
  const sheet = Math.floor(rest / (sheetRows + 1));
  return { sheet, row: rest % (sheetRows + 1), column: (key % sheetColumns) + 1 };
}

class WorkbookCalculation implements Calculation {
  readonly #module: EngineModule;
  readonly #workbook: Workbook;
  readonly #limits: CalculationLimits;
  #engine!: EngineInstance;
  #preparation!: FormulaPreparation;
  /** Rows of which the engine knows that they may be in use. */
  #usedRows = 0;
  /** The last row with content. */
  #lastRow = 0;
  /** What the engine has not been told yet. */
  #pending = new EngineWriter();
  /** Cells that are not calculated. */
  readonly #stale = new Map<number, Staleness>();
  /** Cells over which the engine broke down, or which are circular until something changes. */
  readonly #failed = new Set<number>();
  /** Formulas of no cell over which the engine broke down. */
  readonly #failedExpressions = new Set<string>();
  #moment: Moment | null = null;
  /** Results that `changed` has not told yet. */
  readonly #untold = new Map<number, CellResult>();
  /** Whether the engine is told what formulas look like: only where one asks for that. */
  #tellsTexts = false;

  constructor(module: EngineModule, workbook: Workbook, limits: CalculationLimits) {
    this.#limits = limits;
    this.#module = module;
    this.#workbook = workbook;
    this.#repairing(() => this.#load());
  }

  apply(changes: Iterable<Change>): void {
    for (const change of changes) {
      if ('content' in change) {
        this.#failed.delete(keyOf(change));
        this.#lastRow = Math.max(this.#lastRow, change.row);
        this.#set(change);
      } else if ('moved' in change) this.#moveRows(change);
      else this.#hide(change.sheet, change.row, change.hidden);
    }
    // What was circular may not be any more.
    for (const [key, why] of [...this.#stale]) {
      if (why === 'circular') this.#set({ ...placeOf(key), content: this.#contentAt(key) });
    }
  }

  recalculate(moment: Moment): void {
    this.#moment = moment;
    const now = localSerial(moment.timeMs, moment.timeZone, this.#workbook.from1904);
    this.#repairing(() => {
      if (this.#lastRow > this.#usedRows && this.#preparation.trimmed) this.#load();
      this.#flush();
      this.#engine.recalculate(now, moment.seed);
      for (let round = 0; this.#collect() && round < MOST_ROUNDS; round++) {
        this.#flush();
        this.#engine.recalculate(now, moment.seed);
      }
    });
  }

  changed(): CellResult[] {
    const results = [...this.#untold.values()];
    this.#untold.clear();
    return results;
  }

  evaluate({ formula, most, ...place }: Expression): readonly (CellValue | null)[] | null {
    if (this.#moment === null) throw new Error('Nothing has been calculated yet.');
    if (this.#failedExpressions.has(formula)) return null;
    try {
      const prepared = this.#prepared(formula, place);
      if ('why' in prepared) return null;
      const values = this.#engine.evaluate(place, prepared.text, most);
      return values.length === 0 || values.some(isNotCalculated) ? null : values.map(shown);
    } catch (error) {
      if (!(error instanceof EngineTrap)) throw error;
      this.#failedExpressions.add(formula);
      this.#repairing(() => this.#load());
      this.recalculate(this.#moment);
      return null;
    }
  }

  stale(sheet: number, row: number, column: number): Staleness | undefined {
    return this.#stale.get(keyOf({ sheet, row, column }));
  }

  *staleCells(): Iterable<Place & { why: Staleness }> {
    for (const [key, why] of this.#stale) yield { ...placeOf(key), why };
  }

  /** Runs `task`, and again with a new engine for each formula over which the engine breaks down. */
  #repairing(task: () => void): void {
    for (let repairs = 0; ; repairs++) {
      try {
        if (repairs > 0) this.#load();
        task();
        return;
      } catch (error) {
        if (!(error instanceof EngineTrap) || repairs >= MOST_REPAIRS) throw error;
        const key = keyOf(error);
        if (this.#failed.has(key)) throw error;
        this.#failed.add(key);
      }
    }
  }

  /** Makes an engine of the workbook as it is. */
  #load(): void {
    const { sheets, names, conventions = english, from1904 } = this.#workbook;
    if (sheets.length === 0) throw new Error('A workbook without a sheet cannot be calculated.');
    const filled = new Map<number, [number, number, number, number][]>();
    this.#lastRow = 0;
    for (const change of this.#workbook.changes()) {
      if (!('content' in change)) continue;
      const { sheet, row, column, content } = change;
      this.#lastRow = Math.max(this.#lastRow, row);
      if (!isFormula(content) || (content.rows ?? 1) * (content.columns ?? 1) === 1) continue;
      const areas = filled.get(sheet) ?? [];
      filled.set(sheet, areas);
      areas.push([row, column, row + (content.rows ?? 1), column + (content.columns ?? 1)]);
    }
    // Room to grow, so that not every new row makes the engine anew.
    this.#usedRows = Math.min(Math.ceil(this.#lastRow * 1.25) + 256, sheetRows);
    this.#preparation = new FormulaPreparation(this.#workbook, this.#usedRows);
    this.#engine = new EngineInstance(
      this.#module,
      head(sheets, this.#preparation.engineNames(names), conventions, from1904),
    );
    const { mostStepsInAll } = this.#limits;
    if (mostStepsInAll !== undefined) this.#engine.limit(mostStepsInAll);
    this.#stale.clear();
    this.#pending = new EngineWriter();
    const formulas: (Place & { content: CellFormula })[] = [];
    for (const change of this.#workbook.changes()) {
      if ('hidden' in change) this.#hide(change.sheet, change.row, change.hidden);
      if (!('content' in change)) continue;
      if (isFormula(change.content)) formulas.push({ ...change, content: change.content });
      else if (!isFilled(filled.get(change.sheet), change)) this.#set(change);
    }
    this.#tellsTexts = [...names, ...formulas.map(({ content }) => content)].some(({ formula }) =>
      asksForFormulas(formula),
    );
    for (const formula of formulas) this.#set(formula);
    this.#flush();
  }

  #moveRows(move: MovedRows): void {
    // The engine knows what moves when it has calculated.
    if (this.#moment === null) {
      this.#repairing(() => this.#load());
      return;
    }
    this.#pending.record(operations.moveRows, move.sheet, move.row, 0).u32(move.moved);
    // They have forgotten all of them.
    if (this.#tellsTexts) this.#tellTexts();
    if (move.moved > 0 && this.#lastRow >= move.row) this.#lastRow += move.moved;
    const [stale, failed, untold] = [[...this.#stale], [...this.#failed], [...this.#untold.values()]];
    this.#stale.clear();
    for (const [key, why] of stale)
      withMoved(move, placeOf(key), (place) => this.#stale.set(keyOf(place), why));
    this.#failed.clear();
    for (const key of failed) withMoved(move, placeOf(key), (place) => this.#failed.add(keyOf(place)));
    this.#untold.clear();
    for (const result of untold) withMoved(move, result, (place) => this.#untold.set(keyOf(place), place));
  }

  #hide(sheet: number, row: number, hidden: 'by-hand' | 'by-filter' | null): void {
    this.#pending.record(operations.rowHidden, sheet, row, 0);
    this.#pending.u8(hidden === null ? 0 : hidden === 'by-hand' ? 1 : 2);
  }

  #set({ sheet, row, column, content }: Place & { content: CellContent }): void {
    const key = keyOf({ sheet, row, column });
    const wasStale = this.#stale.delete(key);
    if (isFormula(content)) this.#asks(content.formula);
    // The engine has not told its value, and so will not take it back.
    if (wasStale && !isFormula(content)) this.#untold.set(key, { sheet, row, column, value: null });
    if (content === null) this.#pending.record(operations.clear, sheet, row, column);
    else if (!isFormula(content)) this.#pending.value(sheet, row, column, content);
    else if (this.#failed.has(key)) this.#keepStored({ sheet, row, column }, content, 'failed');
    else {
      const prepared = this.#preparation.prepare(
        content.formula,
        { sheet, row, column },
        content.kind === 'single',
      );
      if ('why' in prepared) this.#keepStored({ sheet, row, column }, content, prepared.why);
      else {
        const writer = this.#pending.record(operations[content.kind], sheet, row, column);
        if (content.kind === 'array') writer.u32(content.columns ?? 1).u32(content.rows ?? 1);
        writer.text(prepared.text);
        this.#tellText({ sheet, row, column }, content);
      }
    }
  }

  /** Begins to tell what formulas look like where a formula asks for that. */
  #asks(formula: string): void {
    if (this.#tellsTexts || !asksForFormulas(formula)) return;
    this.#tellsTexts = true;
    this.#tellTexts();
  }

  #tellTexts(): void {
    for (const change of this.#workbook.changes())
      if ('content' in change && isFormula(change.content)) this.#tellText(change, change.content);
  }

  #tellText({ sheet, row, column }: Place, formula: CellFormula): void {
    if (!this.#tellsTexts) return;
    this.#pending.record(operations.formulaText, sheet, row, column).text(formulaText(formula));
  }

  /** A formula of no cell that walks through columns needs an engine that knows how many of their rows are used. */
  #prepared(formula: string, place: Place): Prepared {
    this.#asks(formula);
    this.#flush();
    const prepared = this.#preparation.prepare(formula, place);
    if (this.#lastRow <= this.#usedRows || !this.#preparation.trimmed) return prepared;
    this.recalculate(this.#moment!);
    return this.#preparation.prepare(formula, place);
  }

  #contentAt(key: number): CellContent {
    const { sheet, row, column } = placeOf(key);
    return this.#workbook.content(sheet, row, column);
  }

  /** Gives a formula that is not calculated the value that it had. */
  #keepStored(place: Place, formula: CellFormula, why: Staleness): void {
    const value = formula.stored ?? valuesWithoutStored[why];
    const key = keyOf(place);
    this.#stale.set(key, why);
    this.#pending.value(place.sheet, place.row, place.column, value);
    this.#tellText(place, formula);
    this.#untold.set(key, { ...place, value });
  }

  /** Tells the engine what it has not been told. Formulas that it refuses keep their stored values. */
  #flush(): void {
    while (!this.#pending.isEmpty) {
      const records = this.#pending;
      this.#pending = new EngineWriter();
      for (const refused of this.#engine.apply(records)) this.#refuse(refused);
    }
  }

  #refuse({ sheet, row, column, why }: Refused): void {
    const reason = refusalReasons[why];
    if (reason === undefined) return;
    const place = { sheet, row, column };
    const content = this.#contentAt(keyOf(place));
    if (isFormula(content)) this.#keepStored(place, content, reason);
  }

  /** Takes results over. Returns whether formulas have turned out not to be calculable. */
  #collect(): boolean {
    let again = false;
    for (const result of this.#engine.changed()) {
      const { sheet, row, column, value } = result;
      const key = keyOf(result);
      if (value === null && this.#stale.has(key)) continue;
      const why = ownFailure(result);
      const content = why && this.#contentAt(key);
      if (why && isFormula(content ?? null)) {
        this.#keepStored({ sheet, row, column }, content as CellFormula, why);
        again = true;
      } else this.#untold.set(key, asShown(result));
    }
    return again;
  }
}

/** Calls a function with a place as it is after rows have moved, unless it is gone. */
function withMoved<Of extends Place>(move: MovedRows, place: Of, task: (place: Of) => void): void {
  const row = place.sheet === move.sheet ? rowAfter(move, place.row) : place.row;
  if (row !== null) task({ ...place, row });
}

/** Errors by which the engine says of a formula why it has no value. */
const ownFailures: Readonly<Record<string, Staleness>> = { '#CIRC!': 'circular', '#ERROR!': 'endless' };

function ownFailure({ value, own }: EngineResult): Staleness | undefined {
  if (own !== true || typeof value !== 'object' || value === null) return undefined;
  return ownFailures[value.error] ?? 'not-supported';
}

const isNotCalculated = (value: CellValue | null): boolean =>
  typeof value === 'object' && value !== null && value.error === '#N/IMPL!';

/** What is told of a result; mostly itself. */
function asShown(result: EngineResult): CellResult {
  const value = shown(result.value);
  if (value === result.value && result.own === undefined) return result;
  return { sheet: result.sheet, row: result.row, column: result.column, value };
}

/** Errors of the engine that no file knows become one that it does. */
function shown(value: CellValue | null): CellValue | null {
  if (typeof value !== 'object' || value === null) return value;
  return ['#CIRC!', '#N/IMPL!', '#ERROR!'].includes(value.error) ? { error: '#VALUE!' } : value;
}

function isFilled(
  areas: readonly [number, number, number, number][] | undefined,
  { row, column }: Place,
): boolean {
  return (areas ?? []).some(
    ([top, left, bottom, right]) => row >= top && row < bottom && column >= left && column < right,
  );
}

/** The workbook without its cells, as `load` of the engine reads it. */
function head(
  sheets: readonly string[],
  names: readonly { name: string; sheet?: number; formula: string }[],
  conventions: Conventions,
  from1904: boolean,
): EngineWriter {
  const { decimal, group, shortDate, letters, amounts, ...lists } = conventions;
  const { months, shortMonths, days, shortDays } = lists;
  const writer = new EngineWriter();
  for (const text of [decimal, group, shortDate, letters, ...amounts]) writer.text(text);
  for (const text of [...months, ...shortMonths, ...days, ...shortDays]) writer.text(text);
  writer.u8(from1904 ? 1 : 0).u32(sheets.length);
  for (const sheet of sheets) writer.text(sheet);
  writer.u32(names.length);
  for (const { name, sheet, formula } of names) {
    writer
      .text(name)
      .u32(sheet === undefined ? 0 : sheet + 1)
      .text(formula);
  }
  return writer;
}
