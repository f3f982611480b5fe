import fc from 'fast-check';
import type { Node } from 'prosemirror-model';
import { expect, test } from 'vitest';
import { openDocx } from '../../converter/engines/ooxml/docx/docx-engine.ts';
import { assembleDocx } from '../../converter/engines/ooxml/docx/testing/assemble-docx.ts';
import { wordSchema } from '../../model/word/schema.ts';
import { hasLibreOffice, readWithLibreOffice, withoutRuns } from '../support/libreoffice.ts';
import { edited, sources, withoutEdges } from './edited-tables.ts';
import { tableDraw } from './table-edits.ts';

const { nodes } = wordSchema;

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
