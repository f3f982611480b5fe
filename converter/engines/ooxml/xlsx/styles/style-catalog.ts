import type { CellFormat, Color, Font } from '../../../../../model/cell/cell-format.ts';
import { isFormatPatch } from '../../../../../model/cell/format-json.ts';
import { overLimit } from '../../../../errors.ts';
import type { XmlDocument } from '../../package/xml-document.ts';
import type { XmlElement } from '../../package/xml-scanner.ts';
import {
  numberOf,
  readAlignment,
  readBorders,
  readFill,
  readFont,
  readProtection,
  withoutNothing,
} from './format-xml.ts';
import { builtInFormat } from './number-formats.ts';

/** More formats than programs write: they stop at 64,000. */
const MOST_FORMATS = 66_000;
/** The colour of text of the system. */
const SYSTEM_COLOR = 64;
const NO_ELEMENTS: readonly XmlElement[] = [];

/** The formats of a workbook (18.8), read from its styles part. */
export class StyleCatalog {
  readonly xml: XmlDocument | undefined;
  readonly fonts: readonly XmlElement[];
  readonly fills: readonly XmlElement[];
  readonly borders: readonly XmlElement[];
  /** The formats of cells. */
  readonly formats: readonly XmlElement[];
  readonly differences: readonly XmlElement[];
  /** Number formats of the file's own, by their numbers. */
  readonly numberFormats: ReadonlyMap<number, string>;
  /** The highest number that one of them has, also one that says nothing; 0 where there is none. */
  readonly lastNumberFormat: number;
  /** The cell styles, by the index of their format: name and whether it is the normal one. */
  readonly styleNames: ReadonlyMap<number, string>;
  readonly normalFont: Font;
  readonly #styleFormats: readonly XmlElement[];

  /** @throws ConversionError limits */
  constructor(xml: XmlDocument | undefined) {
    this.xml = xml;
    const list = (name: string, item: string) => {
      const holder = xml?.child(xml.root, name);
      const items = xml && holder ? xml.plainChildren(holder) : NO_ELEMENTS;
      return items.filter((child) => child.name === item);
    };
    this.fonts = list('fonts', 'font');
    this.fills = list('fills', 'fill');
    this.borders = list('borders', 'border');
    this.formats = list('cellXfs', 'xf');
    this.differences = list('dxfs', 'dxf');
    if (this.formats.length > MOST_FORMATS || this.differences.length > MOST_FORMATS)
      throw overLimit('the workbook has too many formats');
    const numberFormats = new Map<number, string>();
    let lastNumberFormat = 0;
    const styleNames = new Map<number, string>();
    for (const element of list('numFmts', 'numFmt')) {
      const { numFmtId, formatCode } = xml!.attributes(element);
      const id = numberOf(numFmtId);
      lastNumberFormat = Math.max(lastNumberFormat, id ?? 0);
      // An empty one says nothing.
      if (id !== undefined && formatCode) numberFormats.set(id, formatCode);
    }
    let normal = 0;
    for (const element of list('cellStyles', 'cellStyle')) {
      const { name, xfId, builtinId } = xml!.attributes(element);
      const id = numberOf(xfId);
      if (id === undefined) continue;
      if (builtinId === '0') normal = id;
      else if (name !== undefined && !styleNames.has(id)) styleNames.set(id, name);
    }
    this.numberFormats = numberFormats;
    this.lastNumberFormat = lastNumberFormat;
    this.styleNames = styleNames;
    this.#styleFormats = list('cellStyleXfs', 'xf');
    const normalFormat = this.#styleFormats[normal];
    const fontId = numberOf(xml && normalFormat && xml.attribute(normalFormat, 'fontId')) ?? 0;
    const font = this.fonts[fontId] ?? this.fonts[0];
    this.normalFont = xml && font ? readFont(xml, font) : {};
  }

  /** The formats of cells, in the order of the file. One at least. */
  read(): CellFormat[] {
    return this.formats.length === 0 ? [{}] : this.#read(this.formats);
  }

  /** What the cell styles stand for, by their names. */
  readNamed(): Record<string, CellFormat> {
    const formats = this.#read(this.#styleFormats);
    const named = new Map<string, CellFormat>();
    // Formats leave out what is as in the normal font: who shows them has to know it.
    if (Object.keys(this.normalFont).length > 0) named.set('Normal', { font: this.normalFont });
    for (const [index, name] of this.styleNames) {
      const format = formats[index];
      if (format) named.set(name, { ...format, style: name });
    }
    return Object.fromEntries(named);
  }

  #read(elements: readonly XmlElement[]): CellFormat[] {
    const { xml } = this;
    if (!xml) return [];
    // Thousands of formats share a few fonts, fills and borders.
    const fonts = this.fonts.map((element) => this.#differenceToNormal(readFont(xml, element)));
    const fills = this.fills.map((element) => readFill(xml, element));
    const borders = this.borders.map((element) => readBorders(xml, element));
    return elements.map((element) => {
      const { numFmtId, fontId, fillId, borderId, xfId } = xml.attributes(element);
      const [alignment, protection] = ['alignment', 'protection'].map((name) => xml.child(element, name));
      return withoutNothing({
        number: this.numberFormat(numberOf(numFmtId) ?? 0),
        font: fonts[numberOf(fontId) ?? 0],
        fill: fills[numberOf(fillId) ?? 0],
        border: borders[numberOf(borderId) ?? 0],
        align: alignment && readAlignment(xml.attributes(alignment)),
        protection: protection && readProtection(xml.attributes(protection)),
        style: this.styleNames.get(numberOf(xfId) ?? 0),
      }) as CellFormat;
    });
  }

  /** Undefined for General. */
  numberFormat(id: number): string | undefined {
    const own = this.numberFormats.get(id);
    return own === undefined ? builtInFormat(id) : own === 'General' ? undefined : own;
  }

  /** What a font has that the normal one has not; undefined where they are alike. */
  #differenceToNormal(font: Font): Font | undefined {
    const { bold, italic, strike } = this.normalFont;
    const explicit = { ...font };
    // Nothing is inherited: what the normal font is, and this one is not, has to be said.
    const full: Record<string, unknown> = explicit;
    for (const [name, isNormal] of Object.entries({ bold, italic, strike })) {
      if (isNormal && full[name] === undefined) full[name] = false;
      else if (!isNormal && full[name] === false) delete full[name];
    }
    for (const [name, value] of Object.entries(this.normalFont))
      if (JSON.stringify(value) === JSON.stringify(full[name])) delete full[name];
    return Object.keys(full).length > 0 ? explicit : undefined;
  }

  /** A differential format (18.8.14), of which everything may be absent. */
  difference(index: number): CellFormat | undefined {
    const { xml } = this;
    const element = this.differences[index];
    return xml && element && readDifference(xml, element);
  }

  /**
   * The colour by which cells, or texts, are filtered: that of a fill stands before its pattern where it was taken from a cell, else behind
   * it. Undefined where the format has none.
   */
  filterColor(index: number, ofFont: boolean): Color | undefined {
    const format = this.difference(index);
    if (ofFont) return format?.font?.color;
    const element = this.differences[index];
    const front = this.xml && element && readFill(this.xml, this.xml.child(element, 'fill'))?.color;
    return front && !front.auto && front.indexed !== SYSTEM_COLOR ? front : format?.fill?.color;
  }
}

/** The format that a `dxf` adds to that of a cell; undefined for one that says what no program writes. */
export function readDifference(xml: XmlDocument, element: XmlElement): CellFormat | undefined {
  const child = (name: string) => xml.child(element, name);
  const [font, numFmt, alignment, protection] = [
    child('font'),
    child('numFmt'),
    child('alignment'),
    child('protection'),
  ];
  const read = font && readFont(xml, font);
  const format = withoutNothing({
    number: numFmt && xml.attribute(numFmt, 'formatCode'),
    font: read && Object.keys(read).length > 0 ? read : undefined,
    fill: readFill(xml, child('fill'), true),
    border: readBorders(xml, child('border')),
    align: alignment && readAlignment(xml.attributes(alignment)),
    protection: protection && readProtection(xml.attributes(protection)),
  });
  return isFormatPatch(format) ? (format as CellFormat) : undefined;
}
