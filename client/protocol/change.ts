import * as z from 'zod/mini';
import { fieldBounds } from './limits.ts';

/**
 * Who made a change, as the server vouches for it: the name to sign with, and all that they may do where that is not
 * everything. A Quire extension, see the README.
 */
export const changeAuthorSchema = z.object({
  name: z.string(),
  may: z.optional(z.readonly(z.array(z.enum(['review', 'comment', 'fill'])))),
  mayNot: z.optional(z.readonly(z.array(z.enum(['protect', 'filter'])))),
});

/**
 * One stored change as `authChanges` and the `saveChanges` broadcast carry it. `change` is the JSON text of
 * the change string, quotes included. `time` is milliseconds since the epoch; other servers cut it to whole seconds; `user`
 * the unique id of the author.
 */
export const changeSchema = z.object({
  docid: z.string(),
  change: z.string(),
  time: z.number(),
  user: z.string(),
  useridoriginal: z.string(),
  quireAuthor: z.optional(changeAuthorSchema),
});
export type Change = z.infer<typeof changeSchema>;

/**
 * The change strings in the `changes` field of a client's `saveChanges` (the JSON text of an array of
 * strings), or null if it is anything else.
 */
export function parseChangeList(changes: string): string[] | null {
  let list: unknown;
  try {
    list = JSON.parse(changes);
  } catch {
    return null;
  }
  if (!Array.isArray(list) || list.length > fieldBounds.changesPerMessage) return null;
  for (const change of list) if (typeof change !== 'string') return null;
  return list;
}

/** The `change` field of one change string. */
export function changeText(change: string): string {
  return JSON.stringify(change);
}

/** The change string of a `change` field, or null if the field is not the JSON text of a string. */
export function parseChangeText(changeJson: string): string | null {
  try {
    const change: unknown = JSON.parse(changeJson);
    return typeof change === 'string' ? change : null;
  } catch {
    return null;
  }
}
