import type { Anchor, ItemOf } from '../../../../../model/cell/items.ts';
import { itemsOf, type Sheet } from '../../../../../model/cell/workbook.ts';
import type { MediaReader } from '../../../kind-engine.ts';
import { isRelationshipType } from '../../package/namespaces.ts';
import { type MediaCatalog, pictureType } from '../../package/pictures.ts';
import { relativeTarget, resolveTarget } from '../../package/relationships.ts';
import { applyEdits, type TextEdit } from '../../package/text-edits.ts';
import { XmlDocument } from '../../package/xml-document.ts';
import type { XmlElement } from '../../package/xml-scanner.ts';
import { attributesXml, escapeText, withAttributes } from '../../package/xml-text.ts';
import type { ReferenceValues } from '../charts/data-patch.ts';
import { newChartXml } from '../charts/new-chart.ts';
import { patchedChart } from '../charts/patched-chart.ts';
import type { PackageChanges } from '../package-changes.ts';
import type { PartEdits } from '../part-edits.ts';
import type { SheetSource } from '../sheet-source.ts';
import { whole } from '../styles/format-xml.ts';
import { SHEET_PREFIXES, type SheetVocabulary } from '../vocabulary.ts';
import { descendant, type ReadDrawings } from './drawing-items.ts';
import { isSame } from './item-list.ts';

type Drawing = ItemOf<'drawing'>;

const CHART_TYPE = 'application/vnd.openxmlformats-officedocument.drawingml.chart+xml';
const DRAWING_TYPE = 'application/vnd.openxmlformats-officedocument.drawing+xml';
const UNITS_PER_DEGREE = 60_000;

/** What writing what is drawn on sheets needs. */
export interface DrawingContext {
  readonly changes: PackageChanges;
  readonly vocabulary: SheetVocabulary;
  readonly media: MediaCatalog;
  readonly newMedia: MediaReader;
  /** Takes the path of a picture whose bytes nobody gave. */
  readonly missing: (path: string) => void;
  readonly valuesOf: ReferenceValues;
  readonly chartXml: (partName: string) => XmlDocument | undefined;
  /** A drawing of the file as it was opened, by its sheet and its id. */
  readonly givenDrawing: (sheet: string, id: string) => GivenDrawing | undefined;
}

/** A drawing that the file has, and where. */
export interface GivenDrawing {
  readonly drawing: Drawing;
  readonly part: ReadDrawings;
  readonly element: XmlElement;
}

/** Writes what is drawn on a sheet. @param edits of the sheet's shell */
export function writeDrawings(
  source: SheetSource,
  after: Sheet,
  edits: PartEdits,
  context: DrawingContext,
): void {
  const before = itemsOf(source.sheet, 'drawing');
  const items = itemsOf(after, 'drawing');
  if (before === items) return;
  const part = source.drawings ?? newPart(context.vocabulary);
  const writer = new DrawingWriter(part, before, items, context);
  const isNew = part.partName === '';
  if (isNew && items.size === 0) return;
  const { changes, vocabulary } = context;
  if (!isNew) {
    writer.write(part.partName);
    return;
  }
  const pattern = source.partName.replace(/[^/]*\/[^/]*$/, 'drawings/drawing#.xml');
  const partName = changes.add(pattern, DRAWING_TYPE, new Uint8Array());
  writer.write(partName);
  const links = changes.relationshipsOf(source.partName, source.relationships);
  const target = relativeTarget(source.partName, partName);
  const id = links.require(`${vocabulary.relationships}/drawing`, target, false);
  edits.setRootAttributes({ 'xmlns:r': vocabulary.relationships });
  edits.setChild('drawing', `<drawing r:id="${id}"/>`);
}

type Part = Pick<ReadDrawings, 'partName' | 'xml' | 'elements'>;

function newPart({ sheetDrawing, drawing }: SheetVocabulary): Part {
  const text = `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<xdr:wsDr xmlns:xdr="${sheetDrawing}" xmlns:a="${drawing}"></xdr:wsDr>`;
  return { partName: '', xml: XmlDocument.canonical(text, 'utf-8', SHEET_PREFIXES), elements: new Map() };
}

/** One of the file that is still there. */
interface WrittenDrawing {
  /** The child of the root that holds it. */
  readonly whole: XmlElement;
  readonly order: number;
  readonly edits: readonly TextEdit[];
}

const isFromBackToFront = (drawings: readonly { readonly order: number }[]): boolean =>
  drawings.every(({ order }, at) => at === 0 || drawings[at - 1]!.order <= order);

class DrawingWriter {
  readonly #part: Part;
  readonly #before: ReadonlyMap<string, Drawing>;
  readonly #after: ReadonlyMap<string, Drawing>;
  readonly #context: DrawingContext;
  #nextId: number;

  constructor(
    part: Part,
    before: ReadonlyMap<string, Drawing>,
    after: ReadonlyMap<string, Drawing>,
    context: DrawingContext,
  ) {
    this.#part = part;
    this.#before = before;
    this.#after = after;
    this.#context = context;
    const ids = [...part.xml.text.matchAll(/cNvPr\s[^<>]*?\bid="(\d{1,9})"/g)].map(([, id]) => Number(id));
    this.#nextId = Math.max(1, ...ids) + 1;
  }

  write(partName: string): void {
    const { xml, elements } = this.#part;
    const kept: WrittenDrawing[] = [];
    const gone: TextEdit[] = [];
    for (const [id, element] of elements) {
      const [was, is] = [this.#before.get(id), this.#after.get(id)];
      if (!was) continue;
      const whole =
        xml.root.children.find(({ start, end }) => start <= element.start && end >= element.end) ?? element;
      const edits = is && was !== is && !isSame(was, is) ? this.#changed(partName, element, was, is) : [];
      if (is) kept.push({ whole, order: is.order, edits });
      else gone.push({ start: whole.start, end: whole.end, text: '' });
    }
    const added = [...this.#after]
      .filter(([id]) => !elements.has(id))
      .sort(([, one], [, other]) => one.order - other.order)
      .map(([, item]) => ({ order: item.order, text: this.#newXml(partName, item) }))
      .filter(({ text }) => text !== '');
    const { edits, appended } = isFromBackToFront([...kept, ...added])
      ? { edits: kept.flatMap((one) => one.edits), appended: added.map(({ text }) => text) }
      : this.#inOrder(kept, added);
    edits.push(...gone);
    if (edits.length === 0 && appended.length === 0 && this.#part.partName !== '') return;
    const { drawing, relationships } = this.#context.vocabulary;
    const root = xml.attributes(xml.root);
    const rootAttributes = {
      ...(root['xmlns:a'] === undefined && { 'xmlns:a': drawing }),
      ...(root['xmlns:r'] === undefined && { 'xmlns:r': relationships }),
    };
    const text = xml.edited({ rootAttributes, edits, appended: appended.join('') });
    this.#context.changes.put(partName, xml.encode(text));
  }

  /** What stands later in the part lies in front: each of the places that there are gets another one. */
  #inOrder(
    kept: readonly WrittenDrawing[],
    added: readonly { readonly order: number; readonly text: string }[],
  ): { edits: TextEdit[]; appended: string[] } {
    const { xml } = this.#part;
    const places = [...new Set(kept.map(({ whole }) => whole))];
    const texts = places.map((whole) => {
      const own = kept.filter((one) => one.whole === whole);
      const edits = own.flatMap((one) => one.edits);
      const inner = edits.map(({ start, end, text }) => ({
        start: start - whole.start,
        end: end - whole.start,
        text,
      }));
      return { order: own[0]!.order, text: applyEdits(xml.raw(whole), inner) };
    });
    const ordered = [...texts, ...added].sort((one, other) => one.order - other.order);
    return {
      edits: places.map(({ start, end }, at) => ({ start, end, text: ordered[at]!.text })),
      appended: ordered.slice(places.length).map(({ text }) => text),
    };
  }

  #changed(partName: string, element: XmlElement, was: Drawing, is: Drawing): TextEdit[] {
    const { xml } = this.#part;
    const edits: TextEdit[] = [];
    const described = descendant(element, 'xdr:cNvPr');
    if (described && (was.name !== is.name || was.description !== is.description)) {
      const tag = xml.openTag(described);
      const text = withAttributes(tag, { name: is.name ?? '', descr: is.description ?? null });
      edits.push({ start: described.start, end: described.openEnd, text });
    }
    if (was.chart && is.chart && !isSame(was.chart, is.chart)) this.#writeChart(partName, element, was, is);
    if (isSame(was.anchor, is.anchor)) return edits;
    const places = element.children.filter(({ name }) => PLACES.includes(name));
    const isOfSameKind = elementOf(was.anchor) === elementOf(is.anchor);
    const [first, last] = [places[0], places.at(-1)];
    if (isOfSameKind && first && last) {
      const tag = withAttributes(xml.openTag(element), { editAs: editAsOf(is.anchor) });
      if (was.anchor.follows !== is.anchor.follows)
        edits.push({ start: element.start, end: element.openEnd, text: tag });
      return [...edits, { start: first.start, end: last.end, text: placesXml(is.anchor) }];
    }
    const rest = element.children
      .filter(({ name }) => !PLACES.includes(name))
      .map((child) => {
        const inner = edits
          .filter(({ start, end }) => start >= child.start && end <= child.end)
          .map((edit) => ({ ...edit, start: edit.start - child.start, end: edit.end - child.start }));
        return applyEdits(xml.raw(child), inner);
      });
    return [{ start: element.start, end: element.end, text: anchorXml(is.anchor, rest.join('')) }];
  }

  #writeChart(partName: string, element: XmlElement, was: Drawing, is: Drawing): void {
    const { changes, chartXml, vocabulary, valuesOf } = this.#context;
    const { xml } = this.#part;
    const id = xml.attribute(descendant(element, 'c:chart'), 'r:id');
    const found = id === undefined ? undefined : changes.relationshipsOf(partName).get(id);
    const chartPart = found && resolveTarget(partName, found.target);
    const chart = chartPart === undefined ? undefined : chartXml(chartPart);
    if (chartPart === undefined || !chart) return;
    const text = patchedChart(chart, was.chart!, is.chart!, { vocabulary, valuesOf });
    if (text !== chart.text) changes.put(chartPart, chart.encode(text));
  }

  #newXml(partName: string, item: Drawing): string {
    const given = item.copyOf && this.#context.givenDrawing(...item.copyOf);
    const copy = given?.drawing.kind === item.kind ? this.#copyXml(partName, item, given) : undefined;
    if (copy !== undefined) return copy;
    const id = this.#nextId++;
    if (item.kind === 'picture') return this.#pictureXml(partName, item, id);
    if (item.kind === 'chart' && item.chart) return this.#chartXml(partName, item, id);
    if (item.kind === 'shape') return anchorXml(item.anchor, `${shapeXml(item, id)}<xdr:clientData/>`);
    return '';
  }

  /** A drawing of the file once more, with what only the file knows of it; undefined for one that cannot be doubled. */
  #copyXml(partName: string, item: Drawing, { drawing, part, element }: GivenDrawing): string | undefined {
    const links = new Map<string, string>();
    for (const [, id] of part.xml.raw(element).matchAll(/\sr:[a-z]+="([^"]*)"/gi)) {
      const link = id && this.#copiedLink(partName, id, item, drawing, part);
      if (!link) return undefined;
      links.set(id, link);
    }
    const content = element.children
      .filter(({ name }) => !PLACES.includes(name))
      .map((child) => part.xml.raw(child))
      .join('')
      .replace(/(\sr:[a-z]+=")([^"]*)(?=")/gi, (_all, before: string, id: string) => before + links.get(id)!)
      .replace(/(<xdr:cNvPr\s[^<>]*?\bid=")[^"]*(?=")/g, (_all, before: string) => before + this.#nextId++);
    const named = content.replace(/<xdr:cNvPr\b[^<>]*>/, (tag) =>
      item.name === drawing.name && item.description === drawing.description
        ? tag
        : withAttributes(tag, { name: item.name ?? '', descr: item.description ?? null }),
    );
    return withAttributes(anchorXml(item.anchor, named), declarationsFor(named, part.xml, element));
  }

  /** The relationship of a copy that stands for one of its original: charts get a part of their own, pictures are shared. */
  #copiedLink(
    partName: string,
    id: string,
    item: Drawing,
    given: Drawing,
    part: ReadDrawings,
  ): string | undefined {
    const { changes, chartXml, vocabulary, valuesOf } = this.#context;
    const found = part.relationships.get(id);
    if (!found) return undefined;
    const links = changes.relationshipsOf(partName);
    if (found.external || isRelationshipType(found.type, 'hyperlink'))
      return links.require(found.type, found.target, found.external);
    const target = resolveTarget(part.partName, found.target);
    if (isRelationshipType(found.type, 'image'))
      return links.require(found.type, relativeTarget(partName, target), false);
    const chart = chartXml(target);
    if (!isRelationshipType(found.type, 'chart') || !chart || !given.chart || !item.chart) return undefined;
    const text = patchedChart(chart, given.chart, item.chart, { vocabulary, valuesOf });
    const made = changes.addCopy(target, CHART_TYPE, chart.encode(text));
    return links.require(found.type, relativeTarget(partName, made), false);
  }

  #pictureXml(partName: string, { src, anchor, name, description, rotation }: Drawing, id: number): string {
    const part = src === undefined ? undefined : this.#picturePart(src);
    if (part === undefined) {
      if (src !== undefined) this.#context.missing(src);
      return '';
    }
    const type = `${this.#context.vocabulary.relationships}/image`;
    const links = this.#context.changes.relationshipsOf(partName);
    const link = links.require(type, relativeTarget(partName, part), false);
    const label = attributesXml({ id, name: name ?? `Picture ${id}`, descr: description });
    const turned = rotation ? attributesXml({ rot: Math.round((rotation % 360) * UNITS_PER_DEGREE) }) : '';
    const [cx, cy] = extentOf(anchor);
    return anchorXml(
      anchor,
      `<xdr:pic><xdr:nvPicPr><xdr:cNvPr${label}/><xdr:cNvPicPr><a:picLocks noChangeAspect="1"/></xdr:cNvPicPr></xdr:nvPicPr><xdr:blipFill><a:blip r:embed="${link}"/><a:stretch><a:fillRect/></a:stretch></xdr:blipFill><xdr:spPr><a:xfrm${turned}><a:off x="0" y="0"/><a:ext cx="${cx}" cy="${cy}"/></a:xfrm><a:prstGeom prst="rect"><a:avLst/></a:prstGeom></xdr:spPr></xdr:pic><xdr:clientData/>`,
    );
  }

  #picturePart(path: string): string | undefined {
    const { media, newMedia, changes } = this.#context;
    const known = media.partOf(path);
    if (known !== undefined) return known;
    const bytes = newMedia(path);
    const type = bytes && pictureType(bytes);
    if (!bytes || !type) return undefined;
    const partName = media.newPartName(path.slice('media/'.length));
    changes.putTyped(partName, type, bytes);
    return partName;
  }

  #chartXml(partName: string, { chart, anchor, name, description }: Drawing, id: number): string {
    const { changes, vocabulary, valuesOf } = this.#context;
    const pattern = partName.replace(/[^/]*\/[^/]*$/, 'charts/chart#.xml');
    const part = changes.add(pattern, CHART_TYPE, Buffer.from(newChartXml(chart!, { vocabulary, valuesOf })));
    const type = `${vocabulary.relationships}/chart`;
    const link = changes.relationshipsOf(partName).require(type, relativeTarget(partName, part), false);
    const label = attributesXml({ id, name: name ?? `Chart ${id}`, descr: description });
    return anchorXml(
      anchor,
      `<xdr:graphicFrame macro=""><xdr:nvGraphicFramePr><xdr:cNvPr${label}/><xdr:cNvGraphicFramePr/></xdr:nvGraphicFramePr><xdr:xfrm><a:off x="0" y="0"/><a:ext cx="0" cy="0"/></xdr:xfrm><a:graphic><a:graphicData uri="${vocabulary.chart}"><c:chart xmlns:c="${vocabulary.chart}" r:id="${link}"/></a:graphicData></a:graphic></xdr:graphicFrame><xdr:clientData/>`,
    );
  }
}

/** Declarations of the prefixes that XML of an element uses, and which elements around it have declared for it. */
function declarationsFor(text: string, xml: XmlDocument, element: XmlElement): Record<string, string> {
  const used = new Set(
    [...text.matchAll(/[<\s]([A-Za-z_][\w.-]*):[A-Za-z]/g)].map(([, prefix]) => `xmlns:${prefix}`),
  );
  const declared: Record<string, string> = {};
  let around: XmlElement | undefined = xml.root;
  while (around && around !== element) {
    for (const [name, value] of Object.entries(xml.attributes(around))) {
      const isKnown = around === xml.root && /^xmlns:(?:xdr|a|r)$/.test(name);
      if (used.has(name) && !isKnown) declared[name] = value;
    }
    around = around.children.find(({ start, end }) => start <= element.start && end >= element.end);
  }
  return declared;
}

const PLACES = ['xdr:from', 'xdr:to', 'xdr:ext', 'xdr:pos'];

function elementOf({ to, follows }: Anchor): string {
  if (to) return 'xdr:twoCellAnchor';
  return follows === 'none' ? 'xdr:absoluteAnchor' : 'xdr:oneCellAnchor';
}

function editAsOf({ to, follows }: Anchor): string | null {
  if (!to || follows === 'both') return null;
  return follows === 'move' ? 'oneCell' : 'absolute';
}

/** EMU of a place in a drawing, and of what is in it: whole numbers (20.1.10.16). */
const MOST_EMU = 2_147_483_647;
const offset = (emu: number): number => whole(emu, -MOST_EMU, MOST_EMU);
const extentOf = ({ size: [cx, cy] = [0, 0] }: Anchor): readonly [number, number] => [
  whole(cx, 0, MOST_EMU),
  whole(cy, 0, MOST_EMU),
];

function placesXml(anchor: Anchor): string {
  const spot = (name: string, [row, column, x, y]: Anchor['from']) =>
    `<xdr:${name}><xdr:col>${column}</xdr:col><xdr:colOff>${offset(x)}</xdr:colOff><xdr:row>${row}</xdr:row><xdr:rowOff>${offset(y)}</xdr:rowOff></xdr:${name}>`;
  const [cx, cy] = extentOf(anchor);
  const size = `<xdr:ext${attributesXml({ cx, cy })}/>`;
  switch (elementOf(anchor)) {
    case 'xdr:twoCellAnchor':
      return spot('from', anchor.from) + spot('to', anchor.to!);
    case 'xdr:oneCellAnchor':
      return spot('from', anchor.from) + size;
    default:
      return `<xdr:pos${attributesXml({ x: offset(anchor.from[2]), y: offset(anchor.from[3]) })}/>${size}`;
  }
}

function anchorXml(anchor: Anchor, content: string): string {
  const name = elementOf(anchor);
  return `<${name}${attributesXml({ editAs: editAsOf(anchor) })}>${placesXml(anchor)}${content}</${name}>`;
}

function shapeXml({ name, description, text = '', anchor }: Drawing, id: number): string {
  const label = attributesXml({ id, name: name ?? `TextBox ${id}`, descr: description });
  const [cx, cy] = extentOf(anchor);
  const lines = text.split('\n').map((line) => `<a:p><a:r><a:t>${escapeText(line)}</a:t></a:r></a:p>`);
  return `<xdr:sp macro="" textlink=""><xdr:nvSpPr><xdr:cNvPr${label}/><xdr:cNvSpPr txBox="1"/></xdr:nvSpPr><xdr:spPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="${cx}" cy="${cy}"/></a:xfrm><a:prstGeom prst="rect"><a:avLst/></a:prstGeom></xdr:spPr><xdr:txBody><a:bodyPr/>${lines.join('')}</xdr:txBody></xdr:sp>`;
}
