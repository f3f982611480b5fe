import path from 'node:path';
import { MessageChannel, receiveMessageOnPort, Worker } from 'node:worker_threads';
import { CalculationFeed, hasFormulas } from '../../../../model/cell/calculation-feed.ts';
import { withinReach } from '../../../../model/cell/change-reach.ts';
import type { CellValue } from '../../../../model/cell/values.ts';
import type { Workbook } from '../../../../model/cell/workbook.ts';
import { builtProgram } from '../../../../platform/package-root.ts';
import { ownTask } from '../../running-task.ts';
import type { CalculationJob, CalculationOutcome, CalculationThreadStart } from './calculation-thread.ts';

/** The values of a workbook's formulas as they are calculated. */
export interface CalculatedValues {
  /** Of a formula, or of a cell that one fills; undefined where it is not known, and what the file says stays. */
  of(sheetId: string, row: number, column: number): CellValue | undefined;
  /** All that is known of a sheet. */
  cells(sheetId: string): Iterable<readonly [row: number, column: number, value: CellValue]>;
  /** False: the values of some formulas are not known, so programs that open the file should calculate it. */
  readonly isComplete: boolean;
}

/**
 * Values that a workbook has after changes. Of formulas that no change concerns there are none, where that can be told: what the
 * program that made the file has calculated stays, also where it calculates otherwise.
 */
export type CalculateWorkbook = (before: Workbook, after: Workbook) => CalculatedValues;

const threadFile = path.join(builtProgram, 'converter', 'engines', 'ooxml', 'xlsx', 'calculation-thread.js');

/** Of a workbook that says nothing of it. */
const region = 'en';
/** Some seconds. */
const mostStepsOfFile = 60_000_000;
const nothing = { of: () => undefined, cells: () => [] };

/**
 * A calculation in a thread of its own, which is ended when it takes too long: the caller waits, and gets what is known. It begins with
 * the first workbook that has formulas.
 */
export class ThreadCalculation {
  readonly #patienceMs: number;
  readonly #mostSteps: number;
  #thread: { readonly worker: Worker; readonly start: CalculationThreadStart } | null = null;

  /**
   * @param patienceMs how long a caller waits at most, milliseconds
   * @param mostSteps how many steps all formulas together may take before each may take few, so that what takes long costs the values of
   *   the others not as well
   */
  constructor({ patienceMs, mostSteps = mostStepsOfFile }: { patienceMs: number; mostSteps?: number }) {
    this.#patienceMs = patienceMs;
    this.#mostSteps = mostSteps;
  }

  readonly values: CalculateWorkbook = (before, after) => {
    if (!hasFormulas(after)) return { ...nothing, isComplete: true };
    const feed = new CalculationFeed(region);
    const { before: from, after: to, wanted, reaches } = withinReach(before, after);
    // As of the same moment: what depends on time and chance only is not written anew.
    const earlier = from ? [...feed.next({ ...from, volatile: to.volatile })] : [];
    const requests = [...earlier, ...feed.next(to)];
    const outcome = this.#ask({ requests, wanted, running: ownTask(), mostSteps: this.#mostSteps });
    if (!outcome) return { ...nothing, isComplete: false };
    const reached = outcome.values.filter(({ sheet, row, column }) => reaches(sheet, row, column));
    const values = new Map(
      reached.map(({ sheet, row, column, value }) => [keyOf(sheet, row, column), value]),
    );
    return {
      of: (sheet, row, column) => values.get(keyOf(sheet, row, column)) ?? undefined,
      cells: (sheetId) =>
        reached.flatMap(({ sheet, row, column, value }) =>
          sheet === sheetId && value !== null ? [[row, column, value] as const] : [],
        ),
      isComplete: outcome.stale.length === 0,
    };
  };

  /** Null when it took too long, or broke down. */
  #ask(job: CalculationJob): CalculationOutcome {
    this.#thread ??= startThread();
    const { worker, start } = this.#thread;
    Atomics.store(start.isAnswered, 0, 0);
    start.port.postMessage(job);
    const waited = Atomics.wait(start.isAnswered, 0, 0, this.#patienceMs);
    const answer = waited === 'timed-out' ? undefined : receiveMessageOnPort(start.port);
    if (answer) return answer.message as CalculationOutcome;
    this.#thread = null;
    start.port.close();
    void worker.terminate();
    return null;
  }
}

function startThread(): { worker: Worker; start: CalculationThreadStart } {
  const { port1, port2 } = new MessageChannel();
  const isAnswered = new Int32Array(new SharedArrayBuffer(4));
  const workerData: CalculationThreadStart = { port: port2, isAnswered };
  const worker = new Worker(threadFile, { workerData, transferList: [port2] });
  // Its end is seen by whoever waits for it.
  worker.on('error', () => undefined);
  worker.unref();
  port1.unref();
  return { worker, start: { port: port1, isAnswered } };
}

const keyOf = (sheet: string, row: number, column: number): string => `${row} ${column} ${sheet}`;
