import { type Area, areaOf, boundsOf, sizeOf } from '../../../model/cell/area.ts';
import type { CellOperation } from '../../../model/cell/operations.ts';
import { heightOf, rangeOf, widthOf } from '../grid/cell-areas.ts';

/** Cells of a sheet that a change is about. */
export interface ChangedPlace {
  readonly sheet: string;
  readonly area: Area;
}

/** What tells where a change is, the best first: cells that come, go and move, then contents and looks. */
const told: readonly (readonly CellOperation['op'][])[] = [
  ['insert', 'delete', 'move', 'moveCells', 'sort'],
  ['set', 'block', 'fill', 'clear', 'format'],
];

/** Where operations change something in cells; null for what is not in some of them, as sizes of lines are not. */
export function changedPlace(operations: readonly CellOperation[]): ChangedPlace | null {
  for (const names of told) {
    const [first, ...others] = operations
      .filter(({ op }) => names.includes(op))
      .flatMap((operation) => placeOf(operation) ?? []);
    if (!first) continue;
    const areas = [first, ...others].filter(({ sheet }) => sheet === first.sheet).map(({ area }) => area);
    const bounds = boundsOf(areas)!;
    const changed = areas.reduce((sum, area) => sum + sizeOf(area), 0);
    // Of cells that lie far from each other, the first.
    return { sheet: first.sheet, area: changed * 2 >= sizeOf(bounds) ? bounds : first.area };
  }
  return null;
}

function placeOf(operation: CellOperation): ChangedPlace[] | null {
  switch (operation.op) {
    case 'insert':
    case 'delete':
    case 'move': {
      const { sheet, axis, at, count } = operation;
      const band = operation.op === 'move' ? undefined : operation.band;
      return [{ sheet, area: areaOf(axis, at, at + count - 1, ...(band ?? [])) }];
    }
    case 'moveCells': {
      const { toSheet: sheet, area, row, column } = operation;
      return [{ sheet, area: [row, column, row + heightOf(area) - 1, column + widthOf(area) - 1] }];
    }
    case 'sort': {
      const { sheet, axis, band, order } = operation;
      const lines = order.toSorted((one, other) => one - other);
      return [{ sheet, area: areaOf(axis, lines[0]!, lines.at(-1)!, ...band) }];
    }
    case 'set':
      return operation.cells.map(([row, column]) => ({
        sheet: operation.sheet,
        area: rangeOf({ row, column }),
      }));
    case 'block': {
      const { sheet, row, column, rows } = operation;
      const width = rows.reduce((widest, { length }) => Math.max(widest, length), 1);
      return [{ sheet, area: [row, column, row + rows.length - 1, column + width - 1] }];
    }
    case 'fill':
      return [{ sheet: operation.sheet, area: operation.to }];
    case 'clear':
    case 'format':
      return operation.areas.map((area) => ({ sheet: operation.sheet, area }));
    default:
      return null;
  }
}
