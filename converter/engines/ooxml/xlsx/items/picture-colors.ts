import type { Drawing } from '../../../../../model/cell/items.ts';
import type { XmlDocument } from '../../package/xml-document.ts';
import type { XmlElement } from '../../package/xml-scanner.ts';
import { numberOf, withoutNothing } from '../styles/format-xml.ts';
import { readDrawingColor } from './drawing-looks.ts';

const PARTS = 100_000;
const HALF = PARTS / 2;

/** How the colours of a picture (`a:blip`, 20.1.8.13) are other than in its file. */
export function readRecolored(xml: XmlDocument, blip: XmlElement | undefined): Drawing['recolored'] {
  if (!blip) return undefined;
  const part = (name: string, attribute: string): number | undefined => {
    const parts = numberOf(xml.attribute(xml.child(blip, name), attribute));
    return parts ? Math.max(-1, Math.min(1, parts / PARTS)) : undefined;
  };
  const twoLevels = xml.child(blip, 'a:biLevel');
  const opacity = xml.child(blip, 'a:alphaModFix') && (part('a:alphaModFix', 'amt') ?? 0);
  const recolored = withoutNothing({
    isGray: xml.child(blip, 'a:grayscl') ? true : undefined,
    threshold: twoLevels && Math.max(0, numberOf(xml.attribute(twoLevels, 'thresh')) ?? HALF) / PARTS,
    duotone: readDuotone(xml, xml.child(blip, 'a:duotone')),
    brightness: part('a:lum', 'bright'),
    contrast: part('a:lum', 'contrast'),
    opacity: opacity === 1 ? undefined : opacity,
  }) as NonNullable<Drawing['recolored']>;
  return Object.keys(recolored).length > 0 ? recolored : undefined;
}

function readDuotone(
  xml: XmlDocument,
  element: XmlElement | undefined,
): NonNullable<Drawing['recolored']>['duotone'] {
  const [dark, light] = (element?.children ?? []).map((child) =>
    readDrawingColor(xml, { ...element!, children: [child] }),
  );
  return dark && light ? [dark, light] : undefined;
}
