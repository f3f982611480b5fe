import { opensForEditing, savedType as typeSavedByX2t } from '../../converter/engines/x2t/formats.ts';
import type { ConversionTable } from '../../converter/formats/conversion-table.ts';
import { isOwnType, opensInWord, savedWordType } from '../../converter/formats/kind-formats.ts';
import { isShown } from '../../converter/formats/shown-formats.ts';

/** Editors, by the part of a page's address that names them. */
export const pageKinds = ['word', 'cell', 'slide', 'pdf', 'diagram'] as const;
export type PageKind = (typeof pageKinds)[number];

/** The names of editors in discovery. */
export const appNames: Readonly<Record<PageKind, string>> = {
  word: 'Word',
  cell: 'Excel',
  slide: 'PowerPoint',
  pdf: 'Pdf',
  diagram: 'Visio',
};

/** A format that files of a host may have. */
export interface Format {
  extension: string;
  kind: PageKind;
  mimeTypes: readonly string[];
  /** An editor shows it, or it is shown as pages; a few formats can only be converted. */
  view: boolean;
  /** It can be edited and is saved as it came. */
  edit: boolean;
  /** A new file of no size can be begun in it. */
  blank: boolean;
  /** What it is converted to for editing; null when it is not. */
  convertTo: string | null;
}

const ooxml = 'application/vnd.openxmlformats-officedocument';
const macro = 'macroEnabled.12';
const odf = 'application/vnd.oasis.opendocument';
/** Extension: editor and media types. */
const known: Readonly<Record<string, readonly [kind: PageKind, ...mimeTypes: string[]]>> = {
  docx: ['word', `${ooxml}.wordprocessingml.document`],
  docm: ['word', `application/vnd.ms-word.document.${macro}`],
  dotx: ['word', `${ooxml}.wordprocessingml.template`],
  dotm: ['word', `application/vnd.ms-word.template.${macro}`],
  doc: ['word', 'application/msword'],
  dot: ['word'],
  odt: ['word', `${odf}.text`],
  ott: ['word', `${odf}.text-template`],
  fodt: ['word', `${odf}.text-flat-xml`],
  rtf: ['word', 'application/rtf', 'text/rtf'],
  txt: ['word', 'text/plain'],
  md: ['word', 'text/markdown'],
  html: ['word', 'text/html'],
  htm: ['word'],
  mht: ['word', 'message/rfc822'],
  epub: ['word', 'application/epub+zip'],
  fb2: ['word', 'text/fb2+xml'],
  xlsx: ['cell', `${ooxml}.spreadsheetml.sheet`],
  xlsm: ['cell', `application/vnd.ms-excel.sheet.${macro}`],
  xltx: ['cell', `${ooxml}.spreadsheetml.template`],
  xltm: ['cell', `application/vnd.ms-excel.template.${macro}`],
  xlsb: ['cell', 'application/vnd.ms-excel.sheet.binary.macroEnabled.12'],
  xls: ['cell', 'application/vnd.ms-excel'],
  xlt: ['cell'],
  ods: ['cell', `${odf}.spreadsheet`],
  ots: ['cell', `${odf}.spreadsheet-template`],
  fods: ['cell', `${odf}.spreadsheet-flat-xml`],
  csv: ['cell', 'text/csv'],
  tsv: ['cell', 'text/tab-separated-values'],
  sxc: ['cell', 'application/vnd.sun.xml.calc'],
  pptx: ['slide', `${ooxml}.presentationml.presentation`],
  pptm: ['slide', `application/vnd.ms-powerpoint.presentation.${macro}`],
  ppsx: ['slide', `${ooxml}.presentationml.slideshow`],
  ppsm: ['slide', `application/vnd.ms-powerpoint.slideshow.${macro}`],
  potx: ['slide', `${ooxml}.presentationml.template`],
  potm: ['slide', `application/vnd.ms-powerpoint.template.${macro}`],
  ppt: ['slide', 'application/vnd.ms-powerpoint'],
  pps: ['slide'],
  pot: ['slide'],
  odp: ['slide', `${odf}.presentation`],
  otp: ['slide', `${odf}.presentation-template`],
  fodp: ['slide', `${odf}.presentation-flat-xml`],
  odg: ['slide', `${odf}.graphics`],
  sxi: ['slide', 'application/vnd.sun.xml.impress'],
  pdf: ['pdf', 'application/pdf'],
  djvu: ['pdf', 'image/vnd.djvu'],
  xps: ['pdf', 'application/vnd.ms-xpsdocument'],
  oxps: ['pdf', 'application/oxps'],
  vsdx: ['diagram', 'application/vnd.ms-visio.drawing.main+xml'],
};

const ooxmlOf: Readonly<Record<PageKind, string>> = {
  word: 'docx',
  cell: 'xlsx',
  slide: 'pptx',
  pdf: 'pdf',
  diagram: 'vsdx',
};

/** What this installation can serve, which depends on the editors and converters that it has. */
export interface Abilities {
  /** Editors of others are there, with the converter that opens documents for them. */
  hasOtherEditors: boolean;
  /** Extensions of new files that can be made. */
  blanks: readonly string[];
  conversions: Pick<ConversionTable, 'handles'>;
  /** Changed documents are saved in the format they came in. */
  assemblyFormatAsOrigin: boolean;
}

/** The formats that can be served, in the order in which discovery lists them. */
export function servedFormats({
  hasOtherEditors,
  blanks,
  conversions,
  assemblyFormatAsOrigin: keepsType,
}: Abilities): Format[] {
  const isOpened = (extension: string) =>
    hasOtherEditors
      ? opensForEditing(extension) || isOwnType(extension)
      : opensInWord(extension, conversions);
  // Where editors of others are, what they do not open is not shown either: the page is theirs.
  const isViewed = (extension: string) =>
    isOpened(extension) || (!hasOtherEditors && isShown(extension, conversions));
  const savedType = (extension: string) =>
    hasOtherEditors && !isOwnType(extension)
      ? typeSavedByX2t(extension, keepsType)
      : savedWordType(extension, keepsType, conversions);
  const isEdited = (extension: string) => isOpened(extension) && savedType(extension) === extension;
  return Object.entries(known).flatMap(([extension, [kind, ...mimeTypes]]) => {
    const view = isViewed(extension);
    const edit = isEdited(extension);
    const target = ooxmlOf[kind];
    // Nobody converts a file for editing to find that the result can only be looked at.
    const isOf = target !== extension && isEdited(target) && conversions.handles(extension, target);
    const convertTo = !edit && isOf ? target : null;
    if (!view && convertTo === null) return [];
    return [{ extension, kind, mimeTypes, view, edit, blank: edit && blanks.includes(extension), convertTo }];
  });
}
