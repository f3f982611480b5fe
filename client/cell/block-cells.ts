import type { BlockInput, CellInput, SetBlock, SetCells } from '../../model/cell/operations.ts';

/** The cells of a block that get something, row by row. */
export function* cellsOfBlock({
  row,
  column,
  rows,
}: Pick<SetBlock, 'row' | 'column' | 'rows'>): Generator<SetCells['cells'][number]> {
  for (const [down, inputs] of rows.entries()) {
    for (const [right, input] of inputs.entries()) {
      if (input !== null) yield [row + down, column + right, inputOf(input)];
    }
  }
}

const inputOf = (input: Exclude<BlockInput, null>): CellInput =>
  typeof input === 'object' ? input : { v: input };
