import type { EditorState } from 'prosemirror-state';
import type { WordSession } from '../word/word-session.ts';

type Shown = { readonly state: EditorState };

/** The position behind the last letter of a block at the top of the document. */
export function endOf({ state: { doc } }: Shown, block: number): number {
  let position = 0;
  for (let at = 0; at < block; at++) position += doc.child(at).nodeSize;
  return position + doc.child(block).nodeSize - 1;
}

/** Types letter by letter at the end of a block. */
export function type(session: WordSession, block: number, text: string): void {
  for (const letter of text) session.dispatch(session.state.tr.insertText(letter, endOf(session, block)));
}

/** The text of each block at the top of the document. */
export function texts({ state: { doc } }: Shown): string[] {
  return doc.children.map(({ textContent }) => textContent);
}

/** The id of each block at the top of the document. */
export function ids({ state: { doc } }: Shown): unknown[] {
  return doc.children.map(({ attrs }) => attrs.id);
}
