import { type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { DocumentClient } from '../../client/document-client.ts';
import type { FrameConfig } from '../frame/frame-config.ts';
import type { HostBridge } from '../frame/host-bridge.ts';
import type { Role } from '../frame/role.ts';
import { notify } from '../kit/notices.tsx';
import { type DocumentEditor, openDialog } from '../shell/document-editor.ts';
import { HostFacts } from '../shell/host/host-facts.ts';
import { followPeople, type Person } from '../shell/people/people.ts';
import { printDocument } from '../shell/print.ts';
import { t } from '../strings/strings.ts';
import { PageView, type Zoom } from './pdf/page-view.ts';
import type { PdfDocument, PdfLibrary } from './pdf/pdf-library.ts';
import { readerRole } from './reader-role.ts';

export interface ViewerOptions {
  config: FrameConfig;
  host: HostBridge;
  serverUrl: string;
  /** Its session has begun. */
  client: DocumentClient;
  library: PdfLibrary;
  pdf: PdfDocument;
}

/** One document that is looked at: the session with the server, the pages, and what the parts of the interface share. */
export class Viewer implements DocumentEditor {
  readonly config: FrameConfig;
  readonly host: HostBridge;
  readonly serverUrl: string;
  readonly client: DocumentClient;
  /** Nothing is ever unsent. */
  readonly session = null;
  readonly facts: HostFacts;
  readonly title: Signal<string>;
  readonly role: Role;
  readonly people: ReadonlySignal<readonly Person[]>;
  /** Null until the pages are in the page. */
  readonly pages: Signal<PageView | null> = signal(null);
  /** Rises when somebody wants to find who finds already: the field is to have the focus. */
  readonly findAsked: Signal<number> = signal(0);
  readonly panel: Signal<string | null> = signal(null);
  readonly dialog: Signal<string | null> = signal(null);
  /** Resolves when the first page is on the screen. */
  readonly mounted: Promise<void>;
  readonly #library: PdfLibrary;
  readonly #pdf: PdfDocument;
  readonly #stopPeople: () => void;
  #isMounted!: () => void;

  constructor({ config, host, serverUrl, client, library, pdf }: ViewerOptions) {
    this.config = config;
    this.host = host;
    this.serverUrl = serverUrl;
    this.client = client;
    this.facts = HostFacts.of(config);
    this.title = this.facts.title;
    this.role = readerRole(config);
    this.#library = library;
    this.#pdf = pdf;
    const { people, stop } = followPeople(client);
    this.people = people;
    this.#stopPeople = stop;
    this.mounted = new Promise((resolve) => {
      this.#isMounted = resolve;
    });
  }

  /** Puts the pages into an element of the page. */
  mount(container: HTMLDivElement): void {
    const pages = new PageView(this.#library, this.#pdf, container, zoomOf(this.config));
    this.pages.value = pages;
    void pages.shown.then(this.#isMounted);
  }

  unmount(): void {
    this.pages.peek()?.destroy();
    this.pages.value = null;
  }

  find(): void {
    openDialog(this, 'find');
    this.findAsked.value += 1;
  }

  focus(): void {
    this.pages.peek()?.focus();
  }

  print(): void {
    if (this.role.canPrint) void printDocument(this, null);
    else notify({ text: t('viewer.noPrint'), kind: 'info' });
  }

  requestClose(): void {
    this.host.send('onRequestClose');
  }

  /** Ends the session, too. */
  close(): void {
    this.#stopPeople();
    this.client.abort();
    void this.#pdf.loadingTask.destroy();
  }
}

const percent = 100;

/** `customization.zoom`: -1 fits the page into the window, -2 its width. */
function zoomOf({ editorConfig, type }: FrameConfig): Zoom {
  const { zoom } = editorConfig.customization;
  if (zoom === -1) return 'page-fit';
  const isNarrow = type !== 'desktop' || window.innerWidth < 800;
  return zoom === -2 || (zoom === percent && isNarrow) ? 'page-width' : zoom / percent;
}
