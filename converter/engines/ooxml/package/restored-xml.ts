import type { CanonicalPrefixes } from './canonical-prefixes.ts';
import { type Declaration, NamespaceScope } from './namespace-scope.ts';
import { nameWith, type TagDeclaration, type TagName, tagNames } from './tag-names.ts';
import { applyEdits, type TextEdit } from './text-edits.ts';
import { scanXml, type XmlElement } from './xml-scanner.ts';
import { attributesXml } from './xml-text.ts';

/** The prefix that a file has for a name; fixed where nothing binds it. */
export interface FilePrefix {
  readonly prefix: string;
  readonly isFixed: boolean;
}

/** What a tag has otherwise than the file usually has it, by the keys of names, and by the names of declarations. */
export type Dialect = ReadonlyMap<string, FilePrefix>;

/** @param index of the name in its tag, by which one token is told from another */
export function keyOf(
  { kind, prefix, local }: Pick<TagName, 'kind' | 'prefix' | 'local'>,
  index: number,
): string {
  return `${kind} ${nameWith(prefix, local)}${kind === 'token' ? ` ${index}` : ''}`;
}

/**
 * A text in canonical form as its file says it. What a piece needs and nothing binds where it is now, the root binds.
 * @param dialects those that tags are marked with
 */
export function restoredXml(text: string, prefixes: CanonicalPrefixes, dialects: readonly Dialect[]): string {
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
