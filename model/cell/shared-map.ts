/** So large a map is copied whole when it changes. */
const mostCopied = 256;

/** What a version says of a key; undefined value: it is gone. */
interface Said<Value> {
  readonly value: Value | undefined;
  /** It came behind all keys of the base. */
  readonly isLater: boolean;
}

/**
 * A map by texts that never changes, in the order in which keys came. A version of a large one shares most with the one before, so
 * that many changes, one by one, do not cost a copy of everything each.
 */
export class SharedMap<Value> implements ReadonlyMap<string, Value> {
  readonly #base: ReadonlyMap<string, Value>;
  /** Of keys that are otherwise than in the base. */
  readonly #said: ReadonlyMap<string, Said<Value>>;
  readonly size: number;

  private constructor(
    base: ReadonlyMap<string, Value>,
    said: ReadonlyMap<string, Said<Value>>,
    size: number,
  ) {
    this.#base = base;
    this.#said = said;
    this.size = size;
  }

  /** A map with something for a key; null: without it. */
  static with<Value>(
    map: ReadonlyMap<string, Value>,
    key: string,
    value: Value | null,
  ): ReadonlyMap<string, Value> {
    if (map.size > mostCopied) {
      const shared =
        map instanceof SharedMap ? (map as SharedMap<Value>) : new SharedMap(map, new Map(), map.size);
      return shared.#with(key, value ?? undefined);
    }
    const copy = new Map(map);
    if (value === null) copy.delete(key);
    else copy.set(key, value);
    return copy;
  }

  #with(key: string, value: Value | undefined): SharedMap<Value> {
    const had = this.has(key);
    if (!had && value === undefined) return this;
    const said = new Map(this.#said);
    const known = said.get(key);
    if (value === undefined && !this.#base.has(key)) said.delete(key);
    else if (had || value === undefined)
      said.set(key, { value, isLater: value !== undefined && known?.isLater === true });
    else {
      // What was gone comes back behind all others.
      said.delete(key);
      said.set(key, { value, isLater: true });
    }
    const next = new SharedMap(this.#base, said, this.size + (value === undefined ? -1 : had ? 0 : 1));
    // About as much is copied for each change as is, spread over many of them, for a new base.
    return said.size <= Math.max(mostCopied, Math.sqrt(this.#base.size))
      ? next
      : new SharedMap(new Map(next), new Map(), next.size);
  }

  get(key: string): Value | undefined {
    const said = this.#said.get(key);
    return said ? said.value : this.#base.get(key);
  }

  has(key: string): boolean {
    const said = this.#said.get(key);
    return said ? said.value !== undefined : this.#base.has(key);
  }

  *entries(): Generator<[string, Value], undefined> {
    for (const [key, value] of this.#base) {
      const said = this.#said.get(key);
      if (!said) yield [key, value];
      else if (said.value !== undefined && !said.isLater) yield [key, said.value];
    }
    for (const [key, { value, isLater }] of this.#said)
      if (isLater && value !== undefined) yield [key, value];
  }

  *keys(): Generator<string, undefined> {
    for (const [key] of this.entries()) yield key;
  }

  *values(): Generator<Value, undefined> {
    for (const [, value] of this.entries()) yield value;
  }

  [Symbol.iterator](): Generator<[string, Value], undefined> {
    return this.entries();
  }

  /** Of a large map faster than its entries. */
  forEach(each: (value: Value, key: string, map: ReadonlyMap<string, Value>) => void): void {
    this.#base.forEach((value, key) => {
      const said = this.#said.get(key);
      if (!said) each(value, key, this);
      else if (said.value !== undefined && !said.isLater) each(said.value, key, this);
    });
    this.#said.forEach(({ value, isLater }, key) => {
      if (isLater && value !== undefined) each(value, key, this);
    });
  }
}
