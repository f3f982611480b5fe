import type { Attrs, Mark } from 'prosemirror-model';
import { attributesXml, escapeAttribute, withAttributes } from '../package/xml-text.ts';
import { writableDate } from './simple-types.ts';
import type { Wrapper } from './source-map.ts';
import type { WriteContext } from './write-context.ts';

/** The element around runs that a mark stands for: that of the file when the mark is unchanged, else a new one. */
export function wrapperOf(context: WriteContext, mark: Mark): Wrapper | undefined {
  const { map } = context.source;
  const source = mark.attrs.key === null ? undefined : map.wrappers[mark.attrs.key];
  if (source?.mark.eq(mark)) return reopened(context, source);
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

/** An element of the file around runs, to be opened once more. A tracked change in several pieces gets an id for each. */
export function reopened(context: WriteContext, wrapper: Wrapper): Wrapper {
  if (!isRevision(wrapper.mark) || !context.standsInPieces(wrapper.mark)) return wrapper;
  return { ...wrapper, openXml: withAttributes(wrapper.openXml, { 'w:id': context.nextRevisionId() }) };
}

export function isRevision({ type }: Mark): boolean {
  return type.name === 'ins' || type.name === 'del';
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
  return `<w:${type.name}${revisionAttributes(context, attrs)}>`;
}

/** The attributes with which a tracked change is written (17.13.5). */
export function revisionAttributes(context: WriteContext, { author, date }: Attrs): string {
  return attributesXml({
    'w:id': context.nextRevisionId(),
    'w:author': author,
    'w:date': writableDate(date),
  });
}
