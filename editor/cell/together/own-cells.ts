import type { CellMoves, ShownChange } from '../../../client/cell/cell-replica.ts';
import { NameMapping } from '../../../client/cell/name-mapping.ts';
import { type Cell, sameContent } from '../../../model/cell/cell.ts';
import type { CellInput, CellOperation } from '../../../model/cell/operations.ts';
import { regionOf, structureMapsOf } from '../../../model/cell/structure-map.ts';
import { sheetOf, type Workbook } from '../../../model/cell/workbook.ts';
import type { CellPosition } from '../grid/cell-areas.ts';

/** A cell with what this person has put into it. */
export interface OwnCell {
  readonly sheet: string;
  readonly cell: CellPosition;
  readonly content: Cell;
}

interface Noted extends OwnCell {
  readonly untilMs: number;
}

/** Whoever changes a cell later than this has seen what was in it. */
const freshMs = 30_000;
const mostNoted = 1_000;

/** What this person has just put into cells, so that they can be told when somebody else puts something in its place. */
export class OwnCells {
  readonly #nowMs: () => number;
  #noted: readonly Noted[] = [];
  #replaced: readonly OwnCell[] = [];

  constructor(nowMs: () => number = Date.now) {
    this.#nowMs = nowMs;
  }

  /** This person has made some operations, which have led to a workbook. */
  made(operations: readonly CellOperation[], after: Workbook): void {
    this.#move({ back: [], forward: operations.flatMap(structureMapsOf) });
    const untilMs = this.#nowMs() + freshMs;
    const fresh = operations.flatMap(writtenCells).map(
      ([sheet, row, column]): Noted => ({
        ...{ sheet, cell: { row, column }, untilMs },
        content: contentOf(after, sheet, { row, column }),
      }),
    );
    const isFresh = (one: Noted) => fresh.some((other) => isSamePlace(one, other));
    const rest = this.#noted.filter((one) => one.untilMs > this.#nowMs() && !isFresh(one));
    // Whatever else changed in them was changed by this person.
    const kept = rest.map((one) => ({ ...one, content: contentOf(after, one.sheet, one.cell) }));
    this.#noted = [...kept, ...fresh].slice(-mostNoted);
  }

  /**
   * Others have changed the workbook.
   * @returns the cells that hold something else now, each told once, with what this person had put into them
   */
  changedByOthers({ before, after, moves }: Omit<ShownChange, 'isLocal'>): readonly OwnCell[] {
    if (moves) this.#move(moves);
    const renamed = new NameMapping(before, after);
    const now = this.#nowMs();
    const fresh = this.#noted.filter(({ untilMs }) => untilMs > now);
    const isReplaced = (one: Noted) => {
      const content = contentOf(after, one.sheet, one.cell);
      const [is, was] = [content.formula, one.content.formula];
      // References follow the cells that others move, and names those that others change.
      const hasFollowed = is && was && (moves !== null || renamed.formulaOnSheets(was).equals(is));
      return !hasFollowed && !sameContent(content, one.content);
    };
    const replaced = fresh.filter(isReplaced);
    this.#noted = fresh
      .filter((one) => !replaced.includes(one))
      .map((one) => ({ ...one, content: contentOf(after, one.sheet, one.cell) }));
    if (replaced.length > 0) this.#replaced = replaced;
    return replaced;
  }

  /** The operations that give the cells which were told of last what this person had put into them. */
  puttingBack(): CellOperation[] {
    return this.#replaced.map(({ sheet, cell: { row, column }, content }) => {
      const input: CellInput = content.formula ? { f: content.formula.toJSON() } : { v: content.value };
      return { op: 'set', sheet, cells: [[row, column, input]] };
    });
  }

  /** Undo and redo put in other things than were typed. */
  forget(): void {
    this.#noted = [];
  }

  #move(moves: CellMoves): void {
    this.#noted = this.#noted.flatMap((one) => moved(one, moves) ?? []);
    this.#replaced = this.#replaced.flatMap((one) => moved(one, moves) ?? []);
  }
}

const isSamePlace = (one: OwnCell, other: OwnCell): boolean =>
  one.sheet === other.sheet && one.cell.row === other.cell.row && one.cell.column === other.cell.column;

function contentOf(workbook: Workbook, sheet: string, { row, column }: CellPosition): Cell {
  const found = sheetOf(workbook, sheet)?.grid.cell(row, column);
  return { value: found?.value ?? null, formula: found?.formula ?? null, format: 0 };
}

function writtenCells(operation: CellOperation): (readonly [sheet: string, row: number, column: number])[] {
  if (operation.op !== 'set') return [];
  const { sheet, cells } = operation;
  return cells
    .filter(([, , { v, f }]) => v !== undefined || f !== undefined)
    .slice(-mostNoted)
    .map(([row, column]) => [sheet, row, column]);
}

/** Where a cell has come to; null where it is gone. */
function moved<One extends OwnCell>(one: One, { back, forward }: CellMoves): One | null {
  const { sheet, cell } = one;
  let region = regionOf(sheet, [cell.row, cell.column, cell.row, cell.column]);
  for (const map of back) {
    const [kept] = map.backward(region).kept;
    if (!kept) return null;
    region = kept;
  }
  for (const map of forward) {
    const [next] = map.forward(region);
    if (!next) return null;
    region = next;
  }
  const { area } = region;
  return { ...one, sheet: region.sheet, cell: { row: area[0], column: area[1] } };
}
