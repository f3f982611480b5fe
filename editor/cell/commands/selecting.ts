import type { Area } from '../../../model/cell/area.ts';
import { visibleSheets } from '../../../model/cell/workbook.ts';
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

/** So many ranges are selected at once. */
const mostRanges = 4_000;

/** What selects something as seen from what is selected. */
export const selectors = { read: selectRead, readers: selectReaders, visible: selectVisible };

/** The cells that the selected formulas read: those of this sheet, else of the first other one that is shown. */
function selectRead(editor: CellEditor): void {
  const { sheet, selection } = editor.shown;
  const workbook = editor.page.workbook.peek();
  const read = cellsRead(workbook, sheet, selection.ranges);
  const ids = [sheet.id, ...visibleSheets(workbook).map(({ id }) => id)];
  const id = ids.find((one) => read.has(one));
  if (id === undefined) tell('readsNothing');
  else select(editor, id, read.get(id)!);
}

/** The cells of this sheet whose formulas read what is selected. */
function selectReaders(editor: CellEditor): void {
  const { sheet, selection } = editor.shown;
  const areas = readersOf(editor.page.workbook.peek(), sheet, selection.ranges);
  if (areas.length === 0) tell('isReadByNothing');
  else select(editor, sheet.id, areas);
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

function tell(key: 'readsNothing' | 'isReadByNothing' | 'tooManyRanges'): void {
  notify({
    text: t(`selecting.${key}`, { most: mostRanges }),
    kind: key === 'tooManyRanges' ? 'warning' : 'info',
    topic: 'sheet-selecting',
  });
}
