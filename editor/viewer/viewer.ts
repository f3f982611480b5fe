import { type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { DocumentClient } from '../../client/document-client.ts';
import type { FrameConfig } from '../frame/frame-config.ts';
import type { HostBridge } from '../frame/host-bridge.ts';
import type { Role } from '../frame/role.ts';
import { notify } from '../kit/notices.tsx';
import type { OpenDocument } from '../shell/document-editor.ts';
import { HostFacts } from '../shell/host/host-facts.ts';
import { followPeople } from '../shell/people/followed-people.ts';
import type { Person } from '../shell/people/people.ts';
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
export class Viewer implements OpenDocument {
  readonly config: FrameConfig;
  readonly host: HostBridge;
  readonly serverUrl: string;
  readonly client: DocumentClient;
  readonly facts: HostFacts;
  readonly title: Signal<string>;
  readonly role: Role;
  readonly people: ReadonlySignal<readonly Person[]>;
  /** Null until the pages are in the page. */
  readonly pages: Signal<PageView | null> = signal(null);
  readonly isFinding: Signal<boolean> = signal(false);
  /** Rises when somebody wants to find who finds already: the field is to have the focus. */
  readonly findAsked: Signal<number> = signal(0);
  readonly showsPeople: Signal<boolean> = signal(false);
  readonly showsAccess: Signal<boolean> = signal(false);
  /** Resolves when the first page is on the screen. */
  readonly shown: Promise<void>;
  readonly #library: PdfLibrary;
  readonly #pdf: PdfDocument;
  readonly #stopPeople: () => void;
  #isShown!: () => void;

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
    this.shown = new Promise((resolve) => {
      this.#isShown = resolve;
    });
  }

  /** Puts the pages into an element of the page. */
  mount(container: HTMLDivElement): void {
    const pages = new PageView(this.#library, this.#pdf, container, zoomOf(this.config));
    this.pages.value = pages;
    void pages.shown.then(this.#isShown);
  }

  unmount(): void {
    this.pages.peek()?.destroy();
    this.pages.value = null;
  }

  find(): void {
    this.isFinding.value = true;
    this.findAsked.value += 1;
  }

  /** Nothing is ever unsent. */
  async save(): Promise<void> {}

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
