import { FormatTable } from '../../../../model/cell/cell-format.ts';
import type { Item } from '../../../../model/cell/items.ts';
import type { Sheet, Workbook, WorkbookProperties } from '../../../../model/cell/workbook.ts';
import { ConversionError, corrupted } from '../../../errors.ts';
import { LIMITS } from '../package/limits.ts';
import { isRelationshipType } from '../package/namespaces.ts';
import { detectOffice, packageKind } from '../package/office-kind.ts';
import { OfficePackage } from '../package/office-package.ts';
import { comparedName } from '../package/part-names.ts';
import { MediaCatalog } from '../package/pictures.ts';
import { type Relationships, resolveTarget } from '../package/relationships.ts';
import type { XmlDocument } from '../package/xml-document.ts';
import { SharedStrings } from './cells/shared-strings.ts';
import { CellBudget } from './cells/sheet-rows.ts';
import { ChartSheets, emptySheet } from './chart-sheet.ts';
import { type ReadHeld, readHeld } from './held/held-parts.ts';
import { readPersons } from './items/comment-items.ts';
import { type ReadBooks, readBooks } from './linked-books.ts';
import { dynamicMetadata } from './metadata.ts';
import { type SheetRowsContext, SheetSource } from './sheet-source.ts';
import { StyleCatalog } from './styles/style-catalog.ts';
import { readTheme } from './theme.ts';
import { SHEET_PREFIXES, type SheetVocabulary, sheetVocabularyOf } from './vocabulary.ts';
import {
  type ReadNames,
  readNames,
  readSheetEntries,
  readWorkbookProperties,
  type SheetEntry,
} from './workbook-part.ts';

/** Cells that a workbook may have when it is opened for the first time. */
const MOST_CELLS = 2_000_000;

/** A workbook as it lies in its package: its model, and where each piece of that is in the parts. */
export class XlsxSource {
  readonly package: OfficePackage;
  readonly xml: XmlDocument;
  readonly vocabulary: SheetVocabulary;
  readonly relationships: Relationships;
  readonly styles: StyleCatalog;
  readonly names: ReadNames;
  readonly books: ReadBooks;
  /** References beside the model. */
  readonly held: ReadHeld;
  readonly entries: readonly SheetEntry[];
  /** By the ids of the sheets; only those with cells. */
  readonly sheets: ReadonlyMap<string, SheetSource>;
  readonly media: MediaCatalog;
  readonly workbook: Workbook;
  readonly metadata: XmlDocument | undefined;
  /** Numbers of the metadata of cells that spill. */
  readonly dynamic: ReadonlySet<number>;
  readonly rowsContext: SheetRowsContext;
  /** Names of people by the ids that threads of comments have for them. */
  readonly persons: ReadonlyMap<string, string>;

  /**
   * @param isCounted whether the size of the model is limited, as for a workbook that is opened for the first time
   * @throws ConversionError unknownFormat, corrupted, passwordRequired or limits
   */
  static open(bytes: Uint8Array, { isCounted = false } = {}): XlsxSource {
    refuseOtherFormats(bytes);
    const opened = new OfficePackage(bytes, SHEET_PREFIXES);
    if (packageKind(opened) !== 'xlsx')
      throw new ConversionError('unknownFormat', 'the package is no workbook in XML');
    const most = { cells: MOST_CELLS, chars: LIMITS.modelChars };
    return new XlsxSource(opened, isCounted ? new CellBudget(most) : CellBudget.unlimited());
  }

  private constructor(opened: OfficePackage, budget: CellBudget) {
    this.package = opened;
    this.xml = opened.requiredXml(opened.mainPart);
    this.vocabulary = workbookVocabulary(this.xml);
    this.relationships = opened.relationshipsOf(opened.mainPart);
    this.entries = readSheetEntries(this.xml);
    if (this.entries.length === 0) throw corrupted('the workbook has no sheets');
    const related = (type: string) => this.#readable(type);
    this.styles = new StyleCatalog(related('styles'));
    const strings = new SharedStrings(opened.relatedXml(this.relationships, 'sharedStrings'));
    const properties = readWorkbookProperties(this.xml);
    const theme = readTheme(related('theme'));
    const formats = this.styles.read();
    this.metadata = related('sheetMetadata');
    this.dynamic = dynamicMetadata(this.metadata);
    const fileFormats = formats.length;
    let isPlainUsed = false;
    this.rowsContext = {
      strings,
      date1904: properties.date1904 ?? false,
      formatCount: formats.length,
      dynamic: this.dynamic,
      plainFormat: () => {
        isPlainUsed = true;
        return fileFormats;
      },
      take: (cells, chars) => budget.take(cells, chars),
    };
    this.persons = readPersons(opened, this.relationships);
    const sheets = new Map<string, SheetSource>();
    const taken = new Set<string>();
    const others = new Map<string, Sheet>();
    const chartParts = new Map<string, string>();
    for (const entry of this.entries) {
      const { part, type } = this.#partOf(entry);
      if (part === undefined || type !== 'worksheet') {
        others.set(entry.id, emptySheet(entry, type === 'chartsheet' ? 'chart' : 'other'));
        if (part !== undefined && type === 'chartsheet') chartParts.set(entry.id, part);
        continue;
      }
      const compared = comparedName(part);
      if (taken.has(compared)) throw corrupted('two sheets are one part of the package');
      taken.add(compared);
      const source = new SheetSource({
        opened,
        partName: part,
        entry,
        styles: this.styles,
        persons: this.persons,
        rows: this.rowsContext,
      });
      sheets.set(entry.id, source);
    }
    this.sheets = sheets;
    this.names = readNames(
      this.xml,
      this.entries.map(({ id }) => id),
    );
    this.books = readBooks(opened, this.xml, this.relationships);
    const drawings = [...sheets.values()].flatMap(({ pictureParts }) => pictureParts);
    this.media = new MediaCatalog(opened, this.relationships, drawings);
    for (const source of sheets.values()) source.readPictures(this.media);
    const charts = new ChartSheets(opened, this.media);
    for (const [id, part] of chartParts) others.set(id, charts.withChart(others.get(id)!, part));
    const { relationships, entries } = this;
    this.held = readHeld({ opened, relationships, entries, sheets });
    this.workbook = {
      sheets: this.entries.map(({ id }) => sheets.get(id)?.sheet ?? others.get(id)!),
      properties: { ...properties, ...(theme && { theme }), ...this.#styleProperties() },
      formats: FormatTable.of(isPlainUsed ? [...formats, formats[0] ?? {}] : formats),
      items: {
        ...(this.names.items.size > 0 && { name: this.names.items }),
        ...(this.books.items.size > 0 && { book: this.books.items as ReadonlyMap<string, Item> }),
        ...(this.held.items.size > 0 && { held: this.held.items as ReadonlyMap<string, Item> }),
      },
      volatile: { timeMs: 0, seed: 0 },
      removed: new Map(),
      removedComments: new Map(),
    };
  }

  #styleProperties(): Pick<WorkbookProperties, 'styles'> {
    const styles = this.styles.readNamed();
    return Object.keys(styles).length > 0 ? { styles } : {};
  }

  /** A part that the workbook can do without. */
  #readable(localType: string): XmlDocument | undefined {
    const isWanted = (type: string) => isRelationshipType(type, localType);
    return this.package.readableXml(this.package.relatedPartName(this.relationships, isWanted));
  }

  #partOf({ relationshipId }: SheetEntry): { part: string | undefined; type: string } {
    const found = this.relationships.get(relationshipId);
    if (!found || found.external) return { part: undefined, type: '' };
    const part = resolveTarget(this.package.mainPart, found.target);
    const type = found.type.slice(found.type.lastIndexOf('/') + 1);
    return { part: this.package.archive.find(part) && part, type };
  }
}

function refuseOtherFormats(bytes: Uint8Array): void {
  if (bytes[0] === 0x50 && bytes[1] === 0x4b) return;
  switch (detectOffice(bytes)) {
    case 'ole-encrypted':
      throw new ConversionError('passwordRequired', 'the workbook is encrypted with a password');
    case 'unknown':
      throw corrupted('the file is no package');
    default:
      throw new ConversionError('unknownFormat', 'the file is of another format');
  }
}

function workbookVocabulary(xml: XmlDocument): SheetVocabulary {
  const vocabulary = sheetVocabularyOf(xml.attribute(xml.root, 'xmlns'));
  if (vocabulary && xml.root.name === 'workbook') return vocabulary;
  if (/(?:^|:)workbook$/.test(xml.root.name))
    throw new ConversionError('unknownFormat', 'the main part is a workbook of another vocabulary');
  throw corrupted('the main part is no workbook');
}
