import {
  KnownPrefixes,
  SHARED_PREFIXES,
  type SharedVocabulary,
  STRICT,
  TRANSITIONAL,
} from '../package/namespaces.ts';

/** The namespaces of a workbook, in one of the two vocabularies of ECMA-376. */
export interface SheetVocabulary extends SharedVocabulary {
  readonly main: string;
  readonly sheetDrawing: string;
  readonly chart: string;
}

const VOCABULARIES: readonly SheetVocabulary[] = [
  {
    ...TRANSITIONAL,
    main: 'http://schemas.openxmlformats.org/spreadsheetml/2006/main',
    sheetDrawing: 'http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing',
    chart: 'http://schemas.openxmlformats.org/drawingml/2006/chart',
  },
  {
    ...STRICT,
    main: 'http://purl.oclc.org/ooxml/spreadsheetml/main',
    sheetDrawing: 'http://purl.oclc.org/ooxml/drawingml/spreadsheetDrawing',
    chart: 'http://purl.oclc.org/ooxml/drawingml/chart',
  },
];

/** Extensions of later versions ([MS-XLSX] 2.3 and 2.6). */
const SHEET_2009 = 'http://schemas.microsoft.com/office/spreadsheetml/2009/9/main';
const FORMULAS_2006 = 'http://schemas.microsoft.com/office/excel/2006/main';
export const THREADS_2018 = 'http://schemas.microsoft.com/office/spreadsheetml/2018/threadedcomments';
export const ARRAYS_2017 = 'http://schemas.microsoft.com/office/spreadsheetml/2017/dynamicarray';

/**
 * The prefixes by which our code names elements and attributes of an xlsx. Elements of the main namespace have none there, as
 * in nearly all files.
 */
export const SHEET_PREFIXES = new KnownPrefixes(
  [
    ...SHARED_PREFIXES,
    ...VOCABULARIES.flatMap(({ main, sheetDrawing, chart }) => [
      [main, ''] as const,
      [sheetDrawing, 'xdr'] as const,
      [chart, 'c'] as const,
    ]),
    [SHEET_2009, 'x14'],
    [FORMULAS_2006, 'xm'],
    [THREADS_2018, 'tc'],
    [ARRAYS_2017, 'xda'],
  ],
  /<(?:ext\b|x14:|[a-zA-Z0-9]+:)/y,
);

/** The vocabulary whose main namespace this is. */
export function sheetVocabularyOf(mainNamespace: string | undefined): SheetVocabulary | undefined {
  return VOCABULARIES.find(({ main }) => main === mainNamespace);
}
