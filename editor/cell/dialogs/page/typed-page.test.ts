import { expect, it } from 'vitest';
import { shownMargin, sides, typedPage } from './typed-page.ts';

const before = { margins: { left: 0.7, right: 0.25, top: 0.75, bottom: 1, header: 0.3, footer: 0.31 } };
const typed = (changes: Readonly<Record<string, string>>) => {
  const fields = new FormData();
  fields.set('orientation', 'landscape');
  fields.set('paper', '9');
  for (const side of sides) fields.set(side, changes[side] ?? shownMargin(before, side));
  return typedPage(fields, 'scale', before);
};

it('[XS214] margins that nobody changes in the dialog stay as they were, to the last digit', () => {
  expect(typed({}).margins).toEqual(before.margins);
  expect(typed({ left: '2.54' }).margins).toEqual({ ...before.margins, left: 1 });
  expect(typed({ left: '1.780' }).margins).toEqual(before.margins);
});
