import { describe, expect, it } from 'vitest';
import { extraRun } from './extra-run-css.ts';

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
