import { type Editing, pickFurther, picksReferences } from '../../editing/cell-editing.ts';
import { pickSelection } from '../../editing/picking.ts';
import type { CellPosition } from '../../grid/cell-areas.ts';
import type { Drag } from '../../grid/pointer.ts';
import type { Selection } from '../../grid/selection.ts';
import { cellDrag, type Gestured, isFurther } from './gesture.ts';

/** What a press picks for a formula. */
export interface Picked {
  /** Where the press is. */
  readonly at: CellPosition;
  /** What it selects by itself. */
  readonly start: Selection;
  readonly extended: (from: Selection, cell: CellPosition) => Selection;
}

/** References that are picked for the formula that is being typed. */
export class ReferencePicking {
  readonly #of: Gestured;

  constructor(gestured: Gestured) {
    this.#of = gestured;
  }

  /** What is being typed, where it picks what is pressed; else null. */
  get editing(): Editing | null {
    const editing = this.#of.editor.editing.peek();
    return editing && picksReferences(editing) ? editing : null;
  }

  /** The first may take the place of the last, or stand behind it. */
  drag(editing: Editing, event: PointerEvent, { at, start, extended }: Picked): Drag {
    const { editor, view } = this.#of;
    const { picked } = editing;
    const extendsLast = event.shiftKey && picked !== null;
    if (picked && !extendsLast && isFurther(event))
      editor.editing.value = pickFurther(editing, editor.page.settings.locale);
    const from = extendsLast ? picked.selection : start;
    this.#put(extendsLast ? extended(from, at) : from);
    return cellDrag(view, (cell) => this.#put(extended(from, cell)));
  }

  #put(selection: Selection): void {
    const { editor } = this.#of;
    const now = editor.editing.peek();
    if (now) editor.editing.value = pickSelection(now, editor.shown, selection);
  }
}
