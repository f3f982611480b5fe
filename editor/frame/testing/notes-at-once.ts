import { FieldNotes } from '../field-notes.ts';
import type { LaterNotes } from '../later-notes.ts';

/** Notes of a frame that wait for no download; `say` hears them. */
export function notesAtOnce(
  say: (note: string) => void = () => undefined,
  link = '',
): Pick<LaterNotes, 'add'> {
  const notes = new FieldNotes(link, say);
  return { add: (note) => note(notes) };
}
