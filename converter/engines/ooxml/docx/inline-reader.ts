import type { Mark, Node } from 'prosemirror-model';
import { wordSchema } from '../../../../model/word/schema.ts';
import type { XmlElement } from '../package/xml-scanner.ts';
import { noteWhole } from './controls/control-reader.ts';
import { FieldEnds } from './field-ends.ts';
import type { ReadContext } from './read-context.ts';
import { referenceOf } from './reference.ts';
import { kindName, readOpaque, readRun } from './run-reader.ts';
import type { InlineItem, Wrapper } from './source-map.ts';
import { openWrapper } from './wrapper-reader.ts';

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

export interface InlineContent {
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
