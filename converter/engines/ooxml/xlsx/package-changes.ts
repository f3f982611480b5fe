import { ContentTypes } from '../package/content-types.ts';
import type { OfficePackage } from '../package/office-package.ts';
import { plainName } from '../package/part-names.ts';
import {
  type Relationships,
  relationshipsPartOf,
  relationshipsXml,
  relativeTarget,
  resolveTarget,
} from '../package/relationships.ts';

/** What a chart has for itself alone. */
const OWN_PARTS = /^(?:chartStyle|chartColorStyle|chartUserShapes)$/;
const RELATIONSHIPS_TYPE = 'application/vnd.openxmlformats-package.relationships+xml';

/** Parts that are written, made or left out, with their types and the relationships to them. */
export class PackageChanges {
  readonly #package: OfficePackage;
  readonly #parts = new Map<string, Uint8Array | null>();
  readonly #relationships = new Map<string, Relationships>();

  constructor(opened: OfficePackage) {
    this.#package = opened;
  }

  put(partName: string, bytes: Uint8Array): void {
    this.#parts.set(this.#nameOf(partName), bytes);
  }

  /** A part of the file has one name here, whatever those that lead to it call it. */
  #nameOf(partName: string): string {
    return this.#package.archive.find(partName)?.name ?? partName;
  }

  /** Makes a part beside others. @param pattern such as `xl/tables/table#.xml`, where a free number takes the sign's place */
  add(pattern: string, contentType: string, bytes: Uint8Array): string {
    const partName = this.freeName(pattern);
    this.putTyped(partName, contentType, bytes);
    return partName;
  }

  /** Makes a part of a name that is free. */
  putTyped(partName: string, contentType: string, bytes: Uint8Array): void {
    this.#parts.set(partName, bytes);
    this.#package.contentTypes.require(partName, contentType);
  }

  /**
   * Makes a part like another one beside it, with its relationships; what belongs to such a part alone (the colours and the look of a
   * chart, what is drawn over it) is doubled with it.
   */
  addCopy(original: string, contentType: string, bytes: Uint8Array): string {
    return this.#addCopy(original, contentType, bytes, true);
  }

  #addCopy(original: string, contentType: string, bytes: Uint8Array, doublesOwn: boolean): string {
    const copy = this.add(original.replace(/\d*(\.[^./]*)$/, '#$1'), contentType, bytes);
    const links = this.#package.relationshipsOf(original).all.map((link) => {
      if (link.external) return link;
      const part = resolveTarget(original, link.target);
      const own = doublesOwn && OWN_PARTS.test(link.type.slice(link.type.lastIndexOf('/') + 1));
      const [type, content] = own ? [this.#package.contentTypes.of(part), this.#package.read(part)] : [];
      const made = type !== undefined && content ? this.#addCopy(part, type, content, false) : part;
      return { ...link, target: relativeTarget(copy, made) };
    });
    if (links.length > 0)
      this.putTyped(relationshipsPartOf(copy), RELATIONSHIPS_TYPE, relationshipsXml(links));
    return copy;
  }

  freeName(pattern: string): string {
    for (let number = 1; ; number++) {
      const name = pattern.replace('#', String(number));
      if (this.#isFree(name)) return name;
    }
  }

  /** This name, by which some programs look for what a package has once; with a number where it is taken. */
  nameOnce(name: string): string {
    return this.#isFree(name) ? name : this.freeName(name.replace(/(\.[^./]*)$/, '#$1'));
  }

  #isFree(name: string): boolean {
    return !this.#package.archive.find(name) && !this.#parts.has(name);
  }

  /** Leaves a part out, with its own relationships. */
  remove(partName: string): void {
    const links = relationshipsPartOf(partName);
    for (const name of [partName, links])
      if (this.#package.archive.find(name)) this.#parts.set(this.#nameOf(name), null);
    this.#relationships.delete(this.#nameOf(partName));
    this.#package.contentTypes.remove(partName);
  }

  /** What a part gets; undefined where it stays. */
  written(partName: string): Uint8Array | undefined {
    return this.#parts.get(this.#nameOf(partName)) ?? undefined;
  }

  isRemoved(partName: string): boolean {
    return this.#parts.get(this.#nameOf(partName)) === null;
  }

  /** The relationships of a part, whose additions are written with the rest. */
  relationshipsOf(partName: string, known?: Relationships): Relationships {
    const present = this.#relationships.get(this.#nameOf(partName));
    if (present) return present;
    const relationships = known ?? this.#package.relationshipsOf(partName);
    this.#relationships.set(this.#nameOf(partName), relationships);
    return relationships;
  }

  /** The id of a relationship of a part to another one. */
  relate(fromPart: string, type: string, toPart: string): string {
    return this.relationshipsOf(fromPart).require(type, relativeTarget(fromPart, toPart), false);
  }

  /** New bytes by part name; null for one that is left out. */
  all(): Map<string, Uint8Array | null> {
    const changes = new Map(this.#parts);
    for (const [partName, relationships] of this.#relationships) {
      const bytes = relationships.changedBytes();
      if (!bytes || changes.get(partName) === null) continue;
      const name = relationshipsPartOf(plainName(partName));
      changes.set(this.#nameOf(name), bytes);
      // A package may name the type of each of these parts instead of all.
      this.#package.contentTypes.require(name, RELATIONSHIPS_TYPE);
    }
    const types = this.#package.contentTypes.changedBytes();
    if (types) changes.set(ContentTypes.partName, types);
    return changes;
  }
}
