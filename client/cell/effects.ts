import type { Area } from '../../model/cell/area.ts';
import { areaOf, everything, lastOf, without } from '../../model/cell/area.ts';
import { changePlaces } from '../../model/cell/item-places.ts';
import type { CellInput, CellOperation } from '../../model/cell/operations.ts';
import { type StructureMap, structureMapOf, targetOf } from '../../model/cell/structure-map.ts';
import { cellsOfBlock } from './block-cells.ts';
import { GatheredAreas } from './gathered-areas.ts';

/** Parts of cells, and of rows and columns, that operations write; `moved`: cells came there, from beside their line. */
export type WrittenPart = 'content' | 'format' | 'row' | 'column' | 'moved';

/** Cells, or lines as the cells in them, that an operation has written. */
export interface Written {
  readonly sheet: string;
  readonly area: Area;
  readonly part: WrittenPart;
}

/** What an operation of somebody else has done, as far as it matters to operations that are rebased over it. */
export interface Effect {
  readonly operation: CellOperation;
  /** Where it moves cells; null: nowhere. */
  readonly map: StructureMap | null;
  /** As cells stand after it. */
  readonly written: readonly Written[];
}

/** One for each operation, or for each part of one that does several things. */
export function effectsOf(operation: CellOperation): readonly Effect[] {
  if (operation.op === 'several') return operation.operations.flatMap(effectsOf);
  return [{ operation, map: structureMapOf(operation), written: writtenBy(operation) }];
}

/** So many parts of a sheet one map moves differently at most: it looks through all of them for each region. */
const mostPieces = 64;

/** What `CellMapping` asks of effects; rows and columns that others put in and take out one after the other are followed at once. */
export function movesOf(effects: readonly Effect[]): readonly Pick<Effect, 'map' | 'written'>[] {
  const moves: Pick<Effect, 'map' | 'written'>[] = [];
  let last: StructureMap | null = null;
  for (const { operation, map, written } of effects) {
    const isOfLines = (operation.op === 'insert' || operation.op === 'delete') && !operation.band;
    if (map === null || !isOfLines) {
      last = null;
      if (map !== null || written.length > 0) moves.push({ map, written });
      continue;
    }
    const isJoined: boolean = last !== null && last.pieceCount < mostPieces;
    last = isJoined ? last!.followedBy(map) : map;
    if (isJoined) moves.pop();
    moves.push({ map: last, written });
  }
  return moves;
}

/** What is written into a cell, as a number: one of these, or both. */
const writesContent = 1;
const writesFormat = 2;

const hasContent = ({ v, f }: CellInput): boolean => v !== undefined || f !== undefined;

function writtenBy(operation: CellOperation): readonly Written[] {
  switch (operation.op) {
    case 'set': {
      const { sheet, cells } = operation;
      return writtenInputs(
        sheet,
        cells.toSorted(([row, column], [other, second]) => row - other || column - second),
      );
    }
    case 'block':
      return writtenInputs(operation.sheet, cellsOfBlock(operation));
    case 'clear':
      return parts(operation.sheet, operation.areas, operation.part);
    case 'fill':
      return parts(operation.sheet, without(operation.to, operation.from), operation.part);
    case 'format':
      return operation.areas.map((area) => ({ sheet: operation.sheet, area, part: 'format' }));
    case 'insert':
    case 'delete': {
      const { sheet, axis, at, band } = operation;
      return band ? [{ sheet, area: areaOf(axis, at, lastOf(axis), ...band), part: 'moved' }] : [];
    }
    case 'sort': {
      const { sheet, axis, band, order } = operation;
      return order.map((place) => ({ sheet, area: areaOf(axis, place, place, ...band), part: 'moved' }));
    }
    case 'moveCells':
      return parts(operation.toSheet, [targetOf(operation)], 'all');
    case 'lines':
      return operation.spans.map(([from, to]) => ({
        sheet: operation.sheet,
        area: areaOf(operation.axis, from, to),
        part: operation.axis,
      }));
    case 'put':
    case 'patch': {
      const { sheet, kind } = operation;
      const areas: Area[] = [];
      if (sheet === null) return [];
      changePlaces(kind, operation.op === 'put' ? operation.item : operation.patch, {
        area: (area) => {
          areas.push(area);
          return area;
        },
        formula: (text) => text,
      });
      return areas.map((area) => ({ sheet, area, part: 'content' }));
    }
    case 'addSheet':
      return operation.copyOf === undefined ? [] : parts(operation.sheet, [everything], 'all');
    default:
      return [];
  }
}

/** Cells in which something is written, as areas of them. @param cells by rising row, and column in each of them */
function writtenInputs(
  sheet: string,
  cells: Iterable<readonly [row: number, column: number, input: CellInput]>,
): Written[] {
  const gathered = new GatheredAreas();
  for (const [row, column, input] of cells) {
    const writes = (hasContent(input) ? writesContent : 0) + (input.s !== undefined ? writesFormat : 0);
    if (writes > 0) gathered.add(row, column, writes);
  }
  const written: Written[] = [];
  for (const [writes, areas] of gathered.done()) {
    for (const area of areas) {
      if (writes & writesContent) written.push({ sheet, area, part: 'content' });
      if (writes & writesFormat) written.push({ sheet, area, part: 'format' });
    }
  }
  return written;
}

function parts(sheet: string, areas: readonly Area[], part: 'content' | 'format' | 'all'): Written[] {
  return areas.flatMap((area): Written[] => {
    const content: Written = { sheet, area, part: 'content' };
    const format: Written = { sheet, area, part: 'format' };
    return part === 'all' ? [content, format] : [part === 'content' ? content : format];
  });
}
