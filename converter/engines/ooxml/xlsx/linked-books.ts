import { areaOfReference } from '../../../../model/cell/area.ts';
import { CELL_LIMITS } from '../../../../model/cell/limits.ts';
import type { LinkedBook, LinkedCell, LinkedSheet } from '../../../../model/cell/linked-book.ts';
import { weightOfBooks } from '../../../../model/cell/linked-book.ts';
import type { CellValue } from '../../../../model/cell/values.ts';
import { isRelationshipType } from '../package/namespaces.ts';
import { type OfficePackage, unlessDamaged } from '../package/office-package.ts';
import { type Relationships, resolveTarget } from '../package/relationships.ts';
import type { XmlDocument } from '../package/xml-document.ts';
import type { XmlElement } from '../package/xml-scanner.ts';
import { decodeCellText } from './cell-text.ts';

/** Where what Quire keeps of a linked workbook's source stands: an extension of the part of the link. */
export const SOURCE_EXTENSION = '{6E6B1D4C-7C0B-4C55-9B57-9C1F5D0E3A21}';
export const SOURCE_NAMESPACE = 'urn:quire:linked-workbook:1';

/** The part of a linked workbook (18.14), and what leads to it. */
export interface LinkPart {
  readonly partName: string;
  readonly relationships: Relationships;
  readonly xml: XmlDocument;
  readonly book: XmlElement;
}

export interface ReadBooks {
  /** By their numbers, as formulas have them in brackets. */
  readonly items: ReadonlyMap<string, LinkedBook>;
  readonly parts: ReadonlyMap<string, LinkPart>;
  /** What the workbook part says of all links, in the order of their numbers. Links to other programs count among them. */
  readonly references: readonly { readonly element: XmlElement; readonly relationshipId: string }[];
}

/** The workbooks that formulas of this one read (18.2.8, 18.14). What is damaged is left out. */
export function readBooks(opened: OfficePackage, xml: XmlDocument, links: Relationships): ReadBooks {
  const items = new Map<string, LinkedBook>();
  const parts = new Map<string, LinkPart>();
  const list = xml.child(xml.root, 'externalReferences')?.children ?? [];
  const references = list
    .filter(({ name }) => name === 'externalReference')
    .map((element) => ({ element, relationshipId: xml.attribute(element, 'r:id') ?? '' }));
  let room = CELL_LIMITS.linkedWeight;
  for (const [at, { relationshipId }] of references.entries()) {
    const part = linkPart(opened, links, relationshipId);
    const item = part && readBook(part);
    if (!part || !item) continue;
    const weight = weightOfBooks([item]);
    const id = String(at + 1);
    parts.set(id, part);
    // Of what is more than anybody keeps the values stay in the file, and formulas keep theirs.
    items.set(
      id,
      weight <= room ? item : { ...item, sheets: item.sheets.map(({ name }) => ({ name, cells: [] })) },
    );
    if (weight <= room) room -= weight;
  }
  return { items, parts, references };
}

function linkPart(opened: OfficePackage, links: Relationships, id: string): LinkPart | undefined {
  const found = links.get(id);
  if (!found || found.external) return undefined;
  const partName = resolveTarget(opened.mainPart, found.target);
  const xml = opened.readableXml(partName);
  const book = xml?.child(xml.root, 'externalBook');
  const relationships = unlessDamaged(() => opened.relationshipsOf(partName));
  return xml && book && relationships ? { partName, relationships, xml, book } : undefined;
}

/** The relationship that says where a linked workbook is. */
export function pathOf({ relationships, xml, book }: LinkPart) {
  const named = relationships.get(xml.attribute(book, 'r:id') ?? '');
  const isPath = (type: string) =>
    /\/xl(?:PathMissing|StartupPath|AlternateStartup|Library)$/.test(type) ||
    isRelationshipType(type, 'externalLinkPath');
  return named?.external && isPath(named.type) ? named : undefined;
}

function readBook(part: LinkPart): LinkedBook | undefined {
  const { xml, book } = part;
  const address = pathOf(part)?.target ?? '';
  if (address.length > 8_000) return undefined;
  const names = sheetNamesOf(part);
  const isSound = (name: string) => name !== '' && name.length <= CELL_LIMITS.linkedNameChars;
  if (names.length > CELL_LIMITS.sheets || !names.every(isSound)) return undefined;
  const data = sheetDataOf(part);
  const sheets = names.map((name, at): LinkedSheet => {
    const element = data.get(at);
    return { name, cells: element ? readCells(xml, element) : [] };
  });
  const defined = (xml.child(book, 'definedNames')?.children ?? []).flatMap((element) => {
    const { name, refersTo } = xml.attributes(element);
    const formula = refersTo?.replace(/^=/, '') ?? '';
    const isKept =
      name !== undefined &&
      name.length <= 255 &&
      formula !== '' &&
      formula.length <= CELL_LIMITS.formulaChars;
    return isKept ? [{ name, formula }] : [];
  });
  const source = readSource(xml);
  return {
    address,
    sheets,
    ...(source && { source }),
    ...(defined.length > 0 && defined.length <= CELL_LIMITS.areasPerOperation && { names: defined }),
  };
}

/** The names of a linked workbook's sheets, which data of them is counted by. */
export const sheetNamesOf = ({ xml, book }: LinkPart): string[] =>
  (xml.child(book, 'sheetNames')?.children ?? []).map((element) => xml.attribute(element, 'val') ?? '');

/** What is stored of its sheets, by their places. */
export function sheetDataOf({ xml, book }: LinkPart): Map<number, XmlElement> {
  const data = new Map<number, XmlElement>();
  for (const element of xml.child(book, 'sheetDataSet')?.children ?? [])
    data.set(Number(xml.attribute(element, 'sheetId') ?? Number.NaN), element);
  return data;
}

function readCells(xml: XmlDocument, sheetData: XmlElement): LinkedCell[] {
  const cells: LinkedCell[] = [];
  for (const row of sheetData.children) {
    for (const element of row.children) {
      const cell = readCell(xml, element);
      if (cell) cells.push(cell);
    }
  }
  return cells;
}

/** A cell with the value that was last read (18.14.1); without one it was empty. */
function readCell(xml: XmlDocument, element: XmlElement): LinkedCell | undefined {
  const { r = '', t } = xml.attributes(element);
  const area = areaOfReference(r);
  if (element.name !== 'cell' || !area || area[0] !== area[2] || area[1] !== area[3]) return undefined;
  const found = xml.child(element, 'v');
  const text = found ? xml.content(found) : undefined;
  return [area[0], area[1], text === undefined ? null : valueFrom(text, t)];
}

function valueFrom(text: string, type: string | undefined): CellValue {
  switch (type) {
    case 'str':
    case 's':
    case 'inlineStr':
    case 'd':
      return decodeCellText(text).slice(0, CELL_LIMITS.textChars);
    case 'b':
      return text === '1' || text === 'true';
    case 'e':
      return { e: text.slice(0, 20) };
    default: {
      const number = Number(text);
      return text.trim() !== '' && Number.isFinite(number) ? number : null;
    }
  }
}

function readSource(xml: XmlDocument): LinkedBook['source'] | undefined {
  const extension = (xml.child(xml.root, 'extLst')?.children ?? []).find(
    (element) => xml.attribute(element, 'uri') === SOURCE_EXTENSION,
  );
  const element = extension?.children[0];
  if (!element) return undefined;
  const { fileKey, instanceId } = xml.attributes(element);
  const isShort = (text: string | undefined) => text !== undefined && text.length <= 1_000;
  return isShort(fileKey) && isShort(instanceId) ? { fileKey: fileKey!, instanceId: instanceId! } : undefined;
}
