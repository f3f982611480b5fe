import { describe, expect, it } from 'vitest';
import { searchPattern } from './search-pattern.ts';

describe('[XS171] what is looked for', () => {
  const found = (text: string, within: string, more: { wholeWord?: boolean; caseSensitive?: boolean } = {}) =>
    [...within.matchAll(searchPattern({ text, caseSensitive: false, wholeWord: false, ...more })!)]
      .map(([one]) => one)
      .filter((one) => one !== '');

  it('has signs that stand for others', () => {
    expect(found('n?il', 'Nail, nil, neil')).toEqual(['Nail', 'neil']);
    expect(found('(*)', 'a (b) c (d)')).toEqual(['(b)', '(d)']);
    expect(found('a*', 'xabc\nd')).toEqual(['abc\nd']);
    expect(found('*-', 'one-two-three')).toEqual(['one-', 'two-']);
    expect(found('a*c*e', 'abcdeabcde')).toEqual(['abcde', 'abcde']);
    expect(found('*', 'all of it')).toEqual(['all of it']);
    expect(found('?', 'é𝒳')).toEqual(['é', '𝒳']);
    expect(found('a**b', 'a b')).toEqual(['a b']);
  });

  it('has them as themselves behind a tilde, and other signs as they are', () => {
    expect(found('2~*3', '2*3 and 213')).toEqual(['2*3']);
    expect(found('why~?', 'why? whys')).toEqual(['why?']);
    expect(found('~~', 'a~b')).toEqual(['~']);
    expect(found('~a', 'a ~a')).toEqual(['~a']);
    expect(found('[1].$^|\\{2}/', 'x [1].$^|\\{2}/ y')).toEqual(['[1].$^|\\{2}/']);
  });

  it('is a whole cell where that is asked for', () => {
    expect(found('n*l', 'nails, nail', { wholeWord: true })).toEqual(['nails, nail']);
    expect(found('n*l', 'nails', { wholeWord: true })).toEqual([]);
    expect(found('*a*', 'nails', { wholeWord: true })).toEqual(['nails']);
    expect(found('a*a', 'a', { wholeWord: true })).toEqual([]);
    expect(found('a*b*c', 'aXbYbZc', { wholeWord: true })).toEqual(['aXbYbZc']);
    expect(found('????', 'nail', { wholeWord: true })).toEqual(['nail']);
    expect(found('NAIL', 'nail', { wholeWord: true, caseSensitive: true })).toEqual([]);
  });

  it('is nothing without a text', () => {
    expect(searchPattern({ text: '', caseSensitive: false, wholeWord: false })).toBe(null);
  });
});
