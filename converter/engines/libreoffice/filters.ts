import { webTable } from '../../formats/conversion.ts';
import { detectOffice } from '../ooxml/package/office-kind.ts';

/** Programs of LibreOffice, each with documents of its own kind. */
export type OfficeModule = 'writer' | 'calc' | 'impress' | 'draw';

/** How files of a type are read, and the program that they are opened in. */
export interface OfficeReader {
  readonly module: OfficeModule;
  /** Name of the import filter. Always named: what LibreOffice finds out itself may be plain text. */
  readonly filter: string;
}

/** How documents of Word 6 and Word 95 are read. */
export const olderWord: OfficeReader = { module: 'writer', filter: 'MS WinWord 6.0' };

const OOXML_TEXT = 'MS Word 2007 XML';
const OOXML_SHEET = 'Calc MS Excel 2007 XML';
const OOXML_SLIDES = 'Impress MS PowerPoint 2007 XML';
const CSV = 'Text - txt - csv (StarCalc)';

/** Plain text, whose encoding is said by filter options. */
const PLAIN_TEXT = 'Text (encoded)';

const readers: Readonly<Record<OfficeModule, Readonly<Record<string, string>>>> = {
  writer: {
    docx: OOXML_TEXT,
    docm: `${OOXML_TEXT} VBA`,
    dotx: `${OOXML_TEXT} Template`,
    dotm: `${OOXML_TEXT} Template`,
    doc: 'MS Word 97',
    dot: 'MS Word 97 Vorlage',
    odt: 'writer8',
    ott: 'writer8_template',
    fodt: 'OpenDocument Text Flat XML',
    rtf: 'Rich Text Format',
    txt: PLAIN_TEXT,
    html: 'HTML (StarWriter)',
    htm: 'HTML (StarWriter)',
    fb2: 'FictionBook 2',
    sxw: 'StarOffice XML (Writer)',
    stw: 'writer_StarOffice_XML_Writer_Template',
  },
  calc: {
    xlsx: OOXML_SHEET,
    xlsm: 'Calc MS Excel 2007 VBA XML',
    xltx: `${OOXML_SHEET} Template`,
    xltm: `${OOXML_SHEET} Template`,
    xlsb: 'Calc MS Excel 2007 Binary',
    xls: 'MS Excel 97',
    xlt: 'MS Excel 97 Vorlage/Template',
    ods: 'calc8',
    ots: 'calc8_template',
    fods: 'OpenDocument Spreadsheet Flat XML',
    csv: CSV,
    tsv: CSV,
    slk: 'SYLK',
    sxc: 'StarOffice XML (Calc)',
    xml: 'MS Excel 2003 XML Orcus',
    [webTable]: 'calc_HTML_WebQuery',
  },
  impress: {
    pptx: OOXML_SLIDES,
    pptm: `${OOXML_SLIDES} VBA`,
    ppsx: `${OOXML_SLIDES} AutoPlay`,
    ppsm: `${OOXML_SLIDES} AutoPlay`,
    potx: `${OOXML_SLIDES} Template`,
    potm: `${OOXML_SLIDES} Template`,
    ppt: 'MS PowerPoint 97',
    pps: 'MS PowerPoint 97 AutoPlay',
    pot: 'MS PowerPoint 97 Vorlage',
    odp: 'impress8',
    otp: 'impress8_template',
    fodp: 'OpenDocument Presentation Flat XML',
    sxi: 'StarOffice XML (Impress)',
  },
  draw: {
    odg: 'draw8',
    otg: 'draw8_template',
    fodg: 'OpenDocument Drawing Flat XML',
    vsdx: 'Visio Document',
    pdf: 'draw_pdf_import',
  },
};

const writers: Readonly<Record<OfficeModule, Readonly<Record<string, string>>>> = {
  writer: {
    ...pick(readers.writer, 'docx docm dotx doc dot odt ott fodt rtf txt html'),
    dotm: `${OOXML_TEXT} VBA`,
    epub: 'EPUB',
    pdf: 'writer_pdf_Export',
  },
  calc: {
    ...pick(readers.calc, 'xlsx xlsm xltx xls xlt ods ots fods csv tsv slk'),
    xltm: 'Calc MS Excel 2007 VBA XML',
    html: 'HTML (StarCalc)',
    pdf: 'calc_pdf_Export',
  },
  impress: {
    ...pick(readers.impress, 'pptx pptm ppsx potx ppt pps pot odp otp fodp'),
    ppsm: `${OOXML_SLIDES} VBA`,
    potm: `${OOXML_SLIDES} VBA`,
    pdf: 'impress_pdf_Export',
  },
  draw: { ...pick(readers.draw, 'odg otg fodg'), pdf: 'draw_pdf_Export' },
};

/** The content type of the main part, for types that LibreOffice writes with the content type of a similar type. */
export const mainContentTypes: Readonly<Record<string, string>> = {
  dotm: 'application/vnd.ms-word.template.macroEnabledTemplate.main+xml',
  xltm: 'application/vnd.ms-excel.template.macroEnabled.main+xml',
  ppsx: 'application/vnd.openxmlformats-officedocument.presentationml.slideshow.main+xml',
  ppsm: 'application/vnd.ms-powerpoint.slideshow.macroEnabled.main+xml',
  potm: 'application/vnd.ms-powerpoint.template.macroEnabled.main+xml',
};

/** How files of a type are read; undefined for types that are not. */
export function readerOf(type: string): OfficeReader | undefined {
  for (const [module, filters] of Object.entries(readers)) {
    if (Object.hasOwn(filters, type)) return { module: module as OfficeModule, filter: filters[type]! };
  }
  return undefined;
}

/** Name of the filter that writes a type; undefined for types that a program does not write. */
export const writerOf = (module: OfficeModule, type: string): string | undefined =>
  Object.hasOwn(writers[module], type) ? writers[module][type] : undefined;

export const readTypes: readonly string[] = Object.values(readers).flatMap((filters) => Object.keys(filters));

export const writtenTypes = (module: OfficeModule): readonly string[] => Object.keys(writers[module]);

function pick(from: Readonly<Record<string, string>>, types: string): Record<string, string> {
  return Object.fromEntries(types.split(' ').map((type) => [type, from[type]!]));
}

/** Documents of Word 97 and later have one of these streams ([MS-DOC] 2.1.2). */
const tables: readonly Buffer[] = ['0Table', '1Table'].map((name) => Buffer.from(name, 'utf16le'));

/** Whether a file is a document of Word 6 or Word 95, which goes by the same name as later ones. */
export function isOlderWord(bytes: Uint8Array): boolean {
  if (detectOffice(bytes) !== 'doc') return false;
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return !tables.some((name) => buffer.includes(name));
}
