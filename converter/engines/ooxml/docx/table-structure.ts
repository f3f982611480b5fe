import type { XmlDocument } from '../package/xml-document.ts';
import type { XmlElement } from '../package/xml-scanner.ts';

/** A cell of the model: the element that begins it, and how far it reaches. */
export interface PlannedCell {
  readonly element: XmlElement;
  readonly column: number;
  readonly colspan: number;
  rowspan: number;
  lastRow: number;
  id: string;
}

export interface PlannedRow extends WrappedElement {
  readonly gaps: RowGaps;
  readonly cells: PlannedPlace[];
  readonly contentStart: number;
  readonly contentEnd: number;
}

/** A cell element of a row: where a cell of the model begins, or goes on. */
interface PlannedPlace extends WrappedElement {
  readonly cell: PlannedCell;
  readonly continues: boolean;
}

interface PlannedTable {
  readonly rows: readonly PlannedRow[];
  readonly contentStart: number;
  readonly contentEnd: number;
}

interface OpenRow extends Omit<PlannedRow, 'gaps'> {
  readonly before: number;
  readonly endColumn: number;
  readonly columns: number;
}

/** As many columns as Word lets one cell span, and as it lets a table have. */
export const MOST_SPANNED = 63;
/** Other programs write more columns; a table's map takes memory for rows times columns, in every browser. */
const MOST_COLUMNS = 255;
const MOST_ROWS_SPANNED = 32_767;

/**
 * Rows and cells of a table with vertical merges (17.4.84) as `rowspan`, and what rows lack at either side as gaps, so
 * that all rows have the same columns. Undefined when the table holds something that the model cannot.
 */
export function planTable(xml: XmlDocument, table: XmlElement): PlannedTable | undefined {
  const wrapped = wrappedElements(xml, table, 'w:tr');
  if (!wrapped) return undefined;
  /** Cells that the row above has at a column and that may be continued. */
  const open = new Map<number, PlannedCell>();
  const rows: OpenRow[] = [];
  for (const element of wrapped.found) {
    const row = planRow(xml, element, rows.length, open);
    if (!row) return undefined;
    rows.push(row);
  }
  const columns = rows.reduce((most, row) => Math.max(most, row.columns), 0);
  if (columns > MOST_COLUMNS) return undefined;
  const planned = rows.map(({ before, endColumn, columns: _columns, ...row }) => {
    return { ...row, gaps: { before, after: columns - endColumn } };
  });
  const isWithin = planned.every(({ gaps }) => Math.max(gaps.before, gaps.after) <= MOST_SPANNED);
  return isWithin ? { ...wrapped, rows: planned } : undefined;
}

function planRow(
  xml: XmlDocument,
  row: WrappedElement,
  rowIndex: number,
  open: Map<number, PlannedCell>,
): OpenRow | undefined {
  const wrapped = wrappedElements(xml, row.element, 'w:tc');
  if (!wrapped) return undefined;
  const properties = xml.child(row.element, 'w:trPr');
  const before = numberOf(xml, xml.child(properties, 'w:gridBefore')) ?? 0;
  const after = numberOf(xml, xml.child(properties, 'w:gridAfter')) ?? 0;
  const cells: PlannedRow['cells'] = [];
  let column = before;
  for (const place of wrapped.found) {
    const { element: cellElement } = place;
    if (cellElement.selfClosing) return undefined;
    const { colspan, merge, restarts } = spanOf(xml, cellElement);
    const above = open.get(column);
    const continues =
      merge &&
      !restarts &&
      above?.lastRow === rowIndex - 1 &&
      above.colspan === colspan &&
      above.rowspan < MOST_ROWS_SPANNED;
    for (let covered = column; covered < column + colspan; covered++) open.delete(covered);
    if (continues) {
      above.rowspan++;
      above.lastRow = rowIndex;
      open.set(column, above);
      cells.push({ ...place, cell: above, continues: true });
    } else {
      const cell = { element: cellElement, column, colspan, rowspan: 1, lastRow: rowIndex, id: '' };
      if (restarts) open.set(column, cell);
      cells.push({ ...place, cell, continues: false });
    }
    column += colspan;
  }
  const { contentStart, contentEnd } = wrapped;
  return { ...row, cells, contentStart, contentEnd, before, endColumn: column, columns: column + after };
}

function spanOf(xml: XmlDocument, cell: XmlElement): { colspan: number; merge: boolean; restarts: boolean } {
  const properties = xml.child(cell, 'w:tcPr');
  const span = numberOf(xml, xml.child(properties, 'w:gridSpan')) ?? 1;
  const merge = xml.child(properties, 'w:vMerge');
  return {
    colspan: Math.min(MOST_SPANNED, Math.max(1, span)),
    merge: merge !== undefined,
    restarts: xml.attribute(merge, 'w:val') === 'restart',
  };
}

function numberOf(xml: XmlDocument, element: XmlElement | undefined): number | undefined {
  const value = Number(xml.attribute(element, 'w:val') ?? Number.NaN);
  return Number.isInteger(value) && value >= 0 ? value : undefined;
}

/** Grid columns that a row leaves out before its first cell (17.4.15) and after its last (17.4.14). */
export interface RowGaps {
  readonly before: number;
  readonly after: number;
}

/** An element around rows or cells of a table, such as a content control (17.5.2.30, 17.5.2.32) or custom XML (17.5.1.4). */
export interface TableWrap {
  readonly element: XmlElement;
  /** Up to the first row, cell or wrap in it, and from the last one on. */
  readonly openXml: string;
  readonly closeXml: string;
  /** What stands between it and the row, cell or wrap before it, such as the end of a bookmark. */
  readonly lead: string;
}

/** A row of a table, or a cell of a row. */
interface WrappedElement {
  readonly element: XmlElement;
  /** Outermost first. */
  readonly wraps: readonly TableWrap[];
  readonly lead: string;
}

/** The rows of a table or the cells of a row, and the stretch of XML that holds them and what is around them. */
interface WrappedElements {
  readonly found: readonly WrappedElement[];
  readonly contentStart: number;
  readonly contentEnd: number;
}

const WRAPS = new Set(['w:sdt', 'w:customXml', 'w:smartTag', 'w:ins', 'w:del', 'w:moveFrom', 'w:moveTo']);
const PROPERTIES = new Set([
  'w:tblPr',
  'w:tblGrid',
  'w:tblPrEx',
  'w:trPr',
  'w:sdtPr',
  'w:sdtEndPr',
  'w:customXmlPr',
  'w:smartTagPr',
  'w:proofErr',
]);
/** Ends of ranges, which may stand between any rows and cells (17.13). */
const RANGE_END = /^w:(?:bookmark|perm|(?:comment|move\w+|customXml\w+)Range)(?:Start|End)$/;

/**
 * The rows of a table or the cells of a row. Undefined when there are none, and when there is anything else that people
 * would see.
 */
function wrappedElements(
  xml: XmlDocument,
  parent: XmlElement,
  name: 'w:tr' | 'w:tc',
): WrappedElements | undefined {
  const collector = new Collector(xml, name);
  const content = collector.collect(parent.children, []);
  return content && { found: collector.found, ...content };
}

interface Extent {
  readonly contentStart: number;
  readonly contentEnd: number;
}

class Collector {
  readonly found: WrappedElement[] = [];
  readonly #xml: XmlDocument;
  readonly #name: string;
  /** Wraps that were looked into, and whether they hold what is wanted. */
  readonly #holds = new Map<XmlElement, boolean>();

  constructor(xml: XmlDocument, name: string) {
    this.#xml = xml;
    this.#name = name;
  }

  collect(children: readonly XmlElement[], wraps: readonly TableWrap[]): Extent | undefined {
    const { text } = this.#xml;
    let extent: Extent | undefined;
    for (const element of children) {
      if (!this.#isHolder(element)) {
        if (isLoose(element)) continue;
        return undefined;
      }
      const between = extent ? text.slice(extent.contentEnd, element.start) : '';
      const lead = between.includes('<') ? between : '';
      extent = { contentStart: extent?.contentStart ?? element.start, contentEnd: element.end };
      if (element.name === this.#name) {
        this.found.push({ element, wraps, lead });
        continue;
      }
      const wrap = this.#wrapOf(element, lead);
      if (!this.collect(this.#contentOf(element), [...wraps, wrap])) return undefined;
    }
    return extent;
  }

  #wrapOf(element: XmlElement, lead: string): TableWrap {
    const holders = this.#contentOf(element).filter((child) => this.#isHolder(child));
    const openXml = this.#xml.text.slice(element.start, holders[0]!.start);
    const closeXml = this.#xml.text.slice(holders.at(-1)!.end, element.end);
    return { element, openXml, closeXml, lead };
  }

  /** Whether an element is what is wanted, or a wrap around such. */
  #isHolder(element: XmlElement): boolean {
    if (element.name === this.#name) return true;
    if (!WRAPS.has(element.name)) return false;
    const known = this.#holds.get(element);
    if (known !== undefined) return known;
    const holds = this.#contentOf(element).some((child) => this.#isHolder(child));
    this.#holds.set(element, holds);
    return holds;
  }

  #contentOf(element: XmlElement): readonly XmlElement[] {
    const content = element.name === 'w:sdt' ? this.#xml.child(element, 'w:sdtContent') : element;
    return content?.children ?? [];
  }
}

/** What nobody sees: properties, ends of ranges, and wraps with nothing else in them. */
function isLoose(element: XmlElement): boolean {
  if (PROPERTIES.has(element.name) || RANGE_END.test(element.name)) return true;
  const isEmpty = WRAPS.has(element.name) || element.name === 'w:sdtContent';
  return isEmpty && element.children.every(isLoose);
}
