import { type Signal, signal } from '@preact/signals';
import { DocumentClientError } from '../../client/client-error.ts';
import type { DocumentClient } from '../../client/document-client.ts';
import { ModelVersionError } from '../../model/log/kind-model.ts';
import { type HostCodeName, nameOfClientError } from '../frame/error-codes.ts';
import { type FrameConfig, readRefreshedConfig } from '../frame/frame-config.ts';
import type { HostBridge } from '../frame/host-bridge.ts';
import { describeCode, reportToHost } from '../frame/host-report.ts';
import { serverAddress } from '../frame/server-address.ts';
import { guestId } from '../frame/user-name.ts';
import { dismissNotice, notify } from '../kit/notices.tsx';
import { reloadPage } from '../kit/other-version.ts';
import { t } from '../strings/strings.ts';
import type { DocumentEditor } from './document-editor.ts';
import { download } from './download.ts';
import { followHost } from './host/follow-host.ts';
import { withGuestName } from './host/guest-name.tsx';
import type { Failure, Way } from './opening/failed-screen.tsx';
import type { EditorKind } from './opening/opening.ts';
import { type OpeningAnswers, type OpeningQuestion, questionIn } from './opening/opening.ts';
import type { OpeningStage } from './opening/opening-screen.tsx';
import { offerUnsent } from './saving/recovered-text.tsx';
import { followServerVersion, followTitle, followWarnings } from './server-messages.ts';

export type Screen<E> =
  | { readonly kind: 'opening'; readonly stage: OpeningStage }
  | { readonly kind: 'question'; readonly question: OpeningQuestion }
  | { readonly kind: 'failed'; readonly failure: Failure }
  | { readonly kind: 'editor'; readonly editor: E };

/** Topic of what is said about the session as a whole. */
const sessionTopic = 'session';
/** What the embedding page tells the page of a document itself, whichever editor is on it. */
const ownCommands = ['refreshFile', 'processRightsChange', 'requestClose'] as const;
const opening = { kind: 'opening', stage: { stage: 'opening' } } as const;

/** A session that is to be replaced by another so soon after its beginning would be so again and again. */
const shortestSessionMs = 5_000;
/** What a new configuration of the embedding page may help against. */
const needsNewConfig: readonly HostCodeName[] = [
  'dropped',
  'expired',
  'badToken',
  'versionUpdated',
  'sessionToken',
];

/** The page of one document of any kind, from its opening to its end, over as many sessions as that takes. */
export class DocumentPage<E extends DocumentEditor> {
  readonly screen: Signal<Screen<E>> = signal(opening);
  readonly host: HostBridge;
  readonly #kind: EditorKind<E>;
  #config: FrameConfig;
  /** What is shown. */
  #editor: E | null = null;
  /** The attempt that counts. */
  #attempt = new AbortController();
  #shownAtMs = 0;
  /** The session was begun because the one before had ended, not because somebody wanted it. */
  #isByItself = false;
  /** The sentence with which the embedding page has taken the right to edit away. */
  #denial: string | null = null;
  /** What was typed and not sent in a session that another one was to follow. */
  #unsentText = '';
  #answers: OpeningAnswers = {};
  /** Takes the answer to a question that came up while the document was loaded. */
  #asked: ((answers: OpeningAnswers) => void) | null = null;
  #stops: (() => void)[] = [];

  constructor(host: HostBridge, config: FrameConfig, kind: EditorKind<E>) {
    this.host = host;
    this.#config = config;
    this.#kind = kind;
    host.on('refreshFile', (data) => {
      const surroundings = { query: new URLSearchParams(location.search), guestId };
      this.#config = withGuestName(readRefreshedConfig(data, surroundings));
      this.#denial = null;
      this.#answers = {};
      void this.open();
    });
    host.on('processRightsChange', ({ enabled, message }) => {
      this.#denial = enabled ? null : message || t('page.rightsRevoked');
      if (this.#editor?.session && this.#denial !== null) stopEditing(this.#editor, this.#denial);
    });
    host.on('requestClose', () => {
      if (this.#editor) this.#editor.requestClose();
      else host.send('onRequestClose');
    });
  }

  get config(): FrameConfig {
    return this.#config;
  }

  /**
   * Opens the document, or opens it anew, with what an earlier session of this page has not sent. The last call
   * counts: what an earlier one has begun is given up.
   */
  open(): Promise<void> {
    return this.#begin(false);
  }

  /** Opens the document with what the file did not say itself. */
  answer(answers: OpeningAnswers): void {
    const take = this.#asked;
    if (take) {
      this.#asked = null;
      this.screen.value = opening;
      take(answers);
      return;
    }
    this.#answers = answers;
    void this.open();
  }

  /** The question cannot be shown: what asks it was not loaded. */
  failToAsk(): void {
    const action = { label: t('common.retry'), run: () => void this.open() };
    this.screen.value = { kind: 'failed', failure: { sentence: t('page.notLoaded'), action } };
  }

  async #begin(byItself: boolean): Promise<void> {
    this.#isByItself = byItself;
    this.#asked = null;
    this.#editor?.pause?.();
    // What the embedding page answers meanwhile would go with the editor that is about to be replaced.
    this.host.hold(ownCommands);
    if (!this.#kind.staysWhileReopening) this.#end();
    this.#attempt.abort();
    const attempt = new AbortController();
    this.#attempt = attempt;
    if (!this.#editor) this.screen.value = opening;
    try {
      const editor = await this.#open(attempt.signal);
      if (attempt.signal.aborted) editor.close();
      else {
        this.#show(editor);
        void editor.mounted.then(() => attempt.signal.aborted || this.host.release());
      }
    } catch (error) {
      if (attempt.signal.aborted) return;
      this.host.release();
      this.#fail(error);
    }
  }

  #open(signal: AbortSignal): Promise<E> {
    return this.#kind.open({
      config: this.#config,
      host: this.host,
      serverUrl: serverAddress(location.href),
      answers: this.#answers,
      signal,
      follow: (client) => this.#follow(client),
      ask: (question) =>
        new Promise((resolve) => {
          if (signal.aborted) return;
          this.#asked = resolve;
          this.screen.value = { kind: 'question', question };
        }),
    });
  }

  /** What may come before the document does. */
  #follow(client: DocumentClient): void {
    followServerVersion(client);
    followWarnings(client, this.host, () => {
      const editor = this.#editor;
      return editor?.role.canDownload ? () => void download(editor) : null;
    });
    const show = (stage: OpeningStage) => {
      if (this.screen.peek().kind === 'opening') this.screen.value = { kind: 'opening', stage };
    };
    client.on('lost', () => show({ stage: 'lost' }));
    client.on('opening', show);
  }

  #show(editor: E): void {
    const isNext = this.#editor !== null;
    this.#leave();
    this.#editor = editor;
    this.#shownAtMs = Date.now();
    const { client, session, host } = editor;
    this.#stops = [
      followHost(editor),
      followTitle(editor),
      this.#kind.follow(editor, isNext),
      client.on('ended', ({ error }) => error && this.#ended(editor, error)),
    ];
    this.screen.value = { kind: 'editor', editor };
    dismissNotice(sessionTopic);
    void editor.mounted.then(() => {
      if (this.#editor !== editor) return;
      host.send('onDocumentReady');
      host.send('onInfo', { mode: editor.role.role === 'view' ? 'view' : 'edit' });
    });
    const { readOnly } = client.status;
    if (this.#denial !== null && session) stopEditing(editor, this.#denial);
    else if (readOnly && this.#kind.roleOf(editor.config).canEdit) this.#demoted(editor);
    else if (!readOnly && !isNext) this.#kind.beforeEditing?.(editor.config);
    this.#unsentText = '';
  }

  #leave(): void {
    for (const stop of this.#stops) stop();
    this.#stops = [];
  }

  /** Takes what is shown off the page. */
  #end(): void {
    this.#leave();
    this.#editor?.close();
    this.#editor = null;
  }

  #fail(error: unknown): void {
    this.#asked = null;
    const code = this.#kind.codeOf(error);
    // Given up for a later attempt.
    if (!code) return;
    const question = this.#editor ? null : questionIn(error, this.#answers, this.config.document.fileType);
    if (question) {
      this.screen.value = { kind: 'question', question };
      return;
    }
    if (!this.#editor && this.#kind.leaveFor?.(code)) return;
    const isOther = isOfOtherVersion(error);
    const failure = isOther ? otherVersion() : this.#failureOf(code);
    reportToHost(this.host, isOther ? 'openFailed' : code, failure.sentence);
    if (code === 'unknown' || code === 'editing')
      console.error(error, error instanceof Error ? error.cause : undefined);
    if (this.#editor) stopEditing(this.#editor, failure.sentence, failure.action);
    else this.screen.value = { kind: 'failed', failure };
  }

  #failureOf(code: HostCodeName): Failure {
    const run = () => {
      this.#answers = {};
      if (!this.#kind.leaveBack?.()) this.#tryAgain(code);
    };
    return { sentence: describeCode(code), action: { label: t('common.retry'), run } };
  }

  /** With a new configuration, where the embedding page can give one and the old one does not help. */
  #tryAgain(code: HostCodeName): void {
    if (!needsNewConfig.includes(code) || !this.#askForNewConfig()) void this.open();
  }

  /** False if the embedding page could not answer. */
  #askForNewConfig(): boolean {
    const { canRequestRefreshFile, canUpdateVersion } = this.#config.editorConfig;
    if (canRequestRefreshFile) this.host.send('onRequestRefreshFile');
    else if (canUpdateVersion) this.host.send('onOutdatedVersion');
    return this.#canAskForNewConfig;
  }

  get #canAskForNewConfig(): boolean {
    const { canRequestRefreshFile, canUpdateVersion } = this.#config.editorConfig;
    return canRequestRefreshFile || canUpdateVersion;
  }

  /** A session that has ended is followed by another when there can be one; what was typed is taken along. */
  #ended(editor: E, error: DocumentClientError): void {
    const code = nameOfClientError(error);
    if (!code) return;
    const again = { label: t('page.reload'), run: () => this.#tryAgain(code) };
    // Who was sent away comes in by a new configuration or not at all.
    const action = code !== 'dropped' || this.#canAskForNewConfig ? again : undefined;
    const isLoop = this.#isByItself && Date.now() - this.#shownAtMs < shortestSessionMs;
    if (error.code !== 'reload' || isLoop) {
      reportToHost(this.host, code);
      stopEditing(editor, describeCode(code), action);
      return;
    }
    editor.pause?.();
    this.#unsentText = editor.session?.unsentText() ?? '';
    notify({
      text: t('page.newerVersion'),
      kind: 'warning',
      topic: sessionTopic,
      stays: true,
      action: { label: t('page.reload'), run: () => void this.open() },
    });
    if (!this.#askForNewConfig()) void this.#begin(true);
  }

  /** The server lets this person only read: mostly because the key is of a version that has been stored since. */
  #demoted({ session }: E): void {
    const isOld = session?.isOldVersion === true;
    const code = isOld ? 'versionUpdated' : 'forcedView';
    reportToHost(this.host, code);
    const action = { label: t('page.reload'), run: () => void this.open() };
    const text = isOld ? t('page.oldVersion') : describeCode(code);
    notify({ text, kind: 'warning', topic: sessionTopic, stays: true, action });
    if (!isOld || !this.#askForNewConfig()) offerUnsent(this.#unsentText);
  }
}

/** The server makes documents that this page cannot read, because it is older or newer. */
const isOfOtherVersion = (error: unknown): boolean =>
  error instanceof DocumentClientError && error.cause instanceof ModelVersionError;

function otherVersion(): Failure {
  return { sentence: t('page.otherServer'), action: { label: t('page.reload'), run: reloadPage } };
}

/**
 * Ends the editing with a sentence. What was typed before that is sent while the session lasts; of what cannot be
 * sent any more the text is offered for copying.
 */
function stopEditing(editor: DocumentEditor, sentence: string, action?: Way): void {
  const { session } = editor;
  editor.denyEditing?.();
  notify({ text: sentence, kind: 'warning', topic: sessionTopic, stays: true, ...(action && { action }) });
  if (!session) return;
  if (session.client.status.connection === 'ended') offerUnsent(session.unsentText());
  else session.save().catch(() => offerUnsent(session.unsentText()));
}
