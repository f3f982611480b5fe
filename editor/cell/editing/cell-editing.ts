import type { CellPosition } from '../grid/cell-areas.ts';
import type { Selection } from '../grid/selection.ts';
import type { Completion } from './completions.ts';
import { hasDecimalComma } from './local-formula.ts';
import { isFormula, referenceAt, takesReference, turnAbsolute, wordBefore } from './typed-tokens.ts';

/** What is being typed into a cell. */
export interface Editing {
  readonly sheet: string;
  readonly cell: CellPosition;
  readonly text: string;
  /** Selected part of the text. */
  readonly from: number;
  readonly to: number;
  /** `typing`: arrows end it and move on, as long as nobody has placed the cursor; `editing`: they move in the text. */
  readonly mode: 'typing' | 'editing';
  /** The entry of the column whose rest is selected behind what was typed; null while none is proposed. */
  readonly proposed: string | null;
  /** Which field has the cursor. */
  readonly place: 'cell' | 'bar';
  /** The reference that is being picked in the grid, by its place in the text and its cells on the sheet that is shown. */
  readonly picked: { readonly from: number; readonly to: number; readonly selection: Selection } | null;
}

export const beginTyping = (sheet: string, cell: CellPosition, text: string): Editing => ({
  sheet,
  cell,
  text,
  from: text.length,
  to: text.length,
  mode: 'typing',
  proposed: null,
  place: 'cell',
  picked: null,
});

export const beginEditing = (
  sheet: string,
  cell: CellPosition,
  text: string,
  place: Editing['place'] = 'cell',
): Editing => ({ ...beginTyping(sheet, cell, text), mode: 'editing', place });

/** The text is another one, by typing. */
export const typed = (editing: Editing, text: string, from: number, to = from): Editing => ({
  ...editing,
  text,
  from,
  to,
  proposed: null,
  picked: null,
});

/** An entry is proposed for what was typed: its rest is selected, so that typing on replaces it. */
export const proposing = (editing: Editing, entry: string): Editing => ({
  ...typed(editing, editing.text + entry.slice(editing.text.length), editing.text.length, entry.length),
  proposed: entry,
});

/** The cursor was placed by somebody: arrows move it from now on. */
export const placed = (editing: Editing, from: number, to: number): Editing => ({
  ...editing,
  from,
  to,
  proposed: null,
  picked: null,
  mode: 'editing',
});

/** Whether a press on a cell, or an arrow key, puts a reference to it into the text. */
export const picksReferences = ({ text, from, picked }: Editing): boolean =>
  isFormula(text) && (picked !== null || takesReference(text, from));

/** Puts a reference in at the cursor, in the place of the one that was being picked. */
export function pick(editing: Editing, reference: string, selection: Selection): Editing {
  const { from, to } = editing.picked ?? editing;
  const text = editing.text.slice(0, from) + reference + editing.text.slice(to);
  const end = from + reference.length;
  return { ...editing, text, from: end, to: end, picked: { from, to: end, selection } };
}

/** Has the next reference that is picked stand behind the one that was, as a further argument of people who write by `locale`. */
export function pickFurther(editing: Editing, locale: string): Editing {
  const { picked } = editing;
  const end = picked && { ...editing, from: picked.to, to: picked.to };
  return end ? withText(end, hasDecimalComma(locale) ? ';' : ',') : editing;
}

/** Puts a text in at the cursor, in the place of what is selected. */
export const withText = (editing: Editing, added: string): Editing =>
  typed(
    editing,
    `${editing.text.slice(0, editing.from)}${added}${editing.text.slice(editing.to)}`,
    editing.from + added.length,
  );

/** What F4 does: the reference at the cursor becomes absolute, or partly, or relative again. */
export function turnReference(editing: Editing): Editing {
  const reference = referenceAt(editing.text, editing.from);
  if (!reference) return editing;
  const turned = turnAbsolute(reference.text);
  const text = editing.text.slice(0, reference.from) + turned + editing.text.slice(reference.to);
  const end = reference.from + turned.length;
  return {
    ...editing,
    text,
    from: end,
    to: end,
    picked: editing.picked && { ...editing.picked, from: reference.from, to: end },
  };
}

/** Puts a completion in the place of the word before the cursor; behind a function stands a bracket. */
export function complete(editing: Editing, { from, text: name, isFunction }: Completion): Editing {
  const rest = editing.text.slice(editing.from);
  const bracket = !isFunction || rest.startsWith('(') ? '' : '(';
  const text = `${editing.text.slice(0, from)}${name}${bracket}${rest}`;
  const end = from + name.length + (isFunction ? 1 : 0);
  return { ...editing, text, from: end, to: end, picked: null };
}

/**
 * Puts a function in, with a bracket behind it: in the place of the beginning of its name, or at the cursor, added to what stands
 * before it. Anything but a formula becomes one of the function alone.
 */
export function withFunction(editing: Editing, name: string): Editing {
  const { text, from, to } = editing;
  const place = (start: string, rest: string) =>
    typed(editing, `${start}${name}(${rest}`, start.length + name.length + 1);
  if (!isFormula(text)) return place('=', '');
  const rest = text.slice(Math.max(1, to));
  const word = from === to ? wordBefore(text, from) : null;
  if (word && name.startsWith(word.word.toUpperCase()))
    return place(text.slice(0, word.from), rest.replace(/^\(/, ''));
  const start = text.slice(0, Math.max(1, from));
  return place(takesReference(start, start.length) ? start : `${start}+`, rest);
}
