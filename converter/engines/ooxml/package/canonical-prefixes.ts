import { overLimit } from '../../../errors.ts';
import type { Declaration, NamespaceScope } from './namespace-scope.ts';
import { canonicalPrefixOf, isCanonicalPrefix } from './namespaces.ts';
import type { TagName } from './tag-names.ts';

/** Files have a few dozen; each name of a file may have to be looked for among all of them. */
const MOST_DECLARATIONS = 1_000;

/** One prefix for each namespace of a part, wherever in it that is bound to which prefix. */
export class CanonicalPrefixes {
  readonly #declared: ReadonlySet<string>;
  readonly #prefixes = new Map<string, string>();
  readonly #namespaces = new Map<string, string>();
  /** The prefixes of the root: of elements, and of attributes. */
  readonly #ofElements = new Map<string, string>();
  readonly #ofOthers = new Map<string, string>();
  #number = 0;

  /**
   * @param declared all that the part declares, in any order that is always the same
   * @param ofRoot what its root declares
   * @throws ConversionError limits
   */
  constructor(declared: readonly Declaration[], ofRoot: readonly Declaration[], rootPrefix: string) {
    this.#declared = new Set(declared.map(([prefix]) => prefix));
    for (const [prefix, namespace] of declared) {
      if (namespace === '' || this.#prefixes.has(namespace)) continue;
      if (this.#prefixes.size >= MOST_DECLARATIONS) throw overLimit('XML: too many namespaces');
      const canonical = this.#free(canonicalPrefixOf(namespace), prefix);
      this.#prefixes.set(namespace, canonical);
      this.#namespaces.set(canonical, namespace);
    }
    for (const [prefix, namespace] of ofRoot) {
      const isFirst = !this.#ofElements.has(namespace);
      if (isFirst || prefix === rootPrefix) this.#ofElements.set(namespace, prefix);
      if (prefix !== '' && !this.#ofOthers.has(namespace)) this.#ofOthers.set(namespace, prefix);
    }
  }

  #free(wanted: string | undefined, present: string): string {
    if (wanted !== undefined && !this.#namespaces.has(wanted)) return wanted;
    const isFree = present !== '' && !isCanonicalPrefix(present) && !this.#namespaces.has(present);
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
