import { z } from 'zod';
import { type GivenOptions, optionMembers } from '../../integration/conversion-options.ts';
import { UsageError } from './usage-error.ts';

/** Flags that say how a conversion is done; the rest of what the conversion API knows is `--options`. */
export interface OptionFlags {
  codePage?: string | undefined;
  delimiter?: string | undefined;
  region?: string | undefined;
  pdfa?: boolean | undefined;
  thumbnail?: string | undefined;
  allPages?: boolean | undefined;
  options?: string | undefined;
}

const delimiters: Readonly<Record<string, number>> = {
  none: 0,
  tab: 1,
  semicolon: 2,
  colon: 3,
  comma: 4,
  space: 5,
};

const optionSchema = z.strictObject(optionMembers);

/** The options of the conversion API (integration API, 9.1) that flags stand for. @throws UsageError */
export function optionsOfFlags(flags: OptionFlags): GivenOptions {
  const { codePage, region, pdfa, options } = flags;
  const given = {
    ...(options === undefined ? {} : jsonObject(options)),
    ...(codePage === undefined ? {} : { codePage }),
    ...(region === undefined ? {} : { region }),
    ...delimiterOf(flags.delimiter),
  };
  const pictures = thumbnailOf(flags);
  const read = optionSchema.safeParse({
    ...given,
    ...(pictures ? { thumbnail: { ...(given as { thumbnail?: object }).thumbnail, ...pictures } } : {}),
    ...(pdfa ? { pdf: { ...(given as { pdf?: object }).pdf, pdfa: true } } : {}),
  });
  if (read.success) return read.data;
  const wrong = read.error.issues.map(({ path, message }) => `${path.join('.') || 'options'}: ${message}`);
  throw new UsageError(wrong.join('; '));
}

function jsonObject(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      return value as Record<string, unknown>;
    }
  } catch {
    // As below.
  }
  throw new UsageError('--options is no JSON object.');
}

function delimiterOf(text: string | undefined): { delimiter?: number; delimiterChar?: string } {
  if (text === undefined) return {};
  const number = delimiters[text];
  if (number !== undefined) return { delimiter: number };
  if ([...text].length === 1) return { delimiterChar: text };
  throw new UsageError(`--delimiter is one character, or ${Object.keys(delimiters).join(', ')}.`);
}

/** `WxH` is a box that the page is fitted into. */
function thumbnailOf({ thumbnail, allPages }: OptionFlags): object | null {
  if (thumbnail === undefined) return allPages ? { first: false } : null;
  const [, width, height] = /^(\d+)x(\d+)$/.exec(thumbnail) ?? [];
  if (width === undefined || height === undefined) throw new UsageError('--thumbnail is WIDTHxHEIGHT.');
  return { aspect: 1, width, height, first: !allPages };
}
