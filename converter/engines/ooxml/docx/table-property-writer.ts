import type { Node } from 'prosemirror-model';
import { XmlDocument } from '../package/xml-document.ts';
import type { XmlElement } from '../package/xml-scanner.ts';
import { attributesXml, withAttributes } from '../package/xml-text.ts';
import {
  CELL_ORDER,
  inOrder,
  type PropertyOrder,
  type PropertyXml,
  ROW_ORDER,
  TABLE_ORDER,
} from './property-order.ts';
import { shadingXml } from './simple-types.ts';
import type { CellRecord, RowRecord, TableRecord } from './source-map.ts';
import type { RowGaps } from './table-structure.ts';
import { type Decision, settledXml } from './tracked-xml.ts';
import type { WriteContext } from './write-context.ts';

const TRACKED_TABLE = ['w:tblPrChange'];
const TRACKED_ROW = ['w:ins', 'w:del', 'w:trPrChange'];
const TRACKED_CELL = ['w:cellIns', 'w:cellDel', 'w:cellMerge', 'w:tcPrChange'];
const SIDES = ['top', 'left', 'bottom', 'right', 'insideH', 'insideV'];

/** The `w:tblPr` of a table of the file, or of one made from it: as it was but for what changed. */
export function tableProperties(
  context: WriteContext,
  { attrs }: Node,
  { node, properties }: TableRecord,
  isBase: boolean,
): string {
  const patches: PropertyXml[] = [];
  const { style, align } = attrs;
  if (style !== node.attrs.style && (style === null || context.source.tableStyles().has(style)))
    patches.push({ name: 'w:tblStyle', xml: valued('w:tblStyle', style) });
  if (align !== node.attrs.align) patches.push({ name: 'w:jc', xml: valued('w:jc', sideOf(context, align)) });
  const dropped = isBase ? [] : TRACKED_TABLE;
  return patchedXml(
    context,
    'w:tblPr',
    { properties, settled: attrs.settled },
    dropped,
    patches,
    TABLE_ORDER,
  );
}

/**
 * The `w:tblPr` of a new table.
 * @param widthTwips zero for as wide as the text
 */
export function newTableProperties(context: WriteContext, { attrs }: Node, widthTwips: number): string {
  const tableStyles = context.source.tableStyles();
  const named = attrs.style !== null && tableStyles.has(attrs.style) ? attrs.style : null;
  const style = named ?? (attrs.lined ? (tableStyles.gridStyle ?? null) : null);
  const width = widthTwips > 0 ? { 'w:w': widthTwips, 'w:type': 'dxa' } : { 'w:w': 5000, 'w:type': 'pct' };
  const borders = tableStyles.drawsLines(style) === attrs.lined ? '' : bordersXml(attrs.lined);
  return (
    `<w:tblPr>${valued('w:tblStyle', style)}<w:tblW${attributesXml(width)}/>` +
    `${valued('w:jc', sideOf(context, attrs.align))}${borders}</w:tblPr>`
  );
}

function bordersXml(lined: boolean): string {
  const line = lined ? { 'w:val': 'single', 'w:sz': 4, 'w:space': 0, 'w:color': 'auto' } : { 'w:val': 'nil' };
  return `<w:tblBorders>${SIDES.map((side) => `<w:${side}${attributesXml(line)}/>`).join('')}</w:tblBorders>`;
}

/** Strict documents name the sides by the direction of writing (17.18.45). */
function sideOf({ source }: WriteContext, align: string | null): string | null {
  if (!source.vocabulary.strict) return align;
  return align === 'left' ? 'start' : align === 'right' ? 'end' : align;
}

/**
 * The `w:trPr` of a row.
 * @param base the row of the file that it is, or was made from
 * @param gaps columns that it leaves out
 */
export function rowProperties(
  context: WriteContext,
  { attrs }: Node,
  base: RowRecord | undefined,
  isBase: boolean,
  gaps: RowGaps,
): string {
  const original = base?.node.attrs;
  const patches: PropertyXml[] = [];
  if (attrs.header !== (original?.header ?? false))
    patches.push({ name: 'w:tblHeader', xml: attrs.header ? '<w:tblHeader/>' : '' });
  if (attrs.height !== (original?.height ?? null)) {
    const element = context.source.xml.child(base?.properties, 'w:trHeight');
    const raw = element ? context.source.xml.raw(element) : '<w:trHeight/>';
    const xml = attrs.height === null ? '' : withAttributes(raw, { 'w:val': attrs.height });
    patches.push({ name: 'w:trHeight', xml });
  }
  for (const [side, count] of Object.entries(gaps)) {
    if (count === (base?.gaps[side as keyof RowGaps] ?? 0)) continue;
    const name = side === 'before' ? 'Before' : 'After';
    patches.push({ name: `w:grid${name}`, xml: count > 0 ? valued(`w:grid${name}`, count) : '' });
    patches.push({ name: `w:w${name}`, xml: '' });
  }
  const dropped = isBase ? [] : TRACKED_ROW;
  return patchedXml(
    context,
    'w:trPr',
    { properties: base?.properties, settled: attrs.settled },
    dropped,
    patches,
    ROW_ORDER,
  );
}

interface CellSource {
  /** The `w:tcPr` to begin from. */
  readonly properties: XmlElement | undefined;
  /** The cell of the file whose properties these are. */
  readonly base: CellRecord | undefined;
  /** Whether the cell is that one, and not a new one made from it. */
  readonly isBase: boolean;
  /** What the columns that it spans are wide together. */
  readonly widthTwips: number;
  readonly continues: boolean;
}

/** The `w:tcPr` of a cell, or of a lower part of one that spans rows. */
export function cellProperties(context: WriteContext, { attrs }: Node, from: CellSource): string {
  const original = from.base?.node.attrs;
  const { colspan, rowspan, shading, verticalAlign } = attrs;
  const patches: PropertyXml[] = [];
  const sameSpan = original?.colspan === colspan;
  if (!sameSpan || !sameWidths(original?.colwidth, attrs.colwidth))
    patches.push({
      name: 'w:tcW',
      xml: `<w:tcW${attributesXml({ 'w:w': from.widthTwips, 'w:type': 'dxa' })}/>`,
    });
  if (!sameSpan) {
    patches.push({ name: 'w:gridSpan', xml: colspan > 1 ? valued('w:gridSpan', colspan) : '' });
    patches.push({ name: 'w:hMerge', xml: '' });
  }
  const merge = from.continues ? '<w:vMerge/>' : rowspan > 1 ? '<w:vMerge w:val="restart"/>' : '';
  if (!from.isBase || from.continues || original?.rowspan !== rowspan)
    patches.push({ name: 'w:vMerge', xml: merge });
  if (shading !== (original?.shading ?? null)) patches.push({ name: 'w:shd', xml: shadingXml(shading) });
  if (verticalAlign !== (original?.verticalAlign ?? null))
    patches.push({ name: 'w:vAlign', xml: valued('w:vAlign', verticalAlign) });
  const dropped = from.isBase ? [] : TRACKED_CELL;
  return patchedXml(
    context,
    'w:tcPr',
    { properties: from.properties, settled: attrs.settled },
    dropped,
    patches,
    CELL_ORDER,
  );
}

function sameWidths(before: readonly number[] | null, after: readonly number[] | null): boolean {
  return before === after || JSON.stringify(before) === JSON.stringify(after);
}

function valued(element: string, value: string | number | null): string {
  return value === null ? '' : `<${element}${attributesXml({ 'w:val': value })}/>`;
}

function settledProperties(
  xml: XmlDocument,
  properties: XmlElement | undefined,
  decision: Decision | null,
): { readonly xml: XmlDocument; readonly properties: XmlElement | undefined } {
  if (!properties || !decision) return { xml, properties };
  const settled = new XmlDocument(settledXml(xml.raw(properties), decision));
  return { xml: settled, properties: settled.root };
}

/** The property list with elements dropped and others replaced; the file's own text when nothing is different. */
function patchedXml(
  context: WriteContext,
  name: string,
  from: { readonly properties: XmlElement | undefined; readonly settled: Decision | null },
  dropped: readonly string[],
  patches: readonly PropertyXml[],
  order: PropertyOrder,
): string {
  const { xml, properties } = settledProperties(context.source.xml, from.properties, from.settled);
  const replaced = new Set(patches.map((patch) => patch.name));
  const children = properties?.children ?? [];
  const present = children.filter((child) => !dropped.includes(child.name));
  if (patches.length === 0 && present.length === children.length)
    return properties ? xml.raw(properties) : '';
  const kept = present
    .filter((child) => !replaced.has(child.name))
    .map((element) => ({ name: element.name, xml: xml.raw(element) }));
  const content = inOrder([...kept, ...patches], order);
  return content === '' && name !== 'w:tblPr' ? '' : `<${name}>${content}</${name}>`;
}

/** A table of the file up to its first row, with these properties and this grid; the rest is as it lies there. */
export function tableHead(
  xml: XmlDocument,
  { element, properties, grid, contentStart }: TableRecord,
  propertiesXml: string,
  gridXml: string,
): string {
  return headWith(xml, element, contentStart, [
    { element: properties, place: element.openEnd, replacement: propertiesXml },
    { element: grid, place: contentStart, replacement: gridXml },
  ]);
}

/** The grid of a table of the file, with its tracked change settled if so decided. */
export function gridOf(xml: XmlDocument, grid: XmlElement, { attrs }: Node): string {
  return attrs.settled ? settledXml(xml.raw(grid), attrs.settled) : xml.raw(grid);
}

/** A row of the file up to its first cell, with these properties. */
export function rowHead(
  xml: XmlDocument,
  row: RowRecord,
  propertiesXml: string,
  decision: Decision | null,
): string {
  const { element, properties, contentStart } = row;
  const place = xml.child(element, 'w:tblPrEx')?.end ?? element.openEnd;
  const exceptions = xml.child(element, 'w:tblPrEx');
  const settled = decision && exceptions;
  return headWith(xml, element, contentStart, [
    ...(settled
      ? [{ element: exceptions, place, replacement: settledXml(xml.raw(exceptions), decision) }]
      : []),
    { element: properties, place, replacement: propertiesXml },
  ]);
}

interface Replacement {
  readonly element: XmlElement | undefined;
  /** Where the replacement goes when the head does not have the element. */
  readonly place: number;
  readonly replacement: string;
}

function headWith(
  xml: XmlDocument,
  { start }: XmlElement,
  end: number,
  replacements: readonly Replacement[],
): string {
  const edits = replacements.flatMap(({ element, place, replacement }) => {
    if (element && element.end <= end) return [{ from: element.start, to: element.end, replacement }];
    // A damaged file may have it further down, where it does its work as well.
    if (element && xml.raw(element) === replacement) return [];
    const at = Math.min(place, end);
    return [{ from: at, to: at, replacement }];
  });
  let head = '';
  let copied = start;
  for (const { from, to, replacement } of edits.toSorted((a, b) => a.from - b.from)) {
    head += xml.text.slice(copied, from) + replacement;
    copied = to;
  }
  return head + xml.text.slice(copied, end);
}
