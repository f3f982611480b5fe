import { beforeEach, describe, expect, it, vi } from 'vitest';
import { keyHandler, shownShortcut } from './actions.ts';

const press = (key: string, pressed: Partial<KeyboardEvent> = {}) =>
  ({
    ...{ key, keyCode: 0, altKey: false, ctrlKey: false, metaKey: false, shiftKey: false },
    ...pressed,
  }) as KeyboardEvent;
const ctrl = { ctrlKey: true };

describe('keys', () => {
  beforeEach(() => {
    vi.stubGlobal('navigator', { platform: 'Linux' });
    return () => vi.unstubAllGlobals();
  });

  it.each([
    ['Mod-s', press('s', ctrl)],
    ['Mod-s', press('S', { ...ctrl, keyCode: 83 })],
    ['Mod-Shift-z', press('z', { ...ctrl, shiftKey: true, keyCode: 90 })],
    ['Mod-/', press('/', { ...ctrl, shiftKey: true })],
    ['Mod--', press('-', ctrl)],
    ['Mod-+', press('+', { ...ctrl, shiftKey: true })],
    ['Alt-F10', press('F10', { altKey: true })],
    ['Shift-Mod-e', press('E', { ...ctrl, shiftKey: true, keyCode: 69 })],
    ['Mod-f', press('а', { ...ctrl, keyCode: 70 })],
    // French, and what a German layout has above 0.
    ["Ctrl-'", press('ù', { ...ctrl, code: 'Quote', keyCode: 192 })],
    ['Ctrl-"', press('%', { ...ctrl, shiftKey: true, code: 'Quote', keyCode: 192 })],
    ['Ctrl-1', press('&', { ...ctrl, keyCode: 49 })],
    ['Ctrl-Shift-0', press('=', { ...ctrl, shiftKey: true, keyCode: 48 })],
    ['Home', press('Home')],
    ['Shift-Space', press(' ', { shiftKey: true, keyCode: 32 })],
    ['Mod-Space', press(' ', { ...ctrl, keyCode: 32 })],
  ])('[SH4] %s is pressed on any layout', (keys, event) => {
    expect(keyHandler({ [keys]: () => true })(event)).toBe(true);
  });

  it('[SH4] other keys, other modifiers and what does nothing are left to the browser', () => {
    const save = vi.fn(() => true);
    const handle = keyHandler({ 'Mod-s': save, 'Mod-f': () => false });
    const others = [press('s'), press('d', ctrl), press('s', { ...ctrl, altKey: true }), press('f', ctrl)];
    const shifted = press('S', { ...ctrl, shiftKey: true, altKey: true, keyCode: 83 });
    const altGr = press('ß', { ...ctrl, altKey: true, keyCode: 83, getModifierState: () => true });
    expect(keyHandler({ 'Ctrl-Alt-s': save })(altGr)).toBe(false);
    for (const event of [...others, shifted, press('s', { metaKey: true })])
      expect(handle(event)).toBe(false);
    expect(save).not.toHaveBeenCalled();
  });

  it('[XU14] arrows are shown by their signs', () => {
    expect(shownShortcut('Alt-Shift-ArrowUp', false)).toBe('Alt+Shift+↑');
  });

  it('[SH4] are shown as they stand on the keyboard', () => {
    expect(shownShortcut('Mod-Shift-l', false)).toBe('Ctrl+Shift+L');
    expect(shownShortcut('Mod-Shift-l', true)).toBe('⇧⌘L');
    expect(shownShortcut('Mod--', false)).toBe('Ctrl+-');
    expect(shownShortcut('Mod-Enter', false)).toBe('Ctrl+↵');
    expect(shownShortcut(undefined)).toBeUndefined();
  });
});
