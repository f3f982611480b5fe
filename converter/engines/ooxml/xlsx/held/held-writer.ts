import {
  addressOf,
  isReference,
  partsOf,
  type Reference,
} from '../../../../../model/cell/formula/formula-parts.ts';
import { type ItemOf, scopedCopyId } from '../../../../../model/cell/items.ts';
import type { OfficePackage } from '../../package/office-package.ts';
import type { Relationships } from '../../package/relationships.ts';
import { applyEdits, type TextEdit } from '../../package/text-edits.ts';
import { XmlDocument } from '../../package/xml-document.ts';
import { escapeText, withAttributes } from '../../package/xml-text.ts';
import type { PackageChanges } from '../package-changes.ts';
import { SheetXml } from '../sheet-xml.ts';
import { SHEET_PREFIXES } from '../vocabulary.ts';
import type { HeldPart, ReadHeld } from './held-parts.ts';
import { type HeldPlace, heldPlaces, localName, PIVOT } from './held-places.ts';

interface HeldChanges {
  readonly held: ReadHeld;
  /** Parts of copied sheets, which say what those of their originals say. */
  readonly copies: readonly HeldPart[];
  readonly after: ReadonlyMap<string, ItemOf<'held'>>;
  readonly opened: OfficePackage;
  readonly changes: PackageChanges;
}

/**
 * Writes the references that stand beside the model to where their cells are now: into each part as everything else has left
 * it, so this comes last.
 */
export function writeHeld({ held, copies, after, opened, changes }: HeldChanges): void {
  for (const part of [...held.parts, ...copies]) {
    const formulas = formulasAfter(part, held, after);
    if (!formulas || changes.isRemoved(part.partName)) continue;
    if (part.linksOf !== undefined) {
      const xml = opened.readableXml(part.partName)!;
      writeLinks(changes.relationshipsOf(part.linksOf), xml, formulas);
      continue;
    }
    const bytes = changes.written(part.partName) ?? opened.read(part.partName);
    const written = bytes && writtenPart(part, bytes, formulas);
    if (written) changes.put(part.partName, written);
  }
}

/** What the places of a part say now; undefined where nothing has changed. */
function formulasAfter(
  { ids, copy }: HeldPart,
  { items }: ReadHeld,
  after: HeldChanges['after'],
): readonly string[] | undefined {
  let isChanged = false;
  const formulas = ids.flatMap((id) => {
    const [was, is] = [items.get(id)!, after.get(copy === undefined ? id : scopedCopyId(copy, id))];
    // Somebody's own idea of how many there are is none of the file's.
    if (!is || is === was || is.formulas.length !== was.formulas.length) return was.formulas;
    isChanged = true;
    return is.formulas;
  });
  return isChanged ? formulas : undefined;
}

function writtenPart(part: HeldPart, bytes: Uint8Array, formulas: readonly string[]): Uint8Array | undefined {
  if (part.kind === 'sheet') {
    const sheet = SheetXml.parse(bytes);
    const text = heldText(part, sheet.shell, formulas);
    return text === sheet.shell.text ? undefined : sheet.encode(text, sheet.rows);
  }
  const xml = XmlDocument.parse(bytes, SHEET_PREFIXES);
  const text = heldText(part, xml, formulas);
  return text === xml.text ? undefined : xml.encode(text);
}

/** Relationships are written with what else becomes of them. */
function writeLinks(links: Relationships, xml: XmlDocument, formulas: readonly string[]): void {
  const places = heldPlaces('links', xml);
  for (const [at, next] of formulas.entries()) {
    const { formula, element } = places[at]!;
    const { Id: id = '', Target: target = '' } = xml.attributes(element);
    if (next !== formula && links.get(id)?.target === target) links.lead(id, locationText(target, next));
  }
}

/** A place as an address has it, with escapes where it had some. */
const locationText = (address: string, formula: string): string =>
  `#${address.includes('%') ? encodeURI(formula) : formula}`;

/**
 * The text of a part with its references changed that are as they were in the file. Those that say the same follow alike: all are of
 * one part, and so of one sheet.
 */
function heldText(part: HeldPart, xml: XmlDocument, formulas: readonly string[]): string {
  const next = new Map(part.places.map(({ formula }, at) => [formula, formulas[at]!]));
  const edits = new HeldEdits(xml);
  for (const place of heldPlaces(part.kind, xml)) {
    const formula = next.get(place.formula);
    if (formula !== undefined && formula !== place.formula) edits.change(place, formula);
  }
  return edits.text();
}

class HeldEdits {
  readonly #xml: XmlDocument;
  readonly #edits: TextEdit[] = [];
  /** Changes of attributes, for elements that have several. */
  readonly #attributes = new Map<HeldPlace['element'], Record<string, string>>();
  readonly #gone = new Set<HeldPlace['element']>();
  /** How many children are left of elements that have lost some. */
  readonly #left = new Map<HeldPlace['element'], number>();
  #holders: ReadonlyMap<HeldPlace['element'], HeldPlace['element']> | undefined;

  constructor(xml: XmlDocument) {
    this.#xml = xml;
  }

  change(place: HeldPlace, formula: string): void {
    switch (place.notation) {
      case 'formula':
        this.#put(place, formula);
        return;
      case 'areas':
        this.#areas(place, formula);
        return;
      case 'source':
        this.#source(place, formula);
        return;
      case 'markers':
        this.#markers(place, formula);
        return;
      case 'anchor':
        this.#anchor(place, formula);
        return;
      case 'break':
        this.#break(place, formula);
        return;
      case 'location':
        this.#put(place, locationText(this.#xml.attribute(place.element, place.attribute!) ?? '', formula));
        return;
      case 'pivot':
        this.#pivot(place, formula);
        return;
    }
  }

  text(): string {
    const edits = [...this.#edits];
    for (const [element, changes] of this.#attributes) {
      const tag = withAttributes(this.#xml.openTag(element), changes);
      edits.push({ start: element.start, end: element.openEnd, text: tag });
    }
    let end = 0;
    const gone = [...this.#gone]
      .sort((one, other) => one.start - other.start || other.end - one.end)
      .filter((element) => {
        const isOutermost = element.start >= end;
        end = Math.max(end, element.end);
        return isOutermost;
      });
    edits.sort((one, other) => one.start - other.start);
    let next = 0;
    const isIn = (edit: TextEdit) => {
      while (next < gone.length && gone[next]!.end <= edit.start) next++;
      return next < gone.length && gone[next]!.start <= edit.start;
    };
    return applyEdits(this.#xml.text, [
      ...edits.filter((edit) => !isIn(edit)),
      ...gone.map(({ start, end: to }) => ({ start, end: to, text: '' })),
    ]);
  }

  #put({ element, attribute }: Pick<HeldPlace, 'element' | 'attribute'>, text: string): void {
    if (attribute !== null)
      this.#attributes.set(element, { ...this.#attributes.get(element), [attribute]: text });
    else if (!element.selfClosing)
      this.#edits.push({ start: element.openEnd, end: element.closeStart, text: escapeText(text) });
  }

  #areas(place: HeldPlace, formula: string): void {
    const areas = cellsOf(formula).map(plainAddress);
    if (areas.length > 0) this.#put(place, areas.join(' '));
    else if (place.owner) this.#remove(place.owner);
  }

  /** With the last of a list the list goes, and a group of sparklines with those that it groups. */
  #remove(element: HeldPlace['element']): void {
    if (this.#gone.has(element)) return;
    this.#gone.add(element);
    this.#holders ??= holdersIn(this.#xml.root);
    const holder = this.#holders.get(element);
    if (!holder || holder === this.#xml.root) return;
    const left = (this.#left.get(holder) ?? holder.children.length) - 1;
    this.#left.set(holder, left);
    if (element.name === 'x14:sparklines' || left === 0) this.#remove(holder);
    else if (this.#xml.attribute(holder, 'count') !== undefined)
      this.#put({ element: holder, attribute: 'count' }, String(left));
  }

  #source(place: HeldPlace, formula: string): void {
    const [part, ...others] = partsOf(formula);
    if (typeof part !== 'object' || others.length > 0) return;
    if (!isReference(part)) {
      if (place.attribute === 'name' && part.word !== '#REF!') this.#put(place, part.word);
      return;
    }
    if (place.attribute !== 'ref') return;
    this.#put(place, plainAddress(part));
    if (part.sheet !== null) this.#put({ ...place, attribute: 'sheet' }, part.sheet);
  }

  /** Corners whose cells are gone stay at their place. */
  #markers({ element }: HeldPlace, formula: string): void {
    const [reference] = cellsOf(formula);
    if (!reference) return;
    const [row1, column1, row2, column2] = reference.area;
    for (const marked of element.children) {
      const name = localName(marked);
      if (name === 'from') this.#marker(marked, row1, column1);
      if (name === 'to') this.#marker(marked, row2, column2);
    }
  }

  #marker(marked: HeldPlace['element'], row: number, column: number): void {
    for (const child of marked.children) {
      const name = localName(child);
      const number = name === 'row' ? row : name === 'col' ? column : undefined;
      if (number !== undefined && !child.selfClosing)
        this.#edits.push({ start: child.openEnd, end: child.closeStart, text: String(number) });
    }
  }

  #anchor(place: HeldPlace, formula: string): void {
    const [reference] = cellsOf(formula);
    if (!reference) return;
    const [row1, column1, row2, column2] = reference.area;
    const [, left, , top, , right, , bottom] = this.#xml
      .content(place.element)
      .split(',')
      .map((number) => number.trim());
    this.#put(place, [column1, left, row1, top, column2, right, row2, bottom].join(', '));
  }

  #break(place: HeldPlace, formula: string): void {
    const [reference] = cellsOf(formula);
    if (!reference) this.#remove(place.element);
    else this.#put(place, String(reference.area[reference.type === 'rows' ? 0 : 1]));
  }

  #pivot(place: HeldPlace, formula: string): void {
    const [part] = partsOf(formula);
    if (typeof part !== 'object' || part.sheet === null) return;
    const { sheet } = part;
    this.#put(
      place,
      this.#xml.content(place.element).replace(PIVOT, () => sheet),
    );
  }
}

/** The references of a list to cells of the sheet itself; those that lead elsewhere or nowhere are none. */
function cellsOf(formula: string): Reference[] {
  return partsOf(formula).filter((part) => isReference(part) && part.sheet === null) as Reference[];
}

const plainAddress = (reference: Reference): string => addressOf({ ...reference, absolute: 0 });

/** What holds each element. */
function holdersIn(root: HeldPlace['element']): Map<HeldPlace['element'], HeldPlace['element']> {
  const holders = new Map<HeldPlace['element'], HeldPlace['element']>();
  const visit = (holder: HeldPlace['element']) => {
    for (const child of holder.children) {
      holders.set(child, holder);
      visit(child);
    }
  };
  visit(root);
  return holders;
}
