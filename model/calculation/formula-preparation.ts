import { sheetRows } from '../cell-address.ts';
import type { DefinedName, Staleness, Table, Workbook } from './calculation.ts';
import { cellOf, type FormulaToken, formulaTokens, sheetNames, sheetPrefix } from './formula-tokens.ts';
import { functionName, notCalculated, takesList, takesSeveralSheets, walksRows } from './functions.ts';
import { withIntersections } from './implicit-intersection.ts';
import {
  asLambda,
  callsLambda,
  isFunctionAlone,
  isLambdaPlace,
  isOptional,
  VARIABLE,
  variableName,
  variablesOf,
} from './lambda-names.ts';
import { knowsAny, type LinkedSheet } from './linked-sheets.ts';
import { withinLevels } from './long-formulas.ts';
import { IN_COMMON, withoutReferenceOperators } from './reference-operators.ts';
import {
  beginsReference,
  cellsOf,
  endsCalculated,
  endsReference,
  isReference,
  isRepeated,
  isSpacedCall,
  moved,
  rangeAt,
  spillRange,
} from './reference-tokens.ts';
import { bracketsOf, type Place, rangeOfTable } from './structured-reference.ts';

/** The longest formula of Excel has 8,192 characters; names may make it longer. */
const LONGEST = 32_768;
/** So many brackets fit into the longest formula of Excel. */
const MOST_OPEN = 4_096;
/** Most formulas have no range or no operator, and are not read once more. */
const mayIntersect = (formula: string): boolean => formula.includes(':') && /[-+*/^&=<>%]/.test(formula);

/** Names that stand for formulas with names. */
const DEEPEST_NAMES = 16;

/** A formula as the engine takes it, or why it cannot be calculated. */
export type Prepared = { readonly text: string } | { readonly why: Staleness };

class NotPrepared extends Error {
  readonly why: Staleness;

  constructor(why: Staleness) {
    super(why);
    this.why = why;
  }
}

function supported<T>(found: T | null): T {
  if (found === null) throw new NotPrepared('not-supported');
  return found;
}

interface Name {
  readonly tokens: readonly FormulaToken[];
  readonly isLambda: boolean;
  /** Whether it is a formula that makes one. */
  readonly makesLambda: boolean;
}

/** What stands for a token, and how many further ones belong to it. */
interface Written {
  readonly text: string;
  readonly further: number;
}

const alone = (text: string): Written => ({ text, further: 0 });

/** A formula, or what a name stands for, while it is written. */
interface Writing {
  readonly tokens: readonly FormulaToken[];
  readonly place: Place;
  /** The sheet whose names are known. */
  readonly scope: number;
  readonly nameDepth: number;
  readonly variables: ReadonlySet<string>;
  readonly open: Open[];
}

/** A pair of parentheses that is open: of a function, or a plain one. */
interface Open {
  readonly function: string;
  commas: number;
}

/**
 * Writes formulas of files in the words of the engine: names, structured references and references over several sheets become
 * plain references, functions lose the prefixes that files give them, and those that it lacks are refused.
 */
export class FormulaPreparation {
  readonly #sheets: readonly string[];
  readonly #sheetNumbers: ReadonlyMap<string, number>;
  readonly #tables: ReadonlyMap<string, Table>;
  readonly #names = new Map<string, Name>();
  /** Sheets and names of other workbooks by the numbers of those. */
  readonly #linkedSheets: ReadonlyMap<string, LinkedSheet>;
  readonly #linkedNames: ReadonlyMap<string, readonly FormulaToken[]>;
  readonly #usedRows: number;
  #trimmed = false;
  /** Whether the formula that is written may have an operator on references. */
  #joins = false;

  /** @param usedRows no row beyond this one has content */
  constructor(
    { sheets, names, tables, linked }: Pick<Workbook, 'sheets' | 'names' | 'tables' | 'linked'>,
    usedRows: number,
  ) {
    this.#sheets = sheets;
    this.#linkedSheets = new Map(linked?.sheets.map((one) => [linkedNameKey(one.book, one.name), one]));
    this.#linkedNames = new Map(
      linked?.names.map(({ book, name, formula }) => [
        linkedNameKey(book, name),
        formulaTokens(formula.replace(/^=/, '')),
      ]),
    );
    this.#sheetNumbers = new Map(sheets.map((name, sheet) => [name.toLowerCase(), sheet]));
    this.#tables = new Map(tables.map((table) => [table.name.toLowerCase(), table]));
    this.#usedRows = usedRows;
    for (const { name, sheet, formula } of names) {
      const tokens = formulaTokens(formula.replace(/^=/, ''));
      const isLambda = calls(tokens, 'LAMBDA');
      const makesLambda = !isLambda && tokens.some(({ text }) => functionName(text) === 'LAMBDA');
      this.#names.set(nameKey(sheet, name), { tokens, isLambda, makesLambda });
    }
  }

  /** Whether a formula was given fewer rows than it asked for. */
  get trimmed(): boolean {
    return this.#trimmed;
  }

  /**
   * The names that the engine has to know itself: those that are functions, and those of cells, which INDIRECT looks for; among them
   * are structured references to tables and their columns.
   */
  engineNames(names: readonly DefinedName[]): DefinedName[] {
    const named = names.flatMap((name) => {
      const { isLambda, tokens } = this.#names.get(nameKey(name.sheet, name.name))!;
      if (!isLambda && !isReference(tokens)) return [];
      const prepared = this.prepare(name.formula, { sheet: name.sheet ?? 0, row: 1, column: 1 });
      return 'text' in prepared ? [{ ...name, formula: prepared.text }] : [];
    });
    // No sheet, so that references say theirs.
    const nowhere = { sheet: -1, row: 0, column: 0 };
    const tables = [...this.#tables.values()].flatMap((table) =>
      ['', ...bracketsOf(table)].map((bracket) => ({
        name: table.name + bracket,
        formula: rangeOfTable(table, bracket || '[]', nowhere, this.#sheets),
      })),
    );
    return [...named, ...tables.filter(({ formula }) => !formula.startsWith('#'))];
  }

  /** @param isOld whether a range beside an operator means the cell of the formula's own row or column */
  prepare(formula: string, place: Place, isOld = false): Prepared {
    if (formula.length > LONGEST) return { why: 'too-deep' };
    try {
      this.#joins = false;
      const written = this.#written(formulaTokens(formula.replace(/^\s*=/, '')), place, place.sheet, 0);
      const joined = this.#joins
        ? withoutReferenceOperators(written, this.#sheets[place.sheet] ?? '')
        : written;
      if (joined === null) return { why: 'not-supported' };
      const intersects = isOld && mayIntersect(joined);
      const text = intersects ? withIntersections(joined, place) : joined;
      if (text.length > LONGEST) return { why: 'too-deep' };
      let readable = withinLevels(text);
      // What has a name within the formula is taken whole, outside of functions too.
      if (intersects && readable !== text) readable = withinLevels(withIntersections(joined, place, true));
      return readable === null ? { why: 'too-deep' } : { text: readable };
    } catch (error) {
      if (error instanceof NotPrepared) return { why: error.why };
      throw error;
    }
  }

  /** @param scope the sheet whose names are known */
  #written(tokens: readonly FormulaToken[], place: Place, scope: number, nameDepth: number): string {
    /** The first is the formula itself. */
    const open: Open[] = [{ function: '', commas: 0 }];
    const writing: Writing = { tokens, place, scope, nameDepth, open, variables: variablesOf(tokens) };
    const written: string[] = [];
    for (let index = 0; index < tokens.length; index++) {
      const { text, further } = this.#token(writing, index);
      written.push(text);
      index += further;
      if (open.length > MOST_OPEN) throw new NotPrepared('too-deep');
    }
    return written.join('');
  }

  #token(writing: Writing, index: number): Written {
    const { tokens, place, open } = writing;
    const { kind, text } = tokens[index]!;
    switch (kind) {
      case 'name':
        return this.#nameToken(writing, index);
      case 'bracket':
        return alone(this.#tableRange('', text, place));
      case 'sheet':
        return this.#sheetToken(writing, index);
      case 'columns':
        return alone(walksAll(open) ? this.#usedColumns(text) : text);
      case 'cell':
        return alone(this.#cellToken(writing, index));
      case 'space': {
        const joins = endsReference(tokens[index - 1]) && beginsReference(tokens[index + 1]);
        this.#joins ||= joins;
        return alone(joins ? IN_COMMON : ' ');
      }
      case 'other':
        return alone(this.#sign(text, open, tokens[index + 1]));
      default:
        return alone(text);
    }
  }

  #nameToken({ tokens, place, scope, nameDepth, variables, open }: Writing, index: number): Written {
    const { text } = tokens[index]!;
    // As people type it, unless the name is one of cells, which have others in common with what is behind the space.
    const gap = isSpacedCall(tokens, index) && this.#isFree(text, scope) ? 1 : 0;
    const next = tokens[index + 1 + gap];
    const isVariable = variables.has(variableName(text));
    if (this.#linkedSheets.size > 0 && isCallWithout(tokens, index, 'SHEETS'))
      return { text: String(this.#sheets.length - this.#linkedSheets.size), further: 2 };
    if (functionName(text) === 'ANCHORARRAY' && next?.text === '(') {
      const { range, used } = supported(spillRange(tokens, index + 2));
      return { text: range, further: used + 2 };
    }
    if (next?.text === '(') {
      const called = isVariable
        ? this.#called(VARIABLE + variableName(text), open)
        : this.#named(text, scope)?.makesLambda
          ? this.#called(`(${this.#nameValue(text, place, scope, nameDepth)})`, open)
          : this.#opened(functionName(text), open);
      return { text: called, further: 1 + gap };
    }
    const inside = open.at(-1)!;
    if (isVariable)
      return alone((isOptional(text, next, inside.function) ? '_xlop.' : VARIABLE) + variableName(text));
    if (isFunctionAlone(text) || this.#isCalledAlone(tokens, index, scope, inside))
      return alone(this.#asLambda(text, inside));
    if (next?.kind === 'bracket') return { text: this.#tableRange(text, next.text, place), further: 1 };
    return alone(this.#nameValue(text, place, scope, nameDepth));
  }

  #sheetToken({ tokens, place, scope, nameDepth, open }: Writing, index: number): Written {
    const { text } = tokens[index]!;
    const next = tokens[index + 1];
    const names = sheetNames(text);
    if (names.book) {
      const { range, used } = this.#linkedRange(tokens, index, walksAll(open));
      return { text: range, further: used };
    }
    if (isRepeated(tokens, index, this.#sheets[place.sheet] ?? '')) return alone('');
    if (names.last !== undefined) {
      const { range, used } = supported(rangeAt(tokens, index + 1));
      const inside = open.at(-1)!.function;
      const joins = takesList.has(inside);
      if (!joins && !takesSeveralSheets.has(inside)) throw new NotPrepared('not-supported');
      this.#joins ||= joins;
      const ranges = this.#onSheets(names.first, names.last, range);
      return { text: joins ? `(${ranges})` : ranges, further: used };
    }
    if (next?.kind === 'error') return { text: next.text, further: 1 };
    if (next?.kind === 'name' && tokens[index + 2]?.text !== '(') {
      const sheet = this.#sheetNumbers.get(names.first.toLowerCase());
      return { text: this.#nameValue(next.text, place, sheet ?? scope, nameDepth), further: 1 };
    }
    const own = this.#ownSpelling(text, names.first);
    // The engine takes a cell of a sheet for the beginning of such a range in parentheses only.
    if (next?.kind === 'cell' && endsCalculated(tokens, index + 1))
      return { text: `(${own}${next.text.replaceAll('$', '')})`, further: 1 };
    return alone(own);
  }

  #cellToken({ tokens, open }: Writing, index: number): string {
    const { text } = tokens[index]!;
    // The engine reads no dollars there.
    if (endsCalculated(tokens, index)) return text.replaceAll('$', '');
    const endsAtLast = tokens[index - 1]?.text === ':' && walksAll(open) && cellOf(text).row === sheetRows;
    return endsAtLast ? this.#usedCell(text) : text;
  }

  #sign(text: string, open: Open[], next: FormulaToken | undefined): string {
    if (text === '(') open.push({ function: '', commas: 0 });
    // The commas of a constant are no arguments.
    else if (text === '{') open.push({ function: text, commas: 0 });
    else if ((text === ')' || text === '}') && open.length > 1) open.pop();
    if (text !== ',') return text;
    // Several references in parentheses, or as a name.
    this.#joins ||= open.at(-1)!.function === '';
    return comma(open.at(-1)!, next);
  }

  /** A function's name and its opening parenthesis. */
  #opened(name: string, open: Open[]): string {
    if (name in notCalculated) throw new NotPrepared('not-supported');
    open.push({ function: name, commas: 0 });
    // The engine calls AGGREGATE by numbers of its own (`patches/`).
    if (name === 'AGGREGATE') return 'SUBTOTAL(1000+10*(';
    if (name === 'SINGLE') return '@(';
    return `${name}(`;
  }

  /** What is called but no function of Excel: a variable of LET or LAMBDA, a name's formula; and its opening parenthesis. */
  #called(name: string, open: Open[]): string {
    open.push({ function: '', commas: 0 });
    return `${name}(`;
  }

  #named(text: string, scope: number): Name | undefined {
    return this.#names.get(nameKey(scope, text)) ?? this.#names.get(nameKey(undefined, text));
  }

  /** Whether what stands where a LAMBDA may stand is the name of nothing but of a function, as people type it. */
  #isCalledAlone(tokens: readonly FormulaToken[], index: number, scope: number, open: Open): boolean {
    const { text } = tokens[index]!;
    const next = tokens[index + 1]?.text ?? '';
    const isAlone = tokens[index - 1]?.text === ',' && /^[,)]$/.test(next);
    return isAlone && isLambdaPlace(open.function, open.commas, next === ')') && this.#isFree(text, scope);
  }

  /** Whether nothing of the workbook has a name. */
  #isFree(text: string, scope: number): boolean {
    return this.#named(text, scope) === undefined && !this.#tables.has(text.toLowerCase());
  }

  /** What stands for the name of a function that is given to MAP or its kin. */
  #asLambda(text: string, open: Open): string {
    const name = functionName(text);
    if (name in notCalculated || !callsLambda(open.function)) throw new NotPrepared('not-supported');
    return asLambda(name, open.function, open.commas);
  }

  #nameValue(text: string, place: Place, scope: number, nameDepth: number): string {
    const found = this.#named(text, scope);
    const name = text.replace(/^_xl(?:pm|op)\./i, '');
    const table = this.#tables.get(text.toLowerCase());
    if (found === undefined && table !== undefined) return rangeOfTable(table, '[]', place, this.#sheets);
    // Names of Excel may have signs in them that those of the engine may not; none of these is known.
    if (found === undefined && /[\\?]/.test(name)) return '#NAME?';
    if (found === undefined || found.isLambda || name !== text) return name;
    if (nameDepth >= DEEPEST_NAMES) throw new NotPrepared('circular');
    const value = this.#written(moved(found.tokens, place), place, scope, nameDepth + 1);
    if (value.length > LONGEST) throw new NotPrepared('too-deep');
    return isReference(found.tokens) ? value : `(${value})`;
  }

  #tableRange(name: string, bracket: string, place: Place): string {
    if (/^\[\d+\]/.test(bracket) && name === '') throw new NotPrepared('external');
    const table = name === '' ? this.#tableAround(place) : this.#tables.get(name.toLowerCase());
    if (table === undefined) throw new NotPrepared(name === '' ? 'unreadable' : 'not-supported');
    return rangeOfTable(table, bracket, place, this.#sheets);
  }

  /** What a reference to another workbook is written as, from the token of its sheet, and how many tokens follow that one. */
  #linkedRange(
    tokens: readonly FormulaToken[],
    index: number,
    walks: boolean,
  ): { range: string; used: number } {
    const names = sheetNames(tokens[index]!.text);
    const [, book, sheetName] = /^\[(\d+)\]([\s\S]*)$/.exec(names.first) ?? [];
    if (book === undefined || names.last !== undefined) throw new NotPrepared('external');
    const next = tokens[index + 1];
    if (next?.kind === 'error') return { range: next.text, used: 1 };
    const isName = next?.kind === 'name' && tokens[index + 2]?.text !== '(';
    const named = isName ? this.#linkedNames.get(linkedNameKey(book, next.text)) : undefined;
    if (isName) {
      const target = named?.[0]?.kind === 'sheet' ? sheetNames(named[0].text) : undefined;
      if (!named || !target || target.book || target.last !== undefined) throw new NotPrepared('external');
      const { range, used } = this.#knownRange(book, target.first, named, 1, walks);
      if (used !== named.length - 1) throw new NotPrepared('external');
      return { range, used: 1 };
    }
    return this.#knownRange(book, sheetName!, tokens, index + 1, walks);
  }

  /** A range of another workbook on its sheet in the engine, if anything of it is known. */
  #knownRange(
    book: string,
    sheetName: string,
    tokens: readonly FormulaToken[],
    index: number,
    walks: boolean,
  ): { range: string; used: number } {
    const sheet = this.#linkedSheets.get(linkedNameKey(book, sheetName));
    const first = tokens[index]?.kind;
    if (!sheet || (first !== 'cell' && first !== 'columns' && first !== 'rows'))
      throw new NotPrepared('external');
    const { range, used } = supported(rangeAt(tokens, index));
    if (!knowsAny(sheet.known, cellsOf(range))) throw new NotPrepared('external');
    const written = walks && first === 'columns' ? this.#usedColumns(range) : range;
    return { range: sheetPrefix(this.#sheets[sheet.sheet]!) + written, used };
  }

  /** The name of a sheet before a reference, as the workbook writes it: the engine takes no other case. */
  #ownSpelling(text: string, name: string): string {
    const sheet = this.#sheetNumbers.get(name.toLowerCase());
    return sheet === undefined || this.#sheets[sheet] === name ? text : sheetPrefix(this.#sheets[sheet]!);
  }

  #tableAround({ sheet, row, column }: Place): Table | undefined {
    for (const table of this.#tables.values()) {
      const within =
        table.sheet === sheet &&
        row >= table.firstRow &&
        row <= table.lastRow &&
        column >= table.firstColumn &&
        column <= table.lastColumn;
      if (within) return table;
    }
    return undefined;
  }

  /** A range on each of the sheets from one to another. */
  #onSheets(first: string, last: string, range: string): string {
    const from = this.#sheetNumbers.get(first.toLowerCase());
    const to = this.#sheetNumbers.get(last.toLowerCase());
    if (from === undefined || to === undefined) return '#REF!';
    const sheets = this.#sheets.slice(Math.min(from, to), Math.max(from, to) + 1);
    return sheets.map((sheet) => sheetPrefix(sheet) + range).join(',');
  }

  #usedColumns(text: string): string {
    this.#trimmed = true;
    const [first, last] = text.split(':') as [string, string];
    return `${first}$1:${last}$${this.#usedRows}`;
  }

  #usedCell(text: string): string {
    this.#trimmed = true;
    return text.replace(/\$?\d+$/, `$${this.#usedRows}`);
  }
}

function nameKey(sheet: number | undefined, name: string): string {
  return `${sheet ?? ''}!${name.toLowerCase()}`;
}

const linkedNameKey = (book: string, name: string): string => `[${book}]${name.toLowerCase()}`;

/** Whether a function is called with nothing. */
function isCallWithout(tokens: readonly FormulaToken[], index: number, name: string): boolean {
  return (
    functionName(tokens[index]!.text) === name &&
    tokens[index + 1]?.text === '(' &&
    tokens[index + 2]?.text === ')'
  );
}

function calls(tokens: readonly FormulaToken[], name: string): boolean {
  const first = tokens.findIndex(({ kind }) => kind !== 'space');
  return tokens[first]?.kind === 'name' && functionName(tokens[first].text) === name;
}

/** Whether what is open walks through all rows that it is given. */
function walksAll(open: readonly Open[]): boolean {
  return open.some((one) => walksRows.has(one.function));
}

function comma(open: Open, next: FormulaToken | undefined): string {
  open.commas += 1;
  if (open.function !== 'AGGREGATE' || open.commas > 2) return ',';
  if (open.commas === 2) return '),';
  return next?.text === ',' ? ')+(0' : ')+(';
}
