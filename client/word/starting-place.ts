import type { Node } from 'prosemirror-model';
import { TextDigest } from '../../model/log/text-digest.ts';
import { documentAt, type WordCheckpoint } from '../../model/word/checkpoint.ts';
import { CheckpointUnreadable } from '../client-error.ts';
import type { CheckpointText } from '../replica/kind-replica.ts';

/** The document that a replica begins with: the base with the first changes of the log. */
export interface StartingPlace {
  readonly doc: Node;
  /** How many changes those are. */
  readonly index: number;
  /** Digest of their texts. */
  readonly changes: TextDigest;
  /** Signatures that it has held and has no more. */
  readonly gone: WordCheckpoint['gone'];
}

/** The place of a checkpoint, or the beginning of the log. @throws CheckpointUnreadable */
export function startingPlace(base: Node, checkpoint: CheckpointText | null): StartingPlace {
  if (!checkpoint) return { doc: base, index: 0, changes: new TextDigest(), gone: [] };
  const { index, text } = checkpoint;
  try {
    const { doc, checkpoint: read } = documentAt(base, JSON.parse(text));
    if (read.index !== index) throw new RangeError('the checkpoint is of another place');
    return { doc, index, changes: TextDigest.of(read.digest), gone: read.gone };
  } catch (cause) {
    throw new CheckpointUnreadable(cause);
  }
}
