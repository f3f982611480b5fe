import type { FormulaToken } from '../../../model/calculation/formula-tokens.ts';
import { calculatesArrays } from '../../../model/calculation/functions.ts';
import { argumentNumber, type FormulaFunction, functionNamed } from './functions.ts';

/** Tokens from one up to, but not including, another. */
export interface TokenSpan {
  readonly from: number;
  readonly to: number;
}

/** The sign `@`, which takes one value of several, before what it stands for. */
export interface SingleSign {
  readonly at: number;
  readonly operand: TokenSpan;
  /** Whether several values would come without it. */
  readonly isOfSeveral: boolean;
  /** Whether it stands where a range would be taken as a whole. */
  isAlone: boolean;
}

export interface ArrayPlaces {
  /** What has or may have several values, where one is expected: the formula is calculated for each of them. */
  readonly places: readonly TokenSpan[];
  readonly singles: readonly SingleSign[];
  /** Arguments in which formulas of every kind calculate with several values. */
  readonly arrays: readonly TokenSpan[];
}

interface Operand extends TokenSpan {
  readonly isSeveral: boolean;
}

interface Argument extends TokenSpan {
  readonly operands: readonly Operand[];
  readonly singles: readonly SingleSign[];
  /** How many pieces it has beside its operands of several values. */
  readonly others: number;
}

/** Brackets in each other that are looked into; more than Excel takes of functions, and few enough for the stack. */
const deepest = 500;

/** Whether a token lies in one of several spans. */
export const isWithin = (at: number, spans: readonly TokenSpan[]): boolean =>
  spans.some(({ from, to }) => at >= from && at < to);

/** Whether a name stands for several values. */
export type IsSeveral = (name: string) => boolean;

/** Finds where a formula has several values in the place of one. Takes any tokens. */
export function arrayPlaces(
  tokens: readonly FormulaToken[],
  isSeveral: IsSeveral = () => false,
): ArrayPlaces {
  const reader = new ArrayPlaceReader(tokens, isSeveral);
  reader.read();
  return reader;
}

class ArrayPlaceReader implements ArrayPlaces {
  readonly places: TokenSpan[] = [];
  readonly singles: SingleSign[] = [];
  readonly arrays: TokenSpan[] = [];
  /** What IF is given, but for ranges to choose from: it looks at one value also among arrays. */
  readonly #ofConditions: TokenSpan[] = [];
  readonly #tokens: readonly FormulaToken[];
  readonly #isSeveral: IsSeveral;
  #at = 0;
  #depth = 0;

  constructor(tokens: readonly FormulaToken[], isSeveral: IsSeveral) {
    this.#tokens = tokens;
    this.#isSeveral = isSeveral;
  }

  read(): void {
    while (this.#at < this.#tokens.length) {
      for (const { operands } of this.#arguments()) this.places.push(...operands);
      this.#at++;
    }
  }

  #is(sign: string): boolean {
    const token = this.#tokens[this.#at];
    return token?.kind === 'other' && token.text === sign;
  }

  #kind(): FormulaToken['kind'] | undefined {
    return this.#tokens[this.#at]?.kind;
  }

  /** Arguments up to the bracket that closes them, or the end. */
  #arguments(): Argument[] {
    const found: Argument[] = [];
    if (this.#depth === deepest) return [this.#unread()];
    this.#depth++;
    for (;;) {
      found.push(this.#argument());
      if (!this.#is(',')) break;
      this.#at++;
    }
    this.#depth--;
    return found;
  }

  /** What nobody looks into, up to the bracket that closes it, as one value. */
  #unread(): Argument {
    const from = this.#at;
    for (let open = 0; this.#at < this.#tokens.length; this.#at++) {
      if (this.#is('(')) open++;
      else if (this.#is(')') && --open < 0) break;
    }
    return { from, to: this.#at, operands: [], singles: [], others: 1 };
  }

  #argument(): Argument {
    const from = this.#at;
    const operands: Operand[] = [];
    const singles: SingleSign[] = [];
    let others = 0;
    while (this.#at < this.#tokens.length && !this.#is(',') && !this.#is(')')) {
      const at = this.#at;
      if (this.#kind() === 'space') {
        this.#at++;
        continue;
      }
      const isSingle = this.#is('@');
      if (isSingle) this.#at++;
      const operand = this.#operand();
      if (operand && isSingle) singles.push({ at, operand, isOfSeveral: operand.isSeveral, isAlone: false });
      if (operand?.isSeveral && !isSingle) operands.push(operand);
      else others++;
      if (!operand && this.#at === at) this.#at++;
    }
    this.singles.push(...singles);
    return { from, to: this.#at, operands, singles, others };
  }

  #operand(): Operand | null {
    const from = this.#at;
    const first = this.#piece();
    if (first === null) return null;
    let isSeveral = first;
    while (this.#is(':')) {
      this.#at++;
      if (this.#piece() !== null) isSeveral = true;
    }
    return { from, to: Math.min(this.#at, this.#tokens.length), isSeveral };
  }

  /** Whether the piece at this place has several values; null, and the place is the same, where none begins. */
  #piece(): boolean | null {
    const { kind, text } = this.#tokens[this.#at] ?? { kind: 'space', text: '' };
    const next = this.#tokens[this.#at + 1];
    switch (kind) {
      case 'sheet': {
        this.#at++;
        return this.#piece() ?? false;
      }
      case 'columns':
      case 'rows':
        this.#at++;
        return true;
      case 'cell':
        this.#at++;
        if (!this.#is('#')) return false;
        this.#at++;
        return true;
      case 'bracket':
        this.#at++;
        return !isThisRow(text);
      case 'name':
        if (next?.kind === 'bracket') {
          this.#at += 2;
          return !isThisRow(next.text);
        }
        if (next?.text === '(') return this.#call(text);
        this.#at++;
        return this.#isSeveral(text);
      case 'other':
        return text === '(' ? this.#brackets() : text === '{' ? this.#constant() : null;
      default:
        return null;
    }
  }

  #brackets(): boolean {
    this.#at++;
    const inside = this.#arguments();
    this.#at++;
    const [only] = inside;
    if (inside.length === 1 && only!.operands.length === 1 && only!.others === 0) return true;
    for (const { operands } of inside) this.places.push(...operands);
    return false;
  }

  #constant(): boolean {
    while (this.#at < this.#tokens.length && !this.#is('}')) this.#at++;
    this.#at++;
    return true;
  }

  #call(name: string): boolean {
    this.#at += 2;
    const given = this.#arguments();
    this.#at++;
    const called = functionNamed(name);
    for (const [place, { from, to, operands, singles, others }] of given.entries()) {
      const takesRange = !called || called.takes[argumentNumber(called, place)]?.isRange === true;
      if (called && takesRange && calculatesArrays.has(called.name))
        this.arrays.push(...without(this.#ofConditions, { from, to }));
      if (called?.name === 'IF' && (place === 0 || operands.length !== 1 || others > 0))
        this.#ofConditions.push({ from, to });
      if (takesRange && singles.length === 1 && operands.length === 0 && others === 1)
        singles[0]!.isAlone = true;
      if (!takesRange || operands.length + others > 1) this.places.push(...operands);
    }
    return called?.givesSeveral === true && this.#givesSeveral(called, given);
  }

  /** Some functions give several values for some arguments only. */
  #givesSeveral({ name }: FormulaFunction, given: readonly Argument[]): boolean {
    const textOf = (argument: Argument | undefined) =>
      this.#tokens
        .slice(argument?.from, argument?.to ?? 0)
        .map(({ text }) => text)
        .join('')
        .trim();
    switch (name) {
      case 'ROW':
      case 'COLUMN':
        return given[0]!.operands.length > 0;
      case 'INDEX':
        // Row or column 0 is all of them.
        return given.slice(1, 3).some((argument) => ['', '0'].includes(textOf(argument)));
      case 'OFFSET':
        return given.length > 3 || given[0]!.operands.length > 0;
      case 'XLOOKUP':
        return !isOneLine(textOf(given[2]));
      default:
        return true;
    }
  }
}

/** What is left of a span without others, which come in the order of their ends. */
function without(others: readonly TokenSpan[], { from, to }: TokenSpan): TokenSpan[] {
  const left: TokenSpan[] = [];
  let end = to;
  for (const other of others.toReversed()) {
    if (other.from < from || other.to > end) continue;
    left.push({ from: other.to, to: end });
    end = other.from;
  }
  return [...left, { from, to: end }];
}

const isThisRow = (bracket: string): boolean => bracket.startsWith('[@') || /#this row/i.test(bracket);

/** Whether a range is within one column or one row, as it is written. */
function isOneLine(range: string): boolean {
  const [first = '', last] = range
    .slice(range.lastIndexOf('!') + 1)
    .replaceAll('$', '')
    .toUpperCase()
    .split(':');
  if (last === undefined) return /^[^[]+\[[^[\]:]+\]$/.test(first) || /^[A-Z]+\d+$/.test(first);
  const isShared = (part: RegExp) => {
    const found = part.exec(first)?.[0];
    return found !== undefined && found === part.exec(last)?.[0];
  };
  return isShared(/[A-Z]+/) || isShared(/\d+/);
}
