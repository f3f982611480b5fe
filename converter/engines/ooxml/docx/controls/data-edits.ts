import { applyEdits, type TextEdit } from '../../package/text-edits.ts';
import type { XmlDocument } from '../../package/xml-document.ts';
import type { XmlElement } from '../../package/xml-scanner.ts';
import { escapeAttribute, escapeText, withAttributes } from '../../package/xml-text.ts';
import { type DataNode, nodeKey, nodeValue, prefixFor } from './data-parts.ts';

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
