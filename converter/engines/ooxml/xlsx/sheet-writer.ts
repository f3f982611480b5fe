import { boundsOf } from '../../../../model/cell/area.ts';
import { formatKey } from '../../../../model/cell/cell-format.ts';
import { Grid } from '../../../../model/cell/grid.ts';
import type { ItemOf } from '../../../../model/cell/items.ts';
import type { Line, LineRun, Lines } from '../../../../model/cell/lines.ts';
import { itemsOf, type Sheet } from '../../../../model/cell/workbook.ts';
import { attributesXml, withAttributes } from '../package/xml-text.ts';
import { type RowsContext, writeRows } from './cells/rows-writer.ts';
import { writeConditions } from './items/condition-items.ts';
import {
  newHalves,
  plainConditions,
  writeExtendedConditions,
  writeExtendedValidations,
} from './items/extended-items.ts';
import { filterXml } from './items/filter-items.ts';
import { type ReadItems, writeList } from './items/item-list.ts';
import { breakXml, linkXml, mergeXml, openRangeXml, validationXml } from './items/simple-items.ts';
import type { PackageChanges } from './package-changes.ts';
import type { PartEdits } from './part-edits.ts';
import { areaReference } from './references.ts';
import { columnWidth, writeSheetProperties } from './sheet-properties.ts';
import { readColumnRun, type SheetSource } from './sheet-source.ts';
import type { StyleWriter } from './styles/style-writer.ts';
import type { SheetVocabulary } from './vocabulary.ts';

/** What a worksheet holds, in the order of the schema (18.3.1.99). */
export const SHEET_ORDER = [
  ...['sheetPr', 'dimension', 'sheetViews', 'sheetFormatPr', 'cols', 'sheetData', 'sheetCalcPr'],
  ...['sheetProtection', 'protectedRanges', 'scenarios', 'autoFilter', 'sortState', 'dataConsolidate'],
  ...['customSheetViews', 'mergeCells', 'phoneticPr', 'conditionalFormatting', 'dataValidations'],
  ...['hyperlinks', 'printOptions', 'pageMargins', 'pageSetup', 'headerFooter', 'rowBreaks', 'colBreaks'],
  ...['customProperties', 'cellWatches', 'ignoredErrors', 'smartTags', 'drawing', 'legacyDrawing'],
  ...[
    'legacyDrawingHF',
    'drawingHF',
    'picture',
    'oleObjects',
    'controls',
    'webPublishItems',
    'tableParts',
    'extLst',
  ],
];

/** What writing a sheet needs of the workbook. */
export interface SheetContext {
  readonly changes: PackageChanges;
  readonly vocabulary: SheetVocabulary;
  readonly styles: () => StyleWriter;
  readonly rows: RowsContext;
  readonly formatCount: number;
}

/** Writes what changed in a worksheet's own part. @param edits made by others in its shell */
export function writeSheetPart(
  source: SheetSource,
  after: Sheet,
  edits: PartEdits,
  context: SheetContext,
): void {
  const { sheet: before, xml } = source;
  const { changes, vocabulary, styles } = context;
  writeSheetProperties(edits, before.properties, after.properties, outlineDepths(before, after));
  if (before.columns !== after.columns) writeColumns(edits, source, after.columns, context);
  const isGridSame = before.grid === after.grid && context.rows.recalculatedRows.size === 0;
  const rows = isGridSame ? xml.rows : writeRows(xml, source.rows, after.grid, context.rows);
  if (rows !== '' && !xml.shell.child(xml.shell.root, 'sheetData'))
    edits.setChild('sheetData', '<sheetData/>');
  if (!isGridSame) writeDimension(edits, before.grid, after.grid);
  writeList(edits, {
    list: 'mergeCells',
    read: source.merges,
    after: itemsOf(after, 'merge'),
    isCounted: true,
    xmlOf: mergeXml,
  });
  writeList(edits, {
    list: 'protectedRanges',
    read: source.openRanges,
    after: itemsOf(after, 'openRange'),
    isCounted: false,
    xmlOf: openRangeXml,
  });
  writeList(edits, {
    list: 'dataValidations',
    read: source.validations,
    after: apartFrom(itemsOf(after, 'validation'), source.extendedValidations),
    isCounted: true,
    xmlOf: validationXml,
  });
  const linkType = `${vocabulary.relationships}/hyperlink`;
  const links = () => changes.relationshipsOf(source.partName, source.relationships);
  writeList(edits, {
    list: 'hyperlinks',
    read: source.links,
    after: itemsOf(after, 'link'),
    isCounted: false,
    xmlOf: (item, raw) =>
      linkXml(item, raw, (address) => {
        const { shell } = source.xml;
        if (shell.attribute(shell.root, 'xmlns:r') === undefined)
          edits.setRootAttributes({ 'xmlns:r': vocabulary.relationships });
        return links().require(linkType, address, true);
      }),
  });
  writeBreaks(edits, source, after);
  writeExtendedValidations(edits, source.extendedValidations, itemsOf(after, 'validation'));
  const conditions = itemsOf(after, 'condition');
  const { conditions: own, extendedConditions: extended } = source;
  const halves = newHalves(after, conditions, own.items, extended);
  writeConditions(edits, { read: own, after: plainConditions(conditions, extended), halves, styles });
  writeExtendedConditions(edits, { sheet: after.id, halves }, extended, own.items, conditions);
  writeFilter(edits, source, after, styles);
  if (edits.isEmpty && rows === xml.rows) return;
  changes.put(source.partName, xml.encode(edits.text(), rows));
}

/** How deep groups lie in each other, where that is not as it was: Excel shows as many steps beside the cells. */
function outlineDepths(before: Sheet, after: Sheet): Record<string, number | null> {
  const depths: Record<string, number | null> = {};
  const deepest = (lines: Iterable<Line>) => {
    let depth = 0;
    for (const { level = 0 } of lines) depth = Math.max(depth, level);
    return depth;
  };
  const note = (name: string, was: number, is: number) => {
    if (was !== is) depths[name] = is === 0 ? null : is;
  };
  const ofColumns = ({ columns }: Sheet) => deepest(columns.runs.map(([, , line]) => line));
  if (before.columns !== after.columns) note('outlineLevelCol', ofColumns(before), ofColumns(after));
  const ofRows = ({ grid }: Sheet) => deepest([...grid.rows()].map(([, { line }]) => line));
  if (isRegrouped(before.grid, after.grid)) note('outlineLevelRow', ofRows(before), ofRows(after));
  return depths;
}

function isRegrouped(before: Grid, after: Grid): boolean {
  for (const [from, to] of Grid.differences(before, after)) {
    for (let row = from; row <= to; row++) {
      if (before.row(row)?.line.level !== after.row(row)?.line.level) return true;
    }
  }
  return false;
}

/** Items without those that stand in an extension. */
function apartFrom<Item>(
  items: ReadonlyMap<string, Item>,
  { elements }: Pick<ReadItems<Item>, 'elements'>,
): ReadonlyMap<string, Item> {
  return elements.size === 0 ? items : new Map([...items].filter(([id]) => !elements.has(id)));
}

function writeBreaks(edits: PartEdits, source: SheetSource, after: Sheet): void {
  const all = itemsOf(after, 'pageBreak');
  for (const axis of ['row', 'column'] as const) {
    const read = axis === 'row' ? source.rowBreaks : source.columnBreaks;
    const own = new Map([...all].filter(([, item]) => item.axis === axis));
    const isSame =
      own.size === read.items.size && [...own].every(([id, item]) => read.items.get(id) === item);
    if (isSame) continue;
    const list = axis === 'row' ? 'rowBreaks' : 'colBreaks';
    writeList(edits, { list, read, after: own, isCounted: true, xmlOf: breakXml });
    const present = edits.xml.child(edits.xml.root, list);
    if (present && own.size > 0) edits.amend(list, { manualBreakCount: own.size });
  }
}

function writeFilter(edits: PartEdits, source: SheetSource, after: Sheet, styles: () => StyleWriter): void {
  const items = itemsOf(after, 'filter');
  const [[id, item] = [undefined, undefined]] = items as ReadonlyMap<string, ItemOf<'filter'>>;
  const [[beforeId, before] = [undefined, undefined]] = source.filter.items;
  if (item === before) return;
  if (!item) {
    edits.setChild('autoFilter', '');
    return;
  }
  const element = id === beforeId && id !== undefined ? source.filter.elements.get(id) : undefined;
  const base = element && before ? { item: before, xml: edits.xml, element } : undefined;
  if (base && formatKey(before) === formatKey(item)) return;
  edits.setChild('autoFilter', filterXml(item, styles, base));
}

/** Columns as they have to be; those that are as they were keep what else is said of them. */
function writeColumns(edits: PartEdits, source: SheetSource, columns: Lines, context: SheetContext): void {
  const { xml } = edits;
  const known = source.columnElements.flatMap((element): { run: LineRun; raw: string }[] => {
    const run = readColumnRun(xml, element, context.formatCount);
    return run ? [{ run, raw: xml.raw(element) }] : [];
  });
  const elements = columns.runs.flatMap((run) => columnElements(run, known, context));
  edits.setChild('cols', elements.length === 0 ? '' : `<cols>${elements.join('')}</cols>`);
}

function columnElements(
  [first, count, line]: LineRun,
  known: readonly { readonly run: LineRun; readonly raw: string }[],
  { rows }: SheetContext,
): string[] {
  // Neighbours that are alike are one run; the file may have them one by one.
  const inside = known.filter(
    ({ run: [from, length, one] }) =>
      from >= first && from + length <= first + count && formatKey(one) === formatKey(line),
  );
  const isWhole = inside.reduce((sum, { run }) => sum + run[1], 0) === count;
  if (isWhole) return inside.map(({ raw }) => raw);
  const base =
    inside[0]?.raw ?? known.find(({ run }) => formatKey(run[2]) === formatKey(line))?.raw ?? '<col/>';
  const { size, custom, hidden, filtered, level, collapsed, format } = line;
  return [
    withAttributes(base, {
      min: first + 1,
      max: first + count,
      width: columnWidth(size),
      style: format === undefined ? null : rows.formatOf(format),
      hidden: hidden || filtered ? 1 : null,
      // Without it Excel does not take the width; with `bestFit` the column goes on following what is typed.
      bestFit: size !== undefined && !custom ? 1 : null,
      customWidth: size !== undefined || custom ? 1 : null,
      outlineLevel: level ?? null,
      collapsed: collapsed ? 1 : null,
    }),
  ];
}

function writeDimension(edits: PartEdits, before: Grid, after: Grid): void {
  const [one, other] = [usedArea(before), usedArea(after)];
  const { xml } = edits;
  const element = xml.child(xml.root, 'dimension');
  if (!element || formatKey(one) === formatKey(other)) return;
  edits.setAttributes(element, { ref: other });
}

function usedArea(grid: Grid): string {
  const areas = [];
  for (const [place, { columns }] of grid.rows()) {
    const last = columns.at(-1);
    if (last !== undefined) areas.push([place, columns[0]!, place, last] as const);
  }
  return areaReference(boundsOf(areas) ?? [0, 0, 0, 0]);
}

/** The text of a new worksheet, without rows. */
export const emptySheetXml = (main: string, relationships: string): string =>
  `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<worksheet${attributesXml({ xmlns: main, 'xmlns:r': relationships })}><sheetData/></worksheet>`;
