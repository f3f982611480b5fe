import {
  type Area,
  type Axis,
  acrossOf,
  areaOf,
  intersection,
  lastOf,
  sizeOf,
  spanOf,
  without,
} from '../../model/cell/area.ts';
import type { CellOperation } from '../../model/cell/operations.ts';
import { type Region, regionOf, type StructureMap, structureMapsOf } from '../../model/cell/structure-map.ts';
import { type Effect, movesOf, type WrittenPart } from './effects.ts';

/** An operation that was made here and does one thing, where it moves cells, and what became of it behind those of others. */
interface Own {
  readonly operation: CellOperation;
  readonly maps: readonly StructureMap[];
  readonly after: readonly CellOperation[];
  readonly afterMaps: readonly StructureMap[];
}

export interface RegionOptions {
  /** Cells are left out of which others have written this part. */
  readonly unless?: WrittenPart;
  /** The whole line is left out in which there is such a cell. */
  readonly lines?: Axis;
  /** As references are: they do not follow a sort. */
  readonly isReference?: boolean;
}

/**
 * Where cells of a document with some operations made here are in the document that has operations of others before them.
 * Every cell is followed: back to the document that all stand on, through what the others did, and through the own
 * operations as they have become. A cell that an own operation has made is the one that this operation, as it has become,
 * makes in its place.
 */
export class CellMapping {
  readonly #effects: readonly Effect[];
  readonly #others: ReturnType<typeof movesOf>;
  readonly #own: Own[] = [];
  /** Whether any own operation is not what it was. */
  #isChanged = false;
  #keepsOrder: boolean;
  readonly movesCells: boolean;
  readonly #writes: ReadonlySet<WrittenPart>;

  constructor(others: readonly Effect[], moves = movesOf(others)) {
    this.#effects = others;
    this.#others = moves;
    this.movesCells = others.some(({ map }) => map !== null);
    this.#keepsOrder = !others.some(({ operation }) => reorders(operation));
    this.#writes = new Set(others.flatMap(({ written }) => written.map(({ part }) => part)));
  }

  /** Whether nothing of a kind can have moved, or gone, since the own operations were made. */
  isIdle(unless?: WrittenPart): boolean {
    return !this.movesCells && !this.#isChanged && (unless === undefined || !this.#writes.has(unless));
  }

  /** Whether cells in a rectangle that is as large as before are in their order in it, too: only whole rows and columns come and go. */
  get keepsOrder(): boolean {
    return this.isIdle() || this.#keepsOrder;
  }

  /** The next own operation, and what has become of it. */
  push(operation: CellOperation, after: readonly CellOperation[]): void {
    const maps = structureMapsOf(operation);
    const isSame = after.length === 1 && after[0] === operation;
    if (maps.length === 0) return;
    if (!isSame) this.#isChanged = true;
    if ([operation, ...after].some(reorders)) this.#keepsOrder = false;
    const afterMaps = isSame ? maps : after.flatMap(structureMapsOf);
    this.#own.push({ operation, maps, after, afterMaps });
  }

  /** A mapping that goes on from here by itself. */
  fork(): CellMapping {
    const copy = new CellMapping(this.#effects, this.#others);
    copy.#own.push(...this.#own);
    copy.#isChanged = this.#isChanged;
    copy.#keepsOrder = this.#keepsOrder;
    return copy;
  }

  region(region: Region, options: RegionOptions = {}): readonly Region[] {
    if (this.isIdle(options.unless)) return [region];
    return this.#map([region], this.#own.length, options);
  }

  area(sheet: string, area: Area, options: RegionOptions = {}): readonly Region[] {
    return this.region(regionOf(sheet, area), options);
  }

  /** Spans of whole lines where lines are now, in order. @param sheet that they are in */
  spans(
    sheet: string,
    axis: Axis,
    from: number,
    to: number,
    options: Omit<RegionOptions, 'lines'> = {},
  ): readonly (readonly [from: number, to: number])[] {
    return wholeSpans(sheet, axis, this.area(sheet, areaOf(axis, from, to), { ...options, lines: axis }));
  }

  #map(regions: readonly Region[], level: number, options: RegionOptions): readonly Region[] {
    let below = regions;
    const found: Region[] = [];
    for (let at = level - 1; at >= 0 && below.length > 0; at--) {
      for (const map of this.#own[at]!.maps.toReversed()) {
        if (options.isReference && map.isSort) continue;
        const kept: Region[] = [];
        for (const region of below) {
          const back = map.backward(region);
          kept.push(...back.kept);
          for (const made of back.created) found.push(...this.#made(at, made, level, options));
        }
        below = kept;
      }
    }
    let moved = below;
    for (const effect of this.#others) {
      if (moved.length === 0) break;
      moved = through(moved, effect, options);
    }
    return [...this.#forward(moved, 0, level, options), ...found];
  }

  /** Through own operations as they have become. */
  #forward(
    regions: readonly Region[],
    from: number,
    to: number,
    { isReference }: RegionOptions,
  ): readonly Region[] {
    let moved = regions;
    for (let at = from; at < to && moved.length > 0; at++) {
      for (const map of this.#own[at]!.afterMaps) {
        if (isReference && map.isSort) continue;
        moved = moved.flatMap((region) => map.forward(region));
      }
    }
    return moved;
  }

  /** Where cells are that an own operation has made. */
  #made(at: number, region: Region, level: number, options: RegionOptions): readonly Region[] {
    const { operation, after } = this.#own[at]!;
    const made = this.#madeBy(operation, after, region, at);
    return made.flatMap((one) => this.#forward([one], at + 1, level, options));
  }

  #madeBy(
    operation: CellOperation,
    after: readonly CellOperation[],
    region: Region,
    level: number,
  ): readonly Region[] {
    const next = after.flatMap((one) => (one.op === 'several' ? one.operations : [one]));
    if (operation.op === 'moveCells') return this.#left(region, level);
    if (operation.op === 'restoreSheet' && next.length > 0) {
      // Removed and brought back here: its cells are those that it had, and others have gone on with them.
      const removed = this.#own.findIndex(
        ({ operation: one }) => one.op === 'removeSheet' && one.sheet === region.sheet,
      );
      return removed >= 0 && removed < level ? this.#map([region], removed, {}) : [region];
    }
    if (operation.op !== 'insert') return next.some(({ op }) => op === operation.op) ? [region] : [];
    const { axis, at, band } = operation;
    const across = acrossOf(axis);
    const [from, to] = spanOf(region.area, axis);
    const [first, last] = spanOf(region.area, across);
    const { sheet } = region;
    if (!band) {
      const [inserted] = next;
      if (inserted?.op !== 'insert') return [];
      const by = inserted.at - at;
      const columns = this.#map([regionOf(sheet, areaOf(across, first, last))], level, {});
      return wholeSpans(sheet, across, columns).map(([left, right]) => ({
        ...{ ...region, sheet: inserted.sheet },
        area: areaOf(axis, from + by, to + by, left, right),
      }));
    }
    // A band may have fallen apart: then each part has made room of its own, beside the cells that are told by it.
    const beside = this.#map([regionOf(sheet, areaOf(axis, at, at, first, last))], level, {});
    return next.flatMap((inserted, place) => {
      if (inserted.op !== 'insert') return [];
      const by = inserted.at - at;
      const made = beside.flatMap((cell) => {
        if (cell.sheet !== inserted.sheet || spanOf(cell.area, axis)[0] !== inserted.at) return [];
        const room = areaOf(axis, from + by, to + by, ...(inserted.band ?? []));
        const area = intersection(room, areaOf(axis, from + by, to + by, ...spanOf(cell.area, across)));
        return area ? [{ ...region, sheet: cell.sheet, area }] : [];
      });
      const after = next.slice(place + 1).flatMap(structureMapsOf);
      return after.reduce<readonly Region[]>((moved, map) => moved.flatMap((one) => map.forward(one)), made);
    });
  }

  /** The empty cells that are left where cells were moved away, in the place of those that own operation has left. */
  #left(region: Region, level: number): readonly Region[] {
    const left = this.#own[level]!.afterMaps.flatMap(({ created }) => created);
    return this.#map([region], level, {}).flatMap((one) =>
      left.flatMap(({ sheet, area }) => {
        const common = sheet === one.sheet ? intersection(area, one.area) : null;
        return common ? [{ ...one, area: common }] : [];
      }),
    );
  }
}

/** Whether an operation puts cells elsewhere among others. */
function reorders(operation: CellOperation): boolean {
  switch (operation.op) {
    case 'several':
      return operation.operations.some(reorders);
    case 'insert':
    case 'delete':
      return operation.band !== undefined;
    case 'move':
    case 'moveCells':
    case 'sort':
      return true;
    default:
      return false;
  }
}

/** The spans of whole lines that regions of them are in now. */
function wholeSpans(
  sheet: string,
  axis: Axis,
  regions: readonly Region[],
): readonly (readonly [from: number, to: number])[] {
  const across = acrossOf(axis);
  const widths = new Map<string, { span: readonly [number, number]; width: number }>();
  for (const region of regions) {
    if (region.sheet !== sheet) continue;
    const span = spanOf(region.area, axis);
    const [first, last] = spanOf(region.area, across);
    const key = span.join();
    widths.set(key, { span, width: (widths.get(key)?.width ?? 0) + last - first + 1 });
  }
  // Where cells of a band have moved alone, a line is where most of it is.
  const spans = [...widths.values()].filter(({ width }) => width * 2 > lastOf(across));
  return joinedSpans(spans.map(({ span }) => span));
}

/** Regions after an operation of others; what it has written is left out where that is asked for. */
function through(
  regions: readonly Region[],
  { map, written }: Pick<Effect, 'map' | 'written'>,
  { unless, lines, isReference }: RegionOptions,
): readonly Region[] {
  const moved =
    map && !(isReference && map.isSort) ? regions.flatMap((region) => map.forward(region)) : regions;
  if (unless === undefined) return moved;
  let left = moved;
  for (const { sheet, area, part } of written) {
    // A line that cells of others have come to is not theirs alone any more who made it.
    if (part !== unless && !(lines && unless === 'content' && part === 'moved')) continue;
    const taken = lines ? areaOf(lines, ...spanOf(area, lines)) : area;
    if (!left.some((region) => region.sheet === sheet)) continue;
    left = left.flatMap((region) =>
      region.sheet === sheet
        ? without(region.area, taken).map((rest) => ({ ...region, area: rest }))
        : [region],
    );
  }
  return left;
}

/** Spans in order, those that touch put together. */
export function joinedSpans(
  spans: readonly (readonly [number, number])[],
): readonly (readonly [from: number, to: number])[] {
  const joined: [number, number][] = [];
  for (const [from, to] of [...spans].sort(([one], [other]) => one - other)) {
    const last = joined.at(-1);
    if (last && from <= last[1] + 1) last[1] = Math.max(last[1], to);
    else joined.push([from, to]);
  }
  return joined;
}

/** The one with the most cells, the first of several; undefined where there is none. */
export const largest = <Found extends { readonly area: Area }>(
  regions: readonly Found[],
): Found | undefined =>
  regions.reduce<Found | undefined>(
    (best, one) => (best && sizeOf(best.area) >= sizeOf(one.area) ? best : one),
    undefined,
  );
