import type { Area } from '../../../model/cell/area.ts';
import { quotedSheet } from '../../../model/cell/formula/formula-parts.ts';
import type { ItemOf } from '../../../model/cell/items.ts';
import { itemsOf, namesOf, type Sheet, sheetNamed, type Workbook } from '../../../model/cell/workbook.ts';
import { columnName } from '../../../model/cell-address.ts';
import type { CellEditor } from '../cell-editor.ts';
import { typedTokens } from '../editing/typed-tokens.ts';
import { isOneCell, readRange } from '../grid/cell-areas.ts';
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
