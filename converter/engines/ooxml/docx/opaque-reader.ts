import type { Mark, Node } from 'prosemirror-model';
import { accepts } from '../../../../model/word/attributes.ts';
import { wordSchema } from '../../../../model/word/schema.ts';
import * as values from '../../../../model/word/values.ts';
import type { XmlDocument } from '../package/xml-document.ts';
import type { XmlElement } from '../package/xml-scanner.ts';
import { unescapeXml } from '../package/xml-text.ts';
import { noteWhole } from './controls/control-reader.ts';
import { previewOf } from './drawing-reader.ts';
import type { ReadContext } from './read-context.ts';

/** A block that the model does not hold. */
export function readOpaqueBlock(context: ReadContext, element: XmlElement, previousEnd: number): Node {
  const { xml, map } = context;
  const { start, end } = element;
  const attrs = {
    id: map.nextId('o'),
    kind: kindName(element.name),
    label: labelOf(xml.text, start, end),
    ref: referenceOf(xml, element),
    ...previewOf(context, start, end),
  };
  const node = wordSchema.nodes.opaque_block.create(attrs);
  map.addBlock({ kind: 'opaque', node, start, end, previousEnd });
  map.addFieldMarks(node.attrs.id, xml.text, start, end);
  noteWhole(context, element, node.attrs.id);
  return node;
}

/**
 * A node for XML that the model does not hold, from an element to an end that may lie in a later sibling.
 * @param ref what it refers to
 */
export function readOpaque(
  context: ReadContext,
  { start }: XmlElement,
  kind: string,
  end: number,
  marks: readonly Mark[],
  inRun: boolean,
  ref: string | null = null,
): Node {
  const { xml, map } = context;
  const attrs = {
    id: map.nextId('a'),
    kind: kindName(kind),
    label: labelOf(xml.text, start, end),
    ref,
    ...previewOf(context, start, end),
  };
  const node = wordSchema.nodes.opaque_inline.create(attrs, null, marks);
  map.addInline({ kind: 'inline', node, start, end, inRun });
  map.addFieldMarks(node.attrs.id, xml.text, start, end);
  return node;
}

/** An element's name as far as the `kind` attribute can say it. */
export function kindName(name: string): string {
  return name.replace(/[^A-Za-z0-9_.:-]/g, '').slice(0, 64);
}

/** What an element is referred to by: the start of a bookmark (17.13.6.2) by its name, others by their number. */
export function referenceOf(xml: XmlDocument, element: XmlElement): string | null {
  const ref = xml.attribute(element, element.name === 'w:bookmarkStart' ? 'w:name' : 'w:id') ?? null;
  return accepts(values.name, ref) ? ref : null;
}

const LABEL_CHARS = 200;
/** Text of paragraphs, equations, drawings and text art; what stands for white space; and forms for old programs. */
const TEXT =
  /<(w|m|a):t(?:\s[^<>]*)?>(?<text>[^<]*)<\/\1:t>|<v:textpath\b[^<>]*\sstring="(?<art>[^"<>]*)"|<\/?mc:Fallback\b|<(?:\/w:p|\/a:p|w:tab|w:br|w:cr)\b/g;
const DESCRIPTION = /<wp:docPr\b[^<>]*\sdescr="([^"<>]+)"/;

/** A check box of a form (17.16.7) and its state, of which the one that somebody set counts. */
const CHECK_BOX = /<w:checkBox>([\s\S]*?)<\/w:checkBox>/;
const CHECKED = /<w:checked\b([^<>]*)>/;
const CHECKED_FIRST = /<w:default\b([^<>]*)>/;

/**
 * The text of a stretch of XML, shortened, to be shown in place of what the model does not hold, or else the
 * description of its drawing, or the state of its check box. A field's is its result, as instructions are no text;
 * what is there a second time for old programs is not said twice.
 */
function labelOf(text: string, start: number, end: number): string {
  const source = text.slice(start, end);
  let label = '';
  let fallbacks = 0;
  for (const { 0: match, groups } of source.matchAll(TEXT)) {
    if (label.length > LABEL_CHARS) break;
    if (match.startsWith('<mc:')) fallbacks++;
    else if (match.startsWith('</mc:')) fallbacks--;
    else if (fallbacks === 0) label = tidy(label + unescapeXml(groups?.text ?? groups?.art ?? ' '));
  }
  const description = tidy(unescapeXml(DESCRIPTION.exec(source)?.[1] ?? '')).trim();
  return shortened(label.trim() || description || checkBoxOf(source));
}

function checkBoxOf(source: string): string {
  const [, box] = CHECK_BOX.exec(source) ?? [];
  if (box === undefined) return '';
  const [, attributes] = CHECKED.exec(box) ?? CHECKED_FIRST.exec(box) ?? [];
  const isChecked = attributes !== undefined && !/\bw:val\s*=\s*["'](?:0|false|off)["']/.test(attributes);
  return isChecked ? '\u2612' : '\u2610';
}

function tidy(label: string): string {
  return label.replace(/\s+/g, ' ');
}

function shortened(label: string): string {
  if (label.length <= LABEL_CHARS) return label;
  return `${label.slice(0, LABEL_CHARS - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}
