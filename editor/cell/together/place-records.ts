import type { CellMoves } from '../../../client/cell/cell-replica.ts';
import type { Area } from '../../../model/cell/area.ts';
import { movedRange } from './moved-places.ts';

/** Where cells of a sheet have come to since a moment. */
export interface PlaceRecord {
  /** Null where they are gone. @param area where they were then */
  now(area: Area): Area | null;
  end(): void;
}

/** Remembers how others move cells, for who asks later where some have come to. */
export class PlaceRecords {
  readonly #kept = new Set<CellMoves[]>();

  note(moves: CellMoves): void {
    for (const all of this.#kept) all.push(moves);
  }

  /** Begins to remember for a sheet, until that is ended. */
  begin(sheet: string): PlaceRecord {
    const all: CellMoves[] = [];
    this.#kept.add(all);
    return {
      now: (area) => all.reduce<Area | null>((at, moves) => at && movedRange(moves, sheet, at), area),
      end: () => void this.#kept.delete(all),
    };
  }
}
