import type { Node } from 'prosemirror-model';
import { TextSelection } from 'prosemirror-state';
import type { WordSession } from '../client/word/word-session.ts';

/** Where a paragraph with this text begins and ends, as positions in a document. */
export function paragraph(doc: Node, text: string): { id: string; start: number; end: number } {
  let found: { id: string; start: number; end: number } | null = null;
  doc.descendants((node, position) => {
    if (found || node.type.name !== 'paragraph' || !node.textContent.includes(text)) return found === null;
    found = { id: String(node.attrs.id), start: position + 1, end: position + node.nodeSize - 1 };
    return false;
  });
  if (!found) throw new Error(`no paragraph with “${text}”`);
  return found;
}

/** Types text as a person would, letter by letter, behind the words `after`. */
export async function type(
  session: WordSession,
  after: string,
  text: string,
  pauseMs: number,
): Promise<void> {
  const { tr } = session.state;
  session.dispatch(tr.setSelection(TextSelection.create(tr.doc, positionOf(tr.doc, after) + after.length)));
  for (const letter of text) {
    session.dispatch(session.state.tr.insertText(letter));
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}

/** Makes the words `text` bold. */
export function embolden(session: WordSession, text: string): void {
  const { doc, tr, schema } = session.state;
  const start = positionOf(doc, text);
  session.dispatch(tr.addMark(start, start + text.length, schema.marks.bold!.create()));
}

/** Where these words begin. */
function positionOf(doc: Node, words: string): number {
  const { start, end } = paragraph(doc, words);
  return start + doc.textBetween(start, end).indexOf(words);
}
