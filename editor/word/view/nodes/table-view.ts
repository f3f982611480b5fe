import type { Node } from 'prosemirror-model';
import { Plugin, type Transaction } from 'prosemirror-state';
import { columnResizingPluginKey, TableMap, TableView, updateColumnsOnResize } from 'prosemirror-tables';
import type { EditorView, ViewMutationRecord } from 'prosemirror-view';
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

const leastWidth = 20;

/** A column of a table: which, and where the table begins. */
interface TableColumn {
  readonly table: Node;
  /** Position of the table's first row. */
  readonly start: number;
  readonly index: number;
}

/**
 * Dragging the edge of a column, in place of what `columnResizing` does when its handle is pressed: that one takes
 * pixels of the screen for pixels of the page, also when the page is zoomed, and parts of pixels for widths.
 */
export function columnDrag(): Plugin {
  return new Plugin({
    props: {
      handleDOMEvents: {
        mousedown: (view, event) => {
          const cellPos = columnResizingPluginKey.getState(view.state)?.activeHandle ?? -1;
          if (!view.editable || cellPos < 0 || event.button !== 0) return false;
          event.preventDefault();
          drag(view, cellPos, event);
          return true;
        },
      },
    },
  });
}

function drag(view: EditorView, cellPos: number, start: MouseEvent): void {
  const column = columnEndingAt(view, cellPos);
  const dom = tableDom(view, column.start);
  const cell = view.nodeDOM(cellPos);
  if (!dom || !(cell instanceof HTMLElement)) return;
  const zoom = cell.getBoundingClientRect().width / cell.offsetWidth || 1;
  const direction = getComputedStyle(dom).direction === 'rtl' ? -1 : 1;
  const own: readonly number[] | null = view.state.doc.nodeAt(cellPos)!.attrs.colwidth;
  const from = own?.at(-1) || cell.offsetWidth / view.state.doc.nodeAt(cellPos)!.attrs.colspan;
  const colgroup = dom.querySelector('colgroup')!;
  const widthAt = ({ clientX }: MouseEvent) =>
    Math.round(Math.max(leastWidth, from + (direction * (clientX - start.clientX)) / zoom));
  const abort = new AbortController();
  const { signal } = abort;
  window.addEventListener(
    'mousemove',
    (event) =>
      updateColumnsOnResize(column.table, colgroup, dom, columnWidthPixels, column.index, widthAt(event)),
    { signal },
  );
  window.addEventListener(
    'mouseup',
    (event) => {
      abort.abort();
      // Somebody else may have changed the table since then: the column is looked for again.
      const at = columnResizingPluginKey.getState(view.state)?.activeHandle ?? -1;
      const { tr } = view.state;
      if (at >= 0) setColumnWidth(tr, columnEndingAt(view, at), widthAt(event));
      if (tr.docChanged) view.dispatch(tr);
    },
    { signal },
  );
}

function columnEndingAt(view: EditorView, cellPos: number): TableColumn {
  const $cell = view.state.doc.resolve(cellPos);
  const table = $cell.node(-1);
  const start = $cell.start(-1);
  const index = TableMap.get(table).colCount($cell.pos - start) + $cell.nodeAfter!.attrs.colspan - 1;
  return { table, start, index };
}

function tableDom(view: EditorView, start: number): HTMLTableElement | null {
  const { node } = view.domAtPos(start);
  return (node instanceof Element ? node : node.parentElement)?.closest('table') ?? null;
}

/** Gives the cells of a column its width. @param width CSS pixels, whole */
export function setColumnWidth(tr: Transaction, { table, start, index }: TableColumn, width: number): void {
  const map = TableMap.get(table);
  for (let row = 0; row < map.height; row++) {
    const at = row * map.width + index;
    // A cell that spans rows is met once.
    if (row > 0 && map.map[at] === map.map[at - map.width]) continue;
    const pos = map.map[at]!;
    const { colspan, colwidth } = table.nodeAt(pos)!.attrs;
    const widths: number[] = colwidth ? [...colwidth] : Array(colspan).fill(0);
    widths[index - map.colCount(pos)] = width;
    if (colwidth?.[index - map.colCount(pos)] !== width) tr.setNodeAttribute(start + pos, 'colwidth', widths);
  }
}
