import type { Node } from 'prosemirror-model';
import { type EditorState, NodeSelection, type Plugin, PluginKey } from 'prosemirror-state';
import type { EditorView } from 'prosemirror-view';
import type { WordDocumentJson } from '../../../../model/word/document.ts';
import { t } from '../../../strings/strings.ts';
import { formatNumber } from '../numbering/number-format.ts';
import { type SequenceState, sequenceDecorations } from '../sequence-decorations.ts';
import { type PartDrawing, partDom } from './part-dom.ts';

interface NoteReference {
  readonly kind: 'footnote' | 'endnote';
  /** Id of the note in the document's JSON. */
  readonly ref: string;
}

const key = new PluginKey<SequenceState<NoteReference>>('note-numbers');

/** The note that an opaque inline refers to, or null. */
export function noteReference(node: Node): NoteReference | null {
  if (node.type.name !== 'opaque_inline' || node.attrs.ref === null) return null;
  const { kind, ref } = node.attrs;
  if (kind === 'w:footnoteReference') return { kind: 'footnote', ref };
  return kind === 'w:endnoteReference' ? { kind: 'endnote', ref } : null;
}

/** Numbers of notes by the order of their references: 1, 2, 3 for footnotes, i, ii, iii for endnotes. */
export function noteNumbers(notes: readonly NoteReference[]): string[] {
  const counts = { footnote: 0, endnote: 0 };
  return notes.map(({ kind }) =>
    formatNumber(++counts[kind], kind === 'footnote' ? 'decimal' : 'lowerRoman'),
  );
}

/** Numbers the references to notes in the text. */
export function noteNumbering(): Plugin {
  return sequenceDecorations<NoteReference>({
    key,
    read: noteReference,
    descends: () => true,
    same: (one, other) => one.kind === other.kind && one.ref === other.ref,
    label: (all) => noteNumbers(all).map((number) => ({ 'data-number': number })),
  });
}

/** The references in the order of the document; the same list until one comes or goes. */
export function notesInOrder(state: EditorState): readonly NoteReference[] {
  return key.getState(state)?.values ?? [];
}

/** Where the reference with this index stands, or null. */
export function positionOfNote(state: EditorState, index: number): number | null {
  const places =
    key
      .getState(state)
      ?.decorations.find()
      .map(({ from }) => from) ?? [];
  return places.sort((one, other) => one - other)[index] ?? null;
}

type Notes = Pick<WordDocumentJson, 'footnotes' | 'endnotes'>;

const kinds = ['footnote', 'endnote'] as const;

/** The notes of the document at the end of the paper, in the order of their references, each with a way back. */
export class NotesList {
  readonly dom = document.createElement('div');
  readonly #notes: Notes;
  readonly #drawing: PartDrawing;
  readonly #view: EditorView;
  #shown: readonly NoteReference[] = [];

  constructor(view: EditorView, notes: Notes, drawing: PartDrawing) {
    this.#view = view;
    this.#notes = notes;
    this.#drawing = drawing;
    this.dom.className = 'notes';
    this.update();
  }

  update(): void {
    const references = notesInOrder(this.#view.state);
    if (references === this.#shown) return;
    this.#shown = references;
    const numbers = noteNumbers(references);
    this.dom.replaceChildren(
      ...kinds.flatMap((kind) => {
        const items = references.flatMap((reference, index) =>
          reference.kind === kind ? [this.#item(reference, index, numbers[index]!)] : [],
        );
        return items.length === 0 ? [] : [section(kind, items)];
      }),
    );
  }

  /** Goes to a note whose reference was used. */
  open(reference: NoteReference): void {
    const at = this.#shown.findIndex(({ kind, ref }) => kind === reference.kind && ref === reference.ref);
    const button = this.dom.querySelector<HTMLElement>(`[data-note="${at}"]`);
    button?.scrollIntoView({ block: 'center' });
    button?.focus();
  }

  #item({ kind, ref }: NoteReference, index: number, number: string): HTMLElement {
    const item = document.createElement('li');
    const back = document.createElement('button');
    back.type = 'button';
    back.className = 'note-back';
    back.textContent = number;
    back.title = t('view.backToText');
    back.setAttribute('aria-label', `${t('view.noteNumber', { number })}. ${t('view.backToText')}`);
    back.dataset.note = String(index);
    back.addEventListener('click', () => this.#goBack(index));
    const body = document.createElement('div');
    const notes = kind === 'footnote' ? this.#notes.footnotes : this.#notes.endnotes;
    const content = Object.hasOwn(notes, ref) ? partDom(notes[ref], this.#drawing) : null;
    if (content) body.append(content);
    item.append(back, body);
    return item;
  }

  #goBack(index: number): void {
    const pos = positionOfNote(this.#view.state, index);
    if (pos === null) return;
    const { state } = this.#view;
    this.#view.dispatch(state.tr.setSelection(NodeSelection.create(state.doc, pos)).scrollIntoView());
    this.#view.focus();
  }
}

function section(kind: NoteReference['kind'], items: HTMLElement[]): HTMLElement {
  const element = document.createElement('section');
  element.className = `notes-${kind}`;
  element.setAttribute('aria-label', t(kind === 'footnote' ? 'view.footnotes' : 'view.endnotes'));
  const list = document.createElement('ol');
  list.append(...items);
  element.append(list);
  return element;
}
