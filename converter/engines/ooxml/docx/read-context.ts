import type { Relationships } from '../relationships.ts';
import type { XmlDocument } from '../xml-document.ts';
import type { XmlElement } from '../xml-scanner.ts';
import { unescapeXml } from '../xml-text.ts';
import type { MediaCatalog } from './media-catalog.ts';
import type { RunPropertyReader } from './run-property-reader.ts';
import type { SourceMap } from './source-map.ts';

/** What the readers of a main document part share. */
export interface ReadContext {
  readonly xml: XmlDocument;
  readonly map: SourceMap;
  readonly runs: RunPropertyReader;
  readonly relationships: Relationships;
  readonly media: MediaCatalog;
  /** Section properties (17.6.17) in document order. */
  readonly sections: XmlElement[];
}

const MARKUP = /<[^>]*(?:>|$)/g;
const INSTRUCTION = /<w:instrText[\s\S]*?(?:<\/w:instrText>|$)/g;
/** As much XML as is looked at for a label. */
const LABEL_SOURCE_CHARS = 4_000;
const LABEL_CHARS = 80;

/** The text of a stretch of XML, shortened, to be shown in place of what the model does not hold. */
export function labelOf(text: string, start: number, end: number): string {
  const source = text.slice(start, Math.min(end, start + LABEL_SOURCE_CHARS));
  const plain = source
    .replace(INSTRUCTION, '')
    .replace(MARKUP, '')
    .replace(/&[^;]*$/, '');
  const label = unescapeXml(plain).replace(/\s+/g, ' ').trim();
  return label.length <= LABEL_CHARS
    ? label
    : `${label.slice(0, LABEL_CHARS).replace(/[\ud800-\udbff]$/, '')}…`;
}

/** Namespace declarations that generated XML makes for itself where the root does not. */
const WELL_KNOWN = /^xmlns:(?:r|wp|a|pic)$/;

/**
 * True when an element binds prefixes otherwise than the root does. Its pieces mean something only inside it, so it
 * is kept whole.
 */
export function bindsPrefixes(xml: XmlDocument, element: XmlElement): boolean {
  if (element.openEnd - element.attributesStart < 8 || !xml.openTag(element).includes('xmlns')) return false;
  const root = xml.attributes(xml.root);
  return Object.entries(xml.attributes(element)).some(([name, value]) => {
    if (name !== 'xmlns' && !name.startsWith('xmlns:')) return false;
    return root[name] === undefined ? !WELL_KNOWN.test(name) : root[name] !== value;
  });
}
