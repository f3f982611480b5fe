import { collab, getVersion, receiveTransaction, sendableSteps } from 'prosemirror-collab';
import { type Node, Slice } from 'prosemirror-model';
import { EditorState, type Plugin, type Transaction } from 'prosemirror-state';
import { ReplaceStep, Step } from 'prosemirror-transform';
import { applyChange, decodeChange, encodeChange } from '../../model/word/change.ts';
import { parseWordDocument, type WordDocumentJson } from '../../model/word/document.ts';
import { wordSchema } from '../../model/word/schema.ts';
import { DocumentClient } from '../document-client.ts';
import type { DocumentClientOptions, OpenedDocument } from '../options.ts';
import { documentFile } from '../protocol/index.ts';

/** Options of a session; model and hooks are its own affair. */
export interface WordSessionOptions extends Omit<DocumentClientOptions, 'hooks'> {
  /** Tells this editor's changes from others'; unique within the document. */
  clientId: string;
  /** Plugins of the editor state, beside the ones for working together. */
  plugins?: readonly Plugin[];
  /** The state changed, by `dispatch` or by others. */
  onState?: (state: EditorState) => void;
  /** Local changes that the server's model does not allow were taken back. */
  onRefused?: (reason: string) => void;
}

/** What a change that is skipped does: it has its number in the log and changes nothing. */
const nothing = () => new ReplaceStep(0, 0, Slice.empty);

/**
 * A text document edited together: a ProseMirror state kept in step with the change log. The index of a change is the
 * version of `prosemirror-collab`; local changes are rebased over those of others and sent when it is this client's
 * turn. Every change is judged by the same total rule as on all other replicas.
 */
export class WordSession {
  readonly client: DocumentClient;
  readonly #options: WordSessionOptions;
  #json: WordDocumentJson | null = null;
  #state: EditorState | null = null;
  /** The document with exactly the changes of the log up to the version. */
  #confirmed: Node | null = null;
  #taken: readonly Step[] = [];

  constructor(options: WordSessionOptions) {
    this.#options = options;
    const { auth } = options;
    this.client = new DocumentClient({
      ...options,
      auth: { ...auth, openCmd: { ...auth.openCmd, model: 'word' } },
      hooks: {
        load: (opened) => this.#load(opened),
        takeBatch: () => this.#take(),
        applyRemote: (changes) => this.#receive(changes.map(({ change }) => change)),
        confirm: (_firstIndex, count) => this.#confirm(count),
      },
    });
  }

  /** The state now. @throws Error before `open` has resolved */
  get state(): EditorState {
    if (!this.#state) throw new Error('the document is not open');
    return this.#state;
  }

  /** What came with the document besides its content: styles, lists, sections. */
  get document(): WordDocumentJson {
    if (!this.#json) throw new Error('the document is not open');
    return this.#json;
  }

  async open(): Promise<void> {
    await this.client.open();
  }

  /** Applies a local change and queues it for saving. */
  dispatch(transaction: Transaction): void {
    this.#setState(this.state.apply(transaction));
    if (transaction.docChanged) this.client.queueSave();
  }

  /** Resolves when everything dispatched so far is stored. */
  saved(): Promise<void> {
    return this.client.saved();
  }

  close(): Promise<void> {
    return this.client.close();
  }

  async #load(opened: OpenedDocument | null): Promise<void> {
    const address = opened?.urls[documentFile];
    if (!address) throw new Error('the server gave no document');
    const response = await fetch(address);
    if (!response.ok) throw new Error(`the document could not be fetched: status ${response.status}`);
    const { json, doc } = parseWordDocument(await response.json());
    this.#json = json;
    this.#restart(doc, 0);
  }

  #restart(doc: Node, version: number): void {
    this.#confirmed = doc;
    this.#taken = [];
    const plugins = [...(this.#options.plugins ?? []), collab({ version, clientID: this.#options.clientId })];
    this.#setState(EditorState.create({ doc, plugins }));
  }

  #take(): readonly string[] | null {
    const sendable = sendableSteps(this.state);
    if (!sendable) return null;
    const changes = sendable.steps.map((step) => encodeChange(this.#options.clientId, step));
    const refusal = this.#refusalOf(changes);
    if (refusal !== null) {
      this.#restart(this.#confirmed!, getVersion(this.state));
      this.#options.onRefused?.(refusal);
      return null;
    }
    this.#taken = sendable.steps;
    return changes;
  }

  /** Why a replica would skip one of these changes, or null. */
  #refusalOf(changes: readonly string[]): string | null {
    let doc = this.#confirmed!;
    for (const change of changes) {
      const after = applyChange(doc, change);
      if (typeof after === 'string') return after;
      doc = after;
    }
    return null;
  }

  #receive(changes: readonly string[]): void {
    const steps = changes.map((text) => {
      const change = decodeChange(text);
      const after = applyChange(this.#confirmed!, text);
      if (typeof after === 'string' || typeof change === 'string') return { by: '', step: nothing() };
      this.#confirmed = after;
      return { by: change.clientId, step: Step.fromJSON(wordSchema, change.step) };
    });
    this.#apply(
      steps.map(({ step }) => step),
      // Our own id on a change of another connection would make it count as sent.
      steps.map(({ by }) => (by === this.#options.clientId ? `other ${by}` : by)),
    );
  }

  #confirm(count: number): void {
    const steps = this.#taken.slice(0, count);
    this.#taken = this.#taken.slice(count);
    for (const step of steps) {
      const after = applyChange(this.#confirmed!, encodeChange(this.#options.clientId, step));
      if (typeof after !== 'string') this.#confirmed = after;
    }
    this.#apply(
      steps,
      steps.map(() => this.#options.clientId),
    );
  }

  #apply(steps: readonly Step[], clientIds: readonly string[]): void {
    this.#setState(
      this.state.apply(receiveTransaction(this.state, steps, clientIds, { mapSelectionBackward: true })),
    );
  }

  #setState(state: EditorState): void {
    this.#state = state;
    this.#options.onState?.(state);
  }
}
