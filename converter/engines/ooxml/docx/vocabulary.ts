import {
  KnownPrefixes,
  SHARED_PREFIXES,
  type SharedVocabulary,
  STRICT,
  TRANSITIONAL,
} from '../package/namespaces.ts';

/** The namespaces of a text document, in one of the two vocabularies of ECMA-376. */
export interface WordVocabulary extends SharedVocabulary {
  readonly word: string;
  readonly wordDrawing: string;
}

const VOCABULARIES: readonly WordVocabulary[] = [
  {
    ...TRANSITIONAL,
    word: 'http://schemas.openxmlformats.org/wordprocessingml/2006/main',
    wordDrawing: 'http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing',
  },
  {
    ...STRICT,
    word: 'http://purl.oclc.org/ooxml/wordprocessingml/main',
    wordDrawing: 'http://purl.oclc.org/ooxml/drawingml/wordprocessingDrawing',
  },
];

/** Extensions of later versions ([MS-DOCX] 2.2). */
export const WORD_2010 = 'http://schemas.microsoft.com/office/word/2010/wordml';
export const WORD_2012 = 'http://schemas.microsoft.com/office/word/2012/wordml';

/** The prefixes by which our code names elements and attributes of a docx. */
export const WORD_PREFIXES = new KnownPrefixes(
  [
    ...SHARED_PREFIXES,
    ...VOCABULARIES.flatMap(({ word, wordDrawing }) => [[word, 'w'] as const, [wordDrawing, 'wp'] as const]),
    [WORD_2010, 'w14'],
    [WORD_2012, 'w15'],
  ],
  /<(?:(?!w:)|w:(?:drawing|pict|object)\b)/y,
);

/** The vocabulary whose word-processing namespace this is. */
export function vocabularyOf(wordNamespace: string | undefined): WordVocabulary | undefined {
  return VOCABULARIES.find(({ word }) => word === wordNamespace);
}
