import type { Request } from 'express';
import { z } from 'zod';
import { AdminError } from './admin-error.ts';

/**
 * A part of a request, parsed by a schema.
 * @throws AdminError that names what is wrong
 */
export function read<Schema extends z.ZodType>(schema: Schema, part: unknown): z.infer<Schema> {
  const parsed = schema.safeParse(part ?? {});
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map(({ path, message }) => `${path.join('.') || 'body'}: ${message}`);
  throw new AdminError('bad-request', problems.join('; '));
}

/** Where a list begins and how long it may be. */
export const pageSchema = {
  limit: z.coerce.number().int().min(1).max(200).default(50),
  offset: z.coerce.number().int().min(0).max(10_000_000).default(0),
};

/** Part of a key or a title. */
export const searchSchema = z.string().max(500).default('');

/** One or several words of a list, with commas between them; absent: null. */
export const wordsOf = <const Word extends string>(words: readonly Word[]) =>
  z
    .string()
    .transform((text) => text.split(','))
    .pipe(z.array(z.enum(words as readonly [Word, ...Word[]])))
    .nullable()
    .default(null);

/** A named part of the path. */
export const pathPart = (request: Request, name: string): string => String(request.params[name]);

/** The host and port of an address, without parts that may be secret. */
export function hostOf(url: string | null): string | null {
  return url !== null && URL.canParse(url) ? new URL(url).host || null : null;
}
