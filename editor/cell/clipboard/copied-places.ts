import { type Area, intersection } from '../../../model/cell/area.ts';
import { type CellCopy, mostPieces } from '../commands/copied-rules.ts';
import { heightOf, widthOf } from '../grid/cell-areas.ts';
import { type CellTable, isBlankCell, widthOfTable } from './cell-table.ts';
import type { PasteOptions } from './paste-options.ts';

/** Which cells of a table of this workbook come where, when it is pasted into a range; none of a table from elsewhere. */
export function copiesOf(
  table: CellTable,
  to: Area,
  { isTransposed, skipsBlanks }: Pick<PasteOptions, 'isTransposed' | 'skipsBlanks'>,
): CellCopy[] {
  const { origin } = table;
  if (!origin) return [];
  const { rows, columns } = origin;
  if (!skipsBlanks) return [{ rows, columns, to, isTransposed }];
  const [height, width] = [table.rows.length, widthOfTable(table)];
  const [down, across] = isTransposed ? [width, height] : [height, width];
  const blocks = filledBlocks(table);
  if (blocks.length === 0) return [];
  if (Math.ceil(heightOf(to) / down) * Math.ceil(widthOf(to) / across) * blocks.length > mostPieces)
    return [];
  const copies: CellCopy[] = [];
  for (let row = to[0]; row <= to[2]; row += down) {
    for (let column = to[1]; column <= to[3]; column += across) {
      for (const [top, left, bottom, right] of blocks) {
        const [first, from, last, end] = isTransposed
          ? [left, top, right, bottom]
          : [top, left, bottom, right];
        const place = intersection([row + first, column + from, row + last, column + end], to);
        const given = { rows: rows.slice(top, bottom + 1), columns: columns.slice(left, right + 1) };
        if (place) copies.push({ ...given, to: place, isTransposed });
      }
    }
  }
  return copies;
}

/** The cells of a table that hold something, as few rectangles as whole lines of them make. */
function filledBlocks(table: CellTable): Area[] {
  const done: Area[] = [];
  let open: Area[] = [];
  for (const [row, cells] of table.rows.entries()) {
    const next: Area[] = [];
    for (const [from, to] of filledRuns(cells)) {
      const above = open.find(([, left, , right]) => left === from && right === to);
      next.push([above ? above[0] : row, from, row, to]);
      open = open.filter((one) => one !== above);
    }
    done.push(...open);
    open = next;
  }
  return [...done, ...open];
}

function filledRuns(cells: CellTable['rows'][number]): [from: number, to: number][] {
  const runs: [number, number][] = [];
  for (const [at, cell] of cells.entries()) {
    if (isBlankCell(cell)) continue;
    const last = runs.at(-1);
    if (last && last[1] === at - 1) last[1] = at;
    else runs.push([at, at]);
  }
  return runs;
}
