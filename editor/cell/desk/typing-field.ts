import { effect, type ReadonlySignal } from '@preact/signals';
import { notify } from '../../kit/notices.tsx';
import { t } from '../../strings/strings.ts';
import type { CellEditor } from '../cell-editor.ts';
import { proposeEntry } from '../commands/column-entries.ts';
import { typeOver } from '../commands/entering.ts';
import { editingKeys } from '../commands/keys/editing-keys.ts';
import { movingKeys } from '../commands/keys/moving-keys.ts';
import { placed, typed } from '../editing/cell-editing.ts';
import { isFormula } from '../editing/typed-tokens.ts';
import { alignmentIn } from '../grid/field-place.ts';
import type { GridLayout } from '../grid/grid-layout.ts';
import { fontOf } from '../grid/text-layout.ts';
import { followClipboard } from './field-clipboard.ts';
import { placeField } from './field-placing.ts';
import { suggestionKeys } from './later-suggestions.tsx';

export interface TypingFieldOptions {
  /** Takes it in. */
  readonly host: HTMLElement;
  /** Where the cells are: the field goes with them. */
  readonly layout: ReadonlySignal<GridLayout | null>;
  /** Takes a key that opens or closes the list of the active cell, and says whether it was one. */
  readonly opens: (event: KeyboardEvent) => boolean;
}

/**
 * The field that has the focus of the grid. It waits, unseen, where the active cell is: so the first sign that is typed,
 * or composed from several keys, is in it already. While something is typed it is the cell.
 */
export class TypingField {
  readonly #editor: CellEditor;
  readonly #input: HTMLTextAreaElement;
  readonly #opens: (event: KeyboardEvent) => boolean;
  readonly #whileMoving: (event: KeyboardEvent) => boolean;
  readonly #whileEditing: (event: KeyboardEvent) => boolean;
  readonly #stops: readonly (() => void)[];
  #isComposing = false;
  /** What is composed is the first that is typed into the cell. */
  #isComposedOver = false;

  constructor(editor: CellEditor, { host, layout, opens }: TypingFieldOptions) {
    this.#editor = editor;
    this.#opens = opens;
    this.#whileMoving = movingKeys(editor);
    this.#whileEditing = editingKeys(editor);
    this.#input = makeElement();
    host.append(this.#input);
    this.#listen();
    followClipboard(editor, this.#input);
    this.#stops = [
      effect(() => this.#show()),
      effect(() => {
        layout.value;
        placeField(editor, this.#input);
      }),
    ];
  }

  stop(): void {
    for (const stop of this.#stops) stop();
    document.removeEventListener('selectionchange', this.#readCaret);
    this.#input.remove();
  }

  #listen(): void {
    const [editor, input] = [this.#editor, this.#input];
    input.addEventListener('keydown', (event) => this.#keyDown(event));
    input.addEventListener('input', (event) => {
      this.#typed();
      // What was taken away is not proposed again.
      const { inputType, isComposing } = event as InputEvent;
      if (inputType === 'insertText' && !isComposing) proposeEntry(editor);
    });
    input.addEventListener('compositionstart', () => {
      this.#isComposing = true;
      this.#isComposedOver = editor.editing.peek() === null;
      input.classList.remove('cell-input-idle');
    });
    input.addEventListener('compositionend', ({ data }) => {
      this.#isComposing = false;
      // It was cancelled: the cell keeps what it has.
      if (this.#isComposedOver && data === '' && input.value === '') editor.editing.value = null;
      // What it was composed for may be gone: it must not wait for the next cell.
      if (editor.editing.peek() === null) input.value = '';
    });
    document.addEventListener('selectionchange', this.#readCaret);
    input.addEventListener('pointerup', this.#readCaret);
  }

  #keyDown(event: KeyboardEvent): void {
    const editor = this.#editor;
    if (!editor.role.canEdit && isForCells(event)) {
      notify({ text: t('host.noEditRights'), kind: 'info', topic: 'sheet-refused' });
    }
    const isTaken =
      editor.editing.peek() !== null
        ? suggestionKeys(editor, event) || this.#whileEditing(event)
        : editor.comments.ahead.hear(event) || this.#opens(event) || this.#whileMoving(event);
    if (isTaken) event.preventDefault();
  }

  #typed(): void {
    const [editor, input] = [this.#editor, this.#input];
    const editing = editor.editing.peek();
    if (!editing) {
      // Firefox tells of the end of what was composed when its cell has it already.
      if (input.value === '') return;
      typeOver(editor, input.value);
      // What may not be typed must not wait for the next time.
      if (!editor.editing.peek()) input.value = '';
      return;
    }
    editor.editing.value = {
      ...typed(editing, input.value, input.selectionStart, input.selectionEnd),
      place: 'cell',
    };
  }

  /** The caret may have been moved by the pointer, or by keys that the browser knows. */
  readonly #readCaret = (): void => {
    const [editor, input] = [this.#editor, this.#input];
    const editing = editor.editing.peek();
    if (editing?.place !== 'cell' || document.activeElement !== input || this.#isComposing) return;
    const { selectionStart, selectionEnd } = input;
    if (selectionStart === editing.from && selectionEnd === editing.to) return;
    editor.editing.value = placed(editing, selectionStart, selectionEnd);
  };

  /** Has the field look as what is typed, or as the cell that it waits for. */
  #show(): void {
    const [editor, input] = [this.#editor, this.#input];
    const editing = editor.editing.value;
    const view = editor.page.view.value;
    const cell = editing?.cell ?? editor.selection.value.active;
    const look = view.cellAt(cell.row, cell.column)?.look ?? view.plain.look;
    input.style.font = fontOf(look.text, view.zoom);
    input.style.lineHeight = String(look.text.lineFactor);
    input.style.textAlign = alignmentIn(view, look.horizontal);
    // Formulas are read from left to right; any other text as its first letter asks for.
    input.dir = editing === null || isFormula(editing.text) ? 'ltr' : 'auto';
    input.classList.toggle('cell-input-idle', editing === null && !this.#isComposing);
    input.readOnly = !editor.canEdit;
    if (editing === null && this.#isComposing) this.#endComposing();
    const text = editing?.text ?? '';
    if (!this.#isComposing && input.value !== text) input.value = text;
    if (editing?.place === 'cell') this.#focus(editing);
    placeField(editor, input);
  }

  /** The cell has what is composed: the input method must not go on with it in the next one. It ends with the focus alone. */
  #endComposing(): void {
    const input = this.#input;
    if (document.activeElement !== input) return;
    input.blur();
    input.focus({ preventScroll: true });
  }

  /** Takes the focus, and has the caret where it is typed. */
  #focus({ from, to }: { readonly from: number; readonly to: number }): void {
    const input = this.#input;
    if (document.activeElement !== input) input.focus({ preventScroll: true });
    if (document.activeElement !== input || this.#isComposing) return;
    const isThere = input.selectionStart === from && input.selectionEnd === to;
    if (!isThere) input.setSelectionRange(from, to);
  }
}

/** Whether a key would change what a cell has. With Shift, the space bar selects. */
function isForCells({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): boolean {
  if (ctrlKey || metaKey || altKey || (key === ' ' && shiftKey)) return false;
  return key.length === 1 || ['F2', 'Delete', 'Backspace'].includes(key);
}

function makeElement(): HTMLTextAreaElement {
  const input = document.createElement('textarea');
  input.className = 'cell-input cell-input-idle';
  input.spellcheck = false;
  input.autocomplete = 'off';
  input.setAttribute('autocapitalize', 'off');
  input.setAttribute('aria-describedby', 'grid-help');
  return input;
}
