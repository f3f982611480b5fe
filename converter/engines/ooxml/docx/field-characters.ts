import type { FieldMarkType } from '../../../../model/word/fields/field-pairs.ts';

/** An element of complex fields (17.16.18 and 17.16.23) in a stretch of XML. */
export interface FieldElement {
  readonly type: FieldMarkType | 'instruction';
  readonly start: number;
  readonly end: number;
}

const ATTRIBUTES = `(?:"[^"]*"|'[^']*'|[^'">])*?`;
const ELEMENTS = `<w:(fldChar|instrText|delInstrText)\\b(${ATTRIBUTES})(/?)>|<(/?)w:txbxContent\\b${ATTRIBUTES}(/?)>`;
const TYPE = /\bw:fldCharType\s*=\s*["'](begin|separate|end)["']/;

/**
 * The elements of fields in a stretch of XML by the stories that they are in: that of the stretch itself, and a text box each
 * (17.17.1 says where these are), in the order in which they begin. A field lies in one story.
 */
export function fieldElementsIn(text: string): FieldElement[][] {
  const main: FieldElement[] = [];
  const stories = [main];
  const around: FieldElement[][] = [];
  let story = main;
  const pattern = new RegExp(ELEMENTS, 'g');
  for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
    const [whole, name, attributes = '', selfClosing, closing, emptyBox] = match;
    if (name === undefined) {
      if (closing === '/') story = around.pop() ?? main;
      else if (emptyBox === '') {
        around.push(story);
        story = [];
        stories.push(story);
      }
      continue;
    }
    const type = name === 'fldChar' ? (TYPE.exec(attributes)?.[1] as FieldMarkType) : 'instruction';
    if (type === undefined) continue;
    const close = selfClosing === '/' ? -1 : text.indexOf(`</w:${name}>`, match.index);
    const last = close < 0 ? match.index + whole.length : close + `</w:${name}>`.length;
    story.push({ type, start: match.index, end: last });
    pattern.lastIndex = last;
  }
  return stories;
}

interface OpenField {
  readonly parts: FieldElement[];
  isSeparated: boolean;
}

/** The elements of a story that belong to no field which begins and ends there, in order. */
export function looseElements(story: readonly FieldElement[]): FieldElement[] {
  const loose: FieldElement[] = [];
  const open: OpenField[] = [];
  for (const element of story) {
    const last = open.at(-1);
    if (element.type === 'begin') open.push({ parts: [element], isSeparated: false });
    else if (!last || (last.isSeparated && element.type !== 'end')) loose.push(element);
    else if (element.type === 'end') open.pop();
    else {
      last.isSeparated = element.type === 'separate';
      last.parts.push(element);
    }
  }
  for (const { parts } of open) loose.push(...parts);
  return loose.sort((one, other) => one.start - other.start);
}

/**
 * The XML without halves of fields: a field that begins and does not end hides all that follows it in programs that know
 * fields. What stands between the characters stays.
 */
export function withoutLooseElements(text: string): string {
  if (!text.includes('<w:fldChar') && !text.includes('nstrText')) return text;
  const loose = fieldElementsIn(text).flatMap(looseElements);
  if (loose.length === 0) return text;
  let kept = '';
  let from = 0;
  for (const { start, end } of loose.sort((one, other) => one.start - other.start)) {
    kept += text.slice(from, start);
    from = end;
  }
  return kept + text.slice(from);
}
