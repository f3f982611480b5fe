import type { Node } from 'prosemirror-model';
import { Transform } from 'prosemirror-transform';
import { openDocx } from '../../converter/engines/ooxml/docx/docx-engine.ts';
import { assembleDocx } from '../../converter/engines/ooxml/docx/testing/assemble-docx.ts';
import { applyChange, encodeChange } from '../../model/word/change.ts';
import { wordSchema } from '../../model/word/schema.ts';
import { corpusDocuments } from '../support/corpus.ts';
import { buildDocx } from '../support/docx-fixture.ts';
import { type TableDraw, tableSteps } from './table-edits.ts';
import { TABLES } from './tables.ts';

const { nodes } = wordSchema;

/** Documents with tables, by name. */
export const sources: (readonly [name: string, bytes: Uint8Array])[] = [
  ['tables made here', buildDocx({ body: TABLES })],
  ['a document whose table is new', withNewTable()],
  ...corpusDocuments().filter(([name]) =>
    /^(?:tbl-|TestTable|bug65738|form_footnotes|blk-inner|checkboxes)/.test(name),
  ),
];

function withNewTable(): Uint8Array {
  const base = buildDocx({ paragraphs: ['before', 'after'] });
  const cell = (text: string) =>
    nodes.table_cell.create(null, nodes.paragraph.create(null, wordSchema.text(text)));
  const rows = ['1', '2', '3'].map((row) =>
    nodes.table_row.create(null, [cell(`a${row}`), cell(`b${row}`), cell(`c${row}`)]),
  );
  const { steps } = new Transform(openDocx(base).doc).insert(0, nodes.table.create(null, rows));
  return assembleDocx(base, [encodeChange('c', steps[0]!)]).bytes;
}

interface Edited {
  readonly doc: Node;
  readonly changes: readonly string[];
  readonly undo: readonly string[];
}

/** A document after commands on its tables, with the changes that they make and those that take them back. */
export function edited(opened: Node, draws: readonly TableDraw[]): Edited {
  let doc = opened;
  const changes: string[] = [];
  const undo: string[] = [];
  for (const draw of draws) {
    for (const step of tableSteps(doc, draw)) {
      const change = encodeChange('client', step);
      const after = applyChange(doc, change);
      if (typeof after === 'string') throw new Error(`${after}: ${change}`);
      changes.push(change);
      undo.unshift(encodeChange('client', step.invert(doc)));
      doc = after;
    }
  }
  return { doc, changes, undo };
}

/** A list without what is nothing at both of its ends. */
export function withoutEdges<T>(list: readonly T[], isNothing: (one: T) => boolean): T[] {
  const last = list.findLastIndex((one) => !isNothing(one));
  return list.slice(
    Math.max(
      0,
      list.findIndex((one) => !isNothing(one)),
    ),
    last + 1,
  );
}
