import fc from 'fast-check';
import { unzipSync } from 'fflate';
import type { Node } from 'prosemirror-model';
import { Transform } from 'prosemirror-transform';
import { describe, expect, test } from 'vitest';
import { openDocx } from '../../converter/engines/ooxml/docx/docx-engine.ts';
import { assembleDocx } from '../../converter/engines/ooxml/docx/testing/assemble-docx.ts';
import { CONVERSION_ERROR, ConversionError } from '../../converter/errors.ts';
import { applyChanges, encodeChange } from '../../model/word/change.ts';
import { parseWordDocument } from '../../model/word/document.ts';
import { ownDocuments } from '../corpus/own-documents.ts';
import { corpusDocuments, needsCorpus, refusedInCorpus } from '../support/corpus.ts';
import { PIXEL_PNG } from '../support/docx-fixture.ts';
import { changesOf, draw, paragraphTexts, undoneChangesOf } from './random-edits.ts';
import { refusedDocuments, variedDocuments } from './varied-documents.ts';

const INSERTED = ' Quire & <friends>';

const others = corpusDocuments();
const opening = [
  ...variedDocuments,
  ...ownDocuments,
  ...others.filter(([name]) => !(name in refusedInCorpus)),
];
const refused = [
  ...refusedDocuments,
  ...others
    .filter(([name]) => name in refusedInCorpus)
    .map(([name, bytes]) => [name, bytes, refusedInCorpus[name]!] as const),
];

describe(`documents of many kinds, ${needsCorpus}`, () => {
  test.each(refused)('[W6] %s is refused with its error', (_name, bytes, code) => {
    expect(codeOf(() => openDocx(bytes))).toBe(code);
  });

  test.each(opening)('[W1] an untouched save of %s is byte identical', (_name, bytes) => {
    const { bytes: saved, applied, changed } = assembleDocx(bytes, []);
    expect(Buffer.compare(saved, bytes)).toBe(0);
    expect({ applied, changed }).toEqual({ applied: 0, changed: [] });
  });

  test.each(opening)('[W2] the model of %s survives its JSON and fits the schema', (_name, bytes) => {
    const source = openDocx(bytes);
    const { doc } = parseWordDocument(JSON.parse(JSON.stringify(source.model())));
    expect(doc.eq(source.doc)).toBe(true);
    expect(() => doc.check()).not.toThrow();
  });

  test.each(opening)('[W3] an edit of one paragraph of %s changes only that paragraph', (_name, bytes) => {
    const { doc } = openDocx(bytes);
    const edited = insertInLongestParagraph(doc);
    const saved = assembleDocx(
      bytes,
      edited.steps.map((step) => encodeChange('client', step)),
    );
    expect(saved).toMatchObject({ applied: 1, skipped: [], missingMedia: [] });
    expect(saved.changed).toHaveLength(1);
    const before = unzipSync(bytes);
    const after = unzipSync(saved.bytes);
    expect(Object.keys(after)).toEqual(Object.keys(before));
    const changed = Object.keys(before).filter((part) => Buffer.compare(after[part]!, before[part]!) !== 0);
    expect(changed).toEqual([expect.stringMatching(/^(?:word\/document|docs\/text)\.xml$/)]);
    const [removed, added] = difference(textOf(before[changed[0]!]!), textOf(after[changed[0]!]!));
    expect(removed).not.toMatch(/<\/?w:p[ >]/);
    expect(added.replaceAll('</w:p>', '')).not.toMatch(/<w:p[ >]/);
    expect(added).toContain('Quire &amp; &lt;friends&gt;');
    expect(withoutIds(openDocx(saved.bytes).doc)).toBe(withoutIds(edited.doc));
  });

  test.each(opening)(
    '[W4] random edits of %s are written to a file that reopens to the same text',
    (_name, bytes) => {
      const { doc } = openDocx(bytes);
      fc.assert(
        fc.property(fc.array(draw, { maxLength: 12 }), (draws) => {
          const changes = changesOf(doc, draws);
          const saved = assembleDocx(bytes, changes, { media: () => PIXEL_PNG });
          const reopened = openDocx(saved.bytes).doc;
          expect(paragraphTexts(reopened)).toEqual(paragraphTexts(applyChanges(doc, changes).doc));
        }),
        { numRuns: 6 },
      );
    },
  );

  test.each(opening)('[W4] undoing random edits of %s gives back its bytes', (_name, bytes) => {
    const { doc } = openDocx(bytes);
    fc.assert(
      fc.property(fc.array(draw, { maxLength: 8 }), (draws) => {
        const { changes, undo } = undoneChangesOf(doc, draws);
        const saved = assembleDocx(bytes, [...changes, ...undo], { media: () => PIXEL_PNG });
        expect(Buffer.compare(saved.bytes, bytes)).toBe(0);
      }),
      { numRuns: 4 },
    );
  });

  test.each(opening)('[W5] assembling %s twice gives the same bytes', (_name, bytes) => {
    const changes = insertInLongestParagraph(openDocx(bytes).doc).steps.map((step) =>
      encodeChange('client', step),
    );
    const [one, other] = [assembleDocx(bytes, changes), assembleDocx(bytes, changes)];
    expect(Buffer.compare(one.bytes, other.bytes)).toBe(0);
  });

  test.each(opening)('[W6] every truncation of %s is refused as corrupted', (_name, bytes) => {
    for (const share of [0.1, 0.5, 0.9]) {
      const cut = bytes.subarray(0, Math.floor(bytes.length * share));
      expect(codeOf(() => openDocx(cut))).toBe(CONVERSION_ERROR.corrupted);
    }
  });
});

function codeOf(open: () => unknown): number | undefined {
  try {
    open();
  } catch (error) {
    if (error instanceof ConversionError) return error.serviceError;
    throw error;
  }
  return undefined;
}

/** Not in content controls, where others are: what is typed there is said elsewhere, too (FD40, FD46). */
function insertInLongestParagraph(doc: Node): Transform {
  const outside = middleOfLongest(doc, false);
  const position = outside < 0 ? middleOfLongest(doc, true) : outside;
  const transform = new Transform(doc);
  const inserted = doc.type.schema.text(INSERTED, doc.resolve(Math.max(position, 0)).marks());
  if (position >= 0) return transform.insert(position, inserted);
  return transform.insert(doc.content.size, doc.type.schema.node('paragraph', null, [inserted]));
}

function middleOfLongest(doc: Node, inControls: boolean): number {
  let position = -1;
  let longest = -1;
  doc.descendants((node, at) => {
    if (!node.isTextblock) return inControls || node.type.name !== 'block_wrap';
    const isControl = node.children.some(({ marks }) => marks.some(({ type }) => type.name === 'within'));
    if ((inControls || !isControl) && node.content.size > longest) {
      longest = node.content.size;
      position = at + 1 + Math.floor(node.content.size / 2);
    }
    return false;
  });
  return position;
}

/** Ids count what a file holds, so a paragraph that is new has another one once it is in the file. */
function withoutIds(doc: Node): string {
  return JSON.stringify(doc.toJSON(), (name, value) => (name === 'id' ? undefined : value));
}

/** What is left of two texts without what they begin and end with in common. */
function difference(before: string, after: string): [string, string] {
  let start = 0;
  while (start < before.length && before[start] === after[start]) start++;
  let end = 0;
  const shared = Math.min(before.length, after.length) - start;
  while (end < shared && before.at(-1 - end) === after.at(-1 - end)) end++;
  return [before.slice(start, before.length - end), after.slice(start, after.length - end)];
}

function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString(bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf16le' : 'utf8');
}
