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
