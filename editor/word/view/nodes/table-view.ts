import type { Node } from 'prosemirror-model';
import { TableView } from 'prosemirror-tables';
import type { ViewMutationRecord } from 'prosemirror-view';
import { tableAttributes } from './renderer.ts';

/** Width of a column that the file gives none, CSS pixels. */
export const columnWidthPixels = 100;
/** From this many rows on, what is in the cells is laid out only when it comes near the screen. */
const manyRows = 60;

/** A table in the text that is edited. */
export class WordTableView extends TableView {
  constructor(node: Node, minimumWidth: number = columnWidthPixels) {
    super(node, minimumWidth);
    this.#dress(node);
  }

  override update(node: Node): boolean {
    const before = this.node;
    if (!super.update(node)) return false;
    if (!before.hasMarkup(node.type, node.attrs) || before.childCount !== node.childCount) this.#dress(node);
    return true;
  }

  override ignoreMutation(record: ViewMutationRecord): boolean {
    return record.type === 'attributes' && !this.contentDOM.contains(record.target);
  }

  #dress(node: Node): void {
    this.table.className = tableAttributes(node).class ?? '';
    this.table.classList.toggle('giant', node.childCount > manyRows);
  }
}
