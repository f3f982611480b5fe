/** Names of keys, as they stand on keyboards. */
const names: Readonly<Record<string, string>> = { Space: '␣', Enter: '↵' };

const isMac = (): boolean => /Mac|iP(?:hone|ad)/.test(navigator.platform);

/** Keys as people know them: `Mod-Shift-l` is `Ctrl+Shift+L`, on a Mac `⇧⌘L`. */
export function shownShortcut(keys: string | undefined, mac = isMac()): string | undefined {
  if (keys === undefined) return undefined;
  const parts = keys.split(/-(?!$)/);
  const key = parts.pop()!;
  const shown = names[key] ?? (key.length === 1 ? key.toUpperCase() : key);
  if (!mac) return [...parts.map((part) => (part === 'Mod' ? 'Ctrl' : part)), shown].join('+');
  const symbols: Readonly<Record<string, string>> = { Mod: '⌘', Shift: '⇧', Alt: '⌥', Ctrl: '⌃' };
  return [...parts.map((part) => symbols[part] ?? part).reverse(), shown].join('');
}
