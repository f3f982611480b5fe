import type { CellEditor } from '../cell-editor.ts';

export const isLocked = (editor: CellEditor): boolean =>
  editor.page.formatAt(editor.selection.value.active).protection?.locked !== false;

export const isFormulaHidden = (editor: CellEditor): boolean =>
  editor.page.formatAt(editor.selection.value.active).protection?.hidden === true;

/** Locks or opens what is selected, or has its formulas hidden, as soon as the sheet is protected. */
export function toggleProtection(editor: CellEditor, property: 'locked' | 'hidden'): boolean {
  const isOn = property === 'locked' ? isLocked(editor) : isFormulaHidden(editor);
  const patch = property === 'locked' ? { locked: isOn ? false : null } : { hidden: isOn ? null : true };
  const areas = editor.selection.peek().ranges;
  return editor.change({
    op: 'format',
    sheet: editor.page.sheetId.peek(),
    areas,
    patch: { protection: patch },
  });
}
