import fc from 'fast-check';
import type { Node } from 'prosemirror-model';
import { Transform } from 'prosemirror-transform';
import { describe, expect, test } from 'vitest';
import { openDocx } from '../../converter/engines/ooxml/docx/docx-engine.ts';
import { assembleDocx } from '../../converter/engines/ooxml/docx/testing/assemble-docx.ts';
import { ConversionError } from '../../converter/errors.ts';
import { applyChanges, encodeChange } from '../../model/word/change.ts';
import { wordSchema } from '../../model/word/schema.ts';
import { corpusDocuments } from '../support/corpus.ts';
import { buildDocx, PIXEL_PNG } from '../support/docx-fixture.ts';
import {
  hasLibreOffice,
  type LibreOfficeComment,
  readWithLibreOffice,
  withoutRuns,
} from '../support/libreoffice.ts';
import { EVERY_KIND, EVERY_PART } from './every-kind.ts';
import { draw, reviewsOf } from './random-edits.ts';
import { reviewOf } from './reviews.ts';
import { variedDocuments } from './varied-documents.ts';

const { nodes } = wordSchema;
const TIMEOUT_MS = 600_000;

describe.skipIf(!hasLibreOffice)('LibreOffice', () => {
  test(
    '[CT11] reads comments that are put into documents of many kinds, beside those that these have',
    async () => {
      const cases = [...variedDocuments, ...corpusDocuments()].flatMap(([name, bytes]) => {
        const edited = withComment(bytes);
        return edited ? [{ name, ...edited }] : [];
      });
      expect(cases.length).toBeGreaterThan(10);
      const read = await readWithLibreOffice(cases.map(({ bytes }) => bytes));
      for (const [index, { name, doc }] of cases.entries())
        expect(read[index]!.comments, name).toEqual(commentsOf(doc));
    },
    TIMEOUT_MS,
  );

  test(
    '[CT11] reads the comments of documents that are reviewed at random',
    async () => {
      const base = buildDocx({ ...EVERY_PART, paragraphs: ['first', 'second'], body: EVERY_KIND });
      const { doc } = openDocx(base);
      const sequences = fc.sample(fc.array(draw, { minLength: 5, maxLength: 25 }), { seed: 11, numRuns: 40 });
      const cases = sequences.map((draws) => {
        const changes = reviewsOf(doc, draws);
        const { bytes } = assembleDocx(base, changes, { media: () => PIXEL_PNG });
        return { bytes, doc: applyChanges(doc, changes).doc };
      });
      const read = await readWithLibreOffice(cases.map(({ bytes }) => bytes));
      for (const [index, { doc: reviewed }] of cases.entries())
        expect(byText(read[index]!.comments)).toEqual(byText(commentsOf(reviewed)));
    },
    TIMEOUT_MS,
  );
});

/** The document with a comment and an answer to it on its first word; undefined when it has none or does not open. */
function withComment(bytes: Uint8Array): { readonly bytes: Uint8Array; readonly doc: Node } | undefined {
  try {
    const { doc } = openDocx(bytes);
    const transform = new Transform(doc);
    doc.descendants((node, position, parent) => {
      const isFirst = node.isText && transform.steps.length === 0;
      // LibreOffice loses the first words of a comment in a content control.
      if (!isFirst || parent?.type !== nodes.paragraph || doc.resolve(position).depth > 1) return;
      const anchor = (kind: string) => nodes.anchor.create({ kind: `commentRange${kind}`, ref: 'n1' });
      const more = { author: 'Zoë & Ben', date: '2025-01-02T03:04:05Z' };
      transform.insert(position + node.nodeSize, [
        anchor('End'),
        nodes.comment.create({ ...more, ref: 'n1', text: 'What is\nthis <word>?' }),
        nodes.comment.create({ ...more, ref: 'n2', parent: 'n1', text: 'Good question', done: true }),
      ]);
      transform.insert(position, anchor('Start'));
    });
    const changes = transform.steps.map((step) => encodeChange('c', step));
    return changes.length === 0
      ? undefined
      : { bytes: assembleDocx(bytes, changes).bytes, doc: transform.doc };
  } catch (error) {
    if (error instanceof ConversionError) return undefined;
    throw error;
  }
}

function commentsOf(doc: Node): LibreOfficeComment[] {
  return reviewOf(doc).comments.map(({ author, text, done }) => ({
    author: String(author),
    text: String(text).split('\n').map(withoutRuns).join('\n'),
    done: done === true,
  }));
}

/** LibreOffice tells the order of comments that stand at one place differently. */
function byText(comments: readonly LibreOfficeComment[]): LibreOfficeComment[] {
  return comments.toSorted((a, b) => (a.text < b.text ? -1 : a.text > b.text ? 1 : 0));
}
