import * as z from 'zod/mini';

/**
 * One connection of a document as others see it, in `auth`, `connectState` and `waitAuth`.
 * `id` is the unique id: the original id directly followed by the decimal index.
 */
export const participantSchema = z.object({
  id: z.string(),
  idOriginal: z.string(),
  username: z.string(),
  indexUser: z.int(),
  view: z.boolean(),
  connectionId: z.string(),
  isCloseCoAuthoring: z.optional(z.boolean()),
  isLiveViewer: z.optional(z.boolean()),
  encrypted: z.optional(z.boolean()),
});
export type Participant = z.infer<typeof participantSchema>;

/** The unique user id of an original id and an index: `"ann"` and 3 give `"ann3"`. */
export function uniqueUserId(idOriginal: string, indexUser: number): string {
  return `${idOriginal}${indexUser}`;
}
