import type { CellEditor } from '../cell-editor.ts';
import { type CellPosition, rangeOf } from '../grid/cell-areas.ts';
import { linkAt, linkOperations } from './links.ts';

const web = /^(?:https?|ftp):\/\/[^\s/?#]+\S*$/i;
const webName = /^www\.[^\s./?#]+\.\S*[^\s.]$/i;
const mail = /^[^\s@,;:<>()"']+@[^\s@,;:/]+\.[^\s@,;:/.]+$/;

/** The address that a typed text is, as a link has it; null for any other text. */
export function typedAddress(text: string): string | null {
  if (web.test(text) || /^mailto:\S+@\S+$/i.test(text)) return text;
  if (webName.test(text)) return `https://${text}`;
  return mail.test(text) ? `mailto:${text}` : null;
}

/** Makes a link of an address that was typed into a cell of the sheet that is shown; undo takes the link away before the text. */
export function linkTyped(editor: CellEditor, cell: CellPosition, text: string): void {
  const address = typedAddress(text);
  // A protected sheet may let in the text alone.
  if (address !== null && !linkAt(editor, cell))
    editor.makes(...linkOperations(editor, rangeOf(cell), address));
}
