interface Waiting<Task, Result> {
  task: Task;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
}

/** How tasks are done: one, or many with one statement. */
export interface GatheredWork<Task, Result> {
  alone(task: Task): Promise<Result>;
  /** All of them or none; the results are in the order of the tasks. */
  together(tasks: readonly Task[]): Promise<readonly Result[]>;
  /** Tasks with the same name are never in one statement. Without it any tasks are. */
  nameOf?(task: Task): string;
}

/** One statement carries at most so many tasks. */
const mostTogether = 200;
/** The next one waits for a statement no longer than this, milliseconds. */
const patienceMs = 100;
/** So many may be under way at once: a database that is slow as a whole gets no more of them. */
const mostUnderWay = 4;

/**
 * Tasks that come together share a statement: while one is under way, the next one fills. A task that comes alone is done
 * at once. Where a statement for many fails, each of its tasks is done alone, so that one of them fails no other. One that takes long,
 * for a row that is locked say, holds up its own tasks and, unless there are several, no others.
 */
export class Gathering<Task, Result> {
  readonly #work: GatheredWork<Task, Result>;
  #waiting: Waiting<Task, Result>[] = [];
  #isBusy = false;
  #underWay = 0;

  constructor(work: GatheredWork<Task, Result>) {
    this.#work = work;
  }

  do(task: Task): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ task, resolve, reject });
      this.#begin();
    });
  }

  #begin(): void {
    if (this.#isBusy || this.#underWay >= mostUnderWay || this.#waiting.length === 0) return;
    this.#isBusy = true;
    this.#underWay += 1;
    // What comes in the same turn of the event loop goes along.
    setImmediate(() => {
      let isAwaited = true;
      const next = () => {
        if (isAwaited) this.#isBusy = false;
        isAwaited = false;
        this.#begin();
      };
      const timer = setTimeout(next, patienceMs);
      void this.#doGroup(this.#takeGroup()).finally(() => {
        clearTimeout(timer);
        this.#underWay -= 1;
        next();
      });
    });
  }

  #takeGroup(): Waiting<Task, Result>[] {
    const { nameOf } = this.#work;
    if (!nameOf) return this.#waiting.splice(0, mostTogether);
    const names = new Set<string>();
    const group: Waiting<Task, Result>[] = [];
    const left: Waiting<Task, Result>[] = [];
    for (const one of this.#waiting) {
      const name = nameOf(one.task);
      const isFree = group.length < mostTogether && !names.has(name);
      if (isFree) names.add(name);
      (isFree ? group : left).push(one);
    }
    this.#waiting = left;
    return group;
  }

  async #doGroup(group: readonly Waiting<Task, Result>[]): Promise<void> {
    if (group.length > 1) {
      try {
        const results = await this.#work.together(group.map(({ task }) => task));
        for (const [at, { resolve }] of group.entries()) resolve(results[at]!);
        return;
      } catch {
        // Each of them says for itself what is wrong.
      }
    }
    await Promise.all(group.map(({ task, resolve, reject }) => this.#work.alone(task).then(resolve, reject)));
  }
}
