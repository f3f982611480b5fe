import { hasNameSigns, isTakenByFormulas } from '../../../model/cell/defined-name.ts';
import { NAME_CHARS } from '../../../model/cell/items.ts';
import { itemsOf, namesOf, type Workbook } from '../../../model/cell/workbook.ts';
import { notify } from '../../kit/notices.tsx';
import { t } from '../../strings/strings.ts';
import type { CellEditor } from '../cell-editor.ts';
import { rangeName } from '../grid/cell-areas.ts';
import { absoluteReference } from './names.ts';

/** What is selected, as one reference that stays: several ranges stand beside each other. */
export const selectedReference = ({ page, selection }: CellEditor): string =>
  selection
    .peek()
    .ranges.map((range) => absoluteReference(page.sheet, range))
    .join(',');

/** Why cells or a table cannot be called so; null if they can. @param except the name or table that is called otherwise so far */
export function problemWithDefinedName(
  workbook: Workbook,
  name: string,
  scope: string | null = null,
  except: string | null = null,
): string | null {
  if (name === '') return t('rules.nameEmpty');
  if (name.length > NAME_CHARS) return t('sheet.nameTooLong', { count: NAME_CHARS });
  if (!hasNameSigns(name)) return t('rules.nameSigns');
  if (isTakenByFormulas(name)) return t('rules.nameIsReference', { name });
  const isSame = (other: string) => other.toLowerCase() === name.toLowerCase();
  for (const [id, item] of namesOf(workbook))
    if (id !== except && isSame(item.name) && (item.scope ?? null) === scope) return t('rules.nameTaken');
  for (const sheet of workbook.sheets) {
    for (const [id, table] of itemsOf(sheet, 'table'))
      if (id !== except && isSame(table.name)) return t('rules.nameTaken');
  }
  return null;
}

/** @param id null for a new name, whose formula is as files have it @param scope the id of the sheet in which alone it counts; null for everywhere */
export function setName(
  editor: CellEditor,
  id: string | null,
  { name, formula, scope, comment }: { name: string; formula: string; scope: string | null; comment: string },
): boolean {
  const item = {
    name,
    formula,
    ...(scope !== null && { scope }),
    ...(comment !== '' && { comment }),
  };
  if (id === null) return editor.change({ op: 'put', sheet: null, kind: 'name', id: editor.newId(), item });
  const patch = { ...item, scope, comment: comment === '' ? null : comment };
  return editor.change({ op: 'patch', sheet: null, kind: 'name', id, patch });
}

export const removeName = (editor: CellEditor, id: string): boolean =>
  editor.change({ op: 'drop', sheet: null, kind: 'name', id });

/** Gives what is selected a name; says why it cannot be called so. */
export function nameSelection(editor: CellEditor, name: string): boolean {
  const isName = /^[\p{L}_\\]/u.test(name) && editor.canEdit;
  const problem = problemWithDefinedName(editor.page.workbook.peek(), name);
  if (!isName || problem) {
    const text = isName ? problem! : t('sheet.noSuchPlace', { name });
    notify({ text, kind: 'warning', topic: 'sheet-name' });
    return false;
  }
  const formula = selectedReference(editor);
  if (!setName(editor, null, { name, formula, scope: null, comment: '' })) return false;
  const { ranges } = editor.selection.peek();
  const range = ranges.length > 1 ? ranges.map(rangeName).join(', ') : editor.selectionName;
  notify({
    text: t('rules.nameMade', { name, range }),
    kind: 'info',
    topic: 'sheet-name',
  });
  return true;
}
