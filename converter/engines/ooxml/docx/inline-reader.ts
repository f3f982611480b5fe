import type { Mark, Node } from 'prosemirror-model';
import { accepts } from '../../../../model/word/attributes.ts';
import { wordSchema } from '../../../../model/word/schema.ts';
import * as values from '../../../../model/word/values.ts';
import { isXmlText } from '../../../../model/xml-text.ts';
import type { XmlElement } from '../package/xml-scanner.ts';
import { FieldEnds } from './complex-fields.ts';
import { holdsText, noteControl, noteWhole } from './controls/control-reader.ts';
import { kindName, readOpaque, referenceOf } from './opaque-reader.ts';
import type { ReadContext } from './read-context.ts';
import { readRun } from './run-reader.ts';
import type { InlineItem, Wrapper } from './source-map.ts';

/** Marks of proofing and layout that Word makes anew: nothing in the model, but kept with what surrounds them. */
const TRANSIENT = new Set(['w:proofErr', 'w:lastRenderedPageBreak']);

const ANCHORS = new Set([
  'w:bookmarkStart',
  'w:bookmarkEnd',
  'w:commentRangeStart',
  'w:commentRangeEnd',
  'w:permStart',
  'w:permEnd',
  'w:moveFromRangeStart',
  'w:moveFromRangeEnd',
  'w:moveToRangeStart',
  'w:moveToRangeEnd',
]);

interface InlineContent {
  readonly nodes: readonly Node[];
  readonly items: readonly InlineItem[];
}

/** The content of a paragraph, as nodes and as the stretches of XML that they come from. */
export function readInline(context: ReadContext, children: readonly XmlElement[]): InlineContent {
  const reader = new InlineReader(context);
  reader.read(children, [], []);
  return reader;
}

class InlineReader implements InlineContent {
  readonly nodes: Node[] = [];
  readonly items: InlineItem[] = [];
  readonly #context: ReadContext;

  constructor(context: ReadContext) {
    this.#context = context;
  }

  read(children: readonly XmlElement[], wrappers: readonly Wrapper[], marks: readonly Mark[]): void {
    const fields = new FieldEnds(this.#context.xml, children);
    for (let index = 0; index < children.length; index++) {
      const element = children[index]!;
      const fieldEnd = fields.of(index);
      if (fieldEnd !== undefined) {
        const { end } = children[fieldEnd]!;
        this.#add(element.start, end, wrappers, [
          readOpaque(this.#context, element, 'field', end, marks, false),
        ]);
        index = fieldEnd;
        continue;
      }
      const opened = openWrapper(this.#context, element, wrappers);
      if (opened) {
        const { wrapper } = opened;
        this.read(opened.children, [...wrappers, wrapper], wrapper.mark.addToSet(marks));
      } else this.#add(element.start, element.end, wrappers, this.#nodesOf(element, marks));
    }
  }

  #add(start: number, end: number, wrappers: readonly Wrapper[], nodes: readonly Node[]): void {
    let size = 0;
    for (const node of nodes) {
      this.#context.budget.takeInline(node.marks.length);
      size += node.nodeSize;
      this.nodes.push(node);
    }
    this.items.push({ start, end, size, wrappers });
  }

  #nodesOf(element: XmlElement, marks: readonly Mark[]): Node[] {
    const context = this.#context;
    if (element.name === 'w:r') return readRun(context, element, marks);
    if (TRANSIENT.has(element.name)) return [];
    if (ANCHORS.has(element.name)) return [this.#anchor(element, marks)];
    const whole = readOpaque(context, element, element.name, element.end, marks, false);
    noteWhole(context, element, whole.attrs.id);
    return [whole];
  }

  #anchor(element: XmlElement, marks: readonly Mark[]): Node {
    const { xml, map } = this.#context;
    const attrs = {
      id: map.nextId('n'),
      kind: kindName(element.name.slice('w:'.length)),
      ref: referenceOf(xml, element),
    };
    const node = wordSchema.nodes.anchor.create(attrs, null, marks);
    map.addInline({ kind: 'inline', node, start: element.start, end: element.end, inRun: false });
    return node;
  }
}

const RANK: ReadonlyMap<string, number> = new Map([
  ['w:hyperlink', 0],
  ['w:sdt', 1],
  ['w:smartTag', 1],
  ['w:ins', 2],
  ['w:del', 3],
]);

interface OpenedWrapper {
  readonly wrapper: Wrapper;
  readonly children: readonly XmlElement[];
}

/**
 * Opens an element around runs as a mark, if it can stand for one: it nests in the order of the schema's marks.
 * @param outer the wrappers that it is in, outermost first
 */
function openWrapper(
  context: ReadContext,
  element: XmlElement,
  outer: readonly Wrapper[],
): OpenedWrapper | undefined {
  const rank = RANK.get(element.name);
  const outerMark = outer.at(-1)?.mark;
  if (rank === undefined || (outerMark && rankOf(outerMark) >= rank)) return undefined;
  const children = contentOf(context, element);
  const first = children?.[0];
  const last = children?.at(-1);
  if (!children || !first || !last) return undefined;
  const { text } = context.xml;
  const wrapper: Wrapper = {
    mark: markOf(context, element, context.map.wrappers.length),
    openXml: text.slice(element.start, first.start),
    closeXml: text.slice(last.end, element.end),
  };
  noteControl(context, element, String(context.map.wrappers.length));
  context.map.wrappers.push(wrapper);
  return { wrapper, children };
}

function rankOf(mark: Mark): number {
  return ['link', 'within', 'ins', 'del'].indexOf(mark.type.name);
}

function contentOf({ xml }: ReadContext, element: XmlElement): readonly XmlElement[] | undefined {
  if (element.name === 'w:smartTag') return element.children.filter(({ name }) => name !== 'w:smartTagPr');
  if (element.name !== 'w:sdt') return element.children;
  if (!holdsText(xml, element)) return undefined;
  return xml.child(element, 'w:sdtContent')?.children;
}

function markOf({ xml, relationships }: ReadContext, element: XmlElement, key: number): Mark {
  const attributes = xml.attributes(element);
  const { marks } = wordSchema;
  switch (element.name) {
    case 'w:hyperlink': {
      const target = relationships.get(attributes['r:id'] ?? '')?.target ?? '';
      return marks.link.create({
        key,
        href: target !== '' && target.length <= 8_192 && isXmlText(target) ? target : null,
        anchor: nameOrNull(attributes['w:anchor']),
        tooltip: nameOrNull(attributes['w:tooltip']),
      });
    }
    case 'w:ins':
    case 'w:del': {
      const { 'w:id': id, 'w:author': author, 'w:date': date } = attributes;
      return marks[element.name === 'w:ins' ? 'ins' : 'del'].create({
        key,
        id: accepts(values.decimalId, id) ? id : null,
        author: nameOrNull(author) ?? '',
        date: accepts(values.dateTime, date) ? date : null,
      });
    }
    default:
      return marks.within.create({ key });
  }
}

function nameOrNull(value: string | undefined): string | null {
  return accepts(values.name, value) ? value! : null;
}
