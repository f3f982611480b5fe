import type { Grid } from '../../../../../model/cell/grid.ts';
import type { ItemOf } from '../../../../../model/cell/items.ts';
import type { Sheet } from '../../../../../model/cell/workbook.ts';
import type { XmlDocument } from '../../package/xml-document.ts';
import type { XmlElement } from '../../package/xml-scanner.ts';
import { attributesXml, escapeText } from '../../package/xml-text.ts';
import type { PartEdits } from '../part-edits.ts';
import { areaReferences, areasOfReferences } from '../references.ts';
import { isOn, numberOf, withoutNothing } from '../styles/format-xml.ts';
import { readDifference } from '../styles/style-catalog.ts';
import { HALF_ID, isSameRule } from './condition-items.ts';
import { guidOf } from './guid.ts';
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

const rulesIn = (xml: XmlDocument): XmlElement[] =>
  extended(xml, 'x14:conditionalFormattings', 'x14:conditionalFormatting').flatMap(({ children }) =>
    children.filter(({ name }) => name === 'x14:cfRule'),
  );

/** The names of the halves that say of a bar that it is of one colour from end to end. */
export function solidBars(xml: XmlDocument): ReadonlySet<string> {
  const solid = rulesIn(xml).filter((rule) => {
    const bar = xml.child(rule, 'x14:dataBar');
    const gradient = bar && xml.attribute(bar, 'gradient');
    return gradient !== undefined && !isOn(gradient);
  });
  return new Set(solid.flatMap((rule) => xml.attribute(rule, 'id') ?? []));
}

/** @param rules those of the sheet itself, by the ids of their items */
export function readExtendedConditions(
  xml: XmlDocument,
  rules: ReadonlyMap<string, XmlElement>,
): ExtendedConditions {
  const owners = new Map<string, string>();
  for (const [id, element] of rules) {
    const half = HALF_ID.exec(xml.raw(element))?.[1];
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
    const { iconSet = '3TrafficLights1', reverse, showValue } = icons ? xml.attributes(icons) : {};
    return withoutNothing({
      areas,
      type,
      priority: numberOf(priority) ?? 1,
      formulas,
      operator,
      text,
      stops: (stopIfTrue !== undefined && isOn(stopIfTrue)) || undefined,
      format: difference && readDifference(xml, difference),
      icons: icons && iconSet,
      points: icons && readPoints(xml, icons),
      reversed: (reverse !== undefined && isOn(reverse)) || undefined,
      showsValue: showValue !== undefined && !isOn(showValue) ? false : undefined,
    }) as Condition;
  });
  const elements = new Map([...read.elements].map(([id, rule]) => [id, rule]));
  return { items: read.items, elements, halves };
}

/** The points of icons, each with its value in a formula of its own, and its icon where these are chosen one by one. */
function readPoints(xml: XmlDocument, icons: XmlElement): NonNullable<Condition['points']> {
  const isChosen = isOn(xml.attribute(icons, 'custom') ?? '0');
  const chosen = isChosen ? icons.children.filter(({ name }) => name === 'x14:cfIcon') : [];
  return icons.children
    .filter(({ name }) => name === 'x14:cfvo')
    .map((point, at) => {
      const { type = 'num', gte } = xml.attributes(point);
      const value = xml.child(point, 'xm:f');
      const { iconSet, iconId } = chosen[at] ? xml.attributes(chosen[at]) : {};
      return withoutNothing({
        type,
        value: value && xml.content(value),
        inclusive: gte !== undefined && !isOn(gte) ? false : undefined,
        icon: iconSet === undefined ? undefined : [iconSet, numberOf(iconId) ?? 0],
      }) as NonNullable<Condition['points']>[number];
    });
}

const laterIcons = ['3Stars', '3Triangles', '5Boxes'];

/** Whether the elements of the first version have no word for a rule. */
const needsExtension = ({ type, icons, points = [] }: Condition): boolean =>
  type === 'iconSet' && (laterIcons.includes(icons ?? '') || points.some(({ icon }) => icon));

/** The rules of a sheet that its own elements are for. */
export const plainConditions = (
  all: ReadonlyMap<string, Condition>,
  { elements }: ExtendedConditions,
): ReadonlyMap<string, Condition> => {
  const isPlain = ([id, item]: readonly [string, Condition]) => !elements.has(id) && !needsExtension(item);
  return [...all].every(isPlain) ? all : new Map([...all].filter(isPlain));
};

function iconsXml({ icons, points = [], reversed, showsValue }: Condition): string {
  const said = attributesXml({
    iconSet: icons,
    showValue: showsValue === false ? 0 : undefined,
    reverse: reversed ? 1 : undefined,
    custom: points.some(({ icon }) => icon) ? 1 : undefined,
  });
  const all = points.map(({ type, value = '', inclusive }) => {
    const gte = inclusive === false ? 0 : undefined;
    return `<x14:cfvo${attributesXml({ type, gte })}><xm:f>${escapeText(value)}</xm:f></x14:cfvo>`;
  });
  const chosen = points.map(({ icon }, at) => {
    const [iconSet, iconId] = icon ?? [icons, reversed ? points.length - 1 - at : at];
    return `<x14:cfIcon${attributesXml({ iconSet, iconId })}/>`;
  });
  const isChosen = points.some(({ icon }) => icon);
  return `<x14:iconSet${said}>${all.join('')}${isChosen ? chosen.join('') : ''}</x14:iconSet>`;
}

/** The names of the halves that bars get which are written and are of one colour, or have numbers less than nothing: an older form has no words for these. */
export function newHalves(
  { id: sheet, grid }: Pick<Sheet, 'id' | 'grid'>,
  all: ReadonlyMap<string, Condition>,
  own: ReadonlyMap<string, Condition>,
  { elements, halves }: ExtendedConditions,
): ReadonlyMap<string, string> {
  const isNew = ([id, item]: readonly [string, Condition]) => {
    const before = own.get(id);
    return (
      item.type === 'dataBar' &&
      !elements.has(id) &&
      !halves.has(id) &&
      !(before && isSameRule(before, item)) &&
      (item.solid || item.areas.some((area) => hasLess(grid, area)))
    );
  };
  return new Map([...all].filter(isNew).map(([id]) => [id, guidOf(`${sheet} ${id}`)]));
}

/** Whether an area has a number that is less than nothing. */
function hasLess(grid: Grid, [top, left, bottom, right]: Condition['areas'][number]): boolean {
  for (const [, { columns, cells }] of grid.rows(top, bottom)) {
    for (const [at, column] of columns.entries()) {
      const { value } = cells[at]!;
      if (column >= left && column <= right && typeof value === 'number' && value < 0) return true;
    }
  }
  return false;
}

/** How a bar looks where numbers are less than nothing, as pages draw it. */
function barXml({ points = [], showsValue, solid }: Condition): string {
  const said = attributesXml({
    minLength: 0,
    maxLength: 100,
    showValue: showsValue === false ? 0 : undefined,
    gradient: solid ? 0 : undefined,
  });
  const ends = points.map(({ type, value }) => {
    const isEnd = type === 'min' || type === 'max';
    const named = isEnd ? `auto${type === 'min' ? 'Min' : 'Max'}` : type;
    const formula = isEnd ? '' : `<xm:f>${escapeText(value ?? '')}</xm:f>`;
    return `<x14:cfvo type="${named}">${formula}</x14:cfvo>`;
  });
  const colors = '<x14:negativeFillColor rgb="FFFF0000"/><x14:axisColor rgb="FF000000"/>';
  return `<x14:dataBar${said}>${ends.join('')}${colors}</x14:dataBar>`;
}

/** What is put into the extension of a sheet. */
export interface AddedConditions {
  readonly sheet: string;
  /** The names of halves, by the ids of their rules. */
  readonly halves: ReadonlyMap<string, string>;
}

const mainNames = 'xmlns:xm="http://schemas.microsoft.com/office/excel/2006/main"';
const extensionStart =
  '<ext uri="{78C0D931-6437-407d-A8EE-F0AAD7539E65}" xmlns:x14="http://schemas.microsoft.com/office/spreadsheetml/2009/9/main">';

/** Puts rules, and halves of them, into the extension of a sheet, which is made where there is none. */
function addExtended(
  edits: PartEdits,
  { sheet, halves }: AddedConditions,
  added: readonly (readonly [id: string, item: Condition])[],
): void {
  if (added.length === 0) return;
  const groups = added.map(([id, item]) => {
    const half = halves.get(id);
    const priority = half === undefined ? item.priority : undefined;
    const said = attributesXml({ type: item.type, priority, id: half ?? guidOf(`${sheet} ${id}`) });
    const shown = half === undefined ? iconsXml(item) : barXml(item);
    const rule = `<x14:cfRule${said}>${shown}</x14:cfRule>`;
    const place = `<xm:sqref>${areaReferences(item.areas)}</xm:sqref>`;
    return `<x14:conditionalFormatting ${mainNames}>${rule}${place}</x14:conditionalFormatting>`;
  });
  const { xml } = edits;
  const [list] = extendedLists(xml, 'x14:conditionalFormattings');
  if (list && !edits.isGone(list)) {
    edits.putInto(list, groups.join(''), 'end');
    return;
  }
  const extension = `${extensionStart}<x14:conditionalFormattings>${groups.join('')}</x14:conditionalFormattings></ext>`;
  const all = xml.child(xml.root, 'extLst');
  if (all && !edits.isGone(all)) edits.putInto(all, extension, 'start');
  else edits.insert('extLst', `<extLst>${extension}</extLst>`);
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

/** The same for conditional formats, and for what says more of others; new ones of later versions are put in. */
export function writeExtendedConditions(
  edits: PartEdits,
  added: AddedConditions,
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
    const icons = item && xml.child(rule, 'x14:iconSet');
    if (icons && iconsXml(item) !== iconsXml(items.get(id)!)) edits.replace(icons, iconsXml(item));
    if (item) edits.setAttributes(rule, { priority: item.priority });
    const isOnly = group.children.filter(({ name }) => name === 'x14:cfRule').length === 1;
    if (!item) removeFrom(edits, isOnly ? group : rule);
    else follow(edits, rule, group, item, ['xm:f']);
  }
  for (const [id, group] of halves) {
    const item = after.get(id);
    if (!item || needsExtension(item)) removeFrom(edits, group);
    else {
      if (!isSame(item.areas, own.get(id)?.areas)) place(edits, group, item.areas);
      if (item.solid !== own.get(id)?.solid) fillBar(edits, group, item);
    }
  }
  const isAdded = ([id, item]: readonly [string, Condition]) =>
    added.halves.has(id) || (!elements.has(id) && needsExtension(item));
  addExtended(edits, added, [...after].filter(isAdded));
}

/** Says of a bar whether it is of one colour. */
function fillBar(edits: PartEdits, group: XmlElement, { solid }: Condition): void {
  for (const rule of group.children) {
    const bar = edits.xml.child(rule, 'x14:dataBar');
    if (bar) edits.setAttributes(bar, { gradient: solid ? 0 : null });
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
