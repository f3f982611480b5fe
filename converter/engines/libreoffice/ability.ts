import { delimiterOf } from '../../../model/delimiters.ts';
import { type Conversion, isPages, pictureTypes } from '../../formats/conversion.ts';
import { isKnownCodePage } from '../../text/text-encoding.ts';
import type { EngineAbility } from '../conversion-engine.ts';
import { readerOf, readTypes, writtenTypes } from './filters.ts';
import { isPlain } from './plain-text.ts';
import { pdfWatermark } from './watermark.ts';

/** Types of files that LibreOffice encrypts. With other types it takes a password too, but writes them unencrypted. */
const protectable: ReadonlySet<string> = new Set(
  `docx docm dotx doc dot odt ott xlsx xlsm xltx xls xlt ods ots pptx pptm potx odp otp odg otg pdf`.split(
    /\s+/,
  ),
);

/** Files that have macros in them, and those from which nothing is lost when they become such a file. */
const macroSources: Readonly<Record<string, string>> = {
  'docm dotm': 'docm dotm docx dotx',
  'xlsm xltm': 'xlsm xltm xlsx xltx xls xlt csv tsv',
  'pptm ppsm potm': 'pptm ppsm potm pptx ppsx potx',
};

/** The encryption of doc and xls knows no longer passwords. */
const shortPasswords: ReadonlySet<string> = new Set(['doc', 'dot', 'xls', 'xlt']);
const SHORT_PASSWORD = 15;
const WESTERN_CODE_PAGE = /^[\u0020-\u007E\u00A0-\u00FF]*$/;

export const libreofficePairs: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  readTypes.map((type) => [type, new Set(targetsOf(type))]),
);

/** What LibreOffice of this version can do. */
export function libreofficeAbility(version: string): EngineAbility {
  return { name: 'libreoffice', version, pairs: libreofficePairs, unable };
}

function targetsOf(type: string): readonly string[] {
  if (type === 'pdf') return pictureTypes;
  const { module } = readerOf(type)!;
  const written = writtenTypes(module).filter((target) => keepsMacros(type, target));
  return [...written, ...(module === 'impress' ? ['txt'] : []), 'pdfa', ...pictureTypes].sort();
}

function keepsMacros(type: string, target: string): boolean {
  const sources = Object.entries(macroSources).find(([targets]) => targets.split(' ').includes(target))?.[1];
  return sources === undefined || sources.split(' ').includes(type);
}

function unable({ fromType, toType, options }: Conversion): string[] {
  const { savePassword, watermark, pdf, codePage, delimiter, delimiterChar, documentLayout, sheet } = options;
  const plain = isPlain(fromType) || isPlain(toType);
  const cannot: Readonly<Record<string, boolean>> = {
    savePassword: savePassword !== undefined && !canProtect(toType, savePassword, pdf?.pdfa === true),
    'pdf.form': pdf?.form === true,
    'pdf.pdfa': pdf?.pdfa === true && toType !== 'pdf' && toType !== 'pdfa',
    pdfLayout: options.pdfLayout !== undefined,
    codePage: plain && codePage !== undefined && !isKnownCodePage(codePage),
    delimiter: plain && delimiter !== undefined && !isDelimiter(delimiter, isPlain(toType)),
    delimiterChar: plain && delimiterChar !== undefined && delimiterChar.length !== 1,
    sheet: sheet !== undefined && !isSheetTarget(fromType, toType, sheet),
    region: options.region !== undefined && !isRegion(options.region),
    'documentRenderer.textAssociation': options.documentRenderer?.textAssociation !== undefined,
    'documentLayout.drawPlaceHolders': documentLayout?.drawPlaceHolders === false,
    'documentLayout.drawFormHighlight': documentLayout?.drawFormHighlight === true,
  };
  return [
    ...Object.keys(cannot).filter((name) => cannot[name]),
    ...(watermark === undefined ? [] : unableWatermark(watermark, toType)),
  ];
}

/** Whether one sheet can be all that is made of a file. */
const isSheetTarget = (fromType: string, toType: string, sheet: number): boolean =>
  sheet >= 1 && readerOf(fromType)?.module === 'calc' && (isPlain(toType) || isPages(toType));

function unableWatermark(watermark: NonNullable<Conversion['options']['watermark']>, toType: string) {
  if (!isPages(toType)) return ['watermark'];
  const drawing = pdfWatermark(watermark);
  return 'unable' in drawing ? drawing.unable : [];
}

function canProtect(toType: string, password: string, archived: boolean): boolean {
  if (!protectable.has(toType)) return false;
  // A PDF/A cannot be encrypted, and the password of a PDF is in one encoding.
  if (toType === 'pdf') return !archived && WESTERN_CODE_PAGE.test(password);
  return !shortPasswords.has(toType) || password.length <= SHORT_PASSWORD;
}

/** A table that is written needs something between its cells. */
const isDelimiter = (number: number, written: boolean): boolean =>
  number === 0 ? !written : delimiterOf(number) !== undefined;

function isRegion(region: string): boolean {
  try {
    const [language, country] = region.split('-');
    const known = Intl.DateTimeFormat.supportedLocalesOf([region]);
    return known.length > 0 && language !== undefined && country !== undefined;
  } catch {
    return false;
  }
}
