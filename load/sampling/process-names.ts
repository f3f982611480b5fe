import type { ProcessUsage } from '../result.ts';

/** What a process has used, before it has a name. */
export type UnnamedUsage = Omit<ProcessUsage, 'name'> & {
  /** What it is called, with a number where there are several. */
  title: string;
  /** What tells it apart from others with this title. */
  identity: string;
};

interface Place {
  title: string;
  identity: string;
  /** CPU time of those that had this place before, seconds. */
  earlierCpuS: number;
  cpuS: number;
}

/**
 * Gives processes names that stay: the first of a title is `service`, the next `service 2`. A process that comes in place of one that
 * has ended takes over its name, and its CPU time goes on from where that had ended, so that it never falls.
 */
export class ProcessNames {
  readonly #places = new Map<string, Place>();

  named(usages: readonly UnnamedUsage[]): ProcessUsage[] {
    const there = new Set(usages.map(({ title, identity }) => `${title} ${identity}`));
    return usages.map(({ title, identity, cpuS, ...usage }) => {
      const name = this.#nameOf(title, identity, there);
      const place = this.#places.get(name)!;
      place.cpuS = Math.max(place.cpuS, place.earlierCpuS + cpuS);
      return { ...usage, name, cpuS: place.cpuS };
    });
  }

  #nameOf(title: string, identity: string, there: ReadonlySet<string>): string {
    for (const [name, place] of this.#places) {
      if (place.title === title && place.identity === identity) return name;
    }
    for (let number = 1; ; number += 1) {
      const name = number === 1 ? title : `${title} ${number}`;
      const place = this.#places.get(name);
      if (place && there.has(`${title} ${place.identity}`)) continue;
      const earlierCpuS = place?.cpuS ?? 0;
      this.#places.set(name, { title, identity, earlierCpuS, cpuS: earlierCpuS });
      return name;
    }
  }
}
