import { isRelationshipType } from '../../package/namespaces.ts';
import { type OfficePackage, unlessDamaged } from '../../package/office-package.ts';
import { type Relationships, resolveTarget } from '../../package/relationships.ts';
import { applyEdits, type TextEdit } from '../../package/text-edits.ts';
import { XmlDocument } from '../../package/xml-document.ts';
import type { XmlElement } from '../../package/xml-scanner.ts';
import { escapeAttribute, escapeText, withAttributes } from '../../package/xml-text.ts';
import type { Binding } from './control-properties.ts';
import { findPlace, parseXPath, scopeAt, type XmlPlace } from './xpath.ts';

/** Parts of every package that controls are bound to by ids of their own ([MS-OI29500] 2.1.501). */
const CORE_PROPERTIES = '{6C3C8BC8-F283-45AE-878A-BAB7291924A1}';
const EXTENDED_PROPERTIES = '{6668398D-A668-4E3E-A5EB-62B293D839F1}';
/** Their relationships; the strict vocabulary spells the second otherwise. */
const EXTENDED_TYPES = ['extended-properties', 'extendedProperties'];
const CORE_TYPE = /\/metadata\/core-properties$/;

/** Those that hold a text and may be lacking: programs show them as empty. */
const TEXT_PROPERTIES = new Set([
  ...['title', 'subject', 'creator', 'keywords', 'description', 'category', 'contentStatus', 'identifier'],
  ...['language', 'version', 'Company', 'Manager', 'HyperlinkBase'],
]);

/** A property of the document that its part does not have yet, and can be given. */
interface MissingProperty {
  readonly namespace: string;
  readonly local: string;
}

/** Where the value of a bound control is. */
export interface DataNode extends XmlPlace {
  readonly partName: string;
  readonly xml: XmlDocument;
  /** Set when `element` is the one that it would be in. */
  readonly missing: MissingProperty | null;
}

/**
 * - a node: the control shows its value
 * - `none`: the data lacks the part or the node, and the control shows its own content
 * - `unknown`: programs may find a node by an expression that is not understood here
 */
type BoundTo = DataNode | 'none' | 'unknown';

interface DataPart {
  readonly partName: string;
  readonly xml: XmlDocument;
}

/** The parts of a package that content controls take their values from (22.5). They are read when first asked for. */
export class DataParts {
  readonly #package: OfficePackage;
  readonly #relationships: Relationships;
  #byId: ReadonlyMap<string, DataPart> | undefined;

  constructor(opened: OfficePackage, relationships: Relationships) {
    this.#package = opened;
    this.#relationships = relationships;
  }

  find(binding: Binding): BoundTo {
    const { storeItemId, xpath, prefixMappings } = binding;
    this.#byId ??= this.#read();
    const one = this.#byId.get(storeItemId);
    const parts = storeItemId === '' ? [...this.#byId.values()] : one ? [one] : [];
    if (parts.length === 0) return isProperties(storeItemId) ? 'unknown' : 'none';
    const path = parseXPath(xpath, prefixMappings);
    if (!path) return 'unknown';
    for (const part of parts) {
      const place = findPlace(part.xml, path);
      if (!place) continue;
      // A value is a text: an element with elements in it is none.
      return place.attribute === null && place.element.children.length > 0
        ? 'none'
        : { ...part, ...place, missing: null };
    }
    const [root, property] = path.steps;
    const isRoot =
      one && path.steps.length === 2 && findPlace(one.xml, { steps: [root!], attribute: undefined });
    if (!isRoot || path.attribute || !property?.name || !TEXT_PROPERTIES.has(property.name.local))
      return 'none';
    if (!isProperties(storeItemId) || property.name.namespace === '') return 'none';
    return { ...one, element: one.xml.root, attribute: null, missing: property.name };
  }

  #read(): ReadonlyMap<string, DataPart> {
    const found = new Map<string, DataPart>();
    const add = (id: string, partName: string): void => {
      const xml = found.has(id) ? undefined : this.#readable(partName);
      if (xml) found.set(id, { partName, xml });
    };
    for (const { type, target, external } of this.#relationships.all) {
      if (external || !isRelationshipType(type, 'customXml')) continue;
      const partName = resolveTarget(this.#package.mainPart, target);
      add(this.#idOf(partName)?.toUpperCase() ?? partName, partName);
    }
    for (const { type, target, external } of this.#package.relationshipsOf('').all) {
      if (external) continue;
      if (CORE_TYPE.test(type)) add(CORE_PROPERTIES, resolveTarget('', target));
      if (EXTENDED_TYPES.some((name) => isRelationshipType(type, name))) {
        add(EXTENDED_PROPERTIES, resolveTarget('', target));
      }
    }
    return found;
  }

  #readable(partName: string): XmlDocument | undefined {
    return unlessDamaged(() => {
      const bytes = this.#package.read(partName);
      return bytes && XmlDocument.parseData(bytes);
    });
  }

  /** The id that the properties of a part with data give it (22.5.2.1). */
  #idOf(partName: string): string | undefined {
    const properties = this.#package
      .relationshipsOf(partName)
      .all.find(({ type, external }) => !external && isRelationshipType(type, 'customXmlProps'));
    const xml = properties && this.#readable(resolveTarget(partName, properties.target));
    if (!xml) return undefined;
    return Object.entries(xml.attributes(xml.root)).find(
      ([name]) => name.replace(/^.*:/, '') === 'itemID',
    )?.[1];
  }
}

const isProperties = (id: string): boolean => id === CORE_PROPERTIES || id === EXTENDED_PROPERTIES;

/** The value that a node has. */
export function nodeValue({ xml, element, attribute, missing }: DataNode): string {
  if (missing) return '';
  return attribute === null ? xml.content(element) : (xml.attribute(element, attribute) ?? '');
}

/** Formatted text is kept in data as a whole package of its own ([MS-DOCX] 2.5.4.1). */
export const isPackage = (value: string): boolean => /^\s*<(?:\?xml|pkg:package)\b/.test(value);

/** Names a node among all of its package. */
export function nodeKey({ partName, element, attribute, missing }: DataNode): string {
  return JSON.stringify([partName, element.start, attribute, missing]);
}

/** The prefix that a namespace has at the root of a part; undefined where it has none. */
function prefixFor(xml: XmlDocument, root: XmlElement, namespace: string): string | undefined {
  return Object.entries(scopeAt(xml, root, Object.create(null))).find(
    ([, bound]) => bound === namespace,
  )?.[0];
}

interface NewValue {
  readonly node: DataNode;
  readonly value: string;
}

/** New values of nodes that controls are bound to. Every other byte of their parts stays. */
export class DataEdits {
  readonly #values = new Map<string, NewValue>();

  get isEmpty(): boolean {
    return this.#values.size === 0;
  }

  /** The value that a node is given; undefined when it keeps its own. */
  valueOf(node: DataNode): string | undefined {
    return this.#values.get(nodeKey(node))?.value;
  }

  set(node: DataNode, value: string): void {
    this.#values.set(nodeKey(node), { node, value });
  }

  /** New bytes by part name. */
  changes(): Map<string, Uint8Array> {
    const byElement = new Map<XmlElement, NewValue[]>();
    for (const one of this.#values.values()) {
      if (one.value === nodeValue(one.node)) continue;
      byElement.set(one.node.element, [...(byElement.get(one.node.element) ?? []), one]);
    }
    const parts = new Map<string, { readonly xml: XmlDocument; readonly edits: TextEdit[] }>();
    for (const values of byElement.values()) {
      const { partName, xml } = values[0]!.node;
      const part = parts.get(partName) ?? { xml, edits: [] };
      parts.set(partName, part);
      part.edits.push(...editsOf(values));
    }
    return new Map(
      [...parts].map(([name, { xml, edits }]) => [name, xml.encode(applyEdits(xml.text, edits))]),
    );
  }
}

/** The edits that give one element its values: of itself, of attributes, and of properties that are added to it. */
function editsOf(values: readonly NewValue[]): TextEdit[] {
  const { xml, element } = values[0]!.node;
  const { start, openEnd, closeStart, selfClosing, name } = element;
  const tag = xml.openTag(element);
  let open = tag;
  let content: string | undefined;
  let added = '';
  for (const { node, value } of values) {
    if (node.missing) added += propertyXml(node, value);
    else if (node.attribute !== null) open = withAttributes(open, { [node.attribute]: value });
    else {
      content = escapeText(value);
      const nil = Object.keys(xml.attributes(element)).find((one) => /:nil$/.test(one));
      if (nil !== undefined && value !== '') open = withAttributes(open, { [nil]: null });
    }
  }
  const edits: TextEdit[] = [];
  const inside = (content ?? '') + added;
  if (selfClosing && inside !== '') {
    return [{ start, end: openEnd, text: `${open.replace(/\s*\/>$/, '>')}${inside}</${name}>` }];
  }
  if (open !== tag) edits.push({ start, end: openEnd, text: open });
  if (content !== undefined && !selfClosing) edits.push({ start: openEnd, end: closeStart, text: content });
  if (added !== '') edits.push({ start: closeStart, end: closeStart, text: added });
  return edits;
}

function propertyXml({ xml, element, missing }: DataNode, value: string): string {
  const { namespace, local } = missing!;
  const prefix = prefixFor(xml, element, namespace);
  const name = prefix ? `${prefix}:${local}` : local;
  const declared = prefix === undefined ? ` xmlns="${escapeAttribute(namespace)}"` : '';
  return `<${name}${declared}>${escapeText(value)}</${name}>`;
}
