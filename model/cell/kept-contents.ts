import { type CellContent, type CellFormula, isFormula, type MovedRows } from '../calculation/calculation.ts';
import { rowsAfter } from '../calculation/moved-rows.ts';
import { Formula } from './formula/formula.ts';

type Content = Exclude<CellContent, null>;

/** A formula as it was told, and in which row it was then. */
interface ToldFormula {
  readonly told: CellFormula;
  readonly row: number;
}

/** What the cells of a sheet hold, as a calculation was told. Rows and columns count from 1. */
export class KeptContents {
  #rows = new Map<number, Map<number, Exclude<Content, CellFormula> | ToldFormula>>();

  set(row: number, column: number, content: CellContent): void {
    const cells = this.#rows.get(row) ?? new Map();
    this.#rows.set(row, cells);
    if (content === null) cells.delete(column);
    else cells.set(column, isFormula(content) ? { told: content, row } : content);
  }

  at(row: number, column: number): CellContent {
    const kept = this.#rows.get(row)?.get(column);
    return kept === undefined ? null : contentIn(row, kept);
  }

  *all(): Generator<{ readonly row: number; readonly column: number; readonly content: Content }> {
    for (const [row, cells] of this.#rows)
      for (const [column, kept] of cells) yield { row, column, content: contentIn(row, kept) };
  }

  /** Cells move with what they hold. */
  move(move: MovedRows): void {
    this.#rows = rowsAfter(move, this.#rows);
  }
}

/** A formula is as it was told as seen from its own cell. */
function contentIn(row: number, kept: Exclude<Content, CellFormula> | ToldFormula): Content {
  if (typeof kept !== 'object' || !('told' in kept)) return kept;
  const { told } = kept;
  if (row === kept.row) return told;
  return { ...told, formula: Formula.copied(Formula.of(told.formula), row - kept.row, 0).text };
}
