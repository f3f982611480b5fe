import type { XmlDocument } from '../package/xml-document.ts';
import type { XmlElement } from '../package/xml-scanner.ts';

/** An element around rows or cells of a table: a content control (17.5.2.30, 17.5.2.32), custom XML (17.5.1.4), and the like. */
export interface TableWrap {
  readonly element: XmlElement;
  /** Up to the first row, cell or wrap in it, and from the last one on. */
  readonly openXml: string;
  readonly closeXml: string;
  /** What stands between it and the row, cell or wrap before it, such as the end of a bookmark. */
  readonly lead: string;
}

/** A row of a table, or a cell of a row. */
export interface WrappedElement {
  readonly element: XmlElement;
  /** Outermost first. */
  readonly wraps: readonly TableWrap[];
  readonly lead: string;
}

/** Rows of a table or cells of a row, whatever is around them, and from where to where they and that reach. */
export interface WrappedElements {
  readonly found: readonly WrappedElement[];
  readonly contentStart: number;
  readonly contentEnd: number;
}

const WRAPS = new Set(['w:sdt', 'w:customXml', 'w:smartTag', 'w:ins', 'w:del', 'w:moveFrom', 'w:moveTo']);
const PROPERTIES = new Set([
  'w:tblPr',
  'w:tblGrid',
  'w:tblPrEx',
  'w:trPr',
  'w:sdtPr',
  'w:sdtEndPr',
  'w:customXmlPr',
  'w:smartTagPr',
  'w:proofErr',
]);
/** Ends of ranges, which may stand between any rows and cells (17.13). */
const RANGE_END = /^w:(?:bookmark|perm|(?:comment|move\w+|customXml\w+)Range)(?:Start|End)$/;

/**
 * The rows of a table or the cells of a row. Undefined when there are none, and when there is anything else that people
 * would see.
 */
export function wrappedElements(
  xml: XmlDocument,
  parent: XmlElement,
  name: 'w:tr' | 'w:tc',
): WrappedElements | undefined {
  const collector = new Collector(xml, name);
  const content = collector.collect(parent.children, []);
  return content && { found: collector.found, ...content };
}

interface Extent {
  readonly contentStart: number;
  readonly contentEnd: number;
}

class Collector {
  readonly found: WrappedElement[] = [];
  readonly #xml: XmlDocument;
  readonly #name: string;
  /** Wraps that were looked into, and whether they hold what is wanted. */
  readonly #holds = new Map<XmlElement, boolean>();

  constructor(xml: XmlDocument, name: string) {
    this.#xml = xml;
    this.#name = name;
  }

  collect(children: readonly XmlElement[], wraps: readonly TableWrap[]): Extent | undefined {
    const { text } = this.#xml;
    let extent: Extent | undefined;
    for (const element of children) {
      if (!this.#isHolder(element)) {
        if (isLoose(element)) continue;
        return undefined;
      }
      const between = extent ? text.slice(extent.contentEnd, element.start) : '';
      const lead = between.includes('<') ? between : '';
      extent = { contentStart: extent?.contentStart ?? element.start, contentEnd: element.end };
      if (element.name === this.#name) {
        this.found.push({ element, wraps, lead });
        continue;
      }
      const wrap = this.#wrapOf(element, lead);
      if (!this.collect(this.#contentOf(element), [...wraps, wrap])) return undefined;
    }
    return extent;
  }

  #wrapOf(element: XmlElement, lead: string): TableWrap {
    const holders = this.#contentOf(element).filter((child) => this.#isHolder(child));
    const openXml = this.#xml.text.slice(element.start, holders[0]!.start);
    const closeXml = this.#xml.text.slice(holders.at(-1)!.end, element.end);
    return { element, openXml, closeXml, lead };
  }

  /** Whether an element is what is wanted, or a wrap around such. */
  #isHolder(element: XmlElement): boolean {
    if (element.name === this.#name) return true;
    if (!WRAPS.has(element.name)) return false;
    const known = this.#holds.get(element);
    if (known !== undefined) return known;
    const holds = this.#contentOf(element).some((child) => this.#isHolder(child));
    this.#holds.set(element, holds);
    return holds;
  }

  #contentOf(element: XmlElement): readonly XmlElement[] {
    const content = element.name === 'w:sdt' ? this.#xml.child(element, 'w:sdtContent') : element;
    return content?.children ?? [];
  }
}

/** What nobody sees: properties, ends of ranges, and wraps with nothing else in them. */
function isLoose(element: XmlElement): boolean {
  if (PROPERTIES.has(element.name) || RANGE_END.test(element.name)) return true;
  const isEmpty = WRAPS.has(element.name) || element.name === 'w:sdtContent';
  return isEmpty && element.children.every(isLoose);
}
