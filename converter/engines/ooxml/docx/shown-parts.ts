import { isRelationshipType } from '../package/namespaces.ts';
import type { OfficePackage } from '../package/office-package.ts';
import { unlessDamaged } from '../package/related-part.ts';
import { Relationships, resolveTarget } from '../package/relationships.ts';

/** A part that is read to be shown and never written. */
export interface ShownPart {
  readonly kind: ShownPartKind;
  readonly partName: string;
  readonly relationships: Relationships;
}

export type ShownPartKind = (typeof KINDS)[number];

const KINDS = ['header', 'footer', 'footnotes', 'endnotes'] as const;

/** The headers, footers and notes of a document by the ids of its relationships to them. */
export function shownParts(opened: OfficePackage, relationships: Relationships): Map<string, ShownPart> {
  const parts = new Map<string, ShownPart>();
  /** Those of a part, to which any number of relationships may lead. */
  const known = new Map<string, Relationships>();
  for (const { id, type, target, external } of relationships.all) {
    const kind = KINDS.find((name) => isRelationshipType(type, name));
    if (!kind || external) continue;
    const partName = resolveTarget(opened.mainPart, target);
    const own =
      known.get(partName) ?? unlessDamaged(() => opened.relationshipsOf(partName)) ?? new Relationships();
    known.set(partName, own);
    parts.set(id, { kind, partName, relationships: own });
  }
  return parts;
}
