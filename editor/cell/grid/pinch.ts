/** Two fingers that make what is under them larger or smaller. */
export class Pinch {
  readonly #begin: () => (ratio: number) => void;
  #going: { readonly apart: number; readonly by: (ratio: number) => void } | null = null;

  /** @param begin called when two fingers are put down; what comes back is told how many times as far apart they are now */
  constructor(begin: () => (ratio: number) => void) {
    this.#begin = begin;
  }

  /** It ends with an event of more or fewer fingers. */
  follow(event: TouchEvent): void {
    if (event.touches.length !== 2) {
      this.#going = null;
      return;
    }
    const apart = distanceOf(event);
    this.#going ??= { apart, by: this.#begin() };
    if (event.type === 'touchmove') this.#going.by(apart / this.#going.apart);
  }
}

/** How far two fingers are apart. */
function distanceOf({ touches: [one, other] }: TouchEvent): number {
  return Math.max(1, Math.hypot(one!.clientX - other!.clientX, one!.clientY - other!.clientY));
}
