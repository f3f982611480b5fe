import { useSignalEffect } from '@preact/signals';
import { SquareFunction } from 'lucide-preact';
import type { RefObject } from 'preact';
import { useRef } from 'preact/hooks';
import { IconButton } from '../../kit/button.tsx';
import { shownShortcut } from '../../shell/actions.ts';
import { t } from '../../strings/strings.ts';
import type { CellEditor } from '../cell-editor.ts';
import { editActive } from '../commands/entering.ts';
import { editingKeys } from '../commands/keys/editing-keys.ts';
import { dialogKeys } from '../commands/keys/page-keys.ts';
import { suggestionKeys } from '../desk/later-suggestions.tsx';
import { placed, typed } from '../editing/cell-editing.ts';
import { coloredTokens, isFormula } from '../editing/typed-tokens.ts';
import { NameBox } from './name-box.tsx';

interface Part {
  editor: CellEditor;
}

/** What is selected, and what the active cell has: a field in which it can be edited. */
export function FormulaBar({ editor }: Part) {
  return (
    <div class="formula-bar">
      <NameBox editor={editor} />
      <IconButton
        label={t('sheet.insertFunction')}
        shortcut={shownShortcut(dialogKeys.function)}
        aria-haspopup="dialog"
        disabled={!editor.canEdit}
        // The press must not take the focus from what is typed.
        onMouseDown={(event) => event.preventDefault()}
        onClick={() => {
          editor.dialog.value = 'function';
        }}
      >
        <SquareFunction size={16} />
      </IconButton>
      <FormulaField editor={editor} />
    </div>
  );
}

/** The content of the active cell: as it is drawn, with the colours of its references, and a field over that. */
function FormulaField({ editor }: Part) {
  const field = useRef<HTMLTextAreaElement>(null);
  const keys = useRef(editingKeys(editor));
  const text = editor.editing.value?.text ?? editor.page.textOf(editor.selection.value.active);
  useFollowedEditing(editor, field);
  const readCaret = () => {
    const now = editor.editing.peek();
    const input = field.current!;
    if (now?.place !== 'bar') return;
    const { selectionStart, selectionEnd } = input;
    if (selectionStart === now.from && selectionEnd === now.to) return;
    editor.editing.value = placed(now, selectionStart, selectionEnd);
  };
  return (
    <div class="formula-field">
      <ColoredText text={text} />
      <textarea
        ref={field}
        rows={1}
        spellcheck={false}
        autocomplete="off"
        aria-label={t('sheet.formula')}
        readOnly={!editor.canEdit}
        value={text}
        // A press puts the caret behind the event of the focus.
        onFocus={({ currentTarget }) => setTimeout(() => beginInBar(editor, currentTarget))}
        onInput={(event) => {
          const { value, selectionStart, selectionEnd } = event.currentTarget;
          beginInBar(editor, event.currentTarget);
          const now = editor.editing.peek();
          if (now)
            editor.editing.value = { ...typed(now, value, selectionStart, selectionEnd), place: 'bar' };
        }}
        onSelect={readCaret}
        onKeyUp={readCaret}
        // A long text is scrolled here, and what is seen of it lies beneath.
        onScroll={({ currentTarget }) => {
          currentTarget.previousElementSibling!.scrollTop = currentTarget.scrollTop;
        }}
        onKeyDown={(event) => {
          if (!editor.editing.peek()) return;
          if (suggestionKeys(editor, event) || keys.current(event)) event.preventDefault();
        }}
      />
    </div>
  );
}

/** While the cell is edited here, the field has the focus, the text and the caret of that. */
function useFollowedEditing(editor: CellEditor, field: RefObject<HTMLTextAreaElement>): void {
  useSignalEffect(() => {
    const now = editor.editing.value;
    const input = field.current;
    if (!input || now?.place !== 'bar') return;
    if (document.activeElement !== input) input.focus();
    if (input.value !== now.text) input.value = now.text;
    if (input.selectionStart !== now.from || input.selectionEnd !== now.to)
      input.setSelectionRange(now.from, now.to);
  });
}

/** Goes on with what is typed already, or begins to edit the active cell, where the caret was put; not if the field has lost the focus. */
function beginInBar(editor: CellEditor, field: HTMLTextAreaElement): void {
  if (!editor.canEdit || document.activeElement !== field) return;
  const { selectionStart: from, selectionEnd: to } = field;
  if (editor.editing.peek()?.place === 'bar') return;
  if (!editor.editing.peek()) editActive(editor, 'bar');
  const begun = editor.editing.peek();
  if (begun) editor.editing.value = { ...begun, place: 'bar', mode: 'editing', from, to };
}

function ColoredText({ text }: { text: string }) {
  return (
    <pre aria-hidden="true">
      {isFormula(text)
        ? coloredTokens(text).map(({ text: piece, color }, index) => (
            <span
              key={index}
              style={
                color === null
                  ? {}
                  : { color: `light-dark(${color}, color-mix(in srgb, ${color} 45%, white))` }
              }
            >
              {piece}
            </span>
          ))
        : text}
      {/* A last empty line is there only with something in it. */}
      {'\u200b'}
    </pre>
  );
}
