import { type Node, Slice } from 'prosemirror-model';
import { ReplaceStep, type Step } from 'prosemirror-transform';
import { decodeEnvelope } from '../../model/log/change.ts';
import { type LogEntry, textOf } from '../../model/log/change-author.ts';
import { TextDigest } from '../../model/log/text-digest.ts';
import { applyChange } from '../../model/word/change.ts';
import { documentAt, type WordCheckpoint } from '../../model/word/checkpoint.ts';
import { stepFromJson } from '../../model/word/mark-set.ts';
import type { AuthorRules } from '../../model/word/rights/author-rules.ts';
import { CheckpointUnreadable } from '../client-error.ts';
import type { AppliedChange, CheckpointText, KindLog } from '../replica/kind-replica.ts';
import type { WordTypes } from './local-steps.ts';

const nothing = (): Step => new ReplaceStep(0, 0, Slice.empty);

/** A text document with exactly the changes of its log. */
export class WordLog implements KindLog<WordTypes> {
  /** By whom which changes apply, with what the log says of that so far. */
  readonly rules: AuthorRules;
  #doc: Node;

  constructor(doc: Node, rules: AuthorRules) {
    this.#doc = doc;
    this.rules = rules;
  }

  get document(): Node {
    return this.#doc;
  }

  append(entry: LogEntry): AppliedChange<WordTypes> {
    const change = decodeEnvelope(textOf(entry));
    const after = applyChange(this.#doc, entry, this.rules);
    if (typeof change === 'string') return { operation: nothing(), name: null, skipped: change };
    const { clientId, number } = change;
    const name = number === undefined ? null : { clientId, number };
    if (typeof after === 'string') return { operation: nothing(), name, skipped: after };
    this.#doc = after;
    return { operation: stepFromJson(change.step), name, skipped: null };
  }

  trial(): (entry: LogEntry) => string | null {
    const rules = this.rules.fork();
    let doc = this.#doc;
    return (entry) => {
      const after = applyChange(doc, entry, rules);
      if (typeof after === 'string') return after;
      doc = after;
      return null;
    };
  }
}

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
