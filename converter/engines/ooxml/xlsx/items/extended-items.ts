import type { ItemOf } from '../../../../../model/cell/items.ts';
import type { XmlDocument } from '../../package/xml-document.ts';
import type { XmlElement } from '../../package/xml-scanner.ts';
import { escapeText } from '../../package/xml-text.ts';
import type { PartEdits } from '../part-edits.ts';
import { areaReferences, areasOfReferences } from '../references.ts';
import { isOn, numberOf, withoutNothing } from '../styles/format-xml.ts';
import { readDifference } from '../styles/style-catalog.ts';
import { isSame, type ReadItems, readItems } from './item-list.ts';
import { readValidation } from './simple-items.ts';

type Validation = ItemOf<'validation'>;
type Condition = ItemOf<'condition'>;

/** Elements that stand in an extension of a sheet ([MS-XLSX] 2.4.1), in a list of this name. */
function extended(xml: XmlDocument, list: string, item: string): XmlElement[] {
  return extendedLists(xml, list).flatMap(({ children }) => children.filter(({ name }) => name === item));
}

function extendedLists(xml: XmlDocument, list: string): XmlElement[] {
  const extensions = xml.child(xml.root, 'extLst')?.children ?? [];
  return extensions.flatMap(({ children }) => children).filter(({ name }) => name === list);
}

const areasOf = (xml: XmlDocument, element: XmlElement) => {
  const place = xml.child(element, 'xm:sqref');
  return areasOfReferences(place ? xml.content(place) : '');
};

/** Formulas of an element, in order: those of its children with one of these names. */
function formulasOf(xml: XmlDocument, element: XmlElement, names: readonly string[]): XmlElement[] {
  return element.children.flatMap((child) => {
    const formula = names.includes(child.name) ? xml.child(child, 'xm:f') : undefined;
    if (formula) return [formula];
    return child.name === 'xm:f' && names.includes('xm:f') ? [child] : [];
  });
}

/** Validations whose formulas lead to other sheets. */
export function readExtendedValidations(xml: XmlDocument): ReadItems<Validation> {
  return readItems(extended(xml, 'x14:dataValidations', 'x14:dataValidation'), 'vx', (element) => {
    const formulas = formulasOf(xml, element, ['x14:formula1', 'x14:formula2']).map((formula) =>
      xml.content(formula),
    );
    return readValidation(xml, element, areasOf(xml, element), formulas);
  });
}

/** Conditional formats of later versions that stand alone, and those that say more of one that stands elsewhere. */
export interface ExtendedConditions extends ReadItems<Condition> {
  /** The groups of such as say more, by the ids of the rules that they belong to. */
  readonly halves: ReadonlyMap<string, XmlElement>;
}

const RULE_ID = /<x14:id>\s*([^<\s]+)\s*<\/x14:id>/;

/** @param rules those of the sheet itself, by the ids of their items */
export function readExtendedConditions(
  xml: XmlDocument,
  rules: ReadonlyMap<string, XmlElement>,
): ExtendedConditions {
  const owners = new Map<string, string>();
  for (const [id, element] of rules) {
    const half = RULE_ID.exec(xml.raw(element))?.[1];
    if (half !== undefined) owners.set(half, id);
  }
  const halves = new Map<string, XmlElement>();
  const alone: XmlElement[] = [];
  const groups = new Map<XmlElement, XmlElement>();
  for (const group of extended(xml, 'x14:conditionalFormattings', 'x14:conditionalFormatting')) {
    for (const rule of group.children.filter(({ name }) => name === 'x14:cfRule')) {
      const owner = owners.get(xml.attribute(rule, 'id') ?? '');
      groups.set(rule, group);
      if (owner !== undefined) halves.set(owner, group);
      else alone.push(rule);
    }
  }
  const read = readItems(alone, 'cx', (rule): Condition | undefined => {
    const { type, priority, operator, text, stopIfTrue } = xml.attributes(rule);
    const areas = areasOf(xml, groups.get(rule)!);
    const difference = xml.child(rule, 'x14:dxf');
    if (type === undefined || areas.length === 0 || areas.length > 10_000) return undefined;
    const formulas = formulasOf(xml, rule, ['xm:f']).map((formula) => xml.content(formula));
    if (formulas.some(({ length }) => length > 8_192)) return undefined;
    const icons = xml.child(rule, 'x14:iconSet');
    return withoutNothing({
      areas,
      type,
      priority: numberOf(priority) ?? 1,
      formulas,
      operator,
      text,
      stops: (stopIfTrue !== undefined && isOn(stopIfTrue)) || undefined,
      format: difference && readDifference(xml, difference),
      icons: icons && (xml.attribute(icons, 'iconSet') ?? '3TrafficLights1'),
    }) as Condition;
  });
  const elements = new Map([...read.elements].map(([id, rule]) => [id, rule]));
  return { items: read.items, elements, halves };
}

/** Follows what happened to the places and formulas of validations in an extension; the rest of them stays. */
export function writeExtendedValidations(
  edits: PartEdits,
  read: ReadItems<Validation>,
  after: ReadonlyMap<string, Validation>,
): void {
  for (const [id, element] of read.elements) {
    const item = after.get(id);
    if (!item) removeFrom(edits, element);
    else if (!isSame(item, read.items.get(id)))
      follow(edits, element, element, item, ['x14:formula1', 'x14:formula2']);
  }
  const gone = new Set([...read.elements].flatMap(([id, element]) => (after.has(id) ? [] : [element])));
  for (const list of extendedLists(edits.xml, 'x14:dataValidations')) {
    const left = list.children.filter((element) => !gone.has(element)).length;
    if (left > 0 && left < list.children.length) edits.setAttributes(list, { count: left });
  }
}

/** The same for conditional formats, and for what says more of others. */
export function writeExtendedConditions(
  edits: PartEdits,
  { items, elements, halves }: ExtendedConditions,
  own: ReadonlyMap<string, Condition>,
  after: ReadonlyMap<string, Condition>,
): void {
  const { xml } = edits;
  const groupOf = (rule: XmlElement) =>
    extended(xml, 'x14:conditionalFormattings', 'x14:conditionalFormatting').find(
      ({ start, end }) => start <= rule.start && end >= rule.end,
    ) ?? rule;
  for (const [id, rule] of elements) {
    const item = after.get(id);
    if (item && isSame(item, items.get(id))) continue;
    const group = groupOf(rule);
    const isOnly = group.children.filter(({ name }) => name === 'x14:cfRule').length === 1;
    if (!item) removeFrom(edits, isOnly ? group : rule);
    else follow(edits, rule, group, item, ['xm:f']);
  }
  for (const [id, group] of halves) {
    const item = after.get(id);
    if (!item) removeFrom(edits, group);
    else if (!isSame(item.areas, own.get(id)?.areas)) place(edits, group, item.areas);
  }
}

function follow(
  edits: PartEdits,
  element: XmlElement,
  holder: XmlElement,
  item: Pick<Condition, 'areas' | 'formulas'>,
  names: readonly string[],
): void {
  for (const [index, formula] of formulasOf(edits.xml, element, names).entries())
    edits.replace(formula, `<xm:f>${escapeText(item.formulas[index] ?? '')}</xm:f>`);
  place(edits, holder, item.areas);
}

function place(edits: PartEdits, holder: XmlElement, areas: Condition['areas']): void {
  const element = edits.xml.child(holder, 'xm:sqref');
  if (element) edits.replaceOnce(element, `<xm:sqref>${areaReferences(areas)}</xm:sqref>`);
}

/** Takes an element out of its list, and the extension with it when nothing else is in it. */
function removeFrom(edits: PartEdits, element: XmlElement): void {
  edits.replaceOnce(element, '');
  const { xml } = edits;
  const all = xml.child(xml.root, 'extLst');
  const within = ({ start, end }: XmlElement) => start <= element.start && end >= element.end;
  const extension = all?.children.find(within);
  const list = extension?.children.find(within);
  if (!all || !extension || !list || extension.children.length > 1) return;
  edits.withoutEmpty(list, extension);
  edits.withoutEmpty(all, all);
}
