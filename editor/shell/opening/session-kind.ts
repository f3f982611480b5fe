import { IndexedDbUnsentStore } from '../../../client/replica/indexed-db-unsent-store.ts';
import type { SessionOptions } from '../../../client/replica/session-options.ts';
import { notAllowed } from '../../../model/log/change-author.ts';
import { type HostCodeName, nameOfClientError } from '../../frame/error-codes.ts';
import { roleOf } from '../../frame/role.ts';
import { type StringKey, t } from '../../strings/strings.ts';
import type { CoeditedDocument } from '../document-editor.ts';
import { followSaving } from '../saving/follow-saving.ts';
import { tellOfLoss } from '../saving/lossy-format.ts';
import { tellOfRecovery, tellTakenBack } from '../saving/recovered-text.tsx';
import type { EditorKind, Opening } from './opening.ts';
import { fileIdentity, sessionOptions } from './session-options.ts';

/** What tells kinds of documents that are edited together apart when their pages open them. */
interface SessionKindOptions {
  /** The folder of its page. */
  readonly page: string;
  /** Says who holds what somebody else wanted to change (`{name}`). */
  readonly lockedBy: StringKey;
}

/**
 * Documents that people edit together, as their page opens them: sessions begin one after the other, and each takes over
 * what is unsent from the one before.
 */
export abstract class SessionKind<E extends CoeditedDocument> implements EditorKind<E> {
  readonly staysWhileReopening = true;
  readonly roleOf = roleOf;
  readonly codeOf = nameOfClientError;
  readonly beforeEditing = tellOfLoss;
  readonly #options: SessionKindOptions;
  readonly #store = new IndexedDbUnsentStore();
  /** The last one made, whether or not it came to anything: it has what is unsent. */
  #session: E['session'] | null = null;
  /** The last one that was opened. */
  #editor: E | null = null;
  #lastOpening: Promise<unknown> = Promise.resolve();

  constructor(options: SessionKindOptions) {
    this.#options = options;
  }

  open(opening: Opening): Promise<E> {
    this.#session?.client.abort();
    const opened = this.#lastOpening.then(() => this.#open(opening));
    this.#lastOpening = opened.catch(() => undefined);
    return opened;
  }

  follow(editor: E, isNext: boolean): () => void {
    const stops = [...this.followKind(editor), followSaving(editor, isNext)];
    return () => {
      for (const stop of stops) stop();
    };
  }

  /** What the kind does as long as the document is on the page, and how each of it ends. */
  protected abstract followKind(editor: E): readonly (() => void)[];

  /** What this editor does not open may be shown as pages. The embedding page sends the frame everything again. */
  leaveFor(code: HostCodeName): boolean {
    if (code !== 'formatNotRecognised' && code !== 'tooBig') return false;
    const address = new URL(`../viewer/index.html${location.search}`, location.href);
    address.searchParams.set('from', this.#options.page);
    address.searchParams.set('why', code);
    location.replace(address);
    return true;
  }

  /**
   * Opens the document in a session with these options, and more of the kind.
   * @param begin has to be given the session as soon as it is made; `last` is the one that it succeeds
   */
  protected abstract openEditor(
    opening: Opening,
    options: SessionOptions,
    begin: (make: (last: E['session'] | null) => E['session']) => E['session'],
  ): Promise<E>;

  async #open(opening: Opening): Promise<E> {
    opening.signal.throwIfAborted();
    const last = this.#session;
    this.#editor = await this.openEditor(opening, this.#sessionOptions(opening, last), (make) => {
      const session = make(last);
      this.#session = session;
      opening.follow(session.client);
      return session;
    });
    return this.#editor;
  }

  #sessionOptions(opening: Opening, last: E['session'] | null): SessionOptions {
    const { config } = opening;
    const options = sessionOptions(opening);
    const mode = roleOf(config).canEdit ? last?.mode : undefined;
    const file = fileIdentity(config);
    return {
      ...options,
      store: this.#store,
      editingMode: mode ?? (options.auth.coEditingMode === 'strict' ? 'strict' : 'fast'),
      onRecovered: tellOfRecovery,
      onRefused: (reason, text) =>
        tellTakenBack(t(reason === notAllowed ? 'saving.notAllowed' : 'saving.takenBack'), text),
      onLockRefused: (_element, { user }, text) =>
        tellTakenBack(t(this.#options.lockedBy, { name: this.#nameOf(user) }), text),
      ...(file !== null && { file }),
    };
  }

  #nameOf(userId: string): string {
    return this.#editor?.presence.people.peek().find(({ id }) => id === userId)?.name ?? '';
  }
}
