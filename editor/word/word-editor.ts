import { type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { Command, EditorState, Plugin, Transaction } from 'prosemirror-state';
import { EditorView } from 'prosemirror-view';
import { WordSession, type WordSessionOptions } from '../../client/word/word-session.ts';
import type { WordDocumentJson } from '../../model/word/document.ts';
import { type DocumentRights, documentRights } from '../../model/word/rights/document-rights.ts';
import type { Role } from '../frame/role.ts';
import { CoeditedEditor, type CoeditedEditorOptions } from '../shell/coedited/coedited-editor.ts';
import type { SharedDialog, SharedPanel } from '../shell/document-editor.ts';
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

export interface WordEditorOptions extends CoeditedEditorOptions<WordEditor> {
  features: readonly Feature[];
  session: Omit<WordSessionOptions, 'plugins' | 'onState'>;
  /** Makes the session; the one before, if there was one, gives what it has not sent to the next. */
  makeSession?: (options: WordSessionOptions) => WordSession;
}

/**
 * One open text document in a page: the session with the server, the view, and what the parts of the interface share.
 * Parts read `state`, act with `run`, and are told of everything else by signals of their own.
 */
export class WordEditor extends CoeditedEditor<
  WordEditor,
  PanelName,
  DialogName | SharedDialog | 'liftProtection'
> {
  readonly session: WordSession;
  /** The state as of the last frame drawn: parts of the interface that follow it are drawn once a frame. */
  readonly state: ReadonlySignal<EditorState>;
  /** Asked in order about what this person does; not about changes of others. */
  readonly transforms: TransactionTransform[] = [];
  /** The protection that the file has. */
  readonly protection: DocumentProtection;
  readonly #state: Signal<EditorState>;
  #view: EditorView | null = null;
  #document: WordDocumentJson | null = null;
  #styles: Styles | null = null;
  #rights: DocumentRights | null = null;
  #review: Review | null = null;
  #frame = 0;

  private constructor(options: WordEditorOptions) {
    super(options);
    const { features, session, makeSession = (given) => new WordSession(given) } = options;
    this.protection = new DocumentProtection(this);
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
    editor.begin();
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

  override get role(): Role {
    return underProtection(super.role, this.protection.kind.value);
  }

  /** Whether this person may lift the protection of the document. */
  get mayProtect(): boolean {
    const { canProtect, canEdit } = super.role;
    return canProtect && canEdit;
  }

  /** What the file itself says of who may change what. */
  get rights(): DocumentRights {
    this.#rights ??= documentRights(this.document);
    return this.#rights;
  }

  override denyEditing(): void {
    super.denyEditing();
    this.#view?.setProps({});
  }

  override pause(): void {
    super.pause();
    this.#view?.setProps({});
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
      editable: () => types(this.role) && !this.isPaused,
      dispatchTransaction: (transaction) => this.dispatch(transaction),
    });
    this.tellMounted();
  }

  dispatch(transaction: Transaction): void {
    if (this.isPaused && transaction.docChanged) return;
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

  override close(): void {
    cancelAnimationFrame(this.#frame);
    super.close();
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
