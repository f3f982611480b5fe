import { describe, expect, it } from 'vitest';
import { extraRun, markCss, runCss } from './run-css.ts';

describe('run properties as CSS', () => {
  it('[VW4] a toggle that is off undoes the style’s', () => {
    expect(markCss('bold', { on: true }, 'mark')['font-weight']).toBe('700');
    expect(markCss('bold', { on: false }, 'mark')['font-weight']).toBe('400');
    expect(markCss('italic', { on: false }, 'mark')['font-style']).toBe('normal');
    expect(markCss('underline', { style: 'none' }, 'mark')['text-decoration-line']).toBe('none');
  });

  it('[VW5] a character style gives way to the marks around it', () => {
    const style = runCss(
      { bold: { on: true }, color: { value: 'FF0000' }, size: { halfPoints: 24 } },
      'character',
    );
    expect(style['font-weight']).toBe('var(--mark-weight, 700)');
    expect(style['font-size']).toBe('var(--mark-size, 12pt)');
    expect(style.color).toBe('var(--mark-ink, var(--style-ink))');
    expect(markCss('bold', { on: false }, 'mark')['--mark-weight']).toBe('400');
    expect(markCss('size', { halfPoints: 20 }, 'mark')['--mark-size']).toBe('10pt');
  });

  it('[VW5] a style that both underlines and strikes does both', () => {
    expect(
      runCss({ underline: { style: 'single' }, strike: { on: true } }, 'paragraph')['text-decoration-line'],
    ).toBe('underline line-through');
  });

  it('[VW5] raised text of a style is a share of the style’s size', () => {
    const css = runCss({ size: { halfPoints: 20 }, vertical: { align: 'superscript' } }, 'character');
    expect(css['font-size']).toBe('calc(var(--mark-size, 10pt) * 0.65)');
  });

  it.for([
    ['double', 'text-decoration-style', 'double'],
    ['wave', 'text-decoration-style', 'wavy'],
    ['dotted', 'text-decoration-style', 'dotted'],
    ['thick', 'text-decoration-thickness', '2px'],
  ] as const)('[VW4] an underline of style %s', ([style, property, value]) => {
    const css = markCss('underline', { style }, 'mark');
    expect(css['text-decoration-line']).toBe('underline');
    expect(css[property]).toBe(value);
  });

  it('[VW4] a highlight has its colour and text that can be read on it', () => {
    expect(markCss('highlight', { color: 'yellow' }, 'mark')).toMatchObject({
      'background-color': '#FFFF00',
      'color-scheme': 'light',
    });
    expect(markCss('highlight', { color: 'none' }, 'mark')).toEqual({});
  });

  it('[VW4] automatic colour follows the background', () => {
    expect(markCss('color', { value: 'auto' }, 'mark')['--mark-ink']).toBe('var(--auto-ink)');
  });
});

const theme = { majorFont: 'Cambria', minorFont: 'Calibri' };
const css = (xml: string) => extraRun(xml, theme).css;

describe('run properties that the model keeps as XML', () => {
  it.for([
    ['<w:caps/>', { 'text-transform': 'uppercase' }],
    ['<w:caps w:val="0"/>', { 'text-transform': 'none' }],
    ['<w:smallCaps/>', { 'font-variant-caps': 'small-caps' }],
    ['<w:spacing w:val="40"/>', { 'letter-spacing': '2pt' }],
    ['<w:position w:val="-6"/>', { 'vertical-align': '-3pt' }],
    ['<w:dstrike/>', { 'text-decoration-line': 'line-through', 'text-decoration-style': 'double' }],
  ] as const)('[VW9] %s is drawn', ([xml, expected]) => {
    expect(css(xml)).toEqual(expected);
  });

  it('[VW9] hidden text is known as such', () => {
    expect(extraRun('<w:vanish/>', theme).hidden).toBe(true);
    expect(extraRun('<w:vanish w:val="false"/>', theme).hidden).toBe(false);
  });

  it('[VW9] fonts of the theme have their names, and give way to a font that was chosen', () => {
    expect(css('<w:rFonts w:asciiTheme="majorHAnsi" w:hAnsiTheme="majorHAnsi"/>')).toEqual({
      'font-family': 'var(--mark-font, "Cambria", "Caladea", serif)',
    });
    expect(css('<w:rFonts w:cs="Arial"/>')).toEqual({});
  });

  it('[VW9] shading of a run is a background; what is unknown or hostile is nothing', () => {
    expect(css('<w:shd w:val="clear" w:color="auto" w:fill="FFCC00"/>')).toMatchObject({
      'background-color': '#FFCC00',
    });
    expect(css('<w:shd w:fill="red;background:url(x)"/><w:lang w:val="de"/>')).toEqual({});
    expect(css('<w:spacing w:val="1;x"/>')).toEqual({});
  });
});
