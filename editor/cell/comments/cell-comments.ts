import { computed } from '@preact/signals';
import type { ItemOf } from '../../../model/cell/items.ts';
import { CELL_LIMITS } from '../../../model/cell/limits.ts';
import type { CellOperation } from '../../../model/cell/operations.ts';
import { itemsOf, type Sheet, type Workbook } from '../../../model/cell/workbook.ts';
import { announce } from '../../kit/announce.tsx';
import {
  type CommentThread,
  commentRights,
  type DocumentComment,
  type DocumentComments,
} from '../../shell/comments/document-comments.ts';
import { t } from '../../strings/strings.ts';
import type { CellEditor } from '../cell-editor.ts';
import { type CellPosition, cellName, rangeOf } from '../grid/cell-range.ts';

type Comment = ItemOf<'comment'>;

const commentKeys = 'Shift-F2';

/** Begins a comment on the active cell, or shows the one that it has. */
export function beginComment(editor: CellEditor): void {
  if (!editor.role.canComment) return;
  const { comments } = editor;
  const cell = editor.selection.peek().active;
  const thread = threadAt(editor.sheet, cell);
  editor.panel.value = 'comments';
  if (thread !== null) {
    comments.active.value = thread;
    return;
  }
  comments.ahead.begin();
  comments.active.value = null;
  comments.draft.value = { sheet: editor.sheetId.peek(), cell };
}

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

/** Shows a thread by the link that a mention has. False where it is gone. */
export function openComment(editor: CellEditor, link: string): boolean {
  for (const sheet of editor.workbook.peek().sheets) {
    for (const [
      id,
      {
        cell: [row, column],
      },
    ] of itemsOf(sheet, 'comment')) {
      if (refOf(sheet.id, id) !== link) continue;
      editor.goTo(sheet.id, { top: row, left: column, bottom: row, right: column });
      editor.panel.value = 'comments';
      editor.comments.active.value = threadAt(sheet, { row, column });
      return true;
    }
  }
  return false;
}

/** Comments are named by their sheet and their id in that. */
const refOf = (sheet: string, id: string): string => JSON.stringify([sheet, id]);
const readRef = (ref: string): readonly [sheet: string, id: string] => JSON.parse(ref) as [string, string];

/** The comments on a workbook, by sheets and cells. */
function threadsOf(workbook: Workbook): CommentThread[] {
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

/** The comments on a workbook, as the page shows them. */
export function cellComments(editor: CellEditor): DocumentComments {
  const { comments, config } = editor;
  const me = () => editor.session.author.name;
  const rightsOn = (author: string) => commentRights(author, me(), editor.role, config.document.permissions);
  const threads = computed(() =>
    threadsOf(editor.workbook.value).filter(({ comment }) => rightsOn(comment.author).see),
  );
  const itemOf = (ref: string) => {
    const [sheet, id] = readRef(ref);
    const found = editor.workbook.peek().sheets.find((one) => one.id === sheet);
    return { sheet, id, comment: found && itemsOf(found, 'comment').get(id) };
  };
  const newComment = (text: string, cell: CellPosition, parent?: string): Comment => ({
    cell: [cell.row, cell.column],
    author: me(),
    date: new Date().toISOString(),
    text,
    ...(parent !== undefined && { parent }),
  });
  const put = (sheet: string, comment: Comment): string => {
    const id = editor.newId();
    editor.changeComments({ op: 'put', sheet, kind: 'comment', id, item: comment });
    return refOf(sheet, id);
  };
  const patch = (ref: string, changes: Readonly<Record<string, unknown>>) => {
    const { sheet, id } = itemOf(ref);
    const operation: CellOperation = { op: 'patch', sheet, kind: 'comment', id, patch: changes };
    editor.changeComments(operation);
  };
  const tell = (ref: string, text: string, emails: readonly string[]) => {
    if (emails.length === 0 || !config.editorConfig.canRequestSendNotify) return;
    const actionLink = { action: { type: 'comment', data: ref } };
    editor.host.send('onRequestSendNotify', { actionLink, message: text, emails: [...emails] });
  };
  return {
    get threads() {
      return threads.value;
    },
    get isDrafting() {
      return comments.draft.value !== null;
    },
    get canBegin() {
      return threadAt(editor.sheet, editor.selection.value.active) === null;
    },
    active: comments.active,
    longestChars: CELL_LIMITS.textChars,
    keys: commentKeys,
    rightsOn,
    quoteOf(thread) {
      const { sheet, comment } = itemOf(thread);
      const name = editor.workbook.value.sheets.find(({ id }) => id === sheet)?.properties.name ?? '';
      return comment ? `${name} ${cellName({ row: comment.cell[0], column: comment.cell[1] })}` : '';
    },
    begin: () => beginComment(editor),
    takeAhead: () => comments.ahead.take(),
    drop: () => {
      comments.ahead.take();
      comments.draft.value = null;
    },
    add(text, emails) {
      const draft = comments.draft.peek();
      comments.draft.value = null;
      if (!draft || text.trim() === '') return;
      const ref = put(draft.sheet, newComment(text, draft.cell));
      comments.active.value = ref;
      announce(t('review.commentAdded'));
      tell(ref, text, emails);
    },
    answer(thread, text, emails) {
      const { sheet, id, comment } = itemOf(thread);
      if (!comment || text.trim() === '') return;
      put(sheet, newComment(text, { row: comment.cell[0], column: comment.cell[1] }, id));
      announce(t('review.answerAdded'));
      tell(thread, text, emails);
    },
    rewrite(ref, text, emails) {
      if (text.trim() === '') return;
      patch(ref, { text });
      tell(ref, text, emails);
    },
    resolve(thread, done) {
      patch(thread, { done: done ? true : null });
      announce(t(done ? 'review.commentResolved' : 'review.commentReopened'));
    },
    remove(ref) {
      const { sheet, id } = itemOf(ref);
      editor.changeComments({ op: 'drop', sheet, kind: 'comment', id });
      announce(t('review.commentDeleted'));
    },
    show(thread) {
      const { sheet, comment } = itemOf(thread);
      comments.active.value = thread;
      if (comment) editor.goTo(sheet, rangeOf({ row: comment.cell[0], column: comment.cell[1] }));
    },
  };
}
