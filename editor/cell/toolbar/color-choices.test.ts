import { describe, expect, it } from 'vitest';
import '../texts.ts';
import { choiceOf, chosenColor, colorChoices } from './color-choices.ts';

const theme = 'FFFFFF 000000 E7E6E6 44546A 4472C4 ED7D31 A5A5A5 FFC000 5B9BD5 70AD47 0563C1 954F72'.split(
  ' ',
);

describe('colours to choose from', () => {
  it('[XH28] are those of the theme, lighter and darker as other programs offer them, and the standard ones', () => {
    const [ofTheme, standard] = colorChoices(theme);
    expect(ofTheme!.swatches).toHaveLength(60);
    expect(standard!.swatches.map(({ value }) => value)).toContain('C00000');
    const column = (at: number) => {
      const swatches = ofTheme!.swatches.filter((_, index) => index % 10 === at);
      return swatches.map(({ value }) => chosenColor(value).tint ?? 0);
    };
    expect(column(4)).toEqual([
      ...[0, 0.7999816888943144, 0.5999938962981048, 0.3999755851924192],
      ...[-0.249977111117893, -0.499984740745262].map((tint) => expect.closeTo(tint, 12)),
    ]);
    expect(column(0).map((tint) => Math.round(tint * 100))).toEqual([0, -5, -15, -25, -35, -50]);
    expect(column(1).map((tint) => Math.round(tint * 100))).toEqual([0, 50, 35, 25, 15, 5]);
    expect(column(2).map((tint) => Math.round(tint * 100))).toEqual([0, -10, -25, -50, -75, -90]);
    expect(ofTheme!.swatches[14]!.name).toBe('Accent 1, 80 % lighter');
    expect(ofTheme!.swatches[14]!.css).toBe('#dae3f3');
  });

  it('[XH28] are found again in what cells have, and stay colours of the theme', () => {
    const color = chosenColor('theme:5:-0.25');
    expect(color).toEqual({ theme: 5, tint: expect.closeTo(-0.249977111117893, 12) });
    expect(choiceOf(color, theme)).toBe('theme:5:-0.25');
    expect(choiceOf({ theme: 4 }, theme)).toBe('theme:4:0.00');
    expect(chosenColor('theme:4:0.00')).toEqual({ theme: 4 });
    expect(choiceOf({ rgb: 'C00000' }, theme)).toBe('C00000');
    expect(chosenColor('C00000')).toEqual({ rgb: 'C00000' });
    expect(choiceOf(undefined, theme)).toBeNull();
    expect(colorChoices(undefined)).toHaveLength(1);
  });
});
