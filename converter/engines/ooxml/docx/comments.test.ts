import { strFromU8, unzipSync } from 'fflate';
import type { Node } from 'prosemirror-model';
import { Transform } from 'prosemirror-transform';
import { describe, expect, test } from 'vitest';
import { encodeChange } from '../../../../model/word/change.ts';
import { wordSchema } from '../../../../model/word/schema.ts';
import { buildDocx } from '../../../../test/support/docx-fixture.ts';
import { openDocx } from './docx-engine.ts';
import { assembleDocx } from './testing/assemble-docx.ts';
import { commented, commentParagraph, commentXml, withComments } from './testing/comment-fixture.ts';
import { blockOf, blocks, edit, positionOf } from './testing/docx-edit.ts';

const { nodes, marks } = wordSchema;
const DATE = '2025-01-02T03:04:05Z';

const anchor = (kind: 'Start' | 'End', ref: string) =>
  nodes.anchor.create({ kind: `commentRange${kind}`, ref });
const newComment = (ref: string, text: string, more = {}) =>
  nodes.comment.create({ ref, author: 'Ben', initials: 'B', date: DATE, text, ...more });

/** Comments on a stretch of text as an editor does. */
function comment(tr: Transform, on: string, node: Node): void {
  const from = positionOf(tr.doc, on);
  tr.insert(from + on.length, [anchor('End', node.attrs.ref), node]);
  tr.insert(from, anchor('Start', node.attrs.ref));
}

function commentsOf(doc: Node): Node[] {
  const found: Node[] = [];
  doc.descendants((node) => {
    if (node.type === nodes.comment) found.push(node);
  });
  return found;
}

const THREAD = withComments([
  { id: '4', paragraphs: ['first line', 'second &amp; last'], paraId: '10000001' },
  { id: '5', paragraphs: ['an answer'], paraId: '10000002', parent: '10000001' },
  { id: '6', paragraphs: ['resolved'], paraId: '10000003', done: true },
]);
const THREAD_BODY = `<w:p><w:commentRangeStart w:id="4"/><w:commentRangeStart w:id="5"/><w:r><w:t>about</w:t></w:r><w:commentRangeEnd w:id="4"/><w:r><w:commentReference w:id="4"/></w:r><w:commentRangeEnd w:id="5"/><w:r><w:commentReference w:id="5"/></w:r><w:r><w:t>rest</w:t></w:r></w:p>${commented('6', 'done')}`;
const thread = { ...THREAD, body: THREAD_BODY };

describe('comments of a file', () => {
  test('[CT1] are nodes where their references stand, with text, author, answers and whether they are resolved', () => {
    const { doc } = openDocx(buildDocx(thread));
    expect(doc.toString()).toBe(
      'doc(paragraph(anchor, anchor, "about", anchor, comment, anchor, comment, "rest"), paragraph(anchor, "done", anchor, comment))',
    );
    const common = { author: 'Ann', initials: 'A', date: '2024-05-06T07:08:09Z' };
    const text = 'first line\nsecond & last';
    expect(commentsOf(doc).map(({ attrs }) => ({ ...attrs, id: null }))).toEqual([
      { ...common, id: null, ref: '4', parent: null, text, done: false },
      { ...common, id: null, ref: '5', parent: '4', text: 'an answer', done: false },
      { ...common, id: null, ref: '6', parent: null, text: 'resolved', done: true },
    ]);
    expect(doc.firstChild?.firstChild?.attrs).toMatchObject({ kind: 'commentRangeStart', ref: '4' });
  });

  test('[CT1] have the text that they show: tabs, breaks and links, but no properties and nothing deleted', () => {
    const content =
      '<w:p><w:pPr><w:rPr><w:b/></w:rPr></w:pPr><w:r><w:t>a</w:t><w:tab/><w:t>b</w:t><w:br/></w:r><w:hyperlink><w:r><w:t>link</w:t></w:r></w:hyperlink><w:del w:id="9" w:author="A"><w:r><w:delText>gone</w:delText></w:r></w:del></w:p>';
    const fixture = withComments([{ id: '0', paragraphs: [] }]);
    const parts = {
      'word/comments.xml': String(fixture.parts?.['word/comments.xml']).replace(
        '</w:comment>',
        `${content}</w:comment>`,
      ),
    };
    const { doc } = openDocx(buildDocx({ ...fixture, parts, body: commented('0', 'x') }));
    expect(commentsOf(doc)[0]?.attrs.text).toBe('a\tb\nlink');
  });

  test('[CT2] without an entry, or named twice, are opaque and stay', () => {
    const fixture = withComments([{ id: '1', paragraphs: ['one'] }]);
    const body = `${commented('1', 'a')}${commented('1', 'b')}${commented('7', 'c')}`;
    const { xml, reopened } = edit({ ...fixture, body }, (tr) => tr.insert(2, wordSchema.text('x')));
    expect(reopened.doc.toString()).toBe(
      'doc(paragraph(anchor, "xa", anchor, comment), paragraph(anchor, "b", anchor, opaque_inline), paragraph(anchor, "c", anchor, opaque_inline))',
    );
    expect(xml.match(/<w:commentReference/g)).toHaveLength(3);
    expect(xml.match(/<w:commentRange/g)).toHaveLength(6);
  });

  test.each([
    ['are not XML', '<w:comments'],
    ['are of another vocabulary', '<c:comments xmlns:c="urn:c"><c:comment/></c:comments>'],
  ])('[CT2] in a part whose contents %s leave a document that opens', (_what, part) => {
    const parts = { 'word/comments.xml': part };
    const fixture = { ...withComments([]), parts, body: commented('3', 'text') };
    expect(openDocx(buildDocx(fixture)).doc.toString()).toBe(
      'doc(paragraph(anchor, "text", anchor, opaque_inline))',
    );
    const { reopened, part: partText } = edit(fixture, (tr) => comment(tr, 'ex', newComment('n', 'new')));
    expect(commentsOf(reopened.doc).map(({ attrs }) => [attrs.ref, attrs.text])).toEqual([['4', 'new']]);
    expect(partText('word/comments.xml').includes('<c:comment/>')).toBe(part.includes('<c:comment/>'));
  });

  test('[CT2] that answer each other in a circle are comments', () => {
    const fixture = withComments([
      { id: '1', paragraphs: ['one'], paraId: '10000001', parent: '10000002' },
      { id: '2', paragraphs: ['two'], paraId: '10000002', parent: '10000001' },
    ]);
    const { doc } = openDocx(buildDocx({ ...fixture, body: commented('1', 'a') + commented('2', 'b') }));
    expect(commentsOf(doc).map(({ attrs }) => attrs.parent)).toEqual(['2', null]);
  });
});

describe('changes of comments', () => {
  test('[CT3] an edit elsewhere leaves every part of the comments as it was', () => {
    const base = buildDocx(thread);
    const { parts } = edit(thread, (tr) => tr.insert(positionOf(tr.doc, 'rest'), wordSchema.text('x')));
    for (const [name, bytes] of Object.entries(unzipSync(base))) {
      if (name !== 'word/document.xml') expect(Buffer.compare(parts[name]!, bytes), name).toBe(0);
    }
  });

  test('[CT3] another text rewrites the paragraphs that differ, and nothing of the document', () => {
    const { xml, part, changed, base } = edit(thread, (tr) =>
      tr.setNodeAttribute(blockOf(tr.doc, 'comment').position, 'text', 'first line\nnew & better\nend'),
    );
    expect(xml).toBe(strFromU8(unzipSync(base)['word/document.xml']!));
    expect(part('word/comments.xml')).toContain(
      `${commentParagraph('first line')}<w:p><w:r><w:t>new &amp; better</w:t></w:r></w:p><w:p w14:paraId="10000001"><w:r><w:t>end</w:t></w:r></w:p></w:comment>`,
    );
    expect(changed).toEqual(['comment 4: first line new & better end']);
  });

  test('[CT3] a text that loses its last paragraph keeps the id by which its answers know it', () => {
    const { part, reopened } = edit(thread, (tr) =>
      tr.setNodeAttribute(blockOf(tr.doc, 'comment').position, 'text', 'first line'),
    );
    expect(part('word/comments.xml')).toContain(commentParagraph('first line', '10000001'));
    expect(commentsOf(reopened.doc).map(({ attrs }) => attrs.parent)).toEqual([null, '4', null]);
  });

  test('[CT3] resolving one and opening another again changes these two states', () => {
    const { part, xml, base } = edit(thread, (tr) => {
      tr.setNodeAttribute(positionOf(tr.doc, 'rest') - 1, 'done', true);
      tr.setNodeAttribute(tr.doc.content.size - 2, 'done', false);
    });
    const states = strFromU8(unzipSync(base)['word/commentsExtended.xml']!)
      .replace('w15:paraId="10000003" w15:done="1"', 'w15:paraId="10000003" w15:done="0"')
      .replace('w15:paraIdParent="10000001" w15:done="0"', 'w15:paraIdParent="10000001" w15:done="1"');
    expect(part('word/commentsExtended.xml')).toBe(states);
    expect(xml).toBe(strFromU8(unzipSync(base)['word/document.xml']!));
  });

  test('[CT3] resolving a comment of a file that knows no states gives it an id and the part', () => {
    const fixture = { ...withComments([{ id: '0', paragraphs: ['one'] }]), body: commented('0', 'text') };
    const { part, reopened } = edit(fixture, (tr) =>
      tr.setNodeAttribute(blockOf(tr.doc, 'comment').position, 'done', true),
    );
    expect(part('word/comments.xml')).toContain('mc:Ignorable="w14"');
    expect(part('word/comments.xml')).toContain('<w:p w14:paraId="00000001">');
    expect(part('word/commentsExtended.xml')).toContain(
      '<w15:commentEx w15:paraId="00000001" w15:done="1"/>',
    );
    expect(part('[Content_Types].xml')).toContain('PartName="/word/commentsExtended.xml"');
    expect(commentsOf(reopened.doc)[0]?.attrs).toMatchObject({ text: 'one', done: true });
  });

  test('[CT4] a deleted comment leaves neither ranges nor entries', () => {
    const { xml, part } = edit(thread, (tr) => {
      const { position } = blockOf(tr.doc, 'comment');
      tr.delete(position, position + 1);
    });
    expect(xml).not.toMatch(/<w:comment\w+ w:id="4"\/>/);
    expect(xml.match(/<w:comment\w+ w:id="5"\/>/g)).toHaveLength(3);
    expect(part('word/comments.xml')).not.toContain('w:id="4"');
    expect(part('word/commentsExtended.xml')).not.toContain('10000001');
    expect(part('word/commentsIds.xml')).not.toContain('10000001');
    expect(part('word/commentsExtensible.xml')).not.toContain('D0000001');
    expect(part('word/commentsExtensible.xml')).toContain('D0000002');
  });

  test('[CT4] a comment whose text is deleted with its paragraph goes from other paragraphs, too', () => {
    const body =
      '<w:p><w:commentRangeStart w:id="0"/><w:r><w:t>from</w:t></w:r></w:p><w:p><w:r><w:t>to</w:t></w:r><w:commentRangeEnd w:id="0"/><w:r><w:commentReference w:id="0"/></w:r></w:p>';
    const fixture = { ...withComments([{ id: '0', paragraphs: ['one'] }]), body };
    const { xml } = edit(fixture, (tr) => tr.delete(tr.doc.firstChild!.nodeSize, tr.doc.content.size));
    expect(blocks(xml)).toBe('<w:p><w:r><w:t>from</w:t></w:r></w:p>');
  });

  test('[CT4] a deleted comment takes ends of its range between paragraphs with it', () => {
    const text = '<w:p><w:r><w:t>text</w:t></w:r></w:p>';
    const reference = '<w:r><w:commentReference w:id="0"/></w:r>';
    const body = `<w:commentRangeStart w:id="0"/>${text}<w:commentRangeEnd w:id="0"/><w:p>${reference}</w:p>`;
    const fixture = { ...withComments([{ id: '0', paragraphs: ['one'] }]), body };
    const { xml } = edit(fixture, (tr) => {
      const { position } = blockOf(tr.doc, 'comment');
      tr.delete(position, position + 1);
    });
    expect(blocks(xml)).toBe(`${text}<w:p></w:p>`);
    expect(blocks(edit(fixture, (tr) => tr.insert(2, wordSchema.text('x'))).xml)).toBe(
      body.replace('<w:r><w:t>text', '<w:r><w:t>x</w:t></w:r><w:r><w:t>text'),
    );
  });

  test('[CT5] half of a range is never written, but what the file has of halves stays', () => {
    const half = '<w:p><w:commentRangeStart w:id="9"/><w:r><w:t>stray</w:t></w:r></w:p>';
    const fixture = {
      ...withComments([{ id: '0', paragraphs: ['one'] }]),
      body: commented('0', 'text') + half,
    };
    const { xml } = edit(fixture, (tr) => tr.delete(1, 3).insert(1, anchor('End', '0')));
    expect(blocks(xml)).toBe(
      `<w:p><w:r><w:t>ext</w:t></w:r><w:r><w:commentReference w:id="0"/></w:r></w:p>${half}`,
    );
  });

  test('[CT6] a copy of a comment is left out, and the first one stays', () => {
    const fixture = { ...withComments([{ id: '0', paragraphs: ['one'] }]), body: commented('0', 'text') };
    const { xml, reopened } = edit(fixture, (tr) => tr.insert(tr.doc.content.size, tr.doc.firstChild!));
    expect(blocks(xml)).toBe(`${commented('0', 'text')}<w:p><w:r><w:t>text</w:t></w:r></w:p>`);
    expect(commentsOf(reopened.doc)).toHaveLength(1);
  });
});

describe('new comments', () => {
  test('[CT7] bring number, part, type, relationship, range and reference', () => {
    const { xml, part, reopened, changed } = edit({ paragraphs: ['some text'] }, (tr) =>
      comment(tr, 'text', newComment('x1', 'What?\n\tWhy <so>?')),
    );
    expect(blocks(xml)).toBe(
      '<w:p><w:r><w:t xml:space="preserve">some </w:t></w:r><w:commentRangeStart w:id="0"/><w:r><w:t>text</w:t></w:r><w:commentRangeEnd w:id="0"/><w:r><w:commentReference w:id="0"/></w:r></w:p>',
    );
    expect(part('word/comments.xml')).toContain(
      `<w:comment w:id="0" w:author="Ben" w:date="${DATE}" w:initials="B"><w:p><w:r><w:annotationRef/></w:r><w:r><w:t>What?</w:t></w:r></w:p><w:p><w:r><w:tab/><w:t>Why &lt;so&gt;?</w:t></w:r></w:p></w:comment>`,
    );
    expect(part('[Content_Types].xml')).toContain('PartName="/word/comments.xml"');
    expect(part('word/_rels/document.xml.rels')).toContain('relationships/comments" Target="comments.xml"');
    expect(part('word/commentsExtended.xml')).toBe('');
    const [node] = commentsOf(reopened.doc);
    expect(node?.attrs).toMatchObject({ ref: '0', author: 'Ben', initials: 'B', date: DATE });
    expect(node?.attrs.text).toBe('What?\n\tWhy <so>?');
    expect(changed).toHaveLength(2);
  });

  test('[CT7] have the styles of comments where the document has these', () => {
    const word = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';
    const styles = `<w:styles xmlns:w="${word}"><w:style w:type="character" w:styleId="Kommentarzeichen"><w:name w:val="annotation reference"/></w:style><w:style w:type="paragraph" w:styleId="Kommentartext"><w:name w:val="annotation text"/></w:style></w:styles>`;
    const fixture = { paragraphs: ['text'], parts: { 'word/styles.xml': styles } };
    const { xml, part } = edit(fixture, (tr) => comment(tr, 'text', newComment('a', 'new')));
    const style = '<w:rPr><w:rStyle w:val="Kommentarzeichen"/></w:rPr>';
    expect(xml).toContain(`<w:r>${style}<w:commentReference w:id="0"/></w:r>`);
    expect(part('word/comments.xml')).toContain(
      `<w:p><w:pPr><w:pStyle w:val="Kommentartext"/></w:pPr><w:r>${style}<w:annotationRef/></w:r>`,
    );
  });

  test('[CT7] take numbers that no comment has, whatever they call themselves', () => {
    const fixture = withComments([
      { id: '4', paragraphs: ['in the text'] },
      { id: '8', paragraphs: ['of a header'] },
    ]);
    const { reopened, part } = edit({ ...fixture, body: commented('4', 'text') }, (tr) => {
      comment(tr, 'ext', newComment('8', 'called like the one of the header'));
      comment(tr, 'xt', newComment('77', 'called like none'));
    });
    expect(commentsOf(reopened.doc).map(({ attrs }) => [attrs.ref, attrs.text])).toEqual([
      ['9', 'called like none'],
      ['10', 'called like the one of the header'],
      ['4', 'in the text'],
    ]);
    expect(part('word/comments.xml')).toContain(commentXml({ id: '8', paragraphs: ['of a header'] }));
  });

  test('[CT8] that answer are written as answers, and name what they answer', () => {
    const fixture = { ...withComments([{ id: '0', paragraphs: ['one'] }]), body: commented('0', 'text') };
    const { part, reopened } = edit(fixture, (tr) => {
      const { position } = blockOf(tr.doc, 'comment');
      tr.insert(position + 1, [
        newComment('a', 'two', { parent: '0' }),
        newComment('b', 'three', { parent: 'a', done: true }),
        newComment('c', 'four', { parent: 'gone' }),
      ]);
    });
    const states = commentsOf(reopened.doc).map(({ attrs }) => [attrs.ref, attrs.parent, attrs.done]);
    expect(states).toEqual([
      ['0', null, false],
      ['1', '0', false],
      ['2', '1', true],
      ['3', null, false],
    ]);
    expect(part('word/commentsExtended.xml').match(/<w15:commentEx /g)).toHaveLength(3);
  });

  test('[CT8] that answer each other in a circle are written', () => {
    const { reopened } = edit({ paragraphs: ['text'] }, (tr) =>
      tr.insert(1, [newComment('a', 'one', { parent: 'b' }), newComment('b', 'two', { parent: 'a' })]),
    );
    expect(commentsOf(reopened.doc).map(({ attrs }) => attrs.parent)).toEqual(['1', null]);
  });

  test('[CT8] in a file that knows states have one, and answers lose a comment that is deleted', () => {
    const { part, reopened } = edit(thread, (tr) => {
      const { position } = blockOf(tr.doc, 'comment');
      tr.replaceWith(position, position + 1, newComment('n', 'instead'));
    });
    const states = commentsOf(reopened.doc).map(({ attrs }) => [attrs.text, attrs.parent]);
    expect(states).toEqual([
      ['instead', null],
      ['an answer', null],
      ['resolved', null],
    ]);
    expect(part('word/commentsExtended.xml')).toContain('w15:paraId="10000004" w15:done="0"');
  });

  test('[CT9] with a date that no calendar has are written without one', () => {
    const { part } = edit({ paragraphs: ['text'] }, (tr) =>
      comment(tr, 'text', newComment('n', 'new', { date: '2025-02-30T00:00:00Z', initials: '' })),
    );
    expect(part('word/comments.xml')).toContain('<w:comment w:id="0" w:author="Ben"><w:p>');
  });

  test('[CT7] in links and tracked changes stand there', () => {
    const { reopened } = edit({ paragraphs: ['text'] }, (tr) => {
      comment(tr, 'ex', newComment('n', 'new'));
      tr.addMark(1, tr.doc.content.size - 1, marks.ins.create({ author: 'Ben' }));
    });
    expect(reopened.doc.firstChild?.toString()).toBe(
      'paragraph(ins("t"), ins(anchor), ins("ex"), ins(anchor), ins(comment), ins("t"))',
    );
  });

  test('[CT3] undoing everything gives the bytes of the base', () => {
    const base = buildDocx(thread);
    const tr = new Transform(openDocx(base).doc);
    comment(tr, 'rest', newComment('n', 'new'));
    tr.setNodeAttribute(blockOf(tr.doc, 'comment').position, 'text', 'other');
    const undo = tr.steps.map((step, index) => step.invert(tr.docs[index]!)).reverse();
    const changes = [...tr.steps, ...undo].map((step) => encodeChange('c', step));
    expect(Buffer.compare(assembleDocx(base, changes).bytes, base)).toBe(0);
  });
});
