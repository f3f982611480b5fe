import type { Declaration } from './namespace-scope.ts';
import type { XmlElement } from './xml-scanner.ts';
import { unescapeXml } from './xml-text.ts';

/** A name in a start tag that means something in a namespace, and where it lies in the text. */
export interface TagName {
  readonly kind: 'element' | 'attribute' | 'token';
  readonly prefix: string;
  /** Empty for a token that is a prefix alone. */
  readonly local: string;
  readonly start: number;
  readonly end: number;
}

export interface TagDeclaration {
  readonly declaration: Declaration;
  /** Where the attribute's name lies. */
  readonly start: number;
  readonly end: number;
}

/** What a start tag says about namespaces. */
export interface TagNames {
  readonly names: readonly TagName[];
  readonly declarations: readonly TagDeclaration[];
  /** The mark of the tag with the blank before it. */
  readonly mark: { readonly value: string; readonly start: number; readonly end: number } | undefined;
}

/** Names an attribute that no file has, as XML cannot hold the character. */
export const TAG_MARK = '\u0001';

const ATTRIBUTE = /(?<![^\s=/"'])([^\s=/]+)(\s*=\s*)(?:"([^"]*)"|'([^']*)')/g;
/** Attributes whose value is a list of prefixes, or of names (Part 3, 7.2 to 7.6). */
const LISTS =
  /^(?:[^:]+:(?:Ignorable|MustUnderstand|ProcessContent|PreserveElements|PreserveAttributes)|Requires)$/;

const MARKS = new RegExp(` ${TAG_MARK}="\\d+"`, 'g');

export function withoutTagMarks(text: string): string {
  return text.replace(MARKS, '');
}

/** The names of a start tag, in the order in which they stand there. */
export function tagNames(text: string, element: XmlElement): TagNames {
  const names = [qualified('element', element.name, element.start + 1)];
  const declarations: TagDeclaration[] = [];
  let mark: TagNames['mark'];
  const base = element.attributesStart;
  const end = element.openEnd - (element.selfClosing ? 2 : 1);
  if (end <= base) return { names, declarations, mark };
  for (const match of text.slice(base, end).matchAll(ATTRIBUTE)) {
    const [, name = '', equals = '', double, single] = match;
    const start = base + match.index;
    const value = double ?? single ?? '';
    if (name === TAG_MARK) mark = { value, start: start - 1, end: start + match[0].length };
    else if (name === 'xmlns' || name.startsWith('xmlns:')) {
      const declaration = [name.slice('xmlns:'.length), unescapeXml(value)] as const;
      declarations.push({ declaration, start, end: start + name.length });
    } else if (name.includes(':')) names.push(qualified('attribute', name, start));
    if (!LISTS.test(name)) continue;
    const valueStart = start + name.length + equals.length + 1;
    for (const token of value.matchAll(/\S+/g))
      names.push(qualified('token', token[0], valueStart + token.index));
  }
  return { names, declarations, mark };
}

/** A name as it is written with a prefix. */
export function nameWith(prefix: string, local: string): string {
  if (prefix === '') return local;
  return local === '' ? prefix : `${prefix}:${local}`;
}

function qualified(kind: TagName['kind'], name: string, start: number): TagName {
  const colon = name.indexOf(':');
  const isPrefix = kind === 'token' && colon < 0;
  const prefix = isPrefix ? name : name.slice(0, Math.max(0, colon));
  const local = isPrefix ? '' : name.slice(colon + 1);
  return { kind, prefix, local, start, end: start + name.length };
}
