import { z } from 'zod';
import { exactJson } from '../../client/protocol/exact-json.ts';
import { flagIn, membersIn, numberIn, textIn } from '../../client/protocol/plain-values.ts';
import type { ConversionOptions } from '../../converter/formats/conversion.ts';
import { kinds } from '../../model/kinds.ts';
import { usualType } from '../../model/usual-type.ts';

/** What one of the readers of `plain-values.ts` makes of a value; wrong where that cannot read it. */
const readBy =
  <Value>(read: (value: unknown) => Value | undefined) =>
  (given: unknown, context: z.RefinementCtx): Value => {
    const value = read(given);
    if (value !== undefined) return value;
    context.addIssue({ code: 'custom', message: 'cannot be read' });
    return z.NEVER;
  };

/** A flag, also as the text or number that form encodings and some languages make of it. */
export const flag = z.union([z.boolean(), z.string(), z.literal([0, 1])]).transform(readBy(flagIn));

/** A text, also one of digits alone that was written as a number. */
export const words = (maxCharacters?: number) =>
  z
    .union([maxCharacters === undefined ? z.string() : z.string().max(maxCharacters), z.number()])
    .transform(readBy(textIn));

/** A whole number within bounds, also as text. */
export const whole = (minimum: number, maximum: number) =>
  z
    .union([z.number(), z.string().regex(/^\d{1,9}$/)])
    .transform(readBy(numberIn))
    .pipe(z.int().min(minimum).max(maximum));

/** What is null in an object is as good as absent, at any depth. */
function withoutNulls(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const present = Object.entries(value).filter(([, inner]) => inner !== null);
  return Object.fromEntries(present.map(([name, inner]) => [name, withoutNulls(inner)]));
}

/** An object whose members are known, also as the empty list that PHP writes for one without members. */
const members = <Shape extends z.ZodType>(shape: Shape) =>
  z.preprocess((value) => membersIn(value) ?? value, shape);

/** An object, also as JSON text: a query has no other way to hold one. */
function structure<Shape extends z.ZodType>(shape: Shape) {
  const parsed = z.string().transform((text, context) => {
    try {
      return exactJson(text);
    } catch {
      context.addIssue({ code: 'custom', message: 'is no JSON' });
      return z.NEVER;
    }
  });
  const present = members(z.preprocess(withoutNulls, shape));
  return z.union([present, parsed.pipe(present)]);
}

/** A length with its unit, as `210mm`. */
const length = z.string().regex(/^\d{1,5}(?:\.\d{1,4})?\s?(?:mm|cm|in|pt|pc|px)$/);
/** Longest side of a picture, pixels. */
const maxPictureSide = 16_384;
const maxPages = 32_767;

/** How a conversion is to be done, by the names that requests have for it (integration API, 9.1). */
export const optionMembers = {
  password: words(255).optional(),
  codePage: whole(0, 65_535).optional(),
  delimiter: whole(0, 5).optional(),
  delimiterChar: words(8).optional(),
  region: words(255).optional(),
  thumbnail: structure(
    z.object({
      aspect: whole(0, 2).optional(),
      first: flag.optional(),
      width: whole(1, maxPictureSide).optional(),
      height: whole(1, maxPictureSide).optional(),
    }),
  ).optional(),
  spreadsheetLayout: structure(
    z.object({
      ignorePrintArea: flag.optional(),
      orientation: z.enum(['portrait', 'landscape']).optional(),
      fitToWidth: whole(0, maxPages).optional(),
      fitToHeight: whole(0, maxPages).optional(),
      scale: whole(1, 1_000).optional(),
      headings: flag.optional(),
      gridLines: flag.optional(),
      pageSize: members(z.object({ width: length.optional(), height: length.optional() })).optional(),
      margins: members(
        z.object({
          left: length.optional(),
          right: length.optional(),
          top: length.optional(),
          bottom: length.optional(),
        }),
      ).optional(),
    }),
  ).optional(),
  documentLayout: structure(
    z.object({
      drawPlaceHolders: flag.optional(),
      drawFormHighlight: flag.optional(),
      isPrint: flag.optional(),
    }),
  ).optional(),
  documentRenderer: structure(
    z.object({
      textAssociation: z.enum(['blockChar', 'blockLine', 'plainLine', 'plainParagraph']).optional(),
    }),
  ).optional(),
  pdf: structure(z.object({ form: flag.optional(), pdfa: flag.optional() })).optional(),
  watermark: structure(z.record(z.string(), z.unknown())).optional(),
  pdfLayout: structure(z.record(z.string(), z.unknown())).optional(),
};

export type GivenOptions = z.infer<z.ZodObject<typeof optionMembers>>;

/**
 * What of the options has a meaning for these types. Integrators send the same members whatever they convert (a region
 * with every document), so what is for other types is left out here instead of refused by an engine.
 */
export function optionsFor(given: GivenOptions, fromType: string, toType: string): ConversionOptions {
  const from = kindOfType(fromType);
  const toImage = isImage(toType);
  const toPdf = toType === 'pdf' || toType === 'pdfa';
  const isCopy = fromType === toType;
  const plain = !isCopy && (isPlain(fromType) || isPlain(toType));
  const printed = toImage || toPdf;
  const { codePage, delimiter, delimiterChar, ...rest } = given;
  const tables = plain && [fromType, toType].some((type) => type === 'csv' || type === 'tsv');
  const wanted: { [Name in keyof ConversionOptions]: ConversionOptions[Name] | false } = {
    password: rest.password,
    codePage: plain && codePage,
    delimiter: tables && delimiter,
    delimiterChar: tables && delimiterChar,
    region: from === 'cell' && printed && languageOf(rest.region),
    thumbnail: toImage && rest.thumbnail,
    spreadsheetLayout: from === 'cell' && printed && rest.spreadsheetLayout,
    documentLayout: from === 'word' && printed && rest.documentLayout,
    documentRenderer: from === 'pdf' && !printed && rest.documentRenderer,
    pdf: toPdf && rest.pdf,
    watermark: printed && rest.watermark,
    pdfLayout: toPdf && rest.pdfLayout,
  };
  const meant = Object.entries(wanted).filter(([, value]) => value !== undefined && value !== false);
  return Object.fromEntries(meant) as ConversionOptions;
}

/**
 * The language that a region is written for, by its usual name: of `de_DE.UTF-8`, `ca@valencia` and `sr@latin`, which are names of
 * Unix, the part that says it. Undefined where it says none (`C`, `POSIX`), so that the usual one counts.
 */
function languageOf(region = ''): string | undefined {
  const language = region.replace(/[.@].*$/s, '').replaceAll('_', '-');
  const isOne = /^[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8}){0,4}$/.test(language) && language !== 'POSIX';
  return isOne ? language : undefined;
}

/**
 * Types of the documented matrix (integration API, 9.5) that only conversions know, or that they take for another kind.
 */
const kindOfFurther: ReadonlyMap<string, string> = new Map(
  Object.entries<string>({
    oform: 'word',
    slk: 'cell',
    xml: 'cell',
    fodg: 'slide',
    otg: 'slide',
  }),
);

const imageTypes: ReadonlySet<string> = new Set(['bmp', 'gif', 'jpg', 'png', 'tiff']);

/** Output types that stand for the fitting type of a kind, or for a flavour of one. */
const pseudoTypes: ReadonlySet<string> = new Set(['ooxml', 'odf', 'pdfa']);

/** The name of the kind of documents that files of a type are, as far as conversions are concerned; undefined for every other type. */
const kindOfType = (type: string): string | undefined =>
  kindOfFurther.get(type) ?? kinds.ofType(type)[0]?.name;

const isImage = (type: string): boolean => imageTypes.has(type);

/** Whether a file of this type does not say in which encoding it is. */
export const isPlain = (type: string): boolean => ['txt', 'csv', 'tsv'].includes(type);

/** Whether a source can be called this. */
export const isSourceType = (type: string): boolean => kindOfType(usualType(type)) !== undefined;

/** Whether a result can be asked for by this name. */
export const isOutputType = (type: string): boolean =>
  isSourceType(type) || isImage(usualType(type)) || pseudoTypes.has(type);
