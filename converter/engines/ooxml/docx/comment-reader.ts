import type { Mark, Node } from 'prosemirror-model';
import { wordSchema } from '../../../../model/word/schema.ts';
import type { XmlElement } from '../package/xml-scanner.ts';
import type { ReadContext } from './read-context.ts';

/**
 * The node of a `w:commentReference` (17.13.4.5), or undefined when the file has no such comment or a reference
 * before this one names it.
 */
export function readComment(
  context: ReadContext,
  element: XmlElement,
  marks: readonly Mark[],
): Node | undefined {
  const { xml, comments, map } = context;
  const ref = xml.attribute(element, 'w:id') ?? '';
  const entry = comments.entries.get(ref);
  if (!entry || comments.nodeOf(ref)) return undefined;
  const node = wordSchema.nodes.comment.create({ ...entry.attrs, id: map.nextId('k') }, null, marks);
  comments.claim(node);
  return node;
}
