import { CanonicalXml } from './canonical-xml.ts';
import { TAG_MARK } from './tag-names.ts';
import { decodeXml, encodeXml, type XmlEncoding } from './xml-encoding.ts';
import { scanXml, type XmlElement } from './xml-scanner.ts';
import { unescapeXml } from './xml-text.ts';

export type XmlAttributes = Readonly<Record<string, string>>;

/** Begins where a name can only: a long word that is no attribute would else be tried from each of its characters. */
const ATTRIBUTE = /(?<![^\s=/"'])([^\s=/]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;
const CONTENT = /<!--[\s\S]*?-->|<\?[\s\S]*?\?>|<!\[CDATA\[([\s\S]*?)\]\]>|<[^>]*>|[^<]+/g;
const NO_ATTRIBUTES: XmlAttributes = Object.freeze(Object.create(null));

/** A scanned part: its text, its elements, and the questions one asks about them. */
export class XmlDocument {
  readonly text: string;
  readonly root: XmlElement;
  readonly encoding: XmlEncoding;
  readonly #canonical: CanonicalXml | undefined;

  constructor(text: string, encoding: XmlEncoding = 'utf-8', canonical?: CanonicalXml) {
    this.text = text;
    this.encoding = encoding;
    this.root = scanXml(text);
    this.#canonical = canonical;
  }

  /**
   * A part, with names by the prefixes that our code knows, whichever it has (see `CanonicalXml`).
   * @throws ConversionError when the bytes are not XML that a package may hold
   */
  static parse(bytes: Uint8Array): XmlDocument {
    const { text, encoding } = decodeXml(bytes);
    const given = new XmlDocument(text, encoding);
    const canonical = CanonicalXml.of(text, given.root);
    return canonical ? new XmlDocument(canonical.text, encoding, canonical) : given;
  }

  /**
   * A part that is no part of a document, with the names that it has.
   * @throws ConversionError when the bytes are not XML that a package may hold
   */
  static parseData(bytes: Uint8Array): XmlDocument {
    const { text, encoding } = decodeXml(bytes);
    return new XmlDocument(text, encoding);
  }

  /** Bytes of a changed text of this part, in the encoding and with the prefixes that the part has. */
  encode(text: string): Uint8Array {
    return encodeXml(this.#canonical?.restore(text) ?? text, this.encoding);
  }

  raw(element: XmlElement): string {
    return this.text.slice(element.start, element.end);
  }

  openTag(element: XmlElement): string {
    return this.text.slice(element.start, element.openEnd);
  }

  inner(element: XmlElement): string {
    return element.selfClosing ? '' : this.text.slice(element.openEnd, element.closeStart);
  }

  child(element: XmlElement | undefined, name: string): XmlElement | undefined {
    return element?.children.find((child) => child.name === name);
  }

  /** The attributes by qualified name, decoded. */
  attributes(element: XmlElement): XmlAttributes {
    const end = element.openEnd - (element.selfClosing ? 2 : 1);
    if (end <= element.attributesStart) return NO_ATTRIBUTES;
    const found: Record<string, string> = Object.create(null);
    for (const match of this.text.slice(element.attributesStart, end).matchAll(ATTRIBUTE)) {
      if (match[1] !== TAG_MARK) found[match[1]!] = unescapeXml(match[2] ?? match[3] ?? '');
    }
    return found;
  }

  attribute(element: XmlElement | undefined, name: string): string | undefined {
    return element ? this.attributes(element)[name] : undefined;
  }

  /** Character data of an element without its markup (CDATA included, line ends normalised). */
  content(element: XmlElement): string {
    const inner = this.inner(element);
    if (!inner.includes('<')) return unescapeXml(normaliseLineEnds(inner));
    let content = '';
    for (const [match, cdata] of inner.matchAll(CONTENT)) {
      if (cdata !== undefined) content += normaliseLineEnds(cdata);
      else if (!match.startsWith('<')) content += unescapeXml(normaliseLineEnds(match));
    }
    return content;
  }
}

function normaliseLineEnds(text: string): string {
  return text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text;
}
