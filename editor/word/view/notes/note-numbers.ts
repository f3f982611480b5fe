import type { Node } from 'prosemirror-model';
import { type EditorState, type Plugin, PluginKey } from 'prosemirror-state';
import { formatNumber } from '../numbering/number-format.ts';
import { type SequenceState, sequenceDecorations } from '../sequence-decorations.ts';

export interface NoteReference {
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
