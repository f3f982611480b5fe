import { setTimeout as sleep } from 'node:timers/promises';
import type { DrainState } from '../../platform/ports/cluster.ts';

const roundMs = 250;

export interface DrainDependencies {
  connections: () => number;
  /** Lets up to so many people go, whose clients go on elsewhere. */
  sendElsewhere: (count: number) => void;
  /** Over how long the reconnects are spread, milliseconds. */
  spreadMs: number;
}

/**
 * Lets everybody go from a node while they go on editing: load balancers learn to send nobody new, clients that come
 * all the same are asked to come back later, and people are let go a few at a time, so that the other nodes get them spread over
 * some time. It goes on until it is called off.
 */
export class Drain {
  readonly #deps: DrainDependencies;
  #timer: NodeJS.Timeout | null = null;

  constructor(dependencies: DrainDependencies) {
    this.#deps = dependencies;
  }

  /** Whether health checks are to say no, and newcomers are to come back later. */
  get isBegun(): boolean {
    return this.#timer !== null;
  }

  state(): DrainState {
    return { isDraining: this.isBegun, connectionsLeft: this.#deps.connections() };
  }

  begin(): void {
    if (this.#timer) return;
    const { connections, sendElsewhere, spreadMs } = this.#deps;
    const atOnce = Math.max(1, Math.ceil((connections() * roundMs) / Math.max(roundMs, spreadMs)));
    this.#timer = setInterval(() => sendElsewhere(atOnce), roundMs);
    this.#timer.unref();
    sendElsewhere(atOnce);
  }

  /** Begins, and resolves when everybody has left, or after so many milliseconds. */
  async emptied(withinMs: number): Promise<void> {
    this.begin();
    const deadline = performance.now() + withinMs;
    while (this.#deps.connections() > 0 && performance.now() < deadline) await sleep(roundMs);
  }

  /** People are let in again. */
  cancel(): void {
    if (!this.#timer) return;
    clearInterval(this.#timer);
    this.#timer = null;
  }
}
