import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { TextDigest } from '../../model/log/text-digest.ts';
import { applyChanges } from '../../model/word/change.ts';
import { checkpointOf, documentAt } from '../../model/word/checkpoint.ts';
import { EVERY_KIND, EVERY_PART } from '../../test/model/every-kind.ts';
import { changesOf, draw, reviewsOf } from '../../test/model/random-edits.ts';
import { buildDocx, PIXEL_PNG } from '../../test/support/docx-fixture.ts';
import { convert } from '../engines/engine-thread.ts';
import { openDocx } from '../engines/ooxml/docx/docx-engine.ts';
import { assembleDocx } from '../engines/ooxml/docx/testing/assemble-docx.ts';

const base = buildDocx({ ...EVERY_PART, paragraphs: ['first', 'second'], body: EVERY_KIND });
const { doc: opened } = openDocx(base);
const noChanges = new TextDigest().toString();
const media = { 'media/new.png': PIXEL_PNG };

/** A log as it comes: edits, reviews, and now and then what no replica can apply. */
const log = fc
  .tuple(fc.array(draw, { maxLength: 25 }), fc.boolean(), fc.array(fc.nat(), { maxLength: 4 }))
  .map(([draws, isReview, spoiled]) => {
    const changes = isReview ? reviewsOf(opened, draws) : changesOf(opened, draws);
    for (const place of spoiled) changes.splice(place % (changes.length + 1), 0, `{"c":"x","s":${place}}`);
    return changes;
  });

const assemble = async (checkpoint: string | null, changes: readonly string[]) => {
  const made = await convert({
    kind: 'assemble',
    model: 'word',
    ...{ source: base, media, checkpoint, changes, wantsCheckpoint: true },
  });
  if (made.kind !== 'assembled') throw new Error(made.kind);
  return made;
};

describe('checkpoints of a text document', () => {
  test('[CK1] a file made from checkpoints has the bytes and the counts of one made from the whole log', async () => {
    await fc.assert(
      fc.asyncProperty(log, fc.array(fc.nat(), { minLength: 1, maxLength: 3 }), async (changes, cuts) => {
        const whole = assembleDocx(base, changes, { media: (path) => media[path as keyof typeof media] });
        const places = cuts.map((cut) => cut % (changes.length + 1)).sort((a, b) => a - b);
        let checkpoint: string | null = null;
        let done = 0;
        for (const place of places) {
          const step = await convert({
            kind: 'checkpoint',
            model: 'word',
            ...{ source: base, checkpoint, changes: changes.slice(done, place), wantsCheckpoint: true },
          });
          if (step.kind !== 'checkpointed') throw new Error(step.kind);
          expect(step.checkpoint).not.toBeNull();
          checkpoint = step.checkpoint;
          done = place;
        }
        const made = await assemble(checkpoint, changes.slice(done));
        expect(Buffer.compare(made.bytes, whole.bytes)).toBe(0);
        expect(made).toMatchObject({ applied: whole.applied, skipped: whole.skipped.length });
        expect(made.firstSkipped).toEqual(whole.skipped[0]);
        expect(made.missingMedia).toEqual(whole.missingMedia);
        // A checkpoint depends on the log alone, not on those before it.
        expect(made.checkpoint).toBe((await assemble(null, changes)).checkpoint);
      }),
      { numRuns: 60 },
    );
  });

  test('[CK2] what is none of the document is told from a checkpoint, and nothing is made of it', async () => {
    const { doc } = applyChanges(opened, changesOf(opened, [{ kind: 0, from: 0.1, to: 0, text: 'new' }]));
    const sound = checkpointOf(opened, doc, { index: 1, digest: noChanges, skipped: 0, gone: [] })!;
    expect(documentAt(opened, sound).doc.eq(doc)).toBe(true);
    const damaged = [
      'no JSON',
      '{}',
      JSON.stringify({ ...sound, version: sound.version + 1 }),
      JSON.stringify({ ...sound, blocks: [[0, opened.childCount + 1]] }),
      JSON.stringify({ ...sound, blocks: [{ type: 'no such node' }] }),
      JSON.stringify({ ...sound, blocks: [{ type: 'text', text: 'not a block' }] }),
      JSON.stringify({ ...sound, blocks: [] }),
    ];
    for (const checkpoint of damaged) {
      const made = await convert({
        kind: 'assemble',
        model: 'word',
        ...{ source: base, media, checkpoint, changes: [], wantsCheckpoint: false },
      });
      expect(made).toEqual({ kind: 'damaged-checkpoint' });
    }
  });

  test('[CK3] a checkpoint holds only the blocks that were changed', () => {
    const untouched = checkpointOf(opened, opened, { index: 0, digest: noChanges, skipped: 0, gone: [] });
    expect(untouched?.blocks).toEqual([[0, opened.childCount]]);
  });
});
