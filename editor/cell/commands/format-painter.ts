import { type Area, intersection, lastColumn, lastRow } from '../../../model/cell/area.ts';
import type { CellFormat } from '../../../model/cell/cell-format.ts';
import type { CellInput, CellOperation } from '../../../model/cell/operations.ts';
import { announce } from '../../kit/announce.tsx';
import { t } from '../../strings/strings.ts';
import type { CellEditor } from '../cell-editor.ts';
import { heightOf, isOneCell, widthOf } from '../grid/cell-areas.ts';
import { selectRange } from '../grid/selection.ts';
import { FormatList } from './format-list.ts';

/** So many cells are painted at once, and remembered. */
const mostPainted = 100_000;

/** Takes the formats of what is selected, for what is pressed next; or, locked, for everything until it is ended. */
export function takeFormats(editor: CellEditor, isLocked: boolean): void {
  const [top, left, bottom, right] = editor.range;
  const { used } = editor.page.view.peek();
  // Behind what is used all cells of a row or column look alike.
  const seen: Area = [
    top,
    left,
    Math.min(bottom, Math.max(top, used?.[2] ?? 0)),
    Math.min(right, Math.max(left, used?.[3] ?? 0)),
  ];
  if (heightOf(seen) * widthOf(seen) > mostPainted) return;
  const formats = Array.from({ length: heightOf(seen) }, (_, down) =>
    Array.from({ length: widthOf(seen) }, (_, across) =>
      editor.page.formatAt({ row: top + down, column: left + across }),
    ),
  );
  editor.painter.value = { formats, isLocked };
  announce(t('sheet.painting'));
}

/** Begins to paint with what is selected, or ends it. */
export function togglePainter(editor: CellEditor): void {
  if (editor.painter.peek()) editor.painter.value = null;
  else takeFormats(editor, false);
}

/** The cells that formats are put on: as many as they are of, or all that are selected. */
export function paintedRange(
  formats: readonly (readonly CellFormat[])[],
  target: Area,
  used: Area | null,
): Area {
  const [top, left] = target;
  if (isOneCell(target)) {
    const bottom = Math.min(lastRow, top + formats.length - 1);
    return [top, left, bottom, Math.min(lastColumn, left + formats[0]!.length - 1)];
  }
  const isLarge = heightOf(target) * widthOf(target) > mostPainted;
  return isLarge ? ((used && intersection(target, used)) ?? [target[0], target[1], top, left]) : target;
}

/** Puts formats on a range, over and over where they are fewer. */
export function paintOperation(
  sheet: string,
  formats: readonly (readonly CellFormat[])[],
  range: Area,
): CellOperation {
  const list = new FormatList();
  const rows = Array.from({ length: heightOf(range) }, (_, down) => {
    const row = formats[down % formats.length]!;
    return Array.from(
      { length: widthOf(range) },
      (_, across): CellInput => ({
        s: list.placeOf(row[across % row.length]!),
      }),
    );
  });
  return { op: 'block', sheet, row: range[0], column: range[1], rows, formats: list.all };
}

/** Puts the formats that were taken on what is selected. False while none are. */
export function paintSelection(editor: CellEditor): boolean {
  const painter = editor.painter.peek();
  if (!painter) return false;
  const view = editor.page.view.peek();
  const range = paintedRange(painter.formats, editor.range, view.used);
  const isDone = editor.change(paintOperation(editor.page.sheetId.peek(), painter.formats, range));
  if (isDone && isOneCell(editor.range)) editor.select(selectRange(view, range), { reveals: false });
  if (!painter.isLocked) editor.painter.value = null;
  return isDone;
}
