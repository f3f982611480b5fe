/** Names of which no two have the same key. One that is taken gets the first number behind it that makes it free. */
export class FreeNames {
  readonly #keyOf: (name: string) => string;
  readonly #taken = new Set<string>();
  /** The numbers that are left for names which were taken: very many columns may be wished to be called alike. */
  readonly #numbers = new Map<string, number>();

  constructor(keyOf: (name: string) => string) {
    this.#keyOf = keyOf;
  }

  has(name: string): boolean {
    return this.#taken.has(this.#keyOf(name));
  }

  take(wished: string): string {
    const key = this.#keyOf(wished);
    let name = wished;
    let number = this.#numbers.get(key) ?? 2;
    while (this.has(name)) name = `${wished}${number++}`;
    this.#numbers.set(key, number);
    this.#taken.add(this.#keyOf(name));
    return name;
  }
}
