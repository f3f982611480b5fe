import { useSignalEffect } from '@preact/signals';
import { useRef, useState } from 'preact/hooks';
import { namesOf, sheetNamed } from '../../../model/cell/workbook.ts';
import { notify } from '../../kit/notices.tsx';
import { t } from '../../strings/strings.ts';
import type { CellEditor } from '../cell-editor.ts';
import { editingKeys } from '../commands/keyboard.ts';
import { suggestionKeys } from '../desk/suggestions.tsx';
import { placed, typed } from '../editing/cell-editing.ts';
import { coloredTokens, formulaTokens, isFormula } from '../editing/formula-tokens.ts';
import { readRange } from '../grid/cell-range.ts';

/** What is selected, and what the active cell has: a field in which it can be edited. */
export function FormulaBar({ editor }: { editor: CellEditor }) {
  return (
    <div class="formula-bar">
      <NameBox editor={editor} />
      <FormulaField editor={editor} />
    </div>
  );
}

/** The name of what is selected; another one that is typed goes there. */
function NameBox({ editor }: { editor: CellEditor }) {
  const [text, setText] = useState<string | null>(null);
  const go = () => {
    const target = text?.trim() ?? '';
    setText(null);
    if (target === '') return editor.focus();
    if (!goToName(editor, target))
      notify({ text: t('sheet.noSuchPlace', { name: target }), kind: 'warning' });
    editor.focus();
  };
  return (
    <input
      class="name-box"
      aria-label={t('sheet.goTo')}
      spellcheck={false}
      value={text ?? editor.selectionName}
      onFocus={(event) => event.currentTarget.select()}
      onInput={(event) => setText(event.currentTarget.value)}
      onBlur={() => setText(null)}
      onKeyDown={(event) => {
        if (event.key === 'Enter') {
          event.preventDefault();
          go();
        }
        if (event.key === 'Escape') {
          setText(null);
          editor.focus();
        }
      }}
    />
  );
}

/** Goes to cells by their address, with a sheet or without, or by a name. False where there are none. */
function goToName(editor: CellEditor, text: string): boolean {
  const workbook = editor.workbook.peek();
  const range = readRange(text);
  if (range) {
    editor.goTo(editor.sheetId.peek(), range);
    return true;
  }
  const name = [...namesOf(workbook).values()].find((one) => one.name.toLowerCase() === text.toLowerCase());
  const target = formulaTokens(`=${name?.formula ?? text}`).find((token) => token.range !== undefined);
  if (!target?.range) return false;
  const sheet = target.sheet === undefined ? editor.sheet : sheetNamed(workbook, target.sheet);
  if (sheet) editor.goTo(sheet.id, target.range);
  return sheet !== undefined;
}

function FormulaField({ editor }: { editor: CellEditor }) {
  const field = useRef<HTMLTextAreaElement>(null);
  const editing = editor.editing.value;
  const keys = useRef(editingKeys(editor));
  const text = editing?.text ?? editor.textOf(editor.selection.value.active);
  useSignalEffect(() => {
    const now = editor.editing.value;
    const input = field.current;
    if (!input || now?.place !== 'bar') return;
    if (document.activeElement !== input) input.focus();
    if (input.value !== now.text) input.value = now.text;
    if (input.selectionStart !== now.from || input.selectionEnd !== now.to)
      input.setSelectionRange(now.from, now.to);
  });
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
      <textarea
        ref={field}
        rows={1}
        spellcheck={false}
        autocomplete="off"
        aria-label={t('sheet.formula')}
        readOnly={!editor.canEdit}
        value={text}
        onFocus={(event) => {
          const now = editor.editing.peek();
          const { selectionStart, selectionEnd } = event.currentTarget;
          if (!editor.canEdit) return;
          if (now) editor.editing.value = { ...now, place: 'bar', mode: 'editing' };
          else {
            editor.edit('bar');
            const begun = editor.editing.peek();
            if (begun) editor.editing.value = { ...begun, from: selectionStart, to: selectionEnd };
          }
        }}
        onInput={(event) => {
          const now = editor.editing.peek();
          const { value, selectionStart, selectionEnd } = event.currentTarget;
          if (now)
            editor.editing.value = { ...typed(now, value, selectionStart, selectionEnd), place: 'bar' };
        }}
        onSelect={readCaret}
        onKeyUp={readCaret}
        onKeyDown={(event) => {
          if (event.isComposing || !editor.editing.peek()) return;
          if (suggestionKeys(editor, event) || keys.current(event)) event.preventDefault();
        }}
      />
    </div>
  );
}
