import * as z from 'zod/mini';
import { plain } from '../../client/protocol/fields.ts';
import { maxStoreWithinS } from '../../client/protocol/limits.ts';
import { flagIn, isAbsent, numberIn, textIn } from '../../client/protocol/plain-values.ts';

/*
 * Fields that are read whatever was sent: what cannot be read counts as absent, and so does null; only permissions
 * have a safe side. What cannot be read is found by `wrongPartsOf`.
 */

export const truth = plain(flagIn);
export const words = plain(textIn);
const amount = plain(numberIn);

export const flag = (fallback: boolean) => z.catch(truth, fallback);
/** A right that somebody has unless the page says something else; what cannot be read takes it away. */
export const right = z.catch(
  plain((given) => (isAbsent(given) ? true : flagIn(given))),
  false,
);
export const maybeFlag = z.catch(z.optional(truth), undefined);
/** A length of time up to a day. */
export const maybeSeconds = z.catch(
  z.optional(z.pipe(amount, z.number().check(z.minimum(0), z.maximum(maxStoreWithinS)))),
  undefined,
);
export const number = (fallback: number) => z.catch(amount, fallback);
export const maybeNumber = z.catch(z.optional(amount), undefined);
/** Percent; -1 fits the page into the window, -2 its width. */
export const zoom = (fallback: number) =>
  z.catch(
    z.pipe(
      amount,
      z.int().check(
        z.minimum(-2),
        z.maximum(500),
        z.refine((value) => value !== 0),
      ),
    ),
    fallback,
  );
export const text = (fallback: string) => z.catch(words, fallback);
/** Absent if empty. */
export const maybeText = z.catch(z.optional(z.pipe(words, z.string().check(z.minLength(1)))), undefined);

/** A name of the page's own, such as that of a version: a number or a text, kept as it came. */
export const label = z.union([z.number(), z.string().check(z.minLength(1))]);
export const maybeLabel = z.catch(z.optional(label), undefined);

/** Something a person may be led to or shown: never a script. */
export const maybeAddress = z.catch(z.optional(z.url({ protocol: /^https?$/ })), undefined);
/** The same, or a picture that is in the text itself. */
export const maybePicture = z.catch(
  z.optional(z.union([z.url({ protocol: /^https?$/ }), z.string().check(z.startsWith('data:image/'))])),
  undefined,
);

export const choice = <const Values extends readonly [string, ...string[]]>(
  values: Values,
  fallback: Values[number],
) => z.catch(z.enum(values), fallback);
export const maybeChoice = <const Values extends readonly [string, ...string[]]>(values: Values) =>
  z.catch(z.optional(z.enum(values)), undefined);

const leftOut = Symbol('left out');

/** The same, empty if it is none. */
export const list = <Item extends z.ZodMiniType>(item: Item) => z.catch(rightEntries(item), []);
export const texts = list(words);

/** A list without the entries that are wrong. */
export function rightEntries<Item extends z.ZodMiniType>(item: Item) {
  const entry = z.union([
    item,
    z.pipe(
      z.unknown(),
      z.transform((): typeof leftOut => leftOut),
    ),
  ]);
  return z.pipe(
    z.array(entry),
    z.transform((entries) => entries.filter((one) => one !== leftOut) as z.output<Item>[]),
  );
}

/** An object of such fields, all absent if it is none. */
export function section<Shape extends z.core.$ZodShape>(shape: Shape) {
  const schema = z.object(shape);
  return z.catch(schema, () => z.parse(schema, {}));
}

/** The same, or undefined. */
export const maybeSection = <Shape extends z.core.$ZodShape>(shape: Shape) =>
  z.catch(z.optional(z.object(shape)), undefined);
