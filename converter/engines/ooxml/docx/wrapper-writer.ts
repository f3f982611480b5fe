import type { Mark } from 'prosemirror-model';
import { attributesXml, escapeAttribute } from '../xml-text.ts';
import type { Wrapper } from './source-map.ts';
import type { WriteContext } from './write-context.ts';

const WRAPPING = new Set(['link', 'within', 'ins', 'del']);

export function isWrapping(mark: Mark): boolean {
  return WRAPPING.has(mark.type.name);
}

/** The element around runs that a mark stands for: that of the file when the mark is unchanged, else a new one. */
export function wrapperOf(context: WriteContext, mark: Mark): Wrapper | undefined {
  const { map } = context.source;
  const source = mark.attrs.key === null ? undefined : map.wrappers[mark.attrs.key];
  if (source?.mark.eq(mark)) return source;
  switch (mark.type.name) {
    case 'link':
      return { mark, openXml: linkXml(context, mark), closeXml: '</w:hyperlink>' };
    case 'ins':
    case 'del':
      return { mark, openXml: revisionXml(context, mark), closeXml: `</w:${mark.type.name}>` };
    default:
      return undefined;
  }
}

function linkXml({ additions, source }: WriteContext, { attrs }: Mark): string {
  let relationship = '';
  if (attrs.href !== null) {
    const id = escapeAttribute(additions.hyperlink(attrs.href));
    const { relationships } = source.vocabulary;
    const bound = source.xml.attribute(source.xml.root, 'xmlns:r') === relationships;
    relationship = `${bound ? '' : ` xmlns:r="${relationships}"`} r:id="${id}"`;
  }
  return `<w:hyperlink${relationship}${attributesXml({ 'w:anchor': attrs.anchor, 'w:tooltip': attrs.tooltip })}>`;
}

function revisionXml(context: WriteContext, { type, attrs }: Mark): string {
  const id = attrs.id ?? context.nextRevisionId();
  return `<w:${type.name}${attributesXml({ 'w:id': id, 'w:author': attrs.author, 'w:date': attrs.date })}>`;
}
