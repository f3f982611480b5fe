import * as z from 'zod/mini';
import { QuireError } from '../../platform/quire-error.ts';

/** What checkpoints of all kinds of documents say of the log. */
export const checkpointHeader = z.object({
  /** How many changes of the log are in it. */
  index: z.number(),
  /** Digest of their texts, see `TextDigest`. */
  digest: z.string().check(z.regex(/^[0-9a-f]{16}$/)),
  /** How many of them could not be applied, and which was the first of those. */
  skipped: z.number(),
  firstSkipped: z.optional(z.object({ index: z.number(), reason: z.string() })),
});

export type CheckpointHeader = z.infer<typeof checkpointHeader>;

/** What was given as a checkpoint is none of this document. */
export class DamagedCheckpoint extends QuireError {
  constructor(message: string, options?: ErrorOptions) {
    super('damaged-checkpoint', message, options);
  }
}
