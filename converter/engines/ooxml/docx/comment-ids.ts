import { readablePart, relatedPartName } from '../package/related-part.ts';
import { applyEdits } from '../package/text-edits.ts';
import type { XmlDocument } from '../package/xml-document.ts';
import type { XmlElement } from '../package/xml-scanner.ts';
import type { CommentEntry } from './comment-catalog.ts';
import type { DocxSource } from './docx-source.ts';
import type { PackageAdditions } from './package-additions.ts';

const IDS = 'http://schemas.microsoft.com/office/2016/09/relationships/commentsIds';
const EXTENSIBLE = 'http://schemas.microsoft.com/office/2018/08/relationships/commentsExtensible';

/** Takes comments out of the parts that give comments lasting ids ([MS-DOCX] 2.7.4 and 2.7.8). */
export function removeCommentIds(
  source: DocxSource,
  removed: readonly CommentEntry[],
  additions: PackageAdditions,
): void {
  const paraIds = new Set(removed.flatMap(({ paraId }) => (paraId === null ? [] : [paraId.toUpperCase()])));
  if (paraIds.size === 0) return;
  const ids = removeElements(source, IDS, additions, (xml, element) =>
    paraIds.has(localAttribute(xml, element, 'paraId') ?? ''),
  );
  const durableIds = new Set(ids.map((attributes) => attributes.durableId));
  removeElements(source, EXTENSIBLE, additions, (xml, element) =>
    durableIds.has(localAttribute(xml, element, 'durableId') ?? ''),
  );
}

function removeElements(
  { package: opened, relationships }: DocxSource,
  relationshipType: string,
  additions: PackageAdditions,
  isRemoved: (xml: XmlDocument, element: XmlElement) => boolean,
): { readonly durableId: string | undefined }[] {
  const partName = relatedPartName(opened, relationships, (type) => type === relationshipType);
  const xml = readablePart(opened, partName);
  if (!xml || partName === undefined) return [];
  const elements = xml.root.children.filter((element) => isRemoved(xml, element));
  const edits = elements.map(({ start, end }) => ({ start, end, text: '' }));
  if (edits.length > 0) additions.replacePart(partName, xml.encode(applyEdits(xml.text, edits)));
  return elements.map((element) => ({ durableId: localAttribute(xml, element, 'durableId') }));
}

/** A hexadecimal id by the attribute's name without prefix: programs differ in the prefixes of these namespaces. */
function localAttribute(xml: XmlDocument, element: XmlElement, localName: string): string | undefined {
  const attribute = Object.entries(xml.attributes(element)).find(([name]) => name.endsWith(`:${localName}`));
  return attribute?.[1].toUpperCase();
}
