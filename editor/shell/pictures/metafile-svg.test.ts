import { expect, it } from 'vitest';
import { buildWmf } from '../../../test/support/wmf-fixture.ts';
import { svgOfMetafile } from './metafile-svg.ts';

const drawn = async (bytes: Uint8Array) => svgOfMetafile(new Uint8Array(bytes).buffer);

it('[VW35] a metafile is drawn with its texts', async () => {
  const svg = await drawn(buildWmf({ text: 'Sum' }));
  expect(svg).toMatch(/^<svg [^>]*xmlns="http:\/\/www.w3.org\/2000\/svg"/);
  expect(svg).toMatch(/<text [^>]*font-family="Arial"[^>]*>Sum<\/text>/);
});

it.each([
  ['Symbol', '\xe5', '∑'],
  ['Symbol', 'a\xb3b', 'α≥β'],
  ['MT Extra', 'L', '⋯'],
  ['Arial', '\xe5', 'å'],
])('[VW35] what is written in %s as %s is %s', async (font, text, shown) => {
  const svg = await drawn(buildWmf({ font, text, isSymbol: font !== 'Arial' }));
  expect(svg).toContain(`>${shown}</text>`);
});

it('[VW35] what is no metafile is not drawn', async () => {
  expect(await drawn(new TextEncoder().encode('metafile'))).toBeNull();
});
