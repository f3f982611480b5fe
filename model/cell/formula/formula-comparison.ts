import type { Area } from '../area.ts';
import type { CellOrigins } from '../cell-origins.ts';
import type { Workbook } from '../workbook.ts';
import type { Formula } from './formula.ts';
import { type FormulaPart, isReference, type Reference, type Word } from './formula-parts.ts';
import { type FormulaPlace, PrecedentReader, type SheetArea } from './formula-reads.ts';

/** A formula, or what a name stands for, and where it is. */
interface Placed<What> {
  readonly what: What;
  readonly place: FormulaPlace;
}

/**
 * Tells whether formulas of a later version of a workbook come, where they stand, to what they came to in an earlier one, as long as the
 * cells that they read hold the same.
 */
export class FormulaComparison {
  readonly #origins: CellOrigins;
  readonly #later: PrecedentReader;
  readonly #earlier: PrecedentReader;
  /** Whether a name means the same, by the numbers of the sheets and the name. */
  readonly #names = new Map<string, boolean>();

  constructor(before: Workbook, after: Workbook, origins: CellOrigins) {
    this.#origins = origins;
    this.#later = new PrecedentReader(after, before);
    this.#earlier = new PrecedentReader(before, after);
  }

  /** False also where it cannot be told. */
  isSame(later: Placed<Formula>, earlier: Placed<Formula>): boolean {
    const { what: formula, place } = later;
    const reads = this.#later.reads(formula, place);
    if (!reads || reads.isPlaced || !this.#isSpanSame(later, earlier)) return false;
    const parts = { what: formula.passingParts(), place };
    if (!this.#areSame(parts, { what: earlier.what.passingParts(), place: earlier.place })) return false;
    return reads.areas.every((area) => {
      const origin = this.#origins.of(area);
      // Where one value is wanted it is that of the formula's own row or column.
      return origin !== null && isSameWithin(place, area.area, earlier.place, origin.area);
    });
  }

  #isSpanSame(later: Placed<Formula>, earlier: Placed<Formula>): boolean {
    const [span, was] = [later.what.span, earlier.what.span];
    if (!span || !was) return span === was;
    if (span.kind !== was.kind || span.rows !== was.rows || span.columns !== was.columns) return false;
    const { sheet, row, column } = later.place;
    const area: Area = [row, column, row + span.rows - 1, column + span.columns - 1];
    return this.#origins.of({ sheet, area }) !== null;
  }

  #areSame(later: Placed<readonly FormulaPart[]>, earlier: Placed<readonly FormulaPart[]>): boolean {
    if (later.what.length !== earlier.what.length) return false;
    return later.what.every((part, at) => {
      const was = earlier.what[at]!;
      if (typeof part === 'string' || typeof was === 'string') return part === was;
      if (part.type !== was.type || part.toSheet !== null || was.toSheet !== null) return false;
      if (isReference(part))
        return this.#isReferenceSame(
          { what: part, place: later.place },
          { what: was as Reference, place: earlier.place },
        );
      const [word, other] = [part as Word, was as Word];
      if (word.word.toLowerCase() !== other.word.toLowerCase()) return false;
      if (part.type === 'linked') return true;
      if (part.type === 'word') return this.#isNameSame(word.word, later.place, earlier.place);
      return this.#isTableSame(word.word, String(later.what[at + 1]), later.place, earlier.place);
    });
  }

  #isReferenceSame(later: Placed<Reference>, earlier: Placed<Reference>): boolean {
    const sheet = this.#later.sheetOf(later.what, later.place);
    const was = this.#earlier.sheetOf(earlier.what, earlier.place);
    if (sheet === undefined || was === undefined) return sheet === was;
    return this.#isAreaSame({ sheet, area: later.what.area }, { sheet: was, area: earlier.what.area });
  }

  #isAreaSame(later: SheetArea, earlier: SheetArea): boolean {
    const origin = this.#origins.of(later);
    return (
      origin !== null &&
      origin.sheet === earlier.sheet &&
      origin.area.every((side, at) => side === earlier.area[at])
    );
  }

  #isTableSame(table: string, text: string, place: FormulaPlace, origin: FormulaPlace): boolean {
    const area = this.#later.tableArea(table, text, place);
    const was = this.#earlier.tableArea(table, text, origin);
    return area !== null && was !== null && this.#isAreaSame(area, was);
  }

  /** What is neither a name nor a table is what LET or LAMBDA call something, or an error in both. */
  #isNameSame(word: string, { sheet }: FormulaPlace, { sheet: originSheet }: FormulaPlace): boolean {
    const key = `${sheet} ${originSheet} ${word.toLowerCase()}`;
    const known = this.#names.get(key);
    if (known !== undefined) return known;
    // One that stands for itself is an error.
    this.#names.set(key, false);
    const [place, origin] = [nowhereIn(sheet), nowhereIn(originSheet)];
    const parts = this.#later.nameParts(word, sheet);
    const was = this.#earlier.nameParts(word, originSheet);
    const isTable = [this.#later, this.#earlier].some((reader) => reader.tableArea(word, '[]', place));
    const isSame =
      parts && was
        ? this.#areSame({ what: parts, place }, { what: was, place: origin })
        : parts === was && (!isTable || this.#isTableSame(word, '[]', place, origin));
    this.#names.set(key, isSame);
    return isSame;
  }
}

const nowhereIn = (sheet: number): FormulaPlace => ({ sheet, row: -1, column: -1 });

/** Whether a cell is the same one of an area's rows and columns as another cell of another area, or beside both. */
function isSameWithin(place: FormulaPlace, area: Area, origin: FormulaPlace, was: Area): boolean {
  const within = (line: number, first: number, last: number) =>
    line < first || line > last ? -1 : line - first;
  return (
    within(place.row, area[0], area[2]) === within(origin.row, was[0], was[2]) &&
    within(place.column, area[1], area[3]) === within(origin.column, was[1], was[3])
  );
}
