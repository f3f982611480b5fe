import { lastColumn, lastRow } from '../../../../../model/cell/area.ts';
import type { Anchor, Drawing } from '../../../../../model/cell/items.ts';
import type { OfficePackage } from '../../package/office-package.ts';
import type { MediaCatalog } from '../../package/pictures.ts';
import { type Relationships, resolveTarget } from '../../package/relationships.ts';
import type { XmlDocument } from '../../package/xml-document.ts';
import type { XmlElement } from '../../package/xml-scanner.ts';
import { readChart } from '../charts/chart-reader.ts';
import { readLaterChart } from '../charts/later-chart.ts';
import { isOn, numberOf, withoutNothing } from '../styles/format-xml.ts';
import { readShapeLook } from './drawing-looks.ts';
import { type ReadItems, readItems } from './item-list.ts';
import { readRecolored } from './picture-colors.ts';

const UNITS_PER_DEGREE = 60_000;
const PARTS = 100_000;
const MOST_TEXT = 32_767;

/** The drawing of a sheet (20.5): its part, and what is anchored in it. */
export interface ReadDrawings extends ReadItems<Drawing> {
  readonly partName: string;
  readonly xml: XmlDocument;
  readonly relationships: Relationships;
}

const ANCHORS = ['xdr:twoCellAnchor', 'xdr:oneCellAnchor', 'xdr:absoluteAnchor'];

/** The part that has what is drawn on a sheet. @param xml of the sheet, or of its shell */
export function drawingPartOf(
  opened: OfficePackage,
  sheetPart: string,
  xml: XmlDocument,
  relationships: Relationships,
): Pick<ReadDrawings, 'partName' | 'relationships'> | undefined {
  const id = xml.attribute(xml.child(xml.root, 'drawing'), 'r:id');
  const found = id === undefined ? undefined : relationships.get(id);
  if (!found || found.external) return undefined;
  const partName = resolveTarget(sheetPart, found.target);
  if (!opened.archive.find(partName)) return undefined;
  return { partName, relationships: opened.relationshipsOf(partName) };
}

/** @param media knows the pictures of all sheets */
export function readDrawings(
  opened: OfficePackage,
  partName: string,
  relationships: Relationships,
  media: MediaCatalog,
): ReadDrawings | undefined {
  const xml = opened.readableXml(partName);
  if (xml?.root.name !== 'xdr:wsDr') return undefined;
  const anchors = xml.root.children.flatMap((child) =>
    child.name === 'mc:AlternateContent' ? (xml.child(child, 'mc:Choice')?.children ?? []) : [child],
  );
  const read = readItems(
    anchors.filter(({ name }) => ANCHORS.includes(name)),
    'd',
    (element) => {
      const order = anchors.indexOf(element);
      return readAnchored(opened, { partName, xml, relationships }, element, order, media);
    },
  );
  return { ...read, partName, xml, relationships };
}

type DrawingPart = Pick<ReadDrawings, 'partName' | 'xml' | 'relationships'>;

function readAnchored(
  opened: OfficePackage,
  { partName, xml, relationships }: DrawingPart,
  element: XmlElement,
  order: number,
  media: MediaCatalog,
): Drawing | undefined {
  const anchor = readAnchor(xml, element);
  if (!anchor) return undefined;
  const object = element.children.find(({ name }) =>
    /^(?:xdr:(?:pic|sp|cxnSp|grpSp|graphicFrame|contentPart)|mc:AlternateContent)$/.test(name),
  );
  const described = object && descendant(object, 'xdr:cNvPr');
  const { name, descr, hidden } = described ? xml.attributes(described) : {};
  const common = { anchor, order, name: name?.slice(0, MOST_TEXT), description: descr?.slice(0, MOST_TEXT) };
  if (hidden === '1') return withoutNothing({ ...common, hidden: true, kind: 'opaque' }) as Drawing;
  const targetOf = (id: string | undefined) => (id === undefined ? undefined : relationships.get(id)?.target);
  switch (object?.name) {
    case 'xdr:pic': {
      const blip = descendant(object, 'a:blip');
      const target = targetOf(xml.attribute(blip, 'r:embed'));
      const src = target === undefined ? undefined : media.seenFrom(partName).shownPathOfTarget(target);
      const crop = readCrop(xml, descendant(object, 'a:srcRect'));
      const recolored = readRecolored(xml, blip);
      const turn = readTurn(xml, object);
      return withoutNothing({ ...common, kind: 'picture', src, crop, recolored, ...turn }) as Drawing;
    }
    case 'xdr:sp':
    case 'xdr:cxnSp': {
      const body = xml.child(object, 'xdr:txBody');
      const lines = (body?.children ?? [])
        .filter(({ name: child }) => child === 'a:p')
        .map((one) => lineOf(xml, one));
      const text = lines.join('\n').slice(0, MOST_TEXT) || undefined;
      const look = readShapeLook(xml, object);
      return withoutNothing({ ...common, kind: 'shape', text, look, ...readTurn(xml, object) }) as Drawing;
    }
    default: {
      const frame = object && chartFrame(object);
      const target = frame && targetOf(xml.attribute(frame, 'r:id'));
      const chartXml = target === undefined ? undefined : opened.readableXml(resolveTarget(partName, target));
      const chart = chartXml && (readChart(chartXml) ?? readLaterChart(chartXml));
      return withoutNothing({ ...common, kind: chart ? 'chart' : 'opaque', chart }) as Drawing;
    }
  }
}

/** What names the part of a chart, whichever of the two kinds of charts it is; pictures of groups are none. */
function chartFrame(object: XmlElement): XmlElement | undefined {
  if (object.name === 'xdr:grpSp') return undefined;
  return descendant(object, 'c:chart') ?? descendant(object, 'cx:chart');
}

/** How a picture or a shape is turned. */
function readTurn(xml: XmlDocument, object: XmlElement): Pick<Drawing, 'rotation' | 'mirrored'> {
  const frame = descendant(object, 'a:xfrm');
  const { rot, flipH, flipV } = frame ? xml.attributes(frame) : {};
  const turned = numberOf(rot);
  const [across, down] = [flipH, flipV].map((flip) => flip !== undefined && isOn(flip));
  return {
    rotation: turned ? turned / UNITS_PER_DEGREE : undefined,
    mirrored: across && down ? 'both' : across ? 'across' : down ? 'down' : undefined,
  };
}

function readCrop(xml: XmlDocument, element: XmlElement | undefined): Drawing['crop'] {
  if (!element) return undefined;
  const { l, t, r, b } = xml.attributes(element);
  const crop = [l, t, r, b].map((part) => (numberOf(part) ?? 0) / PARTS) as NonNullable<Drawing['crop']>;
  return crop.some((part) => part !== 0) && crop[0] + crop[2] < 1 && crop[1] + crop[3] < 1 ? crop : undefined;
}

function lineOf(xml: XmlDocument, paragraph: XmlElement): string {
  return paragraph.children
    .map((run) => {
      const text = xml.child(run, 'a:t');
      return text ? xml.content(text) : run.name === 'a:br' ? '\n' : '';
    })
    .join('');
}

export function descendant(element: XmlElement, name: string): XmlElement | undefined {
  for (const child of element.children) {
    if (child.name === name) return child;
    const found = descendant(child, name);
    if (found) return found;
  }
  return undefined;
}

function readAnchor(xml: XmlDocument, element: XmlElement): Anchor | undefined {
  const spot = (name: string): Anchor['from'] | undefined => {
    const place = xml.child(element, name);
    if (!place) return undefined;
    const [row, column, x, y] = ['xdr:row', 'xdr:col', 'xdr:colOff', 'xdr:rowOff'].map((part) => {
      const child = xml.child(place, part);
      return numberOf(child && xml.content(child)) ?? 0;
    }) as [number, number, number, number];
    if (row < 0 || column < 0 || row > lastRow || column > lastColumn) return undefined;
    return [Math.trunc(row), Math.trunc(column), x, y];
  };
  const extent = xml.child(element, 'xdr:ext');
  const { cx, cy } = extent ? xml.attributes(extent) : {};
  const size = [numberOf(cx) ?? 0, numberOf(cy) ?? 0] as Anchor['size'];
  if (element.name === 'xdr:absoluteAnchor') {
    const position = xml.child(element, 'xdr:pos');
    const { x, y } = position ? xml.attributes(position) : {};
    return { from: [0, 0, numberOf(x) ?? 0, numberOf(y) ?? 0], ...(size && { size }), follows: 'none' };
  }
  const from = spot('xdr:from');
  if (!from) return undefined;
  if (element.name === 'xdr:oneCellAnchor') return { from, ...(size && { size }), follows: 'move' };
  const to = spot('xdr:to');
  if (!to) return undefined;
  const editAs = xml.attribute(element, 'editAs');
  const follows = editAs === 'oneCell' ? 'move' : editAs === 'absolute' ? 'none' : 'both';
  return { from, to, follows };
}
