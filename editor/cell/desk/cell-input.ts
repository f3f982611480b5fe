import { effect } from '@preact/signals';
import type { CellEditor } from '../cell-editor.ts';
import { pasteData, writeSelection } from '../clipboard/clipboard-actions.ts';
import { typeOver } from '../commands/entering.ts';
import { editingKeys, movingKeys } from '../commands/keyboard.ts';
import { pasteDrawnData } from '../drawings/copied-drawing.ts';
import { placed, typed } from '../editing/cell-editing.ts';
import { isFormula } from '../editing/typed-tokens.ts';
import { alignmentIn, fieldSpan } from '../grid/field-place.ts';
import { fontOf } from '../grid/text-layout.ts';
import { suggestionKeys } from './suggestions.tsx';

/**
 * The field that has the focus of the grid. It waits, unseen, where the active cell is: so the first sign that is typed,
 * or composed from several keys, is in it already. While something is typed it is the cell.
 * @param opens takes the key that opens the list of the active cell, and says whether it was that
 */
export function makeCellInput(
  editor: CellEditor,
  host: HTMLElement,
  opens: (event: KeyboardEvent) => boolean,
): () => void {
  const input = document.createElement('textarea');
  input.className = 'cell-input cell-input-idle';
  input.spellcheck = false;
  input.autocomplete = 'off';
  input.setAttribute('autocapitalize', 'off');
  input.setAttribute('aria-describedby', 'grid-help');
  host.append(input);
  const whileMoving = movingKeys(editor);
  const whileEditing = editingKeys(editor);
  let isComposing = false;

  input.addEventListener('keydown', (event) => {
    if (isComposing || event.isComposing || event.keyCode === 229) return;
    const isEditing = editor.editing.peek() !== null;
    const isTaken = isEditing
      ? suggestionKeys(editor, event) || whileEditing(event)
      : editor.comments.ahead.hear(event) || opens(event) || whileMoving(event);
    if (isTaken) event.preventDefault();
  });
  input.addEventListener('input', () => {
    const editing = editor.editing.peek();
    if (!editing) {
      const { value } = input;
      typeOver(editor, value);
      // What may not be typed must not wait for the next time.
      if (!editor.editing.peek()) input.value = '';
      return;
    }
    editor.editing.value = {
      ...typed(editing, input.value, input.selectionStart, input.selectionEnd),
      place: 'cell',
    };
  });
  input.addEventListener('compositionstart', () => {
    isComposing = true;
    input.classList.remove('cell-input-idle');
  });
  input.addEventListener('compositionend', () => {
    isComposing = false;
  });
  const readCaret = () => {
    const editing = editor.editing.peek();
    if (editing?.place !== 'cell' || document.activeElement !== input || isComposing) return;
    const { selectionStart, selectionEnd } = input;
    if (selectionStart === editing.from && selectionEnd === editing.to) return;
    editor.editing.value = placed(editing, selectionStart, selectionEnd);
  };
  document.addEventListener('selectionchange', readCaret);
  input.addEventListener('pointerup', readCaret);
  input.addEventListener('copy', (event) => copied(event, false));
  input.addEventListener('cut', (event) => copied(event, true));
  const copied = (event: ClipboardEvent, isCut: boolean) => {
    if (editor.editing.peek() || !event.clipboardData) return;
    event.preventDefault();
    writeSelection(editor, event.clipboardData, isCut);
  };
  let pastesValues = false;
  input.addEventListener('keydown', (event) => {
    if (event.key.toLowerCase() === 'v') pastesValues = event.shiftKey && (event.ctrlKey || event.metaKey);
  });
  input.addEventListener('paste', (event) => {
    if (editor.editing.peek() || !event.clipboardData) return;
    event.preventDefault();
    if (!editor.canEdit) return;
    if (pasteDrawnData(editor, event.clipboardData)) return;
    pasteData(editor, event.clipboardData, pastesValues ? { part: 'values' } : {});
  });

  const place = () => {
    const { grid } = editor;
    if (!grid) return;
    const editing = editor.editing.peek();
    const view = editor.view.peek();
    const cell = editing?.cell ?? editor.selection.peek().active;
    const isElsewhere = editing !== null && editing.sheet !== view.sheet.id;
    const rect = grid.rectOfCell(cell);
    input.hidden = false;
    if (!rect || isElsewhere) {
      // It keeps the focus where it cannot be seen.
      Object.assign(input.style, { left: '0px', top: '0px', width: '1px', height: '1px' });
      return;
    }
    const left = grid.startPx - 1;
    Object.assign(input.style, {
      left: `${rect.x + left}px`,
      top: `${rect.y - 1}px`,
      width: `${rect.width + 1}px`,
      height: `${rect.height + 1}px`,
    });
    if (!editing) return;
    // It grows with its text: first to the side up to the edge of the grid, then down. Where text is broken, only down.
    const { look } = view.cellAt(cell.row, cell.column) ?? view.plain;
    const width = look.wrap ? rect.width : textWidth(rect.width + 1);
    const span = fieldSpan(rect, width, grid.layout, look.horizontal);
    input.style.left = `${span.x + left}px`;
    input.style.width = `${span.width + 1}px`;
    const deep = Math.max(rect.height + 1, input.scrollHeight + 4);
    const room = Math.max(rect.height + 1, grid.layout.height - rect.y);
    input.style.height = `${Math.min(deep, room)}px`;
  };
  /** As wide as the text is that is typed, if it is wider than a cell. */
  const textWidth = (cellWidth: number): number => {
    input.style.whiteSpace = 'pre';
    const width = Math.max(input.scrollWidth + 6, cellWidth);
    input.style.whiteSpace = '';
    return width;
  };
  const stops = [
    effect(() => {
      const editing = editor.editing.value;
      const view = editor.view.value;
      const cell = editing?.cell ?? editor.selection.value.active;
      const isHere = editing !== null && editing.place === 'cell';
      const look = view.cellAt(cell.row, cell.column)?.look ?? view.plain.look;
      input.style.font = fontOf(look.text, view.zoom);
      input.style.lineHeight = String(look.text.lineFactor);
      input.style.textAlign = alignmentIn(view, look.horizontal);
      // Formulas are read from left to right; any other text as its first letter asks for.
      input.dir = editing === null || isFormula(editing.text) ? 'ltr' : 'auto';
      input.classList.toggle('cell-input-idle', editing === null && !isComposing);
      input.readOnly = !editor.canEdit;
      const text = editing?.text ?? '';
      if (!isComposing && input.value !== text) input.value = text;
      if (isHere && document.activeElement !== input) input.focus({ preventScroll: true });
      if (isHere && document.activeElement === input && !isComposing) {
        const isThere = input.selectionStart === editing.from && input.selectionEnd === editing.to;
        if (!isThere) input.setSelectionRange(editing.from, editing.to);
      }
      place();
    }),
  ];
  editor.placeInput = place;
  return () => {
    for (const stop of stops) stop();
    document.removeEventListener('selectionchange', readCaret);
    input.remove();
  };
}
