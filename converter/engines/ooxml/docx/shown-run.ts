import type { WordStyle } from '../../../../model/word/document.ts';
import type { XmlDocument } from '../package/xml-document.ts';
import type { XmlElement } from '../package/xml-scanner.ts';
import { splitRunProperties } from './run-property-reader.ts';
import type { Theme } from './theme.ts';

/**
 * Run properties of a style or list label as marks by name, to be shown and never written: fonts of the theme have
 * their names here, and a font counts also where it differs between scripts.
 */
export function readShownRun(
  xml: XmlDocument,
  properties: XmlElement | undefined,
  theme: Theme,
): WordStyle['run'] {
  if (!properties) return {};
  const { marks } = splitRunProperties(xml, properties);
  const run = Object.fromEntries(marks.map((mark) => [mark.type.name, { ...mark.attrs }]));
  const fonts = xml.child(properties, 'w:rFonts');
  const { 'w:asciiTheme': themeFont, 'w:ascii': named } = fonts ? xml.attributes(fonts) : {};
  const name = (themeFont === undefined ? null : theme.fontOf(themeFont)) ?? named;
  if (name !== undefined) run.font = { name };
  return run;
}
