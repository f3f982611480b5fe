import type { Table } from '../../../model/calculation/calculation.ts';
import { type Area, touches } from '../../../model/cell/area.ts';
import { tablesOf } from '../../../model/cell/calculation-feed.ts';
import type { Formula } from '../../../model/cell/formula/formula.ts';
import { type FormulaPart, isReference, partsOf } from '../../../model/cell/formula/formula-parts.ts';
import { namesOf, type Sheet, sameName, sheetNamed, type Workbook } from '../../../model/cell/workbook.ts';
import { withoutTables } from './plain-references.ts';

/** Cells of a sheet. */
interface SheetArea {
  readonly sheet: Sheet;
  readonly area: Area;
}

/** A cell with a formula. */
interface FormulaCell {
  readonly row: number;
  readonly column: number;
  readonly formula: Formula;
}

/** Names of names are followed so far. */
const deepestName = 64;

/** What the formulas of a workbook name: cells, and names and tables that are of cells. */
class FormulaReach {
  readonly #workbook: Workbook;
  readonly #tables: readonly Table[];
  readonly #sheetNames: readonly string[];
  /** What names come to, by the sheet that they count on; of one that is being looked up nothing, so that a circle of names ends. */
  readonly #ofNames = new Map<string, SheetArea[]>();
  #depth = 0;

  constructor(workbook: Workbook) {
    this.#workbook = workbook;
    this.#tables = workbook.sheets.flatMap(tablesOf);
    this.#sheetNames = workbook.sheets.map(({ properties }) => properties.name);
  }

  /** The cells that a formula names, in its order. */
  of(sheet: Sheet, { row, column, formula }: FormulaCell): SheetArea[] {
    if (this.#tables.length === 0) return this.#ofParts(formula.passingParts(), sheet);
    const place = { sheet: this.#workbook.sheets.indexOf(sheet), row: row + 1, column: column + 1 };
    const text = withoutTables(formula.text, this.#tables, place, this.#sheetNames);
    return this.#ofParts(text === formula.text ? formula.passingParts() : partsOf(text), sheet);
  }

  #ofParts(parts: readonly FormulaPart[], on: Sheet): SheetArea[] {
    return parts.flatMap((part): SheetArea[] => {
      if (typeof part === 'string') return [];
      if (isReference(part)) {
        const { area } = part;
        return this.#sheetsOf(part, on).map((sheet) => ({ sheet, area }));
      }
      return part.type === 'word' ? this.#ofName(part.word, this.#sheetsOf(part, on)[0]) : [];
    });
  }

  /** The sheets that a reference is to: the one of its formula, one that it names, or several from one to another. */
  #sheetsOf({ sheet, toSheet }: { sheet: string | null; toSheet: string | null }, on: Sheet): Sheet[] {
    if (sheet === null) return [on];
    const first = sheetNamed(this.#workbook, sheet);
    const last = toSheet === null ? first : sheetNamed(this.#workbook, toSheet);
    if (!first || !last) return [];
    const [from, to] = [first, last].map((one) => this.#workbook.sheets.indexOf(one));
    return this.#workbook.sheets.slice(Math.min(from!, to!), Math.max(from!, to!) + 1);
  }

  #ofName(word: string, on: Sheet | undefined): SheetArea[] {
    if (!on || this.#depth > deepestName) return [];
    const key = `${on.id} ${word.toLowerCase()}`;
    const known = this.#ofNames.get(key);
    if (known) return known;
    this.#ofNames.set(key, []);
    const named = [...namesOf(this.#workbook).values()].filter(({ name }) => sameName(name, word));
    const name = named.find(({ scope }) => scope === on.id) ?? named.find(({ scope }) => !scope);
    const text = name ? withoutTables(name.formula, this.#tables, nowhere, this.#sheetNames) : '';
    this.#depth += 1;
    const places = this.#ofParts(partsOf(text), on);
    this.#depth -= 1;
    // Each place once: names of names could come to more than can be counted.
    const byPlace = places.map((place) => [`${place.sheet.id} ${place.area}`, place] as const);
    const found = [...new Map(byPlace).values()];
    this.#ofNames.set(key, found);
    return found;
  }
}

/** Names say the sheet of every reference. */
const nowhere = { sheet: -1, row: 0, column: 0 };

/** The cells that formulas in some areas of a sheet read directly, by the ids of their sheets in the order of reading. */
export function cellsRead(
  workbook: Workbook,
  sheet: Sheet,
  areas: readonly Area[],
): ReadonlyMap<string, readonly Area[]> {
  const reach = new FormulaReach(workbook);
  const read = new Map<string, Area[]>();
  for (const cell of formulasIn(workbook, sheet, areas)) {
    for (const { sheet: of, area } of reach.of(sheet, cell)) {
      const known = read.get(of.id);
      if (known) known.push(area);
      else read.set(of.id, [area]);
    }
  }
  return new Map([...read].map(([id, found]) => [id, joinedAreas(found)]));
}

/** The cells whose formulas read some areas of a sheet directly, by the ids of their sheets in the order of the workbook. */
export function readersOf(
  workbook: Workbook,
  sheet: Sheet,
  areas: readonly Area[],
): ReadonlyMap<string, readonly Area[]> {
  const reach = new FormulaReach(workbook);
  const readers = new Map<string, readonly Area[]>();
  for (const of of workbook.sheets) {
    const found: Area[] = [];
    for (const cell of formulasIn(workbook, of)) {
      const isReader = reach
        .of(of, cell)
        .some(({ sheet: read, area }) => read === sheet && areas.some((one) => touches(one, area)));
      if (isReader) found.push([cell.row, cell.column, cell.row, cell.column]);
    }
    if (found.length > 0) readers.set(of.id, joinedAreas(found));
  }
  return readers;
}

/** The formulas of a sheet, or those in some of its areas, without those that a protection keeps from people. */
function* formulasIn(
  { formats }: Workbook,
  { grid, properties }: Sheet,
  areas?: readonly Area[],
): Generator<FormulaCell> {
  const isSecret = (format: number) =>
    properties.protection !== undefined && formats.at(format).protection?.hidden === true;
  for (const [row, { columns, cells }] of grid.rows()) {
    for (const [at, { formula, format }] of cells.entries()) {
      const column = columns[at]!;
      const isMeant = !areas || areas.some((area) => touches(area, [row, column, row, column]));
      if (formula && isMeant && !isSecret(format)) yield { row, column, formula };
    }
  }
}

/** Areas of the same columns that meet as one, column by column. */
function joinedAreas(areas: readonly Area[]): Area[] {
  const made: Area[] = [];
  const inOrder = areas.toSorted((one, other) => one[1] - other[1] || one[3] - other[3] || one[0] - other[0]);
  for (const [top, left, bottom, right] of inOrder) {
    const last = made.at(-1);
    if (last && last[1] === left && last[3] === right && top <= last[2] + 1)
      made[made.length - 1] = [last[0], left, Math.max(last[2], bottom), right];
    else made.push([top, left, bottom, right]);
  }
  return made;
}
