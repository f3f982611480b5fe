import { EditorState } from 'prosemirror-state';
import { describe, expect, it } from 'vitest';
import { wordSchema } from '../../../../model/word/schema.ts';
import { setColumnWidth } from './table-view.ts';

const { nodes } = wordSchema;
const cell = (colwidth: number[] | null, colspan = 1) =>
  nodes.table_cell.create({ colwidth, colspan }, nodes.paragraph.create());

describe('dragging the edge of a column', () => {
  it('[VW17] gives all cells of the column the width, those that span columns their share', () => {
    const table = nodes.table.create(null, [
      nodes.table_row.create(null, [cell([100]), cell([120])]),
      nodes.table_row.create(null, [cell([100, 120], 2)]),
      nodes.table_row.create(null, [cell(null), cell(null)]),
    ]);
    const { tr } = EditorState.create({ doc: nodes.doc.create(null, table) });
    setColumnWidth(tr, { table, start: 1, index: 1 }, 77);
    const widths: unknown[] = [];
    tr.doc.descendants((node) => {
      if (node.type === nodes.table_cell) widths.push(node.attrs.colwidth);
    });
    expect(widths).toEqual([[100], [77], [100, 77], null, [77]]);
  });
});
