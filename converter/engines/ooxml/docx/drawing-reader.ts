import type { Attrs } from 'prosemirror-model';
import { accepts, isXmlText } from '../../../../model/word/attributes.ts';
import * as values from '../../../../model/word/values.ts';
import type { XmlDocument } from '../package/xml-document.ts';
import type { XmlElement } from '../package/xml-scanner.ts';
import type { ReadContext } from './read-context.ts';

/** Elements of an inline picture (20.4.2.8 and 20.2.2.5) that the model reads or changes. */
export interface InlinePicture {
  readonly extent: XmlElement;
  readonly properties: XmlElement;
  readonly blip: XmlElement;
  /** The size of the picture inside its frame. */
  readonly shapeExtent: XmlElement | undefined;
}

/** The picture of a `w:drawing`, when that holds one inline picture and nothing else. */
export function inlinePicture(xml: XmlDocument, drawing: XmlElement): InlinePicture | undefined {
  const inline = drawing.children.length === 1 ? xml.child(drawing, 'wp:inline') : undefined;
  const data = xml.child(xml.child(inline, 'a:graphic'), 'a:graphicData');
  const picture = data?.children.length === 1 ? xml.child(data, 'pic:pic') : undefined;
  const blip = xml.child(xml.child(picture, 'pic:blipFill'), 'a:blip');
  const extent = xml.child(inline, 'wp:extent');
  const properties = xml.child(inline, 'wp:docPr');
  if (!extent || !properties || !blip) return undefined;
  const shapeExtent = xml.child(xml.child(xml.child(picture, 'pic:spPr'), 'a:xfrm'), 'a:ext');
  return { extent, properties, blip, shapeExtent };
}

/** The attributes of an image node, without id, or undefined when the drawing is no picture of this package. */
export function readPicture(
  { xml, relationships, media }: ReadContext,
  drawing: XmlElement,
): Attrs | undefined {
  const picture = inlinePicture(xml, drawing);
  const relationship = relationships.get(xml.attribute(picture?.blip, 'r:embed') ?? '');
  if (!picture || !relationship || relationship.external) return undefined;
  const src = media.pathOfTarget(relationship.target);
  if (src === undefined || !accepts(values.mediaPath, src)) return undefined;
  const { cx, cy } = xml.attributes(picture.extent);
  const alt = xml.attribute(picture.properties, 'descr') ?? '';
  return { src, width: emu(cx), height: emu(cy), alt: isXmlText(alt) && alt.length <= 4_000 ? alt : '' };
}

function emu(text: string | undefined): number {
  const value = Number(text ?? Number.NaN);
  return accepts(values.emu, value) ? value : 0;
}
