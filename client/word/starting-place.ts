import type { Node } from 'prosemirror-model';
import { TextDigest } from '../../model/log/text-digest.ts';
import { documentAt, type WordCheckpoint } from '../../model/word/checkpoint.ts';
import { CheckpointUnreadable } from '../client-error.ts';
import type { OfferedCheckpoint } from '../options.ts';

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

/** The beginning of the log. */
export function beginningOf(base: Node): StartingPlace {
  return { doc: base, index: 0, changes: new TextDigest(), gone: [] };
}

/** Fetches a checkpoint. @throws CheckpointUnreadable */
export async function fetchCheckpoint(
  offered: OfferedCheckpoint,
  download: (address: string) => Promise<string>,
): Promise<(base: Node) => StartingPlace> {
  try {
    const value: unknown = JSON.parse(await download(offered.url));
    return (base) => placeAt(base, offered, value);
  } catch (cause) {
    throw new CheckpointUnreadable(cause);
  }
}

function placeAt(base: Node, { index }: OfferedCheckpoint, value: unknown): StartingPlace {
  try {
    const { doc, checkpoint } = documentAt(base, value);
    if (checkpoint.index !== index) throw new RangeError('the checkpoint is of another place');
    return { doc, index, changes: TextDigest.of(checkpoint.digest), gone: checkpoint.gone };
  } catch (cause) {
    throw new CheckpointUnreadable(cause);
  }
}
