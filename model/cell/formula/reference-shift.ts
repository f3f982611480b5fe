import { type Area, acrossOf, areaOf, contains, lastOf, spanOf } from '../area.ts';
import type { CellOperation, InsertLines, MoveCells, MoveLines } from '../operations.ts';
import { targetOf } from '../structure-map.ts';
import { brokenReference, Formula } from './formula.ts';
import { type FormulaPart, isReference, type Reference } from './formula-parts.ts';
import { LineShifts } from './line-shifts.ts';

/** Where a reference leads after an operation; null: nowhere any more. A sheet is named where it is another one. */
export interface ShiftedArea {
  readonly area: Area;
  readonly sheet?: string;
}

/** How references to the cells of one sheet follow an operation. */
export interface ReferenceShift {
  /** The sheet's id. */
  readonly sheet: string;
  /** Its very argument where nothing changes. */
  readonly shift: (area: Area) => Area | ShiftedArea | null;
  /** The same, where whole lines are put in or taken out. */
  readonly lines?: LineShifts;
}

/** How references follow an operation; empty for one that they do not follow. */
export function referenceShiftsOf(operation: CellOperation): readonly ReferenceShift[] {
  switch (operation.op) {
    case 'insert':
    case 'delete': {
      const lines = LineShifts.of(operation);
      const inBand = (area: Area) => (isInBand(operation, area) ? lines.shift(area) : area);
      const { sheet } = operation;
      return [
        operation.band ? { sheet, shift: inBand } : { sheet, shift: (area) => lines.shift(area), lines },
      ];
    }
    case 'move':
      return [{ sheet: operation.sheet, shift: (area) => afterMove(operation, area) }];
    case 'moveCells':
      return afterMoveCells(operation);
    case 'removeSheet':
      return [{ sheet: operation.sheet, shift: () => null }];
    default:
      return [];
  }
}

/** Whether lines of a band take an area along: whole lines do, those of a band where all of the area is in it. */
function isInBand({ axis, band }: Pick<InsertLines, 'axis' | 'band'>, area: Area): boolean {
  if (!band) return true;
  const [first, last] = spanOf(area, acrossOf(axis));
  return first >= band[0] && last <= band[1];
}

function withSpan(area: Area, axis: InsertLines['axis'], from: number, to: number): Area {
  const [first, last] = spanOf(area, acrossOf(axis));
  return areaOf(axis, from, to, first, last);
}

function afterMove({ axis, at, count, to: target }: MoveLines, area: Area): Area {
  const [from, to] = spanOf(area, axis);
  const end = at + count;
  if ((from === 0 && to === lastOf(axis)) || (target >= at && target <= end)) return area;
  const place = target > at ? target - count : target;
  if (from >= at && to < end) return withSpan(area, axis, from - at + place, to - at + place);
  // The lines are taken out, and what is left makes room where they are put in.
  const first = from < at ? from : Math.max(at, from - count);
  const last = to < at ? to : to < end ? at - 1 : to - count;
  const shifted = withSpan(
    area,
    axis,
    first >= place ? first + count : first,
    last >= place ? last + count : last,
  );
  return shifted.every((side, index) => side === area[index]) ? area : shifted;
}

function afterMoveCells(operation: MoveCells): readonly ReferenceShift[] {
  const { sheet, area: source, toSheet, row, column } = operation;
  const target = targetOf(operation);
  const [rows, columns] = [row - source[0], column - source[1]];
  const follow = ([r1, c1, r2, c2]: Area): ShiftedArea => ({
    area: [r1 + rows, c1 + columns, r2 + rows, c2 + columns],
    ...(sheet === toSheet ? {} : { sheet: toSheet }),
  });
  if (sheet === toSheet) {
    if (rows === 0 && columns === 0) return [];
    const shift = (area: Area) =>
      contains(source, area) ? follow(area) : contains(target, area) ? null : area;
    return [{ sheet, shift }];
  }
  return [
    { sheet, shift: (area) => (contains(source, area) ? follow(area) : area) },
    { sheet: toSheet, shift: (area) => (contains(target, area) ? null : area) },
  ];
}

/** How the references of one workbook follow an operation: by the names that sheets have in formulas. */
export class ReferenceFollower {
  readonly #shifts = new Map<string, ReferenceShift>();
  readonly #names: ReadonlyMap<string, string>;

  /** @param names of the sheets, by their ids, before the operation */
  constructor(shifts: readonly ReferenceShift[], names: ReadonlyMap<string, string>) {
    this.#names = names;
    for (const shift of shifts) {
      const name = names.get(shift.sheet);
      if (name !== undefined) this.#shifts.set(name.toLowerCase(), shift);
    }
  }

  /** The lines that are put in or taken out; null where that is not all, or not in one sheet. */
  get #lines(): readonly [name: string, lines: LineShifts] | null {
    const [[name, { lines }] = [null, {}], ...others] = this.#shifts;
    return name !== null && lines && others.length === 0 ? [name, lines] : null;
  }

  /** Whether references may follow this operation and the one before it at once. */
  joins(before: ReferenceFollower): boolean {
    const [own, other] = [this.#lines, before.#lines];
    return own !== null && other !== null && own[0] === other[0] && own[1].axis === other[1].axis;
  }

  /** What follows operations that join, each on the one before, at once. */
  static joined(some: readonly ReferenceFollower[]): ReferenceFollower {
    const [first] = some;
    if (some.length < 2) return first!;
    const [name] = first!.#lines!;
    const lines = LineShifts.joined(some.map((one) => one.#lines![1]));
    const follower = new ReferenceFollower([], first!.#names);
    follower.#shifts.set(name, { ...first!.#shifts.get(name)!, shift: (area) => lines.shift(area), lines });
    return follower;
  }

  get isIdle(): boolean {
    return this.#shifts.size === 0;
  }

  /** What becomes of formulas in cells of a sheet: a formula after the operation, or that very one. */
  ofCells(owner: string): (formula: Formula) => Formula {
    return this.#of(owner, owner);
  }

  /**
   * What becomes of formulas beside the cells of a sheet, or of none: a reference that names its sheet goes on doing so, also where that
   * is now the sheet itself, for charts and other parts of files know no other ones.
   */
  of(owner: string | null): (formula: Formula) => Formula {
    return this.#of(owner, null);
  }

  /** @param unnamed the sheet whose name is left out where cells come to stand in it */
  #of(owner: string | null, unnamed: string | null): (formula: Formula) => Formula {
    const own = this.#shiftFor(owner);
    return (formula) => {
      const parts = this.#parts(formula.parts, unnamed, own);
      return parts === formula.parts ? formula : Formula.ofParts(parts, formula.span);
    };
  }

  #parts(
    parts: readonly FormulaPart[],
    unnamed: string | null,
    own: ReferenceShift['shift'] | undefined,
  ): readonly FormulaPart[] {
    let changed: FormulaPart[] | null = null;
    for (let at = 0; at < parts.length; at++) {
      const part = parts[at]!;
      if (!isReference(part) || part.toSheet !== null) continue;
      const shift = part.sheet === null ? own : this.#shiftFor(part.sheet);
      if (!shift) continue;
      const next = this.#reference(part, shift, unnamed);
      if (next === part) continue;
      changed ??= parts.slice();
      changed[at] = next;
    }
    return changed ?? parts;
  }

  /** An area that stands for cells of a sheet, after the operation. */
  area(area: Area, owner: string): Area | null {
    const shifted = this.#shiftFor(owner)?.(area);
    if (shifted === undefined) return area;
    if (shifted === null || isArea(shifted)) return shifted;
    return shifted.sheet === undefined ? shifted.area : null;
  }

  #shiftFor(name: string | null): ReferenceShift['shift'] | undefined {
    return name === null ? undefined : this.#shifts.get(name.toLowerCase())?.shift;
  }

  #reference(reference: Reference, shift: ReferenceShift['shift'], unnamed: string | null): FormulaPart {
    const shifted = shift(reference.area);
    if (shifted === reference.area) return reference;
    if (shifted === null) return brokenReference(reference);
    if (isArea(shifted)) return withArea(reference, shifted);
    const { area, sheet } = shifted;
    if (sheet === undefined) return withArea(reference, area);
    const name = this.#names.get(sheet)!;
    return { ...reference, area, sheet: name.toLowerCase() === unnamed?.toLowerCase() ? null : name };
  }
}

const isArea = (shifted: Area | ShiftedArea): shifted is Area => Array.isArray(shifted);

/** Written out: a copy by spreading costs several times as much, and insertions make very many. */
const withArea = ({ type, absolute, sheet, toSheet }: Reference, area: Area): Reference => ({
  type,
  area,
  absolute,
  sheet,
  toSheet,
});
