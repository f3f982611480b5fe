import { type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { Command, EditorState, Plugin, Transaction } from 'prosemirror-state';
import { EditorView } from 'prosemirror-view';
import type { DocumentClient } from '../../client/document-client.ts';
import { WordSession, type WordSessionOptions } from '../../client/word/word-session.ts';
import type { WordDocumentJson } from '../../model/word/document.ts';
import { type DocumentRights, documentRights } from '../../model/word/rights/document-rights.ts';
import type { FrameConfig } from '../frame/frame-config.ts';
import type { HostBridge } from '../frame/host-bridge.ts';
import { type Role, roleOf } from '../frame/role.ts';
import { requestClose } from '../shell/dialogs/leave-dialog.tsx';
import type { CoeditedDocument, SharedDialog, SharedPanel } from '../shell/document-editor.ts';
import { Comparison } from '../shell/history/comparison.ts';
import { VersionHistory } from '../shell/history/version-history.ts';
import type { VersionReader } from '../shell/history/version-reader.ts';
import { HostFacts } from '../shell/host/host-facts.ts';
import type { Person } from '../shell/people/people.ts';
import { Presence } from '../shell/people/presence.ts';
import { printDocument } from '../shell/print.ts';
import { DocumentProtection, types, underProtection } from './protection/document-protection.ts';
import { Review, type TransactionTransform } from './review/review.ts';
import { Styles } from './styles/styles.ts';

/** What a part of the editor adds to the ProseMirror state and view; node views come as props of a plugin. */
export type Feature = (editor: WordEditor) => readonly Plugin[];

export type PanelName = SharedPanel | 'changes' | 'outline';

/** Dialogs that menus and keys open. */
export type DialogName =
  | Extract<SharedDialog, 'find' | 'shortcuts' | 'rename'>
  | 'link'
  | 'picture'
  | 'pictureProperties'
  | 'table'
  | 'spacing'
  | 'wordCount'
  | 'cellShading';

/** What every dialog of this kind is drawn with. */
export interface WordDialogProps {
  editor: WordEditor;
  onClose: () => void;
}

export interface WordEditorOptions {
  config: FrameConfig;
  host: HostBridge;
  /** Address of the server, with any path prefix. */
  serverUrl: string;
  features: readonly Feature[];
  /** How versions of the document and other files are shown. */
  versions: (editor: WordEditor) => VersionReader<WordEditor>;
  session: Omit<WordSessionOptions, 'plugins' | 'onState'>;
  /** Makes the session; the one before, if there was one, gives what it has not sent to the next. */
  makeSession?: (options: WordSessionOptions) => WordSession;
}

/**
 * One open text document in a page: the session with the server, the view, and what the parts of the interface share.
 * Parts read `state`, act with `run`, and are told of everything else by signals of their own.
 */
export class WordEditor implements CoeditedDocument {
  readonly config: FrameConfig;
  readonly host: HostBridge;
  readonly serverUrl: string;
  readonly session: WordSession;
  /** The state as of the last frame drawn: parts of the interface that follow it are drawn once a frame. */
  readonly state: ReadonlySignal<EditorState>;
  /** The panel beside the document. */
  readonly panel: Signal<PanelName | null> = signal(null);
  readonly dialog: Signal<DialogName | SharedDialog | 'liftProtection' | null> = signal(null);
  readonly facts: HostFacts;
  /** Whether the row of buttons that format is there. */
  readonly toolbarShown: Signal<boolean>;
  readonly title: Signal<string>;
  /** 1 is the size on paper. */
  readonly zoom: Signal<number>;
  /** Asked in order about what this person does; not about changes of others. */
  readonly transforms: TransactionTransform[] = [];
  /** Resolves when the document is on the page. */
  readonly mounted: Promise<void>;
  /** The protection that the file has. */
  readonly protection: DocumentProtection;
  /** As the configuration has it; the document may leave less of it. */
  readonly #role: Signal<Role>;
  readonly #versions: VersionReader<WordEditor>;
  readonly #state: Signal<EditorState>;
  #view: EditorView | null = null;
  #document: WordDocumentJson | null = null;
  #styles: Styles | null = null;
  #rights: DocumentRights | null = null;
  #presence: Presence | null = null;
  #history: VersionHistory<WordEditor> | null = null;
  #comparison: Comparison<WordEditor> | null = null;
  #review: Review | null = null;
  #frame = 0;
  #isMounted!: () => void;
  #paused = false;

  private constructor(options: WordEditorOptions) {
    const { features, versions, session, config, host, serverUrl } = options;
    const { makeSession = (given) => new WordSession(given) } = options;
    this.config = config;
    this.host = host;
    this.serverUrl = serverUrl;
    this.facts = HostFacts.of(config);
    this.title = this.facts.title;
    this.toolbarShown = signal(!config.editorConfig.customization.compactToolbar);
    this.zoom = signal(1);
    this.#role = signal(roleOf(config));
    this.#versions = versions(this);
    this.protection = new DocumentProtection(this);
    this.mounted = new Promise((resolve) => {
      this.#isMounted = resolve;
    });
    this.session = makeSession({
      ...session,
      plugins: (document) => {
        // Features read the document; the session itself has it only when they are made.
        this.#document = document;
        return features.flatMap((feature) => feature(this));
      },
      beforeRemote: () => this.readCaret(),
      onState: (state) => this.#show(state),
    });
    this.#state = signal(undefined as never);
    this.state = this.#state;
  }

  /** Connects and downloads the document. @throws what {@link WordSession.open} throws */
  static async open(options: WordEditorOptions): Promise<WordEditor> {
    const editor = new WordEditor(options);
    await editor.session.open();
    editor.#state.value = editor.session.state;
    editor.#presence = new Presence(editor.client, editor.panel);
    if (editor.session.client.status.readOnly && editor.role.canEdit) editor.denyEditing();
    return editor;
  }

  /** What came with the document besides its text: styles, lists, sections, notes. */
  get document(): WordDocumentJson {
    return this.#document ?? this.session.document;
  }

  get styles(): Styles {
    this.#styles ??= new Styles(this.document);
    return this.#styles;
  }

  /** What this person may do now; components that read it are drawn again when it changes. */
  get role(): Role {
    return underProtection(this.#role.value, this.protection.kind.value);
  }

  /** Whether this person may lift the protection of the document. */
  get mayProtect(): boolean {
    return this.#role.value.canProtect && this.#role.value.canEdit;
  }

  /** What the file itself says of who may change what. */
  get rights(): DocumentRights {
    this.#rights ??= documentRights(this.document);
    return this.#rights;
  }

  /** Takes the right to change the document away, for as long as this page lives. */
  denyEditing(): void {
    const readOnly = { canEdit: false, canReview: false, canComment: false, canFillForms: false };
    this.#role.value = { ...this.#role.value, ...readOnly, role: 'view' };
    this.#view?.setProps({});
  }

  /** Takes no more changes: the next session takes over what is unsent here, and then takes the place of this one. */
  pause(): void {
    this.#paused = true;
    this.#view?.setProps({});
  }

  get client(): DocumentClient {
    return this.session.client;
  }

  get people(): ReadonlySignal<readonly Person[]> {
    return this.presence.people;
  }

  print(): void {
    void printDocument(this, () => window.print());
  }

  /** Asks the embedding page to close the document; before that the person, if something cannot be sent. */
  requestClose(): void {
    void requestClose(this);
  }

  get presence(): Presence {
    return this.#presence!;
  }

  /** Made when first asked for, which is when this is the document of the page. */
  get history(): VersionHistory<WordEditor> {
    this.#history ??= new VersionHistory(this, this.#versions);
    return this.#history;
  }

  /** Made when first asked for, as the history is. */
  get comparison(): Comparison<WordEditor> {
    this.#comparison ??= new Comparison(this, this.#versions);
    return this.#comparison;
  }

  /** Tracked changes and comments; there is a document when it is first asked for. */
  get review(): Review {
    this.#review ??= new Review(this);
    return this.#review;
  }

  /** Null until the view is on the page. */
  get view(): EditorView | null {
    return this.#view;
  }

  /** The address of a picture of the document, by its path in the model; null while it is not known. */
  mediaUrl(path: string): string | null {
    return this.session.mediaUrl(path);
  }

  /** Puts the document into an element of the page. */
  mount(place: HTMLElement): void {
    this.#view = new EditorView(place, {
      state: this.session.state,
      editable: () => types(this.role) && !this.#paused,
      dispatchTransaction: (transaction) => this.dispatch(transaction),
    });
    this.#isMounted();
  }

  dispatch(transaction: Transaction): void {
    if (this.#paused && transaction.docChanged) return;
    let transformed: Transaction | null = transaction;
    for (const transform of this.transforms) transformed = transformed && transform(transformed);
    if (transformed) this.session.dispatch(transformed);
  }

  /**
   * The browser tells of a caret that was moved later than it moves it. To be called before anything but this person's own
   * doing changes what is shown: drawing that puts the caret where it was last heard of.
   */
  readCaret(): void {
    // Not in the published types of prosemirror-view: what its listener to `selectionchange` calls.
    (this.#view as { domObserver?: { flush(): void } } | null)?.domObserver?.flush();
  }

  /** Runs a command and gives the focus back to the text. True if it did something. */
  run(command: Command): boolean {
    const dispatch = (transaction: Transaction) => this.dispatch(transaction);
    const done = command(this.session.state, dispatch, this.#view ?? undefined);
    this.#view?.focus();
    return done;
  }

  /** Whether a command could do something now; reads `state`, so what is drawn with it follows the document. */
  can(command: Command): boolean {
    return command(this.state.value);
  }

  focus(): void {
    this.#view?.focus();
  }

  togglePanel(name: PanelName): void {
    this.panel.value = this.panel.value === name ? null : name;
  }

  /** Takes it off the page. The session is for the next one, which takes over what is unsent. */
  close(): void {
    cancelAnimationFrame(this.#frame);
    this.#presence?.stop();
    this.#history?.stop();
    this.#comparison?.stop();
    this.#view?.destroy();
    this.#view = null;
  }

  #show(state: EditorState): void {
    this.protection.follow(state);
    this.#view?.updateState(state);
    if (this.#frame !== 0) return;
    this.#frame = requestAnimationFrame(() => {
      this.#frame = 0;
      this.#state.value = this.session.state;
    });
  }
}
