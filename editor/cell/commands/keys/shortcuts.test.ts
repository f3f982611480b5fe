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

it('[XS220] [XS221] [XS222] [XS223] [XS224] the list of keys has those by which formulas are looked through, names are used and rows are filtered', () => {
  const listed = shortcuts().flatMap(({ keys }) => keys);
  expect(listed).toEqual(
    expect.arrayContaining(['Ctrl-[', 'Ctrl-]', 'Alt-;', 'Ctrl-`', 'F3', 'Ctrl-F3', 'Mod-Shift-l']),
  );
});
