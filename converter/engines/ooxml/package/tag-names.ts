import type { XmlElement } from './xml-scanner.ts';
import { unescapeXml } from './xml-text.ts';

/** A prefix (empty for the default namespace) and the namespace that it is bound to (empty: none). */
export type Declaration = readonly [prefix: string, namespace: string];

/** The namespace declarations in force at a place of a document that is walked through. Nobody declares `xml`. */
export class NamespaceScope {
  readonly #bound = new Map<string, string[]>();

  push(declarations: readonly Declaration[]): void {
    for (const [prefix, namespace] of declarations) {
      const bound = this.#bound.get(prefix);
      if (bound) bound.push(namespace);
      else this.#bound.set(prefix, [namespace]);
    }
  }

  pop(declarations: readonly Declaration[]): void {
    for (const [prefix] of declarations) this.#bound.get(prefix)?.pop();
  }

  /** Binds a prefix that nothing around binds, as if the root did. */
  bindOutermost(prefix: string, namespace: string): void {
    this.#bound.set(prefix, [namespace, ...(this.#bound.get(prefix) ?? [])]);
  }

  /** Undefined for a prefix that is not bound, and for no prefix where there is no default namespace. */
  namespaceOf(prefix: string): string | undefined {
    return this.#bound.get(prefix)?.at(-1) || undefined;
  }

  /** A prefix other than the empty one that is bound to a namespace here. */
  prefixOf(namespace: string): string | undefined {
    for (const [prefix, bound] of this.#bound) {
      if (prefix !== '' && bound.at(-1) === namespace) return prefix;
    }
    return undefined;
  }
}

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
interface TagNames {
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
