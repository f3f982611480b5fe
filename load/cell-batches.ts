import { authorPlace, FrameTemplate, letterOf, markOf, serialName, serialPlace } from './frame-template.ts';
import type { Batches } from './saver.ts';
import { firstFreeRow } from './sheet-cells.ts';
import type { TransportName } from './wire/frames.ts';

/** Rows and columns in a frame: numbers of a width that a sheet has not. */
const rowPlace = '77777777';
const columnPlace = '88888888';
const sheetSize = { rows: 1_048_576, columns: 16_384 } as const;

/** Where a change writes. Everybody has a row, and saves go from its beginning to its end. */
export function placeOf(
  author: string,
  serial: number,
  change: number,
  changesPerSave: number,
): { row: number; column: number } {
  const row = firstFreeRow + Number.parseInt(author, 36);
  const column = serial * changesPerSave + change;
  if (row >= sheetSize.rows || column >= sheetSize.columns) {
    throw new RangeError(`the sheet has no cell for save ${serial} of ${author}`);
  }
  return { row, column };
}

/** What a change of a save writes. */
export const textOfChange = (author: string, serial: number, change: number): string =>
  change === 0 ? markOf(author, serialName(serial)) : letterOf(change);

/** Makes the saves of people who write into cells, each into cells of their own. */
export class CellBatches {
  readonly changesPerSave: number;
  readonly #template: FrameTemplate;

  constructor(transport: TransportName, changesPerSave: number) {
    this.changesPerSave = changesPerSave;
    const [row, column] = [Number(rowPlace), Number(columnPlace)];
    const steps = Array.from({ length: changesPerSave }, (_, number) => {
      const v = number === 0 ? markOf(authorPlace, serialPlace) : letterOf(number);
      return { op: 'set', sheet: 's1', cells: [[row, column, { v }]] };
    });
    this.#template = new FrameTemplate(transport, steps, [rowPlace, columnPlace]);
  }

  /** The saves of one person. */
  of(author: string): Batches {
    const { changesPerSave } = this;
    return {
      changesPerSave,
      frameOf: (serial) => {
        const at = (change: number) => placeOf(author, serial, change, changesPerSave);
        const others = new Map([
          [rowPlace, (change: number) => String(at(change).row).padStart(rowPlace.length)],
          [columnPlace, (change: number) => String(at(change).column).padStart(columnPlace.length)],
        ]);
        return this.#template.frameOf(author, serial, others);
      },
    };
  }
}
