import {
  type CellContent,
  type Change,
  isFormula,
  type MovedRows,
  type Staleness,
} from '../../../model/calculation/calculation.ts';
import { cellsAfter } from '../../../model/calculation/moved-rows.ts';
import { CalculationFeed, hasFormulas } from '../../../model/cell/calculation-feed.ts';
import type { CalculationAnswer, RuleAnswer } from '../../../model/cell/calculation-host.ts';
import type { MovedSheets } from '../../../model/cell/moved-sheets.ts';
import type { CellValue } from '../../../model/cell/values.ts';
import type { Workbook } from '../../../model/cell/workbook.ts';
import { sheetColumns } from '../../../model/cell-address.ts';
import type { WorkerAnswer, WorkerRequest } from './calculation-worker.ts';
import { type Asked, RuleAnswers } from './rule-answers.ts';

/** What is used of a worker, which answers with `WorkerAnswer`s. */
export type CalculationWorker = Pick<Worker, 'onmessage' | 'onerror' | 'postMessage' | 'terminate'>;

/** After so long people are told that the first calculation is going on. */
const untoldMs = 1_000;

export interface PageCalculationOptions {
  /** Decides how texts become numbers and numbers texts. */
  readonly region: string;
  readonly makeWorker: () => CalculationWorker;
  /** Finds rows that have moved; until it is there all cells are told. */
  readonly movedSheets?: () => MovedSheets | undefined;
  /** There are other values. */
  readonly onValues: () => void;
  /** `left`: formulas were left out, since they took too long; `ended`: nothing is calculated any more. */
  readonly onProblem: (problem: 'left' | 'ended') => void;
  /** The first calculation takes longer than people wait without asking; false: it is over. */
  readonly onLong: (isLong: boolean) => void;
  /** How long the first calculation may take, with the load of engine and workbook, and each later one. */
  readonly patienceMs: { readonly first: number; readonly later: number };
}

type ContentChange = Extract<Change, { content: unknown }>;

/** The calculation of the workbook on a page: follows its versions, and has the values of its formulas. */
export class PageCalculation {
  readonly #options: PageCalculationOptions;
  readonly #feed: CalculationFeed;
  #worker: CalculationWorker | null = null;
  /** Ends a worker that takes too long; null while nothing is asked of it. */
  #timer: ReturnType<typeof setTimeout> | null = null;
  /** The worker has not answered yet. */
  #isFirst = true;
  /** Whether it has begun with what is asked of it. */
  #hasBegun = false;
  /** Tells of a first calculation that takes long; null while there is none. */
  #telling: ReturnType<typeof setTimeout> | null = null;
  /** Whether the next answer has all values. */
  #isAnew = true;
  #hasEnded = false;
  /** Whether the workbook has formulas, or rules that are asked for. */
  #hasFormulas = false;
  readonly #rules = new RuleAnswers();
  #asking: ReturnType<typeof setTimeout> | null = null;
  /** The version that is to be calculated next. */
  #waiting: Workbook | null = null;
  #latest: Workbook | null = null;
  #asked: Workbook | null = null;
  #calculated: Workbook | null = null;
  readonly #values = new Map<string, Map<number, CellValue>>();
  #stale = new Map<string, Map<number, Staleness>>();
  /** Values of cells that hold something else now: a formula may fill them again, and with what is the same nothing is told. */
  #forgotten: { readonly known: Map<number, CellValue>; readonly cell: number; readonly value: CellValue }[] =
    [];

  constructor(options: PageCalculationOptions) {
    this.#options = options;
    this.#feed = new CalculationFeed(options.region, options.movedSheets);
  }

  /** There is another version. While one is being calculated, only the last of those that come meanwhile is taken. */
  update(workbook: Workbook): void {
    if (this.#hasEnded || workbook === this.#latest) return;
    this.#hasFormulas ||= this.#rules.isWanted || hasFormulas(workbook);
    this.#latest = workbook;
    if (!this.#hasFormulas) return;
    this.#waiting = workbook;
    if (this.#timer === null) this.#next();
  }

  /** The value of a formula, or what one spills into a cell; undefined where nothing is calculated. */
  valueOf(sheet: string, row: number, column: number): CellValue | undefined {
    return this.#values.get(sheet)?.get(row * sheetColumns + column);
  }

  /** Why a cell keeps the value that is stored; undefined where it is calculated. */
  staleness(sheet: string, row: number, column: number): Staleness | undefined {
    return this.#stale.get(sheet)?.get(row * sheetColumns + column);
  }

  /** The version that the values are of; null while there are none. */
  get calculated(): Workbook | null {
    return this.#calculated;
  }

  /** Whether a formula is left out, since it took too long. */
  isLeftOut(formula: string): boolean {
    return this.#feed.isEndless(formula);
  }

  /** What a formula of a rule comes to, as far as it is known; \`onValues\` tells when there is more. */
  ruleAnswer(asked: Asked): RuleAnswer | undefined {
    const answer = this.#rules.of(asked);
    this.#ask();
    return answer;
  }

  /**
   * What a formula of a rule comes to now; undefined where nothing is calculated any more.
   * @param assumed what is taken to be in the cell, if it is something else than what it has
   */
  askRule(asked: Asked, assumed?: CellContent): Promise<RuleAnswer | undefined> {
    if (this.#hasEnded) return Promise.resolve(undefined);
    const answer = this.#rules.ask(asked, assumed);
    this.#ask();
    return answer;
  }

  stop(): void {
    this.#hasEnded = true;
    this.#tellOfEnd();
    if (this.#asking !== null) clearTimeout(this.#asking);
    this.#rules.stop();
    this.#endWorker();
  }

  /** Many cells are drawn at once: what they want to know is asked when all of them have said it. */
  #ask(): void {
    if (this.#hasEnded || this.#asking !== null || !this.#rules.isWanted) return;
    this.#asking = setTimeout(() => {
      this.#asking = null;
      // What comes with formulas in no cell has not been told yet.
      if (!this.#hasFormulas) this.#waiting = this.#latest;
      this.#hasFormulas ||= this.#latest !== null;
      if (this.#timer === null) this.#next();
    });
  }

  #next(): void {
    const workbook = this.#waiting;
    if (workbook) this.#calculate(workbook);
    else if (this.#latest && this.#hasFormulas) {
      const batch = this.#rules.next();
      if (batch) this.#send({ questions: batch.questions });
    }
  }

  /** Tells the worker what it is to answer. */
  #send(request: WorkerRequest): void {
    this.#worker ??= this.#makeWorker();
    if (this.#timer === null) {
      this.#hasBegun = false;
      const { first, later } = this.#options.patienceMs;
      this.#timer = setTimeout(() => this.#tookTooLong(), this.#isFirst ? first : later);
      if (this.#isFirst) this.#telling ??= setTimeout(() => this.#options.onLong(true), untoldMs);
    }
    this.#worker.postMessage(request);
  }

  #calculate(workbook: Workbook): void {
    this.#waiting = null;
    this.#asked = workbook;
    for (const request of this.#feed.next(workbook)) {
      this.#isAnew ||= request.frame !== undefined;
      for (const change of request.changes) {
        if ('content' in change) this.#forget(workbook, change);
        else if ('moved' in change) this.#move(workbook, change);
      }
      this.#send(request);
    }
  }

  /** What is no formula any more has no calculated value. */
  #forget({ sheets }: Workbook, { sheet, row, column, content }: ContentChange): void {
    if (content !== null && isFormula(content)) return;
    // Sheets of other workbooks stand behind those of this one.
    const known = this.#values.get(sheets[sheet]?.id ?? '');
    const cell = (row - 1) * sheetColumns + column - 1;
    const value = known?.get(cell);
    if (!known?.delete(cell)) return;
    this.#forgotten.push({ known, cell, value: value! });
  }

  /** What is known goes with its rows, before anything is calculated. */
  #move({ sheets }: Workbook, move: MovedRows): void {
    const { id } = sheets[move.sheet]!;
    for (const known of [this.#values, this.#stale] as Map<string, Map<number, unknown>>[]) {
      const cells = known.get(id);
      if (cells) known.set(id, cellsAfter(move, cells));
    }
  }

  #makeWorker(): CalculationWorker {
    const worker = this.#options.makeWorker();
    worker.onmessage = ({ data }: MessageEvent<WorkerAnswer>) => {
      if (data === 'begun') this.#hasBegun = true;
      else if (data) this.#answered(data);
      else this.#broke();
    };
    worker.onerror = () => this.#broke();
    return worker;
  }

  #answered(answer: Exclude<WorkerAnswer, 'begun' | null>): void {
    clearTimeout(this.#timer!);
    this.#timer = null;
    if ('answers' in answer) {
      if (this.#rules.answered(answer.answers)) this.#options.onValues();
    } else {
      this.#calculated = this.#asked;
      this.#take(answer);
      this.#rules.calculated();
      this.#options.onValues();
    }
    this.#next();
  }

  #take({ values, stale }: CalculationAnswer): void {
    for (const { known, cell, value } of this.#forgotten) known.set(cell, value);
    this.#forgotten = [];
    if (this.#isAnew) this.#values.clear();
    this.#isAnew = false;
    this.#isFirst = false;
    this.#tellOfEnd();
    for (const { sheet, row, column, value } of values) {
      const known = this.#values.get(sheet) ?? new Map<number, CellValue>();
      this.#values.set(sheet, known);
      if (value === null) known.delete(row * sheetColumns + column);
      else known.set(row * sheetColumns + column, value);
    }
    this.#stale = new Map();
    for (const { sheet, row, column, why } of stale) {
      const known = this.#stale.get(sheet) ?? new Map<number, Staleness>();
      this.#stale.set(sheet, known.set(row * sheetColumns + column, why));
    }
  }

  /** The first calculation is over. */
  #tellOfEnd(): void {
    if (this.#telling === null) return;
    clearTimeout(this.#telling);
    this.#telling = null;
    this.#options.onLong(false);
  }

  #tookTooLong(): void {
    const isLeftOut = this.#hasBegun && this.#rules.leaveOut();
    if (isLeftOut) this.#feed.forget();
    else if (!this.#hasBegun || !this.#feed.leaveOut()) {
      this.#broke();
      return;
    }
    this.#options.onProblem('left');
    this.#startAnew();
  }

  /** The worker has ended, or is late with nothing that could be left out: one that had answered before is replaced. */
  #broke(): void {
    if (this.#isFirst) {
      this.#end();
      return;
    }
    if (this.#hasBegun) this.#rules.leaveOut();
    else this.#rules.askAgain();
    this.#feed.forget();
    this.#startAnew();
  }

  #startAnew(): void {
    this.#endWorker();
    this.#isFirst = true;
    this.#waiting ??= this.#latest;
    this.#next();
  }

  #end(): void {
    this.stop();
    this.#values.clear();
    this.#options.onValues();
    this.#options.onProblem('ended');
  }

  #endWorker(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    if (this.#worker) {
      // Of one that is replaced nothing is heard any more.
      this.#worker.onmessage = null;
      this.#worker.onerror = null;
      this.#worker.terminate();
    }
    this.#worker = null;
  }
}
