import { type Signal, signal } from '@preact/signals';
import { DocumentClient } from '../../client/document-client.ts';
import { documentFile } from '../../client/protocol/open-command.ts';
import { documentAuthOf } from '../frame/document-auth.ts';
import { type HostCodeName, nameOfClientError } from '../frame/error-codes.ts';
import { type FrameConfig, readRefreshedConfig } from '../frame/frame-config.ts';
import { guestId } from '../frame/guest.ts';
import type { HostBridge } from '../frame/host-bridge.ts';
import { describeCode, reportToHost } from '../frame/host-report.ts';
import { routingIn } from '../frame/routing.ts';
import { serverAddress } from '../frame/server-address.ts';
import { dismissNotice, notify } from '../kit/notices.tsx';
import { download } from '../shell/download.ts';
import { withGuestName } from '../shell/host/guest-name.tsx';
import type { Failure } from '../shell/opening/failed-screen.tsx';
import type { OpeningStage } from '../shell/opening/opening-stage.ts';
import { type OpeningAnswers, type OpeningQuestion, questionIn } from '../shell/opening/question.ts';
import { followTitle } from '../shell/page-title.ts';
import { followServerVersion } from '../shell/server-version.ts';
import { followWarnings } from '../shell/server-warnings.ts';
import { t } from '../strings/strings.ts';
import { followHost } from './follow-host.ts';
import { pageKeys } from './keyboard.ts';
import {
  loadPdf,
  loadPdfLibrary,
  type PdfDocument,
  type PdfLibrary,
  type PdfLoading,
} from './pdf/pdf-library.ts';
import { Viewer } from './viewer.ts';

export type Screen =
  | { readonly kind: 'opening'; readonly stage: OpeningStage }
  | { readonly kind: 'question'; readonly question: OpeningQuestion }
  | { readonly kind: 'failed'; readonly failure: Failure }
  | { readonly kind: 'viewer'; readonly viewer: Viewer };

const opening: Screen = { kind: 'opening', stage: { stage: 'opening' } };
const sessionTopic = 'session';
/** A session that is to be replaced by another so soon after its beginning would be so again and again. */
const shortestSessionMs = 5_000;

/** The page of one document that is looked at, over as many sessions as that takes. */
export class ViewerPage {
  readonly screen: Signal<Screen> = signal(opening);
  readonly host: HostBridge;
  #config: FrameConfig;
  #viewer: Viewer | null = null;
  #client: DocumentClient | null = null;
  #loading: PdfLoading | null = null;
  #answers: OpeningAnswers = {};
  /** Takes the password of a PDF that the browser itself opens. */
  #unlock: ((password: string) => void) | null = null;
  #shownAtMs = 0;
  #turn = 0;
  #stops: (() => void)[] = [];

  constructor(host: HostBridge, config: FrameConfig) {
    this.host = host;
    this.#config = config;
    host.on('refreshFile', (data) => {
      const surroundings = { query: new URLSearchParams(location.search), guestId };
      this.#config = withGuestName(readRefreshedConfig(data, surroundings));
      this.#answers = {};
      void this.open();
    });
    // Before there is a document as well.
    host.on('requestClose', () => host.send('onRequestClose'));
  }

  get config(): FrameConfig {
    return this.#config;
  }

  /** Opens the document, or opens it anew. The last call counts. */
  async open(): Promise<void> {
    const turn = ++this.#turn;
    this.#leave();
    this.screen.value = opening;
    try {
      const viewer = await this.#open();
      if (turn === this.#turn) this.#show(viewer);
      else viewer.close();
    } catch (error) {
      if (turn === this.#turn) this.#fail(error);
    }
  }

  /** Opens the document with what the file did not say itself. */
  answer(answers: OpeningAnswers): void {
    if (this.#unlock && answers.password !== undefined) {
      this.screen.value = opening;
      this.#unlock(answers.password);
      return;
    }
    this.#answers = answers;
    void this.open();
  }

  async #open(): Promise<Viewer> {
    const config = this.#config;
    const library = loadPdfLibrary();
    // Whether it can be loaded is seen when it is needed.
    library.catch(() => undefined);
    const client = new DocumentClient(this.#clientOptions(config));
    this.#client = client;
    this.#follow(client);
    const opened = await client.open();
    const url = opened?.urls[documentFile];
    if (url === undefined) throw new Error('the server gave no file');
    const pdf = await this.#load(await library, url);
    const serverUrl = serverAddress(location.href);
    return new Viewer({ config, host: this.host, serverUrl, client, library: await library, pdf });
  }

  #clientOptions(config: FrameConfig) {
    const { token, key } = config.document;
    const given = documentAuthOf(config);
    const openCmd = { ...given.openCmd, ...this.#answers, model: 'pages' };
    return {
      url: serverAddress(location.href),
      query: routingIn(location.search),
      key,
      auth: { ...given, mode: 'view', coEditingMode: 'strict', openCmd },
      reconnect: { attempts: Number.POSITIVE_INFINITY },
      ...(token !== undefined && { token }),
    };
  }

  async #load(library: PdfLibrary, url: string): Promise<PdfDocument> {
    const loading = loadPdf(library, url);
    this.#loading = loading;
    const { INCORRECT_PASSWORD } = library.core.PasswordResponses;
    loading.onPassword = (unlock: (password: string) => void, reason: number) => {
      this.#unlock = unlock;
      const question = { kind: 'password', isWrong: reason === INCORRECT_PASSWORD } as const;
      this.screen.value = { kind: 'question', question };
    };
    try {
      return await loading.promise;
    } finally {
      this.#unlock = null;
    }
  }

  /** What may come before the document does. */
  #follow(client: DocumentClient): void {
    followServerVersion(client);
    followWarnings(client, this.host, () => {
      const viewer = this.#viewer;
      return viewer?.role.canDownload ? () => void download(viewer) : null;
    });
    const show = (stage: OpeningStage) => {
      if (this.screen.peek().kind === 'opening') this.screen.value = { kind: 'opening', stage };
    };
    client.on('lost', () => show({ stage: 'lost' }));
    client.on('opening', show);
  }

  #show(viewer: Viewer): void {
    this.#viewer = viewer;
    this.#shownAtMs = Date.now();
    this.#stops = [
      followHost(viewer),
      followTitle(viewer),
      pageKeys(viewer),
      viewer.client.on('ended', ({ error }) => error && this.#ended(nameOfClientError(error), error.code)),
    ];
    dismissNotice(sessionTopic);
    this.screen.value = { kind: 'viewer', viewer };
    void viewer.shown.then(() => {
      if (this.#viewer !== viewer) return;
      this.host.send('onDocumentReady');
      this.host.send('onInfo', { mode: 'view' });
    });
  }

  #leave(): void {
    for (const stop of this.#stops) stop();
    this.#stops = [];
    void this.#loading?.destroy();
    this.#loading = null;
    this.#unlock = null;
    this.#viewer?.close();
    this.#viewer = null;
    this.#client?.abort();
    this.#client = null;
  }

  #fail(error: unknown): void {
    const code = codeOf(error);
    // Given up for a later attempt.
    if (!code) return;
    const question = questionIn(error, this.#answers);
    if (question) {
      this.screen.value = { kind: 'question', question };
      return;
    }
    if (code === 'unknown' || code === 'editing') console.error(error);
    const sentence = describeCode(code);
    reportToHost(this.host, code, sentence);
    const run = () => {
      this.#answers = {};
      if (!toEditor()) void this.open();
    };
    this.screen.value = { kind: 'failed', failure: { sentence, action: { label: t('common.retry'), run } } };
  }

  /** What was opened can be read on; of a document that was changed elsewhere the new one is shown. */
  #ended(code: HostCodeName | null, reason: string): void {
    if (!code) return;
    const isLoop = Date.now() - this.#shownAtMs < shortestSessionMs;
    const isNewer = reason === 'reload' && !isLoop;
    if (!isNewer) reportToHost(this.host, code);
    notify({
      text: isNewer ? t('word.newerVersion') : describeCode(code),
      ...{ kind: 'warning', topic: sessionTopic, stays: true },
      action: { label: t('word.reload'), run: () => this.#askForNewConfig() || void this.open() },
    });
    if (isNewer && !this.#askForNewConfig()) void this.open();
  }

  /** False if the embedding page could not answer. */
  #askForNewConfig(): boolean {
    const { canRequestRefreshFile, canUpdateVersion } = this.#config.editorConfig;
    if (canRequestRefreshFile) this.host.send('onRequestRefreshFile');
    else if (canUpdateVersion) this.host.send('onOutdatedVersion');
    return canRequestRefreshFile || canUpdateVersion;
  }
}

/** Errors of PDF.js have names and no classes of their own that a page sees before it is loaded. */
function codeOf(error: unknown): HostCodeName | null {
  switch ((error as { name?: unknown } | null)?.name) {
    case 'InvalidPDFException':
    case 'FormatError':
      return 'openFailed';
    case 'ResponseException':
      return 'downloadFailed';
    case 'PasswordException':
      return 'passwordNeeded';
    default:
      return nameOfClientError(error);
  }
}

/** Goes back to the editor that could not open the document: there may be another file at its address by now. */
function toEditor(): boolean {
  const { searchParams } = new URL(location.href);
  if (searchParams.get('from') !== 'word') return false;
  searchParams.delete('from');
  location.replace(new URL(`../word/index.html?${searchParams}`, location.href));
  return true;
}
