import { effect, type Signal, signal } from '@preact/signals';
import type { HostCommandData } from '../../frame/host-commands.ts';
import { announce } from '../../kit/announce.tsx';
import { notify } from '../../kit/notices.tsx';
import { t } from '../../strings/strings.ts';
import type { DocumentEditor } from '../document-editor.ts';
import { reasonOf, type VersionReader } from './version-reader.ts';

type History = HostCommandData<'refreshHistory'>['data'];
type VersionData = HostCommandData<'setHistoryData'>['data'];
export type Version = History['history'][number];

/** How the embedding page calls a version: a number or a text. The page is told it as it wrote it. */
export type VersionLabel = Version['version'];

/** Pages write the version of one message as a number and that of another as text. */
export const isSameVersion = (one: VersionLabel | undefined, other: VersionLabel | undefined): boolean =>
  one !== undefined && other !== undefined && String(one) === String(other);

/** An older version on the screen: an editor that may change nothing, in a session of its own. */
export interface ShownVersion<E> {
  readonly label: VersionLabel;
  /** Null while it is being opened, and when it cannot be. */
  readonly editor: E | null;
  /** Why it cannot be shown. */
  readonly problem: string | null;
  /** How many changes are marked; null while that is not known, or nothing is there to compare with. */
  readonly changeCount: number | null;
}

/** The versions that the embedding page has of the document, and the one that is being looked at. */
export class VersionHistory<E extends DocumentEditor = DocumentEditor> {
  readonly versions: Signal<readonly Version[]> = signal([]);
  readonly currentVersion: Signal<VersionLabel | undefined> = signal(undefined);
  readonly shown: Signal<ShownVersion<E> | null> = signal(null);
  /** The version that is to be restored when the person has confirmed it. */
  readonly restoring: Signal<Version | null> = signal(null);
  readonly #editor: E;
  readonly #reader: VersionReader<E>;
  readonly #stops: (() => void)[];
  #isOpen = false;

  constructor(editor: E, reader: VersionReader<E>) {
    this.#editor = editor;
    this.#reader = reader;
    const { host } = editor;
    this.#stops = [
      host.on('refreshHistory', ({ data, message }) => this.#list(data, message)),
      host.on('setHistoryData', ({ data, message }) => void this.#open(data, message)),
      effect(() => this.#follow(editor.panel.value === 'history')),
    ];
  }

  /** Asks the page for a version, which is then shown. */
  show(label: VersionLabel): void {
    this.#close();
    this.shown.value = { label, editor: null, problem: null, changeCount: null };
    this.#editor.host.send('onRequestHistoryData', label);
  }

  /** What is unsent goes to the current version first, so that it is in the list afterwards. */
  async restore({ version }: Version): Promise<void> {
    this.restoring.value = null;
    await this.#editor.session?.save().catch(() => undefined);
    this.#editor.host.send('onRequestRestore', { version });
  }

  /** Back to the document, which has been there all the time. */
  close(): void {
    this.#editor.panel.value = null;
  }

  stop(): void {
    for (const stop of this.#stops) stop();
    this.#close();
  }

  /** History ends with its panel. A page that listens may open the document anew, as after restoring. */
  #follow(isOpen: boolean): void {
    const wasOpen = this.#isOpen;
    this.#isOpen = isOpen;
    if (isOpen || !wasOpen) return;
    this.#close();
    const { host, config } = this.#editor;
    if (config.editorConfig.canHistoryClose) host.send('onRequestHistoryClose');
  }

  #list({ history, currentVersion, error }: History, message?: string): void {
    if (error || history.length === 0) {
      notify({ text: message || error || t('history.none'), kind: 'warning' });
      return;
    }
    this.versions.value = newestFirst(history);
    this.currentVersion.value = currentVersion;
    this.#editor.panel.value = 'history';
  }

  #isShown(label: VersionLabel): boolean {
    return isSameVersion(this.shown.peek()?.label, label);
  }

  #change(label: VersionLabel, change: Partial<ShownVersion<E>>): void {
    const shown = this.shown.peek();
    if (shown && this.#isShown(label)) this.shown.value = { ...shown, ...change };
  }

  async #open(data: VersionData, message?: string): Promise<void> {
    const label = data.version ?? this.shown.peek()?.label;
    if (label === undefined || !this.#isShown(label)) return;
    if (data.error || data.key === '' || data.url === '') {
      this.#fail(label, data.error || message || t('history.cannotShow'));
      return;
    }
    try {
      const { key, url, fileType, token } = data;
      const editor = await this.#reader.open({ key, url, fileType, token });
      if (!this.#isShown(label)) return this.#reader.close(editor);
      this.#change(label, { editor });
      announce(t('history.shown', { number: label }));
      await this.#mark(label, data, editor);
    } catch (error) {
      const reason = reasonOf(error);
      this.#fail(label, `${t('history.cannotShow')}.${reason}`);
    }
  }

  #fail(label: VersionLabel, problem: string): void {
    if (!this.#isShown(label)) return;
    this.#change(label, { problem });
    announce(problem);
  }

  /** Marks what has changed since the version before. A version that cannot be compared is shown without. */
  async #mark(label: VersionLabel, data: VersionData, shown: E): Promise<void> {
    const { previous, token } = data;
    if (!previous || previous.key === '' || previous.key === data.key) return;
    try {
      const names = this.#authorsOf(label);
      const authors = this.#changesOf(label, data).then(
        (changes) => ({ names, changes }),
        () => ({ names, changes: null }),
      );
      const differences = await this.#reader.differencesSince({ ...previous, token }, shown, authors);
      if (!this.#isShown(label)) return;
      differences.mark();
      this.#change(label, { changeCount: differences.count });
    } catch {
      notify({ text: t('history.notCompared'), kind: 'info' });
    }
  }

  /** Who changed what; null where the names alone say it, or nobody can. */
  async #changesOf(label: VersionLabel, { key, changesUrl, token }: VersionData) {
    const version = this.#versionOf(label);
    if (!version || !changesUrl || !token || this.#authorsOf(label).size < 2) return null;
    const authors = version.changes.map(({ user }) => user.id);
    // Loaded by those who look at versions.
    const { fetchChanges } = await import('./change-archive.ts');
    return fetchChanges(this.#editor.serverUrl, { key, changesUrl, token }, authors);
  }

  #versionOf(label: VersionLabel): Version | undefined {
    return this.versions.peek().find(({ version }) => isSameVersion(version, label));
  }

  #authorsOf(label: VersionLabel): ReadonlyMap<string, string> {
    const version = this.#versionOf(label);
    if (!version) return new Map();
    const users = version.changes.length > 0 ? version.changes.map(({ user }) => user) : [version.user];
    return new Map(users.filter(({ name }) => name !== '').map(({ id, name }) => [id, name]));
  }

  #close(): void {
    const editor = this.shown.peek()?.editor;
    if (editor) this.#reader.close(editor);
    this.shown.value = null;
  }
}

/** By number where all have one; versions of other names come in the order of the page, the oldest first. */
function newestFirst(history: readonly Version[]): Version[] {
  const isCounted = history.every(({ version }) => Number.isFinite(Number(version)));
  if (!isCounted) return history.toReversed();
  return history.toSorted((a, b) => Number(b.version) - Number(a.version));
}
