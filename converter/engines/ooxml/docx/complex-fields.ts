import type { FieldMarkType } from '../../../../model/word/fields/field-pairs.ts';
import type { XmlDocument } from '../package/xml-document.ts';
import type { XmlElement } from '../package/xml-scanner.ts';

/** An element of complex fields (17.16.18 and 17.16.23) in a stretch of XML. */
interface FieldElement {
  readonly type: FieldMarkType | 'instruction';
  readonly start: number;
  readonly end: number;
  /** The tracked change (17.13.5) that it stands in. */
  readonly change: 'ins' | 'del' | null;
}

const ATTRIBUTES = `(?:"[^"]*"|'[^']*'|[^'">])*?`;
const ELEMENTS = `<w:(fldChar|instrText|delInstrText)\\b(${ATTRIBUTES})(/?)>|<(/?)w:(txbxContent|ins|del)\\b${ATTRIBUTES}(/?)>`;
const TYPE = /\bw:fldCharType\s*=\s*["'](begin|separate|end)["']/;

/**
 * The elements of fields in a stretch of XML, one list for each story, in order. The stretch itself is the first story, and
 * each text box in it (17.17.1) is one more. A field lies in one story.
 */
export function fieldElementsIn(text: string): FieldElement[][] {
  const main: FieldElement[] = [];
  const stories = [main];
  const around: Story[] = [];
  let story: Story = { elements: main, changes: [] };
  const pattern = new RegExp(ELEMENTS, 'g');
  for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
    const [whole, name, attributes = '', selfClosing, closing, container, emptyContainer] = match;
    if (name === undefined) {
      if (emptyContainer === '/') continue;
      if (container !== 'txbxContent') {
        if (closing === '/') story.changes.pop();
        else story.changes.push(container as 'ins' | 'del');
      } else if (closing === '/') story = around.pop() ?? { elements: main, changes: [] };
      else {
        around.push(story);
        story = { elements: [], changes: [] };
        stories.push(story.elements);
      }
      continue;
    }
    const type = name === 'fldChar' ? (TYPE.exec(attributes)?.[1] as FieldMarkType) : 'instruction';
    if (type === undefined) continue;
    const close = selfClosing === '/' ? -1 : text.indexOf(`</w:${name}>`, match.index);
    const last = close < 0 ? match.index + whole.length : close + `</w:${name}>`.length;
    const { changes } = story;
    const change = changes.includes('del') ? 'del' : (changes.at(-1) ?? null);
    story.elements.push({ type, start: match.index, end: last, change });
    pattern.lastIndex = last;
  }
  return stories;
}

interface Story {
  readonly elements: FieldElement[];
  /** The tracked changes that are open, outermost first. */
  readonly changes: ('ins' | 'del')[];
}

interface OpenField {
  readonly parts: FieldElement[];
  /** The innermost field around it whose instruction it stands in: an instruction in its result is a part of that. */
  readonly within: OpenField | undefined;
  isSeparated: boolean;
}

/** The field that an instruction is of which stands directly in a field. */
function instructed(field: OpenField | undefined): OpenField | undefined {
  return field?.isSeparated ? field.within : field;
}

/**
 * The elements of a story that belong to no field which begins and ends there, in order. What follows the beginning of a field
 * may stand there twice, deleted and inserted: both belong to it.
 */
export function looseElements(story: readonly FieldElement[]): FieldElement[] {
  const loose: FieldElement[] = [];
  const open: OpenField[] = [];
  /** The change in which a field has ended that may go on in the other one, and what has been found of that. */
  let twofold: { ended: 'ins' | 'del'; again: FieldElement[] } | null = null;
  for (const element of story) {
    const last = open.at(-1);
    const { type, change } = element;
    if (twofold && (type === 'begin' || change === null || change === twofold.ended)) {
      loose.push(...twofold.again);
      twofold = null;
    }
    if (twofold) {
      if (type === 'end') twofold = null;
      else twofold.again.push(element);
    } else if (type === 'begin')
      open.push({ parts: [element], within: instructed(last), isSeparated: false });
    else if (type === 'end' && last) {
      open.pop();
      if (change !== null && last.parts[0]!.change === null) twofold = { ended: change, again: [] };
    } else {
      const field = type === 'instruction' ? instructed(last) : last;
      if (!field || field.isSeparated) loose.push(element);
      else {
        field.isSeparated = type === 'separate';
        field.parts.push(element);
      }
    }
  }
  if (twofold) loose.push(...twofold.again);
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

/** Where the complex fields (17.16.18) end that begin among siblings: found in one pass, however many never end. */
export class FieldEnds {
  readonly #xml: XmlDocument;
  readonly #children: readonly XmlElement[];
  #ends: ReadonlyMap<number, number> | undefined;

  constructor(xml: XmlDocument, children: readonly XmlElement[]) {
    this.#xml = xml;
    this.#children = children;
  }

  /** Index of the sibling that ends the field which begins with this one, and lies among these siblings as a whole. */
  of(start: number): number | undefined {
    if (!this.#marksOf(this.#children[start]!).includes('begin')) return undefined;
    this.#ends ??= this.#findEnds();
    return this.#ends.get(start);
  }

  #findEnds(): ReadonlyMap<number, number> {
    const ends = new Map<number, number>();
    /** Siblings whose field has not ended, and how many are open before each, which rises from one to the next. */
    let open: { start: number; before: number }[] = [];
    let depth = 0;
    for (const [index, element] of this.#children.entries()) {
      if (element.name !== 'w:r') {
        // A field that ends within a sibling is none of theirs.
        if (this.#holdsMark(element)) open = [];
        continue;
      }
      const marks = this.#marksOf(element);
      const before = depth;
      for (const mark of marks) depth += mark === 'begin' ? 1 : mark === 'end' ? -1 : 0;
      if (marks.includes('begin')) open.push({ start: index, before });
      for (let last = open.at(-1); last && depth <= last.before; last = open.at(-1)) {
        ends.set(last.start, index);
        open.pop();
      }
    }
    return ends;
  }

  #marksOf(element: XmlElement): (string | undefined)[] {
    if (element.name !== 'w:r') return [];
    const marks = element.children.filter(({ name }) => name === 'w:fldChar');
    return marks.map((mark) => this.#xml.attribute(mark, 'w:fldCharType'));
  }

  #holdsMark(element: XmlElement): boolean {
    return element.children.length > 0 && this.#xml.raw(element).includes('w:fldChar');
  }
}
