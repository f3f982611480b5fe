import type { Axis } from '../../../model/cell/area.ts';
import { laterPart } from '../../kit/later.tsx';
import type { CellEditor } from '../cell-editor.ts';
import { linesSelected } from '../commands/structure.ts';
import { cornerOf } from '../grid/cell-areas.ts';
import { selectColumns, selectRange, selectRows } from '../grid/selection.ts';
import type { Copied } from './copied.ts';
import { readOwn } from './copied-cells.ts';

/** What copies come to between other cells is found out by code that comes behind the first look at a page. */
const insertions = laterPart(() => import('./copied-insertion.ts'));

/** What was copied here and has its frame still, where it can come in between what is selected; null for nothing. */
export function insertableCopy(editor: CellEditor): Copied | null {
  const copied = editor.clipboard.cells.peek();
  if (!copied?.isFramed || copied.isCut) return null;
  const lines = linesSelected(editor);
  return lines === null || lines === copied.lines ? copied : null;
}

/**
 * Puts what was copied in before what is selected, where it stays selected; its frame goes. Whole rows and columns come as such;
 * for other cells room is made along an axis. False where nothing can come in.
 */
export function insertCopied(editor: CellEditor, axis: Axis): boolean {
  const copied = insertableCopy(editor);
  const read = copied && readOwn(copied.own);
  if (!read) return false;
  editor.clipboard.endFrame();
  const { table } = read;
  const place = {
    ...{ sheet: editor.page.sheetId.peek(), axis: copied.lines ?? axis },
    cell: cornerOf(editor.range),
  };
  void insertions.loadOrTell().then((loaded) => {
    if (!loaded) return;
    const operations = loaded.insertionOf(editor.session.workbook, copied, table, place, {
      settings: editor.page.settings,
      newId: () => editor.newId(),
    });
    if (!editor.change(...operations)) return;
    const area = loaded.insertedArea(table, copied.lines, place);
    const selection =
      copied.lines === 'row'
        ? selectRows(area[0], area[2])
        : copied.lines === 'column'
          ? selectColumns(area[1], area[3])
          : selectRange(editor.page.view.peek(), area);
    editor.select(selection, { reveals: false });
  });
  return true;
}
