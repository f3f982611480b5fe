import { Transform } from 'prosemirror-transform';
import { describe, expect, it } from 'vitest';
import { docxEngine, openDocx } from '../../converter/engines/ooxml/docx/docx-engine.ts';
import { blocks, edit, positionOf } from '../../converter/engines/ooxml/docx/testing/docx-edit.ts';
import { encodeChange } from '../../model/word/change.ts';
import { wordSchema } from '../../model/word/schema.ts';
import { ownDocuments } from '../corpus/own-documents.ts';

const { marks, nodes } = wordSchema;
const run = (text: string) => `<w:r><w:t>${text}</w:t></w:r>`;
const paragraph = (content: string, properties = '') =>
  `<w:p>${properties && `<w:pPr>${properties}</w:pPr>`}${content}</w:p>`;

/** The properties of a file's only paragraph after attributes of it were changed. */
function changed(properties: string, attributes: Record<string, unknown>): string {
  const { xml } = edit({ body: paragraph(run('one'), properties) }, (tr) => {
    for (const [name, value] of Object.entries(attributes)) tr.setNodeAttribute(0, name, value);
  });
  return /<w:pPr>(.*?)<\/w:pPr>/.exec(xml)?.[1] ?? '';
}

describe('blanks that a file has between its elements', () => {
  const cell = (text: string) => `<w:tc>\n <w:tcPr/>\t<w:p>${run(text)}</w:p>\n\n<w:p/>\n</w:tc>`;
  const body = [
    `${paragraph(run('one'))}\n\n  `,
    `<!-- two -->${paragraph(run('two'))}\r\n`,
    `<w:tbl> <w:tblPr/> <w:tblGrid><w:gridCol w:w="3000"/> <w:gridCol w:w="3000"/></w:tblGrid>\n<w:tr>  ${cell('three')} ${cell('four')} </w:tr>\n <!-- row --> <w:tr>${cell('five')}\t${cell('six')}</w:tr> </w:tbl>\n\n`,
    paragraph(run('seven')),
  ];

  it.each(['one', 'two', 'three', 'four', 'five', 'six', 'seven'])(
    '[W3] stay where “%s” is changed',
    (word) => {
      const { xml } = edit({ body: body.join('') }, (tr) =>
        tr.insert(positionOf(tr.doc, word), wordSchema.text('+')),
      );
      expect(blocks(xml)).toBe(body.join('').replace(run(word), run('+') + run(word)));
    },
  );

  it('[W3] go with a block that is taken out, and those between others stay', () => {
    const { xml } = edit({ body: body.join('') }, (tr) => tr.delete(5, 10));
    expect(blocks(xml)).toBe(body[0]!.trimEnd() + body[2]! + body[3]!);
  });
});

describe('a changed distance or indent', () => {
  const automatic =
    '<w:spacing w:before="100" w:beforeAutospacing="1" w:after="100" w:afterAutospacing="1" w:line="300" w:lineRule="auto"/>';
  const inLines =
    '<w:spacing w:before="240" w:beforeLines="100" w:after="240" w:afterLines="100" w:line="300" w:lineRule="auto"/>';
  it.each([
    ['before', 'automatic', automatic, 'w:before="60" w:after="100" w:afterAutospacing="1"'],
    ['after', 'automatic', automatic, 'w:before="100" w:beforeAutospacing="1" w:after="60"'],
    ['before', 'in lines', inLines, 'w:before="60" w:after="240" w:afterLines="100"'],
    ['after', 'in lines', inLines, 'w:before="240" w:beforeLines="100" w:after="60"'],
  ])('[GU1] %s the paragraph ends one that is %s, and no other', (side, _kind, properties, expected) => {
    const attribute = side === 'before' ? 'spaceBefore' : 'spaceAfter';
    expect(changed(properties, { [attribute]: 60 })).toBe(
      `<w:spacing ${expected} w:line="300" w:lineRule="auto"/>`,
    );
  });

  const inCharacters =
    '<w:ind w:left="420" w:leftChars="200" w:right="210" w:rightChars="100" w:firstLine="420" w:firstLineChars="200"/>';
  const hanging = '<w:ind w:left="420" w:leftChars="200" w:hanging="210" w:hangingChars="100"/>';
  const sides = 'w:left="420" w:leftChars="200"';
  it.each([
    ['indentFirst', 300, inCharacters, `${sides} w:right="210" w:rightChars="100" w:firstLine="300"`],
    ['indentFirst', -300, inCharacters, `${sides} w:right="210" w:rightChars="100" w:hanging="300"`],
    ['indentFirst', null, inCharacters, `${sides} w:right="210" w:rightChars="100"`],
    ['indentFirst', 300, hanging, `${sides} w:firstLine="300"`],
    ['indentLeft', 300, hanging, 'w:left="300" w:hanging="210" w:hangingChars="100"'],
    ['indentRight', 300, inCharacters, `${sides} w:right="300" w:firstLine="420" w:firstLineChars="200"`],
  ])('[GU1] of characters is one of length: %s %s', (attribute, value, properties, expected) => {
    expect(changed(properties, { [attribute]: value })).toBe(`<w:ind ${expected}/>`);
  });
});

describe('the tracked change of a paragraph’s properties', () => {
  const change =
    '<w:pPrChange w:id="7" w:author="Ann" w:date="2026-05-03T10:00:00Z"><w:pPr><w:keepNext/></w:pPr></w:pPrChange>';
  const body = paragraph(run('one two'), `<w:jc w:val="center"/>${change}`) + paragraph(run('last'));

  it('[GU2] stays with its paragraph when that is split, and the new one has the properties alone', () => {
    const { xml } = edit({ body }, (tr) =>
      tr.split(4, 1, [
        { type: nodes.paragraph, attrs: { ...tr.doc.firstChild!.attrs, id: null, origin: 'p0' } },
      ]),
    );
    const [first, second] = blocks(xml).split('</w:p>');
    expect(first).toContain(`<w:jc w:val="center"/>${change}`);
    expect(second).toContain('<w:pPr><w:jc w:val="center"/></w:pPr>');
  });

  it('[GU2] is not in a copy of the paragraph', () => {
    const { xml } = edit({ body }, (tr) => {
      const copy = nodes.paragraph.create(
        { ...tr.doc.firstChild!.attrs, id: null, origin: 'p0' },
        wordSchema.text('copy'),
      );
      return tr.insert(tr.doc.content.size, copy);
    });
    expect(xml.match(/<w:pPrChange/g)).toHaveLength(1);
    expect(blocks(xml)).toContain(
      '<w:p><w:pPr><w:jc w:val="center"/></w:pPr><w:r><w:t>copy</w:t></w:r></w:p>',
    );
  });
});

describe('a text box among words that are tracked as deleted', () => {
  const MC = 'http://schemas.openxmlformats.org/markup-compatibility/2006';
  const boxed = (content: string) =>
    `<mc:AlternateContent xmlns:mc="${MC}"><mc:Choice Requires="wps"><w:r><w:pict><v:shape xmlns:v="urn:schemas-microsoft-com:vml"><v:textbox><w:txbxContent>${paragraph(content)}</w:txbxContent></v:textbox></v:shape></w:pict></w:r></mc:Choice></mc:AlternateContent>`;
  const removed = '<w:r><w:delText>gone</w:delText></w:r>';
  const del = '<w:del w:id="3" w:author="Ann" w:date="2026-05-03T10:00:00Z">';

  it('[GU3] keeps its words when it is deleted', () => {
    const { xml } = edit({ body: paragraph(run('one') + boxed(run('in it')) + run('two')) }, (tr) =>
      tr.addMark(0, tr.doc.content.size, marks.del.create({ author: 'Ben' })),
    );
    expect(xml).toContain(boxed(run('in it')));
    expect(xml.match(/<w:delText>/g)).toHaveLength(2);
  });

  it('[GU3] keeps what is deleted in it when its own deletion is taken back', () => {
    const inner = boxed(`${run('in it')}${del.replace('3', '4')}${removed}</w:del>`);
    const { xml } = edit({ body: paragraph(`${del}${removed}${inner}</w:del>`) }, (tr) =>
      tr.removeMark(0, tr.doc.content.size, marks.del),
    );
    expect(xml).toContain(inner);
    expect(xml.match(/<w:delText>/g)).toHaveLength(1);
  });
});

describe('a control that is bound to data', () => {
  const [, bytes] = ownDocuments.find(([name]) => name === 'controls bound to data')!;

  it('[FD43] keeps all of its text where a link parts it', () => {
    const { doc } = openDocx(bytes);
    const from = positionOf(doc, 'Petrel');
    const link = marks.link.create({ href: 'https://example.org/' });
    const [step] = new Transform(doc).addMark(from, from + 3, link).steps;
    const log = { checkpoint: null, changes: [encodeChange('client', step!)], wantsCheckpoint: false };
    const saved = openDocx(docxEngine.assemble(bytes, log, {}).bytes).doc;
    expect(saved.firstChild!.textContent).toBe('Name: Petrel');
  });
});
