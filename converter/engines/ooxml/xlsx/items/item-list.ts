import { formatKey } from '../../../../../model/cell/cell-format.ts';
import { applyEdits, type TextEdit } from '../../package/text-edits.ts';
import type { XmlDocument } from '../../package/xml-document.ts';
import type { XmlElement } from '../../package/xml-scanner.ts';
import { withAttributes } from '../../package/xml-text.ts';
import type { PartEdits } from '../part-edits.ts';

/** Items of one kind that a part holds, by their ids, and the elements that they were read from. */
export interface ReadItems<Item> {
  readonly items: ReadonlyMap<string, Item>;
  readonly elements: ReadonlyMap<string, XmlElement>;
}

/** The items of elements with this name; what is none of its kind (undefined) is passed over and stays as it is. */
export function readItems<Item>(
  elements: readonly XmlElement[],
  prefix: string,
  read: (element: XmlElement) => Item | undefined,
): ReadItems<Item> {
  const items = new Map<string, Item>();
  const places = new Map<string, XmlElement>();
  for (const [index, element] of elements.entries()) {
    const item = read(element);
    if (item === undefined) continue;
    const id = `${prefix}${index + 1}`;
    items.set(id, item);
    places.set(id, element);
  }
  return { items, elements: places };
}

interface ListChange<Item> {
  /** The element of the root that holds the list. */
  readonly list: string;
  readonly read: ReadItems<Item>;
  readonly after: ReadonlyMap<string, Item>;
  /** Whether the list says how many it holds. */
  readonly isCounted: boolean;
  /** The element for an item. @param raw the one that it was read from */
  readonly xmlOf: (item: Item, raw: string | undefined) => string;
  /** Whether an element has to be written though its item is as it was. */
  readonly isOutdated?: (item: Item) => boolean;
}

export const isSame = (one: unknown, other: unknown): boolean =>
  one === other || formatKey(one) === formatKey(other);

/** Writes a list of the root. Items that nobody changed keep their bytes, and all keep their order. */
export function writeList<Item>(edits: PartEdits, change: ListChange<Item>): void {
  const { list, read, after, isCounted, xmlOf, isOutdated } = change;
  if (after === read.items && !isOutdated) return;
  const { xml } = edits;
  const element = xml.child(xml.root, list);
  const added = [...after].filter(([id]) => !read.elements.has(id)).map(([, item]) => xmlOf(item, undefined));
  if (!element) {
    if (added.length > 0) edits.append(list, added, isCounted);
    return;
  }
  const inner: TextEdit[] = [];
  const idOf = new Map([...read.elements].map(([id, one]) => [one, id]));
  let left = added.length;
  for (const child of element.children) {
    const id = idOf.get(child);
    const item = id === undefined ? undefined : after.get(id);
    if (id !== undefined && item === undefined) inner.push(editOf(child, ''));
    else left++;
    if (item !== undefined && (!isSame(item, read.items.get(id!)) || isOutdated?.(item)))
      inner.push(editOf(child, xmlOf(item, xml.raw(child))));
  }
  if (inner.length === 0 && added.length === 0) return;
  if (left === 0) edits.replace(element, '');
  else
    edits.replace(
      element,
      listXml(xml, element, { inner, added: added.join(''), count: isCounted ? left : null }),
    );
}

/** An element in another form; an empty text takes it out. */
export const editOf = ({ start, end }: XmlElement, text: string): TextEdit => ({ start, end, text });

/** The text of an element with edits of its children, and more of them. */
export function listXml(
  xml: XmlDocument,
  element: XmlElement,
  { inner, added, count }: { inner: readonly TextEdit[]; added: string; count: number | null },
): string {
  const raw = xml.raw(element);
  const base = element.start;
  const end = element.selfClosing ? raw.length : element.closeStart - base;
  const moved = inner.map((edit) => ({ ...edit, start: edit.start - base, end: edit.end - base }));
  const opened = element.selfClosing ? `${raw.replace(/\s*\/>$/, '>')}${added}</${element.name}>` : undefined;
  const text = opened ?? applyEdits(raw, [...moved, { start: end, end, text: added }]);
  return count === null ? text : withAttributes(text, { count });
}
