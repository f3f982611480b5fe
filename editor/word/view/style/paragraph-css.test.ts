import { describe, expect, it } from 'vitest';
import { paragraphCss } from './paragraph-css.ts';

describe('paragraph properties as CSS', () => {
  it('[VW1] indents and spacing are points, from twips; a hanging indent is negative', () => {
    const css = paragraphCss({
      indentLeft: 720,
      indentRight: 100,
      indentFirst: -360,
      spaceBefore: 240,
      spaceAfter: 0,
    });
    expect(css).toEqual({
      'margin-inline-start': '36pt',
      'margin-inline-end': '5pt',
      'text-indent': '-18pt',
      'margin-block-start': '12pt',
      'margin-block-end': '0pt',
    });
  });

  it('[VW1] what is null says nothing', () => {
    expect(paragraphCss({ align: null, indentLeft: null, line: null, rtl: null, shading: null })).toEqual({});
  });

  it.for([
    ['left', 'start'],
    ['right', 'end'],
    ['center', 'center'],
    ['both', 'justify'],
    ['lowKashida', 'justify'],
  ] as const)(
    '[VW1] alignment %s is %s: left is where the line starts, also from right to left',
    ([align, css]) => {
      expect(paragraphCss({ align })).toEqual({ 'text-align': css });
    },
  );

  it('[VW2] automatic line spacing is a multiple of the font’s own line, exact and least are lengths', () => {
    expect(paragraphCss({ line: 360, lineRule: 'auto' })).toEqual({
      'line-height': 'calc(var(--line) * 1.5)',
    });
    expect(paragraphCss({ line: 240 })).toEqual({ 'line-height': 'calc(var(--line) * 1)' });
    expect(paragraphCss({ line: 300, lineRule: 'exact' })).toEqual({ 'line-height': '15pt' });
    expect(paragraphCss({ line: 300, lineRule: 'atLeast' })).toEqual({
      'line-height': 'max(15pt, calc(var(--line) * 1em))',
    });
  });

  it('[VW3] breaks, direction and shading', () => {
    expect(paragraphCss({ pageBreakBefore: true, keepNext: true, keepLines: true, rtl: true })).toEqual({
      'break-before': 'page',
      'break-after': 'avoid',
      'break-inside': 'avoid',
      direction: 'rtl',
    });
    expect(paragraphCss({ shading: '000080' })).toMatchObject({
      'background-color': '#000080',
      '--auto-ink': '#FFFFFF',
    });
    expect(paragraphCss({ shading: 'FFFF00' })).toMatchObject({
      'color-scheme': 'light',
      '--auto-ink': '#000000',
    });
    expect(paragraphCss({ shading: 'auto' })).toEqual({});
  });
});
