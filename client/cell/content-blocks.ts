import { type Area, sizeOf } from '../../model/cell/area.ts';
import { inParts } from '../../model/cell/operation-parts.ts';
import type { BlockInput, CellOperation, SetCells } from '../../model/cell/operations.ts';
import { cellsOfBlock } from './block-cells.ts';
import { GatheredAreas } from './gathered-areas.ts';

/** Cells that get something, beside and beneath each other; rows may be of different length. */
interface Block {
  readonly row: number;
  readonly column: number;
  readonly rows: BlockInput[][];
  /** How many cells get something. */
  count: number;
}

/** So many cells are worth an area or a block, and one block has so many at most. */
const leastCells = 16;
const mostCells = 65_536;
/** There are so many blocks at most, each an operation: the cells of all others are set by one. */
const mostBlocks = 64;
/** So many rows of areas are looked at, however many there are beside each other. */
const mostRows = 500_000;
/** So many cells, or rows, between those that get something are passed over. */
const widestGap = 4;

/** Gathers what cells hold again when something is taken back, row by row, as blocks of them, and as areas of those that hold nothing. */
export class ContentBlocks {
  readonly #emptied = new GatheredAreas();
  readonly #blocks: Block[] = [];
  /** Those that may go on in this row, by their first column. */
  readonly #open = new Map<number, Block>();
  #row = -1;
  /** Where the cells of this row begin that are beside each other, and what they get. */
  #column = 0;
  #inputs: BlockInput[] = [];

  /** Rows rise, and columns in each of them. @param input null: it holds nothing */
  add(row: number, column: number, input: BlockInput): void {
    if (input === null) {
      this.#emptied.add(row, column, 0);
      return;
    }
    const gap = row === this.#row ? column - this.#column - this.#inputs.length : Infinity;
    if (gap > widestGap) {
      this.#end();
      [this.#row, this.#column] = [row, column];
    } else for (let at = 0; at < gap; at++) this.#inputs.push(null);
    this.#inputs.push(input);
  }

  /** The operations after which the cells of a sheet hold that. */
  operations(sheet: string): CellOperation[] {
    this.#end();
    const areas = [...this.#emptied.done()].flatMap(([, some]) => some);
    const isCleared = areAreasWorthIt(areas);
    const large = new Set(
      this.#blocks
        .filter(({ count }) => count >= leastCells)
        .sort((one, other) => other.count - one.count)
        .slice(0, mostBlocks),
    );
    const cells = [
      ...this.#blocks.flatMap((block) => (large.has(block) ? [] : [...cellsOfBlock(block)])),
      ...(isCleared ? [] : areas.flatMap((area) => [...emptied(area)])),
    ];
    const set: CellOperation[] = cells.length > 0 ? [{ op: 'set', sheet, cells, undo: true }] : [];
    const clear = inParts(isCleared ? areas : []).map(
      (part): CellOperation => ({ op: 'clear', sheet, areas: part, part: 'content', undo: true }),
    );
    const blocks = [...large].map(
      ({ row, column, rows }): CellOperation => ({ op: 'block', sheet, row, column, rows, undo: true }),
    );
    return [...set, ...clear, ...blocks];
  }

  #end(): void {
    if (this.#inputs.length === 0) return;
    // A list that grew has room for more.
    const inputs = this.#inputs.slice();
    this.#inputs = [];
    const count = inputs.reduce<number>((sum, input) => (input === null ? sum : sum + 1), 0);
    const open = this.#open.get(this.#column);
    const gap = open ? this.#row - open.row - open.rows.length : Infinity;
    if (open && gap <= widestGap && open.count + count <= mostCells) {
      for (let at = 0; at < gap; at++) open.rows.push([]);
      open.rows.push(inputs);
      open.count += count;
      return;
    }
    const block = { row: this.#row, column: this.#column, rows: [inputs], count };
    this.#blocks.push(block);
    this.#open.set(this.#column, block);
  }
}

/** Whether cells are so much together that areas of them say less than each cell would. */
function areAreasWorthIt(areas: readonly Area[]): boolean {
  const rows = areas.reduce((sum, [top, , bottom]) => sum + bottom - top + 1, 0);
  const count = areas.reduce((sum, area) => sum + sizeOf(area), 0);
  return count >= areas.length * leastCells && rows <= mostRows;
}

function* emptied([top, left, bottom, right]: Area): Generator<SetCells['cells'][number]> {
  for (let row = top; row <= bottom; row++)
    for (let column = left; column <= right; column++) yield [row, column, { v: null }];
}
