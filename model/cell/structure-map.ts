import { type Area, areaOf, everything, intersection, lastOf, moved, without } from './area.ts';
import type { CellOperation, DeleteLines, InsertLines, MoveCells, MoveLines, Sort } from './operations.ts';

/** Cells of a sheet. */
export interface Region {
  readonly sheet: string;
  readonly area: Area;
  /** How far sorting has moved them, as copies are moved. */
  readonly rows: number;
  readonly columns: number;
}

export const regionOf = (sheet: string, area: Area): Region => ({ sheet, area, rows: 0, columns: 0 });

/** Cells that keep together, and where they come to stand. */
interface Piece {
  readonly sheet: string;
  readonly area: Area;
  readonly toSheet: string;
  readonly rows: number;
  readonly columns: number;
}

/**
 * Where an operation moves cells. In a sheet that it concerns each cell is in one piece, or is gone; each place after it
 * comes from one piece, or is made by the operation.
 */
export class StructureMap {
  /** What makes cells that were nowhere before, and where they stand after it. */
  readonly created: readonly Region[];
  /** References do not follow it, as they do not follow copies. */
  readonly isSort: boolean;
  readonly #sheets: ReadonlySet<string>;
  readonly #pieces: readonly Piece[];

  constructor(
    sheets: readonly string[],
    pieces: readonly Piece[],
    created: readonly Region[] = [],
    isSort = false,
  ) {
    this.#sheets = new Set(sheets);
    this.#pieces = pieces;
    this.created = created;
    this.isSort = isSort;
  }

  concerns(sheet: string): boolean {
    return this.#sheets.has(sheet);
  }

  /** Where cells are after the operation; those that are gone are left out. */
  forward(region: Region): readonly Region[] {
    if (!this.#sheets.has(region.sheet)) return [region];
    const found: Region[] = [];
    for (const { sheet, area, toSheet, rows, columns } of this.#pieces) {
      const part = sheet === region.sheet ? intersection(area, region.area) : null;
      if (part) found.push(this.#placed(region, toSheet, moved(part, rows, columns), rows, columns));
    }
    return joined(found);
  }

  /** Where cells were before the operation, and which of them it has made. */
  backward(region: Region): { readonly kept: readonly Region[]; readonly created: readonly Region[] } {
    if (!this.#sheets.has(region.sheet)) return { kept: [region], created: [] };
    const kept: Region[] = [];
    for (const { sheet, area, toSheet, rows, columns } of this.#pieces) {
      if (toSheet !== region.sheet) continue;
      const part = intersection(moved(area, rows, columns), region.area);
      if (part) kept.push(this.#placed(region, sheet, moved(part, -rows, -columns), -rows, -columns));
    }
    const created = this.created.flatMap((made) => {
      const part = made.sheet === region.sheet ? intersection(made.area, region.area) : null;
      return part ? [{ ...region, area: part }] : [];
    });
    return { kept: joined(kept), created };
  }

  /** This operation and then the next one. */
  followedBy(next: StructureMap): StructureMap {
    const pieces: Piece[] = [];
    const add = (piece: Piece) => {
      const last = pieces.at(-1);
      const joint = last && sameMove(last, piece) ? joinedArea(last.area, piece.area) : null;
      if (joint) pieces[pieces.length - 1] = { ...piece, area: joint };
      else pieces.push(piece);
    };
    const own = new Set([...this.#sheets, ...next.#sheets]);
    const both = [...own].flatMap((sheet) => (this.#sheets.has(sheet) ? [] : [unmoved(sheet)]));
    for (const piece of [...this.#pieces, ...both]) {
      const { sheet, area, toSheet, rows, columns } = piece;
      const onward = next.#sheets.has(toSheet) ? next.#pieces : [unmoved(toSheet)];
      for (const then of onward) {
        const part = then.sheet === toSheet ? intersection(moved(area, rows, columns), then.area) : null;
        if (!part) continue;
        const by = { rows: rows + then.rows, columns: columns + then.columns };
        add({ sheet, area: moved(part, -rows, -columns), toSheet: then.toSheet, ...by });
      }
    }
    const created = [...this.created.flatMap((region) => next.forward(region)), ...next.created];
    return new StructureMap([...own], pieces, created);
  }

  /** How many parts of the sheet it moves differently. */
  get pieceCount(): number {
    return this.#pieces.length;
  }

  #placed(region: Region, sheet: string, area: Area, rows: number, columns: number): Region {
    return this.isSort
      ? { sheet, area, rows: region.rows + rows, columns: region.columns + columns }
      : { ...region, sheet, area };
  }
}

const unmoved = (sheet: string): Piece => ({ sheet, area: everything, toSheet: sheet, rows: 0, columns: 0 });

const sameMove = (one: Piece, other: Piece): boolean =>
  one.sheet === other.sheet &&
  one.toSheet === other.toSheet &&
  one.rows === other.rows &&
  one.columns === other.columns;

/** Puts regions together that are one rectangle and have the same history. */
function joined(regions: readonly Region[]): readonly Region[] {
  if (regions.length < 2 || regions.length > 50) return regions;
  const list = [...regions];
  for (let one = 0; one < list.length; one++) {
    for (let other = one + 1; other < list.length; other++) {
      const area = joinedRegion(list[one]!, list[other]!);
      if (!area) continue;
      list[one] = { ...list[one]!, area };
      list.splice(other, 1);
      other = one;
    }
  }
  return list;
}

const joinedRegion = (one: Region, other: Region): Area | null =>
  one.sheet === other.sheet && one.rows === other.rows && one.columns === other.columns
    ? joinedArea(one.area, other.area)
    : null;

function joinedArea(a: Area, b: Area): Area | null {
  if (a[1] === b[1] && a[3] === b[3] && (a[2] + 1 === b[0] || b[2] + 1 === a[0])) {
    return [Math.min(a[0], b[0]), a[1], Math.max(a[2], b[2]), a[3]];
  }
  if (a[0] === b[0] && a[2] === b[2] && (a[3] + 1 === b[1] || b[3] + 1 === a[1])) {
    return [a[0], Math.min(a[1], b[1]), a[2], Math.max(a[3], b[3])];
  }
  return null;
}

/** The map of an operation; null for one that moves no cells. */
export function structureMapOf(operation: CellOperation): StructureMap | null {
  switch (operation.op) {
    case 'insert':
      return insertMap(operation);
    case 'delete':
      return deleteMap(operation);
    case 'move':
      return moveMap(operation);
    case 'moveCells':
      return moveCellsMap(operation);
    case 'sort':
      return sortMap(operation);
    case 'removeSheet':
      return new StructureMap([operation.sheet], []);
    case 'restoreSheet':
    case 'addSheet':
      return new StructureMap([operation.sheet], [], [regionOf(operation.sheet, everything)]);
    default:
      return null;
  }
}

interface Pieces {
  readonly sheet: string;
  readonly axis: InsertLines['axis'];
  readonly band?: readonly [first: number, last: number];
}

/** The piece of lines `from` to `to` that moves by some; none where there are no such lines. */
function lines({ sheet, axis, band }: Pieces, from: number, to: number, by: number): Piece[] {
  if (from > to) return [];
  const area = areaOf(axis, from, to, ...(band ?? []));
  return [{ sheet, area, toSheet: sheet, rows: axis === 'row' ? by : 0, columns: axis === 'row' ? 0 : by }];
}

/** What lies beside the band stays. */
function besideBand({ sheet, axis, band }: Pieces): Piece[] {
  if (!band) return [];
  const inBand = areaOf(axis, 0, lastOf(axis), ...band);
  return without(everything, inBand).map((area) => ({ sheet, area, toSheet: sheet, rows: 0, columns: 0 }));
}

function insertMap(operation: InsertLines): StructureMap {
  const { sheet, axis, at, count, band } = operation;
  const last = lastOf(axis);
  const pieces = [
    ...lines(operation, 0, at - 1, 0),
    ...lines(operation, at, last - count, count),
    ...besideBand(operation),
  ];
  return new StructureMap([sheet], pieces, [
    regionOf(sheet, areaOf(axis, at, at + count - 1, ...(band ?? []))),
  ]);
}

function deleteMap(operation: DeleteLines): StructureMap {
  const { sheet, axis, at, count, band } = operation;
  const last = lastOf(axis);
  const pieces = [
    ...lines(operation, 0, at - 1, 0),
    ...lines(operation, at + count, last, -count),
    ...besideBand(operation),
  ];
  const created = regionOf(sheet, areaOf(axis, last - count + 1, last, ...(band ?? [])));
  return new StructureMap([sheet], pieces, [created]);
}

function moveMap(operation: MoveLines): StructureMap | null {
  const { sheet, axis, at, count, to } = operation;
  const last = lastOf(axis);
  if (to >= at && to <= at + count) return null;
  const pieces =
    to < at
      ? [
          ...lines(operation, 0, to - 1, 0),
          ...lines(operation, to, at - 1, count),
          ...lines(operation, at, at + count - 1, to - at),
          ...lines(operation, at + count, last, 0),
        ]
      : [
          ...lines(operation, 0, at - 1, 0),
          ...lines(operation, at, at + count - 1, to - at - count),
          ...lines(operation, at + count, to - 1, -count),
          ...lines(operation, to, last, 0),
        ];
  return new StructureMap([sheet], pieces);
}

/** Where cells come to stand that are moved. */
export const targetOf = ({ area: [r1, c1, r2, c2], row, column }: MoveCells): Area => [
  row,
  column,
  row + r2 - r1,
  column + c2 - c1,
];

function moveCellsMap(operation: MoveCells): StructureMap {
  const { sheet, area, toSheet, row, column } = operation;
  const target = targetOf(operation);
  const stay = (of: string, areas: readonly Area[]): Piece[] =>
    areas.map((one) => ({ sheet: of, area: one, toSheet: of, rows: 0, columns: 0 }));
  const source: Piece = { sheet, area, toSheet, rows: row - area[0], columns: column - area[1] };
  if (sheet !== toSheet) {
    const pieces = [
      source,
      ...stay(sheet, without(everything, area)),
      ...stay(toSheet, without(everything, target)),
    ];
    return new StructureMap([sheet, toSheet], pieces, [regionOf(sheet, area)]);
  }
  const rest = without(everything, area).flatMap((part) => without(part, target));
  const created = without(area, target).map((part) => regionOf(sheet, part));
  return new StructureMap([sheet], [source, ...stay(sheet, rest)], created);
}

function sortMap({ sheet, axis, band, order }: Sort): StructureMap {
  const places = [...order].sort((one, other) => one - other);
  const frame: Pieces = { sheet, axis, band };
  const pieces: Piece[] = [];
  // Lines that stay together in the new order are one piece.
  for (let at = 0; at < order.length; ) {
    let end = at + 1;
    while (end < order.length && order[end] === order[end - 1]! + 1 && places[end] === places[end - 1]! + 1) {
      end++;
    }
    pieces.push(...lines(frame, order[at]!, order[end - 1]!, places[at]! - order[at]!));
    at = end;
  }
  let next = 0;
  for (const place of places) {
    pieces.push(...lines(frame, next, place - 1, 0));
    next = place + 1;
  }
  pieces.push(...lines(frame, next, lastOf(axis), 0), ...besideBand(frame));
  return new StructureMap([sheet], pieces, [], true);
}

/** The maps of an operation, one after the other; none for one that moves no cells. */
export function structureMapsOf(operation: CellOperation): readonly StructureMap[] {
  if (operation.op === 'several') return operation.operations.flatMap(structureMapsOf);
  const map = structureMapOf(operation);
  return map ? [map] : [];
}
