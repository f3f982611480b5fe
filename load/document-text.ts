import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';

const paragraphEnd = '\n';
const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };

/** The text of a docx: its paragraphs, each with a line feed. Throws when the bytes are no docx. */
export function textOf(docx: Uint8Array): string {
  const parts = unzipSync(docx, { filter: ({ name }) => name === 'word/document.xml' });
  const part = parts['word/document.xml'];
  if (!part) throw new Error('The file has no word/document.xml');
  let text = '';
  for (const [, end, run] of strFromU8(part).matchAll(/<\/(w:p)>|<w:t(?: [^>]*)?>([^<]*)<\/w:t>/g)) {
    text += end ? paragraphEnd : run;
  }
  return text.replace(/&(lt|gt|amp|quot|apos);/g, (_, name: string) => entities[name]!);
}

const word = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const packages = 'http://schemas.openxmlformats.org/package/2006';
const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const sentence = 'Nobody reads this sentence, which stands here to give a paragraph its usual length. ';

/** Paragraphs of the document that people work in: the first one is typed into. */
const paragraphsOf = (edition: number): string[] => [
  `Edition ${edition}.`,
  ...Array.from({ length: 12 }, (_, number) => `${number + 1}. ${sentence.repeat(4).trimEnd()}`),
];

/** A docx of one page. `edition` makes it another document. The same bytes each time. */
export function sourceDocx(edition: number): Uint8Array {
  const paragraphs = paragraphsOf(edition).map(
    (text) => `<w:p><w:r><w:t xml:space="preserve">${text}</w:t></w:r></w:p>`,
  );
  const files = {
    '[Content_Types].xml': `<Types xmlns="${packages}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>`,
    '_rels/.rels': `<Relationships xmlns="${packages}/relationships"><Relationship Id="rId1" Type="${office}/officeDocument" Target="word/document.xml"/></Relationships>`,
    'word/document.xml': `<w:document xmlns:w="${word}"><w:body>${paragraphs.join('')}<w:sectPr><w:pgSz w:w="11906" w:h="16838"/><w:pgMar w:top="1440" w:right="1440" w:bottom="1440" w:left="1440" w:header="708" w:footer="708" w:gutter="0"/></w:sectPr></w:body></w:document>`,
  };
  const parts = Object.fromEntries(
    Object.entries(files).map(([name, xml]) => [name, strToU8(declaration + xml)]),
  );
  return zipSync(parts, { level: 6, mtime: new Date(2024, 0, 1) });
}

/** The text of {@link sourceDocx} as {@link textOf} gives it. */
export const sourceText = (edition: number): string =>
  paragraphsOf(edition)
    .map((text) => text + paragraphEnd)
    .join('');
