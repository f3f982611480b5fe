import type { Node } from 'prosemirror-model';
import { EditorState, type Plugin, type Transaction } from 'prosemirror-state';
import type { Step, StepMap } from 'prosemirror-transform';
import type { ChangeAuthor } from '../../model/log/change-author.ts';
import type { WordDocumentJson } from '../../model/word/document.ts';
import type { AuthorRules } from '../../model/word/rights/author-rules.ts';
import type { DocumentRights } from '../../model/word/rights/document-rights.ts';
import type {
  Dispatched,
  KindReplica,
  LoggedOperation,
  NamedOperation,
  ReplicaContext,
} from '../replica/kind-replica.ts';
import type { ModelLog } from '../replica/model-log.ts';
import { touchedBlocks } from './held-blocks.ts';
import type { WordTypes } from './local-steps.ts';
import { acknowledge, addNamed, type LocalStep, localSteps, rebase, sharing } from './local-steps.ts';

/** The log of a text document. */
type WordLog = ModelLog<Node, Step, DocumentRights, AuthorRules>;

export interface WordReplicaOptions {
  readonly json: WordDocumentJson;
  readonly log: WordLog;
  /** How many changes of the log its document has. */
  readonly version: number;
  readonly nextName: ReplicaContext['nextName'];
  readonly plugins: readonly Plugin[];
  readonly onState: (state: EditorState) => void;
}

/** A text document as it is shown: an editor state whose plugin keeps the local steps. */
export class WordReplica implements KindReplica<WordTypes> {
  /** What came with the document besides its content: styles, lists, sections. */
  readonly json: WordDocumentJson;
  readonly #log: WordLog;
  readonly #onState: (state: EditorState) => void;
  readonly #recent: RecentMaps;
  #state: EditorState;

  constructor({ json, log, version, nextName, plugins, onState }: WordReplicaOptions) {
    this.json = json;
    this.#log = log;
    this.#onState = onState;
    this.#recent = new RecentMaps(version);
    const { document: doc } = log;
    this.#state = EditorState.create({ doc, plugins: [...plugins, sharing(version, nextName)] });
    onState(this.#state);
  }

  get state(): EditorState {
    return this.#state;
  }

  get document(): Node {
    return this.#state.doc;
  }

  get local(): readonly LocalStep[] {
    return localSteps(this.#state);
  }

  /** How the changes from a version on moved positions; null for a version that is too old or has not come yet. */
  mapsSince(version: number): readonly StepMap[] | null {
    return this.#recent.since(version);
  }

  /**
   * Whether an author may make a change of what the state shows, as far as that is known before it is sent.
   * @param base the document that the local steps stand on
   */
  mayMake({ steps, docs, doc }: Transaction, author: ChangeAuthor, base: Node): boolean {
    const isAllowedBy = (rules: AuthorRules) =>
      steps.every((step, at) => rules.take(docs[at]!, docs[at + 1] ?? doc, step, author));
    return isAllowedBy(this.#log.rules.fork()) || isAllowedBy(this.#rulesAfterLocal(base));
  }

  changesDocument({ docChanged }: Transaction): boolean {
    return docChanged;
  }

  dispatch(transaction: Transaction): Dispatched<WordTypes> | null {
    const before = this.local.length;
    const { state, transactions } = this.#state.applyTransaction(transaction);
    if (transactions.length === 0) return null;
    const made = localSteps(state).slice(before);
    this.#setState(state);
    return { made, touched: () => transactions.flatMap(touchedBlocks) };
  }

  touched(transaction: Transaction): Iterable<string> {
    return touchedBlocks(transaction).flat();
  }

  add(steps: readonly NamedOperation<WordTypes>[]): void {
    this.#apply(addNamed(this.#state, steps));
  }

  rebase(over: readonly LoggedOperation<WordTypes>[], keep?: (step: LocalStep) => boolean): void {
    this.#recent.add(over.map(({ operation }) => operation.getMap()));
    this.#apply(rebase(this.#state, over, keep));
  }

  acknowledge(count: number): void {
    this.#recent.add(this.local.slice(0, count).map(({ operation }) => operation.getMap()));
    this.#apply(acknowledge(this.#state, count));
  }

  /** With what the local steps have taken out of the document. */
  #rulesAfterLocal(base: Node): AuthorRules {
    const rules = this.#log.rules.fork();
    let doc = base;
    for (const { operation } of this.local) {
      const after = operation.apply(doc).doc;
      if (!after) break;
      rules.take(doc, after, operation, null);
      doc = after;
    }
    return rules;
  }

  #apply(transaction: Transaction): void {
    const { state, transactions } = this.#state.applyTransaction(transaction);
    if (transactions[0] !== transaction) throw new Error('a plugin refused a change that is in the log');
    this.#setState(state);
  }

  #setState(state: EditorState): void {
    this.#state = state;
    this.#onState(state);
  }
}

/** Positions older than this many changes are not followed. */
const keptMaps = 1_000;

/** How the last changes of the log moved positions: places that others name in an older version are found by it. */
class RecentMaps {
  #end: number;
  #maps: StepMap[] = [];

  /** `version`: that of the document before the first map. */
  constructor(version: number) {
    this.#end = version;
  }

  add(maps: readonly StepMap[]): void {
    this.#end += maps.length;
    this.#maps = [...this.#maps, ...maps].slice(-keptMaps);
  }

  /** Maps of the changes from a version on, or null if that is too old or has not come yet. */
  since(version: number): readonly StepMap[] | null {
    const start = this.#maps.length - (this.#end - version);
    return start < 0 || start > this.#maps.length ? null : this.#maps.slice(start);
  }
}
