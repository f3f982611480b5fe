import {
  CELL_ORDER,
  PARAGRAPH_ORDER,
  type PropertyOrder,
  ROW_ORDER,
  RUN_ORDER,
  TABLE_ORDER,
} from '../../converter/engines/ooxml/docx/property-order.ts';
import type { XmlDocument } from '../../converter/engines/ooxml/package/xml-document.ts';
import type { XmlElement } from '../../converter/engines/ooxml/package/xml-scanner.ts';

/** Elements that begin and end a range and name it by `w:id` (17.13). */
const RANGES = [
  ['w:bookmarkStart', 'w:bookmarkEnd'],
  ['w:commentRangeStart', 'w:commentRangeEnd'],
  ['w:permStart', 'w:permEnd'],
  ['w:moveFromRangeStart', 'w:moveFromRangeEnd'],
  ['w:moveToRangeStart', 'w:moveToRangeEnd'],
] as const;

const REVISIONS = new Set([
  'w:ins',
  'w:del',
  'w:moveFrom',
  'w:moveTo',
  'w:cellIns',
  'w:cellDel',
  'w:cellMerge',
  'w:numberingChange',
  'w:rPrChange',
  'w:pPrChange',
  'w:tblPrChange',
  'w:tblGridChange',
  'w:tblPrExChange',
  'w:trPrChange',
  'w:tcPrChange',
  'w:sectPrChange',
]);

/** Everything in a part that is tracked, and what marks where something moved. */
const TRACKED = new Set([...REVISIONS, ...RANGES.slice(3).flat()]);

const ORDERS = new Map<string, PropertyOrder>([
  ['w:pPr', PARAGRAPH_ORDER],
  [
    'w:rPr',
    new Map([
      ...['w:ins', 'w:del', 'w:moveFrom', 'w:moveTo'].map((name) => [name, -1] as const),
      ...RUN_ORDER,
    ]),
  ],
  ['w:tblPr', TABLE_ORDER],
  ['w:tcPr', CELL_ORDER],
]);

/** What may hold runs, and so a tracked insertion, deletion or move of runs (CT_RunTrackChange). */
const IN_TRACKED_RUNS = new Set([
  'w:r',
  'w:customXml',
  'w:smartTag',
  'w:sdt',
  'w:dir',
  'w:bdo',
  'w:proofErr',
  'w:permStart',
  'w:permEnd',
  'w:bookmarkStart',
  'w:bookmarkEnd',
  'w:commentRangeStart',
  'w:commentRangeEnd',
  'w:moveFromRangeStart',
  'w:moveFromRangeEnd',
  'w:moveToRangeStart',
  'w:moveToRangeEnd',
  'w:ins',
  'w:del',
  'w:moveFrom',
  'w:moveTo',
]);

const TRACKED_RUNS = new Set(['w:ins', 'w:del', 'w:moveFrom', 'w:moveTo']);

/** What does not hold of the markup of a part, by the names of the checks. */
export interface MarkupFaults {
  /** Halves of ranges, and ends that stand before their beginning. */
  readonly unpaired: readonly string[];
  readonly doubledIds: readonly string[];
  /** Elements in an order or at a place that the schema does not know. */
  readonly misplaced: readonly string[];
  readonly tracked: readonly string[];
}

/** Looks at a part once for all that can be said of its elements alone. */
export function markupFaults(xml: XmlDocument): MarkupFaults {
  const unpaired: string[] = [];
  const misplaced: string[] = [];
  const tracked: string[] = [];
  const open = new Map<string, number>();
  const ids = new Map<string, number>();
  const idOf = (kind: string, id: string | undefined) => {
    if (id === undefined) return;
    const key = `${kind} ${id}`;
    ids.set(key, (ids.get(key) ?? 0) + 1);
  };
  const range = (element: XmlElement) => {
    for (const [begin, end] of RANGES) {
      const key = `${begin} ${xml.attribute(element, 'w:id')}`;
      if (element.name === begin) open.set(key, (open.get(key) ?? 0) + 1);
      else if (element.name === end) {
        const count = open.get(key) ?? 0;
        if (count === 0) unpaired.push(`${key}: ends only`);
        else open.set(key, count - 1);
      }
    }
  };
  const visit = (element: XmlElement, parent: XmlElement | undefined): void => {
    const { name } = element;
    // What other programs read is said twice; the second is not looked at.
    if (name === 'mc:Fallback') return;
    range(element);
    if (TRACKED.has(name) && !(name === 'w:del' && parent?.name === 'm:ctrlPr')) tracked.push(name);
    const attributes = ID_BEARERS.has(name) ? xml.attributes(element) : {};
    if (name === 'w:p') idOf('paragraph', attributes['w14:paraId']);
    else if (name === 'wp:docPr') idOf('drawing', attributes.id);
    else if (name === 'w:id') idOf('control', attributes['w:val']);
    else if (name === 'w:bookmarkStart') {
      idOf('bookmark', attributes['w:id']);
      idOf('name of bookmark', attributes['w:name']);
    } else if (REVISIONS.has(name)) idOf('revision', attributes['w:id']);
    const order = ORDERS.get(name);
    if (order) misplaced.push(...disorder(element, order));
    if (name === 'w:trPr') misplaced.push(...disorder(element, ROW_TRACKED));
    const isRunLevel = TRACKED_RUNS.has(name) && element.children.length > 0;
    if (isRunLevel && !isOfMath(parent)) {
      for (const child of element.children) {
        if (!IN_TRACKED_RUNS.has(child.name) && !child.name.startsWith('m:')) {
          misplaced.push(`${child.name} in ${name}`);
        }
      }
    }
    if (name === 'w:tc' && !/^w:(?:p|sdt|customXml)/.test(element.children.at(-1)?.name ?? '')) {
      misplaced.push('a cell without a paragraph at its end');
    }
    for (const child of element.children) visit(child, element);
  };
  visit(xml.root, undefined);
  for (const [key, count] of open) if (count > 0) unpaired.push(`${key}: begins only`);
  const doubledIds = [...ids]
    .filter(([, count]) => count > 1)
    .map(([key, count]) => `${key}: ${count} times`);
  return { unpaired, doubledIds, misplaced, tracked };
}

const ID_BEARERS = new Set(['w:p', 'wp:docPr', 'w:id', 'w:bookmarkStart', ...REVISIONS]);

const isOfMath = (parent: XmlElement | undefined): boolean => parent?.name.startsWith('m:') === true;

/** Of a row only the tracked changes have a place: after all others. */
const ROW_TRACKED: PropertyOrder = new Map(
  [...ROW_ORDER].map(([name, place]) => [
    name,
    ['w:ins', 'w:del', 'w:trPrChange'].includes(name) ? place : 0,
  ]),
);

function disorder(element: XmlElement, order: PropertyOrder): string[] {
  const found: string[] = [];
  let last = Number.NEGATIVE_INFINITY;
  let lastName = '';
  for (const { name } of element.children) {
    const place = order.get(name);
    if (place === undefined) continue;
    if (place < last) found.push(`${name} after ${lastName} in ${element.name}`);
    else if (place === last && name === lastName && order !== ROW_TRACKED)
      found.push(`${name} twice in ${element.name}`);
    last = place;
    lastName = name;
  }
  return found;
}
