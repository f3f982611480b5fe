import { FORMULA_BOUNDS, formulaShape } from '../../../model/calculation/formula-shape.ts';
import { sign, typedOptional, withOptional } from '../../../model/calculation/formula-text.ts';
import { type FormulaToken, formulaTokens } from '../../../model/calculation/formula-tokens.ts';
import { unnamedColumns } from '../../../model/calculation/table-columns.ts';
import { countFault } from './argument-count.ts';
import { hasDecimalComma, withDecimalPoints } from './local-formula.ts';
import { isFormula, typedTokens } from './typed-tokens.ts';

/** Why what is typed cannot be a formula. */
export interface SyntaxFault {
  /**
   * `missing`: a value or a reference should stand behind `sign`; `beside`: `sign` stands right behind another value; `sign`:
   * it has no place there; `open`: what `sign` opens is not closed; `few`, `many`: the function `sign` takes more arguments, or fewer;
   * `levels`, `arguments`, `textChars`: programs take no more than `sign` of these.
   */
  readonly kind: 'missing' | 'beside' | 'sign' | 'open' | 'few' | 'many' | Bound;
  readonly sign: string;
}

type Bound = (typeof bounds)[number];
const bounds = ['levels', 'arguments', 'textChars'] as const;

/** What stands before a place: nothing that has a value, a value, or what may be a reference. */
type Before = 'nothing' | 'value' | 'reference';

/** A formula with the quotation mark and the brackets at its end that somebody has left out. */
export function closedFormula(text: string): string {
  if (!isFormula(text)) return text;
  const tokens = typedTokens(text);
  const last = tokens.at(-1)!;
  const isTextOpen = last.kind === 'text' && formulaTokens(last.text)[0]?.text === '"';
  let open = 0;
  for (const { kind, text: piece } of tokens) {
    if (kind !== 'operator') continue;
    if (piece === '(') open++;
    if (piece === ')') open--;
  }
  return text + (isTextOpen ? '"' : '') + ')'.repeat(Math.max(0, open));
}

/**
 * The first fault in a formula without the sign that begins it, as people who write by `locale` type it; null for none. A name
 * that nobody knows is none, and neither is a value that a function does not take.
 * @param hasTable whether columns may stand without the name of their table: in its own cells
 */
export function syntaxFault(formula: string, locale: string, hasTable = false): SyntaxFault | null {
  const plain = hasDecimalComma(locale) ? withDecimalPoints(formula) : formula;
  const shape = formulaShape(plain);
  const beyond = bounds.find((bound) => shape[bound] > FORMULA_BOUNDS[bound]);
  return (
    new Syntax(plain).fault() ??
    (hasTable ? null : ofNoTable(plain)) ??
    (beyond ? { kind: beyond, sign: String(FORMULA_BOUNDS[beyond]) } : null)
  );
}

/** Columns without the name of their table. A parameter of LAMBDA that may be left out is written alike. */
function ofNoTable(formula: string): SyntaxFault | null {
  const tokens = formulaTokens(formula).map((token) => (token.text === ';' ? sign(',') : token));
  const columns = unnamedColumns(withOptional(tokens, typedOptional));
  return columns ? wrong(columns) : null;
}

const binary = new Set(['+', '-', '*', '/', '^', '&', '=', '<', '>']);
const ofReferences: readonly FormulaToken['kind'][] = ['cell', 'columns', 'rows', 'sheet', 'name', 'bracket'];
const onSheets: readonly FormulaToken['kind'][] = ['cell', 'columns', 'rows', 'name', 'error'];

class Syntax {
  readonly #tokens: readonly FormulaToken[];
  /** What each open bracket belongs to. */
  readonly #open: ('call' | 'group')[] = [];
  #before: Before = 'nothing';
  /** The last token that is no space, and whether a space came behind it. */
  #last: FormulaToken = { kind: 'other', text: '=' };
  #isSpaced = false;

  constructor(formula: string) {
    this.#tokens = formulaTokens(formula);
  }

  fault(): SyntaxFault | null {
    for (let at = 0; at < this.#tokens.length; at++) {
      const token = this.#tokens[at]!;
      if (token.kind === 'space') {
        this.#isSpaced = true;
        continue;
      }
      const isOnSheet = this.#last.kind === 'sheet';
      if (isOnSheet && (this.#isSpaced || !onSheets.includes(token.kind))) return this.#missing();
      const fault = this.#take(token, at);
      if (fault) return fault;
      if (token.text === '{') at = this.#constantEnd(at);
      this.#last = this.#tokens[at]!;
      this.#isSpaced = false;
    }
    if (this.#before === 'nothing') return this.#missing();
    return this.#open.length > 0 ? { kind: 'open', sign: '(' } : countFault(this.#tokens);
  }

  #take(token: FormulaToken, at: number): SyntaxFault | null {
    if (token.kind !== 'other') return this.#operand(token);
    switch (token.text) {
      case '(':
        return this.#opening();
      case ')':
        return this.#closing();
      case '{':
        return this.#constant(at);
      case ',':
      case ';':
        return this.#separator(token, at);
      case ':':
        return this.#before === 'nothing' ? wrong(token) : this.#between(token, at);
      case '%':
        return this.#before === 'nothing' ? wrong(token) : null;
      case '#':
        return this.#before === 'reference' ? null : wrong(token);
      case '@':
        return this.#single(token);
      default:
        return binary.has(token.text) ? this.#operator(token, at) : wrong(token);
    }
  }

  #operand(token: FormulaToken): SyntaxFault | null {
    const isReference = ofReferences.includes(token.kind);
    if (token.kind === 'bracket' && !isClosed(token.text)) return { kind: 'open', sign: '[' };
    // The columns of a table stand right behind its name, and a blank between references means what both have.
    const isOfTable = token.kind === 'bracket' && this.#last.kind === 'name' && !this.#isSpaced;
    const isShared = this.#isSpaced && isReference && this.#before === 'reference';
    if (this.#before !== 'nothing' && !isOfTable && !isShared) return { kind: 'beside', sign: token.text };
    this.#before = isReference || token.kind === 'error' ? 'reference' : 'value';
    if (token.kind === 'sheet') this.#before = 'nothing';
    return null;
  }

  #opening(): SyntaxFault | null {
    const isCall = this.#before === 'reference' && (this.#last.kind === 'name' || this.#last.text === ')');
    if (this.#before === 'value' || (this.#before === 'reference' && !isCall && !this.#isSpaced))
      return { kind: 'beside', sign: '(' };
    this.#open.push(isCall ? 'call' : 'group');
    this.#before = 'nothing';
    return null;
  }

  #closing(): SyntaxFault | null {
    const kind = this.#open.pop();
    if (!kind) return { kind: 'sign', sign: ')' };
    const mayBeEmpty = kind === 'call' && /^[(,;]$/.test(this.#last.text);
    if (this.#before === 'nothing' && !mayBeEmpty) return this.#missing();
    this.#before = 'reference';
    return null;
  }

  /** One value of several, also of those that two references have in common. */
  #single(token: FormulaToken): SyntaxFault | null {
    if (this.#before === 'value' || (this.#before === 'reference' && !this.#isSpaced)) return wrong(token);
    this.#before = 'nothing';
    return null;
  }

  #separator(token: FormulaToken, at: number): SyntaxFault | null {
    const isInCall = this.#open.at(-1) === 'call';
    if (isInCall && (this.#before !== 'nothing' || /^[(,;]$/.test(this.#last.text))) {
      this.#before = 'nothing';
      return null;
    }
    if (this.#before === 'nothing') return isInCall ? this.#missing() : wrong(token);
    // What stands in brackets of their own is several areas, or several values, of which Excel makes an error.
    if (this.#open.length === 0) return this.#between(token, at);
    this.#before = 'nothing';
    return null;
  }

  /** A sign that stands between references. */
  #between(token: FormulaToken, at: number): SyntaxFault | null {
    const next = this.#next(at);
    const isOfValues = next?.kind === 'number' || next?.kind === 'text' || /^[-+{]/.test(next?.text ?? '');
    if (this.#before !== 'reference' || isOfValues) return wrong(token);
    this.#before = 'nothing';
    return null;
  }

  #operator(token: FormulaToken, at: number): SyntaxFault | null {
    const { text } = token;
    const [first, second] = this.#tokens.slice(Math.max(0, at - 2), at).map((one) => one.text);
    const isPair = first !== '<' && /^(?:<=|>=|<>)$/.test(`${second}${text}`);
    if (this.#before === 'nothing' && (text === '+' || text === '-' || isPair)) return null;
    if (this.#before === 'nothing') return at === 0 ? wrong(token) : this.#missing();
    this.#before = 'nothing';
    return null;
  }

  /** Constants in braces, which hold no references. */
  #constant(at: number): SyntaxFault | null {
    if (this.#before !== 'nothing') return { kind: 'beside', sign: '{' };
    const end = this.#constantEnd(at);
    if (this.#tokens[end]?.text !== '}') return { kind: 'open', sign: '{' };
    if (this.#next(at)?.text === '}') return { kind: 'missing', sign: '{' };
    this.#before = 'value';
    return null;
  }

  #constantEnd(at: number): number {
    const end = this.#tokens.findIndex(({ text }, index) => index > at && text === '}');
    return end < 0 ? this.#tokens.length - 1 : end;
  }

  #next(at: number): FormulaToken | undefined {
    return this.#tokens.slice(at + 1, at + 3).find(({ kind }) => kind !== 'space');
  }

  #missing(): SyntaxFault {
    return { kind: 'missing', sign: this.#last.text };
  }
}

const wrong = ({ text }: FormulaToken): SyntaxFault => ({ kind: 'sign', sign: text });

/** Whether what a bracket begins ends with it. */
function isClosed(text: string): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    if (text[at] === "'") at++;
    else if (text[at] === '[') depth++;
    else if (text[at] === ']') depth--;
  }
  return depth === 0;
}
