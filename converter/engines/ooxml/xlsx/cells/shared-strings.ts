import type { CellValue, TextRun } from '../../../../../model/cell/values.ts';
import { overLimit } from '../../../../errors.ts';
import type { XmlDocument } from '../../package/xml-document.ts';
import type { XmlElement } from '../../package/xml-scanner.ts';
import { escapeText } from '../../package/xml-text.ts';
import { decodeCellText, encodeCellText } from '../cell-text.ts';
import { fontXml, readFont } from '../styles/format-xml.ts';

/** Texts that a workbook may have. */
const MOST_TEXTS = 2_000_000;

/** The texts that cells name by their numbers (18.4). */
export class SharedStrings {
  readonly #xml: XmlDocument | undefined;
  readonly #items: readonly XmlElement[];
  readonly #read: (CellValue | undefined)[] = [];

  /** @throws ConversionError limits */
  constructor(xml: XmlDocument | undefined) {
    this.#xml = xml;
    this.#items = xml?.plainChildren(xml.root).filter(({ name }) => name === 'si') ?? [];
    if (this.#items.length > MOST_TEXTS) throw overLimit('the workbook has too many texts');
  }

  /** An empty text where there is none of this number. */
  at(index: number): CellValue {
    const known = this.#read[index];
    if (known !== undefined) return known;
    const item = this.#items[index];
    const value = item ? readText(this.#xml!, item) : '';
    this.#read[index] = value;
    return value;
  }
}

/** The text of a `si` or an `is` (18.4.8): plain, or in runs. What tells how a text is spoken is left out. */
export function readText(xml: XmlDocument, element: XmlElement): CellValue {
  const runs: TextRun[] = [];
  for (const child of element.children) {
    if (child.name === 't') runs.push({ t: textOf(xml, child) });
    else if (child.name === 'r') {
      const properties = xml.child(child, 'rPr');
      const text = xml.child(child, 't');
      const font = properties && readFont(xml, properties);
      const t = text ? textOf(xml, text) : '';
      runs.push(font && Object.keys(font).length > 0 ? { t, font } : { t });
    }
  }
  if (runs.every(({ font }) => font === undefined)) return runs.map(({ t }) => t).join('');
  return { r: runs.filter(({ t }) => t !== '') };
}

const textOf = (xml: XmlDocument, element: XmlElement): string => decodeCellText(xml.content(element));

/** What `is` holds for a text. */
export function textXml(runs: readonly TextRun[], isRich: boolean): string {
  const piece = (text: string) => `<t xml:space="preserve">${escapeText(encodeCellText(text))}</t>`;
  if (!isRich) return piece(runs.map(({ t }) => t).join(''));
  return runs
    .map(({ t, font }) => `<r>${font ? `<rPr>${fontXml(font, 'rFont')}</rPr>` : ''}${piece(t)}</r>`)
    .join('');
}
