import type { Color } from '../../../../../model/cell/cell-format.ts';
import { type ChartGradient, middleStop, type Stroke } from '../../../../../model/cell/chart.ts';
import type { Drawing } from '../../../../../model/cell/items.ts';
import { CELL_LIMITS } from '../../../../../model/cell/limits.ts';
import type { XmlDocument } from '../../package/xml-document.ts';
import type { XmlElement } from '../../package/xml-scanner.ts';
import { numberOf, withoutNothing } from '../styles/format-xml.ts';

export const EMU_PER_POINT = 12_700;
const PARTS = 100_000;
const ANGLE_PARTS = 60_000;

/** Places of a theme's colours as cells count them. */
const SCHEME: ReadonlyMap<string, number> = new Map(
  Object.entries<number>({
    ...{ bg1: 0, lt1: 0, tx1: 1, dk1: 1, bg2: 2, lt2: 2, tx2: 3, dk2: 3 },
    ...{ accent1: 4, accent2: 5, accent3: 6, accent4: 7, accent5: 8, accent6: 9, hlink: 10, folHlink: 11 },
  }),
);
/** Their names as charts and shapes have them. */
export const SCHEME_NAMES = [
  ...['bg1', 'tx1', 'bg2', 'tx2', 'accent1', 'accent2', 'accent3', 'accent4', 'accent5', 'accent6'],
  ...['hlink', 'folHlink'],
];
const PRESETS: ReadonlyMap<string, string> = new Map(
  Object.entries<string>({
    ...{ black: '000000', white: 'FFFFFF', red: 'FF0000', green: '008000', blue: '0000FF', yellow: 'FFFF00' },
    ...{
      gray: '808080',
      grey: '808080',
      silver: 'C0C0C0',
      orange: 'FFA500',
      purple: '800080',
      navy: '000080',
    },
  }),
);

/**
 * A colour of DrawingML (20.1.2.3) as cells have colours. What Office itself writes of lighter and darker ones (`lumMod` with the
 * `lumOff` that is left to one) is a tint to the last bit; of others the nearest tint is taken. Opacity is left out of account.
 */
export function readDrawingColor(xml: XmlDocument, holder: XmlElement | undefined): Color | undefined {
  const element = holder?.children.find(({ name }) => /Clr$/.test(name));
  if (!element) return undefined;
  const { val, lastClr } = xml.attributes(element);
  const base = baseColor(element.name, val, lastClr);
  if (!base) return undefined;
  const part = (name: string) => {
    const number = numberOf(xml.attribute(xml.child(element, name), 'val'));
    return number === undefined ? undefined : number / PARTS;
  };
  const [mod, off] = [part('a:lumMod') ?? 1, part('a:lumOff') ?? 0];
  const shade = part('a:shade');
  const light = part('a:tint');
  const tint = off > 0 ? off : mod !== 1 ? mod - 1 : shade !== undefined ? shade - 1 : light ? 1 - light : 0;
  const rounded = Math.round(Math.max(-1, Math.min(1, tint)) * 1e6) / 1e6;
  return rounded === 0 ? base : { ...base, tint: rounded };
}

function baseColor(name: string, val = '', lastClr = ''): Color | undefined {
  const rgb = name === 'a:sysClr' ? lastClr : name === 'a:prstClr' ? (PRESETS.get(val) ?? '') : val;
  if (name === 'a:schemeClr') return SCHEME.get(val) === undefined ? undefined : { theme: SCHEME.get(val) };
  return /^[0-9A-Fa-f]{6}$/.test(rgb) ? { rgb: rgb.toUpperCase() } : undefined;
}

/** What an element of properties (`spPr`) is filled with: null for nothing, undefined where it does not say. */
export function readFillColor(
  xml: XmlDocument,
  properties: XmlElement | undefined,
): Color | null | undefined {
  for (const fill of properties?.children ?? []) {
    switch (fill.name) {
      case 'a:noFill':
        return null;
      case 'a:solidFill':
        return readDrawingColor(xml, fill);
      case 'a:gradFill': {
        const stops = xml.child(fill, 'a:gsLst')?.children ?? [];
        return readDrawingColor(xml, middleStop(stops));
      }
      case 'a:pattFill':
        return readDrawingColor(xml, xml.child(fill, 'a:fgClr'));
    }
  }
  return undefined;
}

/** The gradient that an element of properties is filled with, where it goes along a line and has colours that are known. */
export function readGradient(
  xml: XmlDocument,
  properties: XmlElement | undefined,
): ChartGradient | undefined {
  const fill = xml.child(properties, 'a:gradFill');
  const stops = (xml.child(fill, 'a:gsLst')?.children ?? []).flatMap((stop) => {
    const color = readDrawingColor(xml, stop);
    const at = numberOf(xml.attribute(stop, 'pos'));
    return color && at !== undefined ? [{ at: Math.min(1, Math.max(0, at / PARTS)), color }] : [];
  });
  const isWhole = stops.length === xml.child(fill, 'a:gsLst')?.children.length;
  if (!isWhole || stops.length < 2 || stops.length > CELL_LIMITS.chartStops || xml.child(fill, 'a:path'))
    return undefined;
  const angle = numberOf(xml.attribute(xml.child(fill, 'a:lin'), 'ang'));
  return angle ? { angle: angle / ANGLE_PARTS, stops } : { stops };
}

/** The line of an element of properties; undefined where it does not say. */
export function readStroke(xml: XmlDocument, properties: XmlElement | undefined): Stroke | undefined {
  const line = xml.child(properties, 'a:ln');
  if (!line) return undefined;
  const fill = readFillColor(xml, line);
  const width = numberOf(xml.attribute(line, 'w'));
  const dash = xml.attribute(xml.child(line, 'a:prstDash'), 'val');
  const stroke = withoutNothing({
    color: fill ?? undefined,
    width: width === undefined ? undefined : width / EMU_PER_POINT,
    dash: dash === 'solid' ? undefined : dash,
    none: fill === null || undefined,
  }) as Stroke;
  return Object.keys(stroke).length > 0 ? stroke : undefined;
}

/** The properties of the first run or paragraph of a text. */
export function textProperties(xml: XmlDocument, text: XmlElement | undefined): XmlElement | undefined {
  for (const paragraph of text?.children ?? []) {
    if (paragraph.name !== 'a:p') continue;
    const run = paragraph.children.find(({ name }) => name === 'a:r' || name === 'a:fld');
    const found =
      xml.child(run, 'a:rPr') ?? xml.child(xml.child(paragraph, 'a:pPr'), 'a:defRPr') ?? undefined;
    if (found) return found;
  }
  return undefined;
}

const ALIGNS: ReadonlyMap<string, 'left' | 'center' | 'right'> = new Map(
  Object.entries<'left' | 'center' | 'right'>({
    l: 'left',
    ctr: 'center',
    r: 'right',
  }),
);
const ANCHORS: ReadonlyMap<string, 'top' | 'center' | 'bottom'> = new Map(
  Object.entries<'top' | 'center' | 'bottom'>({
    t: 'top',
    ctr: 'center',
    b: 'bottom',
  }),
);

/** How a shape looks: what it says itself, else what the style says that it refers to. */
export function readShapeLook(xml: XmlDocument, object: XmlElement): Drawing['look'] {
  const properties = xml.child(object, 'xdr:spPr');
  const style = xml.child(object, 'xdr:style');
  const body = xml.child(object, 'xdr:txBody');
  const text = textProperties(xml, body);
  const styled = (name: string) => {
    const reference = xml.child(style, name);
    return reference && xml.attribute(reference, 'idx') !== '0'
      ? readDrawingColor(xml, reference)
      : undefined;
  };
  const fill = readFillColor(xml, properties);
  const stroke = readStroke(xml, properties);
  const line = styled('a:lnRef');
  const paragraph = xml.child(xml.child(body, 'a:p'), 'a:pPr');
  const size = numberOf(xml.attribute(text, 'sz'));
  return withoutNothing({
    shape: xml.attribute(xml.child(properties, 'a:prstGeom'), 'prst'),
    fill: fill === undefined ? styled('a:fillRef') : fill,
    stroke: line && stroke?.color === undefined && !stroke?.none ? { color: line, ...stroke } : stroke,
    textColor: readDrawingColor(xml, xml.child(text, 'a:solidFill')) ?? styled('a:fontRef'),
    textSize: size === undefined ? undefined : size / 100,
    bold: xml.attribute(text, 'b') === '1' || undefined,
    align: ALIGNS.get(xml.attribute(paragraph, 'algn') ?? ''),
    vertical: ANCHORS.get(xml.attribute(xml.child(body, 'a:bodyPr'), 'anchor') ?? ''),
  }) as Drawing['look'];
}
