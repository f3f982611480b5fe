import type { EditorState, Transaction } from 'prosemirror-state';
import type { StepMap } from 'prosemirror-transform';
import { type ChangeAuthor, type LogEntry, limitsOf } from '../../model/log/change-author.ts';
import { parseWordDocument, type WordDocumentJson } from '../../model/word/document.ts';
import { FieldPairs } from '../../model/word/fields/field-pairs.ts';
import { documentRights } from '../../model/word/rights/document-rights.ts';
import type { LoggedChange } from '../change-sequence.ts';
import { DocumentClientError } from '../client-error.ts';
import { systemClock } from '../clock.ts';
import { DocumentClient } from '../document-client.ts';
import type { OfferedCheckpoint, OpenedDocument } from '../options.ts';
import { documentFile, type Lock } from '../protocol/index.ts';
import type { StepName } from '../replica/change-names.ts';
import { checkClientId, newClientId } from '../replica/client-id.ts';
import { DocumentMedia, type FetchedPicture, type UploadedPicture } from '../replica/document-media.ts';
import { MemoryUnsentStore } from '../replica/memory-unsent-store.ts';
import type { Recovery } from '../replica/recovery.ts';
import { type SavingStatus, SavingStatusSource } from '../replica/saving-status.ts';
import { BlockLocks } from '../replica/session-locks.ts';
import type { EditingMode, WordSessionOptions } from '../replica/session-options.ts';
import { type Handover, UnsentChanges } from '../replica/unsent-changes.ts';
import type { UnsentStore } from '../replica/unsent-store.ts';
import { blockIds } from './block-ids.ts';
import { blockedBy, heldBlocks } from './held-blocks.ts';
import { type LocalStep, localSteps, versionOf } from './local-steps.ts';
import { textOfSteps } from './lost-text.ts';
import { beginningOf, fetchCheckpoint } from './starting-place.ts';
import { touchedBlocks } from './touched-blocks.ts';
import { wholeFields } from './whole-fields.ts';
import { WordReplica } from './word-replica.ts';

export type { EditingMode, WordSessionOptions } from '../replica/session-options.ts';

/** While very much is unsent, changes of others are shown no more often than this. */
const showDelayMs = 50;

async function fetchText(address: string): Promise<string> {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`the document could not be fetched: status ${response.status}`);
  return response.text();
}

/**
 * A text document edited together: an editor state kept in step with the change log, its unsent changes kept in a
 * journal. Used once: when the session has ended, `reopen` makes the next.
 */
export class WordSession {
  readonly client: DocumentClient;
  readonly clientId: string;
  readonly #options: WordSessionOptions;
  readonly #saving: SavingStatusSource;
  readonly #media: DocumentMedia;
  readonly #locks: BlockLocks;
  readonly #unsent: UnsentChanges;
  readonly #store: UnsentStore;
  readonly #blocks = new WeakMap<StepName, readonly string[]>();
  readonly #stopListening: () => void;
  #from: (() => Promise<Handover>) | null = null;
  #recovery: Recovery | null = null;
  #mode: EditingMode;
  #opened = false;
  #isOldVersion = false;
  #json: WordDocumentJson | null = null;
  #replica: WordReplica | null = null;

  /** @throws TypeError for a client id that cannot be one */
  constructor(options: WordSessionOptions) {
    this.#options = options;
    this.clientId = checkClientId(options.clientId ?? newClientId());
    const { auth, url, key, clock = systemClock } = options;
    this.#mode = options.editingMode ?? (auth.coEditingMode === 'strict' ? 'strict' : 'fast');
    this.client = this.#makeClient(options);
    this.#saving = new SavingStatusSource(clock);
    this.#media = new DocumentMedia({
      client: this.client,
      server: url,
      key,
      query: options.query,
      onMedia: () => options.onMedia?.(),
    });
    this.#locks = new BlockLocks(
      this.client,
      (blockId, holder) => this.#lockRefused(blockId, holder),
      () => this.#releaseIdleLocks(),
    );
    this.#store = options.store ?? new MemoryUnsentStore();
    this.#unsent = this.#makeUnsent(options);
    this.client.on('status', ({ connection }) => {
      this.#saving.connection(connection);
      this.#count();
      if (connection === 'ready') this.#releaseIdleLocks();
    });
    this.client.on('locks', () => this.#releaseIdleLocks());
    this.#stopListening = onPageHide(() => this.#unsent.hide());
  }

  /** The state now. @throws Error before the document is loaded */
  get state(): EditorState {
    return this.#loaded.state;
  }

  /** What came with the document besides its content: styles, lists, sections. */
  get document(): WordDocumentJson {
    if (!this.#json) throw new Error('the document is not open');
    return this.#json;
  }

  /** How many changes of the log the state shows. */
  get version(): number {
    return versionOf(this.state);
  }

  /** How the changes from a version on moved positions; null for a version that is too old or has not come yet. */
  mapsSince(version: number): readonly StepMap[] | null {
    return this.#loaded.recent.since(version);
  }

  /** How the changes that are not stored yet moved positions. */
  unsentMaps(): readonly StepMap[] {
    return localSteps(this.state).map(({ step }) => step.getMap());
  }

  /** The text that the changes put in which are not stored yet. */
  unsentText(): string {
    const steps = localSteps(this.state).map(({ step }) => step);
    return textOfSteps(this.state.doc, steps, new Set(steps.keys()));
  }

  /** Who makes the changes of this session: what the server says, or what it will say by all that is known here. */
  get author(): ChangeAuthor {
    const { user, permissions, mode } = this.#options.auth;
    return (
      this.client.authReply?.quireAuthor ?? {
        name: user.username ?? '',
        may: limitsOf(permissions, mode),
      }
    );
  }

  /** Whether this user may make a change: one that is made all the same is taken back before it is sent. */
  mayMake(transaction: Transaction): boolean {
    return this.#loaded.mayMake(transaction, this.author);
  }

  /** Where the changes of this session are, and events when that changes. */
  get saving(): SavingStatusSource {
    return this.#saving;
  }

  get savingStatus(): SavingStatus {
    return this.#saving.current;
  }

  /** The key is of a version that has been stored since: it can only be read, and the page that gave it has a newer one. */
  get isOldVersion(): boolean {
    return this.#isOldVersion;
  }

  get mode(): EditingMode {
    return this.#mode;
  }

  /** Who else holds which block, by block id. Changes with the client's `locks` event. */
  get locks(): ReadonlyMap<string, Lock> {
    return this.#locks.ofOthers;
  }

  /** The blocks that this session holds until its next save. */
  get ownLocks(): ReadonlySet<string> {
    return this.#locks.own;
  }

  /**
   * Connects, downloads, and merges what earlier sessions left unsent.
   * @throws what `DocumentClient.open` throws
   */
  async open(): Promise<void> {
    const from = this.#from;
    this.#recovery = await this.#unsent.takeUp(from ? await from() : null);
    await this.client.open();
    this.#opened = true;
    if (!this.client.status.readOnly) await this.#recover();
    this.#replica?.hold(this.#mode === 'strict');
  }

  /**
   * Applies a local change; in fast mode it is sent.
   * @throws DocumentClientError `read-only` for a change of the document in a session that may not make any
   */
  dispatch(transaction: Transaction): void {
    const replica = this.#loaded;
    if (transaction.docChanged && this.client.status.readOnly) {
      throw new DocumentClientError('read-only', 'this session may not change the document');
    }
    const before = localSteps(replica.state).length;
    const applied = replica.dispatch(transaction);
    if (applied.length === 0) {
      const blocked = blockedBy(transaction, (id) => this.#locks.holderOf(id));
      if (blocked) this.#options.onLockRefused?.(blocked.blockId, blocked.holder, '');
      return;
    }
    const made = localSteps(replica.state).slice(before);
    if (made.length === 0) return;
    if (this.#mode === 'fast') this.client.queueSave();
    else this.#hold(applied, made);
    this.#changed();
  }

  /** Switches between working in sight of the others and working undisturbed. */
  setMode(mode: EditingMode): void {
    this.#mode = mode;
    if (!this.#opened) return;
    this.#loaded.hold(mode === 'strict');
    if (mode === 'fast' && localSteps(this.state).length > 0) this.client.queueSave();
    this.#releaseIdleLocks();
  }

  /**
   * Sends what is unsent and shows what others did meanwhile; in fast mode both happens anyway. Resolves when
   * everything that was there to be sent is stored.
   * @throws DocumentClientError when that cannot happen any more
   */
  async save(): Promise<void> {
    if (this.client.status.readOnly) {
      this.#loaded.showHeld();
      return;
    }
    if (this.#mode === 'strict') {
      this.#locks.require(localSteps(this.state).flatMap(({ name }) => this.#blocks.get(name) ?? []));
      await this.#locks.settled();
      this.client.queueSave();
    }
    await this.client.saved();
  }

  /** Resolves when everything that was sent so far is stored. */
  saved(): Promise<void> {
    return this.client.saved();
  }

  /**
   * Saves, leaves the document and ends. What could not be saved stays in the journal; `discard` does not save and
   * forgets it.
   * @throws DocumentClientError when something could not be saved; the session has ended then, too
   */
  async close({ discard = false } = {}): Promise<void> {
    const { connection, readOnly } = this.client.status;
    const saves = this.#mode === 'strict' && connection !== 'ended' && !readOnly && !discard;
    try {
      if (saves && this.#replica) await this.save();
    } finally {
      try {
        await this.client.close({ discard });
      } finally {
        this.#stopListening();
        await this.#unsent.end({ discard });
      }
    }
  }

  /**
   * A new session that takes over what is unsent here, when this one ended or its document got a new key. This one is
   * of no use any more; the other is opened with `open`.
   */
  reopen(changes: Partial<WordSessionOptions> = {}): WordSession {
    this.client.abort();
    this.#stopListening();
    const next = new WordSession({
      ...this.#options,
      clientId: newClientId(),
      editingMode: this.#mode,
      store: this.#store,
      ...changes,
    });
    next.#from = () => this.#unsent.handOver();
    return next;
  }

  /** The address of a picture by its path in the model, or null while none is known. */
  mediaUrl(path: string): string | null {
    return this.#media.url(path);
  }

  /** Asks for the addresses of pictures that others put in; `onMedia` tells when they are known. */
  loadMedia(paths: readonly string[]): Promise<void> {
    return this.#media.load(paths);
  }

  /** Stores a picture beside the document, to be inserted by its path. @throws UploadError */
  uploadPicture(picture: Blob): Promise<UploadedPicture> {
    return this.#media.upload(picture);
  }

  /** Has the server fetch pictures by address, to be inserted by their paths; `token` vouches for the addresses. */
  fetchPictures(addresses: readonly string[], token?: string): Promise<readonly FetchedPicture[]> {
    return this.#media.fetch(addresses, token);
  }

  get #loaded(): WordReplica {
    if (!this.#replica) throw new Error('the document is not open');
    return this.#replica;
  }

  #makeClient(options: WordSessionOptions): DocumentClient {
    const { auth } = options;
    return new DocumentClient({
      ...options,
      auth: { ...auth, openCmd: { ...auth.openCmd, model: 'word' } },
      // What is recovered is placed where it was made, and who gives an id has had changes in the log before.
      takesCheckpoint: () => options.clientId === undefined && this.#recovery?.isEmpty === true,
      hooks: {
        load: (opened, offered) => this.#load(opened, offered),
        takeBatch: () => this.#take(),
        applyRemote: (changes) => this.#receive(changes.map(entryOf)),
        confirm: (_firstIndex, count) => this.#confirm(count),
      },
    });
  }

  #makeUnsent({ auth, key, file, clock = systemClock }: WordSessionOptions): UnsentChanges {
    return new UnsentChanges({
      store: this.#store,
      about: {
        id: newClientId(),
        key,
        file: file ?? null,
        clientId: this.clientId,
        userId: auth.user.id,
        title: auth.openCmd?.title ?? '',
      },
      clock,
      unsent: () => this.#unsentState(),
      changed: () => this.#count(),
    });
  }

  #unsentState() {
    const replica = this.#replica;
    return (
      replica && { place: replica.place, local: localSteps(replica.state), sentCount: replica.takenCount }
    );
  }

  async #load(opened: OpenedDocument | null, offered: Promise<OfferedCheckpoint | null>): Promise<void> {
    const address = opened?.urls[documentFile];
    if (!address) throw new Error('the server gave no document');
    this.#isOldVersion = opened.status === 'updateversion';
    this.#media.add(opened.urls);
    const { download = fetchText } = this.#options;
    const fetched = offered.then((one) => (one ? fetchCheckpoint(one, download) : beginningOf));
    fetched.catch(() => undefined);
    const baseText = await download(address);
    const { json, doc } = parseWordDocument(JSON.parse(baseText));
    this.#json = json;
    const startAt = await fetched;
    this.#replica = new WordReplica({
      start: startAt(doc),
      baseText,
      rights: documentRights(json),
      author: () => this.client.authReply?.quireAuthor ?? null,
      clientId: this.clientId,
      plugins: [
        ...(this.#options.plugins?.(json) ?? []),
        wholeFields(new FieldPairs(doc, json.fields ?? [])),
        blockIds(this.clientId),
        heldBlocks(
          (id) => this.#locks.holderOf(id),
          () => this.client.locks.size === 0,
        ),
      ],
      onState: (state) => this.#options.onState?.(state),
      onLogged: (change, place) => this.#recovery?.logged(change, place),
      soon: (run) => void (this.#options.clock ?? systemClock).after(showDelayMs, run),
    });
    this.#recovery?.begin(this.#replica.place);
  }

  async #recover(): Promise<void> {
    const replica = this.#loaded;
    replica.showHeld();
    const merged = this.#recovery!.merge(replica.state.doc, localSteps(replica.state));
    this.#recovery = null;
    const steps = merged.flatMap((one) => one.steps);
    if (steps.length > 0) {
      replica.add(steps);
      if (this.#mode === 'fast') this.client.queueSave();
      this.#changed();
    }
    const recovered = await this.#unsent.merged(merged);
    if (recovered) this.#options.onRecovered?.(recovered);
  }

  #take(): readonly string[] | null {
    const strict = this.#mode === 'strict';
    const mayGo = ({ name }: LocalStep) =>
      !strict || (this.#blocks.get(name) ?? []).every((id) => this.#locks.holds(id));
    const { changes, refused } = this.#loaded.take(mayGo);
    for (const { reason, text } of refused) this.#options.onRefused?.(reason, text);
    this.#changed();
    return changes.length > 0 ? changes : null;
  }

  #receive(changes: readonly LogEntry[]): void {
    this.#options.beforeRemote?.();
    this.#loaded.receive(changes);
    this.#changed();
  }

  #confirm(count: number): void {
    this.#loaded.confirm(count);
    this.#saving.acknowledged();
    this.#changed();
    this.#releaseIdleLocks();
  }

  /** Strict mode: the blocks that were changed are asked for. */
  #hold(applied: readonly Transaction[], made: readonly LocalStep[]): void {
    const touched = applied.flatMap(({ steps, docs }) =>
      steps.map((step, at) => touchedBlocks(step, docs[at]!)),
    );
    for (const [at, { name }] of made.entries()) {
      const blocks = touched[at]!;
      this.#blocks.set(name, blocks);
      this.#locks.require(blocks);
    }
  }

  #lockRefused(blockId: string, holder: Lock): void {
    if (this.#mode === 'fast') return;
    const text = this.#loaded.takeBack(({ name }) => this.#blocks.get(name)?.includes(blockId) === true);
    this.#changed();
    this.#options.onLockRefused?.(blockId, holder, text);
  }

  /** Blocks are given back when nothing unsent touches them. */
  #releaseIdleLocks(): void {
    if (this.#replica && localSteps(this.state).length === 0) this.#locks.release();
  }

  #changed(): void {
    this.#unsent.note();
    this.#count();
  }

  #count(): void {
    const replica = this.#replica;
    const unsentCount = replica ? localSteps(replica.state).length : 0;
    this.#saving.count({
      unsentCount,
      unacknowledgedCount: replica?.takenCount ?? 0,
      journaled: unsentCount === 0 || (this.#options.store !== undefined && this.#unsent.journaled),
    });
  }
}

/** A change of the log as the model takes it. */
export const entryOf = ({ change, author }: LoggedChange): LogEntry => (author ? { change, author } : change);

/** Calls back when the page goes away; the returned function stops that. Nothing outside of pages. */
function onPageHide(run: () => void): () => void {
  const page = globalThis as Partial<Pick<EventTarget, 'addEventListener' | 'removeEventListener'>>;
  page.addEventListener?.('pagehide', run);
  return () => page.removeEventListener?.('pagehide', run);
}
