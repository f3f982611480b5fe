import { bracketEnd } from '../../calculation/formula-tokens.ts';
import { type Area, lastColumn, lastRow } from '../area.ts';
import { itemsOf, namesOf, sameName, type Workbook } from '../workbook.ts';
import type { Formula } from './formula.ts';
import { type FormulaPart, isReference, partsOf, type Reference, type Word } from './formula-parts.ts';

export interface SheetArea {
  /** The number of the sheet, from 0. */
  readonly sheet: number;
  readonly area: Area;
}

/** What a formula reads: more than it does read where that depends on values, and never less. */
export interface FormulaReads {
  readonly areas: readonly SheetArea[];
  /** It depends on time or chance. */
  readonly isVolatile: boolean;
  /** It matters to it whether a cell that it reads has a formula. */
  readonly seesFormulas: boolean;
}

/** What the functions in a piece of text between references do. */
interface TextTraits {
  /** What is read is only known when it is calculated. */
  readonly isUnknown: boolean;
  readonly isVolatile: boolean;
  readonly seesFormulas: boolean;
  /** An area may be read as far as another argument is large. */
  readonly growsAreas: boolean;
}

const unknown =
  /^(INDIRECT|OFFSET|ANCHORARRAY|CELL|INFO|GETPIVOTDATA|RTD|EVALUATE|D(AVERAGE|COUNTA?|GET|MAX|MIN|PRODUCT|STDEVP?|SUM|VARP?))$/;
const volatile = /^(NOW|TODAY|RAND|RANDBETWEEN|RANDARRAY)$/;
const seesFormulas = /^(SUBTOTAL|AGGREGATE|ISFORMULA|FORMULATEXT)$/;
const growsAreas = /^(SUMIF|AVERAGEIF|LOOKUP)$/;
/** Texts, and errors, which say nothing of what is read. */
const silent = /"(?:[^"]|"")*"?|#(?:N\/A|[A-Za-z0-9/_]+[!?])/g;
const called = /([\p{L}_\\][\p{L}\p{N}_.\\?]*)\s*\(/gu;

const nothing: FormulaReads = { areas: [], isVolatile: false, seesFormulas: false };

/** Reads formulas of a workbook for what they read. */
export class PrecedentReader {
  readonly #workbook: Workbook;
  readonly #sheets: ReadonlyMap<string, number>;
  readonly #names: ReadonlySet<string>;
  readonly #tables: ReadonlyMap<string, FormulaReads>;
  readonly #texts = new Map<string, TextTraits>();
  /** Of texts that begin with what of a table is meant. */
  readonly #columnTexts = new Map<string, TextTraits>();
  /** What names stand for, by sheet and name; null while one is being read, so that it cannot stand for itself. */
  readonly #named = new Map<string, FormulaReads | null>();

  constructor(workbook: Workbook) {
    this.#workbook = workbook;
    this.#sheets = new Map(workbook.sheets.map((sheet, at) => [sheet.properties.name.toLowerCase(), at]));
    this.#names = new Set([...namesOf(workbook).values()].map(({ name }) => name.toLowerCase()));
    this.#tables = new Map(
      workbook.sheets.flatMap((sheet, at) =>
        [...itemsOf(sheet, 'table').values()].map(({ name, area }) => [
          name.toLowerCase(),
          { ...nothing, areas: [{ sheet: at, area }] },
        ]),
      ),
    );
  }

  /** @param sheet the number of the formula's sheet @returns null where that is only known when it is calculated */
  reads(formula: Formula, sheet: number): FormulaReads | null {
    return this.#readsOf(formula.passingParts(), sheet);
  }

  #readsOf(parts: readonly FormulaPart[], sheet: number): FormulaReads | null {
    const areas: SheetArea[] = [];
    let [isVolatile, sees, grows] = [false, false, false];
    for (let at = 0; at < parts.length; at++) {
      const part = parts[at]!;
      if (typeof part === 'string') {
        const before = parts[at - 1];
        const traits = this.#traitsOf(typeof before === 'object' && before.type === 'table', part);
        if (traits.isUnknown) return null;
        isVolatile ||= traits.isVolatile;
        sees ||= traits.seesFormulas;
        grows ||= traits.growsAreas;
      } else {
        const read = this.#partReads(part, sheet);
        if (!read) return null;
        areas.push(...read.areas);
        isVolatile ||= read.isVolatile;
        sees ||= read.seesFormulas;
      }
    }
    return { areas: grows ? grown(areas) : areas, isVolatile, seesFormulas: sees };
  }

  #partReads(part: Exclude<FormulaPart, string>, sheet: number): FormulaReads | null {
    // What is known of another workbook is no cell of this one.
    if (part.type === 'linked') return nothing;
    if (part.toSheet !== null) return null;
    if (part.type === 'table') return this.#tables.get(part.word.toLowerCase()) ?? null;
    const at = part.sheet === null ? sheet : this.#sheets.get(part.sheet.toLowerCase());
    if (!isReference(part)) return this.#nameReads(part, sheet);
    return at === undefined ? nothing : { ...nothing, areas: [{ sheet: at, area: part.area }] };
  }

  /** A word that is neither a table nor a name is what LET or LAMBDA call something, or an error. */
  #nameReads({ word, sheet: qualifier }: Word, sheet: number): FormulaReads | null {
    if (!this.#names.has(word.toLowerCase())) return this.#tables.get(word.toLowerCase()) ?? nothing;
    // Which of two workbooks or sheets is meant matters to few formulas.
    if (qualifier !== null) return null;
    const key = `${sheet} ${word.toLowerCase()}`;
    const known = this.#named.get(key);
    if (known !== undefined) return known;
    this.#named.set(key, null);
    const read = this.#meaning(word, sheet);
    this.#named.set(key, read);
    return read;
  }

  #meaning(word: string, sheet: number): FormulaReads | null {
    const named = [...namesOf(this.#workbook).values()].filter(({ name }) => sameName(name, word));
    const { id } = this.#workbook.sheets[sheet]!;
    const item = named.find(({ scope }) => scope === id) ?? named.find(({ scope }) => !scope);
    if (!item) return nothing;
    const parts = partsOf(item.formula.replace(/^=/, ''));
    // What is relative is meant from wherever the name is used.
    if (parts.some((part) => typeof part === 'object' && isReference(part) && !isFixed(part))) return null;
    return this.#readsOf(parts, sheet);
  }

  /** @param isColumns whether it begins with what of a table is meant */
  #traitsOf(isColumns: boolean, text: string): TextTraits {
    const known = isColumns ? this.#columnTexts : this.#texts;
    let traits = known.get(text);
    if (!traits) {
      traits = this.#traits(isColumns ? text.slice(bracketEnd(text)) : text);
      known.set(text, traits);
    }
    return traits;
  }

  #traits(text: string): TextTraits {
    const plain = text.replaceAll(silent, ' ');
    const names = [...plain.matchAll(called)].map(([, name]) =>
      name!.toUpperCase().replace(/^(_XLFN\.|_XLWS\.)+/, ''),
    );
    const some = (kind: RegExp) => names.some((name) => kind.test(name));
    return {
      // A range between what functions give, what spills, a table without its name.
      isUnknown:
        /[:[#]/.test(plain) || some(unknown) || names.some((name) => this.#names.has(name.toLowerCase())),
      isVolatile: some(volatile),
      seesFormulas: some(seesFormulas),
      growsAreas: some(growsAreas),
    };
  }
}

/** Whether a reference means the same cells wherever its formula stands. */
function isFixed({ type, absolute, sheet }: Reference): boolean {
  const sides = type === 'columns' ? 10 : type === 'rows' ? 5 : 15;
  return sheet !== null && (absolute & sides) === sides;
}

/** Every area with as much more as the largest has. */
function grown(areas: readonly SheetArea[]): SheetArea[] {
  const most = Math.max(0, ...areas.map(({ area: [r1, c1, r2, c2] }) => Math.max(r2 - r1, c2 - c1)));
  return areas.map(({ sheet, area: [r1, c1, r2, c2] }) => ({
    sheet,
    area: [r1, c1, Math.min(r2 + most, lastRow), Math.min(c2 + most, lastColumn)],
  }));
}
