import { isRelationshipType } from '../namespaces.ts';
import type { OfficePackage } from '../office-package.ts';
import { type Relationships, resolveTarget } from '../relationships.ts';

/** The pictures of a package under the paths that the model uses: `media/` and a plain, unique file name. */
export class MediaCatalog {
  readonly #partByPath = new Map<string, string>();
  readonly #pathByPart = new Map<string, string>();
  readonly #mainPart: string;

  constructor(opened: OfficePackage, relationships: Relationships) {
    this.#mainPart = opened.mainPart;
    for (const { type, target, external } of relationships.all) {
      if (external || !isRelationshipType(type, 'image')) continue;
      const entry = opened.archive.find(resolveTarget(opened.mainPart, target));
      if (entry) this.#add(entry.name);
    }
    const folder = this.newPartName('').toLowerCase();
    for (const { name } of opened.archive.entries) {
      if (name.toLowerCase().startsWith(folder) && !name.endsWith('/')) this.#add(name);
    }
  }

  get paths(): string[] {
    return [...this.#partByPath.keys()];
  }

  partOf(path: string): string | undefined {
    return this.#partByPath.get(path);
  }

  /** The path of the picture that an internal relationship target means. */
  pathOfTarget(target: string): string | undefined {
    return this.#pathByPart.get(resolveTarget(this.#mainPart, target).toLowerCase());
  }

  /** The part that a new picture of this file name becomes. */
  newPartName(fileName: string): string {
    return `${this.#mainPart.slice(0, this.#mainPart.lastIndexOf('/') + 1)}media/${fileName}`;
  }

  #add(partName: string): void {
    const key = partName.toLowerCase();
    if (this.#pathByPart.has(key)) return;
    const plain = partName
      .slice(partName.lastIndexOf('/') + 1)
      .replace(/[^A-Za-z0-9._-]/g, '_')
      .replace(/^\./, '_')
      .slice(-100);
    let path = `media/${plain}`;
    for (let number = 2; this.#partByPath.has(path); number++) path = `media/${number}-${plain}`;
    this.#partByPath.set(path, partName);
    this.#pathByPart.set(key, path);
  }
}
