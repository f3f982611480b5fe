import { type Command, EditorState, Selection, type Transaction } from 'prosemirror-state';
import { findTable, fixTables, TableMap } from 'prosemirror-tables';

/** What mends one thing may show another. */
const MOST_PASSES = 8;

/**
 * A command for the table with the cursor, which needs all rows to have the same columns and spans to stay within: what other
 * programs have made otherwise is mended before, and what the command leaves so after it, in one transaction.
 * @param finish what is done to the table that the command leaves
 */
export function onSoundTable(command: Command, finish = (tr: Transaction) => tr): Command {
  const finished = (tr: Transaction) => mended(finish(mended(tr)));
  return (state, dispatch, view) => {
    const table = findTable(state.selection.$from);
    if (!table || TableMap.get(table.node).problems === null)
      return command(state, dispatch && ((tr) => dispatch(finished(tr))), view);
    const { tr } = state;
    mended(tr);
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
function mended(tr: Transaction): Transaction {
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
