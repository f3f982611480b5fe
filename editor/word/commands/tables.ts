import type { Node } from 'prosemirror-model';
import { type Command, EditorState, Selection, TextSelection, type Transaction } from 'prosemirror-state';
import * as tables from 'prosemirror-tables';
import { findTable, fixTables, isInTable, selectedRect, TableMap } from 'prosemirror-tables';
import { wordSchema } from '../../../model/word/schema.ts';
import type { Styles } from '../styles/styles.ts';
import { changeAttributes, isRightToLeft } from './paragraph-format.ts';

export { deleteTable, goToNextCell } from 'prosemirror-tables';

const { nodes } = wordSchema;

/**
 * A table after the paragraph of the cursor, or in its place when that is empty; the cursor goes to the first cell.
 * Two tables side by side would be one, and what holds a table must end with a paragraph: where it needs to, one is
 * put in.
 */
export function insertTable(
  rows: number,
  columns: number,
  widthPixels: number,
  style: string | null,
): Command {
  return (state, dispatch) => {
    const { $from } = state.selection;
    const { parent } = $from;
    if (parent.type !== nodes.paragraph) return false;
    if (!dispatch) return true;
    const width = Math.max(20, Math.floor(widthPixels / columns));
    const cell = () => nodes.table_cell.create({ colwidth: [width] }, nodes.paragraph.create());
    const row = () => nodes.table_row.create(null, Array.from({ length: columns }, cell));
    const table = nodes.table.create({ style }, Array.from({ length: rows }, row));
    const container = $from.node(-1);
    const index = $from.index(-1);
    const replaces = parent.content.size === 0 && container.maybeChild(index - 1)?.type !== nodes.table;
    const next = container.maybeChild(index + 1);
    const { tr } = state;
    const at = replaces ? $from.before() : $from.after();
    tr.insert(at, !replaces && next?.type !== nodes.paragraph ? [table, nodes.paragraph.create()] : table);
    tr.setSelection(TextSelection.near(tr.doc.resolve(at + 3)));
    dispatch(tr.scrollIntoView());
    return true;
  };
}

/**
 * Gives new rows and cells the origin of a neighbour, from which the writer takes what the model does not hold, such
 * as borders of a cell's own.
 */
const withOrigins = (command: Command): Command => onRegularTable(command, setOrigins);

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

export const mergeCells = onRegularTable(tables.mergeCells);
export const splitCell = onRegularTable(tables.splitCell);

/** Deletes the rows of the selection; with all of them the table. */
export const deleteRow: Command = onRegularTable((state, dispatch) => {
  if (!isInTable(state)) return false;
  const { top, bottom, map } = selectedRect(state);
  const isAll = top === 0 && bottom === map.height;
  return isAll ? tables.deleteTable(state, dispatch) : tables.deleteRow(state, dispatch);
});

/** Deletes the columns of the selection; with all of them the table. */
export const deleteColumn: Command = onRegularTable((state, dispatch) => {
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
  return onRegularTable((state, dispatch) => {
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
export const toggleHeaderRow: Command = onRegularTable((state, dispatch) => {
  if (!isInTable(state)) return false;
  if (!dispatch) return true;
  const rows = selectedRows(state);
  const header = !rows.every(({ node }) => node.attrs.header === true);
  const { tr } = state;
  for (const { node, pos } of rows) changeAttributes(tr, pos, node, { header });
  dispatch(tr);
  return true;
});

/** Whether all selected rows are repeated on each page. */
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

/** A repair may show the next problem. */
const MOST_PASSES = 8;

/**
 * A command for the table with the cursor, which needs all rows to have the same columns and spans to stay within: what other
 * programs have made otherwise is repaired before, and what the command leaves so after it, in one transaction.
 * @param finish what is done to the table that the command leaves
 */
function onRegularTable(command: Command, finish = (tr: Transaction) => tr): Command {
  const finished = (tr: Transaction) => repaired(finish(repaired(tr)));
  return (state, dispatch, view) => {
    const table = findTable(state.selection.$from);
    if (!table || TableMap.get(table.node).problems === null)
      return command(state, dispatch && ((tr) => dispatch(finished(tr))), view);
    const { tr } = state;
    repaired(tr);
    const sound = EditorState.create({ doc: tr.doc, selection: tr.selection });
    const goOn = (done: Transaction) => {
      const { steps, selection, scrolledIntoView } = finished(done);
      for (const step of steps) tr.step(step);
      tr.setSelection(Selection.fromJSON(tr.doc, selection.toJSON()));
      dispatch?.(scrolledIntoView ? tr.scrollIntoView() : tr);
    };
    return command(sound, dispatch && goOn, view);
  };
}

/** Makes all tables rectangles without overlaps. */
function repaired(tr: Transaction): Transaction {
  for (let pass = 0; pass < MOST_PASSES; pass++) {
    endCrossedSpans(tr);
    const fix = fixTables(EditorState.create({ doc: tr.doc }));
    if (!fix) break;
    for (const step of fix.steps) tr.step(step);
  }
  return tr;
}

interface Span {
  readonly pos: number;
  readonly row: number;
}

/** Ends spans of rows above the row in which another cell lies across their way. */
function endCrossedSpans(tr: Transaction): void {
  tr.doc.descendants((table, tablePos) => {
    if (table.type.spec.tableRole !== 'table') return !table.isTextblock;
    if (!TableMap.get(table).problems?.some(({ type }) => type === 'collision')) return true;
    const owners: (Span | undefined)[][] = table.children.map(() => []);
    table.forEach((row, rowOffset, index) => {
      let column = 0;
      row.forEach((cell, cellOffset) => {
        while (owners[index]![column]) column++;
        const span = { pos: tablePos + rowOffset + cellOffset + 2, row: index };
        const end = column + cell.attrs.colspan;
        for (const crossed of new Set(owners[index]!.slice(column, end))) {
          if (!crossed) continue;
          tr.setNodeAttribute(crossed.pos, 'rowspan', index - crossed.row);
          for (const below of owners.slice(index))
            for (const [place, owner] of below.entries()) if (owner === crossed) below[place] = undefined;
        }
        for (const below of owners.slice(index, index + cell.attrs.rowspan))
          for (let place = column; place < end; place++) below[place] = span;
        column = end;
      });
    });
    return true;
  });
}
