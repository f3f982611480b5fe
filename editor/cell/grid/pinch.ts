/** The place on the page between two fingers. */
interface Middle {
  readonly clientX: number;
  readonly clientY: number;
}

/** Two fingers that make what is under them larger or smaller. */
export class Pinch {
  readonly #begin: (middle: Middle) => (ratio: number) => void;
  #going: { readonly apart: number; readonly by: (ratio: number) => void } | null = null;

  /** @param begin called when two fingers are put down; what comes back is told how many times as far apart they are now */
  constructor(begin: (middle: Middle) => (ratio: number) => void) {
    this.#begin = begin;
  }

  /** It ends with an event of more or fewer fingers. */
  follow(event: TouchEvent): void {
    if (event.touches.length !== 2) {
      this.#going = null;
      return;
    }
    const apart = distanceOf(event);
    this.#going ??= { apart, by: this.#begin(middleOf(event)) };
    if (event.type === 'touchmove') this.#going.by(apart / this.#going.apart);
  }
}

/** How far two fingers are apart. */
function distanceOf({ touches: [one, other] }: TouchEvent): number {
  return Math.max(1, Math.hypot(one!.clientX - other!.clientX, one!.clientY - other!.clientY));
}

const middleOf = ({ touches: [one, other] }: TouchEvent): Middle => ({
  clientX: (one!.clientX + other!.clientX) / 2,
  clientY: (one!.clientY + other!.clientY) / 2,
});
