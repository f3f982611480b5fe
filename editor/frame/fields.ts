import * as z from 'zod/mini';
import { maxStoreWithinS } from '../../client/protocol/limits.ts';

/*
 * Fields that are read whatever was sent: what has the wrong type is as good as absent. Hosts write booleans as
 * numbers and texts, ids as numbers, and empty objects as empty lists.
 */

const truth = z.union([
  z.boolean(),
  z.pipe(
    z.literal(['true', '1', 1]),
    z.transform(() => true),
  ),
  z.pipe(
    z.literal(['false', '0', '', 0]),
    z.transform(() => false),
  ),
]);
const words = z.union([z.string(), z.pipe(z.number(), z.transform(String))]);

export const flag = (fallback: boolean) => z.catch(truth, fallback);
export const maybeFlag = z.catch(z.optional(truth), undefined);
/** A length of time up to a day. */
export const maybeSeconds = z.catch(
  z.optional(z.number().check(z.minimum(0), z.maximum(maxStoreWithinS))),
  undefined,
);
export const text = (fallback: string) => z.catch(words, fallback);
/** Absent if empty. */
export const maybeText = z.catch(z.optional(z.pipe(words, z.string().check(z.minLength(1)))), undefined);

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

/** The entries that are right. */
export const list = <Item extends z.ZodMiniType>(item: Item) =>
  z.catch(
    z.pipe(
      z.array(z.unknown()),
      z.transform((entries) =>
        entries.flatMap((entry) => {
          const read = z.safeParse(item, entry);
          return read.success ? [read.data] : [];
        }),
      ),
    ),
    [],
  );

/** An absent list is another thing than an empty one. */
export const maybeTexts = z.catch(z.optional(z.array(z.string())), undefined);

/** An object of such fields, all absent if it is none. */
export function section<Shape extends z.core.$ZodShape>(shape: Shape) {
  const schema = z.object(shape);
  return z.catch(schema, () => z.parse(schema, {}));
}

/** The same, or undefined. */
export const maybeSection = <Shape extends z.core.$ZodShape>(shape: Shape) =>
  z.catch(z.optional(z.object(shape)), undefined);
