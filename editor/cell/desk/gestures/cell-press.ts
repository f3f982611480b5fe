import { commit } from '../../commands/entering.ts';
import { type CellPosition, isIn, rangeBetween } from '../../grid/cell-areas.ts';
import { takeOut } from '../../grid/deselection.ts';
import type { Drag } from '../../grid/pointer.ts';
import { addTo, extendTo, type Selection, selectCell, withMerges } from '../../grid/selection.ts';
import { buttonAt } from './cell-button.ts';
import type { FillHandle } from './fill-handle.ts';
import { cellDrag, type Gestured, isFurther, type Place } from './gesture.ts';
import type { ReferencePicking } from './reference-picking.ts';
import type { SelectionEdge } from './selection-edge.ts';

/** What a press on a cell may be instead of one that selects. */
interface Others {
  readonly picking: ReferencePicking;
  readonly fillHandle: FillHandle;
  readonly selectionEdge: SelectionEdge;
}

/** A press on a cell: it selects that, or what lies over it there does something. */
export class CellPress {
  readonly #of: Gestured;
  readonly #others: Others;

  constructor(gestured: Gestured, others: Others) {
    this.#of = gestured;
    this.#others = others;
  }

  press(cell: CellPosition, place: Place, event: PointerEvent): Drag | null {
    const { editor, state } = this.#of;
    const { picking, fillHandle, selectionEdge } = this.#others;
    const { editing } = picking;
    if (editing) {
      const terrain = editor.page.view.peek();
      const extended = (from: Selection, head: CellPosition) => extendTo(terrain, from, head);
      return picking.drag(editing, event, { at: cell, start: selectCell(terrain, cell), extended });
    }
    const then = () => editor.select(selectCell(editor.page.view.peek(), cell));
    if (!commit(editor, { then })) return null;
    const button = buttonAt(this.#of, cell, place);
    if (button) {
      then();
      state.opened.value = { cell, kind: button };
      return null;
    }
    if (editor.canEdit && event.pointerType !== 'touch' && !editor.painter.peek()) {
      if (fillHandle.isAt(place)) return fillHandle.drag();
      if (selectionEdge.isAt(place)) return selectionEdge.drag(cell, event);
    }
    return this.#select(cell, event);
  }

  #select(cell: CellPosition, event: PointerEvent): Drag {
    const { editor, view } = this.#of;
    const sheet = editor.page.view.peek();
    const selection = editor.selection.peek();
    const isSelected = selection.ranges.some((range) => isIn(cell, range));
    if (isFurther(event) && !event.shiftKey && isSelected) {
      const takesOut = (to: CellPosition) => {
        const left = takeOut(selection, withMerges(sheet, rangeBetween(cell, to)));
        if (left) editor.select(left, { reveals: false });
        return left !== null;
      };
      if (takesOut(cell)) return cellDrag(view, takesOut);
    }
    if (event.shiftKey) editor.select(extendTo(sheet, selection, cell));
    else {
      const selected = selectCell(sheet, cell);
      editor.select(isFurther(event) ? addTo(selection, selected) : selected, { reveals: false });
    }
    return cellDrag(view, (to) =>
      editor.select(extendTo(sheet, editor.selection.peek(), to), { reveals: false }),
    );
  }
}
