import type { Area } from '../../model/cell/area.ts';
import { areaOf, everything, without } from '../../model/cell/area.ts';
import { changePlaces } from '../../model/cell/item-places.ts';
import type { CellInput, CellOperation } from '../../model/cell/operations.ts';
import { type StructureMap, structureMapOf, targetOf } from '../../model/cell/structure-map.ts';

/** Parts of cells, and of rows and columns, that operations write. */
export type WrittenPart = 'content' | 'format' | 'row' | 'column';

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

const hasContent = ({ v, f }: CellInput): boolean => v !== undefined || f !== undefined;

function writtenBy(operation: CellOperation): readonly Written[] {
  switch (operation.op) {
    case 'set': {
      const { sheet, cells } = operation;
      return cells.flatMap(([row, column, input]) => inputParts(sheet, [row, column, row, column], input));
    }
    case 'block': {
      const { sheet, row, column, rows } = operation;
      return rows.flatMap((inputs, down) =>
        inputs.flatMap((input, right) => {
          if (input === null) return [];
          const place: Area = [row + down, column + right, row + down, column + right];
          return inputParts(sheet, place, typeof input === 'object' ? input : { v: input });
        }),
      );
    }
    case 'clear':
      return parts(operation.sheet, operation.areas, operation.part);
    case 'fill':
      return parts(operation.sheet, without(operation.to, operation.from), operation.part);
    case 'format':
      return operation.areas.map((area) => ({ sheet: operation.sheet, area, part: 'format' }));
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

function inputParts(sheet: string, area: Area, input: CellInput): Written[] {
  const written: Written[] = [];
  if (hasContent(input)) written.push({ sheet, area, part: 'content' });
  if (input.s !== undefined) written.push({ sheet, area, part: 'format' });
  return written;
}

function parts(sheet: string, areas: readonly Area[], part: 'content' | 'format' | 'all'): Written[] {
  return areas.flatMap((area): Written[] => {
    const content: Written = { sheet, area, part: 'content' };
    const format: Written = { sheet, area, part: 'format' };
    return part === 'all' ? [content, format] : [part === 'content' ? content : format];
  });
}
