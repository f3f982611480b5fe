import type { LinkedBook, LinkedSheet } from '../../../../model/cell/linked-book.ts';
import type { CellValue } from '../../../../model/cell/values.ts';
import { textOfValue } from '../../../../model/cell/values.ts';
import { cellAddress } from '../../../../model/cell-address.ts';
import type { XmlDocument } from '../package/xml-document.ts';
import type { XmlElement } from '../package/xml-scanner.ts';
import { attributesXml, escapeText, withAttributes } from '../package/xml-text.ts';
import { encodeCellText } from './cell-text.ts';
import { isSame } from './items/item-list.ts';
import {
  type LinkPart,
  pathOf,
  SOURCE_EXTENSION,
  SOURCE_NAMESPACE,
  sheetDataOf,
  sheetNamesOf,
} from './linked-books.ts';
import type { PackageChanges } from './package-changes.ts';
import { PartEdits } from './part-edits.ts';

/** What the part of a link holds, in the order of the schema (18.14.8). */
const ORDER = ['externalBook', 'ddeLink', 'oleLink', 'extLst'];

/** Writes what has become known of a linked workbook. Cells whose value is the same keep their bytes. */
export function writeBook(
  part: LinkPart,
  before: LinkedBook,
  after: LinkedBook,
  changes: PackageChanges,
): void {
  const { xml, book, partName } = part;
  const edits = new PartEdits(xml, ORDER);
  let relationshipId: string | null = null;
  if (before.address !== after.address) {
    const links = changes.relationshipsOf(partName, part.relationships);
    const path = pathOf(part);
    const type =
      path?.type ?? `${part.relationships.all[0]?.type.replace(/\/[^/]*$/, '') ?? ''}/externalLinkPath`;
    if (path) links.remove(path.id);
    relationshipId = links.require(type, after.address, true);
  }
  const isDataChanged =
    !isSame(before.sheets, after.sheets) || !isSame(before.names ?? [], after.names ?? []);
  if (isDataChanged || relationshipId !== null) {
    const content = isDataChanged ? bookXml(part, before, after) : xml.raw(book);
    edits.replace(
      book,
      relationshipId === null ? content : withAttributes(content, { 'r:id': relationshipId }),
    );
  }
  if (!isSame(before.source ?? null, after.source ?? null))
    edits.setChild('extLst', extensionsXml(xml, after));
  if (!edits.isEmpty) changes.put(partName, xml.encode(edits.text()));
}

function bookXml(part: LinkPart, before: LinkedBook, after: LinkedBook): string {
  const { xml, book } = part;
  const names = sheetNamesOf(part);
  const added = after.sheets.filter(({ name }) => !names.includes(name));
  const data = sheetDataOf(part);
  const all = [...names, ...added.map(({ name }) => name)];
  const sheetData = all.flatMap((name, at) => {
    const [was, is] = [sheetOf(before, name), sheetOf(after, name)];
    const element = data.get(at);
    if (!is || (was && isSame(was, is))) return element ? [xml.raw(element)] : [];
    return [sheetDataXml(xml, element, at, is)];
  });
  const nameList = xml.child(book, 'sheetNames');
  const newNames = added.map(({ name }) => `<sheetName${attributesXml({ val: name })}/>`).join('');
  const kept = nameList?.children.map((element) => xml.raw(element)).join('') ?? '';
  const sheetNames =
    nameList && newNames === ''
      ? xml.raw(nameList)
      : all.length > 0
        ? `<sheetNames>${kept}${newNames}</sheetNames>`
        : '';
  const others = book.children
    .filter(({ name }) => !['sheetNames', 'definedNames', 'sheetDataSet'].includes(name))
    .map((element) => xml.raw(element));
  // Alternate addresses of later programs stand first.
  return `${openTag(xml, book)}${others.join('')}${sheetNames}${definedNamesXml(xml, book, before, after)}${
    sheetData.length > 0 ? `<sheetDataSet>${sheetData.join('')}</sheetDataSet>` : ''
  }</${book.name}>`;
}

const sheetOf = ({ sheets }: LinkedBook, name: string): LinkedSheet | undefined =>
  sheets.find((sheet) => sheet.name === name);

const openTag = (xml: XmlDocument, element: XmlElement): string =>
  xml.openTag(element).replace(/\s*\/>$/, '>');

function definedNamesXml(xml: XmlDocument, book: XmlElement, before: LinkedBook, after: LinkedBook): string {
  const list = xml.child(book, 'definedNames');
  if (!list) return '';
  if (isSame(before.names ?? [], after.names ?? [])) return xml.raw(list);
  const formulas = new Map(after.names?.map(({ name, formula }) => [name, formula]));
  const elements = list.children.map((element) => {
    const { name = '', refersTo } = xml.attributes(element);
    const formula = formulas.get(name);
    const raw = xml.raw(element);
    return formula === undefined || refersTo === `=${formula}`
      ? raw
      : withAttributes(raw, { refersTo: `=${formula}` });
  });
  return `${openTag(xml, list)}${elements.join('')}</${list.name}>`;
}

function sheetDataXml(
  xml: XmlDocument,
  element: XmlElement | undefined,
  place: number,
  { cells }: LinkedSheet,
): string {
  const present = new Map<string, XmlElement>();
  const rowTags = new Map<number, string>();
  for (const row of element?.children ?? []) {
    const number = Number(xml.attribute(row, 'r'));
    if (!rowTags.has(number)) rowTags.set(number, openTag(xml, row));
    for (const cell of row.children) present.set(xml.attribute(cell, 'r')?.toUpperCase() ?? '', cell);
  }
  const rows = new Map<number, Map<number, CellValue>>();
  for (const [row, column, value] of cells) {
    const inRow = rows.get(row) ?? new Map<number, CellValue>();
    rows.set(row, inRow.set(column, value));
  }
  const sorted = [...rows].sort(([one], [other]) => one - other);
  const rowsXml = sorted.map(([row, inRow]) => {
    const ordered = [...inRow].sort(([one], [other]) => one - other);
    const text = ordered.map(([column, value]) => {
      const reference = cellAddress(row, column);
      const cell = present.get(reference);
      return cell && hasValue(xml, cell, value) ? xml.raw(cell) : cellXml(reference, value);
    });
    return `${rowTags.get(row + 1) ?? `<row r="${row + 1}">`}${text.join('')}</row>`;
  });
  const tag = element
    ? withAttributes(openTag(xml, element), { refreshError: null })
    : `<sheetData sheetId="${place}">`;
  return `${tag}${rowsXml.join('')}</sheetData>`;
}

function hasValue(xml: XmlDocument, cell: XmlElement, value: CellValue): boolean {
  const found = xml.child(cell, 'v');
  if (!found) return value === null;
  const { type, text } = cellParts(value);
  return type === (xml.attribute(cell, 't') ?? 'n') && text === xml.content(found);
}

interface Parts {
  readonly type: string;
  readonly text: string | null;
}

/** How a value is written (18.18.11). */
function cellParts(value: CellValue): Parts {
  if (value === null) return { type: 'n', text: null };
  if (typeof value === 'number') return { type: 'n', text: String(value) };
  if (typeof value === 'boolean') return { type: 'b', text: value ? '1' : '0' };
  if (typeof value === 'object' && 'e' in value) return { type: 'e', text: value.e };
  return { type: 'str', text: encodeCellText(textOfValue(value)) };
}

function cellXml(reference: string, value: CellValue): string {
  const { type, text } = cellParts(value);
  const attributes = attributesXml({ r: reference, t: type === 'n' ? null : type });
  return text === null ? `<cell${attributes}/>` : `<cell${attributes}><v>${escapeText(text)}</v></cell>`;
}

/** The extensions of the part, with what the workbook's storage calls it. */
function extensionsXml(xml: XmlDocument, { source }: LinkedBook): string {
  const list = xml.child(xml.root, 'extLst');
  const others = (list?.children ?? [])
    .filter((element) => xml.attribute(element, 'uri') !== SOURCE_EXTENSION)
    .map((element) => xml.raw(element));
  const own = source
    ? `<ext xmlns:q="${SOURCE_NAMESPACE}" uri="${SOURCE_EXTENSION}"><q:source${attributesXml({ ...source })}/></ext>`
    : '';
  return others.length > 0 || own !== '' ? `<extLst>${others.join('')}${own}</extLst>` : '';
}

/** Whether a text of a part may name a linked workbook by its number. */
export const namesBook = (text: string, id: string): boolean => text.includes(`[${id}]`);
