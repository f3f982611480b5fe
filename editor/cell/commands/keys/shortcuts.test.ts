import { expect, it } from 'vitest';
import { shortcuts } from './shortcuts.ts';

it('[XS130] the list of keys has all by which cells are filled', () => {
  const listed = new Map(shortcuts().map(({ label, keys }) => [label, keys]));
  expect(listed.size).toBe(shortcuts().length);
  expect([...listed.values()].flat()).toEqual(
    expect.arrayContaining([
      ...["Ctrl-'", "Ctrl-Shift-'", 'Ctrl-;', 'Ctrl-Shift-;', 'Mod-Enter', 'Mod-d', 'Mod-r'],
    ]),
  );
});
