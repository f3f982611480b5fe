import { lastColumn, lastRow } from '../../../../../model/cell/area.ts';
import type { Anchor, ItemOf } from '../../../../../model/cell/items.ts';
import type { OfficePackage } from '../../package/office-package.ts';
import type { MediaCatalog } from '../../package/pictures.ts';
import { type Relationships, resolveTarget } from '../../package/relationships.ts';
import type { XmlDocument } from '../../package/xml-document.ts';
import type { XmlElement } from '../../package/xml-scanner.ts';
import { numberOf, withoutNothing } from '../styles/format-xml.ts';
import { readChart } from './chart-items.ts';
import { type ReadItems, readItems } from './item-list.ts';

type Drawing = ItemOf<'drawing'>;
const UNITS_PER_DEGREE = 60_000;
const MOST_TEXT = 32_767;

/** The drawing of a sheet (20.5): its part, and what is anchored in it. */
export interface ReadDrawings extends ReadItems<Drawing> {
  readonly partName: string;
  readonly xml: XmlDocument;
  readonly relationships: Relationships;
}

const ANCHORS = ['xdr:twoCellAnchor', 'xdr:oneCellAnchor', 'xdr:absoluteAnchor'];

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
  if (hidden === '1') return withoutNothing({ ...common, kind: 'opaque' }) as Drawing;
  switch (object?.name) {
    case 'xdr:pic': {
      const id = xml.attribute(descendant(object, 'a:blip'), 'r:embed');
      const target = id === undefined ? undefined : relationships.get(id)?.target;
      const src = target === undefined ? undefined : media.seenFrom(partName).shownPathOfTarget(target);
      const turned = numberOf(xml.attribute(descendant(object, 'a:xfrm'), 'rot'));
      const rotation = turned ? turned / UNITS_PER_DEGREE : undefined;
      return withoutNothing({ ...common, kind: 'picture', src, rotation }) as Drawing;
    }
    case 'xdr:graphicFrame': {
      const id = xml.attribute(descendant(object, 'c:chart'), 'r:id');
      const target = id === undefined ? undefined : relationships.get(id)?.target;
      const chartXml = target === undefined ? undefined : opened.readableXml(resolveTarget(partName, target));
      const chart = chartXml && readChart(chartXml);
      return withoutNothing({ ...common, kind: chart ? 'chart' : 'opaque', chart }) as Drawing;
    }
    case 'xdr:sp': {
      const body = xml.child(object, 'xdr:txBody');
      const lines = (body?.children ?? [])
        .filter(({ name: child }) => child === 'a:p')
        .map((one) => lineOf(xml, one));
      const text = lines.join('\n').slice(0, MOST_TEXT) || undefined;
      return withoutNothing({ ...common, kind: 'shape', text }) as Drawing;
    }
    default:
      return withoutNothing({ ...common, kind: 'opaque' }) as Drawing;
  }
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
