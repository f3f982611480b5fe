import { late, within } from '../../platform/within.ts';
import type { Sample, Sampler } from '../result.ts';

/** Long enough for a target that has time, milliseconds. */
const patienceMs = 250;

const nothing: Sample = { values: [], processes: [] };

/**
 * Gives what another sampler saw, if it saw it in time: a target beyond its limit answers late, and a load that waits for it would
 * go on longer than it is to. What comes late is given the next time.
 */
export class SamplerInTime implements Sampler {
  readonly #sampler: Sampler;
  #pending: Promise<Sample> | null = null;

  constructor(sampler: Sampler) {
    this.#sampler = sampler;
  }

  async sample(): Promise<Sample> {
    const pending = this.#pending ?? this.#sampler.sample();
    this.#pending = pending;
    const sample = await within(patienceMs, pending);
    if (sample === late) return nothing;
    this.#pending = null;
    return sample;
  }
}
