/** What is done of a conversion, in this order. */
export type ConversionStage = 'loading' | 'converting' | 'storing';

/** Which shares of the whole the stages are: most of it is the engine's. */
const shares: Readonly<Record<ConversionStage, readonly [from: number, to: number]>> = {
  loading: [0, 0.05],
  converting: [0.05, 0.95],
  storing: [0.95, 1],
};

/** What takes less than this reports no progress. */
const tellEveryMs = 500;

/** The progress of a conversion, reported from time to time. A report is never less than the one before. */
export class ConversionProgress implements Disposable {
  #stage: ConversionStage = 'loading';
  #share = 0;
  #reported = '';
  readonly #timer: NodeJS.Timeout;

  /** `share` is of the whole, 0 to 1. */
  constructor(report: (stage: ConversionStage, share: number) => Promise<void>) {
    this.#timer = setInterval(() => {
      const now = `${this.#stage} ${this.#share}`;
      if (now === this.#reported) return;
      this.#reported = now;
      // The next report has it, too.
      report(this.#stage, this.#share).catch(() => undefined);
    }, tellEveryMs);
  }

  enter(stage: ConversionStage): void {
    this.#stage = stage;
    this.reach(0);
  }

  /** `share` is of the stage; what an engine reports may be anything. */
  reach(share: number): void {
    const [from, to] = shares[this.#stage];
    const within = Math.min(1, Math.max(0, Number.isFinite(share) ? share : 0));
    this.#share = Math.max(this.#share, from + (to - from) * within);
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }
}
