import fc from 'fast-check';
import type { Node } from 'prosemirror-model';
import { describe, expect, it } from 'vitest';
import { wordSchema } from '../../../model/word/schema.ts';
import { type FindQuery, Matches } from './matches.ts';

const { nodes, marks } = wordSchema;

const words = fc
  .array(fc.constantFrom('cat', 'Cat', 'concat', 'ΑΣ', 'ας', 'a.b', '[x]', '\\n', '😀', ' ', '-', 'İ'), {
    maxLength: 6,
  })
  .map((all) => all.join(''));
const run = fc.record({ text: words, bold: fc.boolean() });
const paragraph = fc.array(run, { maxLength: 4 }).map((runs) =>
  nodes.paragraph.create(
    null,
    runs.flatMap(({ text, bold }) =>
      text === '' ? nodes.tab.create() : wordSchema.text(text, bold ? [marks.bold.create({ on: true })] : []),
    ),
  ),
);
const table = fc
  .array(fc.array(paragraph, { minLength: 1, maxLength: 2 }), { minLength: 1, maxLength: 3 })
  .map((cells) =>
    nodes.table.create(null, [
      nodes.table_row.create(
        null,
        cells.map((blocks) => nodes.table_cell.create(null, blocks)),
      ),
    ]),
  );
const document = fc
  .array(fc.oneof({ weight: 3, arbitrary: paragraph }, table), { minLength: 1, maxLength: 6 })
  .map((blocks) => nodes.doc.create(null, blocks));

const query = (search: string, more: Partial<FindQuery> = {}): FindQuery => ({
  search,
  caseSensitive: true,
  wholeWord: false,
  ...more,
});

/** What stands at the places found, found again by looking at every position of every text block. */
function looked(doc: Node, search: string): { from: number; to: number }[] {
  const found: { from: number; to: number }[] = [];
  doc.descendants((node, position) => {
    if (!node.isTextblock) return true;
    const text = node.textBetween(0, node.content.size, undefined, '\ufffc');
    for (let at = text.indexOf(search); at >= 0; at = text.indexOf(search, at + search.length))
      found.push({ from: position + 1 + at, to: position + 1 + at + search.length });
    return false;
  });
  return found;
}

describe('finding', () => {
  it('[EW48] finds text as it is written, in paragraphs and tables, also in a document that was changed since', () => {
    fc.assert(
      fc.property(
        document,
        document,
        fc.constantFrom('cat', 'a.b', '[x]', '\\n', '😀', 'c'),
        (doc, other, search) => {
          const matches = new Matches(query(search));
          expect(matches.all(doc)).toEqual(looked(doc, search));
          const mixed = nodes.doc.create(null, [...doc.children.slice(1), ...other.children, doc.child(0)]);
          expect(matches.all(mixed)).toEqual(looked(mixed, search));
        },
      ),
    );
  });

  it('[EW48] the next and the previous match are those beside a place', () => {
    fc.assert(
      fc.property(document, fc.nat(), (doc, any) => {
        const matches = new Matches(query('cat', { caseSensitive: false }));
        const place = any % (doc.content.size + 1);
        const all = matches.all(doc);
        expect(matches.next(doc, place)).toEqual(all.find(({ from }) => from >= place) ?? null);
        expect(matches.previous(doc, place)).toEqual(all.findLast(({ to }) => to <= place) ?? null);
      }),
    );
  });

  it('[EW48] letters of any case are found where they stand, and whole words only where none goes on', () => {
    const doc = nodes.doc.create(null, [
      nodes.paragraph.create(null, wordSchema.text('İİ Cat concat cat-flap cats ας ΑΣ')),
    ]);
    const texts = (search: string, more: Partial<FindQuery>) =>
      new Matches(query(search, more)).all(doc).map(({ from, to }) => `${from} ${doc.textBetween(from, to)}`);
    const anyCase = { caseSensitive: false };
    expect(texts('cat', anyCase)).toEqual(['4 Cat', '11 cat', '15 cat', '24 cat']);
    expect(texts('cat', { ...anyCase, wholeWord: true })).toEqual(['4 Cat', '15 cat']);
    expect(texts('Cat', { wholeWord: true })).toEqual(['4 Cat']);
    expect(texts('-', { wholeWord: true })).toEqual(['18 -']);
    expect(texts('ΑΣ', anyCase)).toEqual(['29 ας', '32 ΑΣ']);
  });
});
