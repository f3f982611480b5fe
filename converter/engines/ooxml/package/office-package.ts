import { ConversionError, corrupted, overLimit } from '../../../errors.ts';
import { ContentTypes } from './content-types.ts';
import { LIMITS } from './limits.ts';
import { isRelationshipType, type KnownPrefixes, SHARED_PREFIXES } from './namespaces.ts';
import { Relationships, relationshipsPartOf, resolveTarget } from './relationships.ts';
import { XmlDocument } from './xml-document.ts';
import { ZipArchive } from './zip-archive.ts';

/** An Open Packaging Conventions package (ECMA-376 Part 2) and its main part. */
export class OfficePackage {
  readonly archive: ZipArchive;
  readonly contentTypes: ContentTypes;
  readonly mainPart: string;

  readonly #prefixes: KnownPrefixes;

  /**
   * @param prefixes those by which our code names elements of the parts, where it knows the kind of the package
   * @throws ConversionError
   */
  constructor(bytes: Uint8Array, prefixes = SHARED_PREFIXES) {
    this.#prefixes = prefixes;
    this.archive = new ZipArchive(bytes);
    this.contentTypes = new ContentTypes(this.#index(ContentTypes.partName));
    const relationships = new Relationships(this.#index('_rels/.rels'));
    const main = relationships.all.find(({ type }) => isRelationshipType(type, 'officeDocument'));
    if (!main || main.external) throw corrupted('the package has no main part');
    this.mainPart = resolveTarget('', main.target);
  }

  get mainContentType(): string {
    return this.contentTypes.of(this.mainPart) ?? '';
  }

  read(partName: string): Uint8Array | undefined {
    const entry = this.archive.find(partName);
    return entry && this.archive.read(entry);
  }

  /** @throws ConversionError corrupted when the package lacks the part */
  required(partName: string): Uint8Array {
    const content = this.read(partName);
    if (!content) throw corrupted('the package lacks a part that it needs');
    return content;
  }

  #index(partName: string): Uint8Array {
    const size = this.archive.find(partName)?.sizeBytes ?? 0;
    if (size > LIMITS.indexPartBytes) throw overLimit('the index of the package is too large');
    return this.required(partName);
  }

  relationshipsOf(partName: string): Relationships {
    return new Relationships(this.read(relationshipsPartOf(partName)));
  }

  /** A part as XML. @throws ConversionError corrupted when the package lacks it or it is damaged */
  requiredXml(partName: string): XmlDocument {
    return XmlDocument.parse(this.required(partName), this.#prefixes);
  }

  /** A part as XML; undefined when the package lacks it or it is damaged. */
  readableXml(partName: string | undefined): XmlDocument | undefined {
    return partName === undefined ? undefined : unlessDamaged(() => this.#xml(partName));
  }

  /** Name of the first part to which the main part has a relationship of this type. */
  relatedPartName(relationships: Relationships, matches: (type: string) => boolean): string | undefined {
    const related = relationships.all.find(({ type, external }) => !external && matches(type));
    return related && resolveTarget(this.mainPart, related.target);
  }

  /**
   * The part to which the main part has a relationship of this local type.
   * @throws ConversionError when the part is damaged
   */
  relatedXml(relationships: Relationships, localType: string): XmlDocument | undefined {
    const partName = this.relatedPartName(relationships, (type) => isRelationshipType(type, localType));
    return partName === undefined ? undefined : this.#xml(partName);
  }

  #xml(partName: string): XmlDocument | undefined {
    const bytes = this.read(partName);
    return bytes && XmlDocument.parse(bytes, this.#prefixes);
  }
}

/** What reading gives, or undefined when the part is damaged: no reason to refuse a document that can do without. */
export function unlessDamaged<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof ConversionError) return undefined;
    throw error;
  }
}
