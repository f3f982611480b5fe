import fc from 'fast-check';
import type { Node } from 'prosemirror-model';
import { type Command, EditorState, type Transaction } from 'prosemirror-state';
import {
  addColumnAfter,
  addColumnBefore,
  addRowAfter,
  addRowBefore,
  CellSelection,
  deleteColumn,
  deleteRow,
  deleteTable,
  findTable,
  mergeCells,
  setCellAttr,
  splitCell,
} from 'prosemirror-tables';
import type { Step } from 'prosemirror-transform';
import { layOutTable } from '../../converter/engines/ooxml/docx/table-writer.ts';
import { wordSchema } from '../../model/word/schema.ts';

const { nodes } = wordSchema;

/** What decides one edit of a table: which, and two cells as shares of all cells, the second of those of its table. */
export interface TableDraw {
  readonly kind: number;
  readonly from: number;
  readonly to: number;
}

const share = fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true });
export const tableDraw: fc.Arbitrary<TableDraw> = fc.record({ kind: fc.nat(), from: share, to: share });

const COMMANDS: readonly Command[] = [
  addRowBefore,
  addRowAfter,
  addColumnBefore,
  addColumnAfter,
  deleteRow,
  deleteColumn,
  mergeCells,
  mergeCells,
  splitCell,
  deleteTable,
  setCellAttr('shading', 'FFCC00'),
  setCellAttr('shading', null),
  setCellAttr('verticalAlign', 'bottom'),
  onRow('header', (header) => !header),
  onRow('height', (height) => (height === null ? 600 : null)),
  onTable('align', (align) => (align === 'center' ? null : 'center')),
  typeIntoCell,
  insertTable,
  rowFromAnother,
];

function onRow(attribute: string, change: (value: unknown) => unknown): Command {
  return ({ tr, selection }, dispatch) => {
    const row = (selection as CellSelection).$anchorCell;
    dispatch?.(tr.setNodeAttribute(row.before(), attribute, change(row.parent.attrs[attribute])));
    return true;
  };
}

function onTable(attribute: string, change: (value: unknown) => unknown): Command {
  return ({ tr, selection }, dispatch) => {
    const table = findTable((selection as CellSelection).$anchorCell)!;
    dispatch?.(tr.setNodeAttribute(table.pos, attribute, change(table.node.attrs[attribute])));
    return true;
  };
}

function typeIntoCell({ tr, selection }: EditorState, dispatch?: (tr: Transaction) => void): boolean {
  const { $anchorCell } = selection as CellSelection;
  if (!$anchorCell.nodeAfter?.firstChild?.isTextblock) return false;
  dispatch?.(tr.insertText('typed', $anchorCell.pos + 2));
  return true;
}

/** A table of two columns in the cell. */
function insertTable({ tr, selection }: EditorState, dispatch?: (tr: Transaction) => void): boolean {
  const cell = (text: string) =>
    nodes.table_cell.create(null, nodes.paragraph.create(null, wordSchema.text(text)));
  const row = () => nodes.table_row.create(null, [cell('left'), cell('right')]);
  dispatch?.(
    tr.insert((selection as CellSelection).$anchorCell.pos + 1, nodes.table.create(null, [row(), row()])),
  );
  return true;
}

/** A row below the cell's, made from it as editors do; not where cells span rows. */
function rowFromAnother({ tr, selection }: EditorState, dispatch?: (tr: Transaction) => void): boolean {
  const { $anchorCell } = selection as CellSelection;
  const { parent: row } = $anchorCell;
  const isPlain = layOutTable($anchorCell.node(-1)).every((placed) =>
    placed.every(({ continues }) => !continues),
  );
  if (!isPlain) return false;
  const cells = row.children.map(({ attrs }) =>
    nodes.table_cell.create({ ...attrs, id: null, origin: attrs.id }, nodes.paragraph.create()),
  );
  dispatch?.(tr.insert($anchorCell.after(), nodes.table_row.create({ origin: row.attrs.id }, cells)));
  return true;
}

/** The steps of one edit; none when the document has no table or the command does not apply there. */
export function tableSteps(doc: Node, { kind, from, to }: TableDraw): Step[] {
  const cells = cellsOf(doc);
  const anchor = cells[Math.floor(from * cells.length)];
  if (anchor === undefined) return [];
  const table = findTable(doc.resolve(anchor))!;
  const inside = cells.filter((cell) => doc.resolve(cell).node(-1) === table.node);
  const head = inside[Math.floor(to * inside.length)]!;
  let steps: Step[] = [];
  const state = EditorState.create({ doc, selection: CellSelection.create(doc, anchor, head) });
  COMMANDS[kind % COMMANDS.length]!(state, (transaction) => {
    steps = transaction.steps;
  });
  return steps;
}

function cellsOf(doc: Node): number[] {
  const cells: number[] = [];
  doc.descendants((node, position) => {
    if (node.type === nodes.table_cell) cells.push(position);
    return !node.isTextblock;
  });
  return cells;
}
