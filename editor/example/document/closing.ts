import { go, type Route } from '../shell/route.tsx';
import type { DocEditor } from './docs-api.ts';

/** Editors that show a document, with whether they agreed to be closed. */
const open = new Map<DocEditor, { agreed: boolean }>();
/** Where to go when all have agreed. */
let target: Route | null = null;

/** An editor shows its document: from now on it is asked before the page is left. */
export function opened(editor: DocEditor): void {
  open.set(editor, { agreed: false });
}

/** An editor is gone. */
export function closed(editor: DocEditor): void {
  open.delete(editor);
  if (open.size === 0) target = null;
}

/**
 * Leaves the document for something else. The editors are asked first: one with work that has not been sent asks the
 * person, who may want to stay.
 */
export function leave(next: Route): void {
  target = next;
  for (const state of open.values()) state.agreed = false;
  if (open.size === 0) go(next);
  else for (const editor of open.keys()) editor.requestClose();
}

/** An editor agrees to be closed, or its person wants to: with the others' consent the page is left. */
export function agreed(editor: DocEditor): void {
  const state = open.get(editor);
  if (!state) return;
  state.agreed = true;
  const others = [...open].filter(([, { agreed: done }]) => !done).map(([other]) => other);
  if (others.length === 0) go(target ?? { page: 'list' });
  else if (target === null) {
    target = { page: 'list' };
    for (const other of others) other.requestClose();
  }
}
