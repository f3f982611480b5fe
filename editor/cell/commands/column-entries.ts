import { lastRow } from '../../../model/cell/area.ts';
import { isRichText } from '../../../model/cell/values.ts';
import type { CellEditor } from '../cell-editor.ts';
import { proposing } from '../editing/cell-editing.ts';
import type { CellPosition } from '../grid/cell-areas.ts';

/** So far from a cell, either way, its column is looked through. */
const mostRows = 2_000;

/**
 * The texts that people have entered into the cells right above and below one, up to the first empty cell either way; each once,
 * as they are edited, from the nearest on.
 */
export function columnEntries(editor: CellEditor, { row, column }: CellPosition): string[] {
  const { grid } = editor.page.view.peek().sheet;
  const entries = new Set<string>();
  const look = (step: 1 | -1) => {
    for (let count = 1; count <= mostRows; count++) {
      const at = row + step * count;
      if (at < 0 || at > lastRow) return;
      const { value, formula } = grid.cell(at, column);
      if (value === null && formula === null) return;
      const isText =
        typeof value === 'string' || (value !== null && typeof value === 'object' && isRichText(value));
      if (isText && formula === null) entries.add(editor.page.textOf({ row: at, column }));
    }
  };
  look(-1);
  look(1);
  return [...entries];
}

/** The one entry of a column that begins as what was typed; null where there is none, or more than one. */
export function entryBeginning(entries: readonly string[], text: string): string | null {
  // What may become a number or a formula is left alone.
  if (!/^\p{L}/u.test(text) || text.includes('\n')) return null;
  const begin = text.toLowerCase();
  const found = entries.filter((entry) => entry.slice(0, text.length).toLowerCase() === begin);
  const [first] = found;
  const isOne = found.every((entry) => entry.toLowerCase() === first!.toLowerCase());
  return first !== undefined && first.length > text.length && isOne && !first.includes('\n') ? first : null;
}

/** Proposes the rest of what is typed at its end, where the column has one entry that begins so. */
export function proposeEntry(editor: CellEditor): void {
  const editing = editor.editing.peek();
  if (editing?.mode !== 'typing' || editing.from !== editing.text.length) return;
  if (editing.sheet !== editor.page.sheetId.peek()) return;
  const entry = entryBeginning(columnEntries(editor, editing.cell), editing.text);
  if (entry !== null) editor.editing.value = proposing(editing, entry);
}
