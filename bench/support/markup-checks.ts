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
  return new MarkupWalk(xml).faults();
}

/** One walk over the elements of a part. */
class MarkupWalk {
  readonly #xml: XmlDocument;
  readonly #unpaired: string[] = [];
  readonly #misplaced: string[] = [];
  readonly #tracked: string[] = [];
  readonly #open = new Map<string, number>();
  readonly #ids = new Map<string, number>();

  constructor(xml: XmlDocument) {
    this.#xml = xml;
  }

  faults(): MarkupFaults {
    this.#visit(this.#xml.root, undefined);
    const unended = [...this.#open].filter(([, count]) => count > 0).map(([key]) => `${key}: begins only`);
    const doubled = [...this.#ids].filter(([, count]) => count > 1);
    return {
      unpaired: [...this.#unpaired, ...unended],
      doubledIds: doubled.map(([key, count]) => `${key}: ${count} times`),
      misplaced: this.#misplaced,
      tracked: this.#tracked,
    };
  }

  #visit(element: XmlElement, parent: XmlElement | undefined): void {
    const { name } = element;
    // What other programs read is said twice; the second is not looked at.
    if (name === 'mc:Fallback') return;
    this.#pair(element);
    if (TRACKED.has(name) && !(name === 'w:del' && parent?.name === 'm:ctrlPr')) this.#tracked.push(name);
    this.#countIds(element);
    this.#checkOrder(element, parent);
    for (const child of element.children) this.#visit(child, element);
  }

  #pair(element: XmlElement): void {
    for (const [begin, end] of RANGES) {
      const key = `${begin} ${this.#xml.attribute(element, 'w:id')}`;
      const count = this.#open.get(key) ?? 0;
      if (element.name === begin) this.#open.set(key, count + 1);
      else if (element.name === end && count === 0) this.#unpaired.push(`${key}: ends only`);
      else if (element.name === end) this.#open.set(key, count - 1);
    }
  }

  #countIds(element: XmlElement): void {
    const { name } = element;
    const attributes = ID_BEARERS.has(name) ? this.#xml.attributes(element) : {};
    if (name === 'w:p') this.#countId('paragraph', attributes['w14:paraId']);
    else if (name === 'wp:docPr') this.#countId('drawing', attributes.id);
    else if (name === 'w:id') this.#countId('control', attributes['w:val']);
    else if (name === 'w:bookmarkStart') {
      this.#countId('bookmark', attributes['w:id']);
      this.#countId('name of bookmark', attributes['w:name']);
    } else if (REVISIONS.has(name)) this.#countId('revision', attributes['w:id']);
  }

  #countId(kind: string, id: string | undefined): void {
    if (id === undefined) return;
    const key = `${kind} ${id}`;
    this.#ids.set(key, (this.#ids.get(key) ?? 0) + 1);
  }

  #checkOrder(element: XmlElement, parent: XmlElement | undefined): void {
    const { name, children } = element;
    const order = ORDERS.get(name);
    if (order) this.#misplaced.push(...disorder(element, order));
    if (name === 'w:trPr') this.#misplaced.push(...disorder(element, ROW_TRACKED));
    if (TRACKED_RUNS.has(name) && children.length > 0 && !isOfMath(parent)) {
      for (const child of children) {
        if (!IN_TRACKED_RUNS.has(child.name) && !child.name.startsWith('m:')) {
          this.#misplaced.push(`${child.name} in ${name}`);
        }
      }
    }
    if (name === 'w:tc' && !/^w:(?:p|sdt|customXml)/.test(children.at(-1)?.name ?? '')) {
      this.#misplaced.push('a cell without a paragraph at its end');
    }
  }
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
