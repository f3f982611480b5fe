import { FreeNames } from '../../../../model/cell/free-names.ts';
import type { ItemOf } from '../../../../model/cell/items.ts';
import type { Calculation, WorkbookProperties } from '../../../../model/cell/workbook.ts';
import { overLimit } from '../../../errors.ts';
import type { XmlDocument } from '../package/xml-document.ts';
import type { XmlElement } from '../package/xml-scanner.ts';
import { isOn, numberOf, withoutNothing } from './styles/format-xml.ts';

const MOST_SHEETS = 1_000;
const MOST_NAMES = 100_000;

/** A sheet as the workbook part names it (18.2.19). */
export interface SheetEntry {
  readonly element: XmlElement;
  readonly id: string;
  readonly name: string;
  readonly state: 'visible' | 'hidden' | 'veryHidden';
  readonly relationshipId: string;
}

/** The sheets in the order of their tabs. @throws ConversionError limits */
export function readSheetEntries(xml: XmlDocument): SheetEntry[] {
  const elements = (xml.child(xml.root, 'sheets')?.children ?? []).filter(({ name }) => name === 'sheet');
  if (elements.length > MOST_SHEETS) throw overLimit('the workbook has too many sheets');
  const names = sheetNames(elements.map((element) => xml.attribute(element, 'name') ?? ''));
  const ids = new Set<string>();
  return elements.map((element, index) => {
    const { sheetId, state, 'r:id': relationshipId = '' } = xml.attributes(element);
    let id = `s${sheetId ?? index + 1}`;
    while (ids.has(id)) id += 'x';
    ids.add(id);
    return {
      element,
      id,
      name: names[index]!,
      state: state === 'hidden' || state === 'veryHidden' ? state : 'visible',
      relationshipId,
    };
  });
}

/** So many characters of a name leave room for a number behind it: programs take 31 in all. */
const NUMBERED_CHARS = 27;

/**
 * A name of its own for each sheet: the first that is called so stays so, others get a number behind it, and those without a name
 * are called by their place.
 */
function sheetNames(given: readonly string[]): string[] {
  const free = new FreeNames((name) => name.toLowerCase());
  const own = given.map((name) => (name === '' || free.has(name) ? null : free.take(name)));
  return own.map((name, index) => {
    if (name !== null) return name;
    const wished = given[index] || `Sheet${index + 1}`;
    return free.take(free.has(wished) ? wished.slice(0, NUMBERED_CHARS) : wished);
  });
}

/** What the workbook part says of all sheets. Theme and styles are other parts. */
export function readWorkbookProperties(xml: XmlDocument): WorkbookProperties {
  const of = (name: string) => {
    const element = xml.child(xml.root, name);
    return element ? xml.attributes(element) : undefined;
  };
  const { date1904 } = of('workbookPr') ?? {};
  const protection = of('workbookProtection');
  const isProtected = protection?.lockStructure !== undefined && isOn(protection.lockStructure);
  return withoutNothing({
    date1904: (date1904 !== undefined && isOn(date1904)) || undefined,
    calculation: readCalculation(of('calcPr')),
    protected: isProtected || undefined,
    structureKey: isProtected ? readStructureKey(protection) : undefined,
  }) as WorkbookProperties;
}

/** What the password of a workbook's structure is called in its part, and in the model: as that of a sheet is. */
export const STRUCTURE_KEY = {
  algorithmName: 'workbookAlgorithmName',
  hashValue: 'workbookHashValue',
  saltValue: 'workbookSaltValue',
  spinCount: 'workbookSpinCount',
  password: 'workbookPassword',
} as const;

function readStructureKey(given: Readonly<Record<string, string>>): WorkbookProperties['structureKey'] {
  const key = Object.entries(STRUCTURE_KEY).flatMap(([name, attribute]) => {
    const value = given[attribute];
    return value === undefined ? [] : [[name, value] as const];
  });
  return key.length > 0 ? Object.fromEntries(key) : undefined;
}

function readCalculation(given: Readonly<Record<string, string>> | undefined): Calculation | undefined {
  if (!given) return undefined;
  const { calcMode, iterate, iterateCount, iterateDelta, fullPrecision } = given;
  const mode = calcMode === 'manual' ? 'manual' : calcMode === 'autoNoTable' ? 'autoExceptTables' : undefined;
  const calculation = withoutNothing({
    mode,
    iterates: (iterate !== undefined && isOn(iterate)) || undefined,
    iterations: numberOf(iterateCount),
    maximumChange: numberOf(iterateDelta),
    precisionAsShown: (fullPrecision !== undefined && !isOn(fullPrecision)) || undefined,
  }) as Calculation;
  return Object.keys(calculation).length > 0 ? calculation : undefined;
}

export interface ReadNames {
  readonly items: ReadonlyMap<string, ItemOf<'name'>>;
  readonly elements: ReadonlyMap<string, XmlElement>;
}

/** The names of the workbook (18.2.5), by ids that count them. @throws ConversionError limits */
export function readNames(xml: XmlDocument, sheetIds: readonly string[]): ReadNames {
  const items = new Map<string, ItemOf<'name'>>();
  const elements = new Map<string, XmlElement>();
  const list = xml.child(xml.root, 'definedNames')?.children ?? [];
  if (list.length > MOST_NAMES) throw overLimit('the workbook has too many names');
  for (const [index, element] of list.entries()) {
    const { name, localSheetId, hidden, comment } = xml.attributes(element);
    const scope = localSheetId === undefined ? undefined : sheetIds[Number(localSheetId)];
    const isLost = localSheetId !== undefined && scope === undefined;
    if (element.name !== 'definedName' || name === undefined || name === '' || name.length > 255 || isLost)
      continue;
    const id = `n${index + 1}`;
    items.set(
      id,
      withoutNothing({
        name,
        formula: xml.content(element),
        scope,
        comment,
        hidden: (hidden !== undefined && isOn(hidden)) || undefined,
      }) as ItemOf<'name'>,
    );
    elements.set(id, element);
  }
  return { items, elements };
}
