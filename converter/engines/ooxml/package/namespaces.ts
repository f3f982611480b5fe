/** The two vocabularies of ECMA-376: Part 4 (transitional, what Office writes) and Part 1 (strict). */
export interface Vocabulary {
  readonly strict: boolean;
  readonly word: string;
  readonly relationships: string;
  readonly wordDrawing: string;
  readonly drawing: string;
  readonly picture: string;
}

const TRANSITIONAL: Vocabulary = {
  strict: false,
  word: 'http://schemas.openxmlformats.org/wordprocessingml/2006/main',
  relationships: 'http://schemas.openxmlformats.org/officeDocument/2006/relationships',
  wordDrawing: 'http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing',
  drawing: 'http://schemas.openxmlformats.org/drawingml/2006/main',
  picture: 'http://schemas.openxmlformats.org/drawingml/2006/picture',
};

const STRICT: Vocabulary = {
  strict: true,
  word: 'http://purl.oclc.org/ooxml/wordprocessingml/main',
  relationships: 'http://purl.oclc.org/ooxml/officeDocument/relationships',
  wordDrawing: 'http://purl.oclc.org/ooxml/drawingml/wordprocessingDrawing',
  drawing: 'http://purl.oclc.org/ooxml/drawingml/main',
  picture: 'http://purl.oclc.org/ooxml/drawingml/picture',
};

/** The vocabulary whose word-processing namespace this is. */
export function vocabularyOf(wordNamespace: string | undefined): Vocabulary | undefined {
  return [TRANSITIONAL, STRICT].find((vocabulary) => vocabulary.word === wordNamespace);
}

/** True when a relationship's type has this local name (`image`, `hyperlink`, ...) in either vocabulary. */
export function isRelationshipType(type: string, localName: string): boolean {
  return (
    type === `${TRANSITIONAL.relationships}/${localName}` || type === `${STRICT.relationships}/${localName}`
  );
}

export const PACKAGE_RELATIONSHIPS = 'http://schemas.openxmlformats.org/package/2006/relationships';

/** The prefixes by which our code names elements and attributes. */
const CANONICAL: ReadonlyMap<string, string> = new Map([
  ...[TRANSITIONAL, STRICT].flatMap(({ word, relationships, wordDrawing, drawing, picture }) => [
    [word, 'w'] as const,
    [relationships, 'r'] as const,
    [wordDrawing, 'wp'] as const,
    [drawing, 'a'] as const,
    [picture, 'pic'] as const,
  ]),
  ['http://schemas.openxmlformats.org/officeDocument/2006/math', 'm'],
  ['http://purl.oclc.org/ooxml/officeDocument/math', 'm'],
  ['http://schemas.openxmlformats.org/markup-compatibility/2006', 'mc'],
  ['urn:schemas-microsoft-com:vml', 'v'],
  ['urn:schemas-microsoft-com:office:office', 'o'],
  ['http://schemas.microsoft.com/office/word/2010/wordml', 'w14'],
  ['http://schemas.microsoft.com/office/word/2012/wordml', 'w15'],
  ['http://schemas.microsoft.com/office/drawing/2016/SVG/main', 'asvg'],
]);
const CANONICAL_PREFIXES = new Set(CANONICAL.values());

/** The prefix by which our code knows a namespace; undefined for one that it does not know. */
export function canonicalPrefixOf(namespace: string): string | undefined {
  return CANONICAL.get(namespace);
}

export function isCanonicalPrefix(prefix: string): boolean {
  return CANONICAL_PREFIXES.has(prefix);
}
