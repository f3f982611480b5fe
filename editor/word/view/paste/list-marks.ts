import type { ListKind } from '../../../../model/word/new-lists.ts';

/** Attributes by which cleaning tells the parser that a block belongs to a list. */
export const listIdAttribute = 'data-paste-list';
export const listLevelAttribute = 'data-paste-level';

export const deepestLevel = 8;

/** Makes a tag for a list that nobody else's has. */
export type NewTag = () => string;

/** The kind of list whose labels look like this one. */
export function kindOfLabel(label: string): ListKind {
  const text = label.replace(/[\s\u00a0]+/g, '');
  if (/^\(?\d+[.)\]:]?$/.test(text)) return 'decimal';
  if (/^\d+(?:\.\d+)+\.?$/.test(text)) return 'outline';
  if (/^\(?(?:i|[ivxlc]{2,})[.)]$/i.test(text)) return 'roman';
  return /^\(?[a-z][.)]$/i.test(text) ? 'alpha' : 'bullet';
}

/** Kind of an `ol` or `ul`. */
export function kindOfList(list: Element): ListKind {
  if (list.tagName !== 'OL') return 'bullet';
  const type = `${list.getAttribute('type') ?? ''} ${list.getAttribute('style') ?? ''}`;
  if (/^[aA]\b|(?:alpha|latin)/.test(type)) return 'alpha';
  return /^[iI]\b|roman/.test(type) ? 'roman' : 'decimal';
}
