import { type Signal, signal } from '@preact/signals';
import { readFrameConfig } from '../../frame/frame-config.ts';
import type { HostCommandData } from '../../frame/host-commands.ts';
import { notify } from '../../kit/notices.tsx';
import { t } from '../../strings/strings.ts';
import { viewFeature } from '../view/view-feature.ts';
import { WordEditor } from '../word-editor.ts';

type History = HostCommandData<'refreshHistory'>['data'];
export type Version = History['history'][number];
type VersionData = HostCommandData<'setHistoryData'>['data'];

/** An older version on the screen: an editor that may change nothing, in a session of its own. */
export interface ShownVersion {
  readonly number: number;
  /** Null while it is being opened. */
  readonly editor: WordEditor | null;
}

/** The versions that the embedding page has of the document, and the one that is being looked at. */
export class VersionHistory {
  readonly versions: Signal<readonly Version[]> = signal([]);
  readonly currentVersion: Signal<number> = signal(0);
  readonly shown: Signal<ShownVersion | null> = signal(null);
  readonly #editor: WordEditor;
  readonly #stops: (() => void)[];

  constructor(editor: WordEditor) {
    this.#editor = editor;
    const { host } = editor;
    this.#stops = [
      host.on('refreshHistory', ({ data, message }) => this.#list(data, message)),
      host.on('setHistoryData', ({ data }) => void this.#open(data)),
    ];
  }

  /** Asks the page for a version, which is then shown. */
  show(number: number): void {
    this.#close();
    this.shown.value = { number, editor: null };
    this.#editor.host.send('onRequestHistoryData', number);
  }

  restore(version: Version): void {
    this.#editor.host.send('onRequestRestore', { version: version.version });
  }

  /** Back to the document, which has been there all the time. */
  close(): void {
    this.#close();
    this.#editor.panel.value = null;
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

  async #open(data: VersionData): Promise<void> {
    if (this.shown.peek()?.number !== data.version) return;
    if (data.error || data.key === '') {
      this.shown.value = null;
      notify({ text: data.error || t('history.cannotShow'), kind: 'error' });
      return;
    }
    try {
      const opened = await openVersion(this.#editor, data);
      if (this.shown.peek()?.number === data.version)
        this.shown.value = { number: data.version, editor: opened };
      else void opened.session.close().catch(() => undefined);
    } catch {
      if (this.shown.peek()?.number === data.version) this.shown.value = null;
      notify({ text: t('history.cannotShow'), kind: 'error' });
    }
  }

  #close(): void {
    void this.shown
      .peek()
      ?.editor?.session.close()
      .catch(() => undefined);
    this.shown.value = null;
  }
}

function openVersion(editor: WordEditor, { key, url, fileType, token }: VersionData): Promise<WordEditor> {
  const { user, lang } = editor.config.editorConfig;
  const type = fileType || editor.config.document.fileType;
  const config = readFrameConfig(
    { user, lang, mode: 'view', coEditing: { mode: 'strict', change: false } },
    { key, url, fileType: type, title: editor.title.peek(), permissions: { edit: false } },
  );
  return WordEditor.open({
    config,
    host: editor.host,
    serverUrl: editor.serverUrl,
    features: [viewFeature],
    session: {
      url: editor.serverUrl,
      key,
      auth: {
        user: { id: user.id, username: user.name },
        permissions: { edit: false },
        mode: 'view',
        coEditingMode: 'strict',
        openCmd: { format: type, url, title: config.document.title },
      },
      ...(token !== undefined && { token }),
    },
  });
}
