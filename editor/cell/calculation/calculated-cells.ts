import { type Signal, signal } from '@preact/signals';
import type { CellContent, Staleness } from '../../../model/calculation/calculation.ts';
import type { RuleAnswer } from '../../../model/cell/calculation-host.ts';
import type { MovedSheets } from '../../../model/cell/moved-sheets.ts';
import type { CellValue } from '../../../model/cell/values.ts';
import { type Sheet, sheetOf, type Workbook } from '../../../model/cell/workbook.ts';
import { laterPart } from '../../kit/later.tsx';
import { dismissNotice, notify } from '../../kit/notices.tsx';
import { t } from '../../strings/strings.ts';
import { paintFirst } from '../desk/paint-first.ts';
import { type CellPosition, cellName, isSameCell } from '../grid/cell-areas.ts';
import type { FormulaValue } from '../shown/sheet-scene.ts';
import type { PageCalculation, PageCalculationOptions } from './page-calculation.ts';
import type { RuleFormula } from './rule-answers.ts';

const calculations = laterPart(() => import('./page-calculation.ts'));

/** A formula that somebody here has entered. */
interface Entered {
  readonly sheet: string;
  readonly cell: CellPosition;
  readonly text: string;
  readonly known: () => void;
}

/** So many are waited for: people type faster than a large workbook is calculated. */
const mostEntered = 20;

/** What the cells of the workbook that is shown come to, calculated beside the page, and what people are told of it. */
export class CalculatedCells {
  /** Changes when there are other calculated values. */
  readonly changes: Signal<number> = signal(0);
  readonly #region: string;
  /** Null until it is downloaded, which the first version of the workbook begins. */
  #calculation: PageCalculation | null = null;
  /** The version that is shown. */
  #workbook: Workbook | null = null;
  #hasStopped = false;
  /** Downloaded when it may be wanted. */
  #movedSheets: MovedSheets | undefined;
  #loading: Promise<void> | null = null;
  /** The formulas that were entered last, until they are calculated. */
  #entered: readonly Entered[] = [];

  /** @param region of this person, by which a workbook that has none is calculated */
  constructor(region: string) {
    this.#region = region;
  }

  update(workbook: Workbook): void {
    this.#workbook = workbook;
    if (this.#calculation) this.#calculation.update(workbook);
    else void this.#begun();
  }

  stop(): void {
    this.#hasStopped = true;
    this.#calculation?.stop();
  }

  /** What was calculated for a cell of any sheet; undefined where what it holds counts. */
  readonly valueOf = (sheet: string, row: number, column: number): CellValue | undefined =>
    this.#calculation?.valueOf(sheet, row, column);

  /** What formulas of conditional formats and validations come to; changes with `changes`, too. */
  readonly formulaValue: FormulaValue = (sheet, formula, row, column) =>
    this.formulaValues(sheet, formula, { row, column }, 1)?.[0];

  /** The values of such a formula, as far as they are known. */
  formulaValues(
    sheet: string,
    formula: RuleFormula,
    { row, column }: CellPosition,
    most: number,
  ): RuleAnswer {
    return this.#calculation?.ruleAnswer({ sheet, formula, row, column, most }) ?? null;
  }

  /**
   * What such a formula comes to as of now, null where it cannot be calculated; undefined where nothing is calculated any more.
   * @param assumed what is taken to be in the cell, if it is something else than what it has
   */
  async ruleAnswer(
    sheet: string,
    formula: RuleFormula,
    { row, column }: CellPosition,
    most: number,
    assumed?: CellContent,
  ): Promise<RuleAnswer | undefined> {
    const calculation = await this.#begun();
    return calculation?.askRule({ sheet, formula, row, column, most }, assumed);
  }

  /** Why a cell keeps a value that is not calculated; undefined where it is. */
  staleReason(sheet: Sheet | undefined, { row, column }: CellPosition): Staleness | undefined {
    const formula = sheet?.grid.cell(row, column).formula;
    if (!sheet || !formula) return undefined;
    if (this.#calculation?.isLeftOut(formula.text)) return 'endless';
    return this.#calculation?.staleness(sheet.id, row, column);
  }

  /**
   * Something was entered into a cell: once it is calculated, people are told if it is a circular formula.
   * @param known called once another formula is calculated
   */
  entered(workbook: Workbook, sheet: string, cell: CellPosition, known: () => void): void {
    const text = sheetOf(workbook, sheet)?.grid.cell(cell.row, cell.column).formula?.text;
    const others = this.#entered.filter((one) => one.sheet !== sheet || !isSameCell(one.cell, cell));
    const added = text === undefined ? [] : [{ sheet, cell, text, known }];
    this.#entered = [...others, ...added].slice(-mostEntered);
  }

  #tellEntered(): void {
    const calculation = this.#calculation;
    const calculated = calculation?.calculated;
    if (this.#entered.length === 0 || !calculated) return;
    const isThere = ({ sheet, cell, text }: Entered) =>
      sheetOf(calculated, sheet)?.grid.cell(cell.row, cell.column).formula?.text === text;
    const there = this.#entered.filter(isThere);
    this.#entered = this.#entered.filter((one) => !there.includes(one));
    for (const { sheet, cell, known } of there) {
      if (calculation.staleness(sheet, cell.row, cell.column) === 'circular') {
        const text = t('sheet.circularEntered', { cell: cellName(cell) });
        notify({ text, kind: 'warning', topic: 'sheet-circular' });
      } else known();
    }
  }

  /** The calculation; null where it cannot be downloaded, which people are told, or is needed no more. */
  async #begun(): Promise<PageCalculation | null> {
    const part = this.#calculation ? null : await calculations.loadOrTell();
    if (part && !this.#calculation && !this.#hasStopped) {
      this.#calculation = new part.PageCalculation(this.#options());
      if (this.#workbook) this.#calculation.update(this.#workbook);
      // What was asked meanwhile is asked again.
      this.changes.value++;
    }
    return this.#calculation;
  }

  #options(): PageCalculationOptions {
    return {
      region: this.#region,
      makeWorker: () => new Worker(new URL('./calculation-worker.ts', import.meta.url), { type: 'module' }),
      movedSheets: () => {
        this.#loading ??= import('../../../model/cell/moved-sheets.ts').then(
          (part) => {
            this.#movedSheets = part.movedSheets;
          },
          // It goes without, and is tried again.
          () => {
            this.#loading = null;
          },
        );
        return this.#movedSheets;
      },
      patienceMs: { first: 30_000, later: 5_000 },
      onValues: () => {
        paintFirst();
        this.changes.value++;
        this.#tellEntered();
      },
      onLong: (isLong) => {
        const topic = 'sheet-calculating';
        if (isLong) notify({ text: t('sheet.calculating'), kind: 'info', topic, stays: true });
        else dismissNotice(topic);
      },
      onProblem: (problem) => {
        const text = problem === 'left' ? t('sheet.formulaLeftOut') : t('sheet.calculationEnded');
        notify({ text, kind: 'warning', topic: 'sheet-calculation' });
      },
    };
  }
}
