import type { Signal } from '@preact/signals';
import { itemsOf } from '../../../model/cell/workbook.ts';
import type { CellEditor } from '../cell-editor.ts';
import type { Rect } from '../grid/grid-layout.ts';
import type { GridView } from '../grid/grid-view.ts';
import { type Drag, isInRect } from '../grid/pointer.ts';
import { placeOfAnchor } from './anchor-place.ts';
import { leastSidePx, placeDrawing } from './drawing-changes.ts';
import {
  cursorOfHandle,
  type Handle,
  handleAt,
  paneAt,
  resizedPlace,
  sheetPlace,
} from './drawing-handles.ts';
import { type DrawingEntry, drawingsOf, selectDrawing, selectedDrawing } from './selected-drawing.ts';

interface Place {
  readonly x: number;
  readonly y: number;
}

/** So far a drawing is pulled before it moves: less is a press. */
const pullPx = 3;
const handleReachPx = 7;
/** So far from the middle of a handle a finger takes hold of it. */
const fingerReachPx = 22;

/** What presses do to what is drawn over the cells; all of it comes before the cells. */
export interface DrawingGestures {
  /** Selects what is at a place, and drags it or one of its handles; null where nothing is. */
  press(place: Place): { readonly drag: Drag | null } | null;
  /** A finger is put down on what is selected already. */
  pressByFinger(place: Place): Drag | null;
  /** Whether a drawing is at a place. */
  has(place: Place): boolean;
  /** `cursor` of CSS at a place; null where nothing is. */
  cursorAt(place: Place): string | null;
}

/** @param framed where the frame of what is dragged is meanwhile, as a place of the sheet */
export function drawingGestures(
  editor: CellEditor,
  view: GridView,
  framed: Signal<Rect | null>,
): DrawingGestures {
  const rectAt = (place: Place, [, { anchor }]: DrawingEntry): Rect =>
    view.layout.rectAt(paneAt(view.layout, place), placeOfAnchor(anchor, view.sheet));

  const isOverCells = (place: Place): boolean => view.layout.panes.some((pane) => isInRect(place, pane.rect));

  /** What lies in front is found first. */
  const drawingAt = (place: Place): DrawingEntry | null =>
    isOverCells(place)
      ? (drawingsOf(editor.sheet).findLast((entry) => isInRect(place, rectAt(place, entry))) ?? null)
      : null;

  const selectedHandleAt = (place: Place, reachPx: number): Handle | null => {
    const selected = selectedDrawing(editor);
    if (!selected || !editor.canEdit || !isOverCells(place)) return null;
    return handleAt(place, rectAt(place, selected), reachPx);
  };

  /** Drags a drawing, or one of its handles. */
  const dragging = (id: string, from: Place, handle: Handle | null): Drag | null => {
    const drawing = itemsOf(editor.sheet, 'drawing').get(id);
    if (!drawing || !editor.canEdit) return null;
    const before = placeOfAnchor(drawing.anchor, view.sheet);
    const sheetAt = (place: Place) => sheetPlace(view.layout, paneAt(view.layout, place), place);
    const start = sheetAt(from);
    let isPulled = false;
    return {
      move(place, event) {
        isPulled ||= Math.hypot(place.x - from.x, place.y - from.y) >= pullPx;
        if (!isPulled) return;
        const now = sheetAt(place);
        const by = { x: now.x - start.x, y: now.y - start.y };
        framed.value = handle
          ? resizedPlace(before, by, {
              handle,
              isRightToLeft: view.sheet.isRightToLeft,
              keepsProportion: event.shiftKey,
              leastPx: leastSidePx * view.sheet.zoom,
            })
          : { ...before, x: Math.max(0, before.x + by.x), y: Math.max(0, before.y + by.y) };
      },
      end() {
        const place = framed.peek();
        framed.value = null;
        if (place) placeDrawing(editor, id, place);
      },
      cancel() {
        framed.value = null;
      },
    };
  };

  return {
    press(place) {
      const handle = selectedHandleAt(place, handleReachPx);
      if (handle) return { drag: dragging(editor.drawing.peek()!, place, handle) };
      const entry = drawingAt(place);
      if (!entry) return null;
      return { drag: selectDrawing(editor, entry[0]) ? dragging(entry[0], place, null) : null };
    },
    pressByFinger(place) {
      const selected = selectedDrawing(editor);
      if (!selected) return null;
      const handle = selectedHandleAt(place, fingerReachPx);
      if (handle) return dragging(selected[0], place, handle);
      return drawingAt(place)?.[0] === selected[0] ? dragging(selected[0], place, null) : null;
    },
    has: (place) => drawingAt(place) !== null,
    cursorAt(place) {
      const handle = selectedHandleAt(place, handleReachPx);
      if (handle) return cursorOfHandle(handle);
      if (!drawingAt(place)) return null;
      return editor.canEdit ? 'move' : 'default';
    },
  };
}
