import type { Node } from 'prosemirror-model';
import type { Command, EditorState, Transaction } from 'prosemirror-state';
import * as tables from 'prosemirror-tables';
import { findTable, isInTable, selectedRect } from 'prosemirror-tables';
import { changeAttributes } from './paragraph-format.ts';

export {
  deleteColumn,
  deleteRow,
  deleteTable,
  goToNextCell,
  mergeCells,
  splitCell,
} from 'prosemirror-tables';

/**
 * Gives new rows and cells the origin of a neighbour, from which the writer takes what the model does not hold, such
 * as borders of a cell's own.
 */
function withOrigins(command: Command): Command {
  return (state, dispatch, view) => command(state, dispatch && ((tr) => dispatch(setOrigins(tr))), view);
}

function setOrigins(tr: Transaction): Transaction {
  const table = findTable(tr.selection.$from);
  if (!table) return tr;
  const { node, start } = table;
  node.forEach((row, rowOffset, index) => {
    const model = node.maybeChild(index - 1) ?? node.maybeChild(index + 1);
    if (isNew(row)) tr.setNodeAttribute(start + rowOffset, 'origin', model && originOf(model));
    row.forEach((cell, cellOffset, column) => {
      if (!isNew(cell)) return;
      const beside = isNew(row)
        ? model?.maybeChild(column)
        : (row.maybeChild(column - 1) ?? row.maybeChild(column + 1));
      const origin = beside && originOf(beside);
      if (origin) tr.setNodeAttribute(start + rowOffset + 1 + cellOffset, 'origin', origin);
    });
  });
  return tr;
}

const isNew = ({ attrs }: Node): boolean => attrs.id === null && attrs.origin === null;
const originOf = ({ attrs }: Node): string | null => attrs.id ?? attrs.origin;

export const addRowBefore = withOrigins(tables.addRowBefore);
export const addRowAfter = withOrigins(tables.addRowAfter);
export const addColumnBefore = withOrigins(tables.addColumnBefore);
export const addColumnAfter = withOrigins(tables.addColumnAfter);

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
