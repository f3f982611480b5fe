import fc from 'fast-check';
import type { Node } from 'prosemirror-model';
import { describe, expect, test } from 'vitest';
import { wordSchema } from '../../../../model/word/schema.ts';
import { buildDocx } from '../../../../test/support/docx-fixture.ts';
import { openDocx } from './docx-engine.ts';
import { blocks, edit, positionOf, text } from './testing/docx-edit.ts';

const { marks } = wordSchema;
const DATE = '2025-01-02T03:04:05Z';
const BEN = { author: 'Ben', date: DATE };

function paragraphsOf(doc: Node): Node[] {
  const found: Node[] = [];
  doc.descendants((node) => {
    if (node.isTextblock) found.push(node);
  });
  return found;
}

/** The ids of all tracked changes in XML. */
function revisionIds(xml: string): string[] {
  return [...xml.matchAll(/<w:(?:ins|del)\b[^>]*\bw:id="([^"]*)"/g)].map(([, id]) => id!);
}

const MARKED =
  '<w:p><w:pPr><w:jc w:val="center"/><w:rPr><w:ins w:id="3" w:author="Ann" w:date="2024-01-01T00:00:00Z"/><w:b/></w:rPr></w:pPr><w:r><w:t>one</w:t></w:r></w:p>';
const DELETED =
  '<w:p><w:pPr><w:rPr><w:del w:id="4" w:author="Ann"/></w:rPr></w:pPr><w:r><w:t>two</w:t></w:r></w:p>';
const body = MARKED + DELETED;

describe('tracked marks of paragraphs', () => {
  test('[TR1] are attributes with author and date', () => {
    const [one, two] = paragraphsOf(openDocx(buildDocx({ body })).doc);
    expect(one?.attrs.markInserted).toEqual({ author: 'Ann', date: '2024-01-01T00:00:00Z' });
    expect(one?.attrs.markDeleted).toBeNull();
    expect(two?.attrs.markDeleted).toEqual({ author: 'Ann', date: null });
  });

  test('[TR2] stay in every byte when the paragraph changes otherwise', () => {
    const { xml } = edit({ body }, (tr) => tr.setNodeAttribute(0, 'align', null));
    expect(blocks(xml)).toBe(body.replace('<w:jc w:val="center"/>', ''));
  });

  test('[TR2] that are new stand first among the properties of the mark', () => {
    const plain = '<w:p><w:pPr><w:keepNext/><w:rPr><w:b/></w:rPr></w:pPr><w:r><w:t>a</w:t></w:r></w:p><w:p/>';
    const { xml, reopened } = edit({ body: plain }, (tr) =>
      tr
        .setNodeAttribute(0, 'markDeleted', BEN)
        .setNodeAttribute(0, 'markInserted', { author: 'A & "B"', date: null })
        .setNodeAttribute(3, 'markInserted', BEN),
    );
    expect(blocks(xml)).toBe(
      `<w:p><w:pPr><w:keepNext/><w:rPr><w:ins w:id="1" w:author="A &amp; &quot;B&quot;"/><w:del w:id="2" w:author="Ben" w:date="${DATE}"/><w:b/></w:rPr></w:pPr><w:r><w:t>a</w:t></w:r></w:p><w:p><w:pPr><w:rPr><w:ins w:id="3" w:author="Ben" w:date="${DATE}"/></w:rPr></w:pPr></w:p>`,
    );
    expect(reopened.doc.firstChild?.attrs.markDeleted).toEqual(BEN);
  });

  test('[TR2] that are taken away leave nothing of them', () => {
    const { xml } = edit({ body }, (tr) => {
      tr.setNodeAttribute(0, 'markInserted', null);
      tr.setNodeAttribute(tr.doc.firstChild!.nodeSize, 'markDeleted', null);
    });
    expect(blocks(xml)).toBe(
      '<w:p><w:pPr><w:jc w:val="center"/><w:rPr><w:b/></w:rPr></w:pPr><w:r><w:t>one</w:t></w:r></w:p><w:p><w:r><w:t>two</w:t></w:r></w:p>',
    );
  });

  test('[TR3] of a paragraph made by a split have an id of their own', () => {
    const { xml } = edit({ body }, (tr) =>
      tr.split(2, 1, [
        {
          type: tr.doc.firstChild!.type,
          attrs: { ...tr.doc.firstChild!.attrs, id: null, origin: tr.doc.firstChild!.attrs.id },
        },
      ]),
    );
    expect(revisionIds(xml)).toEqual(['3', '5', '4']);
  });
});

describe('tracked changes of text', () => {
  const inserted = '<w:ins w:id="7" w:author="Ann"><w:r><w:t>added</w:t></w:r></w:ins>';

  test('[TR3] that come to stand in pieces have an id for each', () => {
    const { xml, reopened } = edit({ body: `<w:p>${inserted}<w:r><w:t>rest</w:t></w:r></w:p>` }, (tr) =>
      tr.split(3).insert(tr.doc.content.size, tr.doc.firstChild!),
    );
    const ids = revisionIds(xml);
    expect(ids).toHaveLength(3);
    expect(new Set(ids).size).toBe(3);
    expect(reopened.doc.textContent).toBe('addedrestad');
  });

  test('[TR3] in one piece keep their id', () => {
    const { xml } = edit({ body: `<w:p>${inserted}</w:p>` }, (tr) => tr.addMark(2, 4, marks.bold.create()));
    expect(revisionIds(xml)).toEqual(['7']);
  });

  test('[TR3] of an editor get ids that nothing else has, whatever ids their marks name', () => {
    const { xml } = edit({ body: `<w:p>${inserted}<w:r><w:t>rest</w:t></w:r></w:p>` }, (tr) => {
      const mark = (author: string, id: string | null) => marks.ins.create({ author, id, date: DATE });
      const at = positionOf(tr.doc, 'rest');
      tr.insert(at, [
        text('x', mark('B', '7')),
        text('y', mark('C', '9999999999')),
        text('z', mark('D', null)),
      ]);
    });
    expect(revisionIds(xml)).toEqual(['7', '8', '9', '10']);
  });

  test('[TR4] with a date that no calendar has are written without one', () => {
    for (const date of ['2025-02-29T00:00:00Z', '2025-01-01T24:00:00Z', '2025-01-01T00:00:00+15:00']) {
      const { xml } = edit({ paragraphs: ['a'] }, (tr) => {
        tr.insert(1, text('x', marks.ins.create({ author: 'B', date })));
        tr.setNodeAttribute(0, 'markInserted', { author: 'B', date });
      });
      expect(xml).not.toContain('w:date');
    }
  });

  test('[TR3] have unique ids after any splits and copies', () => {
    const place = fc.record({ at: fc.double({ min: 0, max: 1, noNaN: true }), copy: fc.boolean() });
    const start = `<w:p>${inserted}<w:del w:id="8" w:author="A"><w:r><w:delText>gone</w:delText></w:r><w:r><w:delText>more</w:delText></w:r></w:del></w:p>${body}`;
    fc.assert(
      fc.property(fc.array(place, { maxLength: 6 }), (places) => {
        const { xml } = edit({ body: start }, (tr) => {
          for (const { at, copy } of places) {
            const position = Math.floor(at * tr.doc.content.size);
            const $position = tr.doc.resolve(position);
            if (copy)
              tr.insert(
                tr.doc.content.size,
                tr.doc.child(Math.min($position.index(0), tr.doc.childCount - 1)),
              );
            else if ($position.parent.isTextblock) tr.split(position);
          }
        });
        const ids = revisionIds(xml);
        expect(new Set(ids).size).toBe(ids.length);
      }),
      { numRuns: 60 },
    );
  });
});
