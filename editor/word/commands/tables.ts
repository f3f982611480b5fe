import type { Node } from 'prosemirror-model';
import { type Command, type EditorState, TextSelection, type Transaction } from 'prosemirror-state';
import * as tables from 'prosemirror-tables';
import { findTable, isInTable, selectedRect, TableMap } from 'prosemirror-tables';
import type { Styles } from '../styles/styles.ts';
import { changeAttributes, isRightToLeft } from './paragraph-format.ts';
import { onSoundTable } from './sound-tables.ts';

export { deleteTable, goToNextCell } from 'prosemirror-tables';

/**
 * Gives new rows and cells the origin of a neighbour, from which the writer takes what the model does not hold, such
 * as borders of a cell's own.
 */
const withOrigins = (command: Command): Command => onSoundTable(command, setOrigins);

function setOrigins(tr: Transaction): Transaction {
  const table = findTable(tr.selection.$from);
  if (!table) return tr;
  const { node, start, pos } = table;
  const map = TableMap.get(node);
  const newColumns = new Set<number>();
  node.forEach((row, rowOffset, index) => {
    const model = node.maybeChild(index - 1) ?? node.maybeChild(index + 1);
    if (isNew(row)) tr.setNodeAttribute(start + rowOffset, 'origin', model && originOf(model));
    row.forEach((cell, cellOffset, place) => {
      if (!isNew(cell)) return;
      const beside = isNew(row)
        ? model?.maybeChild(place)
        : (row.maybeChild(place - 1) ?? row.maybeChild(place + 1));
      const origin = beside && originOf(beside);
      const offset = rowOffset + 1 + cellOffset;
      if (origin) tr.setNodeAttribute(start + offset, 'origin', origin);
      if (!isNew(row) && cell.attrs.colspan === 1) newColumns.add(map.colCount(offset));
    });
  });
  for (const column of newColumns) shareWidth(tr, pos, column, column > 0 ? column - 1 : column + 1);
  return tr;
}

/** A new column and the one beside it share the width that one had: the table stays on its page. */
function shareWidth(tr: Transaction, tablePos: number, column: number, beside: number): void {
  const table = tr.doc.nodeAt(tablePos)!;
  const map = TableMap.get(table);
  const places = new Set(map.map);
  const widthOf = (place: number): number => {
    const { colspan, colwidth } = table.nodeAt(place)!.attrs;
    const offset = beside - map.colCount(place);
    return offset >= 0 && offset < colspan ? (colwidth?.[offset] ?? 0) : 0;
  };
  const width = Math.max(0, ...[...places].map(widthOf));
  if (width < 2) return;
  const half = Math.floor(width / 2);
  const widths = new Map([
    [column, half],
    [beside, width - half],
  ]);
  for (const place of places) {
    const { attrs } = table.nodeAt(place)!;
    const left = map.colCount(place);
    const known: readonly number[] | null = attrs.colwidth ?? (left === column ? [0] : null);
    if (known === null || known.length !== attrs.colspan) continue;
    const shared = known.map((own, offset) => widths.get(left + offset) ?? own);
    if (shared.some((own, offset) => own !== attrs.colwidth?.[offset]))
      tr.setNodeAttribute(tablePos + 1 + place, 'colwidth', shared);
  }
}

const isNew = ({ attrs }: Node): boolean => attrs.id === null && attrs.origin === null;
const originOf = ({ attrs }: Node): string | null => attrs.id ?? attrs.origin;

export const addRowBefore = withOrigins(tables.addRowBefore);
export const addRowAfter = withOrigins(tables.addRowAfter);
export const addColumnBefore = withOrigins(tables.addColumnBefore);
export const addColumnAfter = withOrigins(tables.addColumnAfter);

export const mergeCells = onSoundTable(tables.mergeCells);
export const splitCell = onSoundTable(tables.splitCell);

/** Deletes the rows of the selection; with all of them the table. */
export const deleteRow: Command = onSoundTable((state, dispatch) => {
  if (!isInTable(state)) return false;
  const { top, bottom, map } = selectedRect(state);
  const isAll = top === 0 && bottom === map.height;
  return isAll ? tables.deleteTable(state, dispatch) : tables.deleteRow(state, dispatch);
});

/** Deletes the columns of the selection; with all of them the table. */
export const deleteColumn: Command = onSoundTable((state, dispatch) => {
  if (!isInTable(state)) return false;
  const { left, right, map } = selectedRect(state);
  const isAll = left === 0 && right === map.width;
  return isAll ? tables.deleteTable(state, dispatch) : tables.deleteColumn(state, dispatch);
});

/** Goes from the last cell to a new row; for the Tab key. */
export const addRowAtEnd: Command = (state, dispatch) => {
  if (!isInTable(state) || tables.goToNextCell(1)(state)) return false;
  return addRowAfter(
    state,
    dispatch &&
      ((tr) => {
        const { node, start } = findTable(tr.selection.$from)!;
        const cell = TableMap.get(node).positionAt(node.childCount - 1, 0, node);
        const after = TextSelection.near(tr.doc.resolve(start + cell + 1), 1);
        dispatch(tr.setSelection(after).scrollIntoView());
      }),
  );
};

/**
 * An arrow key puts the cursor at an end of the text selected in a cell, as everywhere; left to itself, the table
 * takes it to the next cell.
 */
export function collapseInCell(key: 'ArrowLeft' | 'ArrowRight', styles: Styles): Command {
  return (state, dispatch) => {
    const { selection } = state;
    if (selection.empty || !(selection instanceof TextSelection) || !isInTable(state)) return false;
    const toEnd = (key === 'ArrowRight') !== isRightToLeft(selection.$head.parent.attrs, styles);
    const at = toEnd ? selection.to : selection.from;
    dispatch?.(state.tr.setSelection(TextSelection.create(state.doc, at)).scrollIntoView());
    return true;
  };
}

/** Changes attributes of the selected cells, or of the one with the cursor. */
export function setCells(change: Readonly<Record<string, unknown>>): Command {
  return onSoundTable((state, dispatch) => {
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
  });
}

/** @param shading RRGGBB, or null for none */
export const shadeCells = (shading: string | null): Command => setCells({ shading });

/** The selected rows are repeated on each page, or no longer. */
export const toggleHeaderRow: Command = onSoundTable((state, dispatch) => {
  if (!isInTable(state)) return false;
  if (!dispatch) return true;
  const rows = selectedRows(state);
  const header = !rows.every(({ node }) => node.attrs.header === true);
  const { tr } = state;
  for (const { node, pos } of rows) changeAttributes(tr, pos, node, { header });
  dispatch(tr);
  return true;
});

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
