import { Fragment, type Mark, type Node, type ResolvedPos, Slice } from 'prosemirror-model';
import { wordSchema } from '../../../../model/word/schema.ts';
import { opaqueLook } from '../nodes/opaque-look.ts';
import { cleanCharacters } from './clean-html.ts';

const { nodes } = wordSchema;

/**
 * Text without formatting, as it is pasted: each line a paragraph like the one of the cursor, in the marks that are in
 * effect there.
 */
export function sliceOfText(text: string, $context: ResolvedPos): Slice {
  const parent = $context.parent.type === nodes.paragraph ? $context.parent : null;
  const around = $context.parent.inlineContent ? $context.marks() : [];
  const kept = around.filter(({ type }) => !['link', 'within', 'ins', 'del'].includes(type.name));
  const { id = null, origin = null, ...rest } = parent?.attrs ?? {};
  const attrs = {
    ...rest,
    id: null,
    origin: id ?? origin,
    markInserted: null,
    markDeleted: null,
    pageBreakBefore: null,
  };
  const lines = cleanCharacters(text)
    .replace(/\n$/, '')
    .split(/\r\n?|\n/);
  const paragraphs = lines.map((line) => nodes.paragraph.create(attrs, inlineOf(line, kept)));
  return new Slice(Fragment.fromArray(paragraphs), 1, 1);
}

function inlineOf(line: string, kept: readonly Mark[]): Node[] {
  return line.split(/(\t)/).flatMap((part) => {
    if (part === '') return [];
    return [part === '\t' ? nodes.tab.create(null, null, kept) : wordSchema.text(part, kept)];
  });
}

/** A slice as text: a line for each paragraph, cells of a row separated by tabs. */
export function textOfSlice({ content }: Slice): string {
  return linesOf(content).join('\n');
}

function linesOf(content: Fragment): string[] {
  const lines: string[] = [];
  let inline = '';
  let hasInline = false;
  content.forEach((node) => {
    if (node.isInline) {
      hasInline = true;
      inline += inlineText(node);
    } else if (node.type === nodes.table_row) {
      lines.push(node.children.map((cell) => linesOf(cell.content).join(' ')).join('\t'));
    } else if (node.type === nodes.paragraph) {
      lines.push(node.children.map(inlineText).join(''));
    } else if (node.type === nodes.opaque_block) {
      lines.push(node.attrs.label);
    } else lines.push(...linesOf(node.content));
  });
  return hasInline ? [inline, ...lines] : lines;
}

function inlineText(node: Node): string {
  if (node.isText) return node.text ?? '';
  if (node.type === nodes.opaque_inline) return opaqueLook(node) === 'text' ? node.attrs.label : '';
  return node.type.spec.leafText?.(node) ?? '';
}
