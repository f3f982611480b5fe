import { ConversionError } from '../../../errors.ts';
import { isRelationshipType } from './namespaces.ts';
import type { OfficePackage } from './office-package.ts';
import { type Relationships, resolveTarget } from './relationships.ts';
import { XmlDocument } from './xml-document.ts';

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
