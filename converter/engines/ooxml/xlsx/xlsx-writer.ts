import { sizeOf, touches } from '../../../../model/cell/area.ts';
import { sameValue } from '../../../../model/cell/cell.ts';
import { isReference, partsOf } from '../../../../model/cell/formula/formula-parts.ts';
import { Grid } from '../../../../model/cell/grid.ts';
import type { ItemOf } from '../../../../model/cell/items.ts';
import { booksOf } from '../../../../model/cell/linked-book.ts';
import { sameWorkbook } from '../../../../model/cell/same-workbook.ts';
import { textOfValue } from '../../../../model/cell/values.ts';
import { itemsOf, namesOf, type Sheet, sheetNamed, type Workbook } from '../../../../model/cell/workbook.ts';
import type { MediaReader } from '../../kind-engine.ts';
import { isRelationshipType } from '../package/namespaces.ts';
import { unlessDamaged } from '../package/office-package.ts';
import { comparedName, plainName } from '../package/part-names.ts';
import { relativeTarget, resolveTarget } from '../package/relationships.ts';
import type { CalculatedValues, CalculateWorkbook } from './calculation.ts';
import type { RowsContext } from './cells/rows-writer.ts';
import { copiedSheet, heldOfCopy } from './copied-sheet.ts';
import type { HeldPart } from './held/held-parts.ts';
import { writeHeld } from './held/held-writer.ts';
import { type CommentContext, writeComments } from './items/comment-writer.ts';
import { type DrawingContext, type GivenDrawing, writeDrawings } from './items/drawing-writer.ts';
import { isSame } from './items/item-list.ts';
import { PersonList } from './items/person-list.ts';
import { changedTableXml, newTableXml } from './items/table-items.ts';
import { namesBook, writeBook } from './linked-books-writer.ts';
import { DynamicMetadata } from './metadata.ts';
import { PackageChanges } from './package-changes.ts';
import { PartEdits } from './part-edits.ts';
import { areaReference } from './references.ts';
import { SheetSource } from './sheet-source.ts';
import { emptySheetXml, SHEET_ORDER, type SheetContext, writeSheetPart } from './sheet-writer.ts';
import { spilledWorkbook } from './spilled-workbook.ts';
import { numberOf } from './styles/format-xml.ts';
import { StyleWriter } from './styles/style-writer.ts';
import { validWorkbook } from './valid-workbook.ts';
import { changedWorkbookXml } from './workbook-writer.ts';
import type { XlsxSource } from './xlsx-source.ts';

/** Kinds of parts that belong to one sheet alone. */
const OWN_PARTS = /^(?:comments|threadedComment|vmlDrawing|drawing|chart|table|pivotTable|printerSettings)$/;
/** Points of a series that are written beside its reference. */
const MOST_POINTS = 10_000;
const TYPES = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

export interface WrittenXlsx {
  /** New bytes by part name, null for a part that is left out; empty when the workbook is as it was opened. */
  readonly parts: ReadonlyMap<string, Uint8Array | null>;
  /** Paths of new pictures that could not be written because nobody gave their bytes. */
  readonly missingMedia: readonly string[];
}

interface Outside {
  readonly media: MediaReader;
  readonly calculate?: CalculateWorkbook | undefined;
}

/** Writes a workbook back into the package it was opened from. Every byte that nobody changed stays. */
export function writeXlsx(source: XlsxSource, after: Workbook, { media, calculate }: Outside): WrittenXlsx {
  if (sameWorkbook(source.workbook, after)) return { parts: new Map(), missingMedia: [] };
  const values = calculate?.(source.workbook, after);
  const spilled = values ? spilledWorkbook(after, values) : after;
  return new XlsxWriter(source, validWorkbook(source.workbook, spilled), media, values).write();
}

class XlsxWriter {
  readonly #source: XlsxSource;
  readonly #after: Workbook;
  readonly #media: MediaReader;
  readonly #values: CalculatedValues | undefined;
  readonly #changes: PackageChanges;
  readonly #missing = new Set<string>();
  readonly #dynamic: DynamicMetadata;
  readonly #persons: PersonList;
  readonly #heldCopies: HeldPart[] = [];
  #styles: StyleWriter | undefined;
  #nextTable: number | undefined;

  constructor(source: XlsxSource, after: Workbook, media: MediaReader, values: CalculatedValues | undefined) {
    this.#source = source;
    this.#after = after;
    this.#media = media;
    this.#values = values;
    this.#changes = new PackageChanges(source.package);
    this.#dynamic = new DynamicMetadata(source.metadata, source.dynamic);
    this.#persons = new PersonList(source.persons);
  }

  write(): WrittenXlsx {
    const { workbook: before, package: opened, xml } = this.#source;
    const added = new Map<string, string>();
    for (const sheet of this.#after.sheets) {
      const source = this.#source.sheets.get(sheet.id);
      if (source) this.#writeSheet(source, sheet);
      else if (!before.sheets.some(({ id }) => id === sheet.id)) added.set(sheet.id, this.#addSheet(sheet));
    }
    const left = new Set(this.#after.sheets.map(({ id }) => id));
    for (const { id, relationshipId } of this.#source.entries)
      if (!left.has(id)) this.#removeSheet(relationshipId);
    const areFormulasChanged = this.#areFormulasChanged();
    if (areFormulasChanged) this.#removeRelated('calcChain');
    const isStale = this.#isStale(areFormulasChanged);
    const broken = this.#writeBooks();
    const workbook = changedWorkbookXml({ source: this.#source, after: this.#after, added, broken, isStale });
    if (workbook !== undefined) this.#changes.put(opened.mainPart, xml.encode(workbook));
    this.#writeStyles();
    this.#writeMetadata();
    this.#persons.write(this.#source, this.#changes);
    const held = (this.#after.items.held ?? new Map()) as ReadonlyMap<string, ItemOf<'held'>>;
    const copies = this.#heldCopies;
    writeHeld({ held: this.#source.held, copies, after: held, opened, changes: this.#changes });
    return { parts: this.#changes.all(), missingMedia: [...this.#missing] };
  }

  #writeSheet(source: SheetSource, after: Sheet): void {
    const { sheet: before } = source;
    const recalculated = this.#recalculatedRows(after);
    if (before === after && recalculated.size === 0) return;
    const edits = new PartEdits(source.xml.shell, SHEET_ORDER);
    this.#writeTables(source, after, edits);
    writeDrawings(source, after, edits, this.#drawingContext());
    writeComments(source, after, edits, this.#commentContext());
    this.#writePivots(source, after);
    writeSheetPart(source, after, edits, this.#contextOf(after, recalculated));
  }

  #contextOf(after: Sheet, recalculatedRows: ReadonlySet<number>): SheetContext {
    const tables = [...itemsOf(after, 'table').values()];
    const rows: RowsContext = {
      formatOf: (format) =>
        format < this.#source.styles.formats.length ? format : this.#styleWriter().indexOf(format),
      dynamicNumber: () => this.#dynamic.number(),
      calculated: (row, column) => this.#values?.of(after.id, row, column),
      tableAt: (row, column) =>
        tables.find(({ area }) => touches(area, [row, column, row, column]))?.name ?? null,
      recalculatedRows,
    };
    return {
      changes: this.#changes,
      vocabulary: this.#source.vocabulary,
      styles: () => this.#styleWriter(),
      rows,
      formatCount: this.#source.rowsContext.formatCount,
    };
  }

  #drawingContext(): DrawingContext {
    const { vocabulary, media, package: opened } = this.#source;
    return {
      changes: this.#changes,
      vocabulary,
      media,
      newMedia: this.#media,
      missing: (path) => this.#missing.add(path),
      valuesOf: (formula) => this.#valuesOf(formula),
      chartXml: (partName) => opened.readableXml(partName),
      givenDrawing: (sheet, id) => this.#givenDrawing(sheet, id),
    };
  }

  #givenDrawing(sheet: string, id: string): GivenDrawing | undefined {
    const part = this.#source.sheets.get(sheet)?.drawings;
    const [drawing, element] = [part?.items.get(id), part?.elements.get(id)];
    return part && drawing && element ? { drawing, part, element } : undefined;
  }

  #commentContext(): CommentContext {
    const { vocabulary, package: opened } = this.#source;
    return {
      changes: this.#changes,
      vocabulary,
      personOf: (name) => this.#persons.idOf(name),
      read: (partName) => opened.read(partName),
    };
  }

  /** Pivot tables stay as they are, but for the cells that they stand in. */
  #writePivots(source: SheetSource, sheet: Sheet): void {
    const after = itemsOf(sheet, 'pivot');
    if (itemsOf(source.sheet, 'pivot') === after) return;
    for (const [id, { partName, xml }] of source.pivots) {
      const [was, is] = [itemsOf(source.sheet, 'pivot').get(id), after.get(id)];
      const location = xml.child(xml.root, 'location');
      if (!was || !is || !location || isSame(was.area, is.area)) continue;
      const edits = new PartEdits(xml, []);
      edits.setAttributes(location, { ref: areaReference(is.area) });
      this.#changes.put(partName, xml.encode(edits.text()));
    }
  }

  /** Writes what is known of other workbooks. @returns how many of the last links are taken out */
  #writeBooks(): number {
    const { items, parts, references } = this.#source.books;
    const after = booksOf(this.#after);
    if (booksOf(this.#source.workbook) === after) return 0;
    for (const [id, part] of parts) {
      const [was, is] = [items.get(id), after.get(id)];
      if (was && is && was !== is) writeBook(part, was, is, this.#changes);
    }
    // Formulas count links: one before others stays, and so does one that something else may name.
    let broken = 0;
    while (broken < references.length) {
      const id = String(references.length - broken);
      if (!parts.has(id) || after.has(id) || this.#isBookNamed(id)) break;
      broken += 1;
      this.#removeLink(references[references.length - broken]!.relationshipId);
    }
    return broken;
  }

  #removeLink(relationshipId: string): void {
    const { package: opened, relationships } = this.#source;
    const links = this.#changes.relationshipsOf(opened.mainPart, relationships);
    const found = links.get(relationshipId);
    if (!found) return;
    links.remove(relationshipId);
    this.#changes.remove(resolveTarget(opened.mainPart, found.target));
  }

  /** Whether any part may read a linked workbook: also those that nobody here knows. */
  #isBookNamed(id: string): boolean {
    const { package: opened } = this.#source;
    if ([...namesOf(this.#after).values()].some(({ formula }) => namesBook(formula, id))) return true;
    const isAsked = (name: string) =>
      comparedName(name) !== comparedName(opened.mainPart) &&
      /\.xml$/i.test(name) &&
      !/\/(?:externalLinks|theme)\/|sharedStrings/i.test(plainName(name));
    return opened.archive.entries.some(({ name }) => {
      if (!isAsked(name) || this.#changes.isRemoved(name)) return false;
      const bytes = this.#changes.written(name) ?? opened.read(name);
      return bytes !== undefined && namesBook(Buffer.from(bytes).toString('latin1'), id);
    });
  }

  /** The values of the cells that a reference names, for the pictures that programs keep of charts. */
  #valuesOf(formula: string): (string | number | null)[] | undefined {
    const [reference, ...others] = partsOf(formula);
    if (
      reference === undefined ||
      others.length > 0 ||
      typeof reference === 'string' ||
      !isReference(reference)
    )
      return undefined;
    const sheet = reference.sheet === null ? undefined : sheetNamed(this.#after, reference.sheet);
    if (!sheet || sizeOf(reference.area) > MOST_POINTS) return undefined;
    const [row1, column1, row2, column2] = reference.area;
    const values: (string | number | null)[] = [];
    for (let row = row1; row <= row2; row++)
      for (let column = column1; column <= column2; column++) {
        const value = this.#values?.of(sheet.id, row, column) ?? sheet.grid.cell(row, column).value;
        values.push(typeof value === 'number' || value === null ? value : textOfValue(value));
      }
    return values;
  }

  #styleWriter(): StyleWriter {
    const { styles, vocabulary } = this.#source;
    this.#styles ??= new StyleWriter(styles, this.#after.formats.toJSON(), vocabulary.main);
    return this.#styles;
  }

  /** Rows in which formulas have other values than the file has. */
  #recalculatedRows({ id, grid }: Sheet): ReadonlySet<number> {
    const rows = new Set<number>();
    const values = this.#values;
    if (!values) return rows;
    for (const [row, column, value] of values.cells(id))
      if (!sameValue(value, grid.cell(row, column).value)) rows.add(row);
    return rows;
  }

  #addSheet(sheet: Sheet): string {
    const { package: opened, vocabulary, styles, xml } = this.#source;
    const folder = opened.mainPart.slice(0, opened.mainPart.lastIndexOf('/') + 1);
    const partName = this.#changes.freeName(`${folder}worksheets/sheet#.xml`);
    const original = sheet.copyOf === undefined ? undefined : this.#source.sheets.get(sheet.copyOf);
    const bytes = original
      ? copiedSheet(original, partName, opened, this.#changes)
      : Buffer.from(emptySheetXml(vocabulary.main, vocabulary.relationships));
    this.#changes.putTyped(partName, `${TYPES}.worksheet+xml`, bytes);
    const { id, properties } = sheet;
    const entry = {
      element: xml.root,
      id,
      name: properties.name,
      state: 'visible',
      relationshipId: '',
    } as const;
    const source = new SheetSource({
      ...{ opened, partName, entry, styles, bytes, known: original?.rows },
      persons: new Map(),
      rows: this.#source.rowsContext,
    });
    this.#writeSheet(source, sheet);
    if (original) this.#heldCopies.push(...heldOfCopy(this.#source.held, sheet, partName, this.#changes));
    return this.#relateToWorkbook('worksheet', partName);
  }

  #relateToWorkbook(localType: string, partName: string): string {
    const { package: opened, vocabulary, relationships } = this.#source;
    const target = relativeTarget(opened.mainPart, partName);
    const links = this.#changes.relationshipsOf(opened.mainPart, relationships);
    return links.require(`${vocabulary.relationships}/${localType}`, target, false);
  }

  #removeSheet(relationshipId: string): void {
    const { package: opened, relationships } = this.#source;
    const links = this.#changes.relationshipsOf(opened.mainPart, relationships);
    const found = links.get(relationshipId);
    if (!found || found.external) return;
    links.remove(relationshipId);
    this.#removeWithOwn(resolveTarget(opened.mainPart, found.target));
  }

  /** Leaves a part out with those that only parts of its kind lead to. */
  #removeWithOwn(partName: string): void {
    const { package: opened } = this.#source;
    const own = unlessDamaged(() => opened.relationshipsOf(partName));
    this.#changes.remove(partName);
    for (const { type, target, external } of own?.all ?? []) {
      const part = resolveTarget(partName, target);
      const isOwn = OWN_PARTS.test(type.slice(type.lastIndexOf('/') + 1));
      if (!external && isOwn && opened.archive.find(part) && !this.#changes.isRemoved(part))
        this.#removeWithOwn(part);
    }
  }

  #removeRelated(localType: string): void {
    const { package: opened, relationships } = this.#source;
    const links = this.#changes.relationshipsOf(opened.mainPart, relationships);
    for (const { id, type, target, external } of links.all) {
      if (external || !isRelationshipType(type, localType)) continue;
      links.remove(id);
      this.#changes.remove(resolveTarget(opened.mainPart, target));
    }
  }

  #writeTables(source: SheetSource, sheet: Sheet, edits: PartEdits): void {
    const before = itemsOf(source.sheet, 'table');
    const after = itemsOf(sheet, 'table');
    if (before === after) return;
    const styles = () => this.#styleWriter();
    const { vocabulary } = this.#source;
    const links = () => this.#changes.relationshipsOf(source.partName, source.relationships);
    const kept: string[] = [];
    const { shell } = source.xml;
    for (const element of shell.child(shell.root, 'tableParts')?.children ?? []) {
      const id = [...source.tables].find(
        ([, part]) => part.relationshipId === shell.attribute(element, 'r:id'),
      )?.[0];
      const part = id === undefined ? undefined : source.tables.get(id);
      const table = id === undefined ? undefined : after.get(id);
      if (!part || id === undefined || table) kept.push(shell.raw(element));
      if (!part || id === undefined) continue;
      if (!table) {
        links().remove(part.relationshipId);
        this.#changes.remove(part.partName);
      } else if (!isSame(before.get(id), table))
        this.#changes.put(
          part.partName,
          part.xml.encode(changedTableXml(part.xml, before.get(id)!, table, styles)),
        );
    }
    let isChanged = kept.length !== (shell.child(shell.root, 'tableParts')?.children.length ?? 0);
    for (const [id, table] of after) {
      if (source.tables.has(id)) continue;
      const xml = newTableXml(table, this.#tableNumber(), vocabulary.main, styles);
      const pattern = source.partName.replace(/[^/]*\/[^/]*$/, 'tables/table#.xml');
      const partName = this.#changes.add(pattern, `${TYPES}.table+xml`, Buffer.from(xml));
      const target = relativeTarget(source.partName, partName);
      const link = links().require(`${vocabulary.relationships}/table`, target, false);
      kept.push(`<tablePart r:id="${link}"/>`);
      isChanged = true;
      if (shell.attribute(shell.root, 'xmlns:r') === undefined)
        edits.setRootAttributes({ 'xmlns:r': vocabulary.relationships });
    }
    if (!isChanged) return;
    const parts = `<tableParts count="${kept.length}">${kept.join('')}</tableParts>`;
    edits.setChild('tableParts', kept.length === 0 ? '' : parts);
  }

  /** A number that no table of the workbook has. */
  #tableNumber(): number {
    const numbers = [...this.#source.sheets.values()].flatMap(({ tables }) =>
      [...tables.values()].map(({ xml }) => numberOf(xml.attribute(xml.root, 'id')) ?? 0),
    );
    this.#nextTable ??= Math.max(0, ...numbers) + 1;
    return this.#nextTable++;
  }

  /** Whether formulas are in other cells than before, or say something else. */
  #areFormulasChanged(): boolean {
    const { workbook: before, sheets } = this.#source;
    const after = new Map(this.#after.sheets.map((sheet) => [sheet.id, sheet]));
    for (const { sheet } of sheets.values()) {
      const grid = after.get(sheet.id)?.grid ?? Grid.empty;
      if (grid !== sheet.grid && areFormulasOther(sheet.grid, grid)) return true;
    }
    return this.#after.sheets.some(
      ({ id, grid }) => !before.sheets.some((sheet) => sheet.id === id) && areFormulasOther(Grid.empty, grid),
    );
  }

  /** Whether values of formulas in the file may not be those that they have. */
  #isStale(areFormulasChanged: boolean): boolean {
    if (this.#values?.isComplete) return false;
    if (areFormulasChanged) return true;
    const hasFormulas = [...this.#source.sheets.values()].some(({ rows }) => rows.formulaCount > 0);
    return (
      hasFormulas &&
      this.#after.sheets.some(({ id, grid }) => this.#source.sheets.get(id)?.sheet.grid !== grid)
    );
  }

  #writeStyles(): void {
    const bytes = this.#styles?.changedBytes();
    if (!bytes) return;
    const { package: opened, relationships } = this.#source;
    const isStyles = (type: string) => isRelationshipType(type, 'styles');
    const present = opened.relatedPartName(relationships, isStyles);
    if (present !== undefined) this.#changes.put(present, bytes);
    else this.#addToWorkbook('styles', bytes);
  }

  #writeMetadata(): void {
    const bytes = this.#dynamic.changedBytes(this.#source.vocabulary.main);
    if (!bytes) return;
    const { package: opened, relationships } = this.#source;
    const isMetadata = (type: string) => isRelationshipType(type, 'sheetMetadata');
    const present = opened.relatedPartName(relationships, isMetadata);
    if (present !== undefined) this.#changes.put(present, bytes);
    else this.#addToWorkbook('sheetMetadata', bytes);
  }

  /** Makes a part that a workbook has once. */
  #addToWorkbook(localType: string, bytes: Uint8Array): void {
    const { mainPart } = this.#source.package;
    const folder = mainPart.slice(0, mainPart.lastIndexOf('/') + 1);
    const partName = this.#changes.nameOnce(`${folder}${localType}.xml`);
    this.#changes.putTyped(partName, `${TYPES}.${localType}+xml`, bytes);
    this.#relateToWorkbook(localType, partName);
  }
}

function areFormulasOther(before: Grid, after: Grid): boolean {
  for (const [from, to] of Grid.differences(before, after)) {
    for (let place = from; place <= to; place++) {
      const [one, other] = [before.row(place), after.row(place)];
      if (one === other) continue;
      for (const column of new Set([...(one?.columns ?? []), ...(other?.columns ?? [])])) {
        const [was, is] = [before.cell(place, column).formula, after.cell(place, column).formula];
        if (was !== is && !(was && is?.equals(was))) return true;
      }
    }
  }
  return false;
}
