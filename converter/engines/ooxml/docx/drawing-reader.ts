import type { Attrs } from 'prosemirror-model';
import { accepts } from '../../../../model/word/attributes.ts';
import * as values from '../../../../model/word/values.ts';
import { isXmlText } from '../../../../model/xml-text.ts';
import { isMetafile } from '../package/pictures.ts';
import { XmlDocument } from '../package/xml-document.ts';
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

/** What an editor can draw in the place of what the model does not hold. */
interface Preview {
  /** A picture of the package that pages show. */
  readonly picture: string | null;
  /** EMU, zero when the file does not say. */
  readonly width: number;
  readonly height: number;
}

interface Frame {
  readonly width: number;
  readonly height: number;
}

const NOTHING: Preview = { picture: null, width: 0, height: 0 };
const DRAWN = /<(?:wp:extent|v:imagedata|v:\w+\s[^<>]*\bstyle|w:object|a:blip)\b/;
const EMU_PER_TWIP = 635;
/** VML (Part 4, 19.1.2.19) gives sizes as CSS does. */
const EMU_PER_UNIT: Readonly<Record<string, number>> = {
  pt: 12_700,
  in: 914_400,
  cm: 360_000,
  mm: 36_000,
  pc: 152_400,
  px: 9_525,
  '': 9_525,
};
const CSS_SIZE = /^\s*(\d+(?:\.\d+)?|\.\d+)\s*([a-z]*)\s*$/;

/**
 * The first picture in a stretch of XML that a page can show, a metafile only where there is nothing else, and the size of the
 * first frame there: of a floating drawing, a shape, a group, the preview of an embedded object, or the form that a drawing has
 * for old programs.
 */
export function previewOf(context: ReadContext, start: number, end: number): Preview {
  const source = context.xml.text.slice(start, end);
  if (!DRAWN.test(source)) return NOTHING;
  // The stretch may be several elements: those of a field.
  const xml = new XmlDocument(`<_>${source}</_>`);
  let frame: Frame | undefined;
  let picture: string | null = null;
  let metafile: string | null = null;
  const visit = (element: XmlElement): void => {
    frame ??= frameOf(xml, element);
    const found = picture ?? pictureOf(context, xml, element);
    if (found !== null && isMetafile(found)) metafile ??= found;
    else picture = found;
    if (!frame || picture === null) element.children.forEach(visit);
  };
  visit(xml.root);
  return { ...(frame ?? NOTHING), picture: picture ?? metafile };
}

function frameOf(xml: XmlDocument, element: XmlElement): Frame | undefined {
  switch (element.name) {
    case 'wp:extent': {
      const { cx, cy } = xml.attributes(element);
      return frame(Number(cx), Number(cy));
    }
    case 'w:object': {
      const shape = element.children.map((child) => frameOf(xml, child)).find((found) => found !== undefined);
      const { 'w:dxaOrig': width, 'w:dyaOrig': height } = xml.attributes(element);
      return shape ?? frame(Number(width) * EMU_PER_TWIP, Number(height) * EMU_PER_TWIP);
    }
    default:
      return element.name.startsWith('v:') ? shapeFrame(xml.attribute(element, 'style') ?? '') : undefined;
  }
}

function shapeFrame(style: string): Frame | undefined {
  const sizes = new Map<string, number>();
  for (const declaration of style.split(';')) {
    const [name = '', value = ''] = declaration.split(':');
    const [, number, unit] = CSS_SIZE.exec(value) ?? [];
    if (number !== undefined) sizes.set(name.trim(), Number(number) * (EMU_PER_UNIT[unit!] ?? Number.NaN));
  }
  return frame(sizes.get('width'), sizes.get('height'));
}

function frame(width = Number.NaN, height = Number.NaN): Frame | undefined {
  const [x, y] = [Math.round(width), Math.round(height)];
  return x > 0 && y > 0 && accepts(values.emu, x) && accepts(values.emu, y)
    ? { width: x, height: y }
    : undefined;
}

function pictureOf(
  { relationships, media }: ReadContext,
  xml: XmlDocument,
  element: XmlElement,
): string | null {
  const id = relationshipId(xml, element);
  const relationship = id === undefined ? undefined : relationships.get(id);
  if (!relationship || relationship.external) return null;
  const path = media.shownPathOfTarget(relationship.target);
  return accepts(values.mediaPath, path) ? path! : null;
}

function relationshipId(xml: XmlDocument, element: XmlElement): string | undefined {
  switch (element.name) {
    case 'a:blip':
    case 'asvg:svgBlip':
      return xml.attribute(element, 'r:embed');
    case 'v:imagedata':
    case 'v:fill':
      return xml.attribute(element, 'r:id') ?? xml.attribute(element, 'o:relid');
    default:
      return undefined;
  }
}
