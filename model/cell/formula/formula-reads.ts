import type { Table } from '../../calculation/calculation.ts';
import { bracketEnd } from '../../calculation/formula-tokens.ts';
import { rangeOfTable } from '../../calculation/structured-reference.ts';
import { type Area, areaOfReference, lastColumn, lastRow } from '../area.ts';
import { tablesOf } from '../calculation-feed.ts';
import { namesOf, sameName, type Workbook } from '../workbook.ts';
import type { Formula } from './formula.ts';
import { type FormulaPart, isReference, partsOf, type Reference, type Word } from './formula-parts.ts';

/** Where a formula stands: the number of its sheet, its row and its column, from 0. */
export interface FormulaPlace {
  readonly sheet: number;
  readonly row: number;
  readonly column: number;
}

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
  /** It matters to it where it stands, or where what it reads does. */
  readonly isPlaced: boolean;
}

/** What the functions in a piece of text between references do. */
interface TextTraits {
  /** What is read is only known when it is calculated. */
  readonly isUnknown: boolean;
  readonly isVolatile: boolean;
  readonly seesFormulas: boolean;
  readonly isPlaced: boolean;
  /** An area may be read as far as another argument is large. */
  readonly growsAreas: boolean;
}

const unknown =
  /^(INDIRECT|OFFSET|ANCHORARRAY|CELL|INFO|GETPIVOTDATA|RTD|EVALUATE|D(AVERAGE|COUNTA?|GET|MAX|MIN|PRODUCT|STDEVP?|SUM|VARP?))$/;
const volatile = /^(NOW|TODAY|RAND|RANDBETWEEN|RANDARRAY)$/;
const seesFormulas = /^(SUBTOTAL|AGGREGATE|ISFORMULA|FORMULATEXT)$/;
const isPlaced = /^(ROW|COLUMN|SHEETS?|FORMULATEXT)$/;
const growsAreas = /^(SUMIF|AVERAGEIF|LOOKUP)$/;
/** Texts, and errors, which say nothing of what is read. */
const silent = /"(?:[^"]|"")*"?|#(?:N\/A|[A-Za-z0-9/_]+[!?])/g;
const called = /([\p{L}_\\][\p{L}\p{N}_.\\?]*)\s*\(/gu;

const nothing: FormulaReads = { areas: [], isVolatile: false, seesFormulas: false, isPlaced: false };

/** Reads formulas of a workbook for what they read. */
export class PrecedentReader {
  readonly #workbook: Workbook;
  readonly #sheetNames: readonly string[];
  readonly #sheets: ReadonlyMap<string, number>;
  readonly #names: ReadonlySet<string>;
  readonly #tables: ReadonlyMap<string, Table>;
  readonly #texts = new Map<string, TextTraits>();
  /** Of texts that begin with what of a table is meant. */
  readonly #columnTexts = new Map<string, TextTraits>();
  /** What names stand for, by sheet and name; null while one is being read, so that it cannot stand for itself. */
  readonly #named = new Map<string, FormulaReads | null>();

  /** @param other another version: what is a name in it may be one */
  constructor(workbook: Workbook, other: Workbook = workbook) {
    this.#workbook = workbook;
    this.#sheetNames = workbook.sheets.map(({ properties }) => properties.name);
    this.#sheets = new Map(this.#sheetNames.map((name, at) => [name.toLowerCase(), at]));
    const names = [workbook, other].flatMap((version) => [...namesOf(version).values()]);
    this.#names = new Set(names.map(({ name }) => name.toLowerCase()));
    this.#tables = new Map(
      workbook.sheets.flatMap(tablesOf).map((table) => [table.name.toLowerCase(), table]),
    );
  }

  /** @returns null where that is only known when it is calculated */
  reads(formula: Formula, place: FormulaPlace): FormulaReads | null {
    return this.#readsOf(formula.passingParts(), place);
  }

  /** The number of the sheet of a reference; undefined where there is none. */
  sheetOf({ sheet }: Reference, place: FormulaPlace): number | undefined {
    return sheet === null ? place.sheet : this.#sheets.get(sheet.toLowerCase());
  }

  /**
   * The cells that a structured reference means; null where it is none, or an error.
   * @param text what stands behind the table's name
   */
  tableArea(table: string, text: string, { sheet, row, column }: FormulaPlace): SheetArea | null {
    const found = this.#tables.get(table.toLowerCase());
    if (!found) return null;
    const place = { sheet, row: row + 1, column: column + 1 };
    const range = rangeOfTable(found, text.slice(0, bracketEnd(text)), place, this.#sheetNames);
    const area = areaOfReference(range.slice(range.lastIndexOf('!') + 1));
    return area ? { sheet: found.sheet, area } : null;
  }

  /** What a name stands for in a sheet; undefined where it is none. */
  nameParts(word: string, sheet: number): readonly FormulaPart[] | undefined {
    const named = [...namesOf(this.#workbook).values()].filter(({ name }) => sameName(name, word));
    const { id } = this.#workbook.sheets[sheet]!;
    const item = named.find(({ scope }) => scope === id) ?? named.find(({ scope }) => !scope);
    return item && partsOf(item.formula.replace(/^=/, ''));
  }

  #readsOf(parts: readonly FormulaPart[], place: FormulaPlace): FormulaReads | null {
    const areas: SheetArea[] = [];
    let [volatile, sees, placed, grows] = [false, false, false, false];
    for (let at = 0; at < parts.length; at++) {
      const part = parts[at]!;
      let traits: TextTraits | FormulaReads | null;
      if (typeof part === 'string') {
        const before = parts[at - 1];
        const ofText = this.#traitsOf(typeof before === 'object' && before.type === 'table', part);
        if (ofText.isUnknown) return null;
        grows ||= ofText.growsAreas;
        traits = ofText;
      } else {
        const read = this.#partReads(part, parts[at + 1], place);
        if (!read) return null;
        areas.push(...read.areas);
        traits = read;
      }
      volatile ||= traits.isVolatile;
      sees ||= traits.seesFormulas;
      placed ||= traits.isPlaced;
    }
    return {
      areas: grows ? grown(areas) : areas,
      ...{ isVolatile: volatile, seesFormulas: sees, isPlaced: placed },
    };
  }

  #partReads(
    part: Exclude<FormulaPart, string>,
    next: FormulaPart | undefined,
    place: FormulaPlace,
  ): FormulaReads | null {
    // What is known of another workbook is no cell of this one.
    if (part.type === 'linked') return nothing;
    if (part.toSheet !== null) return null;
    if (part.type === 'table') return this.#tableReads(part.word, String(next), place);
    if (!isReference(part)) return this.#nameReads(part, place.sheet);
    const sheet = this.sheetOf(part, place);
    return sheet === undefined ? nothing : { ...nothing, areas: [{ sheet, area: part.area }] };
  }

  /** Of what is an error in a table the whole of that is taken to be read. */
  #tableReads(word: string, text: string, place: FormulaPlace): FormulaReads | null {
    const area = this.tableArea(word, text, place) ?? this.tableArea(word, '[#All]', place);
    return area && { ...nothing, areas: [area] };
  }

  /** A word that is neither a table nor a name is what LET or LAMBDA call something, or an error. */
  #nameReads({ word, sheet: qualifier }: Word, sheet: number): FormulaReads | null {
    const nowhere = { sheet, row: -1, column: -1 };
    if (!this.#names.has(word.toLowerCase())) return this.#tableReads(word, '[#All]', nowhere) ?? nothing;
    // Which of two workbooks or sheets is meant matters to few formulas.
    if (qualifier !== null) return null;
    const key = `${sheet} ${word.toLowerCase()}`;
    const known = this.#named.get(key);
    if (known !== undefined) return known;
    this.#named.set(key, null);
    const parts = this.nameParts(word, sheet);
    // What is relative is meant from wherever the name is used.
    const isRelative = parts?.some((part) => typeof part === 'object' && isReference(part) && !isFixed(part));
    const read = !parts ? nothing : isRelative ? null : this.#readsOf(parts, nowhere);
    this.#named.set(key, read);
    return read;
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
      isPlaced: some(isPlaced),
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
