import { areaOfReference, contains } from '../../../../model/cell/area.ts';
import { hidesRows } from '../../../../model/cell/filter-columns.ts';
import type { Item, ItemOf, SheetItemKind } from '../../../../model/cell/items.ts';
import { type Line, type LineRun, Lines } from '../../../../model/cell/lines.ts';
import type { Items, Sheet } from '../../../../model/cell/workbook.ts';
import { isRelationshipType } from '../package/namespaces.ts';
import type { OfficePackage } from '../package/office-package.ts';
import type { MediaCatalog } from '../package/pictures.ts';
import { type Relationships, resolveTarget } from '../package/relationships.ts';
import type { XmlDocument } from '../package/xml-document.ts';
import type { XmlElement } from '../package/xml-scanner.ts';
import { type RowContext, readRows, type SheetRows } from './cells/sheet-rows.ts';
import { type ReadComments, readComments } from './items/comment-items.ts';
import { readConditions } from './items/condition-items.ts';
import { drawingPartOf, type ReadDrawings, readDrawings } from './items/drawing-items.ts';
import {
  type ExtendedConditions,
  readExtendedConditions,
  readExtendedValidations,
  solidBars,
} from './items/extended-items.ts';
import { readFilter } from './items/filter-items.ts';
import type { ReadItems } from './items/item-list.ts';
import { readBreaks, readLinks, readMerges, readOpenRanges, readValidations } from './items/simple-items.ts';
import { readTable } from './items/table-items.ts';
import { readSheetProperties } from './sheet-properties.ts';
import { SheetXml } from './sheet-xml.ts';
import { isOn, numberOf, withoutNothing } from './styles/format-xml.ts';
import type { StyleCatalog } from './styles/style-catalog.ts';
import type { SheetEntry } from './workbook-part.ts';

/** What the rows of all sheets share. */
export type SheetRowsContext = Omit<RowContext, 'prefix' | 'isFiltered' | 'isFormatted'>;

interface SheetInput {
  readonly opened: OfficePackage;
  readonly partName: string;
  readonly entry: SheetEntry;
  readonly styles: StyleCatalog;
  readonly rows: SheetRowsContext;
  readonly persons: ReadonlyMap<string, string>;
  /** Of a sheet that the package has not yet. */
  readonly bytes?: Uint8Array;
  /** Its rows, where they are known. */
  readonly known?: SheetRows | undefined;
}

/** A table of a sheet, and its part. */
export interface TablePart {
  readonly partName: string;
  readonly relationshipId: string;
  readonly xml: XmlDocument;
}

/** A worksheet as it lies in its parts. */
export class SheetSource {
  readonly partName: string;
  readonly xml: SheetXml;
  readonly relationships: Relationships;
  readonly rows: SheetRows;
  readonly merges: ReadItems<ItemOf<'merge'>>;
  readonly links: ReadItems<ItemOf<'link'>>;
  readonly validations: ReadItems<ItemOf<'validation'>>;
  readonly conditions: ReadItems<ItemOf<'condition'>>;
  readonly extendedValidations: ReadItems<ItemOf<'validation'>>;
  readonly extendedConditions: ExtendedConditions;
  readonly openRanges: ReadItems<ItemOf<'openRange'>>;
  readonly rowBreaks: ReadItems<ItemOf<'pageBreak'>>;
  readonly columnBreaks: ReadItems<ItemOf<'pageBreak'>>;
  readonly filter: ReadItems<ItemOf<'filter'>>;
  readonly tables: ReadonlyMap<string, TablePart>;
  readonly comments: ReadComments;
  readonly pivots = new Map<string, { readonly partName: string; readonly xml: XmlDocument }>();
  /** Drawing parts of the sheet, whose pictures are shown. */
  readonly pictureParts: readonly { readonly partName: string; readonly relationships: Relationships }[];
  drawings: ReadDrawings | undefined;
  readonly columnElements: readonly XmlElement[];
  /** Known with its pictures only when {@link readPictures} was called. */
  sheet: Sheet;
  readonly #opened: OfficePackage;

  /** @throws ConversionError corrupted or limits */
  constructor({ opened, partName, entry, styles, rows, persons, bytes, known }: SheetInput) {
    this.#opened = opened;
    this.partName = partName;
    this.xml = SheetXml.parse(bytes ?? opened.required(partName));
    this.relationships = opened.relationshipsOf(partName);
    const { shell } = this.xml;
    const said = { name: entry.name, ...(entry.state !== 'visible' && { state: entry.state }) };
    const filterElement = shell.child(shell.root, 'autoFilter');
    const filter = readFilter(shell, filterElement, styles);
    this.filter = filter
      ? { items: new Map([['f1', filter]]), elements: new Map([['f1', filterElement!]]) }
      : { items: new Map(), elements: new Map() };
    const { items: tables, parts } = this.#readTables(styles);
    this.tables = parts;
    const filtered = filteredRows(filter, tables);
    this.columnElements = (shell.child(shell.root, 'cols')?.children ?? []).filter(
      ({ name }) => name === 'col',
    );
    const columns = readColumns(shell, this.columnElements, rows.formatCount);
    const formatted = columns.runs.filter(([, , { format }]) => format !== undefined);
    this.rows =
      known ??
      readRows(this.xml, {
        ...rows,
        prefix: this.xml.prefix,
        isFormatted: (column) =>
          formatted.some(([first, count]) => column >= first && column < first + count),
        isFiltered: (place) => filtered.some(([from, to]) => place >= from && place <= to),
      });
    this.merges = readMerges(shell);
    this.links = readLinks(shell, (id) => this.relationships.get(id)?.target);
    this.validations = readValidations(shell);
    this.conditions = readConditions(shell, styles, solidBars(shell));
    this.extendedValidations = readExtendedValidations(shell);
    this.extendedConditions = readExtendedConditions(shell, this.conditions.elements);
    this.openRanges = readOpenRanges(shell);
    this.rowBreaks = readBreaks(shell, 'row');
    this.columnBreaks = readBreaks(shell, 'column');
    this.comments = readComments(opened, partName, this.relationships, persons);
    this.pictureParts = this.#drawingParts();
    this.sheet = {
      id: entry.id,
      properties: readSheetProperties(shell, said),
      grid: this.rows.grid,
      columns,
      items: itemsOf({
        merge: this.merges.items,
        filter: this.filter.items,
        condition: new Map([...this.conditions.items, ...this.extendedConditions.items]),
        validation: new Map([...this.validations.items, ...this.extendedValidations.items]),
        table: tables,
        link: this.links.items,
        comment: this.comments.items,
        openRange: this.openRanges.items,
        pivot: this.#readPivots(),
        pageBreak: new Map([...this.rowBreaks.items, ...this.columnBreaks.items]),
      }),
    };
  }

  /** Reads what is drawn on the sheet, when the pictures of the workbook are known. */
  readPictures(media: MediaCatalog): void {
    const [part] = this.pictureParts;
    this.drawings = part && readDrawings(this.#opened, part.partName, part.relationships, media);
    if (!this.drawings || this.drawings.items.size === 0) return;
    const items = { ...this.sheet.items, drawing: this.drawings.items as ReadonlyMap<string, Item> };
    this.sheet = { ...this.sheet, items };
  }

  #drawingParts(): SheetSource['pictureParts'] {
    const part = drawingPartOf(this.#opened, this.partName, this.xml.shell, this.relationships);
    return part ? [part] : [];
  }

  #readTables(styles: StyleCatalog): { items: Map<string, ItemOf<'table'>>; parts: Map<string, TablePart> } {
    const items = new Map<string, ItemOf<'table'>>();
    const parts = new Map<string, TablePart>();
    const { shell } = this.xml;
    for (const [index, element] of (shell.child(shell.root, 'tableParts')?.children ?? []).entries()) {
      const relationshipId = shell.attribute(element, 'r:id') ?? '';
      const found = this.relationships.get(relationshipId);
      const partName = found && !found.external ? resolveTarget(this.partName, found.target) : undefined;
      const xml = this.#opened.readableXml(partName);
      const table = xml && readTable(xml, styles);
      if (!table || partName === undefined) continue;
      const id = `t${index + 1}`;
      items.set(id, table);
      parts.set(id, { partName, relationshipId, xml });
    }
    return { items, parts };
  }

  /** Pivot tables (18.10.1.73), which are shown as their cells. */
  #readPivots(): Map<string, ItemOf<'pivot'>> {
    const pivots = new Map<string, ItemOf<'pivot'>>();
    for (const { type, target, external } of this.relationships.all) {
      if (external || !isRelationshipType(type, 'pivotTable')) continue;
      const partName = resolveTarget(this.partName, target);
      const xml = this.#opened.readableXml(partName);
      const area = xml && areaOfReference(xml.attribute(xml.child(xml.root, 'location'), 'ref') ?? '');
      if (!area) continue;
      const id = `p${pivots.size + 1}`;
      pivots.set(id, { area, name: xml.attribute(xml.root, 'name') ?? '' });
      this.pivots.set(id, { partName, xml });
    }
    return pivots;
  }
}

/** The rows that a filter hides, if it has criteria: from and to. */
function filteredRows(
  filter: ItemOf<'filter'> | undefined,
  tables: ReadonlyMap<string, ItemOf<'table'>>,
): (readonly [number, number])[] {
  const ranges: (readonly [number, number])[] = [];
  if (filter && hidesRows(filter.columns)) ranges.push([filter.area[0] + 1, filter.area[2]]);
  for (const { area, filter: columns } of tables.values())
    if (hidesRows(columns)) ranges.push([area[0] + 1, area[2]]);
  return ranges;
}

/** Kinds of which there are none are left out. */
function itemsOf(
  all: { readonly [Kind in SheetItemKind]?: ReadonlyMap<string, unknown> },
): Items<SheetItemKind> {
  return Object.fromEntries(
    Object.entries(all).filter(([, items]) => items.size > 0),
  ) as Items<SheetItemKind>;
}

function readColumns(xml: XmlDocument, elements: readonly XmlElement[], formatCount: number): Lines {
  const runs = elements.flatMap((element): LineRun[] => {
    const run = readColumnRun(xml, element, formatCount);
    return run ? [run] : [];
  });
  return Lines.of(runs.sort(([one], [other]) => one - other));
}

/** The run of columns that a `col` speaks of (18.3.1.13). */
export function readColumnRun(
  xml: XmlDocument,
  element: XmlElement,
  formatCount: number,
): LineRun | undefined {
  const { min, max, width, customWidth, bestFit, hidden, outlineLevel, collapsed, style } =
    xml.attributes(element);
  const [first, last] = [numberOf(min), numberOf(max)];
  if (
    first === undefined ||
    last === undefined ||
    !contains([0, 0, 0, 16_383], [0, first - 1, 0, last - 1]) ||
    last < first
  )
    return undefined;
  const on = (value: string | undefined) => (value !== undefined && isOn(value)) || undefined;
  const format = numberOf(style) ?? 0;
  const line = withoutNothing({
    size: numberOf(width),
    custom: on(bestFit) ? undefined : on(customWidth),
    hidden: on(hidden),
    level: Math.min(7, numberOf(outlineLevel) ?? 0) || undefined,
    collapsed: on(collapsed),
    format: format > 0 && format < formatCount ? format : undefined,
  }) as Line;
  return [first - 1, last - first + 1, line];
}
