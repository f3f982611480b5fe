import type { Coordination, SharedValue } from '../ports/coordination.ts';

/** Coordination in the memory of one process, for a server that is the only one on its database. */
export class MemoryCoordination implements Coordination {
  readonly #documents = new Map<string, Map<string, unknown>>();

  async update<State, Result>(
    documentKey: string,
    cell: SharedValue<State>,
    step: (state: State) => readonly [State, Result],
  ): Promise<Result> {
    const cells = this.#documents.get(documentKey);
    const before = (cells?.get(cell.name) as State | undefined) ?? cell.empty;
    const [after, result] = step(before);
    if (after !== before) this.#put(documentKey, cell.name, after);
    return result;
  }

  async forget(documentKey: string): Promise<void> {
    this.#documents.delete(documentKey);
  }

  #put(documentKey: string, name: string, value: unknown): void {
    const cells = this.#documents.get(documentKey);
    if (cells) cells.set(name, value);
    else this.#documents.set(documentKey, new Map([[name, value]]));
  }
}
