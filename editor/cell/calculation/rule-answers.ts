import type { CellContent } from '../../../model/calculation/calculation.ts';
import type { RuleAnswer, RuleQuestion } from '../../../model/cell/calculation-host.ts';
import { Formula } from '../../../model/cell/formula/formula.ts';

/** A formula as a rule has it: as it is seen from the first cell of the rule. */
export interface RuleFormula {
  readonly text: string;
  readonly row: number;
  readonly column: number;
}

/** What somebody wants to know of a rule: what its formula comes to in a cell. */
export interface Asked {
  readonly sheet: string;
  readonly formula: RuleFormula;
  readonly row: number;
  readonly column: number;
  /** How many of its values at most. */
  readonly most: number;
}

/** Questions about one formula, which are asked together. */
export interface QuestionBatch {
  readonly questions: readonly RuleQuestion[];
  readonly keys: readonly string[];
  readonly formula: string;
  /** Of a single question that somebody waits for. */
  readonly answered?: (answer: RuleAnswer | undefined) => void;
}

interface Known {
  readonly answer: RuleAnswer;
  /** By which calculation. */
  readonly asOf: number;
}

/** So many answers are kept: several screens full. */
const mostKnown = 10_000;
/** So many are waited for at once; who asks for more asks again when these have come. */
const mostWanted = 4_000;
/** So many are asked at once, so that a calculation does not wait long behind them. */
const mostInBatch = 250;

/**
 * What formulas of rules come to in the cells that are shown. Nobody keeps a list of these: who shows a cell asks for it, gets
 * the last answer at once, and asks again when there is another one.
 */
export class RuleAnswers {
  readonly #known = new Map<string, Known>();
  /** By formula, then by key. */
  readonly #wanted = new Map<string, Map<string, Asked>>();
  #wantedCount = 0;
  readonly #waitedFor: QuestionBatch[] = [];
  #inFlight: QuestionBatch | null = null;
  /** Formulas with which the engine does not come to an end. */
  readonly #endless = new Set<string>();
  #asOf = 0;

  get isWanted(): boolean {
    return this.#wantedCount > 0 || this.#waitedFor.length > 0;
  }

  /** The last answer, undefined while there is none; notes what has to be asked. */
  of(asked: Asked): RuleAnswer | undefined {
    const formula = formulaKey(asked);
    const key = `${asked.row} ${asked.column} ${asked.most} ${formula}`;
    const known = this.#known.get(key);
    if (known?.asOf === this.#asOf) return known.answer;
    if (this.#endless.has(formula)) return null;
    const isAsked = this.#inFlight?.keys.includes(key) ?? false;
    if (!isAsked && this.#wantedCount < mostWanted) {
      const wanted = this.#wanted.get(formula) ?? new Map<string, Asked>();
      this.#wanted.set(formula, wanted);
      if (!wanted.has(key)) this.#wantedCount += 1;
      wanted.set(key, asked);
    }
    return known?.answer;
  }

  /** Asks once. @param assumed what is taken to be in the cell, if it is something else than what it has */
  ask(asked: Asked, assumed?: CellContent): Promise<RuleAnswer | undefined> {
    const formula = formulaKey(asked);
    if (this.#endless.has(formula)) return Promise.resolve(null);
    return new Promise((answered) => {
      const one = { ...question(asked), ...(assumed !== undefined && { assumed }) };
      this.#waitedFor.push({ questions: [one], keys: [], formula, answered });
    });
  }

  /** What is to be asked next; null for nothing. */
  next(): QuestionBatch | null {
    this.#inFlight = this.#waitedFor.shift() ?? this.#nextOfShown();
    return this.#inFlight;
  }

  /** Returns whether anything is otherwise than it was. */
  answered(answers: readonly RuleAnswer[]): boolean {
    const batch = this.#inFlight;
    this.#inFlight = null;
    batch?.answered?.(answers[0]);
    let isOther = false;
    for (const [index, key] of (batch?.keys ?? []).entries()) {
      const answer = answers[index] ?? null;
      isOther ||= !isSameAnswer(this.#known.get(key)?.answer, answer);
      this.#known.delete(key);
      this.#known.set(key, { answer, asOf: this.#asOf });
    }
    for (const key of this.#known.keys()) {
      if (this.#known.size <= mostKnown) break;
      this.#known.delete(key);
    }
    return isOther;
  }

  /** There is another calculation: what is known is of an earlier one. */
  calculated(): void {
    this.#asOf += 1;
  }

  /** What was asked last did not come to an end: that formula is not asked any more. */
  leaveOut(): boolean {
    const batch = this.#inFlight;
    if (!batch) return false;
    this.#inFlight = null;
    this.#endless.add(batch.formula);
    this.#forgetWanted(batch.formula);
    batch.answered?.(null);
    return true;
  }

  /** What was asked last was not heard. */
  askAgain(): void {
    if (this.#inFlight) this.#waitedFor.unshift(this.#inFlight);
    this.#inFlight = null;
  }

  /** Nobody will answer any more. */
  stop(): void {
    for (const { answered } of [...this.#waitedFor, this.#inFlight ?? null].filter((one) => one !== null))
      answered?.(undefined);
    this.#waitedFor.length = 0;
    this.#inFlight = null;
    this.#known.clear();
    this.#wanted.clear();
    this.#wantedCount = 0;
  }

  #nextOfShown(): QuestionBatch | null {
    const [first] = this.#wanted;
    if (!first) return null;
    const [formula, wanted] = first;
    const some = [...wanted].slice(0, mostInBatch);
    for (const [key] of some) wanted.delete(key);
    this.#wantedCount -= some.length;
    if (wanted.size === 0) this.#wanted.delete(formula);
    return { questions: some.map(([, asked]) => question(asked)), keys: some.map(([key]) => key), formula };
  }

  #forgetWanted(formula: string): void {
    this.#wantedCount -= this.#wanted.get(formula)?.size ?? 0;
    this.#wanted.delete(formula);
  }
}

const formulaKey = ({ sheet, formula: { row, column, text } }: Asked): string =>
  `${row} ${column} ${sheet} ${text}`;

function question({ sheet, formula, row, column, most }: Asked): RuleQuestion {
  const { text } = Formula.copied(Formula.of(formula.text), row - formula.row, column - formula.column);
  return { sheet, row, column, formula: text, most };
}

const isSameAnswer = (one: RuleAnswer | undefined, other: RuleAnswer): boolean =>
  one === other || (one !== undefined && JSON.stringify(one) === JSON.stringify(other));
