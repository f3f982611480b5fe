import { type Signal, signal } from '@preact/signals';
import type { Axis } from '../../../model/cell/area.ts';
import type { CellEditor } from '../cell-editor.ts';
import { draggedRange, fillByDrag } from '../commands/filling.ts';
import { fitLines, resizeLines, selectedSpans } from '../commands/structure.ts';
import { pick, picksReferences } from '../editing/cell-editing.ts';
import { referenceTo } from '../editing/references.ts';
import {
  type CellPosition,
  type CellRange,
  heightOf,
  isIn,
  isSameCell,
  lastColumn,
  lastRow,
  rangeBetween,
  rangeOf,
  wholeColumns,
  wholeRows,
  widthOf,
} from '../grid/cell-range.ts';
import type { Hit } from '../grid/grid-layout.ts';
import type { GridView } from '../grid/grid-view.ts';
import { fillHandleAt } from '../grid/overlay-painter.ts';
import { type Drag, type GridGestures, isInRect, isOnEdge } from '../grid/pointer.ts';
import {
  addTo,
  extendTo,
  extendToColumn,
  extendToRow,
  selectAll,
  selectCell,
  selectColumns,
  selectRows,
} from '../grid/selection.ts';
import { areaOfRange } from '../shown/sheet-view.ts';

interface Place {
  readonly x: number;
  readonly y: number;
}

/** What a drag shows while it goes on, and what a press has opened. */
export interface GestureState {
  readonly target: Signal<CellRange | null>;
  readonly sizing: Signal<{ readonly axis: Axis; readonly at: number } | null>;
  /** Where a menu is open, and what it is about. */
  readonly menu: Signal<{ readonly hit: Hit; readonly x: number; readonly y: number } | null>;
  /** The cell with the button of a filter or a list that was pressed. */
  readonly opened: Signal<{ readonly cell: CellPosition; readonly kind: 'filter' | 'list' } | null>;
  readonly hovered: Signal<CellPosition | null>;
}

export const gestureState = (): GestureState => ({
  target: signal(null),
  sizing: signal(null),
  menu: signal(null),
  opened: signal(null),
  hovered: signal(null),
});

const buttonPx = 18;

/** What presses on the cells and headers of a workbook do. */
export function cellGestures(editor: CellEditor, view: GridView, state: GestureState): GridGestures {
  const cellOf = ({ x, y }: Place) => view.layout.cellAt(x, y);
  const isMac = /Mac/.test(navigator.platform);
  const adds = (event: MouseEvent) => (isMac ? event.metaKey : event.ctrlKey);

  /** Nothing more than following the pointer to another cell. */
  const following = (move: (cell: CellPosition, place: Place) => void, end = () => {}): Drag => {
    let last: CellPosition | null = null;
    return {
      move(place) {
        const cell = cellOf(place);
        if (last && isSameCell(last, cell)) return;
        last = cell;
        move(cell, place);
      },
      end,
      cancel: end,
    };
  };

  /** References are picked for the formula that is being typed. */
  const picking = (from: CellRange): Drag => {
    const put = (range: CellRange) => {
      const editing = editor.editing.peek();
      if (editing) editor.editing.value = pick(editing, referenceTo(editor, editing, range));
    };
    put(from);
    return following((cell) => put(rangeBetween({ row: from.top, column: from.left }, cell)));
  };

  const pressCell = (cell: CellPosition, place: Place, event: PointerEvent): Drag | null => {
    const editing = editor.editing.peek();
    if (editing && picksReferences(editing)) return picking(mergedAt(cell));
    if (!editor.commit()) return null;
    const button = buttonAt(cell, place);
    if (button) {
      editor.select(selectCell(editor.view.peek(), cell));
      state.opened.value = { cell, kind: button };
      return null;
    }
    const selection = editor.selection.peek();
    if (editor.canEdit && event.pointerType !== 'touch') {
      if (isOnHandle(place)) return filling(event);
      if (isOnSelection(place)) return moving(cell);
    }
    const sheet = editor.view.peek();
    if (event.shiftKey) editor.select(extendTo(sheet, selection, cell));
    else if (adds(event)) editor.select(addTo(selection, selectCell(sheet, cell)), { reveals: false });
    else editor.select(selectCell(sheet, cell), { reveals: false });
    return following((to) => editor.select(extendTo(sheet, editor.selection.peek(), to), { reveals: false }));
  };

  const mergedAt = (cell: CellPosition) => editor.view.peek().mergeAt(cell.row, cell.column) ?? rangeOf(cell);

  const isOnHandle = (place: Place): boolean => {
    const { layout } = view;
    const selection = editor.selection.peek();
    if (selection.ranges.length > 1) return false;
    return layout.rectsOf(editor.range).some(({ pane }) => {
      const { x, y, width, height } = fillHandleAt(layout, pane, editor.range);
      const larger = { x: x - 2, y: y - 2, width: width + 4, height: height + 4 };
      return isInRect(place, larger) && isInRect(place, pane.rect);
    });
  };

  const isOnSelection = (place: Place): boolean =>
    editor.selection.peek().ranges.length === 1 &&
    view.layout
      .rectsOf(editor.range)
      .some(({ rect, pane }) => isOnEdge(place, rect) && isInRect(place, pane.rect));

  const filling = (event: PointerEvent): Drag => {
    const from = editor.range;
    return {
      ...following((cell) => {
        state.target.value = draggedRange(from, cell.row, cell.column);
      }),
      end() {
        const to = state.target.peek();
        state.target.value = null;
        if (!to) return;
        fillByDrag(editor, from, to, { copies: adds(event) });
        const all = rangeBetween(
          { row: Math.min(from.top, to.top), column: Math.min(from.left, to.left) },
          { row: Math.max(from.bottom, to.bottom), column: Math.max(from.right, to.right) },
        );
        const { active } = editor.selection.peek();
        const head = { row: all.bottom, column: all.right };
        editor.select({ ranges: [all], current: 0, active, head }, { reveals: false });
      },
      cancel() {
        state.target.value = null;
      },
    };
  };

  /** Drags what is selected to another place; nothing is moved where it is let go at once. */
  const moving = (start: CellPosition): Drag => {
    const from = editor.range;
    const sheet = editor.sheetId.peek();
    const grip = {
      row: Math.min(Math.max(start.row, from.top), from.bottom) - from.top,
      column: Math.min(Math.max(start.column, from.left), from.right) - from.left,
    };
    return {
      ...following((cell) => {
        const top = Math.min(lastRow - heightOf(from) + 1, Math.max(0, cell.row - grip.row));
        const left = Math.min(lastColumn - widthOf(from) + 1, Math.max(0, cell.column - grip.column));
        state.target.value = {
          top,
          left,
          bottom: top + heightOf(from) - 1,
          right: left + widthOf(from) - 1,
        };
      }),
      end() {
        const to = state.target.peek();
        state.target.value = null;
        if (!to || (to.top === from.top && to.left === from.left)) return;
        const isDone = editor.change({
          op: 'moveCells',
          sheet,
          area: areaOfRange(from),
          toSheet: sheet,
          row: to.top,
          column: to.left,
        });
        const first = { row: to.top, column: to.left };
        if (isDone) {
          editor.select({ ranges: [to], current: 0, active: first, head: first }, { reveals: false });
        }
      },
      cancel() {
        state.target.value = null;
      },
    };
  };

  const sizing = (axis: Axis, line: number): Drag => {
    const shown = editor.view.peek();
    const lines = axis === 'row' ? shown.rows : shown.columns;
    const range = axis === 'row' ? wholeRows(line, line) : wholeColumns(line, line);
    const rect = view.rectOf(range)!;
    const before = axis === 'row' ? rect.y : shown.isRightToLeft ? rect.x + rect.width : rect.x;
    const sizeAt = ({ x, y }: Place) =>
      Math.max(0, axis === 'row' ? y - before : shown.isRightToLeft ? before - x : x - before);
    let size = lines.sizeOf(line);
    let isMoved = false;
    return {
      move(place) {
        isMoved = true;
        size = sizeAt(place);
        const at = axis === 'row' ? before + size : shown.isRightToLeft ? before - size : before + size;
        state.sizing.value = { axis, at };
      },
      end() {
        state.sizing.value = null;
        if (isMoved) resizeLines(editor, axis, spansWith(axis, line), size);
      },
      cancel() {
        state.sizing.value = null;
      },
    };
  };

  /** A line that is one of several selected ones stands for all of them. */
  const spansWith = (axis: Axis, line: number): (readonly [number, number])[] => {
    const isWhole = editor.selection
      .peek()
      .ranges.every(({ top, left, bottom, right }) =>
        axis === 'row' ? left === 0 && right === lastColumn : top === 0 && bottom === lastRow,
      );
    const spans = selectedSpans(editor, axis);
    const isOne = isWhole && spans.some(([from, to]) => line >= from && line <= to);
    return isOne ? spans : [[line, line]];
  };

  const pressHeader = (axis: Axis, line: number, event: PointerEvent): Drag | null => {
    const editing = editor.editing.peek();
    const whole = axis === 'row' ? wholeRows : wholeColumns;
    if (editing && picksReferences(editing)) {
      const put = (to: number) => {
        const now = editor.editing.peek();
        const range = whole(Math.min(line, to), Math.max(line, to));
        if (now) editor.editing.value = pick(now, referenceTo(editor, now, range));
      };
      put(line);
      return following((cell) => put(axis === 'row' ? cell.row : cell.column));
    }
    if (!editor.commit()) return null;
    const select = axis === 'row' ? selectRows : selectColumns;
    const extendTo = axis === 'row' ? extendToRow : extendToColumn;
    const seen = view.layout.panes.at(-1)!.range;
    const first = axis === 'row' ? seen.left : seen.top;
    const selection = editor.selection.peek();
    if (event.shiftKey) editor.select(extendTo(selection, line), { reveals: false });
    else {
      const lineSelection = select(line, line, first);
      editor.select(adds(event) ? addTo(selection, lineSelection) : lineSelection, { reveals: false });
    }
    return following((cell) =>
      editor.select(extendTo(editor.selection.peek(), axis === 'row' ? cell.row : cell.column), {
        reveals: false,
      }),
    );
  };

  const buttonAt = (cell: CellPosition, place: Place): 'filter' | 'list' | null => {
    const marks = editor.view.peek().cellAt(cell.row, cell.column)?.marks;
    if (!marks?.filter && !marks?.list) return null;
    const rect = view.rectOfCell(cell);
    if (!rect) return null;
    const size = buttonPx * editor.view.peek().zoom;
    const isAtEnd = editor.view.peek().isRightToLeft
      ? place.x < rect.x + size
      : place.x > rect.x + rect.width - size;
    if (!isAtEnd || place.y < rect.y + rect.height - size) return null;
    return marks.filter ? 'filter' : 'list';
  };

  return {
    press(hit, place, event) {
      editor.focus();
      state.menu.value = null;
      state.opened.value = null;
      switch (hit.kind) {
        case 'cell':
          return pressCell(hit.cell, place, event);
        case 'columnHeader':
          return pressHeader('column', hit.column, event);
        case 'rowHeader':
          return pressHeader('row', hit.row, event);
        case 'columnEdge':
          return editor.canEdit && editor.commit() ? sizing('column', hit.column) : null;
        case 'rowEdge':
          return editor.canEdit && editor.commit() ? sizing('row', hit.row) : null;
        case 'corner':
          if (editor.commit()) editor.select(selectAll(editor.selection.peek()), { reveals: false });
          return null;
      }
    },
    doublePress(hit, place) {
      if (!editor.canEdit) return;
      if (hit.kind === 'cell' && !editor.editing.peek() && !buttonAt(hit.cell, place)) editor.edit();
      if (hit.kind === 'columnEdge') fitLines(editor, 'column', spansWith('column', hit.column));
      if (hit.kind === 'rowEdge') fitLines(editor, 'row', spansWith('row', hit.row));
    },
    openMenu(hit, { x, y }) {
      if (!editor.commit()) return;
      const { ranges } = editor.selection.peek();
      const has = (cell: CellPosition) => ranges.some((range) => isIn(cell, range));
      if (hit.kind === 'cell' && !has(hit.cell)) editor.select(selectCell(editor.view.peek(), hit.cell));
      if (hit.kind === 'rowHeader' && !has({ row: hit.row, column: lastColumn })) {
        editor.select(selectRows(hit.row, hit.row), { reveals: false });
      }
      if (hit.kind === 'columnHeader' && !has({ row: lastRow, column: hit.column })) {
        editor.select(selectColumns(hit.column, hit.column), { reveals: false });
      }
      state.menu.value = { hit, x, y };
    },
    hover(hit) {
      state.hovered.value = hit?.kind === 'cell' ? hit.cell : null;
    },
    cursorAt(hit, place) {
      switch (hit.kind) {
        case 'columnEdge':
          return editor.canEdit ? 'col-resize' : 'default';
        case 'rowEdge':
          return editor.canEdit ? 'row-resize' : 'default';
        case 'columnHeader':
        case 'rowHeader':
        case 'corner':
          return 'default';
        case 'cell':
          if (buttonAt(hit.cell, place)) return 'pointer';
          if (!editor.canEdit) return 'cell';
          if (isOnHandle(place)) return 'crosshair';
          return isOnSelection(place) ? 'move' : 'cell';
      }
    },
  };
}
