import { Transform } from 'prosemirror-transform';
import { describe, expect, test } from 'vitest';
import { openDocx } from '../../../../converter/engines/ooxml/docx/docx-engine.ts';
import { assembleDocx } from '../../../../converter/engines/ooxml/docx/testing/assemble-docx.ts';
import { ConversionError } from '../../../../converter/errors.ts';
import { encodeChange } from '../../../../model/word/change.ts';
import { ownDocuments } from '../../../../test/corpus/own-documents.ts';
import { corpusDocuments } from '../../../../test/support/corpus.ts';
import { buildDocx } from '../../../../test/support/docx-fixture.ts';
import {
  hasLibreOffice,
  readWithLibreOffice,
  settleWithLibreOffice,
  withoutRuns,
} from '../../../../test/support/libreoffice.ts';
import { realOffice } from '../../../../test/support/office.ts';
import { FileRevisions } from './file-revisions.ts';
import type { Decision } from './revision.ts';
import { settle } from './settle.ts';

const timeoutMs = 600_000;

const by = (id: number) => `w:id="${id}" w:author="Ann" w:date="2026-01-01T00:00:00Z"`;
const run = (text: string) => `<w:r><w:t xml:space="preserve">${text}</w:t></w:r>`;
const struck = (id: number, text: string) =>
  `<w:del ${by(id)}><w:r><w:delText xml:space="preserve">${text}</w:delText></w:r></w:del>`;
const put = (id: number, text: string) => `<w:ins ${by(id)}>${run(text)}</w:ins>`;
const paragraph = (content: string, properties = '') =>
  `<w:p>${properties && `<w:pPr>${properties}</w:pPr>`}${content}</w:p>`;
const cell = (content: string, properties = '') =>
  `<w:tc><w:tcPr><w:tcW w:w="2000" w:type="dxa"/>${properties}</w:tcPr>${paragraph(content)}</w:tc>`;
const row = (cells: string, properties = '') =>
  `<w:tr>${properties && `<w:trPr>${properties}</w:trPr>`}${cells}</w:tr>`;
const table = (...rows: string[]) =>
  `${paragraph(run('before'))}<w:tbl><w:tblPr><w:tblW w:w="0" w:type="auto"/></w:tblPr><w:tblGrid>${'<w:gridCol w:w="2000"/>'.repeat(3)}</w:tblGrid>${rows.join('')}</w:tbl>${paragraph(run('after'))}`;
const three = (...texts: string[]) => row(texts.map((text) => cell(run(text))).join(''));

/** Bodies with one kind of change each. */
const bodies: Readonly<Record<string, string>> = {
  'a moved paragraph': `${paragraph(run('one'))}${paragraph(`<w:moveFromRangeStart ${by(1)} w:name="m"/><w:moveFrom ${by(2)}>${run('two')}</w:moveFrom>`, `<w:rPr><w:moveFrom ${by(3)}/></w:rPr>`)}<w:moveFromRangeEnd w:id="1"/>${paragraph(run('three'))}${paragraph(`<w:moveToRangeStart ${by(4)} w:name="m"/><w:moveTo ${by(5)}>${run('two')}</w:moveTo>`, `<w:rPr><w:moveTo ${by(6)}/></w:rPr>`)}<w:moveToRangeEnd w:id="4"/>${paragraph(run('four'))}`,
  'words and breaks': `${paragraph(run('one ') + struck(1, 'two '), `<w:rPr><w:del ${by(2)}/></w:rPr>`)}${paragraph(put(3, 'three '), `<w:rPr><w:ins ${by(4)}/></w:rPr>`)}${paragraph(struck(5, 'four') + put(6, 'five'))}`,
  'a deleted row': table(
    three('a', 'b', 'c'),
    row(cell(struck(1, 'd')) + cell(struck(2, 'e')) + cell(struck(3, 'f')), `<w:del ${by(4)}/>`),
    three('g', 'h', 'i'),
  ),
  'an inserted row': table(
    three('a', 'b', 'c'),
    row(cell(put(1, 'd')) + cell(put(2, 'e')) + cell(put(3, 'f')), `<w:ins ${by(4)}/>`),
  ),
  'a deleted cell': table(
    row(cell(run('a')) + cell(struck(1, 'b'), `<w:cellDel ${by(2)}/>`) + cell(run('c'))),
    three('d', 'e', 'f'),
  ),
  'a deleted cell beside one over two rows': table(
    row(
      cell(run('a')) +
        cell(struck(1, 'b'), `<w:cellDel ${by(2)}/>`) +
        cell(run('c'), '<w:vMerge w:val="restart"/>'),
    ),
    row(cell(run('d')) + cell(run('e')) + cell('', '<w:vMerge/>')),
  ),
  'an inserted cell': table(
    row(cell(run('a')) + cell(put(1, 'b'), `<w:cellIns ${by(2)}/>`) + cell(run('c'))),
    three('d', 'e', 'f'),
  ),
  'a deleted column': table(
    row(cell(run('a')) + cell(struck(1, 'b'), `<w:cellDel ${by(2)}/>`) + cell(run('c'))),
    row(cell(run('d')) + cell(struck(3, 'e'), `<w:cellDel ${by(4)}/>`) + cell(run('f'))),
  ),
  'merged cells': table(
    row(cell(run('a'), `<w:cellMerge ${by(1)} w:vMerge="rest"/>`) + cell(run('b')) + cell(run('c'))),
    row(cell(run('d'), `<w:cellMerge ${by(2)} w:vMerge="cont"/>`) + cell(run('e')) + cell(run('f'))),
  ),
};
const made = Object.entries(bodies).map(([name, body]) => [name, buildDocx({ body })] as const);

const cellStays = 'it knows no tracked cells: the cell stays, emptied (TB8)';
const rowStays = 'it takes no tracked row whose text is not tracked too, and calculates a number of a page';

/** Documents that come out otherwise in LibreOffice 7.4, and why. */
const known: Readonly<Record<Decision, Readonly<Record<string, string>>>> = {
  accept: {
    'a deleted cell': cellStays,
    'a deleted column': cellStays,
    'tracked changes of all kinds': rowStays,
  },
  reject: { 'an inserted cell': cellStays, 'tracked changes of all kinds': rowStays },
};

describe.skipIf(!hasLibreOffice || !realOffice)('what is left of a document with tracked changes', () => {
  test.for(['accept', 'reject'] as const)(
    '[RV15] is what LibreOffice leaves of it, when all are decided on: %s',
    { timeout: timeoutMs },
    async (decision) => {
      const cases = [...made, ...ownDocuments, ...corpusDocuments()].flatMap(([name, bytes]) => {
        const ours = settledByUs(bytes, decision);
        return ours ? [{ name, bytes, ours }] : [];
      });
      const ours = await readWithLibreOffice(cases.map((one) => one.ours));
      const theirs = await settleWithLibreOffice(
        cases.map(({ bytes }) => bytes),
        decision,
      );
      // It marks places of frames by a space without width.
      const plain = (text: string) => withoutRuns(text.replaceAll('\u200b', ''));
      const left = ({ paragraphs, tables }: (typeof ours)[number]) => ({
        paragraphs: paragraphs.map(plain),
        tables: tables.map((rows) => rows.map((cells) => cells.map(plain))),
      });
      const differ = cases.filter((_one, index) => {
        const [mine, their] = [left(ours[index]!), left(theirs[index]!)];
        return JSON.stringify(mine) !== JSON.stringify(their);
      });
      expect(differ.map(({ name }) => name)).toEqual(Object.keys(known[decision]));
    },
  );
});

/** A document after one decision on all of its tracked changes; undefined where it has none or is not opened. */
function settledByUs(bytes: Uint8Array, decision: Decision): Uint8Array | undefined {
  try {
    const { doc, model } = openDocx(bytes);
    const tr = new Transform(doc);
    settle(tr, decision, { from: 0, to: doc.content.size, fileRevisions: new FileRevisions(model()) });
    if (tr.steps.length === 0) return undefined;
    return assembleDocx(
      bytes,
      tr.steps.map((step) => encodeChange('c', step)),
    ).bytes;
  } catch (error) {
    if (error instanceof ConversionError) return undefined;
    throw error;
  }
}
