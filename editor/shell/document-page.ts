import { type Signal, signal } from '@preact/signals';
import { DocumentClientError } from '../../client/client-error.ts';
import { IndexedDbUnsentStore } from '../../client/replica/indexed-db-unsent-store.ts';
import { WordSession, type WordSessionOptions } from '../../client/word/word-session.ts';
import { notAllowed } from '../../model/log/change-author.ts';
import { ModelVersionError } from '../../model/log/kind-model.ts';
import { documentAuthOf } from '../frame/document-auth.ts';
import { type HostCodeName, nameOfClientError } from '../frame/error-codes.ts';
import { type FrameConfig, readRefreshedConfig } from '../frame/frame-config.ts';
import { guestId } from '../frame/guest.ts';
import type { HostBridge } from '../frame/host-bridge.ts';
import { describeCode, reportToHost } from '../frame/host-report.ts';
import { roleOf } from '../frame/role.ts';
import { routingIn } from '../frame/routing.ts';
import { serverAddress } from '../frame/server-address.ts';
import { dismissNotice, notify } from '../kit/notices.tsx';
import { t } from '../strings/strings.ts';
import { pageKeys } from '../word/commands/keyboard.ts';
import { features } from '../word/features.ts';
import { tellOfLoss } from '../word/lossy-format.ts';
import { noticeProtection } from '../word/protection/protection-notice.ts';
import { WordEditor } from '../word/word-editor.ts';
import { download } from './download.ts';
import { followHost } from './host/follow-host.ts';
import { withGuestName } from './host/guest-name.tsx';
import type { Failure } from './opening/failed-screen.tsx';
import type { OpeningStage } from './opening/opening-stage.ts';
import { type OpeningAnswers, type OpeningQuestion, questionIn } from './opening/question.ts';
import { fileIdentity } from './opening/session-options.ts';
import { followTitle } from './page-title.ts';
import { followSaving } from './saving/follow-saving.ts';
import { offerUnsent, tellOfRecovery } from './saving/recovered-text.tsx';
import { followForcedSaves } from './saving/save-now.ts';
import { sessionTopic, stopEditing } from './saving/stop-editing.ts';
import { followServerVersion, reloadPage } from './server-version.ts';
import { followWarnings } from './server-warnings.ts';

export type Screen =
  | { readonly kind: 'opening'; readonly stage: OpeningStage }
  | { readonly kind: 'question'; readonly question: OpeningQuestion }
  | { readonly kind: 'failed'; readonly failure: Failure }
  | { readonly kind: 'editor'; readonly editor: WordEditor };

const opening: Screen = { kind: 'opening', stage: { stage: 'opening' } };

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

/** The page of one document from its opening to its end, over as many sessions as that takes. */
export class WordPage {
  readonly screen: Signal<Screen> = signal(opening);
  readonly host: HostBridge;
  readonly #store = new IndexedDbUnsentStore();
  #config: FrameConfig;
  /** What is shown. */
  #editor: WordEditor | null = null;
  /** The last one made, whether or not it came to anything: it has what is unsent. */
  #session: WordSession | null = null;
  #opening: Promise<void> = Promise.resolve();
  #turn = 0;
  #shownAtMs = 0;
  /** The session was begun because the one before had ended, not because somebody wanted it. */
  #isByItself = false;
  /** The sentence with which the embedding page has taken the right to edit away. */
  #denial: string | null = null;
  /** What was typed and not sent in a session that another one was to follow. */
  #unsentText = '';
  #answers: OpeningAnswers = {};
  #stops: (() => void)[] = [];

  constructor(host: HostBridge, config: FrameConfig) {
    this.host = host;
    this.#config = config;
    host.on('refreshFile', (data) => {
      const surroundings = { query: new URLSearchParams(location.search), guestId };
      this.#config = withGuestName(readRefreshedConfig(data, surroundings));
      this.#denial = null;
      this.#answers = {};
      void this.open();
    });
    host.on('processRightsChange', ({ enabled, message }) => {
      this.#denial = enabled ? null : message || t('word.rightsRevoked');
      if (this.#editor && this.#denial !== null) stopEditing(this.#editor, this.#denial);
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
    this.#answers = answers;
    void this.open();
  }

  #begin(byItself: boolean): Promise<void> {
    this.#isByItself = byItself;
    const turn = ++this.#turn;
    this.#editor?.pause();
    this.#session?.client.abort();
    this.#opening = this.#opening.then(() => (turn === this.#turn ? this.#open() : undefined));
    return this.#opening;
  }

  async #open(): Promise<void> {
    const config = this.#config;
    const last = this.#session;
    if (!this.#editor) this.screen.value = opening;
    try {
      const editor = await WordEditor.open({
        config,
        host: this.host,
        serverUrl: serverAddress(location.href),
        features,
        session: this.#sessionOptions(config, last),
        makeSession: (options) => {
          this.#session = last ? last.reopen(options) : new WordSession(options);
          this.#follow(this.#session);
          return this.#session;
        },
      });
      this.#show(editor);
    } catch (error) {
      this.#fail(error);
    }
  }

  /** What may come before the document does. */
  #follow({ client }: WordSession): void {
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

  #show(editor: WordEditor): void {
    const isNext = this.#editor !== null;
    this.#leave();
    this.#editor = editor;
    this.#shownAtMs = Date.now();
    const { client } = editor.session;
    this.#stops = [
      followHost(editor),
      pageKeys(editor),
      followTitle(editor),
      noticeProtection(editor),
      followSaving(editor, isNext),
      followForcedSaves(editor),
      client.on('ended', ({ error }) => error && this.#ended(editor, error)),
    ];
    this.screen.value = { kind: 'editor', editor };
    dismissNotice(sessionTopic);
    void editor.mounted.then(() => {
      if (this.#editor !== editor) return;
      this.host.send('onDocumentReady');
      this.host.send('onInfo', { mode: editor.role.role === 'view' ? 'view' : 'edit' });
    });
    if (this.#denial !== null) stopEditing(editor, this.#denial);
    else if (client.status.readOnly && roleOf(editor.config).canEdit) this.#demoted(editor);
    else if (!client.status.readOnly && !isNext) tellOfLoss(editor.config);
    this.#unsentText = '';
  }

  #leave(): void {
    for (const stop of this.#stops) stop();
    this.#stops = [];
  }

  #fail(error: unknown): void {
    const code = nameOfClientError(error);
    // Given up for a later attempt.
    if (!code) return;
    const question = this.#editor ? null : questionIn(error, this.#answers);
    if (question) {
      this.screen.value = { kind: 'question', question };
      return;
    }
    // What this editor does not open may be shown; the embedding page sends the frame everything again.
    if (code === 'formatNotRecognised' && !this.#editor) {
      showAsPages();
      return;
    }
    const failure = this.#failureOf(error, code);
    reportToHost(this.host, isOfOtherVersion(error) ? 'openFailed' : code, failure.sentence);
    if (code === 'unknown' || code === 'editing') console.error(error);
    if (this.#editor) stopEditing(this.#editor, failure.sentence, failure.action);
    else this.screen.value = { kind: 'failed', failure };
  }

  #failureOf(error: unknown, code: HostCodeName): Failure {
    if (isOfOtherVersion(error)) {
      return { sentence: t('word.otherServer'), action: { label: t('word.reload'), run: reloadPage } };
    }
    const run = () => {
      this.#answers = {};
      this.#tryAgain(code);
    };
    return { sentence: describeCode(code), action: { label: t('common.retry'), run } };
  }

  /** With a new configuration, where the embedding page can give one and the old one is of no use. */
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
  #ended(editor: WordEditor, error: DocumentClientError): void {
    const code = nameOfClientError(error);
    if (!code) return;
    const again = { label: t('word.reload'), run: () => this.#tryAgain(code) };
    // Whoever was sent away comes in by a new configuration or not at all.
    const action = code !== 'dropped' || this.#canAskForNewConfig ? again : undefined;
    const isLoop = this.#isByItself && Date.now() - this.#shownAtMs < shortestSessionMs;
    if (error.code !== 'reload' || isLoop) {
      reportToHost(this.host, code);
      stopEditing(editor, describeCode(code), action);
      return;
    }
    editor.pause();
    this.#unsentText = editor.session.unsentText();
    notify({
      text: t('word.newerVersion'),
      kind: 'warning',
      topic: sessionTopic,
      stays: true,
      action: { label: t('word.reload'), run: () => void this.open() },
    });
    if (!this.#askForNewConfig()) void this.#begin(true);
  }

  /** The server lets this person only read: mostly because the key is of a version that has been stored since. */
  #demoted({ session }: WordEditor): void {
    const isOld = session.isOldVersion;
    const code = isOld ? 'versionUpdated' : 'forcedView';
    reportToHost(this.host, code);
    const action = { label: t('word.reload'), run: () => void this.open() };
    const text = isOld ? t('word.oldVersion') : describeCode(code);
    notify({ text, kind: 'warning', topic: sessionTopic, stays: true, action });
    if (!isOld || !this.#askForNewConfig()) offerUnsent(this.#unsentText);
  }

  #sessionOptions(
    config: FrameConfig,
    last: WordSession | null,
  ): Omit<WordSessionOptions, 'plugins' | 'onState'> {
    const { token, key } = config.document;
    const given = documentAuthOf(config);
    const auth = { ...given, openCmd: { ...given.openCmd, ...this.#answers } };
    const file = fileIdentity(config);
    const mode = roleOf(config).canEdit ? last?.mode : undefined;
    const nameOf = (id: string) =>
      this.#editor?.presence.people.peek().find((one) => one.id === id)?.name ?? '';
    return {
      url: serverAddress(location.href),
      query: routingIn(location.search),
      key,
      auth,
      store: this.#store,
      editingMode: mode ?? (auth.coEditingMode === 'strict' ? 'strict' : 'fast'),
      // Whoever types offline for a day is waited for as long.
      reconnect: { attempts: Number.POSITIVE_INFINITY },
      onRecovered: tellOfRecovery,
      onRefused: (reason, text) =>
        tellTakenBack(t(reason === notAllowed ? 'saving.notAllowed' : 'saving.takenBack'), text),
      onLockRefused: (_block, { user }, text) =>
        tellTakenBack(t('together.lockedBy', { name: nameOf(user) }), text),
      ...(token !== undefined && { token }),
      ...(file !== null && { file }),
    };
  }
}

/** Goes to the page for documents without an editor, which comes back here if it cannot show this one either. */
function showAsPages(): void {
  const address = new URL(`../viewer/index.html${location.search}`, location.href);
  address.searchParams.set('from', 'word');
  location.replace(address);
}

/** The server makes documents that this page cannot read, because it is older or newer. */
const isOfOtherVersion = (error: unknown): boolean =>
  error instanceof DocumentClientError && error.cause instanceof ModelVersionError;

/** What somebody typed in vain can still be copied from the notice. */
function tellTakenBack(reason: string, text: string): void {
  const topic = 'taken-back';
  if (text === '') notify({ text: reason, kind: 'info', topic });
  else notify({ text: `${reason}: “${text}”`, kind: 'warning', topic, stays: true });
}
