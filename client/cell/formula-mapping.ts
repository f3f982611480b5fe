import { type Area, boundsOf, lastColumn, lastRow } from '../../model/cell/area.ts';
import { brokenReference, copiedParts, Formula, type FormulaJson } from '../../model/cell/formula/formula.ts';
import { type FormulaPart, isReference, type Reference } from '../../model/cell/formula/formula-parts.ts';
import { sameName, type Workbook } from '../../model/cell/workbook.ts';
import type { CellMapping } from './cell-mapping.ts';
import { NameMapping } from './name-mapping.ts';

/** What sheets, tables and names are called where an operation was made, and where it is now. */
export interface SheetNames {
  readonly before: Workbook;
  readonly after: Workbook;
}

/** Where a formula stands: sheets by id, before and after; null for none. How far sorting has moved it. */
export interface FormulaPlace {
  readonly from: string | null;
  readonly to: string | null;
  readonly rows: number;
  readonly columns: number;
}

export const unmoved = (sheet: string | null): FormulaPlace => ({
  from: sheet,
  to: sheet,
  rows: 0,
  columns: 0,
});

/** Takes formulas that an operation holds over to where the operation is now: each reference leads to the cells it was made for. */
export class FormulaMapping {
  readonly #mapping: CellMapping;
  readonly #names: SheetNames;
  readonly #isRenamed: boolean;
  /** What else than sheets is called otherwise. */
  readonly named: NameMapping;

  constructor(mapping: CellMapping, names: SheetNames) {
    this.#mapping = mapping;
    this.#names = names;
    const { before, after } = names;
    this.named = new NameMapping(before, after);
    this.#isRenamed = before.sheets.some(({ id, properties }) => {
      const now = after.sheets.find((sheet) => sheet.id === id);
      return now === undefined || now.properties.name !== properties.name;
    });
  }

  get isIdle(): boolean {
    return this.#mapping.isIdle() && !this.#isRenamed && this.named.isIdle;
  }

  text(text: string, place: FormulaPlace): string {
    if (this.isIdle) return text;
    const given = Formula.of(text);
    const formula = this.named.formula(given);
    let changed = formula !== given;
    const parts = formula.parts.map((part) => {
      const next = typeof part === 'string' ? part : this.#part(part, place);
      if (next !== part) changed = true;
      return next;
    });
    if (place.rows !== 0 || place.columns !== 0) {
      return Formula.ofParts(copiedParts(parts, place.rows, place.columns)).text;
    }
    return changed ? Formula.ofParts(parts).text : text;
  }

  json(json: FormulaJson, place: FormulaPlace): FormulaJson {
    if (typeof json === 'string') return this.text(json, place);
    const text = this.text(json.t, place);
    return text === json.t ? json : { ...json, t: text };
  }

  #part(part: Exclude<FormulaPart, string>, { from, to }: FormulaPlace): FormulaPart {
    const before = part.sheet === null ? from : this.#idOf(part.sheet);
    if (part.toSheet !== null || before === null || before === undefined) return part;
    if (!isReference(part)) {
      const name = part.sheet === null ? null : this.#nameOf(before);
      return name === undefined ? '#REF!' : name === part.sheet ? part : { ...part, sheet: name };
    }
    const found = this.#mapping.area(before, part.area, { isReference: true });
    const [first] = found;
    if (!first) return brokenReference(part);
    const areas = found.filter(({ sheet }) => sheet === first.sheet).map(({ area }) => area);
    const area = whole(part, boundsOf(areas)!);
    const isSame = area.every((side, at) => side === part.area[at]);
    if (part.sheet === null && first.sheet === to) return isSame ? part : { ...part, area };
    const name = this.#nameOf(first.sheet);
    if (name === undefined) return '#REF!';
    return isSame && name === part.sheet ? part : { ...part, area, sheet: name };
  }

  #idOf(name: string): string | undefined {
    return this.#names.before.sheets.find(({ properties }) => sameName(properties.name, name))?.id;
  }

  #nameOf(id: string): string | undefined {
    return this.#names.after.sheets.find((sheet) => sheet.id === id)?.properties.name;
  }
}

/** Whole columns and rows stay whole. */
function whole({ type }: Reference, [r1, c1, r2, c2]: Area): Area {
  if (type === 'columns') return [0, c1, lastRow, c2];
  return type === 'rows' ? [r1, 0, r2, lastColumn] : [r1, c1, r2, c2];
}
