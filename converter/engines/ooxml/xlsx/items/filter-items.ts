import { type Area, areaOfReference, lastColumn } from '../../../../../model/cell/area.ts';
import type { ItemOf } from '../../../../../model/cell/items.ts';
import type { XmlDocument } from '../../package/xml-document.ts';
import type { XmlElement } from '../../package/xml-scanner.ts';
import { attributesXml, withAttributes } from '../../package/xml-text.ts';
import { areaReference } from '../references.ts';
import { isOn, numberOf, whole, withoutNothing } from '../styles/format-xml.ts';
import type { StyleCatalog } from '../styles/style-catalog.ts';
import type { StyleWriter } from '../styles/style-writer.ts';
import { isSame } from './item-list.ts';

type FilterColumn = ItemOf<'filter'>['columns'][number];

/** An automatic filter (18.3.1.2), of a sheet or of a table. */
export function readFilter(
  xml: XmlDocument,
  element: XmlElement | undefined,
  styles: StyleCatalog,
): ItemOf<'filter'> | undefined {
  const area = element && areaOfReference(xml.attribute(element, 'ref') ?? '');
  if (!area) return undefined;
  const sorted = readSorted(xml, xml.child(element, 'sortState'), area);
  return { area, columns: readFilterColumns(xml, element, styles), ...(sorted && { sorted }) };
}

type Sorted = ItemOf<'filter'>['sorted'];

/** By which columns of an area its rows were sorted, as far as by values (18.3.1.92). */
export function readSorted(xml: XmlDocument, element: XmlElement | undefined, area: Area): Sorted {
  if (!element || isOn(xml.attribute(element, 'columnSort') ?? '0')) return undefined;
  const sorted = element.children.flatMap((child) => {
    const { ref = '', sortBy = 'value', descending = '0' } = xml.attributes(child);
    const column = (areaOfReference(ref)?.[1] ?? -1) - area[1];
    const isMeant = child.name === 'sortCondition' && sortBy === 'value';
    if (!isMeant || column < 0 || column > area[3] - area[1]) return [];
    return [{ column, ...(isOn(descending) && { falling: true }) }];
  });
  return sorted.length > 0 ? sorted.slice(0, 64) : undefined;
}

/** The element that says by which columns the rows below the first one of an area are sorted; empty for none. */
export function sortedXml([top, left, bottom, right]: Area, sorted: Sorted): string {
  const conditions = (sorted ?? []).flatMap(({ column, falling }) => {
    const at = left + whole(column, 0, lastColumn);
    const ref = areaReference([top + 1, at, bottom, at]);
    return at > right
      ? []
      : [`<sortCondition${attributesXml({ descending: falling ? 1 : undefined, ref })}/>`];
  });
  if (conditions.length === 0 || bottom === top) return '';
  const ref = areaReference([top + 1, left, bottom, right]);
  return `<sortState${attributesXml({ ref })}>${conditions.join('')}</sortState>`;
}

function readFilterColumns(xml: XmlDocument, element: XmlElement, styles: StyleCatalog): FilterColumn[] {
  return element.children
    .filter(({ name }) => name === 'filterColumn')
    .map((column) => readColumn(xml, column, styles));
}

function readColumn(xml: XmlDocument, element: XmlElement, styles: StyleCatalog): FilterColumn {
  const { colId, hiddenButton, showButton } = xml.attributes(element);
  const child = (name: string) => xml.child(element, name);
  const on = (value: string | undefined) => (value !== undefined && isOn(value)) || undefined;
  const column: Record<string, unknown> = {
    column: numberOf(colId) ?? 0,
    hidesButton: on(hiddenButton) ?? ((showButton !== undefined && !isOn(showButton)) || undefined),
  };
  const [filters, custom, top, dynamic, color] = [
    child('filters'),
    child('customFilters'),
    child('top10'),
    child('dynamicFilter'),
    child('colorFilter'),
  ];
  if (filters) {
    column.values = filters.children
      .filter(({ name }) => name === 'filter')
      .map((filter) => xml.attribute(filter, 'val') ?? '');
    column.blanks = on(xml.attribute(filters, 'blank'));
    const dates = filters.children.filter(({ name }) => name === 'dateGroupItem');
    if (dates.length > 0) column.dates = dates.map((item) => readDates(xml.attributes(item)));
  }
  if (custom) {
    column.conditions = custom.children.map((condition) => {
      const { operator = 'equal', val = '' } = xml.attributes(condition);
      return { operator, value: val };
    });
    column.all = on(xml.attribute(custom, 'and'));
  }
  if (top) {
    const { top: isTop, percent, val } = xml.attributes(top);
    column.top = {
      count: numberOf(val) ?? 10,
      percent: percent !== undefined && isOn(percent),
      bottom: isTop !== undefined && !isOn(isTop),
    };
  }
  if (dynamic) column.dynamic = xml.attribute(dynamic, 'type');
  if (color) {
    const { dxfId, cellColor } = xml.attributes(color);
    const ofFont = cellColor !== undefined && !isOn(cellColor);
    const index = numberOf(dxfId) ?? -1;
    const shown = styles.filterColor(index, ofFont);
    if (styles.difference(index)) column.color = { color: shown ?? { auto: true }, ofFont };
    else column.extra = { xml: xml.raw(color) };
  }
  // Criteria that nobody here knows hide rows all the same: by icons, and what later versions have added.
  const other = child('iconFilter') ?? child('extLst');
  if (other) column.extra ??= { xml: xml.raw(other) };
  return withoutNothing(column) as unknown as FilterColumn;
}

const dateParts = ['year', 'month', 'day', 'hour', 'minute', 'second'] as const;

/** A stretch of time, as far as its element says that it counts (18.3.2.4). */
function readDates(attributes: Readonly<Record<string, string>>): number[] {
  const depth = dateParts.indexOf(attributes.dateTimeGrouping as (typeof dateParts)[number]);
  return dateParts.slice(0, Math.max(0, depth) + 1).map((part) => numberOf(attributes[part]) ?? 0);
}

const datesXml = (dates: readonly number[]): string =>
  `<dateGroupItem${attributesXml({
    ...Object.fromEntries(dates.map((part, at) => [dateParts[at]!, whole(part, 0, 9_999)])),
    dateTimeGrouping: dateParts[dates.length - 1],
  })}/>`;

/** The element for a filter. @param before what it was read as, with its element */
export function filterXml(
  filter: ItemOf<'filter'>,
  styles: () => StyleWriter,
  before?: { readonly item: ItemOf<'filter'>; readonly xml: XmlDocument; readonly element: XmlElement },
): string {
  const tag = before ? before.xml.openTag(before.element) : '<autoFilter>';
  const open = withAttributes(tag.replace(/\s*\/>$/, '>'), { ref: areaReference(filter.area) });
  const columns = filter.columns.map((column) => {
    const index = before?.item.columns.findIndex((one) => isSame(one, column)) ?? -1;
    const known = before?.element.children.filter(({ name }) => name === 'filterColumn')[index];
    return before && known ? before.xml.raw(known) : columnXml(column, styles);
  });
  const keepsOrder =
    before && !isSmaller(before.item.area, filter.area) && isSame(before.item.sorted, filter.sorted);
  const order = keepsOrder ? '' : sortedXml(filter.area, filter.sorted);
  const others = (before?.element.children ?? [])
    .filter(({ name }) => name !== 'filterColumn' && (keepsOrder || name !== 'sortState'))
    .map((child) => before!.xml.raw(child));
  return `${open}${columns.join('')}${order}${others.join('')}</autoFilter>`;
}

/** Whether an area has lost rows or columns: cells by which it was sorted may be among them. */
export const isSmaller = (before: Area, after: Area): boolean =>
  after[2] - after[0] < before[2] - before[0] || after[3] - after[1] < before[3] - before[1];

function columnXml(column: FilterColumn, styles: () => StyleWriter): string {
  const colId = whole(column.column, 0, lastColumn);
  const tag = attributesXml({ colId, hiddenButton: column.hidesButton ? 1 : undefined });
  return `<filterColumn${tag}>${criteriaXml(column, styles)}</filterColumn>`;
}

/** Criteria as the file had them: one element that holds nothing, and no other text of whoever sends it. */
const KEPT_CRITERIA =
  /^<(color|icon)Filter(?:\s+[A-Za-z]+\s*=\s*(?:"[^"<&]*"|'[^'<&]*'))*\s*(?:\/>|>\s*<\/\1Filter>)$/;

function criteriaXml(column: FilterColumn, styles: () => StyleWriter): string {
  const kept = column.extra?.xml;
  if (typeof kept === 'string' && KEPT_CRITERIA.test(kept)) return kept;
  if (column.values || column.blanks || column.dates) {
    const filters = [
      ...(column.values ?? []).map((val) => `<filter${attributesXml({ val })}/>`),
      ...(column.dates ?? []).map(datesXml),
    ];
    return `<filters${attributesXml({ blank: column.blanks ? 1 : undefined })}>${filters.join('')}</filters>`;
  }
  if (column.conditions) {
    const conditions = column.conditions.map(
      ({ operator, value }) =>
        `<customFilter${attributesXml({ operator: operator === 'equal' ? undefined : operator, val: value })}/>`,
    );
    return `<customFilters${attributesXml({ and: column.all ? 1 : undefined })}>${conditions.join('')}</customFilters>`;
  }
  if (column.top) {
    const { count, percent, bottom } = column.top;
    return `<top10${attributesXml({ top: bottom ? 0 : undefined, percent: percent ? 1 : undefined, val: count })}/>`;
  }
  if (column.dynamic !== undefined) return `<dynamicFilter${attributesXml({ type: column.dynamic })}/>`;
  if (!column.color) return '';
  const { color, ofFont } = column.color;
  const dxfId = styles().filterColor(color, ofFont);
  return `<colorFilter${attributesXml({ dxfId, cellColor: ofFont ? 0 : undefined })}/>`;
}
