/** What a formula is made of, as far as it decides whether programs take it from a file. */
export interface FormulaShape {
  /** So many calls of functions stand in each other. */
  readonly levels: number;
  /** Of the call that has most. */
  readonly arguments: number;
  /** Of its longest text. */
  readonly textChars: number;
  /** Whatever it opens is closed, and no operator or separator is without a value at its beginning or end. */
  readonly isWhole: boolean;
}

/** Excel neither takes a formula beyond these nor opens a file with one: it takes it out, with a notice of damage. */
export const FORMULA_BOUNDS = { chars: 8_192, levels: 64, arguments: 255, textChars: 255 } as const;

/** Whether a formula without its `=` may stand in a file. What it comes to is not asked, nor whether there is what it names. */
export function isLawfulFormula(formula: string): boolean {
  const { chars, levels, arguments: most, textChars } = FORMULA_BOUNDS;
  if (formula.length > chars) return false;
  const shape = formulaShape(formula);
  return shape.isWhole && shape.levels <= levels && shape.arguments <= most && shape.textChars <= textChars;
}

const beginsNone = /^[\s\u00a0]*(?:[*/^&<>),;:%}]|$)/;
const endsNone = /[-+*/^&=<>(,;:@{][\s\u00a0]*$/;

/** Reads the shape of a formula without its `=`. Takes any text. */
export function formulaShape(formula: string): FormulaShape {
  return new Shape(formula).read();
}

/** A bracket that is open, and how many arguments it has. */
interface Open {
  readonly sign: '(' | '{';
  readonly isCall: boolean;
  count: number;
}

class Shape {
  readonly #formula: string;
  readonly #open: Open[] = [];
  #at = 0;
  #calls = 0;
  #levels = 0;
  #arguments = 0;
  #textChars = 0;
  #isWhole: boolean;

  constructor(formula: string) {
    this.#formula = formula;
    this.#isWhole = !beginsNone.test(formula) && !endsNone.test(formula);
  }

  read(): FormulaShape {
    for (; this.#at < this.#formula.length; this.#at++) this.#take(this.#formula[this.#at]!);
    return {
      levels: this.#levels,
      arguments: this.#arguments,
      textChars: this.#textChars,
      isWhole: this.#isWhole && this.#open.length === 0,
    };
  }

  #take(sign: string): void {
    switch (sign) {
      case '"':
        this.#textChars = Math.max(this.#textChars, this.#quoted(sign));
        break;
      case "'":
        this.#quoted(sign);
        break;
      case '[':
        this.#bracketed();
        break;
      case '(':
      case '{':
        this.#begin(sign);
        break;
      case ')':
      case '}':
        this.#end(sign);
        break;
      case ',':
      case ';':
        this.#separate();
    }
  }

  /** To the end of what begins with a quote; gives its characters. A doubled quote is one of them. */
  #quoted(quote: string): number {
    let count = 0;
    for (let at = this.#at + 1; at < this.#formula.length; at++, count++) {
      if (this.#formula[at] !== quote) continue;
      if (this.#formula[at + 1] !== quote) {
        this.#at = at;
        return count;
      }
      at++;
    }
    this.#leaveOpen();
    return count;
  }

  /** To the end of what a bracket begins: an apostrophe takes its meaning from the character behind it. */
  #bracketed(): void {
    let depth = 0;
    for (let at = this.#at; at < this.#formula.length; at++) {
      const sign = this.#formula[at];
      if (sign === "'") at++;
      else if (sign === '[') depth++;
      else if (sign === ']' && --depth === 0) {
        this.#at = at;
        return;
      }
    }
    this.#leaveOpen();
  }

  #leaveOpen(): void {
    this.#isWhole = false;
    this.#at = this.#formula.length;
  }

  #begin(sign: '(' | '{'): void {
    const isCall = sign === '(' && /[\p{L}\p{N}_.)]/u.test(this.#formula[this.#at - 1] ?? '');
    if (isCall) this.#levels = Math.max(this.#levels, ++this.#calls);
    this.#open.push({ sign, isCall, count: 1 });
  }

  #end(sign: ')' | '}'): void {
    const last = this.#open.pop();
    if (last?.sign !== (sign === ')' ? '(' : '{')) this.#isWhole = false;
    if (!last?.isCall) return;
    this.#calls--;
    this.#arguments = Math.max(this.#arguments, last.count);
  }

  #separate(): void {
    const last = this.#open.at(-1);
    if (last?.isCall) last.count++;
  }
}
