import { areaOfReference, lastColumn, lastRow } from '../../../../../model/cell/area.ts';
import type { ItemOf } from '../../../../../model/cell/items.ts';
import type { XmlDocument } from '../../package/xml-document.ts';
import type { XmlElement } from '../../package/xml-scanner.ts';
import { attributesXml, escapeText, withAttributes } from '../../package/xml-text.ts';
import { areaReference, areaReferences, areasOfReferences, placeOfAddress } from '../references.ts';
import { isOn, numberOf, withoutNothing } from '../styles/format-xml.ts';
import { type ReadItems, readItems } from './item-list.ts';

/** The children of an element of the root. */
export const listOf = (xml: XmlDocument, list: string, item: string): XmlElement[] =>
  (xml.child(xml.root, list)?.children ?? []).filter(({ name }) => name === item);

const on = (value: string | undefined): true | undefined => (value !== undefined && isOn(value)) || undefined;

export function readMerges(xml: XmlDocument): ReadItems<ItemOf<'merge'>> {
  return readItems(listOf(xml, 'mergeCells', 'mergeCell'), 'm', (element) => {
    const area = areaOfReference(xml.attribute(element, 'ref') ?? '');
    return area && { area };
  });
}

export const mergeXml = ({ area }: ItemOf<'merge'>, raw = '<mergeCell/>'): string =>
  withAttributes(raw, { ref: areaReference(area) });

/**
 * Links (18.3.1.47). One to a place in the workbook is the same whether the file has it as a place or as an address.
 * @param addressOf the address that a relationship leads to
 */
export function readLinks(
  xml: XmlDocument,
  addressOf: (relationshipId: string) => string | undefined,
): ReadItems<ItemOf<'link'>> {
  return readItems(listOf(xml, 'hyperlinks', 'hyperlink'), 'l', (element) => {
    const { ref = '', 'r:id': id, location: said, tooltip, display } = xml.attributes(element);
    const area = areaOfReference(ref);
    const given = id === undefined ? undefined : addressOf(id);
    const inside = said === undefined ? placeOfAddress(given ?? '') : undefined;
    const [address, location] = inside ? [undefined, inside] : [given, said];
    if (!area || (address?.length ?? 0) > 8_000 || (location?.length ?? 0) > 8_192) return undefined;
    return withoutNothing({ area, address, location, tooltip, display }) as ItemOf<'link'>;
  });
}

/** @param relationshipOf the id of a relationship to an address */
export function linkXml(
  { area, address, location, tooltip, display }: ItemOf<'link'>,
  raw: string | undefined,
  relationshipOf: (address: string) => string,
): string {
  return withAttributes(raw ?? '<hyperlink/>', {
    ref: areaReference(area),
    'r:id': address === undefined ? null : relationshipOf(address),
    location: location ?? null,
    tooltip: tooltip ?? null,
    display: display ?? null,
  });
}

const VALIDATIONS: ReadonlyMap<string, ItemOf<'validation'>['type']> = new Map(
  Object.entries<ItemOf<'validation'>['type']>({
    none: 'any',
    whole: 'whole',
    decimal: 'decimal',
    list: 'list',
    date: 'date',
    time: 'time',
    textLength: 'textLength',
    custom: 'custom',
  }),
);
const STYLES = ['stop', 'warning', 'information'] as const;

export function readValidations(xml: XmlDocument): ReadItems<ItemOf<'validation'>> {
  return readItems(listOf(xml, 'dataValidations', 'dataValidation'), 'v', (element) => {
    const areas = areasOfReferences(xml.attribute(element, 'sqref') ?? '');
    const formulas = ['formula1', 'formula2'].flatMap((wanted) => {
      const formula = xml.plainChildren(element).find(({ name }) => name === wanted);
      return formula ? [xml.content(formula)] : [];
    });
    return readValidation(xml, element, areas, formulas);
  });
}

export function readValidation(
  xml: XmlDocument,
  element: XmlElement,
  areas: ItemOf<'validation'>['areas'],
  formulas: string[],
): ItemOf<'validation'> | undefined {
  const given = xml.attributes(element);
  const type = VALIDATIONS.get(given.type ?? 'none');
  if (areas.length === 0 || areas.length > 10_000 || !type || formulas.some(({ length }) => length > 8_192))
    return undefined;
  return withoutNothing({
    areas,
    type,
    operator: given.operator,
    formulas,
    allowsBlank: on(given.allowBlank),
    hidesArrow: on(given.showDropDown),
    style: STYLES.find((style) => style === given.errorStyle),
    showsError: on(given.showErrorMessage),
    errorTitle: given.errorTitle,
    error: given.error,
    showsPrompt: on(given.showInputMessage),
    promptTitle: given.promptTitle,
    prompt: given.prompt,
  }) as ItemOf<'validation'>;
}

/** The attributes of a validation, null for those that it has not. */
function validationAttributes(item: ItemOf<'validation'>): Record<string, string | number | null> {
  return {
    type: item.type === 'any' ? null : item.type,
    errorStyle: item.style ?? null,
    operator: item.operator ?? null,
    allowBlank: item.allowsBlank ? 1 : null,
    showDropDown: item.hidesArrow ? 1 : null,
    showInputMessage: item.showsPrompt ? 1 : null,
    showErrorMessage: item.showsError ? 1 : null,
    errorTitle: item.errorTitle ?? null,
    error: item.error ?? null,
    promptTitle: item.promptTitle ?? null,
    prompt: item.prompt ?? null,
  };
}

export function validationXml(item: ItemOf<'validation'>, raw = '<dataValidation/>'): string {
  const tag = withAttributes(`${startTag(raw)}`, {
    ...validationAttributes(item),
    sqref: areaReferences(item.areas),
  });
  const formulas = item.formulas.map((formula, index) => {
    const name = `formula${index + 1}`;
    return `<${name}>${escapeText(formula)}</${name}>`;
  });
  // A list whose entries have commas stands beside one for programs that do not know such a list.
  const choice = /<mc:AlternateContent\b[\s\S]*<\/mc:AlternateContent>/.exec(raw)?.[0];
  const [first] = formulas;
  if (choice && first !== undefined && choice.includes(first)) formulas[0] = choice;
  const open = tag.replace(/\s*\/>$/, '>');
  return `${open}${formulas.join('')}</dataValidation>`;
}

/** The start tag with which the text of an element begins. */
export const startTag = (raw: string): string => /^<(?:"[^"]*"|'[^']*'|[^>"'])*>/.exec(raw)?.[0] ?? raw;

export function readOpenRanges(xml: XmlDocument): ReadItems<ItemOf<'openRange'>> {
  return readItems(listOf(xml, 'protectedRanges', 'protectedRange'), 'r', (element) => {
    const { sqref = '', name = '', ...given } = xml.attributes(element);
    const areas = areasOfReferences(sqref);
    if (areas.length === 0 || areas.length > 10_000) return undefined;
    const descriptor = xml.child(element, 'securityDescriptor');
    const extra = { ...given, ...(descriptor && { securityDescriptor: xml.content(descriptor) }) };
    return Object.keys(extra).length > 0 ? { areas, name, extra } : { areas, name };
  });
}

export function openRangeXml({ areas, name, extra = {} }: ItemOf<'openRange'>, raw?: string): string {
  const place = { sqref: areaReferences(areas), name };
  if (raw !== undefined) return withAttributes(raw, place);
  // A copy is closed as its original is.
  const kept = Object.entries(extra).filter(
    ([key, value]) => typeof value === 'string' && /^[A-Za-z]+$/.test(key),
  );
  return withAttributes('<protectedRange/>', { ...(Object.fromEntries(kept) as typeof place), ...place });
}

/** Page breaks before a row or a column (18.3.1.3); `id` counts from 1 the line before it. */
export function readBreaks(xml: XmlDocument, axis: 'row' | 'column'): ReadItems<ItemOf<'pageBreak'>> {
  const list = axis === 'row' ? 'rowBreaks' : 'colBreaks';
  return readItems(listOf(xml, list, 'brk'), axis === 'row' ? 'br' : 'bc', (element) => {
    const { id, min } = xml.attributes(element);
    const line = numberOf(id);
    if (line === undefined || line < 0 || line > (axis === 'row' ? lastRow : lastColumn)) return undefined;
    const across = Math.min(numberOf(min) ?? 0, axis === 'row' ? lastColumn : lastRow);
    return { axis, cell: axis === 'row' ? [line, across] : [across, line] };
  });
}

export function breakXml({ axis, cell: [row, column] }: ItemOf<'pageBreak'>, raw?: string): string {
  const [id, across] = axis === 'row' ? [row, column] : [column, row];
  const max = axis === 'row' ? lastColumn : lastRow;
  return withAttributes(raw ?? `<brk${attributesXml({ id, max, man: 1 })}/>`, { id, min: across || null });
}
