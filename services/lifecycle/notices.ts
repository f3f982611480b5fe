import { tenantOf } from '../../jobs/job.ts';
import { FairTurns } from '../../platform/fair-turns.ts';
import type { Routing } from '../../platform/ports/document-lifecycle.ts';
import type { Claims } from '../../platform/secrets/tokens.ts';
import { routingOfDocument } from '../http/routing.ts';
import { isHostAddress } from './host-storage.ts';
import type { Integrator } from './integrator.ts';

/** So many are under way at once, and wait; and so many of one tenant, whose storage may not answer. */
const limits = { atOnce: 40, atOnceOfOne: 32, mostWaiting: 10_000, mostWaitingOfOne: 5_000 };

/** Of so many documents it is known that their notices are not accepted. */
const mostRefused = 10_000;

/** What hears of notices that nobody has accepted. */
export interface NoticeListener {
  /** The application did not accept one of a document. Not called again before it has accepted one. */
  refused(key: string, reason: string): void;
  /** So many wait that one was not sent. */
  dropped(key: string): void;
}

interface Notice {
  url: string;
  key: string;
  routing: Routing | null;
  body: Claims;
}

/**
 * Callbacks that only inform (status 1): sent in the background, those of a tenant in the order in which they come, some at a
 * time. Tenants take turns. They are not repeated: the next one says the state by then.
 */
export class Notices {
  readonly #integrator: Pick<Integrator, 'call'>;
  readonly #listener: NoticeListener;
  readonly #turns = new FairTurns(limits);
  /** Documents whose last notice was not accepted. */
  readonly #refused = new Set<string>();

  constructor(integrator: Pick<Integrator, 'call'>, listener: NoticeListener) {
    this.#integrator = integrator;
    this.#listener = listener;
  }

  send(notice: Notice): void {
    // A WOPI host learns who is there from its own pages.
    if (isHostAddress(notice.url)) return;
    const { tenant } = tenantOf(notice.url);
    if (this.#turns.run(tenant, () => this.#call(notice)) === null) this.#listener.dropped(notice.key);
  }

  async #call({ url, key, routing, body }: Notice): Promise<void> {
    try {
      const outcome = await this.#integrator.call(url, routingOfDocument(key, routing), body);
      if (outcome.accepted) this.#refused.delete(key);
      else this.#refuse(key, outcome.reason);
    } catch (error) {
      this.#refuse(key, String(error));
    }
  }

  #refuse(key: string, reason: string): void {
    if (this.#refused.has(key)) return;
    const [oldest] = this.#refused;
    if (this.#refused.size >= mostRefused) this.#refused.delete(oldest!);
    this.#refused.add(key);
    this.#listener.refused(key, reason);
  }
}
