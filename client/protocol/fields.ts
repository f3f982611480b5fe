import * as z from 'zod/mini';
import { fieldBounds } from './limits.ts';
import { membersIn, textIn } from './plain-values.ts';

/** A string of at most `maxLength` characters. */
export const text = (maxLength: number) => z.string().check(z.maxLength(maxLength));

/** A field that clients leave out or send as null when they have nothing to say. */
export const maybe = <Schema extends z.ZodMiniType>(schema: Schema) => z.optional(z.nullable(schema));

export const maybeFlag = maybe(z.boolean());
export const maybeInteger = maybe(z.int());
/** Milliseconds since the epoch, or a duration in milliseconds; some clients send fractions. */
export const maybeMilliseconds = maybe(z.number());

/** A value as one of the readers of `plain-values.ts` reads it; wrong where that cannot. */
export const plain = <Value>(read: (value: unknown) => Value | undefined) =>
  z.pipe(
    z.unknown(),
    z.transform((given, context): Value => {
      const value = read(given);
      if (value !== undefined) return value;
      context.issues.push({ code: 'invalid_type', expected: 'nonoptional', input: given });
      return z.NEVER;
    }),
  );

/** A text of a configuration, which may be a number there. */
export const plainText = (maxLength: number) => z.pipe(plain(textIn), text(maxLength));

/** A field of a configuration that says nothing if it is of a wrong type, too long or out of bounds. */
export const ifReadable = <Schema extends z.ZodMiniType>(schema: Schema) => z.catch(maybe(schema), undefined);

/** An id that some clients send as a number: always a string here. */
export const idText = plainText(fieldBounds.userId);

/**
 * True if `value` nests arrays and objects at most `levels` deep. Walks with a list of its own, because the
 * hostile input it guards against would exhaust the call stack of anything recursive.
 */
export function nestsAtMost(value: unknown, levels: number): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    const next: unknown[] = [];
    for (const item of level) {
      if (typeof item !== 'object' || item === null) continue;
      if (depth >= levels) return false;
      for (const child of Object.values(item)) {
        if (typeof child === 'object' && child !== null) next.push(child);
      }
    }
    level = next;
  }
  return true;
}

/** Any JSON value that nests no deeper than is reasonable, so that later code may recurse over it. */
export const boundedJson = z
  .unknown()
  .check(z.refine((value) => nestsAtMost(value, fieldBounds.nesting), 'nested too deeply'));

/** A JSON object with any keys, nesting bounded; PHP's empty list is one without keys. */
export const boundedObject = z.pipe(
  plain(membersIn),
  z
    .record(z.string(), z.unknown())
    .check(z.refine((value) => nestsAtMost(value, fieldBounds.nesting), 'nested too deeply')),
);
