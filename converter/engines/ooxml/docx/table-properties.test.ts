import type { Node } from 'prosemirror-model';
import type { Transform } from 'prosemirror-transform';
import { describe, expect, test } from 'vitest';
import { wordSchema } from '../../../../model/word/schema.ts';
import { buildDocx } from '../../../../test/support/docx-fixture.ts';
import { openDocx } from './docx-engine.ts';
import { assembleDocx } from './testing/assemble-docx.ts';
import { blockOf, blocks, edit, positionOf, text } from './testing/docx-edit.ts';

const { nodes } = wordSchema;
const WORD = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';

const cell = (content: string, properties = '') =>
  `<w:tc><w:tcPr><w:tcW w:w="1500" w:type="dxa"/>${properties}<w:noWrap/></w:tcPr><w:p><w:r><w:t>${content}</w:t></w:r></w:p></w:tc>`;
const row = (cells: string, properties = '') =>
  `<w:tr w:rsidR="1"><w:trPr>${properties}<w:cantSplit/></w:trPr>${cells}</w:tr>`;
const table = (rows: string, properties = '<w:tblW w:w="0" w:type="auto"/>') =>
  `<w:tbl><w:tblPr>${properties}</w:tblPr><w:tblGrid><w:gridCol w:w="1500"/><w:gridCol w:w="1500"/></w:tblGrid>${rows}</w:tbl><w:p/>`;
const plain = table(row(cell('a') + cell('b')) + row(cell('c') + cell('d')));
const styles = (...all: string[]) => ({
  'word/styles.xml': `<w:styles xmlns:w="${WORD}">${all.join('')}</w:styles>`,
});
const borders = (line: string) => `<w:tblBorders><w:insideH w:val="${line}"/></w:tblBorders>`;
const style = (id: string, content: string, more = '') =>
  `<w:style w:type="table" w:styleId="${id}"${more}><w:name w:val="${id}"/>${content}</w:style>`;
const STYLES = styles(
  style('Normal', ''),
  style('Lines', `<w:basedOn w:val="Normal"/><w:tblPr>${borders('single')}</w:tblPr>`),
  style('Child', '<w:basedOn w:val="Lines"/>'),
  style('Bare', `<w:basedOn w:val="Lines"/><w:tblPr>${borders('nil')}</w:tblPr>`),
  style('Loop', '<w:basedOn w:val="Loop"/>'),
);

const tableOf = (doc: Node) => blockOf(doc, 'table').node;
const setAll = (type: string, attribute: string, value: unknown) => (tr: Transform) =>
  tr.doc.descendants((node, position) => {
    if (node.type.name === type) tr.setNodeAttribute(position, attribute, value);
  });
const setFirst = (type: string, attribute: string, value: unknown) => (tr: Transform) =>
  tr.setNodeAttribute(blockOf(tr.doc, type).position, attribute, value);

describe('reading', () => {
  test('[TB4] rows and cells say what they look like', () => {
    const body = table(
      row(
        cell('a', '<w:shd w:val="clear" w:color="auto" w:fill="AABBCC"/><w:vAlign w:val="center"/>') +
          cell('b', '<w:shd w:val="pct50" w:color="000000" w:fill="FFFFFF"/><w:vAlign w:val="both"/>'),
        '<w:tblHeader/><w:trHeight w:val="700" w:hRule="exact"/>',
      ) + row(cell('c', '<w:shd w:val="clear" w:fill="auto"/>') + cell('d', '<w:shd w:val="nil"/>')),
      '<w:jc w:val="end"/>',
    );
    const read = tableOf(openDocx(buildDocx({ body })).doc);
    expect(read.attrs).toMatchObject({ style: null, lined: false, align: 'right' });
    expect(read.children.map(({ attrs: { header, height } }) => ({ header, height }))).toEqual([
      { header: true, height: 700 },
      { header: false, height: null },
    ]);
    const looks = read.children.flatMap((one) =>
      one.children.map(({ attrs: { shading, verticalAlign } }) => [shading, verticalAlign]),
    );
    expect(looks).toEqual([
      ['AABBCC', 'center'],
      ['808080', null],
      [null, null],
      [null, null],
    ]);
  });

  test.each([
    ['its own borders', borders('single'), true],
    ['its own borders of nothing', `<w:tblStyle w:val="Lines"/>${borders('none')}`, false],
    ['its style', '<w:tblStyle w:val="Lines"/>', true],
    ['the style that its style is based on', '<w:tblStyle w:val="Child"/>', true],
    ['a style that takes lines away', '<w:tblStyle w:val="Bare"/>', false],
    ['a style that is based on itself', '<w:tblStyle w:val="Loop"/>', false],
    ['an unknown style', '<w:tblStyle w:val="None"/>', false],
  ])('[TB4] a table has lines by %s', (_what, properties, lined) => {
    const bytes = buildDocx({ body: table(row(cell('a')), properties), parts: STYLES });
    expect(tableOf(openDocx(bytes).doc).attrs.lined).toBe(lined);
  });

  test('[TB4] a table has lines by the default style, or by most of its cells', () => {
    const lined = '<w:tcBorders><w:top w:val="single"/></w:tcBorders>';
    const byCells = table(row(cell('a', lined) + cell('b', lined)) + row(cell('c', lined) + cell('d')));
    expect(tableOf(openDocx(buildDocx({ body: byCells })).doc).attrs.lined).toBe(true);
    const parts = styles(style('T', `<w:tblPr>${borders('dotted')}</w:tblPr>`, ' w:default="1"'));
    expect(tableOf(openDocx(buildDocx({ body: plain, parts })).doc).attrs.lined).toBe(true);
    expect(tableOf(openDocx(buildDocx({ body: plain })).doc).attrs.lined).toBe(false);
  });

  test('[TB1] columns that a row leaves out are an empty cell, and stay left out while it is empty', () => {
    const body = table(
      row(cell('late'), '<w:gridBefore w:val="1"/><w:wBefore w:w="1500" w:type="dxa"/>') +
        row(cell('a') + cell('b')) +
        row(cell('short')),
    );
    const { doc } = openDocx(buildDocx({ body }));
    expect(tableOf(doc).children.map(({ childCount }) => childCount)).toEqual([2, 2, 2]);
    const { xml } = edit({ body }, (tr) => tr.insert(positionOf(tr.doc, 'b'), text('X')));
    expect(blocks(xml)).toBe(body.replace('<w:r><w:t>b<', '<w:r><w:t>X</w:t></w:r><w:r><w:t>b<'));
  });

  test('[TB1] text in a column that was left out makes it a cell', () => {
    const left = '<w:gridBefore w:val="1"/><w:wBefore w:w="1500" w:type="dxa"/>';
    const body = table(row(cell('late'), left) + row(cell('a') + cell('b')));
    const { xml, reopened } = edit({ body }, (tr) =>
      tr.insert(blockOf(tr.doc, 'table_cell').position + 2, text('now')),
    );
    const made =
      '<w:tc><w:tcPr><w:tcW w:w="1500" w:type="dxa"/></w:tcPr><w:p><w:r><w:t>now</w:t></w:r></w:p></w:tc>';
    expect(blocks(xml)).toBe(table(row(made + cell('late')) + row(cell('a') + cell('b'))));
    expect(tableOf(reopened.doc).textContent).toBe('nowlateab');
  });

  test('[W9] a table of more columns than a browser can lay out is kept whole', () => {
    const wide = row(cell('a', '<w:gridSpan w:val="63"/>').repeat(5));
    expect(openDocx(buildDocx({ body: table(wide) })).doc.firstChild?.attrs.kind).toBe('w:tbl');
    const skipping = row(cell('a'), '<w:gridBefore w:val="64"/>');
    expect(openDocx(buildDocx({ body: table(skipping) })).doc.firstChild?.attrs.kind).toBe('w:tbl');
  });
});

describe('changing', () => {
  test.each([
    [
      'a shaded cell',
      setFirst('table_cell', 'shading', 'FFCC00'),
      cell('a'),
      cell('a', '<w:shd w:val="clear" w:color="auto" w:fill="FFCC00"/>'),
    ],
    [
      'text at the bottom of a cell',
      setFirst('table_cell', 'verticalAlign', 'bottom'),
      '<w:noWrap/></w:tcPr><w:p><w:r><w:t>a<',
      '<w:noWrap/><w:vAlign w:val="bottom"/></w:tcPr><w:p><w:r><w:t>a<',
    ],
    [
      'a header row',
      setFirst('table_row', 'header', true),
      '<w:cantSplit/></w:trPr>',
      '<w:cantSplit/><w:tblHeader/></w:trPr>',
    ],
    [
      'a higher row',
      setFirst('table_row', 'height', 900),
      '<w:cantSplit/></w:trPr>',
      '<w:cantSplit/><w:trHeight w:val="900"/></w:trPr>',
    ],
    [
      'a centred table',
      setFirst('table', 'align', 'center'),
      '<w:tblW w:w="0" w:type="auto"/>',
      '<w:tblW w:w="0" w:type="auto"/><w:jc w:val="center"/>',
    ],
    [
      'a table of another style',
      setFirst('table', 'style', 'Lines'),
      '<w:tblW w:w="0" w:type="auto"/>',
      '<w:tblStyle w:val="Lines"/><w:tblW w:w="0" w:type="auto"/>',
    ],
    ['a style that the document lacks', setFirst('table', 'style', 'Gone'), '', ''],
    ['lines, which only new tables get', setFirst('table', 'lined', true), '', ''],
  ])('[TB5] %s: only that is written, in the order of the schema', (_what, change, before, after) => {
    const { xml, changed } = edit({ body: plain, parts: STYLES }, change);
    expect(blocks(xml)).toBe(plain.replace(before, after));
    expect(changed).toHaveLength(1);
  });

  test('[TB5] what is taken back leaves no element', () => {
    const shaded = plain
      .replace('<w:noWrap/>', '<w:shd w:val="clear" w:fill="111111" w:themeFill="accent1"/><w:noWrap/>')
      .replace('<w:cantSplit/>', '<w:tblHeader/>')
      .replace('<w:tblW w:w="0" w:type="auto"/>', '<w:jc w:val="right"/>');
    const { xml } = edit({ body: shaded }, (tr) => {
      setAll('table_cell', 'shading', null)(tr);
      setAll('table_row', 'header', false)(tr);
      setAll('table', 'align', null)(tr);
    });
    expect(xml).not.toMatch(/w:shd|w:tblHeader|w:jc/);
    expect(blocks(xml)).toContain('<w:tbl><w:tblPr></w:tblPr><w:tblGrid>');
  });

  test('[TB5] a height keeps its rule', () => {
    const body = table(row(cell('a'), '<w:trHeight w:val="500" w:hRule="exact"/>'));
    const { xml } = edit({ body }, setFirst('table_row', 'height', 600));
    expect(xml).toContain('<w:trHeight w:val="600" w:hRule="exact"/>');
  });

  test('[TB5] a cell over several rows is shaded in each of them', () => {
    const body = table(
      row(cell('a', '<w:vMerge w:val="restart"/>') + cell('b')) + row(cell('', '<w:vMerge/>') + cell('d')),
    );
    const { xml, reopened } = edit({ body }, setFirst('table_cell', 'shading', '00FF00'));
    const shade = '<w:shd w:val="clear" w:color="auto" w:fill="00FF00"/>';
    expect(blocks(xml)).toBe(body.replace(/(<w:vMerge[^>]*>)/g, `$1${shade}`));
    expect(blockOf(reopened.doc, 'table_cell').node.attrs).toMatchObject({ rowspan: 2, shading: '00FF00' });
  });

  test('[TB5] a table whose rows change keeps rows that do not as they lie in the file', () => {
    const pretty = plain.replaceAll('<w:tc>', '\n  <w:tc>');
    const { xml } = edit({ body: pretty }, (tr) => {
      const { node, position } = blockOf(tr.doc, 'table_row');
      tr.delete(position, position + node.nodeSize);
    });
    expect(blocks(xml)).toBe(pretty.replace(/<w:tr [\s\S]*?<\/w:tr>/, ''));
  });

  test('[TB5] a damaged order of properties loses nothing', () => {
    const body = `<w:tbl><w:tblGrid><w:gridCol w:w="900"/></w:tblGrid><w:tblPr><w:jc w:val="left"/></w:tblPr><w:tr>${cell('a')}<w:trPr><w:hidden/></w:trPr></w:tr></w:tbl><w:p/>`;
    const { xml } = edit({ body }, (tr) => {
      setFirst('table', 'align', 'right')(tr);
      setFirst('table_cell', 'shading', '00FF00')(tr);
    });
    expect(blocks(xml)).toBe(
      body
        .replace('"left"', '"right"')
        .replace('<w:noWrap/>', '<w:shd w:val="clear" w:color="auto" w:fill="00FF00"/><w:noWrap/>'),
    );
  });
});

describe('new tables', () => {
  const newTable = (attrs = {}, colwidth: number[] | null = null) =>
    nodes.table.create(
      attrs,
      nodes.table_row.create(null, [
        nodes.table_cell.create({ colwidth }, nodes.paragraph.create(null, text('x'))),
        nodes.table_cell.create({ colwidth }, nodes.paragraph.create(null, text('y'))),
      ]),
    );
  const insert = (node: Node, parts = {}) => edit({ paragraphs: ['p'], parts }, (tr) => tr.insert(0, node));

  test('[TB6] are as wide as the text, with lines and even columns', () => {
    const { xml, reopened } = insert(newTable());
    expect(xml).toContain('<w:tblPr><w:tblW w:w="5000" w:type="pct"/><w:tblBorders><w:top w:val="single"');
    expect(xml).toContain('<w:tblGrid><w:gridCol w:w="4513"/><w:gridCol w:w="4513"/></w:tblGrid>');
    expect(xml).toContain('<w:tc><w:tcPr><w:tcW w:w="4513" w:type="dxa"/></w:tcPr>');
    expect(tableOf(reopened.doc).attrs).toMatchObject({ style: null, lined: true });
  });

  test('[TB6] are as wide as their columns when all say how wide they are', () => {
    const { xml } = insert(newTable({ align: 'center' }, [100]));
    expect(xml).toContain('<w:tblPr><w:tblW w:w="3000" w:type="dxa"/><w:jc w:val="center"/>');
    expect(xml).toContain('<w:tblGrid><w:gridCol w:w="1500"/><w:gridCol w:w="1500"/></w:tblGrid>');
  });

  test.each([
    ['the style for lines that the document has', {}, 'TableNormalGrid', ''],
    ['the style that they name', { style: 'Lines' }, 'Lines', ''],
    ['lines beside a style without', { style: 'Bare' }, 'Bare', 'single'],
    ['no lines beside a style that has them', { style: 'Lines', lined: false }, 'Lines', 'nil'],
    ['neither', { lined: false }, null, ''],
    ['the usual one for a style that is unknown', { style: 'Gone' }, 'TableNormalGrid', ''],
  ])('[TB6] have %s', (_what, attrs, expected, line) => {
    const grid = '<w:style w:type="table" w:styleId="TableNormalGrid"><w:name w:val="Table Grid"/>';
    const lines = `<w:tblPr>${borders('single')}</w:tblPr>`;
    const parts = styles(style('Lines', lines), style('Bare', ''), `${grid}${lines}</w:style>`);
    const { xml, reopened } = insert(newTable(attrs), parts);
    expect(/<w:tblStyle w:val="(\w+)"\/><w:tblW/.exec(xml)?.[1] ?? null).toBe(expected);
    expect(/<w:tblBorders><w:top w:val="(\w+)"/.exec(xml)?.[1] ?? '').toBe(line);
    expect(tableOf(reopened.doc).attrs.lined).toBe((attrs as { lined?: boolean }).lined ?? true);
  });

  test('[TB6] made from another have its properties without tracked changes', () => {
    const tracked = '<w:tblPrChange w:id="1" w:author="A"><w:tblPr/></w:tblPrChange>';
    const body = table(row(cell('a')), `<w:tblCellSpacing w:w="9" w:type="dxa"/>${tracked}`);
    const { xml } = edit({ body }, (tr) => {
      const { id } = tableOf(tr.doc).attrs;
      tr.insert(tr.doc.content.size, newTable({ origin: id }));
    });
    expect(xml.match(/<w:tblPr><w:tblCellSpacing w:w="9" w:type="dxa"\/>/g)).toHaveLength(2);
    expect(xml.match(/w:tblPrChange/g)).toHaveLength(2);
  });

  test('[TB6] say their sides in strict documents as those do', () => {
    const strict = 'http://purl.oclc.org/ooxml';
    const document = `<w:document xmlns:w="${strict}/wordprocessingml/main"><w:body><w:p/></w:body></w:document>`;
    const base = buildDocx({ document });
    const { doc } = openDocx(base);
    expect(doc.firstChild?.type.name).toBe('paragraph');
    const { xml, reopened } = edit({ document }, (tr) => tr.insert(0, newTable({ align: 'right' })));
    expect(xml).toContain('<w:jc w:val="end"/>');
    expect(tableOf(reopened.doc).attrs.align).toBe('right');
    expect(assembleDocx(base, []).changed).toEqual([]);
  });

  test('[TB7] never touch another, as they would be shown as one', () => {
    const twice = edit({ paragraphs: ['p'] }, (tr) => tr.insert(0, [newTable(), newTable()]));
    expect(twice.xml).toContain('</w:tbl><w:p/><w:tbl>');
    const touching = plain.replace('<w:p/>', plain);
    const { xml } = edit({ body: touching }, (tr) => tr.insert(positionOf(tr.doc, 'a'), text('X')));
    expect(xml).toContain('</w:tbl><w:tbl>');
  });
});
