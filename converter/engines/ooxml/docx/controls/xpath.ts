import type { XmlDocument } from '../../package/xml-document.ts';
import type { XmlElement } from '../../package/xml-scanner.ts';

/** A name with the namespace that the mappings of its path give it; null stands for any name. */
type NameTest = { readonly namespace: string; readonly local: string } | null;

type Predicate =
  | { readonly type: 'position'; readonly position: number }
  | { readonly type: 'last' }
  | {
      readonly type: 'value';
      readonly of: 'attribute' | 'child' | 'self';
      readonly name: NameTest;
      readonly value: string;
    };

interface Step {
  /** Looked for among all descendants, as after `//`. */
  readonly isDeep: boolean;
  readonly name: NameTest;
  readonly predicates: readonly Predicate[];
}

/**
 * An absolute location path of XPath 1.0: steps to child elements with the predicates that data bindings use, and perhaps an
 * attribute at the end.
 */
interface XPath {
  readonly steps: readonly Step[];
  readonly attribute: NameTest | undefined;
}

/** An element, or an attribute of one by the qualified name that it has there. */
export interface XmlPlace {
  readonly element: XmlElement;
  readonly attribute: string | null;
}

type Prefixes = Readonly<Record<string, string>>;

const MAPPING = /xmlns:([^\s=]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;
const STEP = /^(\/\/?)(?:text\(\)|(@?)((?:[^\s/:@[\]()'"*]+:)?(?:[^\s/:@[\]()'"*]+|\*)))/;
const PREDICATE =
  /^\s*\[\s*(?:(\d{1,9})|(last\(\))|(@?)((?:[^\s/:@[\]()'"*=]+:)?[^\s/:@[\]()'"*=]+|\.|text\(\))\s*=\s*(?:"([^"]*)"|'([^']*)'))\s*\]/;

/** The path that an expression with mappings of prefixes (17.5.2.6) is; undefined for expressions of other kinds. */
export function parseXPath(expression: string, prefixMappings: string): XPath | undefined {
  const prefixes: Record<string, string> = Object.create(null);
  for (const [, prefix, one, other] of prefixMappings.matchAll(MAPPING))
    prefixes[prefix!] = one ?? other ?? '';
  let rest = expression.trim();
  const steps: Step[] = [];
  while (rest !== '') {
    const match = STEP.exec(rest);
    if (!match) return undefined;
    const [whole, slashes, at, qualified] = match;
    rest = rest.slice(whole.length);
    // The text of an element is what a binding to the element means, too.
    if (qualified === undefined)
      return rest === '' && steps.length > 0 ? { steps, attribute: undefined } : undefined;
    const name = nameTest(qualified, prefixes);
    if (name === undefined) return undefined;
    if (at === '@') return rest === '' && name && slashes === '/' ? { steps, attribute: name } : undefined;
    const predicates: Predicate[] = [];
    for (let found = PREDICATE.exec(rest); found; found = PREDICATE.exec(rest)) {
      const predicate = predicateOf(found, prefixes);
      if (!predicate) return undefined;
      predicates.push(predicate);
      rest = rest.slice(found[0].length);
    }
    steps.push({ isDeep: slashes === '//', name, predicates });
  }
  return steps.length > 0 ? { steps, attribute: undefined } : undefined;
}

function nameTest(qualified: string, prefixes: Prefixes): NameTest | undefined {
  if (qualified === '*') return null;
  const [prefix, local] = qualified.includes(':')
    ? (qualified.split(':') as [string, string])
    : ['', qualified];
  if (local === '*') return undefined;
  const namespace = prefix === '' ? '' : prefixes[prefix];
  return namespace === undefined ? undefined : { namespace, local };
}

function predicateOf(match: RegExpExecArray, prefixes: Prefixes): Predicate | undefined {
  const [, position, last, at, qualified = '', one, other] = match;
  if (position !== undefined) return { type: 'position', position: Number(position) };
  if (last !== undefined) return { type: 'last' };
  const value = one ?? other ?? '';
  if (qualified === '.' || qualified === 'text()') return { type: 'value', of: 'self', name: null, value };
  const name = nameTest(qualified, prefixes);
  return name ? { type: 'value', of: at === '@' ? 'attribute' : 'child', name, value } : undefined;
}

/** The first place in a document that a path leads to. */
export function findPlace(xml: XmlDocument, { steps, attribute }: XPath): XmlPlace | undefined {
  const scopes = new Scopes(xml);
  let places = new Set<XmlElement | null>([null]);
  for (const step of steps) {
    const parents = step.isDeep ? withDescendants(xml, places) : places;
    const found = new Set<XmlElement | null>();
    for (const parent of parents) {
      const children = parent ? parent.children : [xml.root];
      let matching = children.filter((child) => scopes.isNamed(child, parent, step.name));
      for (const predicate of step.predicates) matching = filtered(matching, predicate, scopes);
      for (const one of matching) found.add(one);
    }
    places = found;
  }
  for (const element of places) {
    if (!element) continue;
    if (!attribute) return { element, attribute: null };
    const name = scopes.attributeNamed(element, attribute);
    if (name !== undefined) return { element, attribute: name };
  }
  return undefined;
}

function withDescendants(xml: XmlDocument, places: ReadonlySet<XmlElement | null>): Set<XmlElement | null> {
  const all = new Set<XmlElement | null>();
  const visit = (element: XmlElement | null): void => {
    if (all.has(element)) return;
    all.add(element);
    for (const child of element ? element.children : [xml.root]) visit(child);
  };
  for (const place of places) visit(place);
  return all;
}

function filtered(elements: readonly XmlElement[], predicate: Predicate, scopes: Scopes): XmlElement[] {
  switch (predicate.type) {
    case 'position':
      return elements.slice(predicate.position - 1, predicate.position);
    case 'last':
      return elements.slice(-1);
    default:
      return elements.filter((element) =>
        scopes.valuesOf(element, predicate.of, predicate.name).includes(predicate.value),
      );
  }
}

/** The namespaces of the prefixes at each element on the way from the root of a document. */
class Scopes {
  readonly #xml: XmlDocument;
  readonly #scopes = new Map<XmlElement, Prefixes>();

  constructor(xml: XmlDocument) {
    this.#xml = xml;
  }

  isNamed(element: XmlElement, parent: XmlElement | null, test: NameTest): boolean {
    const scope = this.#enter(element, parent);
    if (!test) return true;
    const { prefix, local } = partsOf(element.name);
    return local === test.local && (scope[prefix] ?? '') === test.namespace;
  }

  attributeNamed(element: XmlElement, test: NonNullable<NameTest>): string | undefined {
    const scope = this.#scopes.get(element)!;
    return Object.keys(this.#xml.attributes(element)).find((name) => {
      const { prefix, local } = partsOf(name);
      return local === test.local && (prefix === '' ? '' : scope[prefix]) === test.namespace;
    });
  }

  valuesOf(element: XmlElement, of: 'attribute' | 'child' | 'self', test: NameTest): readonly string[] {
    if (of === 'self') return [this.#xml.content(element)];
    if (of === 'child') {
      return element.children
        .filter((child) => this.isNamed(child, element, test))
        .map((child) => this.#xml.content(child));
    }
    const name = test && this.attributeNamed(element, test);
    return name ? [this.#xml.attribute(element, name)!] : [];
  }

  #enter(element: XmlElement, parent: XmlElement | null): Prefixes {
    const known = this.#scopes.get(element);
    if (known) return known;
    const outer = (parent && this.#scopes.get(parent)) ?? Object.create(null);
    const scope = scopeAt(this.#xml, element, outer);
    this.#scopes.set(element, scope);
    return scope;
  }
}

/** What prefixes mean at an element whose parent has these; the empty prefix is that of elements without one. */
export function scopeAt(xml: XmlDocument, element: XmlElement, outer: Prefixes): Prefixes {
  let scope: Record<string, string> | undefined;
  for (const [name, value] of Object.entries(xml.attributes(element))) {
    if (name !== 'xmlns' && !name.startsWith('xmlns:')) continue;
    scope ??= Object.assign(Object.create(null) as Record<string, string>, outer);
    scope[name.slice('xmlns:'.length)] = value;
  }
  return scope ?? outer;
}

function partsOf(name: string): { prefix: string; local: string } {
  const colon = name.indexOf(':');
  return { prefix: name.slice(0, Math.max(colon, 0)), local: name.slice(colon + 1) };
}
