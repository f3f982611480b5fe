import { cpus } from 'node:os';

/** How many cores of this machine were busy, from one call to the next. */
export class BusyCores {
  #last = totals();

  take(): number {
    const now = totals();
    const busyMs = now.busyMs - this.#last.busyMs;
    const allMs = now.allMs - this.#last.allMs;
    this.#last = now;
    return allMs <= 0 ? 0 : (busyMs / allMs) * cpus().length;
  }
}

function totals(): { busyMs: number; allMs: number } {
  let busyMs = 0;
  let allMs = 0;
  for (const { times } of cpus()) {
    const all = times.user + times.nice + times.sys + times.irq + times.idle;
    allMs += all;
    busyMs += all - times.idle;
  }
  return { busyMs, allMs };
}
