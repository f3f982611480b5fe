import { signal } from '@preact/signals';
import { t } from '../../strings/strings.ts';
import type { CellEditor } from '../cell-editor.ts';
import { complete, type Editing } from '../editing/cell-editing.ts';
import { argumentAt, isFormula, wordBefore } from '../editing/formula-tokens.ts';
import { type FormulaFunction, functionNamed, suggested } from './functions.ts';
import './suggestions.css';

/** Which of the suggestions is chosen, and for which word: it begins anew with another one. */
const chosen = signal({ word: '', at: 0 });

function suggestionsFor(editing: Editing | null): { word: string; list: readonly FormulaFunction[] } {
  const word = editing && editing.from === editing.to ? wordBefore(editing.text, editing.from) : null;
  const list = word && /[a-z]/i.test(word.word) ? suggested(word.word) : [];
  const isComplete = list.length === 1 && list[0]!.name === word?.word.toUpperCase();
  return { word: word?.word ?? '', list: isComplete ? [] : list };
}

const chosenAt = (word: string, count: number): number =>
  chosen.value.word === word ? Math.min(chosen.value.at, count - 1) : 0;

/** Arrows choose a suggestion, Tab takes it, Escape closes the list. True if the key was for the list. */
export function suggestionKeys(editor: CellEditor, event: KeyboardEvent): boolean {
  const editing = editor.editing.peek();
  const { word, list } = suggestionsFor(editing);
  if (!editing || list.length === 0 || event.ctrlKey || event.metaKey || event.altKey) return false;
  const at = chosenAt(word, list.length);
  switch (event.key) {
    case 'ArrowDown':
      chosen.value = { word, at: (at + 1) % list.length };
      return true;
    case 'ArrowUp':
      chosen.value = { word, at: (at - 1 + list.length) % list.length };
      return true;
    case 'Tab':
      if (event.shiftKey) return false;
      editor.editing.value = complete(editing, list[at]!.name);
      return true;
    default:
      return false;
  }
}

/** What can be typed next in a formula: the functions that begin so, or what the one that is typed takes. */
export function Suggestions({ editor }: { editor: CellEditor }) {
  const editing = editor.editing.value;
  if (!editing || !isFormula(editing.text)) return null;
  const { word, list } = suggestionsFor(editing);
  const argument = argumentAt(editing.text, editing.from);
  const called = argument && functionNamed(argument.name);
  const place = placeBelow(editor, editing);
  if (list.length > 0) {
    const at = chosenAt(word, list.length);
    return (
      <div class="suggestions" style={place} role="listbox" aria-label={t('sheet.functions')}>
        {list.map((one, index) => (
          <div
            key={one.name}
            role="option"
            tabIndex={-1}
            aria-selected={index === at}
            onMouseDown={(event) => {
              event.preventDefault();
              editor.editing.value = complete(editing, one.name);
              editor.focus();
            }}
          >
            <b>{one.name}</b>
            <span>({one.takes})</span>
          </div>
        ))}
      </div>
    );
  }
  if (!called || !argument) return null;
  const parts = called.takes.split(', ');
  const last = parts.length - 1;
  return (
    <div class="suggestions suggestions-hint" style={place} role="note">
      {called.name}(
      {parts.map((part, index) => (
        <>
          {index > 0 && ', '}
          {index === Math.min(argument.index, last) ? <b>{part}</b> : part}
        </>
      ))}
      )
    </div>
  );
}

function placeBelow(editor: CellEditor, { cell, place, sheet }: Editing): Record<string, string> {
  const rect = editor.grid?.rectOfCell(cell);
  if (place === 'bar' || !rect || sheet !== editor.sheetId.value) return { left: '60px', top: '2px' };
  const { height } = editor.grid!.layout;
  const isLow = rect.y + rect.height > height * 0.6;
  return isLow
    ? { left: `${rect.x}px`, bottom: `${height - rect.y + 8}px` }
    : { left: `${rect.x}px`, top: `${rect.y + rect.height + 6}px` };
}
