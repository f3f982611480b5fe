import type { WordDocumentJson, WordStyle } from '../../../../model/word/document.ts';
import type { XmlDocument } from '../package/xml-document.ts';
import type { XmlElement } from '../package/xml-scanner.ts';
import { readParagraphProperties } from './paragraph-properties.ts';
import { splitRunProperties } from './run-properties.ts';
import { isOn, isTrue } from './simple-types.ts';

type Defaults = WordDocumentJson['defaults'];

const TYPES: readonly string[] = [
  'paragraph',
  'character',
  'table',
  'numbering',
] satisfies WordStyle['type'][];

/** The styles of a styles part (17.7.4.17) with the properties that the model knows. */
export function readStyles(xml: XmlDocument, theme: Theme): WordStyle[] {
  const styles: WordStyle[] = [];
  for (const element of xml.root.children.filter(({ name }) => name === 'w:style')) {
    const attributes = xml.attributes(element);
    const { 'w:styleId': id, 'w:type': type = 'paragraph' } = attributes;
    if (id === undefined || !TYPES.includes(type)) continue;
    const value = (name: string) => xml.attribute(xml.child(element, name), 'w:val') ?? null;
    styles.push({
      id,
      name: value('w:name') ?? id,
      type: type as WordStyle['type'],
      basedOn: value('w:basedOn'),
      next: value('w:next'),
      isDefault: isTrue(attributes['w:default']),
      paragraph: readParagraphProperties(xml, xml.child(element, 'w:pPr')),
      run: readShownRun(xml, xml.child(element, 'w:rPr'), theme),
      extra: extraOf(xml, xml.child(element, 'w:rPr')),
      contextualSpacing: flagOf(xml, xml.child(xml.child(element, 'w:pPr'), 'w:contextualSpacing')),
      tabStops: tabStopsOf(xml, xml.child(xml.child(element, 'w:pPr'), 'w:tabs')),
    });
  }
  return styles;
}

function extraOf(xml: XmlDocument, properties: XmlElement | undefined): string {
  return properties ? splitRunProperties(xml, properties).extra : '';
}

function tabStopsOf(xml: XmlDocument, tabs: XmlElement | undefined): WordStyle['tabStops'] {
  const stops = (tabs?.children ?? []).map((tab) => ({
    position: Number(xml.attribute(tab, 'w:pos') ?? Number.NaN),
    align: xml.attribute(tab, 'w:val') ?? 'left',
  }));
  return stops.filter(({ position }) => Number.isInteger(position)).sort((a, b) => a.position - b.position);
}

function flagOf(xml: XmlDocument, element: XmlElement | undefined): boolean | null {
  return element ? isOn(xml.attributes(element)) : null;
}

export function readDefaults(xml: XmlDocument, theme: Theme): Defaults {
  const defaults = xml.child(xml.root, 'w:docDefaults');
  const paragraph = xml.child(xml.child(defaults, 'w:pPrDefault'), 'w:pPr');
  const run = xml.child(xml.child(defaults, 'w:rPrDefault'), 'w:rPr');
  return { paragraph: readParagraphProperties(xml, paragraph), run: readShownRun(xml, run, theme) };
}

interface TableStyle {
  readonly basedOn: string | undefined;
  readonly borders: Borders;
}

/** Whether a line is drawn, by side; a side that is not said is the base's matter. */
type Borders = ReadonlyMap<string, boolean>;

/** Styles of tables that are based on each other, beyond which a file is thought to be broken. */
const MOST_BASES = 100;

/** Name of the built-in style of tables with lines around their cells, whatever id a language gives it. */
const TABLE_GRID = 'table grid';

/** What the writer and the view need to know of the table styles (17.7.6) of a document. */
export class TableStyles {
  /** Id of the style of tables with plain lines. */
  readonly gridStyle: string | undefined;
  readonly #styles = new Map<string, TableStyle>();
  readonly #default: string | undefined;

  /** @param xml the styles part, undefined when there is none */
  constructor(xml: XmlDocument | undefined) {
    for (const element of xml?.root.children ?? []) {
      const attributes = element.name === 'w:style' ? xml!.attributes(element) : {};
      const { 'w:styleId': id, 'w:type': type, 'w:default': isDefault } = attributes;
      if (id === undefined || type !== 'table') continue;
      const value = (name: string) => xml!.attribute(xml!.child(element, name), 'w:val');
      const borders = bordersOf(xml!, xml!.child(xml!.child(element, 'w:tblPr'), 'w:tblBorders'));
      this.#styles.set(id, { basedOn: value('w:basedOn'), borders });
      if (isTrue(isDefault)) this.#default = id;
      if (value('w:name')?.toLowerCase() === TABLE_GRID) this.gridStyle = id;
    }
  }

  has(id: string): boolean {
    return this.#styles.has(id);
  }

  /**
   * True when a table of this style has a line on any side or between cells.
   * @param style null for the default style
   * @param own borders that the table says itself
   */
  drawsLines(style: string | null, own: Borders = new Map()): boolean {
    const sides = new Map(own);
    const seen = new Set<string>();
    let id = style ?? this.#default;
    while (id !== undefined && !seen.has(id) && seen.size < MOST_BASES) {
      seen.add(id);
      const known: TableStyle | undefined = this.#styles.get(id);
      for (const [side, drawn] of known?.borders ?? []) if (!sides.has(side)) sides.set(side, drawn);
      id = known?.basedOn;
    }
    return [...sides.values()].includes(true);
  }
}

/** The sides that a `w:tblBorders` or `w:tcBorders` (17.4.38, 17.4.66) speaks of. */
export function bordersOf(xml: XmlDocument, element: XmlElement | undefined): Borders {
  const sides = new Map<string, boolean>();
  for (const side of element?.children ?? []) {
    const line = xml.attribute(side, 'w:val') ?? 'none';
    sides.set(side.name.replace('start', 'left').replace('end', 'right'), line !== 'none' && line !== 'nil');
  }
  return sides;
}

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
