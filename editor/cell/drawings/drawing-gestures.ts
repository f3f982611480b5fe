import type { Signal } from '@preact/signals';
import { itemsOf } from '../../../model/cell/workbook.ts';
import type { CellEditor } from '../cell-editor.ts';
import type { GridView } from '../grid/grid-view.ts';
import { type Drag, isInRect } from '../grid/pointer.ts';
import type { Rect } from '../grid/rect.ts';
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
export class DrawingGestures {
  readonly #editor: CellEditor;
  readonly #view: GridView;
  readonly #framed: Signal<Rect | null>;

  /** @param framed where the frame of what is dragged is meanwhile, as a place of the sheet */
  constructor(editor: CellEditor, view: GridView, framed: Signal<Rect | null>) {
    this.#editor = editor;
    this.#view = view;
    this.#framed = framed;
  }

  /** Selects what is at a place, and drags it or one of its handles; null where nothing is. */
  press(place: Place): { readonly drag: Drag | null } | null {
    const editor = this.#editor;
    const handle = this.#handleAt(place, handleReachPx);
    if (handle) return { drag: this.#drag(editor.drawing.peek()!, place, handle) };
    const entry = this.#drawingAt(place);
    if (!entry) return null;
    return { drag: selectDrawing(editor, entry[0]) ? this.#drag(entry[0], place, null) : null };
  }

  /** A finger is put down on what is selected already. */
  pressByFinger(place: Place): Drag | null {
    const selected = selectedDrawing(this.#editor);
    if (!selected) return null;
    const handle = this.#handleAt(place, fingerReachPx);
    if (handle) return this.#drag(selected[0], place, handle);
    return this.#drawingAt(place)?.[0] === selected[0] ? this.#drag(selected[0], place, null) : null;
  }

  /** Whether a drawing is at a place. */
  has(place: Place): boolean {
    return this.#drawingAt(place) !== null;
  }

  /** `cursor` of CSS at a place; null where nothing is. */
  cursorAt(place: Place): string | null {
    const handle = this.#handleAt(place, handleReachPx);
    if (handle) return cursorOfHandle(handle);
    if (!this.has(place)) return null;
    return this.#editor.canEdit ? 'move' : 'default';
  }

  #rectAt(place: Place, [, { anchor }]: DrawingEntry): Rect {
    const { layout, sheet } = this.#view;
    return layout.rectAt(paneAt(layout, place), placeOfAnchor(anchor, sheet));
  }

  #isOverCells(place: Place): boolean {
    return this.#view.layout.panes.some((pane) => isInRect(place, pane.rect));
  }

  /** What lies in front is found first. */
  #drawingAt(place: Place): DrawingEntry | null {
    if (!this.#isOverCells(place)) return null;
    const drawings = drawingsOf(this.#editor.page.sheet);
    return drawings.findLast((entry) => isInRect(place, this.#rectAt(place, entry))) ?? null;
  }

  /** The handle of the selected drawing at a place. */
  #handleAt(place: Place, reachPx: number): Handle | null {
    const selected = selectedDrawing(this.#editor);
    if (!selected || !this.#editor.canEdit || !this.#isOverCells(place)) return null;
    return handleAt(place, this.#rectAt(place, selected), reachPx);
  }

  /** Drags a drawing, or one of its handles. */
  #drag(id: string, from: Place, handle: Handle | null): Drag | null {
    const [editor, view, framed] = [this.#editor, this.#view, this.#framed];
    const drawing = itemsOf(editor.page.sheet, 'drawing').get(id);
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
  }
}
