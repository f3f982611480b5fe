import type { ItemOf } from '../../../model/cell/items.ts';
import { itemsOf, type Sheet, type Workbook } from '../../../model/cell/workbook.ts';
import type { CommentThread, DocumentComment } from '../../shell/comments/document-comments.ts';
import type { CellPosition } from '../grid/cell-areas.ts';

export type Comment = ItemOf<'comment'>;

/** Comments are named by their sheet and their id in that. */
export const refOf = (sheet: string, id: string): string => JSON.stringify([sheet, id]);

export const readRef = (ref: string): readonly [sheet: string, id: string] =>
  JSON.parse(ref) as [string, string];

/** The thread on a cell; null where there is none. */
export function threadAt(sheet: Sheet, { row, column }: CellPosition): string | null {
  for (const [id, { cell, parent }] of itemsOf(sheet, 'comment')) {
    if (parent === undefined && cell[0] === row && cell[1] === column) return refOf(sheet.id, id);
  }
  return null;
}

/** What is said about a cell, for showing it beside that. */
export function commentsAt(sheet: Sheet, cell: CellPosition): readonly Comment[] {
  const first = [...itemsOf(sheet, 'comment')].find(
    ([, one]) => one.parent === undefined && one.cell[0] === cell.row && one.cell[1] === cell.column,
  );
  if (!first) return [];
  const answers = [...itemsOf(sheet, 'comment').values()].filter(({ parent }) => parent === first[0]);
  return [first[1], ...answers];
}

/** The comments on a workbook, by sheets and cells. */
export function threadsOf(workbook: Workbook): CommentThread[] {
  return workbook.sheets.flatMap((sheet) => {
    const all = [...itemsOf(sheet, 'comment')];
    const shown = (
      [id, { author, date, text, done }]: (typeof all)[number],
      isDone = done,
    ): DocumentComment => ({
      ref: refOf(sheet.id, id),
      author,
      date,
      text,
      done: isDone === true,
    });
    return all
      .filter(([, { parent }]) => parent === undefined)
      .toSorted(([, one], [, other]) => one.cell[0] - other.cell[0] || one.cell[1] - other.cell[1])
      .map((first): CommentThread => {
        const answers = all.filter(([, { parent }]) => parent === first[0]);
        return {
          ref: refOf(sheet.id, first[0]),
          comment: shown(first),
          answers: answers.map((answer) => shown(answer, first[1].done)),
        };
      });
  });
}
