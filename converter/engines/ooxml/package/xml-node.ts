import { type XmlAttributes, XmlDocument } from './xml-document.ts';
import type { XmlElement } from './xml-scanner.ts';
import { withAttributes } from './xml-text.ts';

/**
 * An element that can be changed: its text is the one that it was made of, byte for byte, but for what was changed. For parts in
 * which changes lie within each other; where they do not, `TextEdit`s cost less.
 */
export class XmlNode {
  #name: string;
  #tag: string;
  /** Elements, and what stands between them. */
  #content: (XmlNode | string)[];
  /** Null for an element without an end tag. */
  #endTag: string | null;

  private constructor(name: string, tag: string, content: (XmlNode | string)[], endTag: string | null) {
    this.#name = name;
    this.#tag = tag;
    this.#content = content;
    this.#endTag = endTag;
  }

  static of(xml: XmlDocument, element: XmlElement): XmlNode {
    return XmlNode.#of(xml.text, element);
  }

  static #of(text: string, element: XmlElement): XmlNode {
    const tag = text.slice(element.start, element.openEnd);
    if (element.selfClosing) return new XmlNode(element.name, tag, [], null);
    const content: (XmlNode | string)[] = [];
    let done = element.openEnd;
    for (const child of element.children) {
      if (child.start > done) content.push(text.slice(done, child.start));
      content.push(XmlNode.#of(text, child));
      done = child.end;
    }
    if (element.closeStart > done) content.push(text.slice(done, element.closeStart));
    return new XmlNode(element.name, tag, content, text.slice(element.closeStart, element.end));
  }

  /** An element of a text of ours. */
  static parse(text: string): XmlNode {
    const xml = new XmlDocument(text);
    return XmlNode.of(xml, xml.root);
  }

  get name(): string {
    return this.#name;
  }

  get children(): XmlNode[] {
    return this.#content.filter((part) => typeof part !== 'string');
  }

  child(name: string): XmlNode | undefined {
    return this.children.find((child) => child.name === name);
  }

  all(name: string): XmlNode[] {
    return this.children.filter((child) => child.name === name);
  }

  /** An element below this one, by the names on the way to it. */
  at(...names: readonly string[]): XmlNode | undefined {
    return names.reduce<XmlNode | undefined>((node, name) => node?.child(name), this);
  }

  attributes(): XmlAttributes {
    const xml = new XmlDocument(this.#endTag === null ? this.#tag : `${this.#tag}</${this.#name}>`);
    return xml.attributes(xml.root);
  }

  attribute(name: string): string | undefined {
    return this.attributes()[name];
  }

  /** Sets attributes, or (null) takes them away. */
  set(attributes: Readonly<Record<string, string | number | null>>): void {
    this.#tag = withAttributes(this.#tag, attributes);
  }

  /** Calls it otherwise; its attributes go. */
  rename(name: string): void {
    this.#tag = this.#endTag === null ? `<${name}/>` : `<${name}>`;
    if (this.#endTag !== null) this.#endTag = `</${name}>`;
    this.#name = name;
  }

  remove(...gone: readonly (XmlNode | undefined)[]): void {
    if (gone.some((node) => node !== undefined))
      this.#content = this.#content.filter((part) => !gone.includes(part as XmlNode));
  }

  /** Puts an element where the schema wants it: before the first of those that come behind it. */
  insert(node: XmlNode, order: readonly string[]): void {
    this.#open();
    const rank = order.indexOf(node.name);
    const at = this.#content.findIndex((part) => typeof part !== 'string' && order.indexOf(part.name) > rank);
    if (at < 0) this.#content.push(node);
    else this.#content.splice(at, 0, node);
  }

  /** Puts a text of ours in place of what an element holds. */
  setContent(xml: string): void {
    this.#open();
    this.#content = xml === '' ? [] : [xml];
  }

  /** Puts elements in place of all that have a name. */
  setChildren(name: string, nodes: readonly XmlNode[], order: readonly string[]): void {
    this.remove(...this.all(name));
    for (const node of nodes) this.insert(node, order);
  }

  #open(): void {
    if (this.#endTag !== null) return;
    this.#tag = this.#tag.replace(/\s*\/>$/, '>');
    this.#endTag = `</${this.#name}>`;
  }

  toString(): string {
    return this.#tag + this.#content.join('') + (this.#endTag ?? '');
  }
}
