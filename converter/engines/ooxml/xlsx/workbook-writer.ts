import { formatKey } from '../../../../model/cell/cell-format.ts';
import { namesOf, type Workbook } from '../../../../model/cell/workbook.ts';
import { attributesXml, escapeText, withAttributes } from '../package/xml-text.ts';
import { writeList } from './items/item-list.ts';
import { startTag } from './items/simple-items.ts';
import { PartEdits } from './part-edits.ts';
import { numberOf, whole } from './styles/format-xml.ts';
import { STRUCTURE_KEY } from './workbook-part.ts';
import type { XlsxSource } from './xlsx-source.ts';

/** What a workbook holds, in the order of the schema (18.2.27). */
const ORDER = [
  ...['fileVersion', 'fileSharing', 'workbookPr', 'workbookProtection', 'bookViews', 'sheets'],
  ...['functionGroups', 'externalReferences', 'definedNames', 'calcPr', 'oleSize', 'customWorkbookViews'],
  ...[
    'pivotCaches',
    'smartTagPr',
    'smartTagTypes',
    'webPublishing',
    'fileRecoveryPr',
    'webPublishObjects',
    'extLst',
  ],
];

interface WorkbookChange {
  readonly source: XlsxSource;
  readonly after: Workbook;
  /** Relationship ids of new sheets, by the sheets' ids. */
  readonly added: ReadonlyMap<string, string>;
  /** How many of the last links to other workbooks are taken out. */
  readonly broken: number;
  /** Values of formulas in the file are not those that they have. */
  readonly isStale: boolean;
}

/** The workbook part as it has to be; undefined when it is as it was. */
export function changedWorkbookXml({
  source,
  after,
  added,
  broken,
  isStale,
}: WorkbookChange): string | undefined {
  const { xml, workbook: before } = source;
  const edits = new PartEdits(xml, ORDER);
  const order = after.sheets.map(({ id }) => id);
  const orderBefore = before.sheets.map(({ id }) => id);
  writeSheets(edits, source, after, added);
  if (formatKey(order) !== formatKey(orderBefore) || statesOf(after) !== statesOf(before))
    writeViews(edits, before, after);
  const names = new Map(
    [...namesOf(after)].filter(
      ([, { scope }]) => scope === undefined || scope === null || order.includes(scope),
    ),
  );
  writeList(edits, {
    list: 'definedNames',
    read: source.names,
    after: names.size === namesOf(after).size ? namesOf(after) : names,
    isCounted: false,
    xmlOf: ({ name, formula, scope, comment, hidden }, raw = '<definedName/>') => {
      const tag = withAttributes(startTag(raw).replace(/\s*\/>$/, '>'), {
        name,
        localSheetId: scope === undefined || scope === null ? null : order.indexOf(scope),
        hidden: hidden ? 1 : null,
        comment: comment ?? null,
      });
      return `${tag}${escapeText(formula)}</definedName>`;
    },
    isOutdated: ({ scope }) =>
      scope !== undefined && scope !== null && order.indexOf(scope) !== orderBefore.indexOf(scope),
  });
  if (broken > 0) {
    const kept = source.books.references.slice(0, -broken).map(({ element }) => xml.raw(element));
    edits.setChild(
      'externalReferences',
      kept.length > 0 ? `<externalReferences>${kept.join('')}</externalReferences>` : '',
    );
  }
  writeCalculation(edits, before, after, isStale);
  writeProtection(edits, before, after);
  if (Boolean(before.properties.date1904) !== Boolean(after.properties.date1904)) {
    const present = xml.child(xml.root, 'workbookPr');
    const raw = present ? xml.raw(present) : '<workbookPr/>';
    edits.setChild('workbookPr', withAttributes(raw, { date1904: after.properties.date1904 ? 1 : null }));
  }
  return edits.isEmpty ? undefined : edits.text();
}

function writeProtection(
  edits: PartEdits,
  { properties: before }: Workbook,
  { properties: after }: Workbook,
) {
  const isSame =
    Boolean(before.protected) === Boolean(after.protected) &&
    formatKey(before.structureKey ?? null) === formatKey(after.structureKey ?? null);
  if (isSame) return;
  const present = edits.xml.child(edits.xml.root, 'workbookProtection');
  const raw = present ? edits.xml.raw(present) : '<workbookProtection/>';
  const key = Object.entries(STRUCTURE_KEY).map(([name, attribute]) => {
    const value = after.protected ? after.structureKey?.[name] : undefined;
    return [attribute, typeof value === 'string' ? value : null] as const;
  });
  const text = withAttributes(raw, {
    ...Object.fromEntries(key),
    lockStructure: after.protected ? 1 : null,
  });
  edits.setChild('workbookProtection', /^<\w+\s*\/>$/.test(text) ? '' : text);
}

const statesOf = ({ sheets }: Workbook): string =>
  sheets.map(({ properties }) => properties.state ?? '').join();

function writeSheets(
  edits: PartEdits,
  { entries, xml, vocabulary, workbook: before }: XlsxSource,
  after: Workbook,
  added: ReadonlyMap<string, string>,
): void {
  // A name that the file has twice is not.
  const areNamed = entries.every(({ element, name }) => (xml.attribute(element, 'name') || name) === name);
  const isSame =
    areNamed &&
    before.sheets.length === after.sheets.length &&
    after.sheets.every(({ id, properties: { name, state } }, index) => {
      const was = before.sheets[index]!;
      return was.id === id && was.properties.name === name && was.properties.state === state;
    });
  const list = xml.child(xml.root, 'sheets');
  if (isSame || !list) return;
  const byId = new Map(entries.map((entry) => [entry.id, entry]));
  let next =
    Math.max(0, ...entries.map(({ element }) => numberOf(xml.attribute(element, 'sheetId')) ?? 0)) + 1;
  let needsPrefix = false;
  const elements = after.sheets.map(({ id, properties: { name, state } }) => {
    const entry = byId.get(id);
    const changes = { name, state: state === undefined || state === 'visible' ? null : state };
    if (entry) {
      const given = xml.attribute(entry.element, 'state');
      const isShown = changes.state === null && (given === undefined || given === 'visible');
      return withAttributes(xml.raw(entry.element), isShown ? { name } : changes);
    }
    needsPrefix = true;
    return `<sheet${attributesXml({ name, sheetId: next++, state: changes.state, 'r:id': added.get(id) })}/>`;
  });
  const open = xml.openTag(list).replace(/\s*\/>$/, '>');
  edits.replace(list, `${open}${elements.join('')}</sheets>`);
  if (needsPrefix && xml.attribute(xml.root, 'xmlns:r') === undefined)
    edits.setRootAttributes({ 'xmlns:r': vocabulary.relationships });
}

/** Keeps the same sheet in front, or one that is shown. */
function writeViews(edits: PartEdits, before: Workbook, after: Workbook): void {
  const { xml } = edits;
  for (const view of xml.child(xml.root, 'bookViews')?.children ?? []) {
    const { activeTab, firstSheet } = xml.attributes(view);
    const placeOf = (given: string | undefined) => {
      const id = before.sheets[numberOf(given) ?? 0]?.id;
      const place = after.sheets.findIndex((sheet) => sheet.id === id);
      const isShown = (after.sheets[place]?.properties.state ?? 'visible') === 'visible';
      const shown = after.sheets.findIndex(({ properties }) => (properties.state ?? 'visible') === 'visible');
      return Math.max(0, place >= 0 && isShown ? place : shown);
    };
    edits.setAttributes(view, {
      ...((activeTab !== undefined || placeOf(activeTab) > 0) && { activeTab: placeOf(activeTab) }),
      ...(firstSheet !== undefined && { firstSheet: placeOf(firstSheet) }),
    });
  }
}

function writeCalculation(edits: PartEdits, before: Workbook, after: Workbook, isStale: boolean): void {
  const { calculation: one } = before.properties;
  const { calculation: other } = after.properties;
  const isChanged = formatKey(one ?? null) !== formatKey(other ?? null);
  if (!isChanged && !isStale) return;
  const { xml } = edits;
  const present = xml.child(xml.root, 'calcPr');
  const raw = present ? xml.raw(present) : '<calcPr/>';
  const { mode, iterates, iterations, maximumChange, precisionAsShown } = other ?? {};
  const changes = isChanged && {
    calcMode: mode === 'manual' ? 'manual' : mode === 'autoExceptTables' ? 'autoNoTable' : null,
    iterate: iterates ? 1 : null,
    iterateCount: iterations === undefined ? null : whole(iterations, 1, 32_767),
    iterateDelta: maximumChange === undefined ? null : Math.max(0, maximumChange),
    fullPrecision: precisionAsShown ? 0 : null,
  };
  edits.setChild('calcPr', withAttributes(raw, { ...changes, ...(isStale && { fullCalcOnLoad: 1 }) }));
}
