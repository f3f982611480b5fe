/** Runs tasks of one name one after the other, in the order in which they came; those of different names together. */
export class KeyedMutex {
  readonly #tails = new Map<string, Promise<unknown>>();

  run<Result>(name: string, task: () => Promise<Result>): Promise<Result> {
    const before = this.#tails.get(name) ?? Promise.resolve();
    const result = before.then(task);
    const tail = result
      .catch(() => undefined)
      .then(() => {
        if (this.#tails.get(name) === tail) this.#tails.delete(name);
      });
    this.#tails.set(name, tail);
    return result;
  }
}
