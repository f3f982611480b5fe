import { setTimeout as sleep } from 'node:timers/promises';
import type { DocumentBus, NodeLeases } from '../ports/coordination.ts';

/** Each node listens to a channel of its own. No document has such a key: there is a space in it. */
const channelOf = (nodeId: string): string => `cells ${nodeId}`;

/** In a version, between the id of the node that owns the value and what makes the version another one. */
const ownerMark = '!';
const firstPauseMs = 4;
const longestPauseMs = 100;
/**
 * An owner that does not receive the question for this time is taken for gone; before that it may just be connecting again.
 */
const unheardForMs = 100;

/** Who owns a value with such a version; null: nobody. */
export function ownerOf(version: string): string | null {
  const end = version.indexOf(ownerMark);
  return end < 0 ? null : version.slice(0, end);
}

/** The same version, as one that says who owns the value. */
export const ownedVersion = (nodeId: string, version: string): string => `${nodeId}${ownerMark}${version}`;

/** The values of this process, as their ownership is concerned. */
interface OwnedValues {
  /** Another node asks for a value. */
  giveUp(documentKey: string, name: string): void;
  /** Others may have taken whatever is owned here. */
  doubtAll(): void;
}

/**
 * How a node owns values, so that steps of them are made in its memory alone, and how others get them: they ask the owner
 * for them, and take them when it is dead or does not receive the question. A node owns nothing while its lease does not
 * run or it cannot be asked.
 */
export class ValueOwnership {
  readonly nodeId: string;
  readonly #bus: DocumentBus;
  readonly #leases: NodeLeases;
  readonly #ends: (() => void)[] = [];

  private constructor(bus: DocumentBus, leases: NodeLeases) {
    this.nodeId = leases.nodeId;
    this.#bus = bus;
    this.#leases = leases;
  }

  /** @throws Error when the bus does not answer */
  static async open(bus: DocumentBus, leases: NodeLeases, values: OwnedValues): Promise<ValueOwnership> {
    const ownership = new ValueOwnership(bus, leases);
    const doubtAll = () => values.doubtAll();
    ownership.#ends.push(leases.watch({ died: () => undefined, lapsed: doubtAll }));
    ownership.#ends.push(
      await bus.listen(channelOf(leases.nodeId), {
        received: (_nodeId, text) => {
          const [documentKey, name] = JSON.parse(text) as [string, string];
          values.giveUp(documentKey, name);
        },
        interrupted: doubtAll,
      }),
    );
    return ownership;
  }

  close(): void {
    for (const end of this.#ends.splice(0)) end();
  }

  /** Whether values may be owned at this moment. */
  mayOwn(): boolean {
    return this.#leases.isHeld() && this.#bus.isConnected();
  }

  /**
   * Asks the owner of a value for it until `isFree` says that it was given up. Returns false when the owner is gone: what
   * it owned is what others last knew of it. Gives up itself after `patienceMs`.
   *
   * @throws Error when what the nodes share does not answer, or the owner does not
   */
  async obtain(
    owner: string,
    documentKey: string,
    name: string,
    isFree: () => Promise<boolean>,
    patienceMs: number,
  ): Promise<boolean> {
    const deadline = performance.now() + patienceMs;
    let unheardSince: number | null = null;
    for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(longestPauseMs, 2 * pauseMs)) {
      const isHeard = await this.#bus.publishConfirmed(channelOf(owner), JSON.stringify([documentKey, name]));
      unheardSince = isHeard ? null : (unheardSince ?? performance.now());
      if (unheardSince !== null && performance.now() - unheardSince >= unheardForMs) return false;
      await sleep(pauseMs);
      if (await isFree()) return true;
      // A node that is still hears nothing, though what it listens with is there.
      if (pauseMs === longestPauseMs && !(await this.#leases.living()).has(owner)) return false;
      if (performance.now() > deadline) throw new Error('The owner of a value does not give it up');
    }
  }
}
