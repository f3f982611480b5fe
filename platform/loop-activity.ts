import { performance } from 'node:perf_hooks';

/** Share of its time from which a loop counts as busy. */
const busyFrom = 0.02;

/** Whether the event loop of this process has something to do: what looks at it often may rest while it has not. */
export class LoopActivity {
  #before = performance.eventLoopUtilization();

  /** Since this was asked last. */
  isBusy(): boolean {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, this.#before);
    this.#before = now;
    return utilization >= busyFrom;
  }
}
