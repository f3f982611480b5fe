import { base, keyName } from 'w3c-keyname';
import type { StringKey } from '../strings/strings.ts';
import { type CoeditedDocument, openDialog } from './document-editor.ts';
import { saveNow } from './saving/save-now.ts';

/** Something a person can do, wherever it is offered: toolbar, menu, keyboard. A kind adds how it is done. */
export interface Action {
  readonly label: StringKey;
  /** Keys as {@link keyHandler} takes them; the first are shown. */
  readonly keys?: readonly string[];
  /** Needs the right to edit; the others are for everybody. */
  readonly edits: boolean;
}

/** What keys do, by their names: `Mod` is Ctrl, on a Mac Command. False lets the browser do what it does with them. */
export type KeyBindings = Readonly<Record<string, () => boolean>>;

/** Names of keys, as they stand on keyboards. */
const shownNames: Readonly<Record<string, string>> = {
  ...{ Space: '␣', Enter: '↵' },
  ...{ ArrowUp: '↑', ArrowDown: '↓', ArrowLeft: '←', ArrowRight: '→' },
};

const isMac = (): boolean => /Mac|iP(?:hone|ad)/.test(navigator.platform);

/** The names of keys that are pressed together, the last of them by itself; `Mod--` is the minus key with Ctrl. */
const partsOf = (keys: string): string[] => keys.split(/-(?!$)/);

/** Keys as people know them: `Mod-Shift-l` is `Ctrl+Shift+L`, on a Mac `⇧⌘L`. */
export function shownShortcut(keys: string | undefined, mac = isMac()): string | undefined {
  if (keys === undefined) return undefined;
  const parts = partsOf(keys);
  const key = parts.pop()!;
  const shown = shownNames[key] ?? (key.length === 1 ? key.toUpperCase() : key);
  if (!mac) return [...parts.map((part) => (part === 'Mod' ? 'Ctrl' : part)), shown].join('+');
  const symbols: Readonly<Record<string, string>> = { Mod: '⌘', Shift: '⇧', Alt: '⌥', Ctrl: '⌃' };
  return [...parts.map((part) => symbols[part] ?? part).reverse(), shown].join('');
}

/** Modifiers in one order, whatever the order they were named in. */
const joined = (modifiers: readonly string[], key: string): string =>
  [...modifiers.toSorted(), key].join('-');

function normalized(keys: string): string {
  const parts = partsOf(keys);
  const named = parts.pop()!;
  // A browser names the key by what it types.
  const key = named === 'Space' ? ' ' : named;
  const mod = isMac() ? 'Meta' : 'Ctrl';
  return joined(
    parts.map((part) => (part === 'Mod' ? mod : part)),
    key,
  );
}

/** What a press may be called, the best name first: a sign may need Shift, and a layout may have no Latin letters. */
function namesOf(event: KeyboardEvent): string[] {
  const name = keyName(event);
  const { altKey, ctrlKey, metaKey, shiftKey } = event;
  const modifiers = Object.entries({ Alt: altKey, Ctrl: ctrlKey, Meta: metaKey, Shift: shiftKey })
    .filter(([, isPressed]) => isPressed)
    .map(([modifier]) => modifier);
  const names = [joined(modifiers, name)];
  if (name.length !== 1 || name === ' ') return names;
  // A sign that AltGr types is typed, also where a browser calls that Ctrl and Alt.
  if (event.getModifierState?.('AltGraph')) return [];
  const ofKey = base[event.keyCode];
  // Digits are known by their key, whatever signs a layout has there with Shift, or without it.
  if (ofKey && /\d/.test(ofKey) && ctrlKey !== altKey) names.unshift(joined(modifiers, ofKey));
  const withoutShift = modifiers.filter((modifier) => modifier !== 'Shift');
  if (shiftKey) names.push(joined(withoutShift, name));
  const isOtherScript = name.charCodeAt(0) > 127;
  // With Caps Lock it is a capital letter without Shift.
  const isCapital = name.toLowerCase() === ofKey;
  if (ofKey && ofKey !== name && (isOtherScript || shiftKey || isCapital))
    names.push(joined(modifiers, ofKey));
  // Where the apostrophe is on the key of a digit, as on a French keyboard, the key that others have it on stands for it.
  if (event.code === 'Quote') names.push(joined(withoutShift, shiftKey ? '"' : "'"));
  return names;
}

/** Does what a press is bound to. True if it did something. */
export function keyHandler(bindings: KeyBindings): (event: KeyboardEvent) => boolean {
  const bound = new Map(Object.entries(bindings).map(([keys, run]) => [normalized(keys), run]));
  return (event) => namesOf(event).some((name) => bound.get(name)?.() === true);
}

/**
 * Binds keys wherever the focus is, except in a dialog and where something else has taken the press.
 * Returns how to stop.
 */
export function followKeys(bindings: KeyBindings): () => void {
  const handle = keyHandler(bindings);
  const listener = (event: KeyboardEvent) => {
    if (event.defaultPrevented || document.querySelector('dialog[open]')) return;
    if (handle(event)) event.preventDefault();
  };
  addEventListener('keydown', listener);
  return () => removeEventListener('keydown', listener);
}

/** Keys of what can be done with any document that is edited: save, print, find, and the list of keys. */
export const sharedKeys = (editor: CoeditedDocument): KeyBindings => ({
  'Mod-s': () => {
    void saveNow(editor);
    return true;
  },
  'Mod-p': () => {
    editor.print();
    return true;
  },
  [dialogKeys.find]: () => {
    openDialog(editor, 'find');
    return true;
  },
  [dialogKeys.shortcuts]: () => {
    openDialog(editor, 'shortcuts');
    return true;
  },
});

/** Keys that open dialogs. */
export const dialogKeys = { find: 'Mod-f', shortcuts: 'Mod-/' } as const;
