import { CellSession, type CellSessionOptions } from '../../client/cell/cell-session.ts';
import { IndexedDbUnsentStore } from '../../client/replica/indexed-db-unsent-store.ts';
import { notAllowed } from '../../model/log/change-author.ts';
import { nameOfClientError } from '../frame/error-codes.ts';
import { roleOf } from '../frame/role.ts';
import type { EditorKind, Opening } from '../shell/opening/opening.ts';
import { fileIdentity, sessionOptions } from '../shell/opening/session-options.ts';
import { followSaving } from '../shell/saving/follow-saving.ts';
import { tellOfRecovery, tellTakenBack } from '../shell/saving/recovered-text.tsx';
import { t } from '../strings/strings.ts';
import { CellEditor } from './cell-editor.ts';
import { pageKeys } from './commands/keyboard.ts';

/** Spreadsheets, as the page opens them: one after the other takes over what is unsent. */
export class CellKind implements EditorKind<CellEditor> {
  readonly staysWhileReopening = true;
  readonly roleOf = roleOf;
  readonly codeOf = nameOfClientError;
  readonly #store = new IndexedDbUnsentStore();
  /** The last one made, whether or not it came to anything: it has what is unsent. */
  #session: CellSession | null = null;
  /** The last one that was opened. */
  #editor: CellEditor | null = null;
  #lastOpening: Promise<unknown> = Promise.resolve();

  /** Sessions begin one after the other, since each takes over from the one before. */
  open(opening: Opening): Promise<CellEditor> {
    this.#session?.client.abort();
    const opened = this.#lastOpening.then(() => this.#open(opening));
    this.#lastOpening = opened.catch(() => undefined);
    return opened;
  }

  follow(editor: CellEditor, isNext: boolean): () => void {
    const stops = [pageKeys(editor), followSaving(editor, isNext)];
    return () => {
      for (const stop of stops) stop();
    };
  }

  /** What this editor does not open may be shown as pages. The embedding page sends the frame everything again. */
  leaveFor(code: string): boolean {
    if (code !== 'formatNotRecognised') return false;
    const address = new URL(`../viewer/index.html${location.search}`, location.href);
    address.searchParams.set('from', 'cell');
    location.replace(address);
    return true;
  }

  async #open(opening: Opening): Promise<CellEditor> {
    opening.signal.throwIfAborted();
    const { config, host, serverUrl } = opening;
    const last = this.#session;
    this.#editor = await CellEditor.open({
      config,
      host,
      serverUrl,
      makeSession: (onChange, onMedia) => {
        const options = { ...this.#sessionOptions(opening, last), onChange, onMedia };
        this.#session = last ? last.reopen(options) : new CellSession(options);
        opening.follow(this.#session.client);
        return this.#session;
      },
    });
    return this.#editor;
  }

  #sessionOptions(opening: Opening, last: CellSession | null): CellSessionOptions {
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
        tellTakenBack(t('sheet.openedBy', { name: this.#nameOf(user) }), text),
      ...(file !== null && { file }),
    };
  }

  #nameOf(userId: string): string {
    return this.#editor?.presence.people.peek().find(({ id }) => id === userId)?.name ?? '';
  }
}
