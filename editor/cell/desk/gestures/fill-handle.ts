import type { Area } from '../../../../model/cell/area.ts';
import { laterPart } from '../../../kit/later.tsx';
import { draggedRange, rangeBesideFilled } from '../../commands/filling.ts';
import { actOnSelected } from '../../commands/later-acts.ts';
import { type CellPosition, unionOf } from '../../grid/cell-areas.ts';
import { fillHandleAt } from '../../grid/overlay-painter.ts';
import { type Drag, isInRect } from '../../grid/pointer.ts';
import { cellDrag, type Gestured, isFurther, type Place } from './gesture.ts';

const seriesFilling = laterPart(() => import('../../commands/series-filling.ts'));

/** The corner of what is selected, by which it is continued in the cells beside it. */
export class FillHandle {
  readonly #of: Gestured;

  constructor(gestured: Gestured) {
    this.#of = gestured;
  }

  isAt(place: Place): boolean {
    const { editor, view } = this.#of;
    if (editor.selection.peek().ranges.length > 1) return false;
    return view.layout.rectsOf(editor.range).some(({ pane }) => {
      const { x, y, width, height } = fillHandleAt(view.layout, pane, editor.range);
      const larger = { x: x - 2, y: y - 2, width: width + 4, height: height + 4 };
      return isInRect(place, larger) && isInRect(place, pane.rect);
    });
  }

  drag(): Drag {
    const { editor, view, state } = this.#of;
    let reached: CellPosition | null = null;
    return {
      ...cellDrag(view, (cell) => {
        reached = cell;
        state.target.value = draggedRange(editor.range, cell.row, cell.column);
      }),
      end: (event) => {
        state.target.value = null;
        // Others may have moved what is selected.
        const from = editor.range;
        const to = reached && draggedRange(from, reached.row, reached.column);
        if (to) this.#fill(from, to, isFurther(event));
      },
      cancel() {
        state.target.value = null;
      },
    };
  }

  /** Fills as far as there is something in the cells beside. */
  fillBeside(): void {
    const { editor } = this.#of;
    const to = rangeBesideFilled(editor.page.view.peek(), editor.range);
    if (to) this.#fill(editor.range, to, false);
  }

  #fill(from: Area, to: Area, isOtherWay: boolean): void {
    const { editor } = this.#of;
    actOnSelected(editor, seriesFilling, (series) => {
      if (!series.fillByDrag(editor, from, to, { isOtherWay })) return;
      const all = unionOf(from, to);
      const { active } = editor.selection.peek();
      const head = { row: all[2], column: all[3] };
      editor.select({ ranges: [all], current: 0, active, head }, { reveals: false });
    });
  }
}
