import { describe, expect, test } from 'vitest';
import { buildDocx } from '../../../../test/support/docx-fixture.ts';
import { openDocx } from './docx-engine.ts';
import { blocks, edit } from './testing/docx-edit.ts';

const WORD = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';
const paragraph = (properties: string) => `<w:p><w:pPr>${properties}</w:pPr><w:r><w:t>x</w:t></w:r></w:p>`;
const shade = (fill: string, pattern = 'clear', color = 'auto') =>
  `<w:shd w:val="${pattern}" w:color="${color}" w:fill="${fill}"/>`;
const attributesOf = (properties: string) =>
  openDocx(buildDocx({ body: paragraph(properties) })).doc.firstChild!.attrs;

describe('direction and background of paragraphs', () => {
  test.each([
    ['', null],
    ['<w:bidi/>', true],
    ['<w:bidi w:val="0"/>', false],
  ])('[RT1] %s is read', (properties, rtl) => {
    expect(attributesOf(properties).rtl).toBe(rtl);
  });

  test.each([
    ['no element', '', null],
    ['a colour', shade('D9E2F3'), 'D9E2F3'],
    ['none, whatever the style says', shade('auto'), 'auto'],
    ['none by name', shade('D9E2F3', 'nil'), 'auto'],
    ['a quarter of black dots on white', shade('auto', 'pct25'), 'BFBFBF'],
    ['dots of two colours', shade('00FF00', 'pct50', 'FF0000'), '808000'],
    ['nothing but the colour of the dots', shade('00FF00', 'solid', '123456'), '123456'],
    ['nonsense', shade('red'), 'auto'],
  ])('[RT2] the background of %s is read', (_what, properties, shading) => {
    expect(attributesOf(properties).shading).toBe(shading);
  });

  test('[RT3] both are written in their places and taken back', () => {
    const around = ['<w:keepNext/>', '<w:tabs/>', '<w:spacing w:after="0"/>'] as const;
    const bare = paragraph(around.join(''));
    const dressed = paragraph(`${around[0]}${shade('FFCC00')}${around[1]}<w:bidi/>${around[2]}`);
    const set = (rtl: boolean | null, shading: string | null) => (from: string) =>
      blocks(
        edit({ body: from }, (tr) =>
          tr.setNodeAttribute(0, 'rtl', rtl).setNodeAttribute(0, 'shading', shading),
        ).xml,
      );
    expect(set(true, 'FFCC00')(bare)).toBe(dressed);
    expect(set(null, null)(dressed)).toBe(bare);
    expect(set(false, 'auto')(bare)).toBe(
      paragraph(`${around[0]}${shade('auto')}${around[1]}<w:bidi w:val="0"/>${around[2]}`),
    );
  });

  test('[RT4] styles and defaults have them too', () => {
    const styles = `<w:styles xmlns:w="${WORD}"><w:docDefaults><w:pPrDefault><w:pPr><w:bidi/></w:pPr></w:pPrDefault></w:docDefaults><w:style w:styleId="Box"><w:name w:val="Box"/><w:pPr>${shade('EEEEEE')}</w:pPr></w:style></w:styles>`;
    const model = openDocx(buildDocx({ paragraphs: ['x'], parts: { 'word/styles.xml': styles } })).model();
    expect(model.defaults.paragraph).toEqual({ rtl: true });
    expect(model.styles[0]?.paragraph).toEqual({ shading: 'EEEEEE' });
  });
});
