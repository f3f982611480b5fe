import { opensForEditing, savedType as typeSavedByX2t } from '../../converter/engines/x2t/formats.ts';
import type { ConversionTable } from '../../converter/formats/conversion-table.ts';
import { isOwnType, isShown, opensAs, savedTypeOf } from '../../converter/formats/kind-formats.ts';

import { isOfKind, type KindName, kinds, nativeTypeOf } from '../../model/kinds.ts';
import { otherExtensionsOf } from '../../model/usual-type.ts';

/** The names of editors in discovery. */
export const appNames: Readonly<Record<KindName, string>> = {
  word: 'Word',
  cell: 'Excel',
  slide: 'PowerPoint',
  pdf: 'Pdf',
  diagram: 'Visio',
};

/** A format that files of a host may have. */
export interface Format {
  extension: string;
  kind: KindName;
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
/** Media types by extension. */
const known: Readonly<Record<string, readonly string[]>> = {
  docx: [`${ooxml}.wordprocessingml.document`],
  docm: [`application/vnd.ms-word.document.${macro}`],
  dotx: [`${ooxml}.wordprocessingml.template`],
  dotm: [`application/vnd.ms-word.template.${macro}`],
  doc: ['application/msword'],
  dot: [],
  odt: [`${odf}.text`],
  ott: [`${odf}.text-template`],
  fodt: [`${odf}.text-flat-xml`],
  rtf: ['application/rtf', 'text/rtf'],
  txt: ['text/plain'],
  md: ['text/markdown'],
  html: ['text/html'],
  mht: ['message/rfc822'],
  epub: ['application/epub+zip'],
  fb2: ['text/fb2+xml'],
  xlsx: [`${ooxml}.spreadsheetml.sheet`],
  xlsm: [`application/vnd.ms-excel.sheet.${macro}`],
  xltx: [`${ooxml}.spreadsheetml.template`],
  xltm: [`application/vnd.ms-excel.template.${macro}`],
  xlsb: ['application/vnd.ms-excel.sheet.binary.macroEnabled.12'],
  xls: ['application/vnd.ms-excel'],
  xlt: [],
  ods: [`${odf}.spreadsheet`],
  ots: [`${odf}.spreadsheet-template`],
  fods: [`${odf}.spreadsheet-flat-xml`],
  csv: ['text/csv'],
  tsv: ['text/tab-separated-values'],
  sxc: ['application/vnd.sun.xml.calc'],
  pptx: [`${ooxml}.presentationml.presentation`],
  pptm: [`application/vnd.ms-powerpoint.presentation.${macro}`],
  ppsx: [`${ooxml}.presentationml.slideshow`],
  ppsm: [`application/vnd.ms-powerpoint.slideshow.${macro}`],
  potx: [`${ooxml}.presentationml.template`],
  potm: [`application/vnd.ms-powerpoint.template.${macro}`],
  ppt: ['application/vnd.ms-powerpoint'],
  pps: [],
  pot: [],
  odp: [`${odf}.presentation`],
  otp: [`${odf}.presentation-template`],
  fodp: [`${odf}.presentation-flat-xml`],
  odg: [`${odf}.graphics`],
  sxi: ['application/vnd.sun.xml.impress'],
  pdf: ['application/pdf'],
  djvu: ['image/vnd.djvu'],
  xps: ['application/vnd.ms-xpsdocument'],
  oxps: ['application/oxps'],
  vsdx: ['application/vnd.ms-visio.drawing.main+xml'],
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

/** The formats that can be served, in the order in which discovery lists them, each by all extensions that it has. */
export function servedFormats({
  hasOtherEditors,
  blanks,
  conversions,
  assemblyFormatAsOrigin: keepsType,
}: Abilities): Format[] {
  const kindsOf = (extension: string) => kinds.edited.filter((kind) => isOfKind(kind, extension));
  const ownerOf = (extension: string) => kindsOf(extension).find((kind) => isOwnType(kind, extension));
  const isOpened = (extension: string) =>
    hasOtherEditors
      ? opensForEditing(extension) || ownerOf(extension) !== undefined
      : kindsOf(extension).some((kind) => opensAs(kind, extension, conversions));
  // Where editors of others are installed, files that they do not open are not shown either: the page is theirs.
  const isViewed = (extension: string) =>
    isOpened(extension) || (!hasOtherEditors && isShown(extension, conversions));
  const savedType = (extension: string) => {
    if (hasOtherEditors && !ownerOf(extension)) return typeSavedByX2t(extension, keepsType);
    const [kind] = kindsOf(extension);
    return kind && savedTypeOf(kind, extension, keepsType, conversions);
  };
  const isEdited = (extension: string) => isOpened(extension) && savedType(extension) === extension;
  return Object.entries(known).flatMap(([extension, mimeTypes]) => {
    const kind = kinds.ofType(extension)[0]!;
    const view = isViewed(extension);
    const edit = isEdited(extension);
    const target = nativeTypeOf(kind);
    // A file is not converted for editing when the result could only be viewed.
    const isOf = target !== extension && isEdited(target) && conversions.handles(extension, target);
    const convertTo = !edit && isOf ? target : null;
    if (!view && convertTo === null) return [];
    const blank = edit && blanks.includes(extension);
    const format = { extension, kind: kind.name as KindName, mimeTypes, view, edit, blank, convertTo };
    const others = otherExtensionsOf(extension);
    return [format, ...others.map((other) => ({ ...format, extension: other, mimeTypes: [], blank: false }))];
  });
}
