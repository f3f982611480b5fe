import { ConversionError } from '../../errors.ts';
import {
  type Conversion,
  type ConversionOptions,
  editorForms,
  isPages,
  type Layout,
  pictureTypes,
  type Thumbnail,
} from '../../formats/conversion.ts';
import type { OpeningOptions } from '../../jobs/opening-options.ts';
import type { ConversionEngine, EngineAbility } from '../conversion-engine.ts';
import { usualMargins, usualPageSize, usualScale, usualThumbnail } from '../usual-options.ts';
import { encodingOf, UTF8_ENCODING } from './encodings.ts';
import { DRAWN_PAGES, isPlain, PDF_FORM, x2tPairs } from './formats.ts';
import { localeNumber } from './locales.ts';
import type { X2tOptions } from './params.ts';
import type { X2tEngine } from './x2t-engine.ts';

/** Formats that x2t encrypts. */
const protectable: ReadonlySet<string> = new Set(
  `docx docm dotx dotm odt ott xlsx xlsm xltx xltm ods ots pptx pptm ppsx ppsm potx potm odp otp pdf`.split(
    ' ',
  ),
);

/** Whether files of a type can be protected by a password. */
export const canProtect = (toType: string): boolean => protectable.has(toType);

const pictureNumbers: Readonly<Record<string, number>> = { bmp: 1, gif: 2, jpg: 3, png: 4 };

/** `documentRenderer.textAssociation`: what of a page becomes a paragraph. */
const textAssociations: readonly string[] = ['blockChar', 'blockLine', 'plainLine', 'plainParagraph'];

const COMMA = 4;
const TAB = 1;

/**
 * What x2t of this version can do. An option that does not concern a pair (a delimiter for a text document) is ignored; one
 * that x2t cannot follow is refused.
 */
export function x2tAbility(version: string): EngineAbility {
  return { name: 'x2t', version, pairs: x2tPairs, unable };
}

function unable({ toType, options }: Conversion): string[] {
  const { savePassword, watermark, pdf, pdfLayout, codePage, region, documentRenderer } = options;
  const association = documentRenderer?.textAssociation;
  const cannot: Readonly<Record<string, boolean>> = {
    savePassword: savePassword !== undefined && !canProtect(toType),
    watermark: watermark !== undefined && !isPages(toType),
    'pdf.form': pdf?.form === true && toType !== 'pdf',
    'pdf.pdfa': pdf?.pdfa === true && (toType !== 'pdf' || pdf.form === true),
    pdfLayout: pdfLayout !== undefined,
    sheet: options.sheet !== undefined,
    codePage: codePage !== undefined && encodingOf(codePage) === undefined,
    region: region !== undefined && localeNumber(region) === undefined,
    'documentRenderer.textAssociation': association !== undefined && !textAssociations.includes(association),
  };
  return Object.keys(cannot).filter((name) => cannot[name]);
}

/** Conversions by x2t. */
export function x2tConversions(x2t: X2tEngine): ConversionEngine {
  return {
    ability: x2tAbility(x2t.installation.version),
    async convert(bytes, conversion, media, run) {
      const { fromType, toType } = conversion;
      const fileType = editorForms.includes(fromType) ? 'bin' : fromType;
      const format = fromType === 'pages' ? DRAWN_PAGES : undefined;
      const isProtected = fromType === 'pdf' && mayBeEncrypted(bytes);
      const readable = isProtected ? await readablePdf(x2t, bytes, conversion.options.password) : bytes;
      const source = { bytes: readable, fileType, format, media, options: optionsOf(conversion), run };
      return x2t.convert(source, toType, conversion.options.pdf?.form ? PDF_FORM : undefined);
    },
  };
}

/**
 * The parameters with which x2t writes a document that was opened with these options: one that was protected is again, and
 * plain text keeps its encoding and delimiter.
 * @throws ConversionError when the format cannot be protected
 */
export function savingOptions(opened: OpeningOptions, toType: string): X2tOptions {
  const { password, encoding = UTF8_ENCODING, delimiter, delimiterChar } = opened;
  if (password !== undefined && !canProtect(toType)) {
    throw new ConversionError('convert', `files of type ${toType} cannot be protected by a password`);
  }
  const isTabbed = toType === 'tsv';
  const noneGiven = delimiter === undefined && delimiterChar === undefined;
  const usual = noneGiven ? COMMA : delimiter;
  return {
    savePassword: password,
    ...(isPlain(toType) && { encoding, delimiter: isTabbed ? TAB : usual, delimiterChar }),
  };
}

/** The parameters of x2t for a conversion. */
function optionsOf({ fromType, toType, options }: Conversion): X2tOptions {
  const { password, savePassword, region, documentRenderer, pdf, thumbnail } = options;
  const association = documentRenderer?.textAssociation;
  return {
    password,
    savePassword,
    ...plainOptions(fromType, toType, options),
    localeNumber: region === undefined ? undefined : localeNumber(region),
    textAssociation: association === undefined ? undefined : textAssociations.indexOf(association),
    pdfa: toType === 'pdfa' || pdf?.pdfa === true || undefined,
    thumbnail: pictureTypes.includes(toType) ? thumbnailOf(toType, thumbnail) : undefined,
    layouts: layoutsOf(options),
  };
}

/** Plain text is written in UTF-8 with commas unless something else is wanted; for reading, both must be given. */
function plainOptions(
  fromType: string,
  toType: string,
  { codePage, delimiter, delimiterChar }: ConversionOptions,
): Partial<X2tOptions> {
  if (!isPlain(fromType) && !isPlain(toType)) return {};
  const isTabbed = fromType === 'tsv' || toType === 'tsv';
  const byDefault = isPlain(fromType) ? undefined : UTF8_ENCODING;
  const usual = isPlain(fromType) ? undefined : COMMA;
  return {
    encoding: codePage === undefined ? byDefault : encodingOf(codePage),
    delimiter: isTabbed ? TAB : (delimiter ?? usual),
    delimiterChar: isTabbed ? undefined : delimiterChar,
  };
}

const thumbnailOf = (toType: string, { aspect, first, width, height }: Thumbnail = {}) => ({
  aspect: aspect ?? usualThumbnail.aspect,
  first: first ?? usualThumbnail.first,
  width: width ?? usualThumbnail.width,
  height: height ?? usualThumbnail.height,
  format: pictureNumbers[toType]!,
});

function layoutsOf({ documentLayout, watermark, ...options }: ConversionOptions): string | undefined {
  const spreadsheetLayout = options.spreadsheetLayout && wholeLayout(options.spreadsheetLayout);
  const layouts = Object.entries({ spreadsheetLayout, documentLayout, watermark }).filter(
    ([, value]) => value !== undefined,
  );
  return layouts.length === 0 ? undefined : JSON.stringify(Object.fromEntries(layouts));
}

/**
 * x2t reads margins and page size only when they are complete, and puts a whole sheet on one page when a layout names
 * neither a scale nor pages.
 */
function wholeLayout(given: Layout): Layout {
  const { margins, pageSize, scale, fitToWidth, fitToHeight } = given;
  const isScaled = scale !== undefined || Boolean(fitToWidth) || Boolean(fitToHeight);
  return {
    ...given,
    ...(isScaled ? {} : { scale: usualScale }),
    ...(margins === undefined ? {} : { margins: { ...usualMargins, ...(margins as Layout) } }),
    ...(pageSize === undefined ? {} : { pageSize: { ...usualPageSize, ...(pageSize as Layout) } }),
  };
}

/** Whether a PDF may be encrypted: what its trailer says then (ISO 32000-1, 7.5.5). */
const mayBeEncrypted = (pdf: Uint8Array): boolean => Buffer.from(pdf).includes('/Encrypt');

/**
 * An encrypted PDF without its encryption. x2t does not say that a password is missing or wrong: it returns the file as it
 * is, and makes nothing of its pages. A file that is protected against changes only can be read without.
 * @throws ConversionError passwordRequired, wrongPassword
 */
async function readablePdf(
  x2t: X2tEngine,
  bytes: Uint8Array,
  password: string | undefined,
): Promise<Uint8Array> {
  const source = { bytes, fileType: 'pdf', options: { password } };
  if (password === undefined) {
    const text = Buffer.from(await x2t.convert(source, 'txt')).toString();
    if (text.trim() !== '') return bytes;
    throw new ConversionError('passwordRequired', 'the file is protected by a password');
  }
  const opened = await x2t.convert(source, 'pdf');
  if (Buffer.compare(opened, bytes) !== 0) return opened;
  throw new ConversionError('wrongPassword', 'the password is not the right one');
}
