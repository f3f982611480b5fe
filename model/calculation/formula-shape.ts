import { bracketEnd, formulaTokens } from './formula-tokens.ts';

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

/** What Excel says is the most that a formula may have, and a text in it. */
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

/** A bracket that is open, and how many arguments it has. */
interface Open {
  readonly sign: string;
  readonly isCall: boolean;
  arguments: number;
}

const closing: ReadonlyMap<string, string> = new Map([
  [')', '('],
  ['}', '{'],
]);

/** Reads the shape of a formula without its `=`. Takes any text. */
export function formulaShape(formula: string): FormulaShape {
  const shape = { levels: 0, arguments: 0, textChars: 0 };
  const open: Open[] = [];
  let calls = 0;
  let isWhole = !beginsNone.test(formula) && !endsNone.test(formula);
  let isQuoted = false;
  let before = '';
  for (const { kind, text } of formulaTokens(formula)) {
    if (text === "'") {
      // Of another program, as in `Program|'topic'!'item'`; one before a `!` is a sheet.
      isQuoted = !isQuoted;
    } else if (isQuoted) {
      continue;
    } else if (kind === 'text') {
      shape.textChars = Math.max(shape.textChars, text.slice(1, -1).replaceAll('""', '"').length);
    } else if (kind === 'bracket') {
      isWhole &&= bracketEnd(`${text}]`) === text.length;
    } else if (text === '"') {
      // One that is closed is a text.
      isWhole = false;
    } else if (text === '(' || text === '{') {
      const isCall = text === '(' && /[\p{L}\p{N}_.)]$/u.test(before);
      if (isCall) shape.levels = Math.max(shape.levels, ++calls);
      open.push({ sign: text, isCall, arguments: 1 });
    } else if (text === ',' || text === ';') {
      const last = open.at(-1);
      if (last?.isCall) last.arguments++;
    } else if (closing.has(text)) {
      const last = open.pop();
      isWhole &&= last?.sign === closing.get(text);
      if (last?.isCall) {
        calls--;
        shape.arguments = Math.max(shape.arguments, last.arguments);
      }
    }
    before = text;
  }
  return { ...shape, isWhole: isWhole && !isQuoted && open.length === 0 };
}
