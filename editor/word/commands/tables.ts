import type { Node } from 'prosemirror-model';
import { type Command, type EditorState, TextSelection, type Transaction } from 'prosemirror-state';
import * as tables from 'prosemirror-tables';
import { findTable, isInTable, selectedRect } from 'prosemirror-tables';
import type { StyleSheet } from '../styles/style-sheet.ts';
import { changeAttributes, isRightToLeft } from './paragraph-format.ts';

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
      const at = start + rowOffset + 1 + cellOffset;
      if (origin) tr.setNodeAttribute(at, 'origin', origin);
      if (beside && !isNew(row)) shareWidth(tr, { cell, at }, beside);
    });
  });
  return tr;
}

/** A cell of a new column and the one beside it share the width that one had: the table stays on its page. */
function shareWidth(tr: Transaction, { cell, at }: { cell: Node; at: number }, beside: Node): void {
  const width = beside.attrs.colspan === 1 ? (beside.attrs.colwidth?.[0] ?? 0) : 0;
  if (width < 2 || cell.attrs.colwidth !== null || cell.attrs.colspan > 1) return;
  const half = Math.floor(width / 2);
  const row = tr.doc.resolve(at).parent;
  const isBefore = row.maybeChild(tr.doc.resolve(at).index() - 1)?.eq(beside) ?? false;
  tr.setNodeAttribute(at, 'colwidth', [half]);
  tr.setNodeAttribute(isBefore ? at - beside.nodeSize : at + cell.nodeSize, 'colwidth', [width - half]);
}

const isNew = ({ attrs }: Node): boolean => attrs.id === null && attrs.origin === null;
const originOf = ({ attrs }: Node): string | null => attrs.id ?? attrs.origin;

export const addRowBefore = withOrigins(tables.addRowBefore);
export const addRowAfter = withOrigins(tables.addRowAfter);
export const addColumnBefore = withOrigins(tables.addColumnBefore);
export const addColumnAfter = withOrigins(tables.addColumnAfter);

/** Goes from the last cell to a new row; for the Tab key. */
export const addRowAtEnd: Command = (state, dispatch) => {
  if (!isInTable(state) || tables.goToNextCell(1)(state)) return false;
  return addRowAfter(
    state,
    dispatch &&
      ((tr) => {
        const { table, tableStart, map, bottom } = selectedRect(state);
        const cell = tr.mapping.map(tableStart + map.positionAt(bottom - 1, map.width - 1, table));
        const after = TextSelection.near(tr.doc.resolve(cell + tr.doc.nodeAt(cell)!.nodeSize), 1);
        dispatch(tr.setSelection(after).scrollIntoView());
      }),
  );
};

/**
 * An arrow key puts the cursor at an end of the text selected in a cell, as everywhere; left to itself, the table
 * takes it to the next cell.
 */
export function collapseInCell(key: 'ArrowLeft' | 'ArrowRight', sheet: StyleSheet): Command {
  return (state, dispatch) => {
    const { selection } = state;
    if (selection.empty || !(selection instanceof TextSelection) || !isInTable(state)) return false;
    const toEnd = (key === 'ArrowRight') !== isRightToLeft(selection.$head.parent.attrs, sheet);
    const at = toEnd ? selection.to : selection.from;
    dispatch?.(state.tr.setSelection(TextSelection.create(state.doc, at)).scrollIntoView());
    return true;
  };
}

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
