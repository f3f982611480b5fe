import { type Signal, signal } from '@preact/signals';
import { type Axis, lastColumn, lastRow } from '../../../model/cell/area.ts';
import type { CellEditor } from '../cell-editor.ts';
import { commit, editActive } from '../commands/entering.ts';
import { draggedRange, fillByDrag, rangeBesideFilled } from '../commands/filling.ts';
import { paintSelection } from '../commands/format-painter.ts';
import { fitLines, resizeLines, selectedSpans } from '../commands/structure.ts';
import { drawingGestures } from '../drawings/drawing-gestures.ts';
import { openDrawing } from '../drawings/drawing-keys.ts';
import { type Editing, pickFurther, picksReferences } from '../editing/cell-editing.ts';
import { pickSelection } from '../editing/picking.ts';
import {
  areaOfRange,
  type CellPosition,
  type CellRange,
  heightOf,
  isIn,
  isSameCell,
  unionOf,
  wholeColumns,
  wholeRows,
  widthOf,
} from '../grid/cell-range.ts';
import type { Hit, Rect } from '../grid/grid-layout.ts';
import type { GridView } from '../grid/grid-view.ts';
import { fillHandleAt, touchHandleAt } from '../grid/overlay-painter.ts';
import { type Drag, type GridGestures, isInRect, isOnEdge } from '../grid/pointer.ts';
import {
  addTo,
  extendTo,
  extendToColumn,
  extendToRow,
  type Selection,
  selectAll,
  selectCell,
  selectColumns,
  selectRows,
} from '../grid/selection.ts';

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
  /** Where the frame of a drawing that is dragged is, as a place of the sheet. */
  readonly framed: Signal<Rect | null>;
  /** The last press was one by a finger. */
  readonly isTouched: Signal<boolean>;
}

export const gestureState = (): GestureState => ({
  target: signal(null),
  sizing: signal(null),
  menu: signal(null),
  opened: signal(null),
  hovered: signal(null),
  framed: signal(null),
  isTouched: signal(false),
});

const buttonPx = 18;
/** So far from the middle of a handle a finger takes hold of it. */
const fingerPx = 22;
const smallestZoom = 0.5;
const largestZoom = 2;

/** What presses on the cells and headers of a workbook do. */
export function cellGestures(editor: CellEditor, view: GridView, state: GestureState): GridGestures {
  const cellOf = ({ x, y }: Place) => view.layout.cellAt(x, y);
  const isMac = /Mac/.test(navigator.platform);
  const drawings = drawingGestures(editor, view, state.framed);
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

  /** References are picked for the formula that is being typed; the first may take the place of the last, or stand behind it. */
  const picking = (
    editing: Editing,
    event: PointerEvent,
    start: Selection,
    extended: (from: Selection, cell: CellPosition) => Selection,
    at: CellPosition,
  ): Drag => {
    const { picked } = editing;
    const isFurther = event.shiftKey && picked !== null;
    if (picked && !isFurther && adds(event)) editor.editing.value = pickFurther(editing);
    const from = isFurther ? picked.selection : start;
    const put = (selection: Selection) => {
      const now = editor.editing.peek();
      if (now) editor.editing.value = pickSelection(now, editor.shown, selection);
    };
    put(isFurther ? extended(from, at) : from);
    return following((cell) => put(extended(from, cell)));
  };

  const pressCell = (cell: CellPosition, place: Place, event: PointerEvent): Drag | null => {
    const editing = editor.editing.peek();
    if (editing && picksReferences(editing)) {
      const terrain = editor.view.peek();
      const to = (from: Selection, head: CellPosition) => extendTo(terrain, from, head);
      return picking(editing, event, selectCell(terrain, cell), to, cell);
    }
    const then = () => editor.select(selectCell(editor.view.peek(), cell));
    if (!commit(editor, { then })) return null;
    const button = buttonAt(cell, place);
    if (button) {
      editor.select(selectCell(editor.view.peek(), cell));
      state.opened.value = { cell, kind: button };
      return null;
    }
    const selection = editor.selection.peek();
    if (editor.canEdit && event.pointerType !== 'touch' && !editor.painter.peek()) {
      if (isOnHandle(place)) return filling();
      if (isOnSelection(place)) return moving(cell);
    }
    const sheet = editor.view.peek();
    if (event.shiftKey) editor.select(extendTo(sheet, selection, cell));
    else if (adds(event)) editor.select(addTo(selection, selectCell(sheet, cell)), { reveals: false });
    else editor.select(selectCell(sheet, cell), { reveals: false });
    return following((to) => editor.select(extendTo(sheet, editor.selection.peek(), to), { reveals: false }));
  };

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

  /** The end of the selection, as far around it as a finger reaches. */
  const isOnTouchHandle = (place: Place): boolean =>
    state.isTouched.peek() &&
    view.layout.rectsOf(editor.range).some(({ pane }) => {
      const { x, y } = touchHandleAt(view.layout, pane, editor.range);
      return Math.hypot(place.x - x, place.y - y) < fingerPx && isInRect(place, pane.rect);
    });

  const isOnSelection = (place: Place): boolean =>
    editor.selection.peek().ranges.length === 1 &&
    view.layout
      .rectsOf(editor.range)
      .some(({ rect, pane }) => isOnEdge(place, rect) && isInRect(place, pane.rect));

  const fillAndSelect = (from: CellRange, to: CellRange, isOtherWay: boolean) => {
    if (!fillByDrag(editor, from, to, { isOtherWay })) return;
    const all = unionOf(from, to);
    const { active } = editor.selection.peek();
    const head = { row: all.bottom, column: all.right };
    editor.select({ ranges: [all], current: 0, active, head }, { reveals: false });
  };

  const filling = (): Drag => {
    const from = editor.range;
    return {
      ...following((cell) => {
        state.target.value = draggedRange(from, cell.row, cell.column);
      }),
      end(event) {
        const to = state.target.peek();
        state.target.value = null;
        if (!to) return;
        fillAndSelect(from, to, adds(event));
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
    const select = axis === 'row' ? selectRows : selectColumns;
    const extendTo = axis === 'row' ? extendToRow : extendToColumn;
    if (editing && picksReferences(editing)) {
      const to = (from: Selection, cell: CellPosition) =>
        extendTo(from, axis === 'row' ? cell.row : cell.column);
      return picking(editing, event, select(line, line), to, { row: line, column: line });
    }
    if (!commit(editor)) return null;
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

  /** What is selected by a press gets the formats that were taken. */
  const painting = (drag: Drag | null): Drag | null =>
    drag && {
      ...drag,
      end(event) {
        drag.end(event);
        paintSelection(editor);
      },
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
      state.isTouched.value = event.pointerType === 'touch';
      state.menu.value = null;
      state.opened.value = null;
      const editing = editor.editing.peek();
      // What is pressed for a formula is the cell, whatever lies over it.
      const drawn = editing && picksReferences(editing) ? null : drawings.press(place);
      if (drawn) {
        editor.focus();
        return drawn.drag;
      }
      editor.drawing.value = null;
      editor.focus();
      switch (hit.kind) {
        case 'cell':
          return painting(pressCell(hit.cell, place, event));
        case 'columnHeader':
          return painting(pressHeader('column', hit.column, event));
        case 'rowHeader':
          return painting(pressHeader('row', hit.row, event));
        case 'columnEdge':
          return editor.canEdit && commit(editor) ? sizing('column', hit.column) : null;
        case 'rowEdge':
          return editor.canEdit && commit(editor) ? sizing('row', hit.row) : null;
        case 'corner':
          if (commit(editor)) editor.select(selectAll(editor.selection.peek()), { reveals: false });
          return null;
      }
    },
    pressHandle(place) {
      const drawn = drawings.pressByFinger(place);
      if (drawn) return drawn;
      if (!isOnTouchHandle(place)) return null;
      const { ranges, current, head } = editor.selection.peek();
      const { top, left } = ranges[current]!;
      // It is held at its end, whichever of its corners the selection was begun at.
      editor.select({ ranges, current, active: { row: top, column: left }, head }, { reveals: false });
      return following((to) =>
        editor.select(extendTo(editor.view.peek(), editor.selection.peek(), to), { reveals: false }),
      );
    },
    pinch() {
      const from = editor.zoom.peek();
      return (ratio) => {
        const zoom = Math.round(from * ratio * 20) / 20;
        editor.zoom.value = Math.min(largestZoom, Math.max(smallestZoom, zoom));
      };
    },
    doublePress(hit, place) {
      if (!editor.canEdit) return;
      if (drawings.has(place)) {
        openDrawing(editor);
        return;
      }
      if (isOnHandle(place) && !editor.editing.peek()) {
        const to = rangeBesideFilled(editor.view.peek(), editor.range);
        if (to) fillAndSelect(editor.range, to, false);
        return;
      }
      if (hit.kind === 'cell' && !editor.editing.peek() && !buttonAt(hit.cell, place)) editActive(editor);
      if (hit.kind === 'columnEdge') fitLines(editor, 'column', spansWith('column', hit.column));
      if (hit.kind === 'rowEdge') fitLines(editor, 'row', spansWith('row', hit.row));
    },
    openMenu(hit, { x, y }) {
      if (!commit(editor)) return;
      if (drawings.press({ x, y })) {
        state.menu.value = { hit, x, y };
        return;
      }
      editor.drawing.value = null;
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
    hover(hit, place) {
      state.hovered.value = hit?.kind === 'cell' && !drawings.has(place) ? hit.cell : null;
    },
    cursorAt(hit, place) {
      const drawn = drawings.cursorAt(place);
      if (drawn) return drawn;
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
