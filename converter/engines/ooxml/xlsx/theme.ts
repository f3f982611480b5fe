import type { Color } from '../../../../model/cell/cell-format.ts';
import type { Theme } from '../../../../model/cell/workbook.ts';
import type { XmlDocument } from '../package/xml-document.ts';

/** The order in which cells count a theme's colours: light and dark are the other way round than in the theme's part. */
const COLORS = ['lt1', 'dk1', 'lt2', 'dk2', 'accent1', 'accent2', 'accent3', 'accent4', 'accent5', 'accent6'];
const LINKS = ['hlink', 'folHlink'];
const FALLBACK = 'FFFFFF 000000 EEECE1 1F497D 4F81BD C0504D 9BBB59 8064A2 4BACC6 F79646 0000FF 800080'.split(
  ' ',
);

export function readTheme(xml: XmlDocument | undefined): Theme | undefined {
  const elements = xml?.child(xml.root, 'a:themeElements');
  if (!xml || !elements) return undefined;
  const scheme = xml.child(elements, 'a:clrScheme');
  const fonts = xml.child(elements, 'a:fontScheme');
  const colors = [...COLORS, ...LINKS].map((name, index) => {
    const [color] = xml.child(scheme, `a:${name}`)?.children ?? [];
    const { val, lastClr } = color ? xml.attributes(color) : {};
    const rgb = color?.name === 'a:sysClr' ? lastClr : val;
    return rgb !== undefined && /^[0-9A-Fa-f]{6}$/.test(rgb) ? rgb.toUpperCase() : FALLBACK[index]!;
  });
  const fontOf = (name: string) =>
    xml.attribute(xml.child(xml.child(fonts, name), 'a:latin'), 'typeface') || undefined;
  const [majorFont, minorFont] = [fontOf('a:majorFont'), fontOf('a:minorFont')];
  return { colors, ...(majorFont && { majorFont }), ...(minorFont && { minorFont }) };
}

/** `RRGGBB` of a colour that says it itself. */
export const colorRgb = ({ rgb }: Color): string | undefined =>
  rgb !== undefined && /^[0-9A-Fa-f]{6}$/.test(rgb) ? rgb.toUpperCase() : undefined;
