import { type Axis, lastColumn, lastRow } from '../../../../model/cell/area.ts';
import type { CellEditor } from '../../cell-editor.ts';
import { commit, editActive } from '../../commands/entering.ts';
import { paintSelection } from '../../commands/format-painter.ts';
import { DrawingGestures } from '../../drawings/drawing-gestures.ts';
import { openDrawing } from '../../drawings/drawing-keys.ts';
import { type CellPosition, isIn } from '../../grid/cell-areas.ts';
import type { Hit } from '../../grid/grid-layout.ts';
import type { GridView } from '../../grid/grid-view.ts';
import type { Drag, GridGestures } from '../../grid/pointer.ts';
import { selectAll, selectCell, selectColumns, selectRows } from '../../grid/selection.ts';
import { buttonAt } from './cell-button.ts';
import { CellPress } from './cell-press.ts';
import { FillHandle } from './fill-handle.ts';
import type { Gestured, Place } from './gesture.ts';
import type { GestureState } from './gesture-state.ts';
import { HeaderPress } from './header-press.ts';
import { LineEdge } from './line-edge.ts';
import { ReferencePicking } from './reference-picking.ts';
import { SelectionEdge } from './selection-edge.ts';
import { TouchHandle } from './touch-handle.ts';

const smallestZoom = 0.5;
const largestZoom = 2;

/** What presses on the cells and headers of a workbook do. */
export class CellGestures implements GridGestures {
  readonly #editor: CellEditor;
  readonly #state: GestureState;
  readonly #of: Gestured;
  readonly #drawings: DrawingGestures;
  readonly #picking: ReferencePicking;
  readonly #fillHandle: FillHandle;
  readonly #selectionEdge: SelectionEdge;
  readonly #touchHandle: TouchHandle;
  readonly #cells: CellPress;
  readonly #headers: HeaderPress;

  constructor(editor: CellEditor, view: GridView, state: GestureState) {
    const gestured = { editor, view, state };
    this.#editor = editor;
    this.#state = state;
    this.#of = gestured;
    this.#drawings = new DrawingGestures(editor, view, state.framed);
    this.#picking = new ReferencePicking(gestured);
    this.#fillHandle = new FillHandle(gestured);
    this.#selectionEdge = new SelectionEdge(gestured);
    this.#touchHandle = new TouchHandle(gestured);
    this.#cells = new CellPress(gestured, {
      picking: this.#picking,
      fillHandle: this.#fillHandle,
      selectionEdge: this.#selectionEdge,
    });
    this.#headers = new HeaderPress(gestured, this.#picking);
  }

  press(hit: Hit, place: Place, event: PointerEvent): Drag | null {
    const [editor, state] = [this.#editor, this.#state];
    state.isTouched.value = event.pointerType === 'touch';
    state.menu.value = null;
    state.opened.value = null;
    // What is pressed for a formula is the cell, whatever lies over it.
    const drawn = this.#picking.editing ? null : this.#drawings.press(place);
    if (!drawn) editor.drawing.value = null;
    editor.focus();
    return drawn ? drawn.drag : this.#pressHit(hit, place, event);
  }

  pressHandle(place: Place): Drag | null {
    const drawn = this.#drawings.pressByFinger(place);
    if (drawn) return drawn;
    return this.#touchHandle.isAt(place) ? this.#touchHandle.drag() : null;
  }

  pinch(place: Place): (ratio: number) => void {
    const { zoom } = this.#editor;
    const view = this.#of.view;
    const from = zoom.peek();
    return (ratio) => {
      const before = zoom.peek();
      const next = Math.round(from * ratio * 20) / 20;
      zoom.value = Math.min(largestZoom, Math.max(smallestZoom, next));
      // What was between the fingers stays there.
      const grown = zoom.peek() / before - 1;
      if (grown === 0) return;
      const { x, y } = view.layout.withinScrolled(place);
      view.scrollTo({ x: view.place.x + x * grown, y: view.place.y + y * grown });
    };
  }

  doublePress(hit: Hit, place: Place): void {
    const editor = this.#editor;
    if (!editor.canEdit) return;
    if (this.#drawings.has(place)) {
      openDrawing(editor);
      return;
    }
    const isTyping = editor.editing.peek() !== null;
    if (this.#fillHandle.isAt(place) && !isTyping) {
      this.#fillHandle.fillBeside();
      return;
    }
    if (hit.kind === 'cell' && !isTyping && !buttonAt(this.#of, hit.cell, place)) editActive(editor);
    if (hit.kind === 'columnEdge') new LineEdge(this.#of, 'column', hit.column).fit();
    if (hit.kind === 'rowEdge') new LineEdge(this.#of, 'row', hit.row).fit();
  }

  openMenu(hit: Hit, { x, y }: Place, event: MouseEvent): void {
    const editor = this.#editor;
    if (!commit(editor)) return;
    this.#state.isTouched.value = (event as PointerEvent).pointerType === 'touch';
    if (!this.#drawings.press({ x, y })) {
      editor.drawing.value = null;
      this.#selectForMenu(hit);
    }
    this.#state.menu.value = { hit, x, y };
  }

  hover(hit: Hit | null, place: Place): void {
    this.#state.hovered.value = hit?.kind === 'cell' && !this.#drawings.has(place) ? hit.cell : null;
  }

  cursorAt(hit: Hit, place: Place): string {
    const drawn = this.#drawings.cursorAt(place);
    if (drawn) return drawn;
    const { canEdit } = this.#editor;
    switch (hit.kind) {
      case 'columnEdge':
        return canEdit ? 'col-resize' : 'default';
      case 'rowEdge':
        return canEdit ? 'row-resize' : 'default';
      case 'columnHeader':
      case 'rowHeader':
      case 'corner':
        return 'default';
      case 'cell':
        if (buttonAt(this.#of, hit.cell, place)) return 'pointer';
        if (!canEdit) return 'cell';
        if (this.#fillHandle.isAt(place)) return 'crosshair';
        return this.#selectionEdge.isAt(place) ? 'move' : 'cell';
    }
  }

  #pressHit(hit: Hit, place: Place, event: PointerEvent): Drag | null {
    const editor = this.#editor;
    switch (hit.kind) {
      case 'cell':
        return this.#painting(this.#cells.press(hit.cell, place, event));
      case 'columnHeader':
        return this.#painting(this.#headers.press('column', hit.column, event));
      case 'rowHeader':
        return this.#painting(this.#headers.press('row', hit.row, event));
      case 'columnEdge':
        return this.#sizing('column', hit.column);
      case 'rowEdge':
        return this.#sizing('row', hit.row);
      case 'corner':
        if (commit(editor)) editor.select(selectAll(editor.selection.peek()), { reveals: false });
        return null;
    }
  }

  #sizing(axis: Axis, line: number): Drag | null {
    const editor = this.#editor;
    return editor.canEdit && commit(editor) ? new LineEdge(this.#of, axis, line).drag() : null;
  }

  /** What is selected by a press gets the formats that were taken. */
  #painting(drag: Drag | null): Drag | null {
    return (
      drag && {
        ...drag,
        end: (event) => {
          drag.end(event);
          paintSelection(this.#editor);
        },
      }
    );
  }

  /** Selects what a menu is opened on, unless that is in what is selected. */
  #selectForMenu(hit: Hit): void {
    const editor = this.#editor;
    const { ranges } = editor.selection.peek();
    const has = (cell: CellPosition) => ranges.some((range) => isIn(cell, range));
    if (hit.kind === 'cell' && !has(hit.cell)) editor.select(selectCell(editor.page.view.peek(), hit.cell));
    if (hit.kind === 'rowHeader' && !has({ row: hit.row, column: lastColumn })) {
      editor.select(selectRows(hit.row, hit.row), { reveals: false });
    }
    if (hit.kind === 'columnHeader' && !has({ row: lastRow, column: hit.column })) {
      editor.select(selectColumns(hit.column, hit.column), { reveals: false });
    }
  }
}
