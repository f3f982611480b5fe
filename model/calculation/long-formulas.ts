import { type FormulaToken, formulaTokens } from './formula-tokens.ts';
import { VARIABLE } from './lambda-names.ts';

/**
 * Levels of the engine's recursion that fit into the stack of every thread that calculates: nearly a thousand operators in a row, or
 * 278 functions in each other (Excel allows 64). Reading a function takes about 2.8 KB of the usual 984 once the engine has been
 * optimised, which happens at some time while it runs, and twice as much as before.
 */
const DEEPEST = 1_950;
const LEVELS_OF_PARENTHESES = 7;
const LEVELS_OF_OPERATOR = 2;
/** A value of more levels gets a name, if an operator makes it. */
const DEEPEST_UNNAMED = 900;

/** From the one that binds least. */
const precedence = ['<=>', '&', '+-', '*/', '^'];
const rankOf = (operator: string): number => precedence.findIndex((signs) => signs.includes(operator[0]!));

/**
 * A formula in the words of the engine with no more levels than this can read: where there are more, what operators make gets names
 * by LET, one after the other. Null where functions stand too deeply in each other for that.
 */
export function withinLevels(text: string): string | null {
  const parentheses = text.split('(').length - 1;
  const operators = text.match(/[-+*/^&=<>%:@]/g)?.length ?? 0;
  if (parentheses * LEVELS_OF_PARENTHESES + operators * LEVELS_OF_OPERATOR < DEEPEST) return text;
  const tokens = formulaTokens(text);
  const unnamed = new Levels(tokens, '', Number.POSITIVE_INFINITY).whole();
  if (unnamed.levels <= DEEPEST) return unnamed.text;
  let name = `${VARIABLE}part`;
  while (text.includes(name)) name += '_';
  const whole = new Levels(tokens, name, DEEPEST_UNNAMED).whole();
  return whole.levels <= DEEPEST ? whole.text : null;
}

/** A piece of a formula. */
interface Piece {
  readonly text: string;
  readonly levels: number;
  /** Whether it is in parentheses, and nothing else. */
  readonly isGroup: boolean;
}

const nothing: Piece = { text: '', levels: 0, isGroup: false };

/** What is between two parentheses, or all of a formula. */
interface Frame {
  /** What is called, or stands before the parenthesis otherwise; null where it only groups. */
  readonly called: Piece | null;
  readonly arguments: Piece[];
  /** What the operators of the argument stand between, and the operators that wait for what follows. */
  readonly operands: Piece[];
  readonly operators: string[];
  /** Signs before the operand that follows. */
  signs: string;
  operand: Piece;
  /** Names and what they stand for, in turn. */
  readonly named: Piece[];
}

const frame = (called: Piece | null): Frame => ({
  ...{ called, arguments: [], operands: [], operators: [], signs: '', operand: nothing, named: [] },
});

/** Counts the levels of a formula, and names what has more than it should. */
class Levels {
  readonly #tokens: readonly FormulaToken[];
  readonly #name: string;
  readonly #most: number;
  readonly #frames: Frame[] = [frame({ ...nothing })];
  #names = 0;
  #isInBraces = false;

  constructor(tokens: readonly FormulaToken[], name: string, most: number) {
    this.#tokens = tokens;
    this.#name = name;
    this.#most = most;
  }

  whole(): Piece {
    for (const { kind, text } of this.#tokens) {
      if (text === '{' || text === '}') this.#isInBraces = text === '{';
      if (kind === 'other' && !this.#isInBraces) this.#sign(text);
      else this.#append({ ...nothing, text });
    }
    while (this.#frames.length > 1) this.#close();
    return this.#argument();
  }

  get #frame(): Frame {
    return this.#frames.at(-1)!;
  }

  #append({ text, levels, isGroup }: Piece): void {
    const at = this.#frame;
    const isFirst = at.operand.text === '';
    at.operand = {
      text: at.operand.text + text,
      levels: Math.max(at.operand.levels, levels),
      isGroup: isFirst && isGroup,
    };
  }

  #sign(text: string): void {
    const at = this.#frame;
    if (text === '(') {
      this.#frames.push(frame(at.operand.text.trim() === '' ? null : at.operand));
    } else if (text === ')' && this.#frames.length > 1) {
      this.#close();
    } else if (text === ',') {
      at.arguments.push(this.#argument());
    } else if (text === '%') {
      at.operand = this.#named({ ...at.operand, text: `${at.operand.text}%` });
    } else if (rankOf(text) < 0) {
      this.#append({ ...nothing, text, levels: LEVELS_OF_OPERATOR });
    } else if (at.operand.text.trim() !== '') {
      this.#operator(text);
    } else if (/[<>]$/.test(at.operators.at(-1) ?? '') && at.signs === '') {
      at.operators.push(at.operators.pop() + text);
    } else {
      at.signs += text;
    }
  }

  #operator(text: string): void {
    this.#operandEnd();
    this.#combine(rankOf(text));
    this.#frame.operators.push(text);
  }

  /** The operand that has been read, with its signs. */
  #operandEnd(): void {
    const at = this.#frame;
    let { operand } = at;
    for (const sign of [...at.signs].reverse())
      operand = this.#named({ ...operand, text: sign + operand.text });
    at.operands.push(operand);
    at.operand = nothing;
    at.signs = '';
  }

  /** Puts together what operators stand between that bind as much as one that follows, or more. */
  #combine(rank: number): void {
    const { operands, operators } = this.#frame;
    while (operators.length > 0 && rankOf(operators.at(-1)!) >= rank) {
      const [right, left] = [operands.pop()!, operands.pop()!];
      const text = left.text + operators.pop() + right.text;
      operands.push(this.#named({ text, levels: Math.max(left.levels, right.levels), isGroup: false }));
    }
  }

  /** What an operator has made of an operand, or its name. */
  #named(piece: Piece): Piece {
    const made = { ...piece, levels: piece.levels + LEVELS_OF_OPERATOR, isGroup: false };
    if (made.levels <= this.#most) return made;
    const name = { ...nothing, text: this.#name + ++this.#names };
    this.#frame.named.push(name, made);
    return name;
  }

  /** The argument that ends here, with what has names in it. */
  #argument(): Piece {
    const at = this.#frame;
    this.#operandEnd();
    this.#combine(0);
    const value = at.operands.pop()!;
    const named = at.called ? at.named.splice(0) : [];
    if (named.length === 0) return value;
    const pieces = [...named, value];
    return {
      text: `LET(${pieces.map(({ text }) => text).join(',')})`,
      levels: Math.max(...pieces.map(({ levels }) => levels)) + LEVELS_OF_PARENTHESES,
      isGroup: false,
    };
  }

  #close(): void {
    const last = this.#argument();
    const { called, arguments: before, named } = this.#frames.pop()!;
    const at = this.#frame;
    const pieces = [...before, last];
    if (called) {
      const levels = Math.max(called.levels, ...pieces.map((one) => one.levels + LEVELS_OF_PARENTHESES));
      at.operand = {
        text: `${called.text}(${pieces.map(({ text }) => text).join(',')})`,
        levels,
        isGroup: false,
      };
      return;
    }
    at.named.push(...named);
    const text = `(${pieces.map((one) => one.text).join(',')})`;
    const levels = Math.max(...pieces.map((one) => one.levels)) + LEVELS_OF_PARENTHESES;
    // What is in parentheses twice has the levels of one pair.
    const isTwice = before.length === 0 && last.isGroup;
    this.#append(isTwice ? last : { text, levels, isGroup: true });
  }
}
