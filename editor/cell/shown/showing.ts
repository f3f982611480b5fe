import { paintFirst } from '../desk/paint-first.ts';

/**
 * When changes are shown: what the user did with the next frame, once everything that they did at once is made; what others did
 * follows once a frame.
 */
export class Showing {
  readonly #show: () => void;
  /** The frame in which what others did is shown; 0: there is nothing. */
  #frame = 0;
  /** Whether what the user did is about to be shown. */
  #isSoon = false;

  /** @param show shows everything that has changed until then */
  constructor(show: () => void) {
    this.#show = show;
  }

  changed(isLocal: boolean): void {
    if (isLocal && !this.#isSoon) {
      this.#isSoon = true;
      paintFirst();
      queueMicrotask(() => this.#showNow());
    } else if (!isLocal && this.#frame === 0) {
      this.#frame = requestAnimationFrame(() => this.#showNow());
    }
  }

  stop(): void {
    cancelAnimationFrame(this.#frame);
  }

  #showNow(): void {
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
    this.#isSoon = false;
    this.#show();
  }
}
