import type { Transform } from 'prosemirror-transform';
import { describe, expect, test } from 'vitest';
import { wordSchema } from '../../../../model/word/schema.ts';
import { buildDocx, type DocxFixture } from '../../../../test/support/docx-fixture.ts';
import { openDocx } from './docx-engine.ts';
import { blocks, edit, positionOf, text } from './testing/docx-edit.ts';

const { marks } = wordSchema;

describe('writing paragraphs and runs', () => {
  const runs =
    '<w:r w:rsidR="1"><w:t>one </w:t></w:r><w:r><w:rPr><w:b/><w:lang w:val="de"/></w:rPr><w:t>two</w:t></w:r><w:r w:rsidR="3"><w:t> three</w:t></w:r>';

  test('[W3] only the run that changed is written anew, with all its properties', () => {
    const { xml } = edit({ body: `<w:p w:rsidP="9">${runs}</w:p>` }, (tr) =>
      tr.insert(positionOf(tr.doc, 'wo'), text('hr', marks.bold.create(), marks.rx.create({ index: 0 }))),
    );
    expect(blocks(xml)).toBe(`<w:p w:rsidP="9">${runs.replace('two', 'thrwo')}</w:p>`);
  });

  test('[W3] new marks go where the schema of the format has them', () => {
    const { xml } = edit({ body: `<w:p>${runs}</w:p>` }, (tr) => {
      const from = positionOf(tr.doc, 'two');
      tr.addMark(from, from + 3, marks.size.create({ halfPoints: 28 })).addMark(
        from,
        from + 3,
        marks.italic.create(),
      );
    });
    expect(xml).toContain('<w:rPr><w:b/><w:i/><w:sz w:val="28"/><w:lang w:val="de"/></w:rPr><w:t>two</w:t>');
  });

  test('[W3] a colour or font with more to it keeps the rest when its mark changes', () => {
    const properties =
      '<w:rFonts w:ascii="A" w:hAnsi="A" w:eastAsia="E"/><w:color w:val="FF0000" w:themeColor="accent1"/>';
    const { xml } = edit(
      { body: `<w:p><w:r><w:rPr>${properties}</w:rPr><w:t>word</w:t></w:r></w:p>` },
      (tr) => {
        tr.addMark(1, 5, marks.font.create({ name: 'B' })).addMark(
          1,
          5,
          marks.color.create({ value: '00FF00' }),
        );
      },
    );
    expect(xml).toContain(
      '<w:rPr><w:rFonts w:ascii="B" w:hAnsi="B" w:eastAsia="E"/><w:color w:val="00FF00"/></w:rPr>',
    );
  });

  test('[W3] paragraph properties are patched among those that the model does not hold', () => {
    const properties =
      '<w:pPr><w:pStyle w:val="Heading1"/><w:tabs><w:tab w:val="left" w:pos="720"/></w:tabs><w:ind w:left="720" w:hanging="360" w:leftChars="3"/><w:outlineLvl w:val="0"/></w:pPr>';
    const { xml, reopened } = edit({ body: `<w:p>${properties}<w:r><w:t>text</w:t></w:r></w:p>` }, (tr) =>
      tr.setNodeAttribute(0, 'align', 'center').setNodeAttribute(0, 'indentLeft', 1440),
    );
    expect(xml).toContain(
      '</w:tabs><w:ind w:left="1440" w:hanging="360"/><w:jc w:val="center"/><w:outlineLvl w:val="0"/></w:pPr><w:r><w:t>text</w:t></w:r>',
    );
    expect(reopened.doc.firstChild?.attrs).toMatchObject({
      align: 'center',
      indentLeft: 1440,
      indentFirst: -360,
    });
  });

  test.each([
    ['an edit of it', (tr: Transform) => tr.insert(positionOf(tr.doc, 'three'), text('and '))],
    ['other properties', (tr: Transform) => tr.setNodeAttribute(0, 'align', 'right')],
  ])(
    '[W3] properties behind content are written before it, and nothing of it is lost: %s',
    (_what, change) => {
      const properties = '<w:pPr><w:keepNext/></w:pPr>';
      const body = `<w:p><w:bookmarkStart w:id="1" w:name="b"/>${runs}${properties}<w:bookmarkEnd w:id="1"/><w:r><w:t>four</w:t></w:r></w:p>`;
      const { xml, reopened } = edit({ body }, change);
      expect(reopened.doc.textContent.replace('and ', '')).toBe('onetwothreefour');
      expect(blocks(xml)).toMatch(
        /^<w:p><w:pPr><w:keepNext\/>(?:<w:jc w:val="right"\/>)?<\/w:pPr><w:bookmarkStart /,
      );
      expect(xml.match(/<w:pPr>/g)).toHaveLength(1);
      expect(xml).toContain('<w:bookmarkEnd w:id="1"/>');
    },
  );

  test('[W8] a split paragraph gives its properties to both, and its identity and section to one', () => {
    const section = '<w:sectPr><w:pgSz w:w="100" w:h="200"/></w:sectPr>';
    const shared = '<w:shd w:val="clear"/><w:jc w:val="right"/>';
    const { xml, reopened } = edit(
      { body: `<w:p w:rsidR="1"><w:pPr>${shared}${section}</w:pPr><w:r><w:t>onetwo</w:t></w:r></w:p>` },
      (tr) => tr.split(positionOf(tr.doc, 'two')),
    );
    expect(blocks(xml)).toBe(
      `<w:p w:rsidR="1"><w:pPr>${shared}</w:pPr><w:r><w:t>one</w:t></w:r></w:p>` +
        `<w:p><w:pPr>${shared}${section}</w:pPr><w:r><w:t>two</w:t></w:r></w:p>`,
    );
    expect(reopened.model().sections).toHaveLength(2);
  });

  test('[W3] one of several equal letters in runs of their own is deleted once', () => {
    const letters =
      '<w:r w:rsidR="1"><w:t>a</w:t></w:r><w:r w:rsidR="2"><w:t>a</w:t></w:r><w:r w:rsidR="3"><w:t>a</w:t></w:r>';
    for (const at of [1, 2, 3]) {
      const { reopened } = edit({ body: `<w:p>${letters}</w:p>` }, (tr) => tr.delete(at, at + 1));
      expect(reopened.doc.textContent).toBe('aa');
    }
  });

  test('[W4] blanks that Word drops are not in the model, and others are', () => {
    const body = '<w:p><w:r><w:t> a  b\n</w:t></w:r><w:r><w:t xml:space="preserve"> c </w:t></w:r></w:p>';
    const { doc } = openDocx(buildDocx({ body }));
    expect(doc.textContent).toBe('a  b c ');
    // Each of them might be the first of those at the end: hours, if all were tried.
    const long = `a${' '.repeat(2_000_000)}b`;
    const blanks = `<w:p><w:r><w:t>${long} </w:t></w:r></w:p>`;
    expect(openDocx(buildDocx({ body: blanks })).doc.textContent === long).toBe(true);
  });

  test('[W4] text that looks like the insides of a program is text', () => {
    const { reopened } = edit({ paragraphs: ['x'] }, (tr) =>
      tr.insert(1, text('constructor __proto__ \u2011\u00ad&<>"')),
    );
    expect(reopened.doc.textContent).toBe('constructor __proto__ \u2011\u00ad&<>"x');
  });

  test('[W4] a document without any paragraph can be written into', () => {
    const empty = edit({ section: '' }, () => undefined);
    expect(Buffer.compare(empty.bytes, empty.base)).toBe(0);
    const { xml, reopened } = edit({ section: '' }, (tr) => tr.insert(1, text('hello')));
    expect(xml).toContain('<w:body><w:p><w:r><w:t>hello</w:t></w:r></w:p></w:body>');
    expect(reopened.doc.textContent).toBe('hello');
  });
});

describe('links, lists and tracked changes', () => {
  test('[W11] a new link gets a relationship, and equal links share it', () => {
    const href = 'https://example.org/?a=1&b="2"';
    const { xml, part, reopened } = edit({ paragraphs: ['one', 'two'] }, (tr) => {
      const link = marks.link.create({ href, tooltip: 'tip' });
      tr.addMark(1, 4, link).addMark(6, 9, link);
    });
    const rels = part('word/_rels/document.xml.rels');
    expect(
      rels.match(
        /Type="[^"]*\/hyperlink" Target="https:\/\/example.org\/\?a=1&amp;b=&quot;2&quot;" TargetMode="External"/g,
      ),
    ).toHaveLength(1);
    expect(xml).toContain('<w:hyperlink r:id="rId2" w:tooltip="tip"><w:r><w:t>one</w:t></w:r></w:hyperlink>');
    expect(reopened.doc.firstChild?.firstChild?.marks[0]?.attrs).toMatchObject({ href, tooltip: 'tip' });
  });

  test('[W3] a link that text is typed into stays one element with all its attributes', () => {
    const link =
      '<w:hyperlink r:id="rId9" w:history="1" w:tgtFrame="_blank"><w:r><w:t>site</w:t></w:r></w:hyperlink>';
    const relationships = [{ id: 'rId9', type: 'hyperlink', target: 'https://example.org/', external: true }];
    const { xml } = edit({ body: `<w:p>${link}</w:p>`, relationships }, (tr) =>
      tr.insert(3, text('X', ...tr.doc.resolve(3).marks())),
    );
    expect(blocks(xml)).toBe(`<w:p>${link.replace('site', 'siXte')}</w:p>`);
  });

  test('[W3] text without the link in the middle of a link divides it', () => {
    const link =
      '<w:hyperlink w:anchor="x" w:history="1"><w:r><w:t>left</w:t></w:r><w:r w:rsidR="7"><w:t>right</w:t></w:r></w:hyperlink>';
    const { reopened, xml } = edit({ body: `<w:p>${link}</w:p>` }, (tr) => tr.insert(5, text('-')));
    expect(reopened.doc.firstChild?.toString()).toBe('paragraph(link("left"), "-", link("right"))');
    expect(xml).toContain('<w:r w:rsidR="7"><w:t>right</w:t></w:r></w:hyperlink></w:p>');
  });

  test('[W11] a new list gets a definition that all its paragraphs share', () => {
    const { xml, part, reopened } = edit({ paragraphs: ['a', 'b', 'c'] }, (tr) => {
      for (const [position, level] of [
        [0, 0],
        [3, 1],
      ] as const) {
        tr.setNodeAttribute(position, 'listId', 'new-bullet-x1').setNodeAttribute(
          position,
          'listLevel',
          level,
        );
      }
      tr.setNodeAttribute(6, 'listId', 'new-decimal-x2');
    });
    expect(xml.match(/<w:numId w:val="1"\/>/g)).toHaveLength(2);
    expect(xml).toContain('<w:numPr><w:ilvl w:val="0"/><w:numId w:val="2"/></w:numPr>');
    expect(part('[Content_Types].xml')).toContain('PartName="/word/numbering.xml"');
    const { lists } = reopened.model();
    expect(lists.map(({ id, levels }) => [id, levels[0]?.format, levels.length])).toEqual([
      ['1', 'bullet', 9],
      ['2', 'decimal', 9],
    ]);
  });

  test('[W11] a new list is added to the definitions that the file has', () => {
    const numbering =
      '<w:numbering xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:abstractNum w:abstractNumId="4"><w:lvl w:ilvl="0"><w:start w:val="3"/><w:numFmt w:val="upperRoman"/><w:lvlText w:val="%1)"/></w:lvl></w:abstractNum><w:num w:numId="6"><w:abstractNumId w:val="4"/></w:num></w:numbering>';
    const fixture: DocxFixture = {
      paragraphs: ['a'],
      parts: { 'word/numbering.xml': numbering },
      relationships: [{ id: 'rId5', type: 'numbering', target: 'numbering.xml' }],
    };
    const { part, xml, reopened } = edit(fixture, (tr) => tr.setNodeAttribute(0, 'listId', 'new-outline-1'));
    expect(part('word/numbering.xml')).toMatch(
      /<\/w:abstractNum><w:abstractNum w:abstractNumId="5">.*<w:num w:numId="6">.*<w:num w:numId="7"><w:abstractNumId w:val="5"\/><\/w:num><\/w:numbering>$/,
    );
    expect(xml).toContain('<w:numId w:val="7"/>');
    expect(reopened.model().lists[0]?.levels[0]).toMatchObject({
      format: 'upperRoman',
      text: '%1)',
      start: 3,
    });
  });

  test('[W12] tracked changes are written as the format has them', () => {
    const { xml, reopened } = edit(
      { body: '<w:p><w:bookmarkStart w:id="41" w:name="b"/><w:r><w:t>keep drop</w:t></w:r></w:p>' },
      (tr) => {
        const from = positionOf(tr.doc, 'drop');
        tr.addMark(from, from + 4, marks.del.create({ author: 'Ann "A"', date: '2024-01-02T03:04:05Z' }));
        tr.insert(from + 4, text('new', marks.ins.create({ author: 'Ben' })));
      },
    );
    expect(xml).toContain(
      '<w:del w:id="42" w:author="Ann &quot;A&quot;" w:date="2024-01-02T03:04:05Z"><w:r><w:delText>drop</w:delText></w:r></w:del>',
    );
    expect(xml).toContain('<w:ins w:id="43" w:author="Ben"><w:r><w:t>new</w:t></w:r></w:ins>');
    expect(reopened.doc.firstChild?.toString()).toBe('paragraph(anchor, "keep ", del("drop"), ins("new"))');
  });
});

describe('opaque content in a tracked deletion', () => {
  test('[W12] has its text named as deleted text is', () => {
    const control =
      '<w:sdt><w:sdtPr><w:dropDownList/></w:sdtPr><w:sdtContent><w:r><w:t>7</w:t></w:r></w:sdtContent></w:sdt>';
    const deleted = control.replaceAll('w:t>', 'w:delText>');
    const body = `<w:p>${control}</w:p><w:p><w:del w:id="1" w:author="A">${deleted}</w:del></w:p>`;
    const { xml } = edit({ body }, (tr) => {
      tr.addMark(1, 2, marks.del.create({ author: 'B' })).removeMark(4, 5, marks.del);
    });
    expect(blocks(xml)).toBe(
      `<w:p><w:del w:id="2" w:author="B">${deleted}</w:del></w:p><w:p>${control}</w:p>`,
    );
  });
});
