import fc from 'fast-check';
import { expect, it } from 'vitest';
import { wildcard } from './wildcard.ts';

it('[XS134] stars and question marks stand for signs, whatever the case, unless a tilde says otherwise', () => {
  const fitting = (pattern: string, ...texts: string[]) => texts.filter(wildcard(pattern));
  expect(fitting('a*C', 'ac', 'Abbc', 'abcd', 'xac')).toEqual(['ac', 'Abbc']);
  expect(fitting('?😀', 'x😀', '😀😀', '😀', 'xy😀')).toEqual(['x😀', '😀😀']);
  expect(fitting('5~*~?~~', '5*?~', '55?~')).toEqual(['5*?~']);
  expect(fitting('a.b[1]', 'a.b[1]', 'axb1')).toEqual(['a.b[1]']);
  expect(fitting('', '', 'a')).toEqual(['']);
});

it('[XS134] a pattern fits what a regular expression of it fits', () => {
  const text = (...letters: string[]) => fc.string({ unit: fc.constantFrom(...letters), maxLength: 8 });
  fc.assert(
    fc.property(text('a', 'b', '*', '?'), text('a', 'b'), (pattern, compared) => {
      const source = pattern.replaceAll('*', '[^]*').replaceAll('?', '[^]');
      expect(wildcard(pattern)(compared)).toBe(new RegExp(`^${source}$`).test(compared));
    }),
  );
});

it('[XS134] a pattern of many stars holds nobody up', () => {
  const letters = 'a'.repeat(20_000);
  expect(wildcard(`${'*a'.repeat(100)}*b`)(letters)).toBe(false);
  expect(wildcard(`${'*a'.repeat(200)}`)(letters)).toBe(false);
  expect(wildcard(letters)(letters)).toBe(true);
});
