import type { Documents } from '../../db/documents.ts';
import { tenantOf } from '../../jobs/job.ts';

/** Most documents that are remembered. */
const mostDocuments = 10_000;

/**
 * Whose documents are: of those that were open when the process started, and as far as it was learned since from those who signed in.
 * Those that nobody came to for longest are forgotten.
 */
export class DocumentTenants {
  readonly #tenants = new Map<string, string>();

  /** After a start everybody comes back at once, and nobody has signed in yet: the database says whose the open documents are. */
  async recall(documents: Pick<Documents, 'callbacksOfOpen'>): Promise<void> {
    const callbacks = await documents.callbacksOfOpen(mostDocuments);
    // The newest one last, as if they had been learned in this order.
    for (const { key, callbackUrl } of callbacks.reverse()) this.learned(key, callbackUrl);
  }

  /** Somebody came to a document with this callback address. Returns whose it is by that; the empty text where it says nothing. */
  learned(key: string, callbackUrl: string | null): string {
    const { tenant } = tenantOf(callbackUrl ?? '');
    if (tenant !== '') this.#remember(key, tenant);
    return tenant;
  }

  /** The empty text where nobody knows. */
  of(key: string): string {
    return this.#tenants.get(key) ?? '';
  }

  #remember(key: string, tenant: string): void {
    this.#tenants.delete(key);
    this.#tenants.set(key, tenant);
    if (this.#tenants.size <= mostDocuments) return;
    for (const oldest of this.#tenants.keys()) {
      this.#tenants.delete(oldest);
      return;
    }
  }
}
