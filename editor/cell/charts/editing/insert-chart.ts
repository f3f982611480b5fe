import { type Area, intersection } from '../../../../model/cell/area.ts';
import type { Chart } from '../../../../model/cell/chart.ts';
import type { ChartChange } from '../../../../model/cell/chart-change.ts';
import { showsDate } from '../../../../model/cell/formats/shown-value.ts';
import type { Drawing } from '../../../../model/cell/items.ts';
import { itemsOf, type Sheet } from '../../../../model/cell/workbook.ts';
import { announce } from '../../../kit/announce.tsx';
import { emuPerPx } from '../../../kit/emu.ts';
import { t } from '../../../strings/strings.ts';
import type { CellEditor } from '../../cell-editor.ts';
import { commit } from '../../commands/entering.ts';
import { anchorAtPlace } from '../../drawings/anchor-place.ts';
import { mayPutDrawings, putDrawing } from '../../drawings/drawing-changes.ts';
import { revealPlace } from '../../drawings/selected-drawing.ts';
import { isOneCell } from '../../grid/cell-areas.ts';
import { regionAround } from '../../grid/selection.ts';
import { type CellsOfChart, chartOfBlock } from './chart-of-cells.ts';

/** Pixels at a zoom of 1, as other programs have it. */
const [widthPx, heightPx] = [480, 288];
const besidePx = 16;

/** The cells of the sheet that is shown, as charts are made of them. */
export function cellsOfChart(editor: CellEditor, sheet: Sheet = editor.page.sheet): CellsOfChart {
  const view = editor.page.viewOf(sheet);
  return {
    sheet,
    valueAt: (row, column) => view.valueAt(row, column),
    isDateAt: (row, column) =>
      typeof view.valueAt(row, column) === 'number' &&
      showsDate(editor.page.formatAt({ row, column }, view).number ?? 'General'),
  };
}

/** The cells that a chart is to be of: what is selected, of one cell all that hangs together with it. */
export function chosenCells(editor: CellEditor): Area {
  const view = editor.page.view.peek();
  const { range } = editor;
  const chosen = isOneCell(range) ? regionAround(view, editor.selection.peek().active) : range;
  return (view.used && intersection(chosen, view.used)) ?? chosen;
}

/** Makes a chart of what is selected, beside it, selects it, and opens the panel that changes it. */
export function insertChart(editor: CellEditor): boolean {
  const id = editor.page.sheetId.peek();
  if (!commit(editor) || !mayPutDrawings(editor, id)) return false;
  const range = chosenCells(editor);
  const chart = chartOfBlock(cellsOfChart(editor), range);
  const view = editor.page.view.peek();
  const { zoom } = view;
  const place = {
    x: view.columns.offsetOf(range[3] + 1) + besidePx * zoom,
    y: view.rows.offsetOf(range[0]),
    width: widthPx * zoom,
    height: heightPx * zoom,
  };
  const anyTwoCells = { from: [0, 0, 0, 0], to: [0, 0, 0, 0], follows: 'both' } satisfies Drawing['anchor'];
  const isPut = putDrawing(editor, id, {
    kind: 'chart',
    anchor: {
      ...anchorAtPlace(place, anyTwoCells, view),
      size: [widthPx * emuPerPx, heightPx * emuPerPx],
    },
    chart,
  });
  if (!isPut) return false;
  editor.panel.value = 'chart';
  revealPlace(editor, place);
  announce(t('chartEditing.inserted', { kind: t(`chartWords.chartKind_${chart.type as 'column'}`) }));
  return true;
}

/** Changes a chart of the sheet that is shown. */
export function changeChart(editor: CellEditor, id: string, change: ChartChange): boolean {
  return editor.change({ op: 'chart', sheet: editor.page.sheetId.peek(), id, ...change });
}

/** The chart of a drawing of the sheet that is shown; null for none. */
export function chartOf(editor: CellEditor, id: string | null): Chart | null {
  return id === null ? null : (itemsOf(editor.page.sheet, 'drawing').get(id)?.chart ?? null);
}
