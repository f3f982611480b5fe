import { type Node, Slice } from 'prosemirror-model';
import { ReplaceStep, type Step } from 'prosemirror-transform';
import { decodeEnvelope } from '../../model/log/change.ts';
import { type LogEntry, textOf } from '../../model/log/change-author.ts';
import { applyChange } from '../../model/word/change.ts';
import { stepFromJson } from '../../model/word/mark-set.ts';
import type { AuthorRules } from '../../model/word/rights/author-rules.ts';
import type { AppliedChange, KindLog } from '../replica/kind-replica.ts';
import type { WordTypes } from './word-types.ts';

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
