import { type Axis, contains } from '../../../../model/cell/area.ts';
import { commit } from '../../commands/entering.ts';
import type { CellPosition } from '../../grid/cell-areas.ts';
import { takeOut } from '../../grid/deselection.ts';
import type { Drag } from '../../grid/pointer.ts';
import {
  addTo,
  currentRange,
  extendToColumn,
  extendToRow,
  type Selection,
  selectColumns,
  selectRows,
} from '../../grid/selection.ts';
import { cellDrag, type Gestured, isFurther } from './gesture.ts';
import type { ReferencePicking } from './reference-picking.ts';

/** How rows and columns are selected, and what is selected made larger by one of a cell. */
const linesOf = {
  row: { select: selectRows, extend: extendToRow, of: ({ row }: CellPosition) => row },
  column: { select: selectColumns, extend: extendToColumn, of: ({ column }: CellPosition) => column },
};

/** A press on the header of a row or column: it selects that. */
export class HeaderPress {
  readonly #of: Gestured;
  readonly #picking: ReferencePicking;

  constructor(gestured: Gestured, picking: ReferencePicking) {
    this.#of = gestured;
    this.#picking = picking;
  }

  press(axis: Axis, line: number, event: PointerEvent): Drag | null {
    const { editor, view } = this.#of;
    const { editing } = this.#picking;
    const lines = linesOf[axis];
    const extended = (from: Selection, cell: CellPosition) => lines.extend(from, lines.of(cell));
    if (editing) {
      const at = { row: line, column: line };
      return this.#picking.drag(editing, event, { at, start: lines.select(line, line), extended });
    }
    if (!commit(editor)) return null;
    const seen = view.layout.panes.at(-1)!.range;
    const selection = editor.selection.peek();
    const takesOut = (to: CellPosition) => {
      const left = takeOut(selection, currentRange(lines.extend(lines.select(line, line), lines.of(to))));
      if (left) editor.select(left, { reveals: false });
      return left !== null;
    };
    const [own] = lines.select(line, line).ranges;
    const isSelected = selection.ranges.some((range) => contains(range, own!));
    const isTakenOut = isFurther(event) && !event.shiftKey && isSelected;
    if (isTakenOut && takesOut({ row: line, column: line })) return cellDrag(view, takesOut);
    if (event.shiftKey) editor.select(lines.extend(selection, line), { reveals: false });
    else {
      const selected = lines.select(line, line, axis === 'row' ? seen[1] : seen[0]);
      editor.select(isFurther(event) ? addTo(selection, selected) : selected, { reveals: false });
    }
    return cellDrag(view, (cell) =>
      editor.select(extended(editor.selection.peek(), cell), { reveals: false }),
    );
  }
}
