/** Most documents that are remembered. */
const mostDocuments = 10_000;

/** Whose documents are, as far as it was learned from those who signed in; those that nobody came to for longest are forgotten. */
export class DocumentTenants {
  readonly #tenants = new Map<string, string>();

  learned(key: string, tenant: string): void {
    this.#tenants.delete(key);
    this.#tenants.set(key, tenant);
    if (this.#tenants.size <= mostDocuments) return;
    for (const oldest of this.#tenants.keys()) {
      this.#tenants.delete(oldest);
      return;
    }
  }

  /** The empty text where nobody knows. */
  of(key: string): string {
    return this.#tenants.get(key) ?? '';
  }
}
