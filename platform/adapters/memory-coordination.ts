import type { Coordination, SharedValue } from '../ports/coordination.ts';

/** Coordination in the memory of one process, for a server that is the only one on its database. */
export class MemoryCoordination implements Coordination {
  readonly #documents = new Map<string, Map<string, unknown>>();

  async update<State, Result>(
    documentKey: string,
    value: SharedValue<State>,
    step: (state: State) => readonly [State, Result],
  ): Promise<Result> {
    const values = this.#documents.get(documentKey);
    const before = (values?.get(value.name) as State | undefined) ?? value.empty;
    const [after, result] = step(before);
    if (after !== before) this.#put(documentKey, value.name, after);
    return result;
  }

  async forget(documentKey: string): Promise<void> {
    this.#documents.delete(documentKey);
  }

  #put(documentKey: string, name: string, state: unknown): void {
    const values = this.#documents.get(documentKey);
    if (values) values.set(name, state);
    else this.#documents.set(documentKey, new Map([[name, state]]));
  }
}
