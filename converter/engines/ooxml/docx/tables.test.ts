import { Fragment } from 'prosemirror-model';
import { describe, expect, test } from 'vitest';
import { wordSchema } from '../../../../model/word/schema.ts';
import { blockOf, blocks, edit, positionOf, text } from './testing/docx-edit.ts';

const { nodes } = wordSchema;

describe('tables', () => {
  const cell = (content: string, properties = '') =>
    `<w:tc><w:tcPr><w:tcW w:w="1500" w:type="dxa"/>${properties}<w:shd w:val="clear"/></w:tcPr><w:p><w:r><w:t>${content}</w:t></w:r></w:p></w:tc>`;
  const row = (...cells: string[]) =>
    `<w:tr w:rsidR="1"><w:trPr><w:cantSplit/></w:trPr>${cells.join('')}</w:tr>`;
  const table = (...rows: string[]) =>
    `<w:tbl><w:tblPr><w:tblStyle w:val="T"/></w:tblPr><w:tblGrid><w:gridCol w:w="1500"/><w:gridCol w:w="1500"/></w:tblGrid>${rows.join('')}</w:tbl><w:p/>`;
  const simple = table(row(cell('a'), cell('b')), row(cell('c'), cell('d')));
  const newCell = (content: string, attrs = {}) =>
    nodes.table_cell.create(attrs, nodes.paragraph.create(null, text(content)));

  test('[W3] text typed into a cell changes only the paragraph in it', () => {
    const { xml } = edit({ body: simple }, (tr) => tr.insert(positionOf(tr.doc, 'd'), text('X')));
    expect(blocks(xml)).toBe(simple.replace('<w:r><w:t>d<', '<w:r><w:t>X</w:t></w:r><w:r><w:t>d<'));
  });

  test('[W3] properties of a cell behind content stay where they are, and no text is doubled', () => {
    const late = cell('a').replace(/(<w:tcPr>.*<\/w:tcPr>)(<w:p>.*<\/w:p>)/, '$2$1$2');
    const body = table(row(late, cell('b')));
    const { xml } = edit({ body }, (tr) => tr.insert(positionOf(tr.doc, 'a'), text('X')));
    expect(blocks(xml)).toBe(body.replace('<w:r><w:t>a<', '<w:r><w:t>X</w:t></w:r><w:r><w:t>a<'));
  });

  test('[W13] an inserted row takes the properties of the row it is made from', () => {
    const { xml, reopened } = edit({ body: simple }, (tr) => {
      const { node, position } = blockOf(tr.doc, 'table_row');
      const cells = ['e', 'f'].map((content, index) =>
        newCell(content, { origin: node.child(index).attrs.id, colwidth: [100] }),
      );
      tr.insert(position + node.nodeSize, nodes.table_row.create({ origin: node.attrs.id }, cells));
    });
    const inserted = `<w:tr><w:trPr><w:cantSplit/></w:trPr>${cell('e')}${cell('f')}</w:tr>`;
    expect(blocks(xml)).toBe(table(row(cell('a'), cell('b')), inserted, row(cell('c'), cell('d'))));
    expect(reopened.doc.firstChild?.childCount).toBe(3);
  });

  test('[W13] a deleted row leaves the others as they were', () => {
    const { xml } = edit({ body: simple }, (tr) => {
      const { node, position } = blockOf(tr.doc, 'table_row');
      tr.delete(position, position + node.nodeSize);
    });
    expect(blocks(xml)).toBe(table(row(cell('c'), cell('d'))));
  });

  test('[W13] a new column gets a width in the grid', () => {
    const { xml, reopened } = edit({ body: simple }, (tr) => {
      const rows: number[] = [];
      tr.doc.descendants((node, position) => {
        if (node.type.name === 'table_row') rows.push(position + node.nodeSize - 1);
      });
      for (const end of rows.reverse()) tr.insert(end, newCell('new', { colwidth: [60] }));
    });
    expect(xml).toContain('<w:gridCol w:w="1500"/><w:gridCol w:w="1500"/><w:gridCol w:w="900"/></w:tblGrid>');
    expect(reopened.doc.firstChild?.firstChild?.lastChild?.attrs.colwidth).toEqual([60]);
  });

  test('[W13] a resized column changes the grid and the width of its cells, and no other', () => {
    const { xml } = edit({ body: simple }, (tr) => {
      tr.doc.descendants((node, position, parent) => {
        if (node.type.name === 'table_cell' && node === parent?.firstChild) {
          tr.setNodeAttribute(position, 'colwidth', [50]);
        }
      });
    });
    const width = (twips: number) => `<w:tcW w:w="${twips}" w:type="dxa"/>`;
    expect(xml).toContain('<w:tblGrid><w:gridCol w:w="750"/><w:gridCol w:w="1500"/></w:tblGrid>');
    expect([...xml.matchAll(/<w:tcW [^>]*>/g)].map(([tag]) => tag)).toEqual([
      width(750),
      width(1500),
      width(750),
      width(1500),
    ]);
  });

  test('[W13] cells merged downwards and sideways are merged in the file', () => {
    const { xml, reopened } = edit({ body: simple }, (tr) => {
      const first = blockOf(tr.doc, 'table_row');
      tr.setNodeAttribute(first.position + 1, 'rowspan', 2);
      const second = tr.doc.resolve(first.position + first.node.nodeSize + 1);
      tr.delete(second.pos, second.pos + second.nodeAfter!.nodeSize);
    });
    expect(xml.match(/<w:vMerge w:val="restart"\/>/g)).toHaveLength(1);
    expect(xml.match(/<w:vMerge\/><w:shd w:val="clear"\/><\/w:tcPr><w:p\/>/g)).toHaveLength(1);
    const [top, bottom] = [reopened.doc.firstChild!.child(0), reopened.doc.firstChild!.child(1)];
    expect([top.firstChild?.attrs.rowspan, top.childCount, bottom.childCount]).toEqual([2, 2, 1]);
  });

  test('[W13] a cell over three rows has two lower parts', () => {
    const { xml, reopened } = edit({ paragraphs: ['x'] }, (tr) => {
      const rows = [[newCell('tall', { rowspan: 3 }), newCell('1')], [newCell('2')], [newCell('3')]];
      tr.insert(
        0,
        nodes.table.create(
          null,
          rows.map((cells) => nodes.table_row.create(null, cells)),
        ),
      );
    });
    expect(xml.match(/<w:vMerge\/>/g)).toHaveLength(2);
    expect(blockOf(reopened.doc, 'table_cell').node.attrs.rowspan).toBe(3);
  });

  test('[W13] cells that span rows read as such and keep their lower parts', () => {
    const merged = table(
      row(cell('a', '<w:vMerge w:val="restart"/>'), cell('b')),
      row(cell('', '<w:vMerge/>'), cell('d')),
    );
    const { xml } = edit({ body: merged }, (tr) => {
      expect(blockOf(tr.doc, 'table_cell').node.attrs.rowspan).toBe(2);
      tr.insert(positionOf(tr.doc, 'd'), text('X'));
    });
    expect(blocks(xml)).toBe(merged.replace('<w:r><w:t>d<', '<w:r><w:t>X</w:t></w:r><w:r><w:t>d<'));
  });

  test('[W13] a new table has borders, and a cell that ends in one gets its last paragraph', () => {
    const inner = nodes.table.create(null, nodes.table_row.create(null, newCell('inner')));
    const outer = nodes.table.create(
      null,
      nodes.table_row.create(null, nodes.table_cell.create(null, Fragment.from(inner))),
    );
    const { xml, reopened } = edit({ paragraphs: ['x'] }, (tr) => tr.insert(0, outer));
    expect(xml).toContain('<w:tblBorders>');
    expect(xml).toContain('</w:tbl><w:p/></w:tc>');
    expect(reopened.doc.firstChild?.textContent).toBe('inner');
  });
});
