import { laterPart } from '../../../kit/later.tsx';
import type { CellEditor } from '../../cell-editor.ts';
import { advance, type Direction, isWithinOneCell, selectCell } from '../../grid/selection.ts';
import { EntryRun } from '../entry-run.ts';
import { nextOpenCell } from '../open-cells.ts';

const tableRows = laterPart(() => import('../table-rows.ts'));
const entryRuns = new WeakMap<CellEditor, EntryRun>();

/** Where Tab and Enter go, also once what was typed is in its cell. */
export function goOn(editor: CellEditor, direction: Direction): void {
  const run = entryRuns.get(editor) ?? new EntryRun();
  entryRuns.set(editor, run);
  const sheet = editor.page.view.peek();
  const before = editor.selection.peek();
  const isAlone = before.ranges.length === 1 && isWithinOneCell(sheet, before.ranges[0]!, before.active);
  if (direction === 'right' && isAlone && addTableRow(editor)) return;
  if (isAlone && (direction === 'right' || direction === 'left') && goToOpen(editor, direction)) return;
  const from = direction === 'down' && isAlone ? selectCell(sheet, run.startOf(before.active)) : before;
  const after = advance(sheet, from, direction);
  editor.select(after);
  editor.grid?.reveal(after.active);
  if (isAlone && (direction === 'right' || direction === 'left')) run.passed(before.active, after.active);
}

/** On a protected sheet Tab goes to the next cell that is open. False where there is none. */
function goToOpen(editor: CellEditor, direction: 'left' | 'right'): boolean {
  const { sheet, terrain, selection } = editor.shown;
  const step = direction === 'right' ? 1 : -1;
  const cell = nextOpenCell(editor.page.workbook.peek(), sheet, terrain, selection.active, step);
  if (cell) editor.select(selectCell(terrain, cell));
  return cell !== null;
}

/** Behind the last cell of a table comes a row of it. False where it is no such cell, or nothing can be put in. */
function addTableRow(editor: CellEditor): boolean {
  const { active } = editor.selection.peek();
  const row = editor.canEdit ? tableRows.loaded?.rowBehind(editor.page, active) : null;
  if (!row || !editor.makes(...row.operations)) return false;
  editor.select(selectCell(editor.page.view.peek(), row.cell));
  return true;
}
