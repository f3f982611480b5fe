/**
 * Turns of the event loop, of which each is given to one of those who wait for it, in the order in which they came. So
 * whoever has a lot to do does one piece at a time, and what others want is seen to between any two.
 */
export class Turns {
  #waiting: (() => void)[] = [];
  #next = 0;

  next(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      if (this.#waiting.length === 1) setImmediate(() => this.#give());
    });
  }

  #give(): void {
    this.#waiting[this.#next]!();
    this.#next += 1;
    if (this.#next < this.#waiting.length) {
      setImmediate(() => this.#give());
      return;
    }
    this.#waiting = [];
    this.#next = 0;
  }
}
