import { computed, type ReadonlySignal, type Signal } from '@preact/signals';
import { CELL_LIMITS } from '../../../model/cell/limits.ts';
import { itemsOf } from '../../../model/cell/workbook.ts';
import { announce } from '../../kit/announce.tsx';
import {
  type CommentRights,
  type CommentThread,
  commentRights,
  type DocumentComments,
} from '../../shell/comments/document-comments.ts';
import type { Ahead } from '../../shell/comments/typed-ahead.ts';
import { t } from '../../strings/strings.ts';
import type { CellEditor } from '../cell-editor.ts';
import { goTo } from '../commands/going.ts';
import { type CellPosition, cellAt, cellName, rangeOf } from '../grid/cell-areas.ts';
import { beginComment } from './comment-actions.ts';
import { type Comment, readRef, refOf, threadAt, threadsOf } from './comment-threads.ts';

/** The comments on a workbook, as the page shows them. */
export class CellComments implements DocumentComments {
  readonly active: Signal<string | null>;
  readonly longestChars = CELL_LIMITS.textChars;
  readonly keys = 'Shift-F2';
  readonly #editor: CellEditor;
  readonly #threads: ReadonlySignal<readonly CommentThread[]>;

  constructor(editor: CellEditor) {
    this.#editor = editor;
    this.active = editor.comments.active;
    this.#threads = computed(() =>
      threadsOf(editor.page.workbook.value).filter(({ comment }) => this.rightsOn(comment.author).see),
    );
  }

  get threads(): readonly CommentThread[] {
    return this.#threads.value;
  }

  get isDrafting(): boolean {
    return this.#editor.comments.draft.value !== null;
  }

  get canBegin(): boolean {
    return threadAt(this.#editor.page.sheet, this.#editor.selection.value.active) === null;
  }

  rightsOn(author: string): CommentRights {
    const { role, config } = this.#editor;
    return commentRights(author, this.#me, role, config.document.permissions);
  }

  quoteOf(thread: string): string {
    const { sheet, comment } = this.#find(thread);
    const name =
      this.#editor.page.workbook.value.sheets.find(({ id }) => id === sheet)?.properties.name ?? '';
    return comment ? `${name} ${cellName(cellAt(...comment.cell))}` : '';
  }

  begin(): void {
    beginComment(this.#editor);
  }

  takeAhead(): Ahead {
    return this.#editor.comments.ahead.take();
  }

  drop(): void {
    this.#editor.comments.ahead.take();
    this.#editor.comments.draft.value = null;
  }

  add(text: string, emails: readonly string[]): void {
    const { draft } = this.#editor.comments;
    const begun = draft.peek();
    draft.value = null;
    if (!begun || text.trim() === '') return;
    const ref = this.#put(begun.sheet, begun.cell, text);
    this.active.value = ref;
    announce(t('review.commentAdded'));
    this.#tell(ref, text, emails);
  }

  answer(thread: string, text: string, emails: readonly string[]): void {
    const { sheet, id, comment } = this.#find(thread);
    if (!comment || text.trim() === '') return;
    this.#put(sheet, cellAt(...comment.cell), text, id);
    announce(t('review.answerAdded'));
    this.#tell(thread, text, emails);
  }

  rewrite(ref: string, text: string, emails: readonly string[]): void {
    if (text.trim() === '') return;
    this.#patch(ref, { text });
    this.#tell(ref, text, emails);
  }

  resolve(thread: string, done: boolean): void {
    this.#patch(thread, { done: done ? true : null });
    announce(t(done ? 'review.commentResolved' : 'review.commentReopened'));
  }

  remove(ref: string): void {
    const [sheet, id] = readRef(ref);
    this.#editor.changeComments({ op: 'drop', sheet, kind: 'comment', id });
    announce(t('review.commentDeleted'));
  }

  show(thread: string): void {
    const { sheet, comment } = this.#find(thread);
    this.active.value = thread;
    if (comment) goTo(this.#editor, sheet, [rangeOf(cellAt(...comment.cell))]);
  }

  /** The name of who looks at them. */
  get #me(): string {
    return this.#editor.session.author.name;
  }

  #find(ref: string): { readonly sheet: string; readonly id: string; readonly comment: Comment | undefined } {
    const [sheet, id] = readRef(ref);
    const found = this.#editor.page.workbook.peek().sheets.find((one) => one.id === sheet);
    return { sheet, id, comment: found && itemsOf(found, 'comment').get(id) };
  }

  /** Adds a comment, or an answer to one, by this person. */
  #put(sheet: string, { row, column }: CellPosition, text: string, parent?: string): string {
    const item: Comment = {
      cell: [row, column],
      author: this.#me,
      date: new Date().toISOString(),
      text,
      ...(parent !== undefined && { parent }),
    };
    const id = this.#editor.newId();
    this.#editor.changeComments({ op: 'put', sheet, kind: 'comment', id, item });
    return refOf(sheet, id);
  }

  #patch(ref: string, patch: Readonly<Record<string, unknown>>): void {
    const [sheet, id] = readRef(ref);
    this.#editor.changeComments({ op: 'patch', sheet, kind: 'comment', id, patch });
  }

  /** Tells people who are mentioned, where the embedding page can do that. */
  #tell(ref: string, text: string, emails: readonly string[]): void {
    const { config, host } = this.#editor;
    if (emails.length === 0 || !config.editorConfig.canRequestSendNotify) return;
    const actionLink = { action: { type: 'comment', data: ref } };
    host.send('onRequestSendNotify', { actionLink, message: text, emails: [...emails] });
  }
}
