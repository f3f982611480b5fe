/**
 * Namespaces that all kinds of packages share. ECMA-376 has two vocabularies: Part 4 (transitional, which Office writes) and
 * Part 1 (strict).
 */
export interface SharedVocabulary {
  readonly strict: boolean;
  readonly relationships: string;
  readonly drawing: string;
  readonly picture: string;
}

export const TRANSITIONAL: SharedVocabulary = {
  strict: false,
  relationships: 'http://schemas.openxmlformats.org/officeDocument/2006/relationships',
  drawing: 'http://schemas.openxmlformats.org/drawingml/2006/main',
  picture: 'http://schemas.openxmlformats.org/drawingml/2006/picture',
};

export const STRICT: SharedVocabulary = {
  strict: true,
  relationships: 'http://purl.oclc.org/ooxml/officeDocument/relationships',
  drawing: 'http://purl.oclc.org/ooxml/drawingml/main',
  picture: 'http://purl.oclc.org/ooxml/drawingml/picture',
};

export const PACKAGE_RELATIONSHIPS = 'http://schemas.openxmlformats.org/package/2006/relationships';

/** True when a relationship's type has this local name (`image`, `hyperlink`, ...) in either vocabulary. */
export function isRelationshipType(type: string, localName: string): boolean {
  return (
    type === `${TRANSITIONAL.relationships}/${localName}` || type === `${STRICT.relationships}/${localName}`
  );
}

/** The prefixes by which our code names elements and attributes of a kind of parts. */
export class KnownPrefixes {
  readonly #byNamespace: ReadonlyMap<string, string>;
  readonly #prefixes: ReadonlySet<string>;
  readonly #movedWhole: RegExp;

  /**
   * @param prefixes pairs of namespace and prefix
   * @param movedWhole sticky; matches the start tag of an element that is moved only as a whole, with what it declares
   */
  constructor(prefixes: Iterable<readonly [namespace: string, prefix: string]>, movedWhole: RegExp) {
    this.#byNamespace = new Map(prefixes);
    this.#prefixes = new Set(this.#byNamespace.values());
    this.#movedWhole = movedWhole;
  }

  /** Undefined for a namespace that our code does not name. */
  of(namespace: string): string | undefined {
    return this.#byNamespace.get(namespace);
  }

  has(prefix: string): boolean {
    return this.#prefixes.has(prefix);
  }

  /** Whether the element whose start tag begins at an offset of a text is moved only as a whole. */
  isMovedWhole(text: string, tagStart: number): boolean {
    this.#movedWhole.lastIndex = tagStart;
    return this.#movedWhole.test(text);
  }

  [Symbol.iterator](): Iterator<readonly [namespace: string, prefix: string]> {
    return this.#byNamespace.entries();
  }
}

export const SHARED_PREFIXES = new KnownPrefixes(
  [
    ...[TRANSITIONAL, STRICT].flatMap(({ relationships, drawing, picture }) => [
      [relationships, 'r'] as const,
      [drawing, 'a'] as const,
      [picture, 'pic'] as const,
    ]),
    ['http://schemas.openxmlformats.org/officeDocument/2006/math', 'm'],
    ['http://purl.oclc.org/ooxml/officeDocument/math', 'm'],
    ['http://schemas.openxmlformats.org/markup-compatibility/2006', 'mc'],
    ['urn:schemas-microsoft-com:vml', 'v'],
    ['urn:schemas-microsoft-com:office:office', 'o'],
    ['http://schemas.microsoft.com/office/drawing/2016/SVG/main', 'asvg'],
  ],
  /</y,
);
