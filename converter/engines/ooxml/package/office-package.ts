import { ConversionError, corrupted, overLimit } from '../../../errors.ts';
import { ContentTypes } from './content-types.ts';
import { LIMITS } from './limits.ts';
import { isRelationshipType } from './namespaces.ts';
import { Relationships, relationshipsPartOf, resolveTarget } from './relationships.ts';
import { XmlDocument } from './xml-document.ts';
import { ZipArchive } from './zip-archive.ts';

/** An Open Packaging Conventions package (ECMA-376 Part 2) and its main part. */
export class OfficePackage {
  readonly archive: ZipArchive;
  readonly contentTypes: ContentTypes;
  readonly mainPart: string;

  /** @throws ConversionError */
  constructor(bytes: Uint8Array) {
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
}

/** Name of the first part to which the main part has a relationship of this type. */
export function relatedPartName(
  opened: OfficePackage,
  relationships: Relationships,
  matches: (type: string) => boolean,
): string | undefined {
  const related = relationships.all.find(({ type, external }) => !external && matches(type));
  return related && resolveTarget(opened.mainPart, related.target);
}

/**
 * The part to which the main part has a relationship of this local type.
 * @throws ConversionError when the part is damaged
 */
export function relatedPart(
  opened: OfficePackage,
  relationships: Relationships,
  localType: string,
): XmlDocument | undefined {
  const partName = relatedPartName(opened, relationships, (type) => isRelationshipType(type, localType));
  const bytes = partName === undefined ? undefined : opened.read(partName);
  return bytes && XmlDocument.parse(bytes);
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

/** A part as XML; undefined when the package lacks it or it is damaged. */
export function readablePart(opened: OfficePackage, partName: string | undefined): XmlDocument | undefined {
  if (partName === undefined) return undefined;
  return unlessDamaged(() => {
    const bytes = opened.read(partName);
    return bytes && XmlDocument.parse(bytes);
  });
}
