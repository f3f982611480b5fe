import { signal } from '@preact/signals';
import { itemsOf, namesOf } from '../../../model/cell/workbook.ts';
import { t } from '../../strings/strings.ts';
import type { CellEditor } from '../cell-editor.ts';
import { complete, type Editing } from '../editing/cell-editing.ts';
import { type Completion, completionsAt } from '../editing/completions.ts';
import { argumentNumber, functionNamed } from '../editing/functions.ts';
import { hasDecimalComma } from '../editing/local-formula.ts';
import { argumentAt, isFormula } from '../editing/typed-tokens.ts';
import { sideBelow } from './cell-side.ts';
import './suggestions.css';

/** Which of the suggestions is chosen by keys, and for which word: it begins anew with another one. */
const chosen = signal({ word: '', at: 0, isClosed: false });

function suggestionsFor(
  editor: CellEditor,
  editing: Editing | null,
): { word: string; list: readonly Completion[] } {
  if (!editing || editing.from !== editing.to || !isFormula(editing.text)) return { word: '', list: [] };
  const list = completionsAt(editing.text, editing.from, nameable(editor, editing));
  // The text before the cursor tells a word from another one.
  const word = editing.text.slice(0, editing.from);
  const isClosed = chosen.value.isClosed && chosen.value.word === word;
  return { word, list: isClosed ? [] : list };
}

/** Names and tables of the workbook. */
function nameable(editor: CellEditor, { sheet: id, cell }: Editing) {
  const { sheets, items } = editor.page.workbook.peek();
  const tables = sheets.flatMap((sheet) => [...itemsOf(sheet, 'table').values()]);
  const names = [...namesOf({ items }).values()].filter(
    ({ hidden, scope = null }) => !hidden && (scope === null || scope === id),
  );
  const isShown = id === editor.page.sheetId.peek();
  return {
    tables: tables.map(({ name, columns }) => ({ name, columns: columns.map((column) => column.name) })),
    names,
    ownTable: isShown ? (editor.page.editedCell(cell).table ?? null) : null,
  };
}

const chosenAt = (word: string, count: number): number =>
  chosen.value.word === word ? Math.min(chosen.value.at, count - 1) : 0;

/** Arrows choose a suggestion, Tab takes it, and so does Enter once one is chosen; Escape closes the list. True if the key was for the list. */
export function suggestionKeys(editor: CellEditor, event: KeyboardEvent): boolean {
  const editing = editor.editing.peek();
  const { word, list } = suggestionsFor(editor, editing);
  if (!editing || list.length === 0 || event.ctrlKey || event.metaKey || event.altKey) return false;
  const at = chosenAt(word, list.length);
  switch (event.key) {
    case 'ArrowDown':
      chosen.value = { word, at: (at + 1) % list.length, isClosed: false };
      return true;
    case 'ArrowUp':
      chosen.value = { word, at: (at - 1 + list.length) % list.length, isClosed: false };
      return true;
    case 'Escape':
      chosen.value = { word, at: 0, isClosed: true };
      return true;
    case 'Enter':
    case 'Tab':
      if (event.shiftKey || (event.key === 'Enter' && chosen.peek().word !== word)) return false;
      editor.editing.value = complete(editing, list[at]!);
      return true;
    default:
      return false;
  }
}

/** What can be typed next in a formula: the functions that begin so, or what the one that is typed takes. */
export function Suggestions({ editor }: { editor: CellEditor }) {
  const editing = editor.editing.value;
  if (!editing || !isFormula(editing.text)) return null;
  const { word, list } = suggestionsFor(editor, editing);
  const argument = argumentAt(editing.text, editing.from, hasDecimalComma(editor.page.settings.locale));
  const called = argument && functionNamed(argument.name);
  const place = placeBelow(editor, editing);
  if (list.length > 0) {
    const at = chosenAt(word, list.length);
    return (
      <div class="suggestions" style={place} role="listbox" aria-label={t('sheet.functions')}>
        {list.map((one, index) => (
          <div
            key={`${one.label} ${one.isFunction}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === at}
            onMouseDown={(event) => {
              event.preventDefault();
              editor.editing.value = complete(editing, one);
              editor.focus();
            }}
          >
            <b>{one.label}</b>
            <span>{one.detail}</span>
          </div>
        ))}
      </div>
    );
  }
  if (!called || !argument) return null;
  const current = argumentNumber(called, argument.index);
  return (
    <div class="suggestions suggestions-hint" style={place} role="note">
      {called.name}(
      {called.takes.map(({ text }, index) => (
        <>
          {index > 0 && ', '}
          {index === current ? <b>{text}</b> : text}
        </>
      ))}
      )
    </div>
  );
}

/** About as wide as the list is. */
const listPx = 360;

function placeBelow(editor: CellEditor, { cell, place, sheet }: Editing): Record<string, string> {
  const rect = editor.grid?.rectOfCell(cell);
  if (place === 'bar' || !rect || sheet !== editor.page.sheetId.value) return { left: '60px', top: '2px' };
  const { layout } = editor.grid!;
  const { height } = layout;
  const isLow = rect.y + rect.height > height * 0.6;
  const side = sideBelow(layout, rect, listPx);
  return isLow
    ? { ...side, bottom: `${height - rect.y + 8}px` }
    : { ...side, top: `${rect.y + rect.height + 6}px` };
}
