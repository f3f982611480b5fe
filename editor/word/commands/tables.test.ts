import fc from 'fast-check';
import type { Node } from 'prosemirror-model';
import { type Command, EditorState, TextSelection } from 'prosemirror-state';
import { CellSelection, findTable, TableMap } from 'prosemirror-tables';
import { describe, expect, test } from 'vitest';
import { openDocx } from '../../../converter/engines/ooxml/docx/docx-engine.ts';
import { wordSchema } from '../../../model/word/schema.ts';
import { TABLES } from '../../../test/model/tables.ts';
import { buildDocx } from '../../../test/support/docx-fixture.ts';
import {
  addColumnAfter,
  addColumnBefore,
  addRowAfter,
  addRowAtEnd,
  addRowBefore,
  deleteColumn,
  deleteRow,
  deleteTable,
  mergeCells,
  shadeCells,
  splitCell,
  toggleHeaderRow,
} from './tables.ts';

const { nodes } = wordSchema;

const COMMANDS: Readonly<Record<string, Command>> = {
  addColumnAfter,
  addColumnBefore,
  addRowAfter,
  addRowAtEnd,
  addRowBefore,
  deleteColumn,
  deleteRow,
  deleteTable,
  mergeCells,
  shadeCells: shadeCells('FFCC00'),
  splitCell,
  toggleHeaderRow,
};

/** A table of cells that say no more than how far they reach; widths only of some. */
const irregular: fc.Arbitrary<Node> = fc
  .array(
    fc.array(fc.tuple(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 4 }), fc.boolean()), {
      minLength: 1,
      maxLength: 4,
    }),
    { minLength: 1, maxLength: 4 },
  )
  .map((rows) =>
    nodes.table.create(
      { id: 't' },
      rows.map((cells, row) =>
        nodes.table_row.create(
          { id: `r${row}` },
          cells.map(([colspan, rowspan, isWide], column) => {
            const colwidth = isWide ? Array.from({ length: colspan }, () => 90) : null;
            const attrs = { id: `c${row}${column}`, colspan, rowspan, colwidth };
            return nodes.table_cell.create(attrs, nodes.paragraph.create(null, wordSchema.text('x')));
          }),
        ),
      ),
    ),
  );

const share = fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true });
const deeds = fc.array(
  fc.record({
    name: fc.constantFrom(...Object.keys(COMMANDS)),
    from: share,
    to: share,
    isCells: fc.boolean(),
  }),
  { minLength: 1, maxLength: 8 },
);
type Deed = typeof deeds extends fc.Arbitrary<(infer One)[]> ? One : never;

function cellsOf(doc: Node): number[] {
  const cells: number[] = [];
  doc.descendants(({ type }, position) => {
    if (type === nodes.table_cell) cells.push(position);
  });
  return cells;
}

/** The state after a command at two cells, as the keys and menus give it. */
function stateAfter(state: EditorState, { name, from, to, isCells }: Deed): EditorState {
  const cells = cellsOf(state.doc);
  const anchor = cells[Math.floor(from * cells.length)];
  if (anchor === undefined) return state;
  const table = findTable(state.doc.resolve(anchor))!;
  const inside = cells.filter((cell) => state.doc.resolve(cell).node(-1) === table.node);
  const head = inside[Math.floor(to * inside.length)]!;
  const selection = isCells
    ? CellSelection.create(state.doc, anchor, head)
    : TextSelection.near(state.doc.resolve(anchor + 1), 1);
  const selected = state.apply(state.tr.setSelection(selection));
  let result = selected;
  const did = COMMANDS[name]!(selected, (tr) => {
    result = selected.apply(tr);
  });
  expect(COMMANDS[name]!(selected)).toBe(did);
  return result;
}

function expectSound(doc: Node): void {
  doc.check();
  doc.descendants((node) => {
    if (node.type === nodes.table) expect(TableMap.get(node).problems).toBeNull();
  });
}

describe('commands of tables', () => {
  const { doc: opened } = openDocx(buildDocx({ body: TABLES }));

  test('[FD70] any of them, in any order, leaves tables of files as rectangles', () => {
    fc.assert(
      fc.property(deeds, (all) => {
        expectSound(all.reduce(stateAfter, EditorState.create({ doc: opened })).doc);
      }),
      { numRuns: 60 },
    );
  });

  test('[FD71] any of them works in tables whose rows and spans do not fit, and leaves rectangles', () => {
    fc.assert(
      fc.property(irregular, deeds, (table, all) => {
        const doc = nodes.doc.create(null, [table, nodes.paragraph.create()]);
        const [first, ...others] = all;
        const changed = stateAfter(EditorState.create({ doc }), first!);
        if (changed.doc === doc) return;
        expectSound(others.reduce(stateAfter, changed).doc);
      }),
      { numRuns: 150 },
    );
  });

  test('[FD72] all rows or all columns that are deleted take the table along', () => {
    for (const name of ['deleteRow', 'deleteColumn']) {
      const table = opened.child(0);
      const doc = nodes.doc.create(null, [table, nodes.paragraph.create()]);
      const whole = stateAfter(EditorState.create({ doc }), { name, from: 0, to: 0.999, isCells: true });
      expect(whole.doc.children.map(({ type }) => type.name)).toEqual(['paragraph']);
      const one = stateAfter(EditorState.create({ doc }), { name, from: 0, to: 0, isCells: true });
      expect(cellsOf(one.doc)).toHaveLength(6);
    }
  });

  test('[FD73] columns beside a new one keep their width together, also where cells span both', () => {
    const at = opened.children.findIndex(({ textContent }) => textContent.startsWith('tall'));
    const doc = nodes.doc.create(null, [opened.child(at), nodes.paragraph.create()]);
    const from = cellsOf(doc).findIndex((cell) => doc.nodeAt(cell)!.textContent === 'right');
    const share = (from + 0.5) / cellsOf(doc).length;
    const widths = (table: Node) => table.child(0).children.flatMap(({ attrs }) => attrs.colwidth ?? []);
    const before = widths(doc.child(0));
    const { doc: wider } = stateAfter(EditorState.create({ doc }), {
      name: 'addColumnBefore',
      from: share,
      to: share,
      isCells: false,
    });
    expect(widths(wider.child(0))).toHaveLength(before.length + 1);
    const total = (all: readonly number[]) => all.reduce((sum, width) => sum + width, 0);
    expect(total(widths(wider.child(0)))).toBe(total(before));
  });

  test('[FD74] Tab in the last cell goes to the first of the new row, also from a cell that spans rows', () => {
    const cell = nodes.table_cell.create({ id: 'c', colspan: 2, rowspan: 2 }, nodes.paragraph.create());
    const rows = [cell, ...['a', 'b'].map((id) => nodes.table_cell.create({ id }, nodes.paragraph.create()))];
    const table = nodes.table.create({ id: 't' }, [
      nodes.table_row.create({ id: 'r1' }, rows),
      nodes.table_row.create({ id: 'r2' }, rows.slice(1)),
    ]);
    const doc = nodes.doc.create(null, [table, nodes.paragraph.create()]);
    const { selection } = stateAfter(EditorState.create({ doc }), {
      name: 'addRowAtEnd',
      from: 0.999,
      to: 0.999,
      isCells: false,
    });
    expect(selection.$from.index(1)).toBe(2);
    expect(selection.$from.index(2)).toBe(0);
  });
});
