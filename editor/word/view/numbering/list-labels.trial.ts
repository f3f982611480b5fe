import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openDocx } from '../../../../converter/engines/ooxml/docx/docx-engine.ts';
import { ConversionError } from '../../../../converter/errors.ts';
import { corpusDocuments, hasCorpus, needsCorpus } from '../../../../test/support/corpus.ts';
import { buildDocx } from '../../../../test/support/docx-fixture.ts';
import { hasLibreOffice, printWithLibreOffice, withoutRuns } from '../../../../test/support/libreoffice.ts';
import { Styles } from '../../styles/styles.ts';
import { labelsOf } from './list-labels.ts';
import { ListDefinitions } from './list-numbering.ts';

const TIMEOUT_MS = 600_000;
const WORD = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';

/** The numbered paragraphs of a document as they are printed; those with anything but text in them, and bullets, are left out. */
function numberedLines(bytes: Uint8Array): string[] {
  const { doc, model } = openDocx(bytes);
  const json = model();
  const labels = labelsOf(doc, new Styles(json), new ListDefinitions(json.lists));
  return [...labels].flatMap(([paragraph, { label }]) => {
    const isPlain = paragraph.children.every(
      (node) => node.isText && !node.marks.some(({ type }) => type.name === 'del'),
    );
    if (!isPlain || paragraph.textContent === '' || !/[\p{L}\p{N}]{2}|[\p{L}\p{N}].*\P{L}/u.test(label))
      return [];
    return [withoutBlanks(label + paragraph.textContent)];
  });
}

/** Between label and text there are blanks or tabs or nothing. */
const withoutBlanks = (line: string) => withoutRuns(line).replaceAll(' ', '');

const level = fc.record({
  format: fc.constantFrom('decimal', 'lowerLetter', 'upperRoman', 'decimalZero', 'upperLetter', 'lowerRoman'),
  start: fc.constantFrom(1, 1, 3),
  /** How many of the levels above its label shows. */
  above: fc.nat(3),
});
const drawing = fc.record({
  definitions: fc.array(fc.array(level, { minLength: 4, maxLength: 4 }), { minLength: 2, maxLength: 2 }),
  places: fc.array(fc.tuple(fc.nat(3), fc.integer({ min: 1, max: 3 })), { minLength: 5, maxLength: 25 }),
});
type Drawing = typeof drawing extends fc.Arbitrary<infer Drawn> ? Drawn : never;

/** Three lists: two of the first definition, which count together, and one of the second. */
function listDocument({ definitions, places }: Drawing): Uint8Array {
  const definitionXml = definitions.map((levels, id) => {
    const levelXml = levels.map(({ format, start, above }, at) => {
      const shown = Array.from({ length: Math.min(above, at) + 1 }, (_, index) => `%${at + 1 - index}.`);
      const text = shown.reverse().join('');
      return `<w:lvl w:ilvl="${at}"><w:start w:val="${start}"/><w:numFmt w:val="${format}"/><w:lvlText w:val="${text}"/></w:lvl>`;
    });
    return `<w:abstractNum w:abstractNumId="${id}"><w:nsid w:val="0000000${id + 1}"/><w:multiLevelType w:val="multilevel"/>${levelXml.join('')}</w:abstractNum>`;
  });
  const lists = [0, 0, 1].map(
    (definition, index) => `<w:num w:numId="${index + 1}"><w:abstractNumId w:val="${definition}"/></w:num>`,
  );
  const body = places.map(
    ([at, list], index) =>
      `<w:p><w:pPr><w:numPr><w:ilvl w:val="${at}"/><w:numId w:val="${list}"/></w:numPr></w:pPr><w:r><w:t>: ${index}</w:t></w:r></w:p>`,
  );
  return buildDocx({
    body: body.join(''),
    relationships: [{ id: 'rN', type: 'numbering', target: 'numbering.xml' }],
    parts: {
      'word/numbering.xml': `<w:numbering xmlns:w="${WORD}">${definitionXml.join('')}${lists.join('')}</w:numbering>`,
    },
    contentTypes: {
      '/word/numbering.xml': 'application/vnd.openxmlformats-officedocument.wordprocessingml.numbering+xml',
    },
  });
}

async function expectPrinted(
  documents: readonly (readonly [name: string, bytes: Uint8Array])[],
): Promise<number> {
  const printed = await printWithLibreOffice(documents.map(([, bytes]) => bytes));
  let compared = 0;
  for (const [index, [name, bytes]] of documents.entries()) {
    const lines = new Set(printed[index]!.map(withoutBlanks));
    const ours = numberedLines(bytes);
    const differing = ours.filter((line) => !lines.has(line));
    expect(differing, name).toEqual([]);
    compared += ours.length;
  }
  return compared;
}

function isOpened([, bytes]: readonly [string, Uint8Array]): boolean {
  try {
    openDocx(bytes);
    return true;
  } catch (error) {
    if (error instanceof ConversionError) return false;
    throw error;
  }
}

describe.skipIf(!hasLibreOffice)('labels of lists that LibreOffice prints', () => {
  it(
    '[VW34] are the labels of the page, in any lists',
    async () => {
      const drawn = fc
        .sample(drawing, 60)
        .map((one, index) => [`${index} ${JSON.stringify(one)}`, listDocument(one)] as const);
      expect(await expectPrinted(drawn)).toBeGreaterThan(300);
    },
    TIMEOUT_MS,
  );

  it(
    `[VW34] are the labels of the page, ${needsCorpus}`,
    async () => {
      const compared = await expectPrinted(corpusDocuments().filter(isOpened));
      expect(compared).toBeGreaterThanOrEqual(hasCorpus ? 10 : 0);
    },
    TIMEOUT_MS,
  );
});
