import { z } from 'zod';
import { usualType } from '../../model/usual-type.ts';
import type { Claims } from '../../platform/secrets/tokens.ts';
import { isDocumentKey } from '../coauthoring/gateway/document-path.ts';
import {
  flag,
  type GivenOptions,
  isOutputType,
  isSourceType,
  optionMembers,
  words,
} from './conversion-options.ts';

/** Longest address that is taken, and where a title is cut, characters. */
const maxUrlCharacters = 16_384;
const maxTitleCharacters = 512;

const type = (isKnown: (type: string) => boolean) =>
  z
    .string()
    .max(16)
    .transform((text) => text.toLowerCase())
    .refine(isKnown);

const members = {
  url: z
    .string()
    .max(maxUrlCharacters)
    .refine((text) => /^https?:\/\//i.test(text) && URL.canParse(text)),
  key: words(240).refine(isDocumentKey),
  outputtype: type(isOutputType),
  filetype: type(isSourceType).optional(),
  async: flag.optional(),
  title: words().optional(),
  ...optionMembers,
};

/** The members of a request by their documented names (integration API, 9.1). */
export const conversionSchema = z.object(members);

/** The names of the members by their lower-case spelling: integrators write `fileType` and `filetype`. */
const spellings: ReadonlyMap<string, string> = new Map(
  Object.keys(members).map((name) => [name.toLowerCase(), name]),
);

/** A request for a conversion. */
export interface ConversionParameters {
  url: string;
  key: string;
  /** As asked for: a type, or `ooxml`, `odf`, `pdfa`. */
  outputType: string;
  /** Null where the request does not say it. */
  fileType: string | null;
  isAsync: boolean;
  /** Name for the result; null where none was given. */
  title: string | null;
  options: GivenOptions;
}

/**
 * Reads the parameters of a conversion (integration API, 9.1). Members that are null or empty count as absent, and
 * members of other names as nothing. Null when a parameter is missing or not what it must be.
 */
export function conversionParameters(given: Claims): ConversionParameters | null {
  const named: Claims = {};
  for (const [spelling, value] of Object.entries(given)) {
    const name = spellings.get(spelling.toLowerCase());
    if (name === undefined || value === null || value === '') continue;
    // Of two spellings the documented one counts.
    if (name === spelling || !Object.hasOwn(named, name)) named[name] = value;
  }
  const read = conversionSchema.safeParse(named);
  if (!read.success) return null;
  const { url, key, outputtype, filetype, async: isAsync, title, ...options } = read.data;
  return {
    url,
    key,
    outputType: usualType(outputtype),
    fileType: filetype ?? null,
    isAsync: isAsync ?? false,
    // Half an emoji at the end would be none.
    title: title?.slice(0, maxTitleCharacters).replace(/[\ud800-\udbff]$/, '') ?? null,
    options,
  };
}
