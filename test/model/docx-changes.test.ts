import fc from 'fast-check';
import { Fragment, Slice } from 'prosemirror-model';
import { ReplaceStep } from 'prosemirror-transform';
import { describe, expect, test } from 'vitest';
import { openDocx } from '../../converter/engines/ooxml/docx/docx-engine.ts';
import { assembleDocx } from '../../converter/engines/ooxml/docx/testing/assemble-docx.ts';
import { applyChange, applyChanges, encodeChange } from '../../model/word/change.ts';
import { wordSchema } from '../../model/word/schema.ts';
import { buildDocx, PIXEL_PNG } from '../support/docx-fixture.ts';
import { EVERY_KIND, EVERY_PART } from './every-kind.ts';
import { changesOf, draw, paragraphTexts, reviewsOf, undoneChangesOf } from './random-edits.ts';
import { brokenRanges, reviewOf } from './reviews.ts';

const base = buildDocx({ ...EVERY_PART, paragraphs: ['first', 'second'], body: EVERY_KIND });
const { doc: opened } = openDocx(base);
const media = () => PIXEL_PNG;

/** Changes with a value somewhere in them replaced by another, as a broken or hostile client sends them. */
const spoiled = fc
  .tuple(fc.array(draw, { minLength: 1, maxLength: 8 }), fc.array(fc.tuple(fc.nat(), fc.jsonValue())))
  .map(([draws, spoilers]) => {
    const changes = changesOf(opened, draws);
    for (const [place, value] of spoilers) {
      if (changes.length === 0) break;
      const index = place % changes.length;
      const paths: [Record<string, unknown>, string][] = [];
      const whole = JSON.parse(changes[index]!);
      collectPaths(whole, paths);
      const [owner, key] = paths[place % paths.length]!;
      owner[key] = value;
      changes[index] = JSON.stringify(whole);
    }
    return changes;
  });

function collectPaths(value: unknown, paths: [Record<string, unknown>, string][]): void {
  if (typeof value !== 'object' || value === null) return;
  for (const [key, child] of Object.entries(value)) {
    paths.push([value as Record<string, unknown>, key]);
    collectPaths(child, paths);
  }
}

function checkAssembly(changes: readonly string[]): void {
  const { doc, applied, skipped } = applyChanges(opened, changes);
  doc.check();
  expect(applied + skipped.length).toBe(changes.length);
  const first = assembleDocx(base, changes, { media });
  const second = assembleDocx(base, changes, { media });
  expect(Buffer.compare(first.bytes, second.bytes)).toBe(0);
  expect(first).toMatchObject({ applied, skipped });
  const reopened = openDocx(first.bytes);
  expect(() => reopened.doc.check()).not.toThrow();
  expect(paragraphTexts(reopened.doc)).toEqual(paragraphTexts(doc));
  expect(reviewOf(reopened.doc)).toEqual(reviewOf(doc));
  expect(brokenRanges(reopened.doc)).toEqual([]);
}

describe('random changes', () => {
  test('[W4] any sequence of edits is written to a file that reopens to the same text', () => {
    fc.assert(
      fc.property(fc.array(draw, { maxLength: 25 }), (draws) => {
        checkAssembly(changesOf(opened, draws));
      }),
      { numRuns: 60 },
    );
  });

  test('[CT10] any sequence of reviews is written to a file that reopens to the same comments and tracked breaks', () => {
    fc.assert(
      fc.property(fc.array(draw, { maxLength: 25 }), (draws) => {
        checkAssembly(reviewsOf(opened, draws));
      }),
      { numRuns: 100 },
    );
  });

  test('[CT8] a comment that answers itself is written as one that answers nothing', () => {
    const kinds = [1_922_873_565, 671_623_851, 1_277_128_685, 702_861_423];
    const changes = reviewsOf(
      opened,
      kinds.map((kind) => ({ kind, from: 0, to: 0, text: ' ' })),
    );
    const comments = reviewOf(applyChanges(opened, changes).doc).comments;
    expect(comments.map(({ author, parent }) => [author, parent])).toEqual([
      [' ', -1],
      ['Ann', -1],
    ]);
    checkAssembly(changes);
  });

  test('[W7] hostile changes never throw, are skipped by all alike, and leave a file that opens', () => {
    fc.assert(fc.property(spoiled, checkAssembly), { numRuns: 120 });
  });

  test('[W7] arbitrary strings are skipped', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.string(), fc.json()), { maxLength: 5 }), (changes) => {
        const { doc, skipped } = applyChanges(opened, changes);
        expect(doc).toBe(opened);
        expect(skipped).toHaveLength(changes.length);
      }),
    );
  });

  test('[W4] undoing every edit gives back the bytes of the base', () => {
    fc.assert(
      fc.property(fc.array(draw, { maxLength: 10 }), (draws) => {
        const { changes, undo } = undoneChangesOf(opened, draws);
        const { bytes, skipped } = assembleDocx(base, [...changes, ...undo], { media });
        expect(skipped).toEqual([]);
        expect(Buffer.compare(bytes, base)).toBe(0);
      }),
      { numRuns: 60 },
    );
  });

  test('[W7] a slice that is opened deeper than it is changes nothing', () => {
    const slice = new Slice(Fragment.from(wordSchema.nodes.paragraph.create()), 3, 3);
    const change = encodeChange('client', new ReplaceStep(1, 1, slice));
    expect(applyChange(opened, change)).toBe('invalid-content');
  });
});
