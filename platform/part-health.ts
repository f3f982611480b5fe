import type { PartName, PartState } from './ports/cluster.ts';
import { within } from './within.ts';

/** How a part is asked. */
export interface PartProbe {
  part: PartName;
  /** Why the part does not work; null when it does. */
  ask(): Promise<string | null>;
  isNeeded: boolean;
  /** What is known of the part when the question fails or is not answered. */
  whenSilent: 'down' | 'unknown';
  /** For this long after the start it is not known of a part that never worked whether it is down: it may be starting. 0 unless given. */
  startsWithinMs?: number;
}

/** An answer is given again for this long: a probe costs a write to disk, and callers may be many. */
const answerLifeMs = 1_000;
/**
 * A caller waits at most so long; then it gets what was known before. Who watches over a server that is busy gives up soon, and
 * there it is the question that is slow, not the part.
 */
const waitMs = 250;
/** So long where something is not known. */
const firstWaitMs = 1_500;
/** A part that has not answered for this long does not work. */
const deadlineMs = 5_000;

interface WatchedPart {
  readonly probe: PartProbe;
  state: PartState;
  askedAtMs: number;
  asking: Promise<void> | null;
}

/**
 * Knows how the parts are that a node works with. Whoever asks gets an answer within a moment, also while a part does not
 * answer: then it is what was known before. A part is asked one question at a time.
 */
export class PartHealth {
  readonly #parts: readonly WatchedPart[];
  readonly #sinceMs = performance.now();
  readonly #onChange: (state: PartState, before: PartState) => void;

  /** `onChange` hears of a part that fails, or works again. */
  constructor(probes: readonly PartProbe[], onChange: (state: PartState, before: PartState) => void) {
    this.#parts = probes.map((probe) => ({
      probe,
      state: { part: probe.part, isUp: null, sinceMs: Date.now(), reason: null, isNeeded: probe.isNeeded },
      askedAtMs: Number.NEGATIVE_INFINITY,
      asking: null,
    }));
    this.#onChange = onChange;
  }

  /** How the parts are now, or were when they answered last. */
  async look(): Promise<readonly PartState[]> {
    for (const part of this.#parts) {
      if (!part.asking && performance.now() - part.askedAtMs > answerLifeMs) this.#ask(part);
    }
    const answers = Promise.all(this.#parts.map(({ asking }) => asking));
    await within(this.#isAllKnown ? waitMs : firstWaitMs, answers);
    return this.known();
  }

  /** How the parts were when they answered last. Nobody is asked. */
  known(): readonly PartState[] {
    return this.#parts.map(({ state }) => state);
  }

  get #isAllKnown(): boolean {
    return this.#parts.every(({ state }) => state.isUp !== null || !state.isNeeded);
  }

  #ask(part: WatchedPart): void {
    const { probe } = part;
    part.askedAtMs = performance.now();
    const silent = setTimeout(() => this.#silent(part, 'it does not answer'), deadlineMs);
    silent.unref();
    part.asking = probe
      .ask()
      .then(
        (reason) => this.#answered(part, reason),
        (error: unknown) => this.#silent(part, reasonOf(error)),
      )
      .finally(() => {
        clearTimeout(silent);
        part.asking = null;
      });
  }

  #answered(part: WatchedPart, reason: string | null): void {
    const { startsWithinMs = 0 } = part.probe;
    const mayBeStarting = part.state.isUp === null && performance.now() - this.#sinceMs < startsWithinMs;
    this.#becomes(part, reason === null || (mayBeStarting ? null : false), reason);
  }

  #silent(part: WatchedPart, reason: string): void {
    this.#becomes(part, part.probe.whenSilent === 'down' ? false : null, reason);
  }

  #becomes(part: WatchedPart, isUp: boolean | null, reason: string | null): void {
    const before = part.state;
    const isSame = before.isUp === isUp;
    part.state = { ...before, isUp, reason, sinceMs: isSame ? before.sinceMs : Date.now() };
    if (!isSame) this.#onChange(part.state, before);
  }
}

/** Whether a node can do its work with its parts as they are. */
export const canWork = (parts: readonly PartState[]): boolean =>
  parts.every(({ isNeeded, isUp }) => !isNeeded || isUp === true);

/** What failed, in words: an error that gathers others has none of its own. */
const reasonOf = (error: unknown): string => {
  if (error instanceof AggregateError && error.message === '') return error.errors.map(reasonOf).join('; ');
  return error instanceof Error ? error.message : String(error);
};
