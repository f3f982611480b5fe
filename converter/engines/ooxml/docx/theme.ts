import type { XmlDocument } from '../package/xml-document.ts';

/** The fonts of a theme (20.1.4.1.18), by the names with which runs refer to them. */
export interface Theme {
  readonly majorFont: string | null;
  readonly minorFont: string | null;
  /** The font that a value of ST_Theme (17.18.96) means, or null when the theme leaves it to the system. */
  fontOf(themeFont: string): string | null;
}

const SCRIPTS: Readonly<Record<string, string>> = {
  Ascii: 'a:latin',
  HAnsi: 'a:latin',
  EastAsia: 'a:ea',
  Bidi: 'a:cs',
};

/** @param xml the theme part; undefined when the document has none that can be read */
export function readTheme(xml: XmlDocument | undefined): Theme {
  const scheme = xml?.child(xml.child(xml.root, 'a:themeElements'), 'a:fontScheme');
  const typeface = (collection: string, script: string): string | null =>
    xml?.attribute(xml.child(xml.child(scheme, collection), script), 'typeface') || null;
  return {
    majorFont: typeface('a:majorFont', 'a:latin'),
    minorFont: typeface('a:minorFont', 'a:latin'),
    fontOf: (themeFont) => {
      const [, rank, script] = /^(major|minor)(Ascii|HAnsi|EastAsia|Bidi)$/.exec(themeFont) ?? [];
      if (rank === undefined || script === undefined) return null;
      return typeface(`a:${rank}Font`, SCRIPTS[script]!);
    },
  };
}
