import { tenantOf } from '../../jobs/job.ts';
import { FairTurns } from '../../platform/fair-turns.ts';
import type { Routing } from '../../platform/ports/document-lifecycle.ts';
import type { Claims } from '../../platform/secrets/tokens.ts';
import { routingOfDocument } from '../http/routing.ts';
import { isHostAddress } from './host-storage.ts';
import type { Integrator } from './integrator.ts';

/** So many are under way at once, and wait; and so many of one tenant, whose storage may not answer. */
const limits = { atOnce: 40, atOnceOfOne: 32, mostWaiting: 10_000, mostWaitingOfOne: 5_000 };

interface Notice {
  url: string;
  key: string;
  routing: Routing | null;
  body: Claims;
}

/**
 * Callbacks that only inform (status 1): sent in the background, those of a tenant in the order in which they come, some at a
 * time. Tenants take turns. They are not repeated: the next one says the state by then. `onRefused` learns of those that were not accepted.
 */
export class Notices {
  readonly #integrator: Pick<Integrator, 'call'>;
  readonly #onRefused: (key: string, reason: string) => void;
  readonly #turns = new FairTurns(limits);

  constructor(integrator: Pick<Integrator, 'call'>, onRefused: (key: string, reason: string) => void) {
    this.#integrator = integrator;
    this.#onRefused = onRefused;
  }

  send(notice: Notice): void {
    // A WOPI host learns who is there from its own pages.
    if (isHostAddress(notice.url)) return;
    const { tenant } = tenantOf(notice.url);
    if (this.#turns.run(tenant, () => this.#call(notice)) === null) {
      this.#onRefused(notice.key, 'too many callbacks wait');
    }
  }

  async #call({ url, key, routing, body }: Notice): Promise<void> {
    try {
      const outcome = await this.#integrator.call(url, routingOfDocument(key, routing), body);
      if (!outcome.accepted) this.#onRefused(key, outcome.reason);
    } catch (error) {
      this.#onRefused(key, String(error));
    }
  }
}
