import fc from 'fast-check';
import type { Node } from 'prosemirror-model';
import { Transform } from 'prosemirror-transform';
import { describe, expect, test } from 'vitest';
import { openDocx } from '../../converter/engines/ooxml/docx/docx-engine.ts';
import { assembleDocx } from '../../converter/engines/ooxml/docx/testing/assemble-docx.ts';
import { OfficePackage } from '../../converter/engines/ooxml/package/office-package.ts';
import { CONVERSION_ERROR, ConversionError } from '../../converter/errors.ts';
import { applyChanges, encodeChange } from '../../model/word/change.ts';
import { parseWordDocument } from '../../model/word/document.ts';
import { FieldPairs, isBare } from '../../model/word/fields/field-pairs.ts';
import { placeFields } from '../../model/word/fields/placed-fields.ts';
import { ownDocuments } from '../corpus/own-documents.ts';
import { corpusDocuments, needsCorpus, refusalInCorpus } from '../support/corpus.ts';
import { PIXEL_PNG } from '../support/docx-fixture.ts';
import { changesOf, draw, paragraphTexts, undoneChangesOf } from './random-edits.ts';
import { refusedDocuments, variedDocuments } from './varied-documents.ts';

const INSERTED = ' Quire & <friends>';

const others = corpusDocuments();
const opening = [
  ...variedDocuments,
  ...ownDocuments,
  ...others.filter((one) => refusalInCorpus(one) === undefined),
];
const refused = [
  ...refusedDocuments,
  ...others.flatMap(([name, bytes]) => {
    const code = refusalInCorpus([name, bytes]);
    return code === undefined ? [] : [[name, bytes, code] as const];
  }),
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
    const { doc, model } = openDocx(bytes);
    const place = placeInText(doc);
    const edited = insertAt(doc, place);
    const saved = assembleDocx(
      bytes,
      edited.steps.map((step) => encodeChange('client', step)),
    );
    const [before, after] = [new OfficePackage(bytes), new OfficePackage(saved.bytes)];
    const [names, namesAfter] = [before, after].map(({ archive }) => archive.entries.map(({ name }) => name));
    const { mainPart } = before;
    expect(saved).toMatchObject({ applied: 1, skipped: [], missingMedia: [] });
    expect(namesAfter).toEqual(names);
    expect(textOf(after.required(mainPart))).toContain('Quire &amp; &lt;friends&gt;');
    // Halves of fields go with any change (FD6).
    const hasHalves = placeFields(doc, new FieldPairs(doc, model().fields ?? [])).stray.length > 0;
    if (hasHalves || place?.isPlain === false) return;
    expect(saved.changed).toHaveLength(1);
    const changed = names!.filter((part) => !Buffer.from(after.required(part)).equals(before.required(part)));
    expect(changed).toEqual([before.archive.find(mainPart)!.name]);
    const [removed, added] = difference(textOf(before.required(mainPart)), textOf(after.required(mainPart)));
    expect(removed).not.toMatch(/<\/?w:p[ >]/);
    if (place) expect(added.replaceAll('</w:p>', '')).not.toMatch(/<w:p[ >]/);
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
    const { doc } = openDocx(bytes);
    const changes = insertAt(doc, placeInText(doc)).steps.map((step) => encodeChange('client', step));
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

interface Place {
  readonly position: number;
  /** Not so in content controls, whose text is said elsewhere, too (FD40, FD46), and beside instructions of fields (FD4). */
  readonly isPlain: boolean;
}

/** The middle of the longest paragraph, if possible of a plain one. Null where there is none. */
function placeInText(doc: Node): Place | null {
  const plain = middleOfLongest(doc, true);
  if (plain !== null) return { position: plain, isPlain: true };
  const any = middleOfLongest(doc, false);
  return any === null ? null : { position: any, isPlain: false };
}

function middleOfLongest(doc: Node, isPlain: boolean): number | null {
  let position: number | null = null;
  let longest = -1;
  doc.descendants((node, at) => {
    if (!node.isTextblock) return !isPlain || node.type.name !== 'block_wrap';
    const isSpecial = node.children.some((child) => isBare(child) || isInControl(child));
    if (!(isPlain && isSpecial) && node.content.size > longest) {
      longest = node.content.size;
      position = at + 1 + Math.floor(node.content.size / 2);
    }
    return false;
  });
  return position;
}

const isInControl = ({ marks }: Node): boolean => marks.some(({ type }) => type.name === 'within');

function insertAt(doc: Node, place: Place | null): Transform {
  const { schema } = doc.type;
  const transform = new Transform(doc);
  const inserted = schema.text(INSERTED, place ? doc.resolve(place.position).marks() : []);
  if (place) return transform.insert(place.position, inserted);
  return transform.insert(doc.content.size, schema.node('paragraph', null, [inserted]));
}

/**
 * Without what counts what a file holds: it is another number once something new is in the file, properties have come in the order
 * of the schema, or a tracked change is gone that held nothing.
 */
function withoutIds(doc: Node): string {
  const counting = new Set(['id', 'index', 'key']);
  return JSON.stringify(doc.toJSON(), (name, value) => (counting.has(name) ? undefined : value));
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
