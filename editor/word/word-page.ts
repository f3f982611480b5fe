import { type Signal, signal } from '@preact/signals';
import type { DocumentClientError } from '../../client/client-error.ts';
import { IndexedDbUnsentStore } from '../../client/word/indexed-db-unsent-store.ts';
import type { WordSessionOptions } from '../../client/word/word-session.ts';
import { documentAuthOf } from '../frame/document-auth.ts';
import { type HostCodeName, nameOfClientError } from '../frame/error-codes.ts';
import { type FrameConfig, readRefreshedConfig } from '../frame/frame-config.ts';
import type { HostBridge } from '../frame/host-bridge.ts';
import { describeCode, reportToHost } from '../frame/host-report.ts';
import { serverAddress } from '../frame/server-address.ts';
import { dismissNotice, notify } from '../kit/notices.tsx';
import { t } from '../strings/strings.ts';
import { pageKeys } from './commands/keyboard.ts';
import { features } from './features.ts';
import { followHost } from './host/follow-host.ts';
import { followTitle } from './page-title.ts';
import { fileIdentity } from './saving/file-identity.ts';
import { followSaving } from './saving/follow-saving.ts';
import { tellOfRecovery } from './saving/recovered-text.tsx';
import { followForcedSaves } from './saving/save-now.ts';
import { WordEditor } from './word-editor.ts';

export type Screen =
  | { readonly kind: 'opening' }
  | { readonly kind: 'failed'; readonly code: HostCodeName }
  | { readonly kind: 'editor'; readonly editor: WordEditor };

const topic = 'session';

/** The page of one document from its opening to its end, over as many sessions as that takes. */
export class WordPage {
  readonly screen: Signal<Screen> = signal({ kind: 'opening' });
  readonly host: HostBridge;
  #config: FrameConfig;
  #editor: WordEditor | null = null;
  #stops: (() => void)[] = [];

  constructor(host: HostBridge, config: FrameConfig) {
    this.host = host;
    this.#config = config;
    host.on('refreshFile', (data) => {
      this.#config = readRefreshedConfig(data, { query: new URLSearchParams(location.search) });
      void this.open();
    });
  }

  get config(): FrameConfig {
    return this.#config;
  }

  /** Opens the document, or opens it anew, with what an earlier session of this page has not sent. */
  async open(): Promise<void> {
    const before = this.#editor?.session;
    if (!before) this.screen.value = { kind: 'opening' };
    const config = this.#config;
    try {
      const editor = await WordEditor.open({
        config,
        host: this.host,
        serverUrl: serverAddress(location.href),
        features,
        session: this.#sessionOptions(config),
        ...(before && { makeSession: (options) => before.reopen(options) }),
      });
      this.#show(editor);
    } catch (error) {
      this.#fail(error);
    }
  }

  #show(editor: WordEditor): void {
    this.#leave();
    this.#editor = editor;
    const { client } = editor.session;
    this.#stops = [
      followHost(editor),
      pageKeys(editor),
      followTitle(editor),
      followSaving(editor),
      followForcedSaves(editor),
      client.on('ended', ({ error }) => error && this.#ended(editor, error)),
      client.on('warning', ({ message }) => {
        if (typeof message === 'string') notify({ text: message, kind: 'warning' });
      }),
    ];
    this.screen.value = { kind: 'editor', editor };
    dismissNotice(topic);
    this.host.send('onDocumentReady');
    this.host.send('onInfo', { mode: editor.role.canEdit ? 'edit' : 'view' });
  }

  #leave(): void {
    for (const stop of this.#stops) stop();
    this.#stops = [];
  }

  #fail(error: unknown): void {
    const code = nameOfClientError(error) ?? 'unknown';
    if (code === 'unknown' || code === 'editing') console.error(error);
    reportToHost(this.host, code);
    if (this.#editor) this.#stopEditing(this.#editor, code);
    else this.screen.value = { kind: 'failed', code };
  }

  /** A session that has ended is followed by another when there can be one; what was typed is taken along. */
  #ended(editor: WordEditor, error: DocumentClientError): void {
    const code = nameOfClientError(error);
    if (!code) return;
    if (error.code !== 'reload') {
      reportToHost(this.host, code);
      this.#stopEditing(editor, code);
      return;
    }
    const { canRequestRefreshFile, canUpdateVersion } = this.#config.editorConfig;
    notify({ text: t('word.newerVersion'), kind: 'info', topic });
    if (canRequestRefreshFile) this.host.send('onRequestRefreshFile');
    else if (canUpdateVersion) this.host.send('onOutdatedVersion');
    else void this.open();
  }

  #sessionOptions(config: FrameConfig): Omit<WordSessionOptions, 'plugins' | 'onState'> {
    const { document, editorConfig } = config;
    const { token } = document;
    const file = fileIdentity(config);
    const nameOf = (id: string) =>
      this.#editor?.presence.people.peek().find((one) => one.id === id)?.name ?? '';
    return {
      url: serverAddress(location.href),
      key: document.key,
      auth: documentAuthOf(config),
      store: new IndexedDbUnsentStore(),
      editingMode: editorConfig.coEditing.mode,
      // Whoever types offline for a day is waited for as long.
      reconnect: { attempts: Number.POSITIVE_INFINITY },
      onRecovered: tellOfRecovery,
      onRefused: (_reason, text) => tellTakenBack(t('saving.takenBack'), text),
      onLockRefused: (_block, { user }, text) =>
        tellTakenBack(t('together.lockedBy', { name: nameOf(user) }), text),
      ...(token !== undefined && { token }),
      ...(file !== null && { file }),
    };
  }

  #stopEditing(editor: WordEditor, code: HostCodeName): void {
    editor.denyEditing();
    const action = { label: t('word.reload'), run: () => void this.open() };
    notify({ text: describeCode(code), kind: 'error', topic, action });
  }
}

/** What somebody typed in vain can still be copied from the notice. */
function tellTakenBack(reason: string, text: string): void {
  notify({
    text: text === '' ? reason : `${reason}: “${text.slice(0, 500)}”`,
    kind: 'warning',
    topic: 'taken-back',
  });
}
