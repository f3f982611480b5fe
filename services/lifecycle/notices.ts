import type { Routing } from '../../platform/ports/routing.ts';
import type { Claims } from '../../platform/secrets/tokens.ts';
import { routingOfDocument } from '../http/routing.ts';
import { isHostAddress } from './host-storage.ts';
import type { Integrator } from './integrator.ts';

const atOnce = 32;
const maxWaiting = 10_000;

interface Notice {
  url: string;
  key: string;
  routing: Routing | null;
  body: Claims;
}

/**
 * Callbacks that only inform (status 1): sent in the background, in the order in which they come, some at a time. They
 * are not repeated: the next one says the state by then. `onRefused` learns of those that were not accepted.
 */
export class Notices {
  readonly #integrator: Integrator;
  readonly #onRefused: (key: string, reason: string) => void;
  #waiting: Notice[] = [];
  #underWay = 0;

  constructor(integrator: Integrator, onRefused: (key: string, reason: string) => void) {
    this.#integrator = integrator;
    this.#onRefused = onRefused;
  }

  send(notice: Notice): void {
    // A WOPI host learns who is there from its own pages.
    if (isHostAddress(notice.url)) return;
    if (this.#waiting.length >= maxWaiting) {
      this.#onRefused(notice.key, 'too many callbacks wait');
      return;
    }
    this.#waiting.push(notice);
    this.#next();
  }

  #next(): void {
    if (this.#underWay >= atOnce) return;
    const notice = this.#waiting.shift();
    if (!notice) return;
    this.#underWay += 1;
    void this.#call(notice).finally(() => {
      this.#underWay -= 1;
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
