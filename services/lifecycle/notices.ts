import { tenantOf } from '../../jobs/job.ts';
import type { Routing } from '../../platform/ports/document-lifecycle.ts';
import type { Claims } from '../../platform/secrets/tokens.ts';
import { routingOfDocument } from '../http/routing.ts';
import { isHostAddress } from './host-storage.ts';
import type { Integrator } from './integrator.ts';

/** So many are under way at once, and wait; and so many of one tenant, whose storage may not answer. */
const atOnce = 40;
const atOnceOfTenant = 32;
const maxWaiting = 10_000;
const maxWaitingOfTenant = 5_000;

interface Notice {
  url: string;
  key: string;
  routing: Routing | null;
  body: Claims;
}

/** What there is of one tenant. */
interface Line {
  waiting: Notice[];
  underWay: number;
}

/**
 * Callbacks that only inform (status 1): sent in the background, those of a tenant in the order in which they come, some at a
 * time. Tenants take turns. They are not repeated: the next one says the state by then. `onRefused` learns of those that were not accepted.
 */
export class Notices {
  readonly #integrator: Pick<Integrator, 'call'>;
  readonly #onRefused: (key: string, reason: string) => void;
  /** By tenant, in the order of their turns. */
  readonly #lines = new Map<string, Line>();
  #waiting = 0;
  #underWay = 0;

  constructor(integrator: Pick<Integrator, 'call'>, onRefused: (key: string, reason: string) => void) {
    this.#integrator = integrator;
    this.#onRefused = onRefused;
  }

  send(notice: Notice): void {
    // A WOPI host learns who is there from its own pages.
    if (isHostAddress(notice.url)) return;
    const { tenant } = tenantOf(notice.url);
    const line = this.#lines.get(tenant) ?? { waiting: [], underWay: 0 };
    if (this.#waiting >= maxWaiting || line.waiting.length >= maxWaitingOfTenant) {
      this.#onRefused(notice.key, 'too many callbacks wait');
      return;
    }
    this.#lines.set(tenant, line);
    line.waiting.push(notice);
    this.#waiting += 1;
    this.#next();
  }

  #next(): void {
    if (this.#underWay >= atOnce) return;
    for (const [tenant, line] of this.#lines) {
      if (line.underWay >= atOnceOfTenant) continue;
      const notice = line.waiting.shift();
      if (!notice) continue;
      this.#lines.delete(tenant);
      this.#lines.set(tenant, line);
      this.#begin(tenant, line, notice);
      return;
    }
  }

  #begin(tenant: string, line: Line, notice: Notice): void {
    line.underWay += 1;
    this.#waiting -= 1;
    this.#underWay += 1;
    void this.#call(notice).finally(() => {
      line.underWay -= 1;
      this.#underWay -= 1;
      if (line.underWay === 0 && line.waiting.length === 0) this.#lines.delete(tenant);
      this.#next();
    });
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
