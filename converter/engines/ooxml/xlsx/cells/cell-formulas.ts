import { areaOfReference } from '../../../../../model/cell/area.ts';
import { Formula, type FormulaSpan } from '../../../../../model/cell/formula/formula.ts';
import { cellAddress } from '../../../../../model/cell-address.ts';
import { attributesXml, unescapeXml } from '../../package/xml-text.ts';
import type { RowCursor } from '../row-cursor.ts';
import { CopiedLength } from './copied-length.ts';

/** A cell of the file: row and column from 0. */
export interface CellPlace {
  readonly row: number;
  readonly column: number;
}

/** A formula that cells share (18.3.1.40): the first of them has its text. */
export interface SharedGroup {
  readonly master: CellPlace;
  readonly formula: Formula;
  /** The others, in the order of the file. */
  readonly others: CellPlace[];
}

const ATTRIBUTE = /([A-Za-z0-9:]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;

/** Attributes of a start tag that a cursor has found. */
export function tagAttributes(tag: string): Readonly<Record<string, string>> {
  const found: Record<string, string> = Object.create(null);
  for (const [, name, double, single] of tag.matchAll(ATTRIBUTE))
    found[name!] = unescapeXml(double ?? single ?? '');
  return found;
}

/** Reads the formulas of a sheet's cells, in the order of the file. */
export class FormulaReader {
  /** By their numbers. */
  readonly groups = new Map<string, SharedGroup>();
  /** Numbers that cells named before the text of the formula came. */
  readonly early = new Set<string>();
  /** How long the formulas are together that were read. */
  chars = 0;
  readonly #lengths = new Map<Formula, CopiedLength>();
  readonly #dynamic: ReadonlySet<number>;
  readonly #known: ReadonlyMap<string, SharedGroup>;

  /**
   * @param dynamic numbers of the metadata of cells that spill
   * @param known groups that an earlier reader of the same cells has found
   */
  constructor(dynamic: ReadonlySet<number>, known: ReadonlyMap<string, SharedGroup> = new Map()) {
    this.#dynamic = dynamic;
    this.#known = known;
  }

  /** The formula of the cell at which a cursor stands, which has one; null for one that cannot be read. */
  read(cursor: RowCursor): Formula | null {
    const text = cursor.formula;
    this.chars += text.length;
    if (cursor.isPlainFormula) return text === '' ? null : Formula.of(text);
    const { t, ref, si, ...others } = tagAttributes(cursor.formulaTag);
    const place = { row: cursor.row - 1, column: cursor.column - 1 };
    switch (t) {
      case 'shared':
        return this.#shared(si ?? '', text, place);
      case 'array':
        if (text === '') return null;
        return Formula.of(text, spanOf(this.#dynamic.has(cursor.cellMetadata) ? 'dynamic' : 'array', ref));
      case 'dataTable':
        return Formula.of(tableText(others), spanOf('data', ref));
      default:
        return text === '' ? null : Formula.of(text);
    }
  }

  #shared(number: string, text: string, place: CellPlace): Formula | null {
    const group = this.groups.get(number);
    if (text !== '') {
      const formula = Formula.of(text);
      if (!group) this.groups.set(number, { master: place, formula, others: [] });
      return formula;
    }
    const found = group ?? this.#groupOf(number);
    if (!found) return null;
    found.others.push(place);
    const { master, formula } = found;
    const [rows, columns] = [place.row - master.row, place.column - master.column];
    let length = this.#lengths.get(formula);
    if (!length) {
      length = new CopiedLength(formula);
      this.#lengths.set(formula, length);
    }
    this.chars += length.at(rows, columns);
    return Formula.copied(formula, rows, columns);
  }

  /** A group whose first cell comes later. */
  #groupOf(number: string): SharedGroup | undefined {
    const known = this.#known.get(number);
    if (!known) {
      this.early.add(number);
      return undefined;
    }
    const { master, formula } = known;
    const group = { master, formula, others: [] };
    this.groups.set(number, group);
    return group;
  }
}

function spanOf(kind: FormulaSpan['kind'], reference = ''): FormulaSpan {
  const [row1, column1, row2, column2] = areaOfReference(reference) ?? [0, 0, 0, 0];
  return { kind, rows: row2 - row1 + 1, columns: column2 - column1 + 1 };
}

/** The words for a data table: its input cells (18.3.1.40, `r1`, `r2`). */
function tableText({ r1 = '', r2 = '', dt2D, dtr, del1, del2 }: Readonly<Record<string, string>>): string {
  const isOn = (value: string | undefined) => value === '1' || value === 'true';
  const first = isOn(del1) ? '#REF!' : r1;
  if (isOn(dt2D)) return `TABLE(${first},${isOn(del2) ? '#REF!' : r2})`;
  return isOn(dtr) ? `TABLE(${first},)` : `TABLE(,${first})`;
}

const TABLE = /^TABLE\(([^,]*),([^,]*)\)$/;

/** The attributes of `f` for a formula at a place of the sheet, beside what else its tag has; null for those it must not have. */
export function formulaAttributes(
  formula: Formula,
  { row, column }: CellPlace,
): Readonly<Record<string, string | number | null>> {
  const { span } = formula;
  const none = {
    t: null,
    ref: null,
    si: null,
    r1: null,
    r2: null,
    dt2D: null,
    dtr: null,
    del1: null,
    del2: null,
  };
  if (!span) return none;
  const first = cellAddress(row, column);
  const last = cellAddress(row + span.rows - 1, column + span.columns - 1);
  const ref = first === last ? first : `${first}:${last}`;
  if (span.kind !== 'data') return { ...none, t: 'array', ref };
  const [, one = '', other = ''] = TABLE.exec(formula.text) ?? [];
  const isLost = (input: string) => (input === '#REF!' ? 1 : null);
  const known = (input: string) => (input === '#REF!' ? 'A1' : input);
  const common = { ...none, t: 'dataTable', ref };
  if (one !== '' && other !== '')
    return {
      ...common,
      dt2D: 1,
      dtr: 1,
      r1: known(one),
      r2: known(other),
      del1: isLost(one),
      del2: isLost(other),
    };
  const input = one === '' ? other : one;
  return { ...common, dt2D: 0, dtr: one === '' ? 0 : 1, r1: known(input), del1: isLost(input) };
}

/** The start tag of a formula that shares its text with others. */
export const sharedTag = (prefix: string, number: string, ref?: string): string =>
  `<${prefix}f${attributesXml({ t: 'shared', ref, si: number })}`;
