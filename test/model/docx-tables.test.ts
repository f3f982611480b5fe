import fc from 'fast-check';
import type { Node } from 'prosemirror-model';
import { EditorState } from 'prosemirror-state';
import { fixTables, TableMap } from 'prosemirror-tables';
import { Transform } from 'prosemirror-transform';
import { describe, expect, test } from 'vitest';
import { openDocx } from '../../converter/engines/ooxml/docx/docx-engine.ts';
import { assembleDocx } from '../../converter/engines/ooxml/docx/testing/assemble-docx.ts';
import { applyChange, encodeChange } from '../../model/word/change.ts';
import { wordSchema } from '../../model/word/schema.ts';
import { corpusDocuments } from '../support/corpus.ts';
import { buildDocx } from '../support/docx-fixture.ts';
import { hasLibreOffice, readWithLibreOffice, withoutRuns } from '../support/libreoffice.ts';
import { type TableDraw, tableDraw, tableSteps } from './table-edits.ts';
import { TABLES } from './tables.ts';

const { nodes } = wordSchema;

const sources: (readonly [name: string, bytes: Uint8Array])[] = [
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

function edited(opened: Node, draws: readonly TableDraw[]): Edited {
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

/**
 * What must be the same after writing and reading: no ids, no widths, no hints, no blank cells at
 * the edges, where rows may leave out columns, and no empty paragraphs that the format wants after tables.
 * @param newStyle the style that a new table gets
 */
function looks(node: Node, newStyle: string | null): unknown {
  if (node.isTextblock) return node.textBetween(0, node.content.size, '', '*');
  const { id, origin: _origin, colwidth: _colwidth, lined: _lined, ...attrs } = node.attrs;
  const style = node.type === nodes.table ? { style: id === null ? newStyle : attrs.style } : {};
  const children = node.type === nodes.table_row ? withoutEdges(node.children, isBlank) : node.children;
  const content = children
    .filter((child, index) => !isEmpty(child) || children[index - 1]?.type !== nodes.table)
    .map((child) => looks(child, newStyle));
  return { type: node.type.name, ...attrs, ...style, content };
}

function withoutEdges<T>(list: readonly T[], isNothing: (one: T) => boolean): T[] {
  const last = list.findLastIndex((one) => !isNothing(one));
  return list.slice(
    Math.max(
      0,
      list.findIndex((one) => !isNothing(one)),
    ),
    last + 1,
  );
}

function isBlank({ attrs, childCount, firstChild }: Node): boolean {
  const { rowspan, shading, verticalAlign } = attrs;
  const plain = rowspan === 1 && shading === null && verticalAlign === null;
  return plain && childCount === 1 && isEmpty(firstChild!);
}

function isEmpty(block: Node): boolean {
  return block.isTextblock && block.childCount === 0;
}

function problemsOf(doc: Node): string[] {
  const problems: string[] = [];
  doc.descendants((node) => {
    if (node.type === nodes.table)
      problems.push(...(TableMap.get(node).problems ?? []).map(({ type }) => type));
  });
  return problems;
}

describe.each(sources)('%s', (_name, bytes) => {
  const source = openDocx(bytes);
  const { doc: opened } = source;
  const newStyle = source.model().styles.find(({ name }) => name === 'Table Grid')?.id ?? null;

  test('[TB1] its tables are rectangles in which prosemirror-tables finds nothing to mend', () => {
    expect(problemsOf(opened)).toEqual([]);
    expect(fixTables(EditorState.create({ doc: opened }))).toBeUndefined();
  });

  test('[TB2] any sequence of table commands is written to a file that reopens to the same tables', () => {
    fc.assert(
      fc.property(fc.array(tableDraw, { maxLength: 15 }), (draws) => {
        const { doc, changes } = edited(opened, draws);
        const { bytes: saved, skipped } = assembleDocx(bytes, changes);
        expect(skipped).toEqual([]);
        const reopened = openDocx(saved).doc;
        expect(looks(reopened, newStyle)).toEqual(looks(doc, newStyle));
        expect(problemsOf(reopened)).toEqual([]);
      }),
      { numRuns: 40 },
    );
  });

  test('[W4] undoing table commands gives back the bytes', () => {
    fc.assert(
      fc.property(fc.array(tableDraw, { maxLength: 8 }), (draws) => {
        const { changes, undo } = edited(opened, draws);
        const { bytes: saved } = assembleDocx(bytes, [...changes, ...undo]);
        expect(Buffer.compare(saved, bytes)).toBe(0);
      }),
      { numRuns: 15 },
    );
  });
});

test.skipIf(!hasLibreOffice)(
  '[TB3] what table commands leave opens in LibreOffice with the same cells',
  async () => {
    const cases = sources.flatMap(([, bytes], seed) => {
      const { doc: opened } = openDocx(bytes);
      if (hasOpaque(opened)) return [];
      return fc
        .sample(fc.array(tableDraw, { minLength: 6, maxLength: 15 }), { seed, numRuns: 6 })
        .map((draws) => {
          const { doc, changes } = edited(opened, draws);
          return { doc, saved: assembleDocx(bytes, changes).bytes };
        });
    });
    const read = await readWithLibreOffice(cases.map(({ saved }) => saved));
    for (const [index, { doc }] of cases.entries())
      expect(rowsOf(read[index]!.tables)).toEqual(rowsOf(cellTexts(doc)));
  },
  300_000,
);

/** What LibreOffice shows of fields and the like is no text of the model. */
function hasOpaque(doc: Node): boolean {
  let found = false;
  doc.descendants(({ type }) => {
    found ||= type === nodes.opaque_inline || type === nodes.opaque_block;
  });
  return found;
}

/** Rows without empty cells at both sides: LibreOffice has some where rows leave out columns. It joins tables that touch. */
function rowsOf(tables: string[][][]): string[][] {
  return tables.flat().map((row) => withoutEdges(row, (text) => text === ''));
}

/** Texts of the cells of each table that is not inside another, by row. */
function cellTexts(doc: Node): string[][][] {
  const tables: string[][][] = [];
  doc.descendants((node) => {
    if (node.type !== nodes.table) return !node.isTextblock;
    tables.push(
      node.children.map((row) =>
        row.children.map((cell) => {
          const texts: string[] = [];
          cell.descendants((block) => {
            if (block.isTextblock) texts.push(withoutRuns(block.textBetween(0, block.content.size)));
            return !block.isTextblock;
          });
          return texts.filter((text) => text !== '').join(' ');
        }),
      ),
    );
    return false;
  });
  return tables;
}
