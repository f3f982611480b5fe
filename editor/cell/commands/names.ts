import type { Area } from '../../../model/cell/area.ts';
import { hasNameSigns, isTakenByFormulas } from '../../../model/cell/defined-name.ts';
import { quotedSheet } from '../../../model/cell/formula/formula-parts.ts';
import { type ItemOf, NAME_CHARS } from '../../../model/cell/items.ts';
import { itemsOf, namesOf, type Sheet, sheetNamed, type Workbook } from '../../../model/cell/workbook.ts';
import { columnName } from '../../../model/cell-address.ts';
import { notify } from '../../kit/notices.tsx';
import { t } from '../../strings/strings.ts';
import type { CellEditor } from '../cell-editor.ts';
import { typedTokens } from '../editing/typed-tokens.ts';
import { isOneCell, rangeName, readRange } from '../grid/cell-areas.ts';
import { goTo } from './going.ts';

export type DefinedName = ItemOf<'name'>;

/** Cells of a sheet that have a name: at least one range. */
interface NamedPlace {
  readonly sheet: string;
  readonly ranges: readonly Area[];
}

/** A reference that stays where it is when it is copied: `'My sheet'!$A$1:$B$2`. */
export function absoluteReference({ properties }: Sheet, range: Area): string {
  const cell = (row: number, column: number) => `$${columnName(column)}$${row + 1}`;
  const first = cell(range[0], range[1]);
  const reference = isOneCell(range) ? first : `${first}:${cell(range[2], range[3])}`;
  return `${quotedSheet(properties.name)}!${reference}`;
}

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

/** Those that people have made, in the order of the alphabet. */
export function shownNames(editor: CellEditor): (readonly [id: string, name: DefinedName])[] {
  const collator = new Intl.Collator(editor.page.settings.locale, { numeric: true });
  return [...namesOf(editor.page.workbook.value)]
    .filter(([, { hidden, name }]) => !hidden && !name.startsWith('_xlnm.'))
    .toSorted(([, one], [, other]) => collator.compare(one.name, other.name));
}

/** So many names are listed to go to. */
const mostListed = 500;

/** The names of cells that count on the sheet that is shown, and the tables, in the order of the alphabet. */
export function namesOfCells(editor: CellEditor): string[] {
  const { sheetId, settings, workbook } = editor.page;
  const names = shownNames(editor).filter(
    ([, { scope = null, formula }]) =>
      (scope === null || scope === sheetId.value) && placeOf(workbook.value, sheetId.value, formula) !== null,
  );
  const tables = workbook.value.sheets.flatMap((sheet) => [...itemsOf(sheet, 'table').values()]);
  const all = new Set([...names.map(([, { name }]) => name), ...tables.map(({ name }) => name)]);
  return [...all]
    .toSorted(new Intl.Collator(settings.locale, { numeric: true }).compare)
    .slice(0, mostListed);
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

/** The cells of one sheet that a formula is a reference to, on the sheet that is given where it names none; null where it is something else. */
export function placeOf(workbook: Workbook, on: string, formula: string): NamedPlace | null {
  const tokens = typedTokens(`=${formula.replace(/^\((.*)\)$/s, '$1')}`)
    .slice(1)
    .filter(({ kind }) => kind !== 'space');
  const references = tokens.filter((_, at) => at % 2 === 0);
  const signs = tokens.filter((_, at) => at % 2 === 1);
  if (signs.length !== references.length - 1 || !signs.every(({ text }) => /^[,;]$/.test(text))) return null;
  const sheets = references.map(({ sheet }) => (sheet === undefined ? on : sheetNamed(workbook, sheet)?.id));
  const ranges = references.flatMap(({ range }) => (range ? [range] : []));
  const [sheet] = sheets;
  if (sheet === undefined || sheets.some((one) => one !== sheet)) return null;
  return ranges.length === references.length ? { sheet, ranges } : null;
}

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

/** Goes to cells by their address, with a sheet or without, by a name or a table. False where there are none. */
export function goToName(editor: CellEditor, text: string): boolean {
  const workbook = editor.page.workbook.peek();
  const shown = editor.page.sheetId.peek();
  const range = readRange(text);
  if (range) {
    goTo(editor, shown, [range]);
    return true;
  }
  const isSame = (name: string) => name.toLowerCase() === text.toLowerCase();
  const named = [...namesOf(workbook).values()].filter(({ name }) => isSame(name));
  const name = named.find(({ scope }) => scope === shown) ?? named.find(({ scope }) => !scope);
  const place = placeOf(workbook, shown, name?.formula ?? text) ?? tablePlace(workbook, isSame);
  if (place) goTo(editor, place.sheet, place.ranges);
  return place !== null;
}

function tablePlace(workbook: Workbook, isSame: (name: string) => boolean): NamedPlace | null {
  for (const sheet of workbook.sheets) {
    for (const { name, area, hasHeader } of itemsOf(sheet, 'table').values()) {
      if (!isSame(name)) continue;
      const [top, left, bottom, right] = area;
      const first = hasHeader && bottom > top ? top + 1 : top;
      return { sheet: sheet.id, ranges: [[first, left, bottom, right]] };
    }
  }
  return null;
}
