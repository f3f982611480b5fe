import { type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { DocumentClient } from '../../../client/document-client.ts';
import type { FrameConfig } from '../../frame/frame-config.ts';
import type { HostBridge } from '../../frame/host-bridge.ts';
import { type Role, roleOf } from '../../frame/role.ts';
import { requestClose } from '../dialogs/leave-dialog.tsx';
import type { CoeditedDocument, CopyWish, EditingSession } from '../document-editor.ts';
import { Comparison } from '../history/comparison.ts';
import { VersionHistory } from '../history/version-history.ts';
import type { VersionReader } from '../history/version-reader.ts';
import { HostFacts } from '../host/host-facts.ts';
import type { Person } from '../people/people.ts';
import { Presence } from '../people/presence.ts';
import { printDocument } from '../print.ts';

export interface CoeditedEditorOptions<Self extends CoeditedDocument> {
  readonly config: FrameConfig;
  readonly host: HostBridge;
  /** Address of the server, with any path prefix. */
  readonly serverUrl: string;
  /** How versions of the document and other files are shown. */
  readonly versions: (editor: Self) => VersionReader<Self>;
}

/**
 * One open document that people edit together, on its page: what is the same for every kind. A kind derives from it, makes the
 * session, and calls {@link begin} when it is open and {@link tellMounted} when the document is on the page.
 *
 * `Self` is the class of the kind; `Panel` and `Dialog` are the names of what it opens beside and over the document.
 */
export abstract class CoeditedEditor<
  Self extends CoeditedDocument,
  Panel extends string = string,
  Dialog extends string = string,
> implements CoeditedDocument
{
  abstract readonly session: EditingSession;
  readonly config: FrameConfig;
  readonly host: HostBridge;
  readonly serverUrl: string;
  readonly facts: HostFacts;
  readonly title: Signal<string>;
  readonly panel: Signal<Panel | null> = signal(null);
  readonly dialog: Signal<Dialog | null> = signal(null);
  readonly toolbarShown: Signal<boolean>;
  readonly zoom: Signal<number>;
  readonly mounted: Promise<void>;
  /** As the configuration has it, or less; the kind and the document may leave less of it. */
  readonly #granted: Signal<Role>;
  readonly #versions: VersionReader<Self>;
  #presence: Presence | null = null;
  #history: VersionHistory<Self> | null = null;
  #comparison: Comparison<Self> | null = null;
  #paused = false;
  #isMounted!: () => void;

  /** @param zoom at which the document is shown first */
  protected constructor({ config, host, serverUrl, versions }: CoeditedEditorOptions<Self>, zoom = 1) {
    this.config = config;
    this.host = host;
    this.serverUrl = serverUrl;
    this.facts = HostFacts.of(config);
    this.title = this.facts.title;
    this.toolbarShown = signal(!config.editorConfig.customization.compactToolbar);
    this.zoom = signal(zoom);
    this.#granted = signal(roleOf(config));
    this.#versions = versions(this.#self);
    this.mounted = new Promise((resolve) => {
      this.#isMounted = resolve;
    });
  }

  abstract focus(): void;

  /** What this person may do now; components that read it are drawn again when it changes. */
  get role(): Role {
    return this.#granted.value;
  }

  get client(): DocumentClient {
    return this.session.client;
  }

  get presence(): Presence {
    return this.#presence!;
  }

  get people(): ReadonlySignal<readonly Person[]> {
    return this.presence.people;
  }

  /** Made when first asked for, which is when this is the document of the page. */
  get history(): VersionHistory<Self> {
    this.#history ??= new VersionHistory(this.#self, this.#versions);
    return this.#history;
  }

  /** Made when first asked for, as the history is. */
  get comparison(): Comparison<Self> {
    this.#comparison ??= new Comparison(this.#self, this.#versions);
    return this.#comparison;
  }

  print(wish?: CopyWish): void {
    void printDocument(this, () => window.print(), wish);
  }

  /** Asks the embedding page to close the document; before that the person, if something cannot be sent. */
  requestClose(): void {
    void requestClose(this);
  }

  /** Takes the right to change the document away, for as long as this page lives. */
  denyEditing(): void {
    const readOnly = { canEdit: false, canReview: false, canComment: false, canFillForms: false };
    this.#granted.value = { ...this.#granted.value, ...readOnly, role: 'view' };
  }

  /** Takes no more changes: the next session takes over what is unsent here, and then takes the place of this one. */
  pause(): void {
    this.#paused = true;
  }

  /** Takes it off the page. The session is for the next one, which takes over what is unsent. */
  close(): void {
    this.#presence?.stop();
    this.#history?.stop();
    this.#comparison?.stop();
  }

  protected get isPaused(): boolean {
    return this.#paused;
  }

  /** Whether its session is open. */
  protected get hasBegun(): boolean {
    return this.#presence !== null;
  }

  /** The session is open. */
  protected begin(): void {
    this.#presence = new Presence(this.client, this.panel);
    if (this.client.status.readOnly && this.role.canEdit) this.denyEditing();
  }

  /** The document is on the page. */
  protected tellMounted(): void {
    this.#isMounted();
  }

  /** The kind names its own class as `Self`. */
  get #self(): Self {
    return this as unknown as Self;
  }
}
