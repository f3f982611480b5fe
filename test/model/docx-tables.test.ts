import fc from 'fast-check';
import type { Node } from 'prosemirror-model';
import { EditorState } from 'prosemirror-state';
import { fixTables, TableMap } from 'prosemirror-tables';
import { describe, expect, test } from 'vitest';
import { openDocx } from '../../converter/engines/ooxml/docx/docx-engine.ts';
import { assembleDocx } from '../../converter/engines/ooxml/docx/testing/assemble-docx.ts';
import { wordSchema } from '../../model/word/schema.ts';
import { edited, sources, withoutEdges } from './edited-tables.ts';
import { tableDraw } from './table-edits.ts';

const { nodes } = wordSchema;

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
