import { describe, expect, it } from 'vitest';
import type { WordStyle } from '../../../../model/word/document.ts';
import { className } from './css.ts';
import { styleRules } from './style-rules.ts';

const style = (given: Partial<WordStyle> & Pick<WordStyle, 'id' | 'type'>): WordStyle => ({
  name: given.id,
  basedOn: null,
  next: null,
  isDefault: false,
  paragraph: {},
  run: {},
  extra: '',
  contextualSpacing: null,
  tabStops: [],
  ...given,
});

const settings = {
  trackChanges: false,
  evenAndOddHeaders: false,
  defaultTabStop: 720,
  majorFont: null,
  minorFont: 'Calibri',
};

function rules(...styles: WordStyle[]): string {
  const defaults = { paragraph: { spaceAfter: 160 }, run: { size: { halfPoints: 22 } } };
  return styleRules({ styles, defaults, settings }, '.paper');
}

const ruleOf = (css: string, selector: string) =>
  new RegExp(`^${selector.replace(/[.+]/g, '\\$&')} \\{ (.*) \\}$`, 'm').exec(css)?.[1];

describe('the CSS of a document', () => {
  it('[VW8] defaults come first, then table styles, paragraph styles and lists', () => {
    const css = rules(style({ id: 'A', type: 'paragraph', paragraph: { spaceAfter: 0 } }));
    expect(css).toMatch(/^@layer word-defaults, word-table, word-paragraph, word-list;/);
    expect(ruleOf(css, '.paper')).toContain('font-size: 11pt');
    expect(ruleOf(css, '.paper p')).toContain('margin-block-end: 8pt');
    expect(ruleOf(css, '.paper .s-A')).toBe('margin-block-end: 0pt;');
  });

  it('[VW8] a style has what it is based on, and its own before that', () => {
    const css = rules(
      style({ id: 'Base', type: 'paragraph', run: { bold: { on: true }, size: { halfPoints: 40 } } }),
      style({
        id: 'Derived',
        type: 'paragraph',
        basedOn: 'Base',
        run: { size: { halfPoints: 30 } },
        extra: '<w:caps/>',
      }),
    );
    expect(ruleOf(css, '.paper .s-Derived')).toBe(
      'font-weight: 700; font-size: 15pt; text-transform: uppercase;',
    );
  });

  it('[VW8] styles that are based on each other in a circle are styles all the same', () => {
    const css = rules(
      style({ id: 'A', type: 'paragraph', basedOn: 'B', run: { bold: { on: true } }, extra: '<w:caps/>' }),
      style({ id: 'B', type: 'paragraph', basedOn: 'A' }),
    );
    expect(ruleOf(css, '.paper .s-A')).toContain('font-weight: 700');
  });

  it('[VW8] paragraphs of a style without space between them', () => {
    const css = rules(style({ id: 'L', type: 'paragraph', contextualSpacing: true }));
    expect(ruleOf(css, '.paper .s-L + .s-L')).toBe('margin-block-start: 0;');
  });

  it('[VW8] ids of styles may hold anything, and stay class names of their own', () => {
    expect(className('s', 'Überschrift 1')).toBe('s-_dc_berschrift_20_1');
    expect(className('s', 'a{}b')).not.toMatch(/[{}]/);
    expect(className('c', 'a')).not.toBe(className('s', 'a'));
    expect(className('s', 'a_20_b')).not.toBe(className('s', 'a b'));
  });
});
