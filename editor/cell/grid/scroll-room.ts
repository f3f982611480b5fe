/** Browsers make no element much longer than this. */
const longestPx = 12_000_000;

/**
 * One direction in which the grid is scrolled: how long the scrolled element is, and which place of the sheet its position
 * stands for. A sheet that is longer than an element can be is scrolled in larger steps.
 */
export class ScrollRoom {
  /** Length that can be scrolled through, as the sheet has it. */
  readonly length: number;
  /** What is seen of it at once. */
  readonly room: number;

  constructor(length: number, room: number) {
    this.length = Math.max(length, room);
    this.room = room;
  }

  /** Length that the scrolled element has to have. */
  get elementLength(): number {
    return Math.min(this.length, longestPx);
  }

  /** The place in the sheet that a position of the element stands for. */
  placeOf(position: number): number {
    return Math.max(0, position * this.#ratio);
  }

  positionOf(place: number): number {
    return place / this.#ratio;
  }

  get #ratio(): number {
    const possible = this.elementLength - this.room;
    return possible <= 0 ? 1 : (this.length - this.room) / possible;
  }
}
