import type { Mark, Node } from 'prosemirror-model';
import { accepts } from '../../../../model/word/attributes.ts';
import { wordSchema } from '../../../../model/word/schema.ts';
import * as values from '../../../../model/word/values.ts';
import type { XmlElement } from '../package/xml-scanner.ts';
import { readPicture } from './drawing-reader.ts';
import { readOpaque, referenceOf } from './opaque-reader.ts';
import type { ReadContext } from './read-context.ts';
import { shownText } from './run-text.ts';

const { nodes } = wordSchema;

/** The nodes of a run (17.3.2.25), with its properties and those around it as marks. */
export function readRun(context: ReadContext, run: XmlElement, around: readonly Mark[]): Node[] {
  const { xml, runs } = context;
  const own = runs.read(xml, xml.child(run, 'w:rPr'));
  const marks = around.reduce<readonly Mark[]>((set, mark) => mark.addToSet(set), own);
  const found: Node[] = [];
  for (const element of run.children) {
    const node = readRunContent(context, element, marks);
    if (node) found.push(node);
  }
  return found;
}

function readRunContent(context: ReadContext, element: XmlElement, marks: readonly Mark[]): Node | undefined {
  const { xml } = context;
  switch (element.name) {
    case 'w:rPr':
    case 'w:lastRenderedPageBreak':
      return undefined;
    case 'w:t':
    case 'w:delText': {
      const text = shownText(xml, element);
      return text === '' ? undefined : wordSchema.text(text, marks);
    }
    case 'w:tab':
      return nodes.tab.create(null, null, marks);
    case 'w:cr':
      return nodes.line_break.create(null, null, marks);
    case 'w:br':
      return readBreak(context, element, marks);
    case 'w:noBreakHyphen':
      return wordSchema.text('\u2011', marks);
    case 'w:softHyphen':
      return wordSchema.text('\u00ad', marks);
    case 'w:drawing':
      return readDrawing(context, element, marks);
    case 'w:commentReference':
      return (
        readComment(context, element, marks) ??
        readOpaque(context, element, element.name, element.end, marks, true)
      );
    case 'w:footnoteReference':
    case 'w:endnoteReference': {
      const ref = referenceOf(xml, element);
      return readOpaque(context, element, element.name, element.end, marks, true, ref);
    }
    default:
      return readOpaque(context, element, element.name, element.end, marks, true);
  }
}

function readBreak(context: ReadContext, element: XmlElement, marks: readonly Mark[]): Node {
  const { 'w:type': type = null, ...others } = context.xml.attributes(element);
  const plain = Object.keys(others).length === 0 && (type === null || accepts(values.breakType, type));
  if (plain) return nodes.line_break.create({ type }, null, marks);
  return readOpaque(context, element, element.name, element.end, marks, true);
}

function readDrawing(context: ReadContext, element: XmlElement, marks: readonly Mark[]): Node {
  const attrs = readPicture(context, element);
  if (!attrs) return readOpaque(context, element, element.name, element.end, marks, true);
  const node = nodes.image.create({ ...attrs, id: context.map.nextId('i') }, null, marks);
  context.map.addInline({ kind: 'inline', node, start: element.start, end: element.end, inRun: true });
  return node;
}

/**
 * The node of a `w:commentReference` (17.13.4.5), or undefined when the file has no such comment or a reference
 * before this one names it.
 */
function readComment(context: ReadContext, element: XmlElement, marks: readonly Mark[]): Node | undefined {
  const { xml, comments, map } = context;
  const ref = xml.attribute(element, 'w:id') ?? '';
  const entry = comments.entries.get(ref);
  if (!entry || comments.nodeOf(ref)) return undefined;
  const node = wordSchema.nodes.comment.create({ ...entry.attrs, id: map.nextId('k') }, null, marks);
  comments.claim(node);
  return node;
}
