import type { Node } from 'prosemirror-model';
import type { WordSession } from '../../client/word/word-session.ts';
import { eventually } from './eventually.ts';

/** Where the paragraph that holds a text is, and its id. */
export function paragraphWith(doc: Node, text: string): { id: string; end: number; text: string } {
  let found: { id: string; end: number; text: string } | null = null;
  doc.descendants((node, position) => {
    if (found === null && node.type.name === 'paragraph' && node.textContent.includes(text)) {
      found = { id: String(node.attrs.id), end: position + node.nodeSize - 1, text: node.textContent };
    }
    return found === null;
  });
  if (!found) throw new Error(`no paragraph with “${text}”`);
  return found;
}

/** Types letter by letter at the end of the paragraph that holds `where`, giving way to others between letters. */
export async function typeAfter(session: WordSession, where: string, text: string): Promise<void> {
  for (const letter of text) {
    session.dispatch(session.state.tr.insertText(letter, paragraphWith(session.state.doc, where).end));
    await new Promise((resolve) => setTimeout(resolve, 3));
  }
}

/** Resolves when everything is stored and all see the same. */
export async function inStep(...sessions: readonly WordSession[]): Promise<void> {
  await Promise.all(
    sessions.filter(({ client }) => !client.status.readOnly).map((session) => session.saved()),
  );
  await eventually(
    () => sessions.map(({ state }) => state.doc.textContent),
    () => sessions.every(({ state }) => state.doc.eq(sessions[0]!.state.doc)),
  );
}
