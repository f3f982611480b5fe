import { type Area, type Axis, lastColumn, lastRow } from '../../../../model/cell/area.ts';
import { fitLines } from '../../commands/later-line-fitting.ts';
import { resizeLines, selectedSpans, showHidden, spanIn } from '../../commands/structure.ts';
import { wholeColumns, wholeRows } from '../../grid/cell-areas.ts';
import type { Drag } from '../../grid/pointer.ts';
import type { Gestured, Place } from './gesture.ts';

/** The edge of a row or column in its header, by which that is made larger or smaller. */
export class LineEdge {
  readonly #of: Gestured;
  readonly #axis: Axis;
  readonly #line: number;

  constructor(gestured: Gestured, axis: Axis, line: number) {
    this.#of = gestured;
    this.#axis = axis;
    this.#line = line;
  }

  drag(): Drag {
    const { editor, state } = this.#of;
    const axis = this.#axis;
    const shown = editor.page.view.peek();
    const start = this.#start();
    const isBackwards = axis === 'column' && shown.isRightToLeft;
    let size = (axis === 'row' ? shown.rows : shown.columns).sizeOf(this.#line);
    let isMoved = false;
    const record = editor.records.begin(editor.page.sheetId.peek());
    return {
      move({ x, y }: Place) {
        isMoved = true;
        const at = axis === 'row' ? y : x;
        size = Math.max(0, isBackwards ? start - at : at - start);
        state.sizing.value = { axis, at: isBackwards ? start - size : start + size };
      },
      end: () => {
        state.sizing.value = null;
        // Others may have moved it.
        const line = record.now(wholeLine(axis, this.#line));
        record.end();
        if (isMoved && line) resizeLines(editor, axis, this.#spans(spanIn(line, axis)[0]), size);
      },
      cancel() {
        record.end();
        state.sizing.value = null;
      },
    };
  }

  /** Makes it as large as what is in its cells; what is hidden there is shown. */
  fit(): void {
    const { editor } = this.#of;
    const { rows, columns } = editor.page.view.peek();
    const lines = this.#axis === 'row' ? rows : columns;
    const first = (lines.previous(this.#line) ?? -1) + 1;
    if (lines.isHidden(this.#line)) showHidden(editor, this.#axis, [first, this.#line]);
    else fitLines(editor, this.#axis, this.#spans(this.#line));
  }

  /** Where the line begins, in the grid. */
  #start(): number {
    const { editor, view } = this.#of;
    const { x, y, width } = view.rectOf(wholeLine(this.#axis, this.#line))!;
    if (this.#axis === 'row') return y;
    return editor.page.view.peek().isRightToLeft ? x + width : x;
  }

  /** A line that is one of several selected ones stands for all of them. */
  #spans(line: number): (readonly [number, number])[] {
    const { editor } = this.#of;
    const axis = this.#axis;
    const isWhole = editor.selection
      .peek()
      .ranges.every(([top, left, bottom, right]) =>
        axis === 'row' ? left === 0 && right === lastColumn : top === 0 && bottom === lastRow,
      );
    const spans = selectedSpans(editor, axis);
    const isOne = isWhole && spans.some(([from, to]) => line >= from && line <= to);
    return isOne ? spans : [[line, line]];
  }
}

const wholeLine = (axis: Axis, line: number): Area =>
  axis === 'row' ? wholeRows(line, line) : wholeColumns(line, line);
