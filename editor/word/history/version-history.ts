import { type Signal, signal } from '@preact/signals';
import { nameOfClientError } from '../../frame/error-codes.ts';
import type { HostCommandData } from '../../frame/host-commands.ts';
import { describeCode } from '../../frame/host-report.ts';
import { announce } from '../../kit/announce.tsx';
import { notify } from '../../kit/notices.tsx';
import { t } from '../../strings/strings.ts';
import type { WordEditor } from '../word-editor.ts';
import { showChangeMarks } from './compare/change-marks.ts';
import { openVersion, readVersion, type VersionData } from './version-session.ts';

type History = HostCommandData<'refreshHistory'>['data'];
export type Version = History['history'][number];

/** An older version on the screen: an editor that may change nothing, in a session of its own. */
export interface ShownVersion {
  readonly number: number;
  /** Null while it is being opened, and when it cannot be. */
  readonly editor: WordEditor | null;
  /** Why it cannot be shown. */
  readonly problem: string | null;
  /** How many changes are marked; null while that is not known, or nothing is there to compare with. */
  readonly changeCount: number | null;
}

/** The versions that the embedding page has of the document, and the one that is being looked at. */
export class VersionHistory {
  readonly versions: Signal<readonly Version[]> = signal([]);
  readonly currentVersion: Signal<number> = signal(0);
  readonly shown: Signal<ShownVersion | null> = signal(null);
  /** The version that is to be restored when the person has confirmed it. */
  readonly restoring: Signal<Version | null> = signal(null);
  readonly #editor: WordEditor;
  readonly #stops: (() => void)[];
  #hasRestored = false;

  constructor(editor: WordEditor) {
    this.#editor = editor;
    const { host } = editor;
    this.#stops = [
      host.on('refreshHistory', ({ data, message }) => this.#list(data, message)),
      host.on('setHistoryData', ({ data, message }) => void this.#open(data, message)),
    ];
  }

  /** Asks the page for a version, which is then shown. */
  show(number: number): void {
    this.#close();
    this.shown.value = { number, editor: null, problem: null, changeCount: null };
    this.#editor.host.send('onRequestHistoryData', number);
  }

  /** What is unsent goes to the current version first, so that it is in the list afterwards. */
  async restore({ version }: Version): Promise<void> {
    this.restoring.value = null;
    await this.#editor.session.save().catch(() => undefined);
    this.#hasRestored = true;
    this.#editor.host.send('onRequestRestore', { version });
  }

  /**
   * Back to the document, which has been there all the time; unless a version was restored, and another document is the
   * current one.
   */
  close(): void {
    const { editorConfig } = this.#editor.config;
    this.#close();
    this.#editor.panel.value = null;
    if (this.#hasRestored && editorConfig.canHistoryClose) this.#editor.host.send('onRequestHistoryClose');
  }

  stop(): void {
    this.#close();
    for (const stop of this.#stops) stop();
  }

  #list({ history, currentVersion, error }: History, message?: string): void {
    if (error || history.length === 0) {
      notify({ text: message || error || t('history.none'), kind: 'warning' });
      return;
    }
    this.versions.value = [...history].sort((a, b) => b.version - a.version);
    this.currentVersion.value = currentVersion;
    this.#editor.panel.value = 'history';
  }

  #isShown(number: number): boolean {
    return this.shown.peek()?.number === number;
  }

  #change(number: number, change: Partial<ShownVersion>): void {
    const shown = this.shown.peek();
    if (shown?.number === number) this.shown.value = { ...shown, ...change };
  }

  async #open(data: VersionData, message?: string): Promise<void> {
    const number = data.version;
    if (!this.#isShown(number)) return;
    if (data.error || data.key === '' || data.url === '') {
      this.#fail(number, data.error || message || t('history.cannotShow'));
      return;
    }
    try {
      const { key, url, fileType, token } = data;
      const editor = await openVersion(this.#editor, { key, url, fileType, token });
      if (!this.#isShown(number)) return endSession(editor);
      this.#change(number, { editor });
      announce(t('history.shown', { number }));
      await this.#mark(data, editor);
    } catch (error) {
      const code = nameOfClientError(error);
      const reason = code && code !== 'unknown' && code !== 'editing' ? ` ${describeCode(code)}` : '';
      this.#fail(number, `${t('history.cannotShow')}.${reason}`);
    }
  }

  #fail(number: number, problem: string): void {
    if (!this.#isShown(number)) return;
    this.#change(number, { problem });
    announce(problem);
  }

  /** Marks what has changed since the version before. A version that cannot be compared is shown without. */
  async #mark(data: VersionData, shown: WordEditor): Promise<void> {
    const { previous, token, version: number } = data;
    if (!previous || previous.key === '' || previous.key === data.key) return;
    try {
      const changes = this.#changesOf(data).catch(() => null);
      const older = await readVersion(this.#editor, { ...previous, token });
      const names = this.#authorsOf(number);
      // Loaded by those who look at versions.
      const { compareVersions } = await import('./compare/compared-version.ts');
      const marks = compareVersions(older, shown.session.state.doc, { names, changes: await changes });
      if (!this.#isShown(number)) return;
      shown.dispatch(showChangeMarks(shown.session, marks));
      this.#change(number, { changeCount: marks.length });
    } catch {
      notify({ text: t('history.notCompared'), kind: 'info' });
    }
  }

  /** Who changed what; null where the names alone say it, or nobody can. */
  async #changesOf({ key, changesUrl, token, version: number }: VersionData) {
    const version = this.versions.peek().find((one) => one.version === number);
    if (!version || !changesUrl || !token || this.#authorsOf(number).size < 2) return null;
    const authors = version.changes.map(({ user }) => user.id);
    const { fetchChanges } = await import('./compare/change-archive.ts');
    return fetchChanges(this.#editor.serverUrl, { key, changesUrl, token }, authors);
  }

  #authorsOf(number: number): ReadonlyMap<string, string> {
    const version = this.versions.peek().find((one) => one.version === number);
    if (!version) return new Map();
    const users = version.changes.length > 0 ? version.changes.map(({ user }) => user) : [version.user];
    return new Map(users.filter(({ name }) => name !== '').map(({ id, name }) => [id, name]));
  }

  #close(): void {
    const editor = this.shown.peek()?.editor;
    if (editor) endSession(editor);
    this.shown.value = null;
  }
}

function endSession({ session }: WordEditor): void {
  session.close().catch(() => undefined);
}
