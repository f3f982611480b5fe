import { isColumn, isRow } from '../../../../../model/cell/area.ts';
import { partsOf, quotedSheet } from '../../../../../model/cell/formula/formula-parts.ts';
import { CELL_LIMITS } from '../../../../../model/cell/limits.ts';
import { cellAddress, columnName } from '../../../../../model/cell-address.ts';
import type { XmlDocument } from '../../package/xml-document.ts';
import type { XmlElement } from '../../package/xml-scanner.ts';
import { placeOfAddress } from '../references.ts';
import { isOn } from '../styles/format-xml.ts';

/** How a part writes a reference. */
export type HeldNotation =
  /** As formulas do. */
  | 'formula'
  /** A list of areas of the sheet (18.18.76, ST_Sqref), or one. */
  | 'areas'
  /** Two cells by the numbers of their columns and rows (20.5.2.5, `from`; 20.5.2.32, `to`). */
  | 'markers'
  /** Two cells by eight numbers, as VML has them (19.4.2.1, `x:Anchor`). */
  | 'anchor'
  /** The row or the column before which a page ends, by its number (18.3.1.3, `brk`). */
  | 'break'
  /** An area in `ref`, and its sheet in `sheet`, or a name in `name` (18.10.1.95, `worksheetSource`). */
  | 'source'
  /** A place in the workbook behind `#`, as addresses have it, with or without escapes. */
  | 'location'
  /** A sheet and what is called so there, behind the name of the file (21.2.2.143, `pivotSource`). */
  | 'pivot';

/** A place of a part that names cells beside the model. */
export interface HeldPlace {
  readonly notation: HeldNotation;
  /** What it says, as a formula. */
  readonly formula: string;
  readonly element: XmlElement;
  /** Where it is said; null for the text of the element. */
  readonly attribute: string | null;
  /** What goes when its cells are gone; null: it stays as it is. */
  readonly owner: XmlElement | null;
}

/** What a finder is asked about: an element, and those around it, outermost first. */
interface Visited {
  readonly xml: XmlDocument;
  readonly element: XmlElement;
  readonly around: readonly XmlElement[];
}

type Finder = (visited: Visited) => readonly (HeldPlace | null)[];

export const localName = ({ name }: XmlElement): string => name.slice(name.indexOf(':') + 1);
const isWithin = ({ around }: Visited, name: string): boolean =>
  around.some((element) => localName(element) === name);
const parentOf = ({ around }: Visited): string => (around.length > 0 ? localName(around.at(-1)!) : '');

function place(
  notation: HeldNotation,
  formula: string | undefined,
  element: XmlElement,
  { attribute = null, owner = null }: Partial<Pick<HeldPlace, 'attribute' | 'owner'>> = {},
): HeldPlace | null {
  if (!formula || formula.length > CELL_LIMITS.formulaChars) return null;
  return { notation, formula, element, attribute, owner };
}

const listed = (areas: string | undefined): string | undefined => areas?.trim().split(/\s+/).join(',');

const formulasIn =
  (...names: readonly string[]): Finder =>
  ({ xml, element }) => {
    const attributes = xml.attributes(element);
    return names.map((attribute) => place('formula', attributes[attribute], element, { attribute }));
  };

/** @param isGone whether the element goes with its cells */
const areasIn =
  (names: readonly string[], isGone: boolean): Finder =>
  ({ xml, element }) => {
    const attributes = xml.attributes(element);
    const owner = isGone ? element : null;
    return names.map((attribute) =>
      place('areas', listed(attributes[attribute]), element, { attribute, owner }),
    );
  };

const textOf = ({ xml, element }: Visited): string => xml.content(element);
const formulaText: Finder = (visited) => [place('formula', textOf(visited), visited.element)];

/** Only where a finder holds. */
const within =
  (name: string, finder: Finder): Finder =>
  (visited) =>
    isWithin(visited, name) ? finder(visited) : [];

const source: Finder = ({ xml, element }) => {
  const { ref, sheet, name, 'r:id': external } = xml.attributes(element);
  if (external !== undefined) return [];
  const before = sheet === undefined ? '' : `${quotedSheet(sheet)}!`;
  const [attribute, said] = name === undefined ? ['ref', ref] : ['name', name];
  return [place('source', said && before + said, element, { attribute })];
};

/** The corners of a control or an object, where it moves with its cells. */
const markers: Finder = ({ xml, element }) => {
  if (!isOn(xml.attribute(element, 'moveWithCells') ?? '0')) return [];
  const corner = (name: string): Corner => {
    const marked = element.children.find((one) => localName(one) === name);
    const numberIn = (part: string) => {
      const child = marked?.children.find((one) => localName(one) === part);
      return child ? Number(xml.content(child)) : Number.NaN;
    };
    return [numberIn('row'), numberIn('col')];
  };
  return [place('markers', cornersOf(corner('from'), corner('to')), element)];
};

const anchor: Finder = (visited) => {
  const { xml, element, around } = visited;
  const holder = around.at(-1);
  // Notes follow their cells in the model.
  if (parentOf(visited) !== 'ClientData' || xml.attribute(holder, 'ObjectType') === 'Note') return [];
  // The words of VML mean their contrary: it is there, or true, where an object does not move.
  const stays = holder!.children.find((one) => localName(one) === 'MoveWithCells');
  if (stays && !/^\s*f/i.test(xml.content(stays))) return [];
  const numbers = xml.content(element).split(',').map(Number);
  if (numbers.length !== 8) return [];
  const [column1, , row1, , column2, , row2] = numbers as [number, 0, number, 0, number, 0, number];
  return [place('anchor', cornersOf([row1, column1], [row2, column2]), element)];
};

type Corner = readonly [row: number, column: number];

const cornersOf = (from: Corner, to: Corner): string | undefined =>
  isPlace(...from) && isPlace(...to) && from[0] <= to[0] && from[1] <= to[1]
    ? `${cellAddress(...from)}:${cellAddress(...to)}`
    : undefined;

const pageBreak: Finder = (visited) => {
  const line = Number(visited.xml.attribute(visited.element, 'id') ?? Number.NaN);
  const isRow = parentOf(visited) === 'rowBreaks';
  const name = isRow ? String(line + 1) : columnName(line);
  const formula = isPlace(isRow ? line : 0, isRow ? 0 : line) ? `${name}:${name}` : undefined;
  return [place('break', formula, visited.element, { attribute: 'id' })];
};

/** Only the sheet follows: pivot tables are told apart by their names. */
const pivotSource: Finder = (visited) => {
  const [, sheet] = (parentOf(visited) === 'pivotSource' && PIVOT.exec(textOf(visited))) || [];
  return [place('pivot', sheet && `${quotedSheet(sheet)}!_`, visited.element)];
};

/** An address that leads to a place in the workbook itself: to cells or a name. */
const locationIn =
  (attribute: string): Finder =>
  ({ xml, element }) => {
    const address = xml.attribute(element, attribute) ?? '';
    const formula = placeOfAddress(address);
    const parts = partsOf(formula ?? '');
    const isPlaced = parts.length === 1 && typeof parts[0] === 'object' && parts[0].type !== 'linked';
    return isPlaced ? [place('location', formula, element, { attribute })] : [];
  };

const link: Finder = (visited) =>
  visited.xml.attribute(visited.element, 'Type')?.endsWith('/hyperlink') ? locationIn('Target')(visited) : [];

/** `[Book.xlsx]Sheet 1!PivotTable1`, without quotes whatever the sheet is called. */
export const PIVOT = /(?<=^\[[^\]]*\])([^\]']+)(?=![^!]*$)/;

const isPlace = (row: number, column: number): boolean => isRow(row) && isColumn(column);

/** What the model has of charts: the data of series, and titles (21.2.2). */
const MODELLED = new Set(['tx', 'cat', 'val', 'xVal', 'yVal', 'bubbleSize']);
const HELD_OF_CHARTS = new Set(['errBars', 'trendline', 'extLst', 'dLbls', 'userShapes']);

const chartFormula: Finder = (visited) => {
  const isModelled =
    visited.around.some((element) => MODELLED.has(localName(element))) &&
    !visited.around.some((element) => HELD_OF_CHARTS.has(localName(element)));
  return isModelled ? [] : formulaText(visited);
};

const textOfExtension: Finder = (visited) => {
  const { xml, element, around } = visited;
  const owner = around.at(-1)!;
  switch (parentOf(visited)) {
    case 'sparkline':
      return localName(element) === 'f'
        ? formulaText(visited)
        : [place('areas', listed(xml.content(element)), element, { owner })];
    case 'sparklineGroup':
      return localName(element) === 'f' ? formulaText(visited) : [];
    case 'ignoredError':
    case 'protectedRange':
      return [place('areas', listed(xml.content(element)), element, { owner })];
    case 'webExtension':
      return formulaText(visited);
    default:
      return [];
  }
};

/** Of worksheets (18.3.1) and their extensions. */
const ofSheet: Readonly<Record<string, Finder>> = {
  f: textOfExtension,
  sqref: textOfExtension,
  sheetPr: areasIn(['syncRef'], false),
  scenarios: areasIn(['sqref'], false),
  inputCells: areasIn(['r'], true),
  ignoredError: areasIn(['sqref'], true),
  cellWatch: areasIn(['r'], true),
  dataRef: source,
  customSheetView: areasIn(['topLeftCell'], false),
  pane: within('customSheetView', areasIn(['topLeftCell'], false)),
  selection: within('customSheetView', areasIn(['activeCell', 'sqref'], false)),
  autoFilter: within('customSheetView', areasIn(['ref'], true)),
  brk: within('customSheetView', pageBreak),
  sortState: areasIn(['ref'], true),
  sortCondition: areasIn(['ref'], true),
  cellSmartTags: areasIn(['r'], true),
  webPublishItem: areasIn(['sourceRef'], false),
  controlPr: formulasIn('linkedCell', 'listFillRange'),
  anchor: markers,
};

const formLinks = ['fmlaLink', 'fmlaRange', 'fmlaTxbx', 'fmlaGroup', 'fmlaPict'];

/** Elements of VML that may lead somewhere (19.1.2). */
const shapesOfOld = [
  'shape',
  'group',
  'rect',
  'roundrect',
  'oval',
  'line',
  'polyline',
  'curve',
  'arc',
  'image',
];

/** `sqref` is all that filtered data would have ([MS-ODRAWXML] 2.24.3.29, `fullRef`). */
const beyondCharts: Readonly<Record<string, Finder>> = { sqref: formulaText, name: pivotSource };

/** What names cells in the parts of a workbook, by the local names of elements and the kind of the part. */
const finders = {
  sheet: ofSheet,
  /** Views that people have each for themselves ([MS-XLSX] 2.6.222, `nsvFilter`). */
  views: { nsvFilter: areasIn(['ref'], false), sortCondition: areasIn(['ref'], false) },
  table: { sortState: areasIn(['ref'], true), sortCondition: areasIn(['ref'], true) },
  queryTable: { sortState: areasIn(['ref'], true), sortCondition: areasIn(['ref'], true) },
  singleCells: { singleXmlCell: areasIn(['r'], false) },
  control: { formControlPr: formulasIn(...formLinks) },
  shapes: {
    Anchor: anchor,
    FmlaLink: formulaText,
    FmlaRange: formulaText,
    FmlaTxbx: formulaText,
    FmlaGroup: formulaText,
    FmlaPict: formulaText,
    ...Object.fromEntries(shapesOfOld.map((name) => [name, locationIn('href')])),
  },
  /** Of what is drawn: the relationships of its part. */
  links: { Relationship: link },
  drawing: { sp: formulasIn('textlink'), cameraTool: formulasIn('cellRange') },
  /** Of which the model has the data and the titles. */
  modelledChart: { f: chartFormula, ...beyondCharts },
  chart: { f: formulaText, nf: formulaText, ...beyondCharts },
  pivotCache: { worksheetSource: source, rangeSet: source },
  connections: { parameter: formulasIn('cell') },
} satisfies Readonly<Record<string, Readonly<Record<string, Finder>>>>;

export type HeldPartKind = keyof typeof finders;

/** The places of a part that name cells beside the model, in order. */
export function heldPlaces(kind: HeldPartKind, xml: XmlDocument): HeldPlace[] {
  const places: HeldPlace[] = [];
  const known: Readonly<Record<string, Finder>> = finders[kind];
  const around: XmlElement[] = [];
  const visit = (element: XmlElement) => {
    const name = localName(element);
    const finder = Object.hasOwn(known, name) ? known[name] : undefined;
    for (const found of finder?.({ xml, element, around }) ?? []) if (found) places.push(found);
    around.push(element);
    for (const child of element.children) visit(child);
    around.pop();
  };
  visit(xml.root);
  return places;
}
