import { corrupted, overLimit } from '../../../errors.ts';
import type { KnownPrefixes } from './namespaces.ts';
import {
  type Declaration,
  NamespaceScope,
  nameWith,
  TAG_MARK,
  type TagDeclaration,
  type TagName,
  tagNames,
} from './tag-names.ts';
import { applyEdits, type TextEdit } from './text-edits.ts';
import { scanXml, type XmlElement } from './xml-scanner.ts';
import { attributesXml, unescapeXml } from './xml-text.ts';

/** Files have a few dozen; each name of a file may have to be looked for among all of them. */
const MOST_DECLARATIONS = 1_000;

interface PartPrefixes {
  /** All that the part declares, in any order that is always the same. */
  readonly declared: readonly Declaration[];
  /** What its root declares. */
  readonly ofRoot: readonly Declaration[];
  readonly rootPrefix: string;
  readonly known: KnownPrefixes;
}

/** One prefix for each namespace of a part, also where the part binds it to several prefixes. */
class CanonicalPrefixes {
  readonly #declared: ReadonlySet<string>;
  readonly #prefixes = new Map<string, string>();
  readonly #namespaces = new Map<string, string>();
  /** The prefixes of the root: of elements, and of attributes. */
  readonly #ofElements = new Map<string, string>();
  readonly #ofOthers = new Map<string, string>();
  #number = 0;

  /** @throws ConversionError limits */
  constructor({ declared, ofRoot, rootPrefix, known }: PartPrefixes) {
    this.#declared = new Set(declared.map(([prefix]) => prefix));
    for (const [prefix, namespace] of declared) {
      if (namespace === '' || this.#prefixes.has(namespace)) continue;
      if (this.#prefixes.size >= MOST_DECLARATIONS) throw overLimit('XML: too many namespaces');
      const canonical = this.#free(known, namespace, prefix);
      this.#prefixes.set(namespace, canonical);
      this.#namespaces.set(canonical, namespace);
    }
    for (const [prefix, namespace] of ofRoot) {
      const isFirst = !this.#ofElements.has(namespace);
      if (isFirst || prefix === rootPrefix) this.#ofElements.set(namespace, prefix);
      if (prefix !== '' && !this.#ofOthers.has(namespace)) this.#ofOthers.set(namespace, prefix);
    }
  }

  #free(known: KnownPrefixes, namespace: string, present: string): string {
    const wanted = known.of(namespace);
    if (wanted !== undefined && !this.#namespaces.has(wanted)) return wanted;
    const isFree = present !== '' && !known.has(present) && !this.#namespaces.has(present);
    return isFree ? present : this.unused('q');
  }

  /** Whether the part as it was read declares a prefix somewhere. */
  isDeclared(prefix: string): boolean {
    return this.#declared.has(prefix);
  }

  /** A prefix that nothing in the part has. */
  unused(preferred: string): string {
    let prefix = preferred;
    while (this.#declared.has(prefix) || this.#namespaces.has(prefix)) prefix = `q${++this.#number}`;
    this.#namespaces.set(prefix, this.#namespaces.get(prefix) ?? '');
    return prefix;
  }

  prefixOf(namespace: string): string | undefined {
    return this.#prefixes.get(namespace);
  }

  /** The namespace that a canonical prefix stands for. */
  namespaceOf(canonical: string): string | undefined {
    return this.#namespaces.get(canonical) || undefined;
  }

  /** Notes a namespace that was not in the part when it was read. */
  add([prefix, namespace]: Declaration): void {
    if (this.#namespaces.get(prefix) === undefined) this.#namespaces.set(prefix, namespace);
  }

  /** Whether a declaration of the root is the one that its namespace goes by in the canonical form. */
  isPrincipal([prefix, namespace]: Declaration): boolean {
    return prefix === (this.#ofOthers.get(namespace) ?? this.#ofElements.get(namespace));
  }

  /** The prefix that the part would use for a name at a place; undefined when none is bound there. */
  usual(
    { kind, prefix: canonical }: Pick<TagName, 'kind' | 'prefix'>,
    scope: NamespaceScope,
  ): string | undefined {
    const namespace = this.namespaceOf(canonical);
    if (namespace === undefined) return canonical;
    const usual = (kind === 'element' ? this.#ofElements : this.#ofOthers).get(namespace);
    if (usual !== undefined && scope.namespaceOf(usual) === namespace) return usual;
    return scope.namespaceOf(canonical) === namespace ? canonical : scope.prefixOf(namespace);
  }
}

const DECLARATION = /\sxmlns(?::([^\s=<>"'/]+))?\s*=\s*(?:"([^"<]*)"|'([^'<]*)')/g;
/** What Office 2007 calls `mc`. */
const USUAL_ALIAS = 've';

/**
 * The form of a part that our code reads and writes: each namespace has one prefix in all of it, the one by which our
 * code knows it, so that a piece of the text means the same wherever it is put. Declarations below the root stay where
 * they are and mean nothing here.
 */
export class CanonicalXml {
  readonly text: string;
  readonly #prefixes: CanonicalPrefixes;
  readonly #dialects: Dialect[] = [];
  readonly #dialectIndex = new Map<string, number>();

  /**
   * The canonical form of a text; undefined for one that has that form.
   * @throws ConversionError corrupted for a text that it cannot be told from, limits
   */
  static of(text: string, root: XmlElement, known: KnownPrefixes): CanonicalXml | undefined {
    return isCanonical(text, root, known) ? undefined : new CanonicalXml(text, root, known);
  }

  private constructor(text: string, root: XmlElement, known: KnownPrefixes) {
    if (text.includes(TAG_MARK)) throw corrupted('XML: a character that XML cannot hold');
    const ofRoot = tagNames(text, root).declarations.map(({ declaration }) => declaration);
    const rootPrefix = root.name.slice(0, Math.max(0, root.name.indexOf(':')));
    const declared = [...declarationsIn(text)].map(({ declaration }) => declaration);
    this.#prefixes = new CanonicalPrefixes({ declared, ofRoot, rootPrefix, known });
    this.text = applyEdits(text, this.#edits(text, root));
    if (this.restore(this.text) !== text) throw corrupted('XML: names that namespaces do not tell apart');
  }

  /**
   * A text of pieces of the canonical form, and of names that our code knows, with the prefixes that the file has for
   * them, or such as are bound to the right namespace at the place where they are now.
   */
  restore(text: string): string {
    return restoredXml(text, this.#prefixes, this.#dialects);
  }

  #edits(text: string, root: XmlElement): TextEdit[] {
    const edits: TextEdit[] = [];
    const scope = new NamespaceScope();
    const visit = (element: XmlElement): void => {
      const { names, declarations } = tagNames(text, element);
      const declared = declarations.map(({ declaration }) => declaration);
      scope.push(declared);
      const dialect = new Map<string, FilePrefix>();
      if (element === root) {
        for (const { declaration, start, end } of declarations) {
          const given = text.slice(start, end);
          const name = this.#nameOfDeclaration(declaration);
          if (name === given) continue;
          edits.push({ start, end, text: name });
          dialect.set(name, { prefix: given, isFixed: true });
        }
      }
      let elementName = element.name;
      for (const [index, name] of names.entries()) {
        const namespace = scope.namespaceOf(name.prefix);
        const prefix = namespace === undefined ? name.prefix : this.#prefixes.prefixOf(namespace)!;
        const canonical = { ...name, prefix };
        const canonicalName = nameWith(prefix, name.local);
        if (name.kind === 'element') elementName = canonicalName;
        if (prefix !== name.prefix) edits.push({ start: name.start, end: name.end, text: canonicalName });
        if (this.#prefixes.usual(canonical, scope) !== name.prefix)
          dialect.set(keyOf(canonical, index), { prefix: name.prefix, isFixed: namespace === undefined });
      }
      if (dialect.size > 0) {
        const at = element.attributesStart;
        edits.push({ start: at, end: at, text: ` ${TAG_MARK}="${this.#indexOf(dialect)}"` });
      }
      for (const child of element.children) visit(child);
      if (elementName !== element.name && !element.selfClosing) {
        const start = element.closeStart + 2;
        edits.push({ start, end: start + element.name.length, text: elementName });
      }
      scope.pop(declared);
    };
    visit(root);
    return edits;
  }

  #nameOfDeclaration(declaration: Declaration): string {
    const [prefix, namespace] = declaration;
    if (namespace === '') return prefix === '' ? 'xmlns' : `xmlns:${prefix}`;
    const isPrincipal = this.#prefixes.isPrincipal(declaration);
    const name = isPrincipal ? this.#prefixes.prefixOf(namespace) : this.#prefixes.unused('q');
    return name === '' ? 'xmlns' : `xmlns:${name}`;
  }

  #indexOf(dialect: Dialect): number {
    const key = JSON.stringify([...dialect]);
    const known = this.#dialectIndex.get(key);
    if (known !== undefined) return known;
    const index = this.#dialects.push(dialect) - 1;
    this.#dialectIndex.set(key, index);
    return index;
  }
}

interface FoundDeclaration {
  readonly declaration: Declaration;
  readonly start: number;
}

/** The declarations in a text, and what looks like one in its data. */
function* declarationsIn(text: string): Generator<FoundDeclaration> {
  for (const { 1: prefix = '', 2: double, 3: single, index } of text.matchAll(DECLARATION)) {
    yield { declaration: [prefix, unescapeXml(double ?? single ?? '')], start: index };
  }
}

/** True when no piece of the text depends on where it stands, and our code knows it by the prefixes that it has. */
function isCanonical(text: string, root: XmlElement, known: KnownPrefixes): boolean {
  const ofRoot = new Map(tagNames(text, root).declarations.map(({ declaration }) => declaration));
  for (const { declaration, start } of declarationsIn(text)) {
    const [prefix, namespace] = declaration;
    const isKnownAs = known.of(namespace) ?? (known.has(prefix) ? undefined : prefix);
    if (isKnownAs !== prefix && prefix !== USUAL_ALIAS) return false;
    if (start < root.openEnd || ofRoot.get(prefix) === namespace) continue;
    if (!known.isMovedWhole(text, text.lastIndexOf('<', start))) return false;
  }
  return true;
}

/** The prefix that a file has for a name; fixed where nothing binds it. */
interface FilePrefix {
  readonly prefix: string;
  readonly isFixed: boolean;
}

/** What a tag has otherwise than the file usually has it, by the keys of names, and by the names of declarations. */
type Dialect = ReadonlyMap<string, FilePrefix>;

/** @param index of the name in its tag, by which one token is told from another */
function keyOf({ kind, prefix, local }: Pick<TagName, 'kind' | 'prefix' | 'local'>, index: number): string {
  return `${kind} ${nameWith(prefix, local)}${kind === 'token' ? ` ${index}` : ''}`;
}

/**
 * A text in canonical form as its file says it. What a piece needs and nothing binds where it is now, the root binds.
 * @param dialects those that tags are marked with
 */
function restoredXml(text: string, prefixes: CanonicalPrefixes, dialects: readonly Dialect[]): string {
  const root = scanXml(text);
  const writer = new NameWriter(text, root, prefixes, dialects);
  return writer.restored();
}

class NameWriter {
  readonly #text: string;
  readonly #root: XmlElement;
  readonly #prefixes: CanonicalPrefixes;
  readonly #dialects: readonly Dialect[];
  readonly #scope = new NamespaceScope();
  readonly #edits: TextEdit[] = [];
  readonly #added: Record<string, string> = {};

  constructor(text: string, root: XmlElement, prefixes: CanonicalPrefixes, dialects: readonly Dialect[]) {
    this.#text = text;
    this.#root = root;
    this.#prefixes = prefixes;
    this.#dialects = dialects;
  }

  restored(): string {
    this.#visit(this.#root);
    const { openEnd, selfClosing } = this.#root;
    const end = openEnd - (selfClosing ? 2 : 1);
    return applyEdits(this.#text, [...this.#edits, { start: end, end, text: attributesXml(this.#added) }]);
  }

  #visit(element: XmlElement): void {
    const { names, declarations, mark } = tagNames(this.#text, element);
    const dialect = this.#dialects[Number(mark?.value)];
    if (mark) this.#edits.push({ start: mark.start, end: mark.end, text: '' });
    const declared =
      element === this.#root
        ? this.#ofRoot(declarations, dialect)
        : declarations.map(({ declaration }) => declaration);
    this.#scope.push(declared);
    let elementName = element.name;
    for (const [index, name] of names.entries()) {
      const written = nameWith(this.#prefixOf(name, dialect?.get(keyOf(name, index))), name.local);
      if (name.kind === 'element') elementName = written;
      const { start, end } = name;
      if (this.#text.slice(start, end) !== written) this.#edits.push({ start, end, text: written });
    }
    for (const child of element.children) this.#visit(child);
    if (elementName !== element.name && !element.selfClosing) {
      const start = element.closeStart + 2;
      this.#edits.push({ start, end: start + element.name.length, text: elementName });
    }
    this.#scope.pop(declared);
  }

  #prefixOf(name: TagName, file: FilePrefix | undefined): string {
    if (file?.isFixed) return file.prefix;
    const namespace = this.#prefixes.namespaceOf(name.prefix);
    if (namespace === undefined) return name.prefix;
    if (file && this.#scope.namespaceOf(file.prefix) === namespace) return file.prefix;
    return this.#prefixes.usual(name, this.#scope) ?? this.#bindAtRoot(name.prefix, namespace);
  }

  #bindAtRoot(canonical: string, namespace: string): string {
    const prefix = this.#prefixes.isDeclared(canonical) ? this.#prefixes.unused('q') : canonical;
    this.#scope.bindOutermost(prefix, namespace);
    this.#added[`xmlns:${prefix}`] = namespace;
    return prefix;
  }

  /** The declarations of the root: the file's, and those that were put there meanwhile. */
  #ofRoot(declarations: readonly TagDeclaration[], dialect: Dialect | undefined): Declaration[] {
    const names = new Set<string>();
    const nameOf = ({ start, end }: TagDeclaration) => this.#text.slice(start, end);
    const ofFile = (one: TagDeclaration) => dialect?.get(nameOf(one))?.prefix;
    for (const one of declarations) names.add(ofFile(one) ?? '');
    return declarations.map((one) => {
      const [, namespace] = one.declaration;
      this.#prefixes.add(one.declaration);
      const given = nameOf(one);
      const isTaken = ofFile(one) === undefined && names.has(given);
      const name = ofFile(one) ?? (isTaken ? `xmlns:${this.#prefixes.unused('q')}` : given);
      if (name !== given) this.#edits.push({ start: one.start, end: one.end, text: name });
      return [name.slice('xmlns:'.length), namespace];
    });
  }
}
