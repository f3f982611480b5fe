import type { FormatPatch } from '../../../../../model/cell/cell-format.ts';
import type { ItemOf } from '../../../../../model/cell/items.ts';
import type { XmlDocument } from '../../package/xml-document.ts';
import type { XmlElement } from '../../package/xml-scanner.ts';
import { attributesXml, escapeText, withAttributes } from '../../package/xml-text.ts';
import type { PartEdits } from '../part-edits.ts';
import { areaReferences, areasOfReferences } from '../references.ts';
import { colorXml, isOn, numberOf, readColor, whole, withoutNothing } from '../styles/format-xml.ts';
import type { StyleCatalog } from '../styles/style-catalog.ts';
import type { StyleWriter } from '../styles/style-writer.ts';
import { isSame, type ReadItems, readItems } from './item-list.ts';

type Condition = ItemOf<'condition'>;
type Point = NonNullable<Condition['points']>[number];

/** The name of the other half of a rule, in what says the rule. */
export const HALF_ID = /<x14:id>\s*([^<\s]+)\s*<\/x14:id>/;

/**
 * The rules of the conditional formats of a sheet (18.3.1.18), each with the areas of its group.
 * @param solidHalves the names of the halves that say of a bar that it is of one colour
 */
export function readConditions(
  xml: XmlDocument,
  styles: StyleCatalog,
  solidHalves: ReadonlySet<string>,
): ReadItems<Condition> {
  const rules: XmlElement[] = [];
  const areasOf = new Map<XmlElement, Condition['areas']>();
  for (const group of xml.root.children) {
    if (group.name !== 'conditionalFormatting') continue;
    const areas = areasOfReferences(xml.attribute(group, 'sqref') ?? '');
    for (const rule of group.children) {
      if (rule.name !== 'cfRule') continue;
      rules.push(rule);
      areasOf.set(rule, areas);
    }
  }
  return readItems(rules, 'c', (rule) => {
    const item = readCondition(xml, rule, areasOf.get(rule)!, styles);
    const half = item?.type === 'dataBar' && HALF_ID.exec(xml.raw(rule))?.[1];
    return half && solidHalves.has(half) ? { ...item, solid: true } : item;
  });
}

function readCondition(
  xml: XmlDocument,
  element: XmlElement,
  areas: Condition['areas'],
  styles: StyleCatalog,
): Condition | undefined {
  const given = xml.attributes(element);
  const on = (value: string | undefined) => (value !== undefined && isOn(value)) || undefined;
  const off = (value: string | undefined) => (value !== undefined && !isOn(value) ? false : undefined);
  const formulas = element.children.filter(({ name }) => name === 'formula').map((one) => xml.content(one));
  if (!given.type || areas.length === 0 || areas.length > 10_000) return undefined;
  if (formulas.some(({ length }) => length > 8_192)) return undefined;
  const [scale, bar, icons] = ['colorScale', 'dataBar', 'iconSet'].map((name) => xml.child(element, name));
  const shown = scale ?? bar ?? icons;
  const { iconSet, reverse, showValue } = shown ? xml.attributes(shown) : {};
  return withoutNothing({
    areas,
    type: given.type,
    priority: numberOf(given.priority) ?? 1,
    formulas,
    operator: given.operator,
    text: given.text,
    stops: on(given.stopIfTrue),
    format: styles.difference(numberOf(given.dxfId) ?? -1) as FormatPatch | undefined,
    points: shown && readPoints(xml, shown),
    color: bar && readColor(xml, xml.child(bar, 'color')),
    icons: icons && (iconSet ?? '3TrafficLights1'),
    reversed: on(reverse),
    showsValue: off(showValue),
    rank: numberOf(given.rank),
    percent: on(given.percent),
    bottom: on(given.bottom),
    aboveAverage: off(given.aboveAverage),
    equalAverage: on(given.equalAverage),
    deviations: numberOf(given.stdDev),
    period: given.timePeriod,
  }) as Condition;
}

function readPoints(xml: XmlDocument, element: XmlElement): Point[] {
  const colors = element.children.filter(({ name }) => name === 'color');
  const isScale = element.name === 'colorScale';
  return element.children
    .filter(({ name }) => name === 'cfvo')
    .map((point, index) => {
      const { type = 'num', val, gte } = xml.attributes(point);
      return withoutNothing({
        type,
        value: val,
        color: isScale ? readColor(xml, colors[index]) : undefined,
        inclusive: gte !== undefined && !isOn(gte) ? false : undefined,
      }) as Point;
    });
}

/** What leads from a rule to its other half in an extension of the sheet. */
const halfLink = (id: string): string =>
  `<extLst><ext xmlns:x14="http://schemas.microsoft.com/office/spreadsheetml/2009/9/main" uri="{B025F937-C7B1-47D3-B67F-A62EFF666E3E}"><x14:id>${id}</x14:id></ext></extLst>`;

/**
 * The element of one rule.
 * @param half the name of its other half, if it gets one; what it had stays
 * @param before the rule as it was read, whose extension leads to its other half
 */
function conditionXml(
  item: Condition,
  styles: StyleWriter,
  half: string | undefined,
  before?: { item: Condition; raw: string },
): string {
  const isFormatSame = before && isSame(before.item.format, item.format);
  const dxfId = /\sdxfId\s*=\s*["'](\d+)["']/.exec(before?.raw ?? '')?.[1];
  const attributes = attributesXml({
    type: item.type,
    dxfId: isFormatSame ? dxfId : item.format ? styles.differenceOf(withoutNulls(item.format)) : undefined,
    priority: whole(item.priority, 1, 2_147_483_647),
    stopIfTrue: item.stops ? 1 : undefined,
    aboveAverage: item.aboveAverage === false ? 0 : undefined,
    percent: item.percent ? 1 : undefined,
    bottom: item.bottom ? 1 : undefined,
    operator: item.operator,
    text: item.text,
    timePeriod: item.period,
    rank: item.rank === undefined ? undefined : whole(item.rank, 1, 1_000),
    stdDev: item.deviations === undefined ? undefined : whole(item.deviations, 0, 3),
    equalAverage: item.equalAverage ? 1 : undefined,
  });
  const formulas = item.formulas.map((formula) => `<formula>${escapeText(formula)}</formula>`).join('');
  const known = /<extLst>[\s\S]*<\/extLst>/.exec(before?.raw ?? '')?.[0];
  const extension = known ?? (half === undefined ? '' : halfLink(half));
  return `<cfRule${attributes}>${formulas}${shownXml(item)}${extension}</cfRule>`;
}

function shownXml(item: Condition): string {
  const points = (item.points ?? []).map(({ type, value, inclusive }) => {
    return `<cfvo${attributesXml({ type, val: value, gte: inclusive === false ? 0 : undefined })}/>`;
  });
  const hidesValue = item.showsValue === false ? 0 : undefined;
  switch (item.type) {
    case 'colorScale':
      return `<colorScale>${points.join('')}${(item.points ?? []).map(({ color }) => colorXml('color', color)).join('')}</colorScale>`;
    case 'dataBar':
      return `<dataBar${attributesXml({ showValue: hidesValue })}>${points.join('')}${colorXml('color', item.color)}</dataBar>`;
    case 'iconSet': {
      const iconSet = item.icons === '3TrafficLights1' ? undefined : item.icons;
      return `<iconSet${attributesXml({ iconSet, showValue: hidesValue, reverse: item.reversed ? 1 : undefined })}>${points.join('')}</iconSet>`;
    }
    default:
      return '';
  }
}

/** A format of a rule is made by patches, which may take away what is not there. */
function withoutNulls(patch: FormatPatch): Parameters<StyleWriter['differenceOf']>[0] {
  const clean = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value ?? undefined;
    const entries = Object.entries(value).map(([name, part]) => [name, clean(part)] as const);
    return Object.fromEntries(entries.filter(([, part]) => part !== undefined));
  };
  return clean(patch) as Parameters<StyleWriter['differenceOf']>[0];
}

interface ConditionChange {
  readonly read: ReadItems<Condition>;
  readonly after: ReadonlyMap<string, Condition>;
  /** The names of the halves that rules get in an extension, by the ids of the rules. */
  readonly halves: ReadonlyMap<string, string>;
  readonly styles: () => StyleWriter;
}

/** Whether a rule asks for the same and looks the same, wherever its cells are. */
export const isSameRule = (one: Condition, other: Condition): boolean =>
  isSame({ ...one, areas: null }, { ...other, areas: null });

/** Writes the rules. A group whose rules still have the same areas stays one. */
export function writeConditions(edits: PartEdits, { read, after, halves, styles }: ConditionChange): void {
  if (after === read.items) return;
  const { xml } = edits;
  const idOf = new Map([...read.elements].map(([id, element]) => [element, id]));
  const apart: string[] = [];
  for (const group of xml.root.children) {
    if (group.name !== 'conditionalFormatting') continue;
    const rules = group.children.filter((child) => idOf.has(child)).map((child) => idOf.get(child)!);
    if (rules.length === 0 || rules.every((id) => isSame(after.get(id), read.items.get(id)))) continue;
    const kept = rules.flatMap((id) => {
      const item = after.get(id);
      if (!item) return [];
      const raw = xml.raw(read.elements.get(id)!);
      const before = read.items.get(id)!;
      if (isSameRule(before, item)) return [{ item, text: raw }];
      return [{ item, text: conditionXml(item, styles(), halves.get(id), { item: before, raw }) }];
    });
    const others = group.children.filter((child) => !idOf.has(child)).map((child) => xml.raw(child));
    const [first] = kept;
    if (!first) {
      edits.replace(group, '');
      continue;
    }
    const together = kept.filter(({ item }) => isSame(item.areas, first.item.areas));
    const tag = withAttributes(xml.openTag(group), { sqref: areaReferences(first.item.areas) });
    const rest = kept.filter((one) => !together.includes(one));
    apart.push(...rest.map(({ item, text }) => groupXml(item, text)));
    edits.replace(
      group,
      `${tag}${together.map(({ text }) => text).join('')}${others.join('')}</conditionalFormatting>`,
    );
  }
  const added = [...after].filter(([id]) => !read.elements.has(id));
  apart.push(...added.map(([id, item]) => groupXml(item, conditionXml(item, styles(), halves.get(id)))));
  edits.insert('conditionalFormatting', apart.join(''));
}

const groupXml = (item: Condition, rule: string): string =>
  `<conditionalFormatting sqref="${areaReferences(item.areas)}">${rule}</conditionalFormatting>`;
