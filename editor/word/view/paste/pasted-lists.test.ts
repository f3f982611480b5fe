import { describe, expect, it } from 'vitest';
import { kindOfLabel } from './pasted-lists.ts';

describe('labels of lists in text', () => {
  it.for([
    ['1.', 'decimal'],
    ['12)', 'decimal'],
    ['(3)', 'decimal'],
    ['1.2.3.', 'outline'],
    ['iv.', 'roman'],
    ['i.', 'roman'],
    ['b)', 'alpha'],
    ['·', 'bullet'],
    ['o', 'bullet'],
    ['§\u00a0\u00a0', 'bullet'],
  ] as const)('[VW21] %s is of kind %s', ([label, kind]) => {
    expect(kindOfLabel(label)).toBe(kind);
  });
});
