import type { ItemOf } from '../../../../../model/cell/items.ts';
import { CELL_LIMITS } from '../../../../../model/cell/limits.ts';
import { type OfficePackage, unlessDamaged } from '../../package/office-package.ts';
import { comparedName } from '../../package/part-names.ts';
import { type Relationships, relationshipsPartOf, resolveTarget } from '../../package/relationships.ts';
import type { XmlDocument } from '../../package/xml-document.ts';
import { descendant, type ReadDrawings } from '../items/drawing-items.ts';
import type { SheetSource } from '../sheet-source.ts';
import type { SheetEntry } from '../workbook-part.ts';
import { type HeldPartKind, type HeldPlace, heldPlaces } from './held-places.ts';

/** So many are one item, which somebody sends whole who takes a deletion back. */
const MOST_OF_ITEM = 1_000;

/** Controls of forms, which sheets of cells have, and dialogs. */
const FORMS = { ctrlProp: 'control', vmlDrawing: 'shapes' } as const;

/** What a query puts into a sheet: in a table, or beside all tables as programs of old have it. */
const QUERIES = { queryTable: 'queryTable' } as const;

/** A part with references that the model does not know, which are held for it and follow cells. */
export interface HeldPart {
  readonly partName: string;
  /** The part whose relationships it has. */
  readonly linksOf?: string | undefined;
  readonly kind: HeldPartKind;
  readonly places: readonly HeldPlace[];
  /** Of the items that have the references of the places, one after the other. */
  readonly ids: readonly string[];
  /** The sheet that references without a sheet are of. */
  readonly scope: string | null;
  /** The sheet for a copy of which the part was made. */
  readonly copy?: string;
}

export interface ReadHeld {
  readonly items: ReadonlyMap<string, ItemOf<'held'>>;
  readonly parts: readonly HeldPart[];
}

interface Input {
  readonly opened: OfficePackage;
  readonly relationships: Relationships;
  readonly entries: readonly SheetEntry[];
  readonly sheets: ReadonlyMap<string, SheetSource>;
}

/** The references of a workbook that stand beside what the model has. Parts that cannot be read have none. */
export function readHeld(input: Input): ReadHeld {
  const search = new HeldSearch(input.opened);
  for (const entry of input.entries) {
    const source = input.sheets.get(entry.id);
    if (source) search.addSheet(entry.id, source);
    else search.addOther(entry.id, input.relationships.get(entry.relationshipId)?.target);
  }
  const { mainPart } = input.opened;
  search.addRelated(mainPart, input.relationships, { pivotCacheDefinition: 'pivotCache' }, null);
  search.addRelated(mainPart, input.relationships, { connections: 'connections' }, null);
  return search;
}

class HeldSearch implements ReadHeld {
  readonly items = new Map<string, ItemOf<'held'>>();
  readonly parts: HeldPart[] = [];
  readonly #opened: OfficePackage;
  readonly #asked = new Set<string>();
  #count = 0;

  constructor(opened: OfficePackage) {
    this.#opened = opened;
  }

  addSheet(scope: string, source: SheetSource): void {
    const { partName, xml, relationships, tables, drawings } = source;
    this.#add(partName, 'sheet', scope, xml.shell);
    for (const table of tables.values()) {
      this.#add(table.partName, 'table', scope, table.xml);
      const links = this.#linksOf(table.partName);
      if (links) this.addRelated(table.partName, links, QUERIES, scope);
    }
    this.addRelated(
      partName,
      relationships,
      { ...FORMS, ...QUERIES, tableSingleCells: 'singleCells', namedSheetView: 'views' },
      scope,
    );
    if (!drawings) return;
    this.#addDrawing(drawings.partName, scope, drawings.xml);
    const modelled = modelledCharts(drawings);
    this.#addCharts(drawings.partName, drawings.relationships, scope, modelled);
  }

  /** A sheet that has no cells: of a chart, or a dialog of old. */
  addOther(scope: string, target: string | undefined): void {
    if (target === undefined) return;
    const partName = resolveTarget(this.#opened.mainPart, target);
    const links = this.#linksOf(partName);
    if (!links) return;
    this.addRelated(partName, links, FORMS, scope);
    for (const drawing of targets(partName, links, 'drawing')) {
      this.#addDrawing(drawing, scope);
      const charts = this.#linksOf(drawing);
      if (charts) this.#addCharts(drawing, charts, scope, new Set());
    }
  }

  /** Parts to which another one leads, by the types of the relationships. */
  addRelated(
    from: string,
    relationships: Relationships,
    kinds: Readonly<Record<string, HeldPartKind>>,
    scope: string | null,
  ): void {
    for (const [type, kind] of Object.entries(kinds))
      for (const partName of targets(from, relationships, type)) this.#add(partName, kind, scope);
  }

  #addCharts(from: string, links: Relationships, scope: string, modelled: ReadonlySet<string>): void {
    for (const partName of [...targets(from, links, 'chart'), ...targets(from, links, 'chartEx')]) {
      this.#add(partName, modelled.has(partName) ? 'modelledChart' : 'chart', scope);
      this.#addLinks(partName, scope);
      const own = this.#linksOf(partName);
      for (const shapes of own ? targets(partName, own, 'chartUserShapes') : [])
        this.#addDrawing(shapes, scope);
    }
  }

  #addDrawing(partName: string, scope: string, xml?: XmlDocument): void {
    this.#add(partName, 'drawing', scope, xml);
    this.#addLinks(partName, scope);
  }

  /** Where to what is drawn leads. */
  #addLinks(linksOf: string, scope: string): void {
    this.#add(relationshipsPartOf(linksOf), 'links', scope, undefined, linksOf);
  }

  #linksOf(partName: string): Relationships | undefined {
    return unlessDamaged(() => this.#opened.relationshipsOf(partName));
  }

  #add(
    partName: string,
    kind: HeldPartKind,
    scope: string | null,
    given?: XmlDocument,
    linksOf?: string,
  ): void {
    const xml = given ?? this.#opened.readableXml(partName);
    const name = comparedName(partName);
    if (!xml || this.#asked.has(name)) return;
    this.#asked.add(name);
    const places = heldPlaces(kind, xml).slice(0, CELL_LIMITS.held - this.#count);
    if (places.length === 0) return;
    this.#count += places.length;
    const ids: string[] = [];
    for (let at = 0; at < places.length; at += MOST_OF_ITEM) {
      const formulas = places.slice(at, at + MOST_OF_ITEM).map(({ formula }) => formula);
      const id = `h${this.items.size + 1}`;
      this.items.set(id, { formulas, scope });
      ids.push(id);
    }
    this.parts.push({ partName, kind, places, ids, scope, linksOf });
  }
}

/** Parts that a type of relationships leads to; each vocabulary, and each extension, has its own words before the type's name. */
function targets(from: string, relationships: Relationships, type: string): string[] {
  return relationships.all.flatMap((link) =>
    !link.external && link.type.endsWith(`/${type}`) ? [resolveTarget(from, link.target)] : [],
  );
}

/** The parts of charts whose data the model has. */
function modelledCharts({ partName, xml, relationships, items, elements }: ReadDrawings): Set<string> {
  const parts = new Set<string>();
  for (const [id, { chart }] of items) {
    const frame = chart && descendant(elements.get(id)!, 'c:chart');
    const target = frame && relationships.get(xml.attribute(frame, 'r:id') ?? '')?.target;
    if (target !== undefined) parts.add(resolveTarget(partName, target));
  }
  return parts;
}
