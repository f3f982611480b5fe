import type { Command, EditorState } from 'prosemirror-state';
import { isInTable, selectedRect } from 'prosemirror-tables';
import { changeAttributes } from './paragraph-format.ts';

export {
  addColumnAfter,
  addColumnBefore,
  addRowAfter,
  addRowBefore,
  deleteColumn,
  deleteRow,
  deleteTable,
  goToNextCell,
  mergeCells,
  splitCell,
} from 'prosemirror-tables';

/** Changes attributes of the selected cells, or of the one with the cursor. */
export function setCells(change: Readonly<Record<string, unknown>>): Command {
  return (state, dispatch) => {
    if (!isInTable(state)) return false;
    if (!dispatch) return true;
    const rect = selectedRect(state);
    const { tr } = state;
    for (const pos of rect.map.cellsInRect(rect)) {
      const at = rect.tableStart + pos;
      changeAttributes(tr, at, state.doc.nodeAt(at)!, change);
    }
    dispatch(tr);
    return true;
  };
}

/** @param shading RRGGBB, or null for none */
export const shadeCells = (shading: string | null): Command => setCells({ shading });

/** The selected rows are repeated on each page, or no longer. */
export const toggleHeaderRow: Command = (state, dispatch) => {
  if (!isInTable(state)) return false;
  if (!dispatch) return true;
  const rows = selectedRows(state);
  const header = !rows.every(({ node }) => node.attrs.header === true);
  const { tr } = state;
  for (const { node, pos } of rows) changeAttributes(tr, pos, node, { header });
  dispatch(tr);
  return true;
};

export function isHeaderRow(state: EditorState): boolean {
  return isInTable(state) && selectedRows(state).every(({ node }) => node.attrs.header === true);
}

function selectedRows(state: EditorState) {
  const { table, tableStart, top, bottom } = selectedRect(state);
  const rows: { node: ReturnType<typeof table.child>; pos: number }[] = [];
  table.forEach((node, offset, index) => {
    if (index >= top && index < bottom) rows.push({ node, pos: tableStart + offset });
  });
  return rows;
}
