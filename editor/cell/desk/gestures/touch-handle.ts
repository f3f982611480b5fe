import { touchHandleAt } from '../../grid/overlay-painter.ts';
import { type Drag, isInRect } from '../../grid/pointer.ts';
import { extendTo } from '../../grid/selection.ts';
import { cellDrag, type Gestured, type Place } from './gesture.ts';

/** So far from the middle of the handle a finger takes hold of it. */
const fingerPx = 22;

/** The end of what is selected, by which a finger makes that larger or smaller. */
export class TouchHandle {
  readonly #of: Gestured;

  constructor(gestured: Gestured) {
    this.#of = gestured;
  }

  /** Also as far around it as a finger reaches. */
  isAt(place: Place): boolean {
    const { editor, view, state } = this.#of;
    return (
      state.isTouched.peek() &&
      view.layout.rectsOf(editor.range).some(({ pane }) => {
        const { x, y } = touchHandleAt(view.layout, pane, editor.range);
        return Math.hypot(place.x - x, place.y - y) < fingerPx && isInRect(place, pane.rect);
      })
    );
  }

  drag(): Drag {
    const { editor, view } = this.#of;
    const { ranges, current, head } = editor.selection.peek();
    const [top, left] = ranges[current]!;
    // It is held at its end, whichever of its corners the selection was begun at.
    editor.select({ ranges, current, active: { row: top, column: left }, head }, { reveals: false });
    return cellDrag(view, (to) =>
      editor.select(extendTo(editor.page.view.peek(), editor.selection.peek(), to), { reveals: false }),
    );
  }
}
