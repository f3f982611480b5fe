import { describe, expect, it } from 'vitest';
import type { WordList, WordListLevel } from '../../../../model/word/document.ts';
import { ListCounter, ListDefinitions } from './list-numbering.ts';

const level = (given: Partial<WordListLevel> & Pick<WordListLevel, 'level'>): WordListLevel => ({
  format: 'decimal',
  text: `%${given.level + 1}.`,
  start: 1,
  restarts: false,
  indentLeft: null,
  indentFirst: null,
  suffix: 'tab',
  run: {},
  ...given,
});

function labels(lists: WordList[], ...places: (readonly [string, number])[]): string[] {
  const counter = new ListCounter(new ListDefinitions(lists));
  return places.map(([listId, at]) => counter.next({ listId, level: at }));
}

const outline: WordList = {
  id: '1',
  counter: '1',
  levels: [
    level({ level: 0 }),
    level({ level: 1, text: '%1.%2.' }),
    level({ level: 2, text: '%3)', format: 'lowerLetter' }),
  ],
};

describe('labels of list paragraphs', () => {
  it('[VW11] deeper levels begin anew after a higher one, and show the numbers above', () => {
    const found = labels([outline], ['1', 0], ['1', 1], ['1', 1], ['1', 2], ['1', 0], ['1', 1], ['1', 2]);
    expect(found).toEqual(['1.', '1.1.', '1.2.', 'a)', '2.', '2.1.', 'a)']);
  });

  it('[VW34] a level that was skipped shows its start, and counts as begun', () => {
    expect(labels([outline], ['1', 1], ['1', 1], ['1', 0], ['1', 2])).toEqual(['1.1.', '1.2.', '2.', 'a)']);
    const from5 = {
      ...outline,
      id: '2',
      levels: [level({ level: 0, start: 5, restarts: true }), ...outline.levels.slice(1)],
    };
    expect(labels([outline, from5], ['1', 0], ['1', 1], ['1', 0], ['2', 0])).toEqual([
      '1.',
      '1.1.',
      '2.',
      '5.',
    ]);
    expect(labels([from5], ['2', 1], ['2', 0])).toEqual(['5.1.', '6.']);
  });

  it('[VW34] a level begins anew after the levels alone that it names, or never', () => {
    const list = (restartsAfter: number) => ({
      ...outline,
      levels: [...outline.levels.slice(0, 2), level({ level: 2, text: '%3)', restartsAfter })],
    });
    const places = [
      ['1', 2],
      ['1', 1],
      ['1', 2],
      ['1', 0],
      ['1', 2],
    ] as const;
    expect(labels([outline], ...places)).toEqual(['a)', '1.2.', 'a)', '2.', 'a)']);
    expect(labels([list(1)], ...places)).toEqual(['1)', '1.2.', '2)', '2.', '1)']);
    expect(labels([list(0)], ...places)).toEqual(['1)', '1.2.', '2)', '2.', '3)']);
  });

  it('[VW34] a legal level shows all its numbers as decimal ones', () => {
    const list = {
      ...outline,
      levels: [
        level({ level: 0, format: 'upperRoman', text: 'Article %1.' }),
        level({ level: 1, format: 'decimalZero', text: 'Section %1.%2', isLegal: true }),
        level({ level: 2, format: 'lowerLetter', text: '%1%2%3', isLegal: true }),
      ],
    };
    expect(labels([list], ['1', 0], ['1', 1], ['1', 2])).toEqual(['Article I.', 'Section 1.01', '1011']);
  });

  it('[VW11] lists of one definition count on, unless one restarts', () => {
    const second = { ...outline, id: '2' };
    const third = { ...outline, id: '3', levels: [level({ level: 0, start: 10, restarts: true })] };
    expect(labels([outline, second, third], ['1', 0], ['2', 0], ['3', 0], ['3', 0], ['1', 0])).toEqual([
      '1.',
      '2.',
      '10.',
      '11.',
      '12.',
    ]);
  });

  it('[VW11] new lists look as they will in the file, each with its own numbers', () => {
    expect(
      labels([], ['new-decimal-a', 0], ['new-decimal-a', 1], ['new-decimal-b', 0], ['new-roman-a', 0]),
    ).toEqual(['1.', 'a.', '1.', 'i.']);
    expect(labels([], ['new-outline-a', 0], ['new-outline-a', 1], ['new-bullet-a', 0])).toEqual([
      '1.',
      '1.1.',
      '•',
    ]);
  });

  it('[VW11] a list that is not defined has no labels', () => {
    expect(labels([], ['77', 0])).toEqual(['']);
  });
});
