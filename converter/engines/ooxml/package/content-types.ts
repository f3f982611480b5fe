import { comparedName } from './part-names.ts';
import type { TextEdit } from './text-edits.ts';
import { XmlDocument } from './xml-document.ts';
import { attributesXml } from './xml-text.ts';

/** `[Content_Types].xml` (ECMA-376 Part 2, 7.2.3), with what is added while writing. */
export class ContentTypes {
  static readonly partName = '[Content_Types].xml';
  readonly #xml: XmlDocument;
  readonly #defaults = new Map<string, string>();
  readonly #overrides = new Map<string, string>();
  readonly #added: string[] = [];
  readonly #removed: TextEdit[] = [];

  constructor(bytes: Uint8Array) {
    this.#xml = XmlDocument.parse(bytes);
    for (const element of this.#xml.root.children) {
      const { ContentType: type = '', Extension: extension, PartName: part } = this.#xml.attributes(element);
      if (extension !== undefined) this.#defaults.set(extension.toLowerCase(), type);
      else if (part !== undefined) this.#overrides.set(comparedName(part), type);
    }
  }

  of(partName: string): string | undefined {
    return this.#overrides.get(comparedName(partName)) ?? this.#defaults.get(extensionOf(partName));
  }

  /** Makes a part have this type: by the default of its extension where that can be, else by an override. */
  require(partName: string, type: string): void {
    if (this.of(partName) === type) return;
    const extension = extensionOf(partName);
    if (extension !== '' && extension !== 'xml' && !this.#defaults.has(extension)) {
      this.#defaults.set(extension, type);
      this.#add('Default', { Extension: extension, ContentType: type });
    } else {
      this.#overrides.set(comparedName(partName), type);
      this.#add('Override', { PartName: `/${partName}`, ContentType: type });
    }
  }

  /** Forgets the type of a part that is left out of the package. */
  remove(partName: string): void {
    const key = comparedName(partName);
    if (!this.#overrides.delete(key)) return;
    for (const element of this.#xml.root.children) {
      const name = this.#xml.attribute(element, 'PartName');
      if (name === undefined || comparedName(name) !== key) continue;
      this.#removed.push({ start: element.start, end: element.end, text: '' });
    }
  }

  changedBytes(): Uint8Array | undefined {
    if (this.#added.length === 0 && this.#removed.length === 0) return undefined;
    return this.#xml.encode(this.#xml.edited({ edits: this.#removed, appended: this.#added.join('') }));
  }

  #add(name: string, attributes: Record<string, string>): void {
    const root = this.#xml.root.name;
    const prefix = root.includes(':') ? `${root.split(':')[0]}:` : '';
    this.#added.push(`<${prefix}${name}${attributesXml(attributes)}/>`);
  }
}

function extensionOf(partName: string): string {
  const name = partName.slice(partName.lastIndexOf('/') + 1);
  return name.includes('.') ? name.slice(name.lastIndexOf('.') + 1).toLowerCase() : '';
}
