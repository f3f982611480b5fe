import { strFromU8, unzipSync } from 'fflate';
import { Transform } from 'prosemirror-transform';
import { describe, expect, test } from 'vitest';
import { encodeChange } from '../../../../model/word/change.ts';
import { wordSchema } from '../../../../model/word/schema.ts';
import { buildDocx, PIXEL_PNG } from '../../../../test/support/docx-fixture.ts';
import { openDocx } from './docx-engine.ts';
import { assembleDocx } from './testing/assemble-docx.ts';
import { blockOf, edit } from './testing/docx-edit.ts';

const { nodes, marks } = wordSchema;

describe('opaque content', () => {
  const shape = '<w:r><w:pict w:x="1"/></w:r>';
  const note = '<w:r><w:footnoteReference w:id="2"/></w:r>';
  const field =
    '<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText>DATE</w:instrText></w:r><w:r><w:fldChar w:fldCharType="separate"/></w:r><w:r><w:t>today</w:t></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r>';

  test('[W10] survives edits around it, and moves with the text', () => {
    const body = `<w:p><w:r><w:t>a</w:t></w:r>${shape}${note}${field}<w:bookmarkStart w:id="0" w:name="b"/><w:r><w:t>z</w:t></w:r><w:bookmarkEnd w:id="0"/></w:p>`;
    const { xml } = edit({ body }, (tr) =>
      tr.addMark(1, tr.doc.content.size - 1, marks.bold.create()).split(4),
    );
    for (const kept of [
      '<w:pict w:x="1"/>',
      '<w:footnoteReference w:id="2"/>',
      field,
      '<w:bookmarkStart w:id="0" w:name="b"/>',
      '<w:bookmarkEnd w:id="0"/>',
    ]) {
      expect(xml.split(kept)).toHaveLength(2);
    }
  });

  test('[W10] is copied with a paste, except what may occur only once', () => {
    const body = `<w:p><w:r><w:t>a</w:t></w:r>${shape}${note}<w:bookmarkStart w:id="0" w:name="b"/><w:bookmarkEnd w:id="0"/></w:p>`;
    const { xml } = edit({ body }, (tr) => tr.insert(tr.doc.content.size, tr.doc.firstChild!));
    expect(xml.split('<w:pict w:x="1"/>')).toHaveLength(3);
    expect(xml.split('<w:footnoteReference')).toHaveLength(2);
    expect(xml.split('<w:bookmarkStart')).toHaveLength(2);
  });

  test('[W10] can be deleted from between two runs that say the same', () => {
    const run = (text: string) => `<w:r><w:t>${text}</w:t></w:r>`;
    const { xml } = edit({ body: `<w:p>${run('a')}${shape}${run('z')}</w:p>` }, (tr) => tr.delete(2, 3));
    expect(xml).toContain(`<w:p>${run('a')}${run('z')}</w:p>`);
  });

  test('[W10] that the file does not have is left out', () => {
    const { reopened } = edit({ paragraphs: ['x'] }, (tr) =>
      tr
        .insert(1, nodes.opaque_inline.create({ id: 'a77', kind: 'w:evil' }))
        .insert(0, nodes.opaque_block.create({ id: 'o9' })),
    );
    expect(reopened.doc.toString()).toBe('doc(paragraph("x"))');
  });

  test('[W9] copies of it do not add up without limit', () => {
    const big = `<w:r><w:pict w:x="${'1'.repeat(1_000_000)}"/></w:r>`;
    const { bytes, xml } = edit({ body: `<w:p>${big}</w:p>` }, (tr) => {
      for (let index = 0; index < 40; index++) tr.insert(tr.doc.content.size, tr.doc.firstChild!);
    });
    expect(xml.split('<w:pict').length).toBeLessThan(12);
    expect(openDocx(bytes).doc.childCount).toBe(41);
  });
});

describe('pictures', () => {
  const insert = (src: string) => (tr: Transform) =>
    tr.insert(1, nodes.image.create({ src, width: 9525, height: 19050, alt: 'a "dot"' }));
  const media = (path: string) => (path === 'media/dot.png' ? PIXEL_PNG : undefined);

  test('[W11] a new picture gets a part, a relationship, a content type and a drawing', () => {
    const { parts, part, xml, reopened, missingMedia } = edit(
      { paragraphs: ['x'] },
      insert('media/dot.png'),
      { media },
    );
    expect(missingMedia).toEqual([]);
    expect(Buffer.compare(parts['word/media/dot.png']!, PIXEL_PNG)).toBe(0);
    expect(part('[Content_Types].xml')).toContain('<Default Extension="png" ContentType="image/png"/>');
    expect(part('word/_rels/document.xml.rels')).toContain('relationships/image" Target="media/dot.png"');
    expect(xml).toContain('<wp:extent cx="9525" cy="19050"/><wp:docPr id="1"');
    const picture = blockOf(reopened.doc, 'image').node;
    expect(picture.attrs).toMatchObject({ src: 'media/dot.png', width: 9525, height: 19050, alt: 'a "dot"' });
    expect(reopened.media().get('media/dot.png')).toEqual(new Uint8Array(PIXEL_PNG));
  });

  test('[W11] a picture used twice is one part, and drawings have different ids', () => {
    const { xml, part } = edit(
      { paragraphs: ['x'] },
      (tr) => {
        insert('media/dot.png')(tr);
        insert('media/dot.png')(tr);
      },
      { media },
    );
    expect([...xml.matchAll(/<wp:docPr id="(\d+)"/g)].map(([, id]) => id)).toEqual(['1', '2']);
    expect(part('word/_rels/document.xml.rels').split('relationships/image"')).toHaveLength(2);
  });

  test('[W11] a picture whose bytes are missing or no picture is left out and named', () => {
    const { reopened, missingMedia } = edit(
      { paragraphs: ['x'] },
      (tr) => {
        insert('media/none.png')(tr);
        insert('media/script.png')(tr);
      },
      { media: (path) => (path === 'media/script.png' ? Buffer.from('<script>') : undefined) },
    );
    expect(missingMedia.toSorted()).toEqual(['media/none.png', 'media/script.png']);
    expect(reopened.doc.textContent).toBe('x');
  });

  test('[W3] a picture of the file is resized in its own drawing', () => {
    const first = edit({ paragraphs: ['x'] }, insert('media/dot.png'), { media });
    const tr = new Transform(first.reopened.doc);
    tr.setNodeAttribute(blockOf(tr.doc, 'image').position, 'width', 777);
    const { bytes } = assembleDocx(
      first.bytes,
      tr.steps.map((step) => encodeChange('c', step)),
    );
    const xml = strFromU8(unzipSync(bytes)['word/document.xml']!);
    expect(xml).toBe(first.xml.replaceAll('cx="9525"', 'cx="777"'));
  });

  test('[W6] a damaged picture is left out, and the document opens', () => {
    const parts = {
      'word/media/good.png': PIXEL_PNG,
      'word/media/bad.png': Buffer.from('not found in this form elsewhere'),
    };
    const bytes = Buffer.from(buildDocx({ paragraphs: ['x'], parts, stored: true }));
    bytes.write('X', bytes.indexOf('not found in this form'));
    expect([...openDocx(bytes).media().keys()]).toEqual(['media/good.png']);
  });
});
