import { applyEdits, type TextEdit } from '../package/text-edits.ts';
import type { XmlDocument } from '../package/xml-document.ts';
import type { XmlElement } from '../package/xml-scanner.ts';
import { withAttributes } from '../package/xml-text.ts';

/** Edits of a part whose root holds elements in an order that the schema gives. */
export class PartEdits {
  readonly xml: XmlDocument;
  readonly #order: readonly string[];
  readonly #edits: TextEdit[] = [];
  readonly #rootAttributes: Record<string, string | number | null> = {};
  /** Children that are put in, by their place in the order. */
  readonly #inserted = new Map<string, string>();

  /** @param order the names of what the root may hold */
  constructor(xml: XmlDocument, order: readonly string[]) {
    this.xml = xml;
    this.#order = order;
  }

  get isEmpty(): boolean {
    return (
      this.#edits.length === 0 && this.#inserted.size === 0 && Object.keys(this.#rootAttributes).length === 0
    );
  }

  replace(element: XmlElement, text: string): void {
    this.#edits.push({ start: element.start, end: element.end, text });
  }

  /** The same for what several edits may ask for: the first one counts. */
  replaceOnce(element: XmlElement, text: string): void {
    const isThere = this.#edits.some(({ start, end }) => start === element.start && end === element.end);
    if (!isThere) this.replace(element, text);
  }

  setAttributes(element: XmlElement, changes: Record<string, string | number | null>): void {
    const tag = this.xml.openTag(element);
    const changed = withAttributes(tag, changes);
    if (changed !== tag) this.#edits.push({ start: element.start, end: element.openEnd, text: changed });
  }

  /** Sets attributes of a child of the root that an edit has written. */
  amend(name: string, changes: Record<string, string | number | null>): void {
    const element = this.xml.child(this.xml.root, name);
    const at = this.#edits.findLastIndex(({ start, end }) => start === element?.start && end === element.end);
    const edit = this.#edits[at];
    if (edit && edit.text !== '') this.#edits[at] = { ...edit, text: withAttributes(edit.text, changes) };
  }

  setRootAttributes(changes: Record<string, string | number | null>): void {
    Object.assign(this.#rootAttributes, changes);
  }

  /** The child of the root becomes this text; an empty one takes it away. */
  setChild(name: string, text: string): void {
    const present = this.xml.root.children.filter((child) => child.name === name);
    const [first, ...others] = present;
    if (first) {
      this.replace(first, text);
      for (const other of others) this.replace(other, '');
    } else if (text !== '') this.#inserted.set(name, text);
  }

  /** Puts further elements of a name behind those that are there. */
  insert(name: string, text: string): void {
    if (text !== '') this.#inserted.set(name, (this.#inserted.get(name) ?? '') + text);
  }

  /** Adds items to a list that the root holds, which is made when it is not there. @param isCounted whether it says how many it holds */
  append(name: string, items: readonly string[], isCounted: boolean): void {
    if (items.length === 0) return;
    const list = this.xml.root.children.find((child) => child.name === name);
    // What the list has is counted, also what says nothing to us, or the same twice.
    const count = isCounted ? (list?.children.length ?? 0) + items.length : null;
    if (!list) {
      const attribute = count === null ? '' : ` count="${count}"`;
      this.#inserted.set(name, `<${name}${attribute}>${items.join('')}</${name}>`);
      return;
    }
    const raw = this.xml.raw(list);
    const counted = count === null ? raw : withAttributes(raw, { count });
    const opened = list.selfClosing ? counted.replace(/\s*\/>$/, `></${name}>`) : counted;
    const end = opened.lastIndexOf('</');
    this.replace(list, opened.slice(0, end) + items.join('') + opened.slice(end));
  }

  /** Whether an element is taken out, alone or with what it stands in. */
  isGone(element: XmlElement): boolean {
    return this.#edits.some(
      ({ start, end, text }) => start <= element.start && end >= element.end && text === '',
    );
  }

  /** Puts text into an element, before or behind what it holds. */
  putInto(element: XmlElement, text: string, where: 'start' | 'end'): void {
    if (element.selfClosing) {
      const opened = this.xml.raw(element).replace(/\s*\/>$/, '>');
      this.replace(element, `${opened}${text}</${element.name}>`);
      return;
    }
    const at = where === 'start' ? element.openEnd : element.closeStart;
    this.#edits.push({ start: at, end: at, text });
  }

  /** What is left of an element that lists others when those that were taken out are gone. */
  withoutEmpty(list: XmlElement, holder: XmlElement): void {
    const isGone = ({ start, end }: XmlElement) =>
      this.#edits.some((edit) => edit.start === start && edit.end === end && edit.text === '');
    if (list.children.length === 0 || !list.children.every(isGone)) return;
    for (let at = this.#edits.length - 1; at >= 0; at--) {
      const { start, end } = this.#edits[at]!;
      if (start >= holder.start && end <= holder.end) this.#edits.splice(at, 1);
    }
    this.replace(holder, '');
  }

  /** The text of the part with all of it. */
  text(): string {
    const { xml } = this;
    const { root } = xml;
    const edits = [...this.#edits];
    const names = [...this.#inserted.keys()].sort((one, other) => this.#place(one) - this.#place(other));
    for (const name of names) {
      const place = this.#place(name);
      const next = root.children.find((child) => this.#placeOf(child) > place);
      const at = next?.start ?? root.closeStart;
      edits.push({ start: at, end: at, text: this.#inserted.get(name)! });
    }
    if (Object.keys(this.#rootAttributes).length > 0) {
      const text = withAttributes(xml.openTag(root), this.#rootAttributes);
      edits.push({ start: root.start, end: root.openEnd, text });
    }
    return applyEdits(xml.text, edits);
  }

  /** The place of a child; that of what it stands for where programs choose; before all where it has none, such as a revision. */
  #placeOf(child: XmlElement): number {
    const choice =
      child.name === 'mc:AlternateContent' ? this.xml.child(child, 'mc:Choice')?.children[0] : child;
    return this.#order.indexOf(choice?.name ?? '');
  }

  /** What is not in the order stands at the end. */
  #place(name: string): number {
    const place = this.#order.indexOf(name);
    return place < 0 ? this.#order.length : place;
  }
}
