import { boundsOf } from '../../../../../model/cell/area.ts';
import { Formula } from '../../../../../model/cell/formula/formula.ts';
import { escapeText } from '../../package/xml-text.ts';
import { areaReference } from '../references.ts';
import { type CellPlace, type SharedGroup, sharedTag } from './cell-formulas.ts';

/** Where a cell of a shared formula is now, and its formula there. */
export interface Survivor extends CellPlace {
  readonly formula: Formula;
  /** Its place in the file. */
  readonly source: CellPlace;
}

const keyOf = ({ row, column }: CellPlace): string => `${row},${column}`;

/** The element `f` that cells get which share a formula with others, by their places in the file. */
export class SharedPlan {
  readonly #elements = new Map<string, string>();

  /**
   * @param groups of the sheet
   * @param survivorOf where a cell of a group is now; `same` when its row is as it was; undefined when it has no formula more
   */
  constructor(
    groups: ReadonlyMap<string, SharedGroup>,
    prefix: string,
    survivorOf: (place: CellPlace) => Survivor | 'same' | undefined,
  ) {
    for (const [number, group] of groups) this.#plan(number, group, prefix, survivorOf);
  }

  /** Undefined for a cell whose element is its own. */
  elementOf(source: CellPlace): string | undefined {
    return this.#elements.size === 0 ? undefined : this.#elements.get(keyOf(source));
  }

  /** The rows of the file whose cells get another element. */
  rows(): Set<number> {
    return new Set([...this.#elements.keys()].map((key) => Number(key.slice(0, key.indexOf(',')))));
  }

  #plan(
    number: string,
    { master, formula, others }: SharedGroup,
    prefix: string,
    survivorOf: (place: CellPlace) => Survivor | 'same' | undefined,
  ): void {
    const members = [master, ...others].map((place) => [place, survivorOf(place)] as const);
    if (members.every(([, survivor]) => survivor === 'same')) return;
    const survivors = members.flatMap(([place, survivor]) => {
      if (survivor === undefined) return [];
      if (survivor !== 'same') return [{ ...survivor, isSame: false }];
      const copy = Formula.copied(formula, place.row - master.row, place.column - master.column);
      return [{ ...place, formula: copy, source: place, isSame: true }];
    });
    survivors.sort((one, other) => one.row - other.row || one.column - other.column);
    // Of two that differ one was given another formula; readers want the text before they need it.
    const followers = (one: Survivor) => survivors.filter((other) => follows(one, other)).length;
    const [home] = survivors.slice(0, 2).sort((one, other) => followers(other) - followers(one));
    if (!home) return;
    const isBehind = ({ row, column }: Survivor) =>
      row > home.row || (row === home.row && column > home.column);
    const sharing = new Set(survivors.filter((one) => one === home || (isBehind(one) && follows(home, one))));
    const areas = [...sharing].map(({ row, column }) => [row, column, row, column] as const);
    const isHomeSame = home.source === master && home.isSame;
    for (const one of survivors) {
      const key = keyOf(one.source);
      const text = () => escapeText(one.formula.text);
      if (!sharing.has(one)) this.#elements.set(key, `<${prefix}f>${text()}</${prefix}f>`);
      else if (one === home) {
        const tag = sharedTag(prefix, number, areaReference(boundsOf(areas)!));
        if (!isHomeSame) this.#elements.set(key, `${tag}>${text()}</${prefix}f>`);
      } else if (!one.isSame || one.source === master)
        this.#elements.set(key, `${sharedTag(prefix, number)}/>`);
    }
  }
}

/** Whether a formula is what another one is when it is copied there. */
function follows(home: Survivor, other: Survivor): boolean {
  const copy = Formula.copied(home.formula, other.row - home.row, other.column - home.column);
  return copy.equals(other.formula);
}
