import type { Area } from '../../../model/cell/area.ts';
import { sheetOf, visibleSheets } from '../../../model/cell/workbook.ts';
import { notify } from '../../kit/notices.tsx';
import { texts } from '../../strings/en/selecting.ts';
import { addLaterTexts, t } from '../../strings/strings.ts';
import type { CellEditor } from '../cell-editor.ts';
import { isIn } from '../grid/cell-areas.ts';
import { isWithinOneCell, selectRange, selectRanges } from '../grid/selection.ts';
import { goTo } from './going.ts';
import { cellsRead, readersOf } from './read-cells.ts';
import { visibleParts } from './visible-parts.ts';

await addLaterTexts(texts, {
  de: () => import('../../strings/de/selecting.ts'),
  ar: () => import('../../strings/ar/selecting.ts'),
});

/** So many other sheets are named. */
const mostNamed = 5;
/** So many ranges are selected at once. */
const mostRanges = 4_000;

/** What selects something as seen from what is selected. */
export const selectors = { read: selectRead, readers: selectReaders, visible: selectVisible };

/** The cells that the selected formulas read: those of this sheet, else of the first other one that is shown. */
function selectRead(editor: CellEditor): void {
  const { sheet, selection } = editor.shown;
  const read = cellsRead(editor.page.workbook.peek(), sheet, selection.ranges);
  const [id] = seenFirst(editor, read);
  if (id === undefined) tell('readsNothing');
  else select(editor, id, read.get(id)!);
}

/** The cells whose formulas read what is selected: those of this sheet, else of the first other one. On which others there are more is said. */
function selectReaders(editor: CellEditor): void {
  const { sheet, selection } = editor.shown;
  const workbook = editor.page.workbook.peek();
  const readers = readersOf(workbook, sheet, selection.ranges);
  const [id, ...further] = seenFirst(editor, readers);
  if (id === undefined) {
    tell('isReadByNothing');
    return;
  }
  select(editor, id, readers.get(id)!);
  const names = further.slice(0, mostNamed).map((one) => sheetOf(workbook, one)!.properties.name);
  if (further.length > mostNamed) names.push('…');
  if (names.length > 0) tell('isReadElsewhere', names.join(', '));
}

/** The sheets that something was found on and that are shown, this one first. */
function seenFirst(editor: CellEditor, found: ReadonlyMap<string, unknown>): string[] {
  const { sheet } = editor.shown;
  const others = visibleSheets(editor.page.workbook.peek()).filter(({ id }) => id !== sheet.id);
  return [sheet, ...others].map(({ id }) => id).filter((id) => found.has(id));
}

/** Leaves out of the selection what is hidden; of one cell it is all that is used of the sheet. */
function selectVisible(editor: CellEditor): void {
  const { terrain, selection } = editor.shown;
  const { ranges, active } = selection;
  const isAlone = ranges.length === 1 && isWithinOneCell(terrain, ranges[0]!, active);
  const parts = visibleParts(terrain, isAlone && terrain.used ? [terrain.used] : ranges);
  if (parts.length === 0 || areTooMany(parts)) return;
  const current = parts.findIndex((part) => isIn(active, part));
  const visible = selectRanges(terrain, parts);
  const next = current < 0 ? visible : { ...selectRange(terrain, parts[current]!, active), current };
  editor.select({ ...next, ranges: visible.ranges }, { reveals: false });
}

function select(editor: CellEditor, sheet: string, areas: readonly Area[]): void {
  if (!areTooMany(areas)) goTo(editor, sheet, areas);
}

function areTooMany(areas: readonly Area[]): boolean {
  const isTooMuch = areas.length > mostRanges;
  if (isTooMuch) tell('tooManyRanges');
  return isTooMuch;
}

function tell(
  key: 'readsNothing' | 'isReadByNothing' | 'isReadElsewhere' | 'tooManyRanges',
  sheets = '',
): void {
  notify({
    text: t(`selecting.${key}`, { most: mostRanges, sheets }),
    kind: key === 'tooManyRanges' ? 'warning' : 'info',
    topic: 'sheet-selecting',
  });
}
