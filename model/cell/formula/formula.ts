import { lastColumn, lastRow } from '../area.ts';
import {
  addressOf,
  type FormulaPart,
  isReference,
  type LinkedReference,
  partsOf,
  type Reference,
  textOfParts,
} from './formula-parts.ts';

/**
 * What a formula fills beside its own cell: `array` is one of old (Ctrl+Shift+Enter), `dynamic` one that spills, `data` a
 * data table, whose `text` is `TABLE(row input; column input)` of the file's words.
 */
export interface FormulaSpan {
  readonly kind: 'array' | 'dynamic' | 'data';
  readonly rows: number;
  readonly columns: number;
}

/** A formula as JSON: its text without the equals sign; `a` is kind, rows and columns of what it fills. */
export type FormulaJson =
  | string
  | { readonly t: string; readonly a: readonly [FormulaSpan['kind'], number, number] };

/** A formula of a cell. Never changes. Text and pieces are made when somebody asks for them. */
export class Formula {
  readonly span: FormulaSpan | null;
  #text: string | null;
  #parts: readonly FormulaPart[] | null;
  #shared: { readonly of: Formula; readonly rows: number; readonly columns: number } | null = null;

  private constructor(text: string | null, parts: readonly FormulaPart[] | null, span: FormulaSpan | null) {
    this.#text = text;
    this.#parts = parts;
    this.span = span;
  }

  static of(text: string, span: FormulaSpan | null = null): Formula {
    return new Formula(text, null, span);
  }

  static ofParts(parts: readonly FormulaPart[], span: FormulaSpan | null = null): Formula {
    return new Formula(null, parts, span);
  }

  /** The formula that another one is when it is copied so many rows down and columns to the right. */
  static copied(formula: Formula, rows: number, columns: number): Formula {
    if (rows === 0 && columns === 0) return formula;
    const copy = new Formula(null, null, formula.span);
    copy.#shared = { of: formula, rows, columns };
    return copy;
  }

  static ofJson(json: FormulaJson): Formula {
    if (typeof json === 'string') return Formula.of(json);
    const [kind, rows, columns] = json.a;
    return Formula.of(json.t, { kind, rows, columns });
  }

  /** Without the equals sign. */
  get text(): string {
    this.#text ??= textOfParts(this.passingParts());
    return this.#text;
  }

  get parts(): readonly FormulaPart[] {
    if (this.#parts === null) {
      this.#parts = this.passingParts();
      this.#shared = null;
    }
    return this.#parts;
  }

  /** The pieces, which are not kept: for whoever looks at all formulas of a workbook once. */
  passingParts(): readonly FormulaPart[] {
    if (this.#parts !== null) return this.#parts;
    const shared = this.#shared;
    return shared ? copiedParts(shared.of.parts, shared.rows, shared.columns) : partsOf(this.text);
  }

  toJSON(): FormulaJson {
    return this.span ? { t: this.text, a: [this.span.kind, this.span.rows, this.span.columns] } : this.text;
  }

  equals(other: Formula): boolean {
    if (this === other) return true;
    const [one, two] = [this.span, other.span];
    return (
      this.text === other.text &&
      one?.kind === two?.kind &&
      one?.rows === two?.rows &&
      one?.columns === two?.columns
    );
  }
}

/** What is left of a reference to cells that are no more. */
export function brokenReference({ sheet, toSheet }: Reference): FormulaPart {
  return sheet === null ? '#REF!' : { type: 'word', word: '#REF!', sheet, toSheet };
}

/** A reference of another workbook with its address changed; that very one where nothing is. */
export function withLinked(
  part: LinkedReference,
  change: (reference: Reference) => FormulaPart,
): FormulaPart {
  const reference = change(part.reference);
  if (typeof reference === 'string' || !isReference(reference)) return `${part.prefix}#REF!`;
  const address = addressOf(reference);
  if (address === addressOf(part.reference)) return part;
  return { ...part, reference, word: part.prefix + address };
}

/** Relative sides of references move with a copy. */
export function copiedParts(parts: readonly FormulaPart[], rows: number, columns: number): FormulaPart[] {
  const copied = (reference: Reference) => copiedReference(reference, rows, columns);
  return parts.map((part) => {
    if (typeof part === 'string') return part;
    if (part.type === 'linked') return withLinked(part, copied);
    return isReference(part) ? copied(part) : part;
  });
}

function copiedReference(reference: Reference, rows: number, columns: number): FormulaPart {
  const { absolute, type, area } = reference;
  const by = (side: number, count: number) => (absolute & side ? 0 : count);
  const r1 = area[0] + (type === 'columns' ? 0 : by(1, rows));
  const r2 = area[2] + (type === 'columns' ? 0 : by(4, rows));
  const c1 = area[1] + (type === 'rows' ? 0 : by(2, columns));
  const c2 = area[3] + (type === 'rows' ? 0 : by(8, columns));
  if (r1 < 0 || c1 < 0 || r2 < 0 || c2 < 0) return brokenReference(reference);
  if (r1 > lastRow || r2 > lastRow || c1 > lastColumn || c2 > lastColumn) return brokenReference(reference);
  if (r1 <= r2 && c1 <= c2) return { ...reference, area: [r1, c1, r2, c2] };
  // A relative corner has passed an absolute one: they change places.
  const swapped =
    (r1 <= r2 ? absolute & 5 : ((absolute & 1) << 2) | ((absolute & 4) >> 2)) |
    (c1 <= c2 ? absolute & 10 : ((absolute & 2) << 2) | ((absolute & 8) >> 2));
  return {
    ...reference,
    absolute: swapped,
    area: [Math.min(r1, r2), Math.min(c1, c2), Math.max(r1, r2), Math.max(c1, c2)],
  };
}
