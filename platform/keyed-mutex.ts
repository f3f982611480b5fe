/** Runs tasks one after the other, in the order in which they came. A task that fails does not stop those behind it. */
export class Mutex {
  #tail: Promise<void> = Promise.resolve();

  run<Result>(task: () => Promise<Result>): Promise<Result> {
    const result = this.#tail.then(task);
    this.#tail = result.then(ignore, ignore);
    return result;
  }
}

const ignore = () => undefined;

/** A mutex for each key, which exists while there are tasks of the key. Tasks of different keys run at the same time. */
export class KeyedMutex {
  readonly #inUse = new Map<string, { mutex: Mutex; tasks: number }>();

  /** How many keys have tasks. */
  get size(): number {
    return this.#inUse.size;
  }

  async run<Result>(key: string, task: () => Promise<Result>): Promise<Result> {
    const entry = this.#inUse.get(key) ?? { mutex: new Mutex(), tasks: 0 };
    this.#inUse.set(key, entry);
    entry.tasks += 1;
    try {
      return await entry.mutex.run(task);
    } finally {
      entry.tasks -= 1;
      if (entry.tasks === 0) this.#inUse.delete(key);
    }
  }
}
