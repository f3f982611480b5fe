import { ConversionError, corrupted } from '../../../errors.ts';
import { CanonicalXml } from './canonical-xml.ts';
import { type KnownPrefixes, SHARED_PREFIXES } from './namespaces.ts';
import { TAG_MARK } from './tag-names.ts';
import { applyEdits, type TextEdit } from './text-edits.ts';
import { scanXml, type XmlElement } from './xml-scanner.ts';
import { unescapeXml, withAttributes } from './xml-text.ts';

export type XmlAttributes = Readonly<Record<string, string>>;

/** Changes of a part. */
interface PartEdit {
  /** Attributes that the root gets. */
  readonly rootAttributes?: XmlAttributes;
  /** Edits of what the root holds. */
  readonly edits?: readonly TextEdit[];
  /** XML that follows the last child of the root. */
  readonly appended: string;
}

/** Encodings that parts may have (ECMA-376 Part 2, 8.1.4: UTF-8 or UTF-16). The byte order mark stays in the text. */
export type XmlEncoding = 'utf-8' | 'utf-16le' | 'utf-16be';

const DECLARED = /^\ufeff?<\?xml[^>]*?\sencoding\s*=\s*["']([^"']*)["']/;

/** Begins where a name can only: a long word that is no attribute would else be tried from each of its characters. */
const ATTRIBUTE = /(?<![^\s=/"'])([^\s=/]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;
const CONTENT = /<!--[\s\S]*?-->|<\?[\s\S]*?\?>|<!\[CDATA\[([\s\S]*?)\]\]>|<[^>]*>|[^<]+/g;
const CHOICE = 'mc:AlternateContent';
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
   * @param known those prefixes, for parts of one kind of packages
   * @throws ConversionError when the bytes are not XML that a package may hold
   */
  static parse(bytes: Uint8Array, known: KnownPrefixes = SHARED_PREFIXES): XmlDocument {
    const { text, encoding } = decodeXml(bytes);
    return XmlDocument.canonical(text, encoding, known);
  }

  /** A part whose text is known. @throws as {@link parse} does */
  static canonical(text: string, encoding: XmlEncoding, known: KnownPrefixes): XmlDocument {
    const given = new XmlDocument(text, encoding);
    const canonical = CanonicalXml.of(text, given.root, known);
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
    return encodeXml(this.restore(text), this.encoding);
  }

  /** A changed text of this part with the prefixes that the part has. */
  restore(text: string): string {
    return this.#canonical?.restore(text) ?? text;
  }

  /** The text with changes of the root and of what it holds; every other byte stays. */
  edited({ rootAttributes = {}, edits = [], appended }: PartEdit): string {
    const { root, text } = this;
    const tag = withAttributes(this.openTag(root), rootAttributes);
    const { start, openEnd, closeStart } = root;
    if (root.selfClosing) {
      const element = appended === '' ? tag : `${tag.replace(/\s*\/>$/, '>')}${appended}</${root.name}>`;
      return text.slice(0, start) + element + text.slice(openEnd);
    }
    return applyEdits(text, [
      { start, end: openEnd, text: tag },
      ...edits,
      { start: closeStart, end: closeStart, text: appended },
    ]);
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

  /** The children of an element as a program has them that knows no extensions: where it may choose, what is for those (ECMA-376 Part 3, 9.3). */
  plainChildren(element: XmlElement): readonly XmlElement[] {
    if (!element.children.some(({ name }) => name === CHOICE)) return element.children;
    return element.children.flatMap((child) =>
      child.name === CHOICE ? (this.child(child, 'mc:Fallback')?.children ?? []) : [child],
    );
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

/** @throws ConversionError unknownFormat for another encoding, corrupted for bytes that are not text */
export function decodeXml(bytes: Uint8Array): { text: string; encoding: XmlEncoding } {
  const encoding = encodingOf(bytes);
  let text: string;
  try {
    text = new TextDecoder(encoding, { ignoreBOM: true, fatal: true }).decode(bytes);
  } catch (error) {
    throw corrupted('XML: the text does not match its encoding', error);
  }
  const declared = DECLARED.exec(text)?.[1]?.toLowerCase();
  const family = encoding === 'utf-8' ? 'utf-8' : 'utf-16';
  if (declared && !declared.startsWith(family) && !(family === 'utf-8' && declared === 'us-ascii')) {
    throw new ConversionError('unknownFormat', 'XML: only UTF-8 and UTF-16 are supported');
  }
  return { text, encoding };
}

export function encodeXml(text: string, encoding: XmlEncoding): Uint8Array {
  if (encoding === 'utf-8') return Buffer.from(text, 'utf8');
  const bytes = Buffer.from(text, 'utf16le');
  return encoding === 'utf-16le' ? bytes : bytes.swap16();
}

function encodingOf(bytes: Uint8Array): XmlEncoding {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  if (first === 0x3c && second === 0) return 'utf-16le';
  if (first === 0 && second === 0x3c) return 'utf-16be';
  return 'utf-8';
}
