import { type ChangeAuthor, grantsOf, type LogEntry } from '../../model/log/change-author.ts';
import { entryOf } from '../change-sequence.ts';
import { DocumentClientError } from '../client-error.ts';
import { systemClock } from '../clock.ts';
import { DocumentClient } from '../document-client.ts';
import type { OfferedCheckpoint, OpenedDocument } from '../options.ts';
import type { Lock } from '../protocol/index.ts';
import { checkClientId, newClientId, OwnNames } from './change-names.ts';
import { downloadDocument } from './document-download.ts';
import { DocumentMedia, type FetchedPicture, type UploadedPicture } from './document-media.ts';
import type { UnsentState } from './journal.ts';
import type { Dispatched, KindReplica, KindTypes, NamedOperation, SessionKind } from './kind-replica.ts';
import { MemoryUnsentStore } from './memory-unsent-store.ts';
import type { Recovery } from './recovery.ts';
import { Replica } from './replica.ts';
import { type SavingStatus, SavingStatusSource } from './saving-status.ts';
import { SessionLocks } from './session-locks.ts';
import type { EditingMode, SessionOptions } from './session-options.ts';
import { type Handover, UnsentChanges } from './unsent-changes.ts';
import type { UnsentStore } from './unsent-store.ts';

export type { EditingMode, SessionOptions } from './session-options.ts';

/** While very much is unsent, changes of others are shown no more often than this. */
const showDelayMs = 50;

/** What the session that goes on from another one takes from it. */
export type SuccessorOptions = Required<Pick<SessionOptions, 'clientId' | 'editingMode' | 'store'>>;

/**
 * A document edited together: what is shown of it kept in step with the change log, its unsent changes kept in a journal.
 * It knows no kind of document but by `SessionKind`. Used once: when the session has ended, `reopen` makes the next.
 */
export class DocumentSession<
  Kind extends KindTypes = KindTypes,
  Shown extends KindReplica<Kind> = KindReplica<Kind>,
> {
  readonly client: DocumentClient;
  readonly clientId: string;
  readonly #kind: SessionKind<Kind, Shown>;
  readonly #options: SessionOptions;
  readonly #names: OwnNames;
  readonly #saving: SavingStatusSource;
  readonly #media: DocumentMedia;
  readonly #locks: SessionLocks;
  readonly #unsent: UnsentChanges<Kind>;
  readonly #store: UnsentStore;
  readonly #stopListening: () => void;
  #from: (() => Promise<Handover<Kind>>) | null = null;
  #recovery: Recovery<Kind> | null = null;
  #mode: EditingMode;
  #opened = false;
  #isOldVersion = false;
  #replica: Replica<Kind, Shown> | null = null;

  /** @throws TypeError for a client id that cannot be one */
  constructor(kind: SessionKind<Kind, Shown>, options: SessionOptions) {
    this.#kind = kind;
    this.#options = options;
    this.clientId = checkClientId(options.clientId ?? newClientId());
    this.#names = new OwnNames(this.clientId);
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
    this.#locks = new SessionLocks(
      this.client,
      (elementId, holder) => this.#lockRefused(elementId, holder),
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

  /** The document as its kind shows it. @throws Error before the document is loaded */
  get shown(): Shown {
    return this.replica.shown;
  }

  /** The log and what is shown of it. @throws Error before the document is loaded */
  protected get replica(): Replica<Kind, Shown> {
    if (!this.#replica) throw new Error('the document is not open');
    return this.#replica;
  }

  /** Who makes the changes of this session: what the server says, or what it will say by all that is known here. */
  get author(): ChangeAuthor {
    const { user, permissions, mode } = this.#options.auth;
    return (
      this.client.authReply?.quireAuthor ?? {
        name: user.username ?? '',
        ...grantsOf(permissions, mode),
      }
    );
  }

  /** Where the changes of this session are, and events when that changes. */
  get saving(): SavingStatusSource {
    return this.#saving;
  }

  get savingStatus(): SavingStatus {
    return this.#saving.current;
  }

  /** The key is of an earlier version: it can only be read, and the page that gave it has a newer key. */
  get isOldVersion(): boolean {
    return this.#isOldVersion;
  }

  get mode(): EditingMode {
    return this.#mode;
  }

  /** Who else holds which element, by element id. Changes with the client's `locks` event. */
  get locks(): ReadonlyMap<string, Lock> {
    return this.#locks.ofOthers;
  }

  /** The elements that this session holds until its next save. */
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
   * Makes a local change; in fast mode it is sent.
   * @throws DocumentClientError `read-only` for a change of the document in a session that may not make any
   */
  dispatch(change: Kind['change']): void {
    const { shown } = this;
    if (shown.changesDocument(change) && this.client.status.readOnly) {
      throw new DocumentClientError('read-only', 'this session may not change the document');
    }
    const dispatched = shown.dispatch(change);
    if (!dispatched) {
      this.#tellHolder(shown.touched(change));
      return;
    }
    if (dispatched.made.length === 0) return;
    if (this.#mode === 'fast') this.client.queueSave();
    else this.#askForTouched(dispatched);
    this.#changed();
  }

  /** Switches between working in sight of the others and working undisturbed. */
  setMode(mode: EditingMode): void {
    this.#mode = mode;
    if (!this.#opened) return;
    this.replica.hold(mode === 'strict');
    if (mode === 'fast' && this.#unsentCount > 0) this.client.queueSave();
    this.#releaseIdleLocks();
  }

  /**
   * Sends what is unsent and shows what others did meanwhile; in fast mode both happens anyway. Resolves when
   * everything that was there to be sent is stored.
   * @throws DocumentClientError when that cannot happen any more
   */
  async save(): Promise<void> {
    const { replica } = this;
    if (this.client.status.readOnly) {
      replica.showHeld();
      return;
    }
    if (this.#mode === 'strict') {
      for (const { name } of replica.shown.local) this.#locks.require(name);
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
   * A new session that takes over what is unsent here, when this one ended or its document got a new key. This one cannot
   * be used any more; the other is opened with `open`.
   */
  reopen(changes: Partial<SessionOptions> = {}): DocumentSession<Kind, Shown> {
    return this.succeededBy(
      (own) => new DocumentSession(this.#kind, { ...this.#options, ...own, ...changes }),
    );
  }

  /** Ends this session and makes the next, which takes over what is unsent: what `reopen` does. */
  protected succeededBy<Next extends DocumentSession<Kind, Shown>>(
    make: (own: SuccessorOptions) => Next,
  ): Next {
    this.client.abort();
    this.#stopListening();
    const next = make({ clientId: newClientId(), editingMode: this.#mode, store: this.#store });
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

  #makeClient(options: SessionOptions): DocumentClient {
    const { auth } = options;
    return new DocumentClient({
      ...options,
      auth: {
        editorType: this.#kind.editorType,
        ...auth,
        openCmd: { ...auth.openCmd, model: this.#kind.model, takesText: true },
      },
      // What is recovered is placed where it was made, and a given client id may have changes in the log already.
      takesCheckpoint: () => options.clientId === undefined && this.#recovery?.isEmpty === true,
      hooks: {
        load: (opened, offered) => this.#load(opened, offered),
        takeBatch: () => this.#take(),
        applyRemote: (changes) => this.#receive(changes.map(entryOf)),
        confirm: (_firstIndex, count) => this.#confirm(count),
      },
    });
  }

  #makeUnsent({ auth, key, file, clock = systemClock }: SessionOptions): UnsentChanges<Kind> {
    return new UnsentChanges({
      kind: this.#kind,
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

  #unsentState(): UnsentState<Kind> | null {
    const replica = this.#replica;
    return replica && { place: replica.place, local: replica.shown.local, sentCount: replica.takenCount };
  }

  get #unsentCount(): number {
    return this.#replica?.shown.local.length ?? 0;
  }

  async #load(opened: OpenedDocument | null, offered: Promise<OfferedCheckpoint | null>): Promise<void> {
    this.#isOldVersion = opened?.status === 'updateversion';
    this.#media.add(opened?.urls ?? {});
    const { baseText, base, checkpoint } = await downloadDocument(
      this.#kind,
      opened,
      offered,
      this.#options.download,
    );
    const loaded = base.begin(checkpoint, {
      clientId: this.clientId,
      nextName: () => this.#names.next(),
      holderOf: (elementId) => this.#locks.holderOf(elementId),
      hasLocks: () => this.client.locks.size > 0,
    });
    this.#replica = new Replica({
      kind: this.#kind,
      loaded,
      baseText,
      names: this.#names,
      author: () => this.client.authReply?.quireAuthor ?? null,
      onLogged: (change, place) => this.#recovery?.logged(change, place),
      soon: (run) => void (this.#options.clock ?? systemClock).after(showDelayMs, run),
    });
    this.#recovery?.begin(this.#replica.place);
  }

  async #recover(): Promise<void> {
    const { replica } = this;
    replica.showHeld();
    const merged = this.#recovery!.merge(replica.shown.document, replica.shown.local);
    this.#recovery = null;
    const operations = merged.flatMap((one) => one.operations);
    if (operations.length > 0) {
      replica.shown.add(operations);
      if (this.#mode === 'fast') this.client.queueSave();
      this.#changed();
    }
    const recovered = await this.#unsent.merged(merged);
    if (recovered) this.#options.onRecovered?.(recovered);
  }

  #take(): readonly string[] | null {
    const strict = this.#mode === 'strict';
    const mayGo = ({ name }: NamedOperation<Kind>) => !strict || this.#locks.covers(name);
    const { changes, refused } = this.replica.take(mayGo);
    for (const { reason, text } of refused) this.#options.onRefused?.(reason, text);
    this.#changed();
    return changes.length > 0 ? changes : null;
  }

  #receive(changes: readonly LogEntry[]): void {
    this.#options.beforeRemote?.();
    this.replica.receive(changes);
    this.#changed();
  }

  #confirm(count: number): void {
    this.replica.confirm(count);
    this.#saving.acknowledged();
    this.#changed();
    this.#releaseIdleLocks();
  }

  /** A change was refused: the person who holds the element may be the reason. */
  #tellHolder(elementIds: Iterable<string>): void {
    for (const id of elementIds) {
      const holder = this.#locks.holderOf(id);
      if (!holder) continue;
      this.#options.onLockRefused?.(id, holder, '');
      return;
    }
  }

  /** Strict mode: the elements that were changed are asked for. */
  #askForTouched(dispatched: Dispatched<Kind>): void {
    const touched = dispatched.touched();
    for (const [at, { name }] of dispatched.made.entries()) this.#locks.touch(name, touched[at]!);
  }

  #lockRefused(elementId: string, holder: Lock): void {
    if (this.#mode === 'fast') return;
    const text = this.replica.takeBack(({ name }) => this.#locks.touches(name, elementId));
    this.#changed();
    this.#options.onLockRefused?.(elementId, holder, text);
  }

  /** Elements are given back when nothing unsent touches them. */
  #releaseIdleLocks(): void {
    if (this.#replica && this.#unsentCount === 0) this.#locks.release();
  }

  #changed(): void {
    this.#unsent.note();
    this.#count();
  }

  #count(): void {
    const unsentCount = this.#unsentCount;
    this.#saving.count({
      unsentCount,
      unacknowledgedCount: this.#replica?.takenCount ?? 0,
      journaled: unsentCount === 0 || (this.#options.store !== undefined && this.#unsent.journaled),
    });
  }
}

/** Calls back when the page goes away; the returned function stops that. Nothing outside of pages. */
function onPageHide(run: () => void): () => void {
  const page = globalThis as Partial<Pick<EventTarget, 'addEventListener' | 'removeEventListener'>>;
  page.addEventListener?.('pagehide', run);
  return () => page.removeEventListener?.('pagehide', run);
}
