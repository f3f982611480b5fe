import type { Node } from 'prosemirror-model';
import { XmlDocument } from '../package/xml-document.ts';
import type { XmlElement } from '../package/xml-scanner.ts';
import { attributesXml, escapeAttribute, withAttributes } from '../package/xml-text.ts';
import { type InlinePicture, inlinePicture } from './drawing-reader.ts';
import type { WriteContext } from './write-context.ts';

/** An inch, for a picture that says no size. */
const DEFAULT_EMU = 914_400;

/**
 * The `w:drawing` of an image node, or '' when its bytes are missing. A picture of the file keeps its drawing (crop,
 * effects, links) and has only size and description changed in it.
 */
export function writePicture(context: WriteContext, image: Node): string {
  const record = context.source.map.inline(image);
  if (!record || record.node.attrs.src !== image.attrs.src) return newPicture(context, image);
  const raw = context.source.xml.text.slice(record.start, record.end);
  const isFirst = context.claim(image.attrs.id);
  if (isFirst && sameAttributes(image, record.node)) return raw;
  if (!isFirst && !context.mayDuplicate(raw.length)) return '';
  return changedPicture(raw, image, record.node, isFirst ? undefined : context.nextDrawingId());
}

function sameAttributes(image: Node, original: Node): boolean {
  return ['width', 'height', 'alt'].every((name) => image.attrs[name] === original.attrs[name]);
}

function changedPicture(raw: string, image: Node, original: Node, newId: number | undefined): string {
  const xml = new XmlDocument(raw);
  const picture = inlinePicture(xml, xml.root);
  if (!picture) return raw;
  const edits = editsOf(picture, image, original, newId).sort((a, b) => b.element.start - a.element.start);
  let text = raw;
  for (const { element, changes } of edits) {
    const changed = withAttributes(xml.raw(element), changes);
    text = text.slice(0, element.start) + changed + text.slice(element.end);
  }
  return text;
}

interface Edit {
  readonly element: XmlElement;
  readonly changes: Record<string, string | number | null>;
}

function editsOf(picture: InlinePicture, image: Node, original: Node, newId: number | undefined): Edit[] {
  const { width: cx, height: cy, alt } = image.attrs;
  const edits: Edit[] = [];
  if (cx !== original.attrs.width || cy !== original.attrs.height) {
    edits.push({ element: picture.extent, changes: { cx, cy } });
    if (picture.shapeExtent) edits.push({ element: picture.shapeExtent, changes: { cx, cy } });
  }
  const changes: Edit['changes'] = {};
  if (alt !== original.attrs.alt) changes.descr = alt === '' ? null : alt;
  if (newId !== undefined) changes.id = newId;
  if (Object.keys(changes).length > 0) edits.push({ element: picture.properties, changes });
  return edits;
}

/** An inline picture (20.4.2.8) that binds its own prefixes, so it stands in any document. */
function newPicture(context: WriteContext, image: Node): string {
  const { src, width, height, alt } = image.attrs;
  const relationship = context.additions.picture(src);
  if (relationship === undefined) return '';
  const { vocabulary } = context.source;
  const id = context.nextDrawingId();
  const size = attributesXml({ cx: width || DEFAULT_EMU, cy: height || DEFAULT_EMU });
  const name = escapeAttribute(`Picture ${id}`);
  const description = attributesXml({ descr: alt === '' ? undefined : alt });
  const picture =
    `<pic:pic xmlns:pic="${vocabulary.picture}">` +
    `<pic:nvPicPr><pic:cNvPr id="${id}" name="${name}"/><pic:cNvPicPr/></pic:nvPicPr>` +
    `<pic:blipFill><a:blip xmlns:r="${vocabulary.relationships}" r:embed="${escapeAttribute(relationship)}"/>` +
    '<a:stretch><a:fillRect/></a:stretch></pic:blipFill>' +
    `<pic:spPr><a:xfrm><a:off x="0" y="0"/><a:ext${size}/></a:xfrm>` +
    '<a:prstGeom prst="rect"><a:avLst/></a:prstGeom></pic:spPr></pic:pic>';
  return (
    `<w:drawing><wp:inline xmlns:wp="${vocabulary.wordDrawing}" distT="0" distB="0" distL="0" distR="0">` +
    `<wp:extent${size}/><wp:docPr id="${id}" name="${name}"${description}/>` +
    `<a:graphic xmlns:a="${vocabulary.drawing}"><a:graphicData uri="${vocabulary.picture}">${picture}` +
    '</a:graphicData></a:graphic></wp:inline></w:drawing>'
  );
}
