import { type CellFormat, type Color, type Font, formatKey } from '../../../../../model/cell/cell-format.ts';
import { XmlDocument } from '../../package/xml-document.ts';
import type { XmlElement } from '../../package/xml-scanner.ts';
import { attributesXml, withAttributes } from '../../package/xml-text.ts';
import { PartEdits } from '../part-edits.ts';
import { alignmentAttributes, bordersXml, colorXml, fillXml, fontXml, numberOf } from './format-xml.ts';
import { builtInNumber, FIRST_OWN_FORMAT } from './number-formats.ts';
import { StyleCatalog } from './style-catalog.ts';

const ORDER = [
  ...['numFmts', 'fonts', 'fills', 'borders', 'cellStyleXfs', 'cellXfs', 'cellStyles', 'dxfs'],
  ...['tableStyles', 'colors', 'extLst'],
];

/** A list of the styles part, and what is added to it. */
class GrowingList {
  readonly #present: readonly string[];
  readonly added: string[] = [];
  #places: Map<string, number> | undefined;

  constructor(present: readonly string[]) {
    this.#present = present;
  }

  get count(): number {
    return this.#present.length + this.added.length;
  }

  /** The index of an item of this text, which is added when there is none. */
  indexOf(xml: string): number {
    if (!this.#places) {
      this.#places = new Map();
      for (const [index, one] of this.#present.entries())
        if (!this.#places.has(one)) this.#places.set(one, index);
    }
    const known = this.#places.get(xml);
    if (known !== undefined) return known;
    const index = this.count;
    this.#places.set(xml, index);
    this.added.push(xml);
    return index;
  }
}

/** Adds formats to a styles part. What is there keeps its number and its bytes. */
export class StyleWriter {
  readonly #catalog: StyleCatalog;
  readonly #xml: XmlDocument;
  readonly #formats: readonly CellFormat[];
  /** Formats of the model that the file has. */
  readonly #present: number;
  readonly #fonts: GrowingList;
  readonly #fills: GrowingList;
  readonly #borders: GrowingList;
  readonly #cellFormats: GrowingList;
  readonly #differences: GrowingList;
  readonly #numberFormats = new Map<string, number>();
  readonly #newNumberFormats: string[] = [];
  readonly #indexes = new Map<number, number>();

  /**
   * @param catalog of the file
   * @param formats all of the model; the first are those of the file
   * @param main the main namespace, for a styles part where there is none
   */
  constructor(catalog: StyleCatalog, formats: readonly CellFormat[], main: string) {
    this.#catalog = catalog.xml && catalog.formats.length > 0 ? catalog : emptyCatalog(main);
    this.#xml = this.#catalog.xml!;
    this.#formats = formats;
    const { fonts, fills, borders, differences, numberFormats } = this.#catalog;
    this.#present = this.#catalog.formats.length;
    const list = (elements: readonly XmlElement[]) =>
      new GrowingList(elements.map((element) => this.#xml.raw(element)));
    this.#fonts = list(fonts);
    this.#fills = list(fills);
    this.#borders = list(borders);
    this.#cellFormats = list(this.#catalog.formats);
    this.#differences = list(differences);
    for (const [id, code] of numberFormats)
      if (!this.#numberFormats.has(code)) this.#numberFormats.set(code, id);
  }

  /** The index in the file of a format of the model. */
  indexOf(format: number): number {
    if (format < this.#present) return format;
    const known = this.#indexes.get(format);
    if (known !== undefined) return known;
    const index = this.#cellFormats.indexOf(this.#formatXml(this.#formats[format] ?? {}));
    this.#indexes.set(format, index);
    return index;
  }

  /** The index of a differential format. */
  differenceOf(format: CellFormat): number {
    const { font, number, fill, align, border, protection } = format;
    const number_ =
      number === undefined
        ? ''
        : `<numFmt${attributesXml({ numFmtId: this.#numberId(number), formatCode: number })}/>`;
    const pieces = [
      font ? `<font>${fontXml(font, 'name')}</font>` : '',
      number_,
      fill ? fillXml(fill, true) : '',
      elementXml('alignment', alignmentAttributes(align)),
      border ? bordersXml(border) : '',
      elementXml('protection', protectionAttributes(protection)),
    ];
    return this.#differences.indexOf(`<dxf>${pieces.join('')}</dxf>`);
  }

  /**
   * The index of a differential format by whose colour cells, or texts, are filtered. The fill has it before its pattern, as cells have
   * theirs, and behind it, as conditional formats do: programs look at the one or the other.
   */
  filterColor(color: Color, ofFont: boolean): number {
    if (ofFont) return this.differenceOf({ font: { color } });
    if (color.auto) return this.differenceOf({ fill: { pattern: 'none' } });
    const colors = colorXml('fgColor', color) + colorXml('bgColor', color);
    return this.#differences.indexOf(
      `<dxf><fill><patternFill patternType="solid">${colors}</patternFill></fill></dxf>`,
    );
  }

  /** The part as it has to be; undefined when it is as it was. */
  changedBytes(): Uint8Array | undefined {
    const edits = new PartEdits(this.#xml, ORDER);
    edits.append('numFmts', this.#newNumberFormats, true);
    for (const [name, list] of [
      ['fonts', this.#fonts],
      ['fills', this.#fills],
      ['borders', this.#borders],
      ['cellXfs', this.#cellFormats],
      ['dxfs', this.#differences],
    ] as const)
      edits.append(name, list.added, true);
    return edits.isEmpty ? undefined : this.#xml.encode(edits.text());
  }

  #formatXml(format: CellFormat): string {
    const xml = this.#xml;
    const catalog = this.#catalog;
    const baseIndex = format.base !== undefined && format.base < this.#present ? format.base : 0;
    const base = catalog.formats[baseIndex]!;
    const before = this.#formats[baseIndex] ?? {};
    const given = xml.attributes(base);
    const isChanged = (name: keyof CellFormat) =>
      formatKey(format[name] ?? null) !== formatKey(before[name] ?? null);
    const changes: Record<string, string | number> = {};
    if (isChanged('number')) {
      changes.numFmtId = this.#numberId(format.number ?? 'General');
      changes.applyNumberFormat = 1;
    }
    if (isChanged('font')) {
      const element = catalog.fonts[numberOf(given.fontId) ?? 0];
      const font: Font = { ...catalog.normalFont, ...format.font };
      const inner = fontXml(font, 'name', element && { xml, element });
      changes.fontId = this.#fonts.indexOf(`<font>${inner}</font>`);
      changes.applyFont = 1;
    }
    if (isChanged('fill')) {
      changes.fillId = this.#fills.indexOf(fillXml(format.fill));
      changes.applyFill = 1;
    }
    if (isChanged('border')) {
      changes.borderId = this.#borders.indexOf(bordersXml(format.border));
      changes.applyBorder = 1;
    }
    if (isChanged('style')) changes.xfId = this.#styleOf(format.style);
    if (isChanged('align')) changes.applyAlignment = 1;
    if (isChanged('protection')) changes.applyProtection = 1;
    const children = [
      this.#child(base, 'alignment', isChanged('align') ? alignmentAttributes(format.align) : null),
      this.#child(
        base,
        'protection',
        isChanged('protection') ? protectionAttributes(format.protection) : null,
      ),
      this.#child(base, 'extLst', null),
    ].join('');
    const tag = `xf${attributesXml({ ...given, ...changes })}`;
    return children === '' ? `<${tag}/>` : `<${tag}>${children}</xf>`;
  }

  #child(base: XmlElement, name: string, changes: Record<string, string | number | null> | null): string {
    const present = this.#xml.child(base, name);
    if (!changes) return present ? this.#xml.raw(present) : '';
    if (!present) return elementXml(name, changes);
    const changed = withAttributes(this.#xml.raw(present), changes);
    return /^<\w+\s*\/>$/.test(changed) ? '' : changed;
  }

  #numberId(code: string): number {
    const known = builtInNumber(code) ?? this.#numberFormats.get(code);
    if (known !== undefined) return known;
    const last = Math.max(FIRST_OWN_FORMAT - 1, this.#catalog.lastNumberFormat);
    const id = last + this.#newNumberFormats.length + 1;
    this.#numberFormats.set(code, id);
    this.#newNumberFormats.push(`<numFmt${attributesXml({ numFmtId: id, formatCode: code })}/>`);
    return id;
  }

  #styleOf(name: string | undefined): number {
    for (const [id, one] of this.#catalog.styleNames) if (one === name) return id;
    return 0;
  }
}

function protectionAttributes(protection: CellFormat['protection']): Record<string, number | null> {
  return {
    locked: protection?.locked === false ? 0 : null,
    hidden: protection?.hidden ? 1 : null,
  };
}

function elementXml(name: string, attributes: Record<string, string | number | null>): string {
  const xml = attributesXml(attributes);
  return xml === '' ? '' : `<${name}${xml}/>`;
}

function emptyCatalog(main: string): StyleCatalog {
  return new StyleCatalog(new XmlDocument(emptyStylesXml(main)));
}

/** The styles part of a workbook without any. @param font of the normal style */
export function emptyStylesXml(main: string, font = { name: 'Calibri', size: 11 }): string {
  return `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<styleSheet xmlns="${main}"><fonts count="1"><font><sz val="${font.size}"/><name val="${font.name}"/><family val="2"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/></cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>`;
}
