import { withTableNamed } from '../../../../../model/calculation/table-columns.ts';
import { areaOfReference } from '../../../../../model/cell/area.ts';
import type { ItemOf } from '../../../../../model/cell/items.ts';
import type { XmlDocument } from '../../package/xml-document.ts';
import type { XmlElement } from '../../package/xml-scanner.ts';
import { attributesXml, escapeText, withAttributes } from '../../package/xml-text.ts';
import { decodeCellText, encodeCellText } from '../cell-text.ts';
import { PartEdits } from '../part-edits.ts';
import { areaReference } from '../references.ts';
import { isOn, numberOf, withoutNothing } from '../styles/format-xml.ts';
import type { StyleCatalog } from '../styles/style-catalog.ts';
import type { StyleWriter } from '../styles/style-writer.ts';
import { filterXml, isSmaller, readFilter, readSorted, sortedXml } from './filter-items.ts';
import { isSame } from './item-list.ts';

type Table = ItemOf<'table'>;
type Column = Table['columns'][number];

const ORDER = ['autoFilter', 'sortState', 'tableColumns', 'tableStyleInfo', 'extLst'];

/** The table of a table part (18.5.1.2). */
export function readTable(xml: XmlDocument, styles: StyleCatalog): Table | undefined {
  const { root } = xml;
  const { ref = '', displayName, name, headerRowCount, totalsRowCount } = xml.attributes(root);
  const area = areaOfReference(ref);
  const label = displayName ?? name ?? '';
  const columns = (xml.child(root, 'tableColumns')?.children ?? [])
    .filter((child) => child.name === 'tableColumn')
    .map((column) => readColumn(xml, column));
  if (root.name !== 'table' || !area || label === '' || label.length > 255) return undefined;
  const info = xml.child(root, 'tableStyleInfo');
  const look = info ? xml.attributes(info) : {};
  const on = (value: string | undefined) => (value !== undefined && isOn(value)) || undefined;
  const filter = xml.child(root, 'autoFilter');
  return withoutNothing({
    area,
    name: label,
    hasHeader: numberOf(headerRowCount) !== 0,
    hasTotals: (numberOf(totalsRowCount) ?? 0) > 0 || undefined,
    columns,
    style: look.name,
    rowStripes: on(look.showRowStripes),
    columnStripes: on(look.showColumnStripes),
    firstColumn: on(look.showFirstColumn),
    lastColumn: on(look.showLastColumn),
    hidesButtons: filter ? undefined : true,
    filter: columnsOf(readFilter(xml, filter, styles)),
    sorted: readSorted(xml, xml.child(root, 'sortState'), area),
  }) as Table;
}

const columnsOf = (filter: ItemOf<'filter'> | undefined): Table['filter'] =>
  filter && filter.columns.length > 0 ? filter.columns : undefined;

function readColumn(xml: XmlDocument, element: XmlElement): Column {
  const { name = '', totalsRowFunction, totalsRowLabel } = xml.attributes(element);
  const content = (child: string) => {
    const found = xml.child(element, child);
    return found && xml.content(found).slice(0, 8_192);
  };
  return withoutNothing({
    name: decodeCellText(name),
    formula: content('calculatedColumnFormula'),
    totalsFunction: totalsRowFunction,
    totalsLabel: totalsRowLabel,
    totalsFormula: content('totalsRowFormula'),
  }) as Column;
}

/** The text of a table part for a table that has changed. */
export function changedTableXml(
  xml: XmlDocument,
  before: Table,
  after: Table,
  styles: () => StyleWriter,
): string {
  const edits = new PartEdits(xml, ORDER);
  edits.setRootAttributes({
    ref: areaReference(after.area),
    ...(before.name !== after.name && { displayName: after.name, name: after.name }),
    ...(before.hasHeader !== after.hasHeader && { headerRowCount: after.hasHeader ? null : 0 }),
    ...(Boolean(before.hasTotals) !== Boolean(after.hasTotals) && {
      totalsRowCount: after.hasTotals ? 1 : null,
      totalsRowShown: after.hasTotals ? null : 0,
    }),
  });
  const filter = xml.child(xml.root, 'autoFilter');
  if (after.hidesButtons) edits.setChild('autoFilter', '');
  else if (filter) {
    const item = { area: filterArea(before), columns: before.filter ?? [] };
    const next = { area: filterArea(after), columns: after.filter ?? [] };
    if (!isSame(item, next))
      edits.setChild('autoFilter', filterXml(next, styles, { item, xml, element: filter }));
  } else if (after.hasHeader)
    edits.setChild('autoFilter', filterXml({ area: filterArea(after), columns: after.filter ?? [] }, styles));
  const losesOrder = xml.child(xml.root, 'sortState') && isSmaller(before.area, after.area);
  if (losesOrder || !isSame(before.sorted, after.sorted))
    edits.setChild('sortState', sortedXml(filterArea(after), after.sorted));
  if (!isSame(before.columns, after.columns)) edits.setChild('tableColumns', columnsXml(xml, after));
  const looks = (table: Table) => [
    ...[table.style, table.firstColumn, table.lastColumn, table.rowStripes, table.columnStripes],
  ];
  if (!isSame(looks(before), looks(after))) edits.setChild('tableStyleInfo', lookXml(after));
  return edits.text();
}

/** Without the row of totals. */
function filterArea({ area: [row1, column1, row2, column2], hasTotals }: Table): Table['area'] {
  return [row1, column1, Math.max(row1, row2 - (hasTotals ? 1 : 0)), column2];
}

function columnsXml(xml: XmlDocument | undefined, { name: table, columns }: Table): string {
  const present = xml?.child(xml.root, 'tableColumns')?.children ?? [];
  const byName = new Map(
    present.map((element) => [decodeCellText(xml!.attribute(element, 'name') ?? ''), element] as const),
  );
  const ids = present.map((element) => numberOf(xml!.attribute(element, 'id')) ?? 0);
  let next = Math.max(0, ...ids) + 1;
  const kept = new Set(columns.map(({ name }) => name));
  const items = columns.map((column, index) => {
    // A column of another name in the same place was renamed.
    const inPlace = present[index];
    const isRenamed = inPlace && !kept.has(decodeCellText(xml!.attribute(inPlace, 'name') ?? ''));
    const element = byName.get(column.name) ?? (isRenamed ? inPlace : undefined);
    if (element && isSame(readColumn(xml!, element), column)) return xml!.raw(element);
    const tag = element ? xml!.openTag(element).replace(/\s*\/>$/, '>') : `<tableColumn id="${next++}">`;
    const inner = [
      ['calculatedColumnFormula', column.formula],
      ['totalsRowFormula', column.totalsFormula],
    ].map(([name, formula]) =>
      formula === undefined ? '' : `<${name}>${escapeText(withTableNamed(formula, table)!)}</${name}>`,
    );
    const attributes = {
      name: encodeCellText(column.name),
      totalsRowFunction: column.totalsFunction ?? null,
      totalsRowLabel: column.totalsLabel ?? null,
    };
    return `${withAttributes(tag, attributes)}${inner.join('')}</tableColumn>`;
  });
  return `<tableColumns count="${items.length}">${items.join('')}</tableColumns>`;
}

function lookXml({ style, firstColumn, lastColumn, rowStripes, columnStripes }: Table): string {
  const flag = (value: boolean | undefined) => (value ? 1 : 0);
  return `<tableStyleInfo${attributesXml({
    name: style,
    showFirstColumn: flag(firstColumn),
    showLastColumn: flag(lastColumn),
    showRowStripes: flag(rowStripes),
    showColumnStripes: flag(columnStripes),
  })}/>`;
}

/** A table part for a new table. @param id of the workbook's tables */
export function newTableXml(table: Table, id: number, main: string, styles: () => StyleWriter): string {
  const attributes = attributesXml({
    xmlns: main,
    id,
    name: table.name,
    displayName: table.name,
    ref: areaReference(table.area),
    headerRowCount: table.hasHeader ? undefined : 0,
    totalsRowCount: table.hasTotals ? 1 : undefined,
    totalsRowShown: table.hasTotals ? undefined : 0,
  });
  const isFiltered = table.hasHeader && !table.hidesButtons;
  const filter = isFiltered
    ? filterXml({ area: filterArea(table), columns: table.filter ?? [] }, styles)
    : '';
  const order = sortedXml(filterArea(table), table.sorted);
  return `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<table${attributes}>${filter}${order}${columnsXml(undefined, table)}${lookXml(table)}</table>`;
}
