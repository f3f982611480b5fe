import { ContentTypes } from '../package/content-types.ts';
import type { OfficePackage } from '../package/office-package.ts';
import { type Relationships, relationshipsPartOf, relativeTarget } from '../package/relationships.ts';

/** Parts that are written, made or left out, with their types and the relationships to them. */
export class PackageChanges {
  readonly #package: OfficePackage;
  readonly #parts = new Map<string, Uint8Array | null>();
  readonly #relationships = new Map<string, Relationships>();

  constructor(opened: OfficePackage) {
    this.#package = opened;
  }

  put(partName: string, bytes: Uint8Array): void {
    this.#parts.set(partName, bytes);
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

  freeName(pattern: string): string {
    for (let number = 1; ; number++) {
      const name = pattern.replace('#', String(number));
      if (!this.#package.archive.find(name) && !this.#parts.has(name)) return name;
    }
  }

  /** Leaves a part out, with its own relationships. */
  remove(partName: string): void {
    const links = relationshipsPartOf(partName);
    for (const name of [partName, links]) if (this.#package.archive.find(name)) this.#parts.set(name, null);
    this.#relationships.delete(partName);
    this.#package.contentTypes.remove(partName);
  }

  isRemoved(partName: string): boolean {
    return this.#parts.get(partName) === null;
  }

  /** The relationships of a part, whose additions are written with the rest. */
  relationshipsOf(partName: string, known?: Relationships): Relationships {
    const present = this.#relationships.get(partName);
    if (present) return present;
    const relationships = known ?? this.#package.relationshipsOf(partName);
    this.#relationships.set(partName, relationships);
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
      if (bytes && changes.get(partName) !== null) changes.set(relationshipsPartOf(partName), bytes);
    }
    const types = this.#package.contentTypes.changedBytes();
    if (types) changes.set(ContentTypes.partName, types);
    return changes;
  }
}
