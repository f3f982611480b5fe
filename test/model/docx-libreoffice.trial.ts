import fc from 'fast-check';
import type { Node } from 'prosemirror-model';
import { Transform } from 'prosemirror-transform';
import { describe, expect, test } from 'vitest';
import { openDocx } from '../../converter/engines/ooxml/docx/docx-engine.ts';
import { assembleDocx } from '../../converter/engines/ooxml/docx/testing/assemble-docx.ts';
import { ConversionError } from '../../converter/errors.ts';
import { applyChanges, encodeChange } from '../../model/word/change.ts';
import { wordSchema } from '../../model/word/schema.ts';
import { ownDocuments } from '../corpus/own-documents.ts';
import { corpusDocuments } from '../support/corpus.ts';
import { buildDocx, PIXEL_PNG } from '../support/docx-fixture.ts';
import { hasLibreOffice, readWithLibreOffice, withoutRuns } from '../support/libreoffice.ts';
import { changesOf, draw } from './random-edits.ts';
import { variedDocuments } from './varied-documents.ts';

const INSERTED = 'Quire&<friends>';
const TIMEOUT_MS = 600_000;

describe.skipIf(!hasLibreOffice)('LibreOffice', () => {
  test(
    '[TB3] opens edited documents and reads what it reads in the original, with the edit',
    async () => {
      const cases = [...variedDocuments, ...ownDocuments, ...corpusDocuments()].flatMap(([name, bytes]) => {
        const change = insertion(bytes);
        return change ? [{ name, bytes, edited: assembleDocx(bytes, [change]).bytes }] : [];
      });
      const before = await readWithLibreOffice(cases.map(({ bytes }) => bytes));
      const after = await readWithLibreOffice(cases.map(({ edited }) => edited));
      for (const [index, { name }] of cases.entries()) {
        const [original, text] = [before, after].map((all) =>
          all[index]!.paragraphs.join('').replaceAll(' ', ''),
        );
        expect(text, name).toContain(INSERTED);
        expect(text!.replace(INSERTED, ''), name).toBe(original);
      }
    },
    TIMEOUT_MS,
  );

  test(
    '[TB3] reads the text of the model in documents that are edited at random',
    async () => {
      const paragraphs = ['first', 'second with more words', 'third'];
      const base = buildDocx({ paragraphs });
      const { doc } = openDocx(base);
      const sequences = fc.sample(fc.array(draw, { minLength: 5, maxLength: 25 }), { seed: 7, numRuns: 40 });
      const cases = sequences.map((draws) => {
        const changes = changesOf(doc, draws);
        return {
          texts: textsOf(applyChanges(doc, changes).doc),
          bytes: assembleDocx(base, changes, { media: () => PIXEL_PNG }).bytes,
        };
      });
      const read = await readWithLibreOffice(cases.map(({ bytes }) => bytes));
      for (const [index, { texts }] of cases.entries()) expect(read[index]!.paragraphs).toEqual(texts);
    },
    TIMEOUT_MS,
  );
});

/** Text typed before the first letter of the document; undefined for a file that does not open or has no text. */
function insertion(bytes: Uint8Array): string | undefined {
  try {
    const { doc } = openDocx(bytes);
    const transform = new Transform(doc);
    doc.descendants((node, position, parent) => {
      const shown = node.isText && parent?.type === wordSchema.nodes.paragraph && node.text!.trim() !== '';
      if (shown && transform.steps.length === 0)
        transform.insert(position, wordSchema.text(INSERTED, node.marks));
    });
    return transform.steps[0] && encodeChange('c', transform.steps[0]);
  } catch (error) {
    if (error instanceof ConversionError) return undefined;
    throw error;
  }
}

/** Paragraphs as LibreOffice gives them: without what is tracked as deleted. */
function textsOf(doc: Node): string[] {
  const texts: string[] = [];
  doc.descendants((node) => {
    if (!node.isTextblock) return true;
    let text = '';
    node.forEach((child) => {
      if (child.isText && !wordSchema.marks.del.isInSet(child.marks)) text += child.text;
      else if (!child.isText) text += child.type.spec.leafText?.(child) ?? '';
    });
    if (withoutRuns(text) !== '') texts.push(withoutRuns(text));
    return false;
  });
  return texts;
}
