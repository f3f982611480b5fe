import {
  addressOf,
  isReference,
  partsOf,
  type Reference,
} from '../../../../../model/cell/formula/formula-parts.ts';
import type { ItemOf } from '../../../../../model/cell/items.ts';
import type { OfficePackage } from '../../package/office-package.ts';
import { applyEdits, type TextEdit } from '../../package/text-edits.ts';
import { XmlDocument } from '../../package/xml-document.ts';
import { escapeText, withAttributes } from '../../package/xml-text.ts';
import type { PackageChanges } from '../package-changes.ts';
import { SheetXml } from '../sheet-xml.ts';
import { SHEET_PREFIXES } from '../vocabulary.ts';
import type { HeldPart, ReadHeld } from './held-parts.ts';
import { type HeldPlace, heldPlaces } from './held-places.ts';

interface HeldChanges {
  readonly held: ReadHeld;
  readonly after: ReadonlyMap<string, ItemOf<'held'>>;
  readonly opened: OfficePackage;
  readonly changes: PackageChanges;
}

/**
 * Writes the references that stand beside the model to where their cells are now: into each part as everything else has left
 * it, so this comes last.
 */
export function writeHeld({ held, after, opened, changes }: HeldChanges): void {
  for (const [id, part] of held.parts) {
    const [was, is] = [held.items.get(id)!, after.get(id)];
    // Somebody's own idea of how many there are is none of the file's.
    if (!is || is === was || is.formulas.length !== was.formulas.length) continue;
    if (changes.isRemoved(part.partName)) continue;
    const bytes = changes.written(part.partName) ?? opened.read(part.partName);
    const written = bytes && writtenPart(part, bytes, is.formulas);
    if (written) changes.put(part.partName, written);
  }
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
      case 'marker':
        this.#marker(place, formula);
        return;
      case 'anchor':
        this.#anchor(place, formula);
        return;
    }
  }

  text(): string {
    const edits = [...this.#edits];
    for (const [element, changes] of this.#attributes) {
      const tag = withAttributes(this.#xml.openTag(element), changes);
      edits.push({ start: element.start, end: element.openEnd, text: tag });
    }
    const gone = [...this.#gone];
    const isIn = ({ start, end }: TextEdit) => gone.some((one) => start >= one.start && end <= one.end);
    const outermost = gone.filter(
      (one) => !gone.some((other) => other !== one && other.start <= one.start && other.end >= one.end),
    );
    return applyEdits(this.#xml.text, [
      ...edits.filter((edit) => !isIn(edit)),
      ...outermost.map(({ start, end }) => ({ start, end, text: '' })),
    ]);
  }

  #put({ element, attribute }: HeldPlace, text: string): void {
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
    this.#gone.add(element);
    const { root } = this.#xml;
    const holder = holderOf(root, element);
    if (!holder || holder === root) return;
    const isNeeded = element.name === 'x14:sparklines';
    if (isNeeded || holder.children.every((child) => this.#gone.has(child))) this.#remove(holder);
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

  #marker({ element }: HeldPlace, formula: string): void {
    const [reference] = cellsOf(formula);
    if (!reference) return;
    const [row, column] = reference.area;
    for (const child of element.children) {
      const name = child.name.slice(child.name.indexOf(':') + 1);
      const number = name === 'row' ? row : name === 'col' ? column : undefined;
      if (number !== undefined && !child.selfClosing)
        this.#edits.push({ start: child.openEnd, end: child.closeStart, text: String(number) });
    }
  }

  /** A corner whose cell is gone stays at its place. */
  #anchor({ element }: HeldPlace, formula: string): void {
    const corners = formula.split(',').map((text) => cellsOf(text)[0]?.area);
    const numbers = this.#xml.content(element).split(',');
    for (const [at, area] of corners.entries()) {
      if (!area) continue;
      numbers[at * 4] = ` ${area[1]}`;
      numbers[at * 4 + 2] = ` ${area[0]}`;
    }
    this.#edits.push({
      start: element.openEnd,
      end: element.closeStart,
      text: numbers.map((number) => number.trim()).join(', '),
    });
  }
}

/** The references of a list to cells of the sheet itself; those that lead elsewhere or nowhere are none. */
function cellsOf(formula: string): Reference[] {
  return partsOf(formula).filter((part) => isReference(part) && part.sheet === null) as Reference[];
}

const plainAddress = (reference: Reference): string => addressOf({ ...reference, absolute: 0 });

function holderOf(root: HeldPlace['element'], element: HeldPlace['element']): HeldPlace['element'] | null {
  for (const child of root.children) {
    if (child === element) return root;
    if (child.start <= element.start && child.end >= element.end) return holderOf(child, element);
  }
  return null;
}
