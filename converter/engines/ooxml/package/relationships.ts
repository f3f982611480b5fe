import { overLimit } from '../../../errors.ts';
import { LIMITS } from './limits.ts';
import { PACKAGE_RELATIONSHIPS } from './namespaces.ts';
import type { TextEdit } from './text-edits.ts';
import { XmlDocument } from './xml-document.ts';
import type { XmlElement } from './xml-scanner.ts';
import { attributesXml, withAttributes } from './xml-text.ts';

export interface Relationship {
  readonly id: string;
  readonly type: string;
  readonly target: string;
  readonly external: boolean;
}

/** The relationships of one part (ECMA-376 Part 2, 6.5), with those added while writing. */
export class Relationships {
  readonly #xml: XmlDocument | undefined;
  #all: Relationship[] = [];
  /** The first of each id. */
  readonly #byId = new Map<string, Relationship>();
  #added: Relationship[] = [];
  readonly #removed: TextEdit[] = [];
  readonly #led = new Map<XmlElement, string>();

  /**
   * @param bytes the relationships part; undefined when the package has none
   * @throws ConversionError
   */
  constructor(bytes?: Uint8Array) {
    if (!bytes) return;
    this.#xml = XmlDocument.parse(bytes);
    const { children } = this.#xml.root;
    if (children.length > LIMITS.relationships) throw overLimit('a part has too many relationships');
    for (const element of children) {
      const attributes = this.#xml.attributes(element);
      const { Id: id = '', Type: type = '', Target: target = '', TargetMode: mode } = attributes;
      this.#add({ id, type, target, external: mode === 'External' });
    }
  }

  get all(): readonly Relationship[] {
    return this.#all;
  }

  get(id: string): Relationship | undefined {
    return this.#byId.get(id);
  }

  /** The id of an equal relationship, which is added when there is none. */
  require(type: string, target: string, external: boolean): string {
    const equal = this.#all.find(
      (one) => one.type === type && one.target === target && one.external === external,
    );
    if (equal) return equal.id;
    const added = { id: this.#freeId(), type, target, external };
    this.#add(added);
    this.#added.push(added);
    return added.id;
  }

  /** Takes out all relationships of this id. */
  remove(id: string): void {
    this.#all = this.#all.filter((one) => one.id !== id);
    this.#added = this.#added.filter((one) => one.id !== id);
    this.#byId.delete(id);
    for (const element of this.#xml?.root.children ?? []) {
      if (this.#xml?.attribute(element, 'Id') !== id) continue;
      this.#removed.push({ start: element.start, end: element.end, text: '' });
    }
  }

  /** Lets the relationship of an id in the part lead to another target. */
  lead(id: string, target: string): void {
    const found = this.#byId.get(id);
    const element = this.#xml?.root.children.find((one) => this.#xml!.attribute(one, 'Id') === id);
    if (!found || !element) return;
    const led = { ...found, target };
    this.#all = this.#all.map((one) => (one === found ? led : one));
    this.#byId.set(id, led);
    this.#led.set(element, target);
  }

  /** The part's new bytes, or undefined when nothing was added, taken out, or leads elsewhere. */
  changedBytes(): Uint8Array | undefined {
    if (this.#added.length === 0 && this.#removed.length === 0 && this.#led.size === 0) return undefined;
    const xml = this.#xml ?? new XmlDocument(EMPTY);
    const prefix = xml.root.name.includes(':') ? `${xml.root.name.split(':')[0]}:` : '';
    const appended = elementsXml(this.#added, prefix);
    const led = [...this.#led].map(([element, target]) => ({
      start: element.start,
      end: element.openEnd,
      text: withAttributes(xml.openTag(element), { Target: target }),
    }));
    return xml.encode(xml.edited({ edits: [...this.#removed, ...led], appended }));
  }

  #add(relationship: Relationship): void {
    this.#all.push(relationship);
    if (!this.#byId.has(relationship.id)) this.#byId.set(relationship.id, relationship);
  }

  #freeId(): string {
    let number = 0;
    for (const { id } of this.#all) number = Math.max(number, Number(/^rId(\d{1,9})$/.exec(id)?.[1] ?? 0));
    return `rId${number + 1}`;
  }
}

const EMPTY = `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<Relationships xmlns="${PACKAGE_RELATIONSHIPS}"/>`;

function elementsXml(all: readonly Relationship[], prefix: string): string {
  const elements = all.map(({ id, type, target, external }) => {
    const mode = external ? 'External' : undefined;
    return `<${prefix}Relationship${attributesXml({ Id: id, Type: type, Target: target, TargetMode: mode })}/>`;
  });
  return elements.join('');
}

/** The part with the relationships of a new part, which keep their ids. */
export function relationshipsXml(all: readonly Relationship[]): Uint8Array {
  const xml = new XmlDocument(EMPTY);
  return xml.encode(xml.edited({ appended: elementsXml(all, '') }));
}

/** The name of the part that holds the relationships of a part; of the package for the empty name. */
export function relationshipsPartOf(partName: string): string {
  const slash = partName.lastIndexOf('/');
  return `${partName.slice(0, slash + 1)}_rels/${partName.slice(slash + 1)}.rels`;
}

/** The part that an internal target means, seen from the part that has the relationship. */
export function resolveTarget(partName: string, target: string): string {
  const given = target.replaceAll('\\', '/');
  const path = given.startsWith('/') ? given : `${partName.slice(0, partName.lastIndexOf('/') + 1)}${given}`;
  const segments: string[] = [];
  for (const segment of path.split('/')) {
    if (segment === '..') segments.pop();
    else if (segment !== '.' && segment !== '') segments.push(segment);
  }
  return segments.join('/');
}

/** A target for a relationship of one part to another. */
export function relativeTarget(fromPart: string, toPart: string): string {
  const folder = fromPart.slice(0, fromPart.lastIndexOf('/') + 1);
  return toPart.startsWith(folder) ? toPart.slice(folder.length) : `/${toPart}`;
}
