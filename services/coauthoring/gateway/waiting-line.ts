/** Somebody who waits to be let in. */
export interface Waiting {
  /** Whose people they are; the empty text where nobody knows. */
  readonly tenant: string;
  /** The network that they come from; the empty text where nobody knows. */
  readonly network: string;
  /** Whether they say that they go on with a session that they had. */
  readonly isReturning: boolean;
  /** Since when, milliseconds. */
  readonly sinceMs: number;
}

type End = 'newest' | 'oldest';

interface Line<Item> {
  readonly size: number;
  add(item: Item): void;
  /** Returns whether the item was there. */
  remove(item: Item): boolean;
  /** The next one, from the newest or from the oldest end; undefined when nobody waits. */
  take(end: End): Item | undefined;
  /** Takes out those who have waited since then or longer. */
  takeSince(timeMs: number): Item[];
  /** Takes out the oldest of whoever has the most who wait. */
  takeOfLargest(): Item | undefined;
}

/**
 * Who waits. Tenants take turns; of each tenant those who return go first, and networks take turns. So neither one tenant's storm nor
 * somebody with a thousand connections keeps others out.
 */
export class WaitingLine<Item extends Waiting> implements Line<Item> {
  readonly #tenants = new Turns<Item>(
    ({ tenant }) => tenant,
    () =>
      new ReturningFirst(
        () =>
          new Turns<Item>(
            ({ network }) => network,
            () => new Row<Item>(),
          ),
      ),
  );

  get size(): number {
    return this.#tenants.size;
  }

  add(item: Item): void {
    this.#tenants.add(item);
  }

  remove(item: Item): boolean {
    return this.#tenants.remove(item);
  }

  take(end: End): Item | undefined {
    return this.#tenants.take(end);
  }

  takeSince(timeMs: number): Item[] {
    return this.#tenants.takeSince(timeMs);
  }

  takeOfLargest(): Item | undefined {
    return this.#tenants.takeOfLargest();
  }
}

/** Lines that take turns. */
class Turns<Item> implements Line<Item> {
  readonly #nameOf: (item: Item) => string;
  readonly #begin: () => Line<Item>;
  /** In the order of their turns; none is empty. */
  readonly #lines = new Map<string, Line<Item>>();
  size = 0;

  constructor(nameOf: (item: Item) => string, begin: () => Line<Item>) {
    this.#nameOf = nameOf;
    this.#begin = begin;
  }

  add(item: Item): void {
    const name = this.#nameOf(item);
    const line = this.#lines.get(name) ?? this.#begin();
    this.#lines.set(name, line);
    line.add(item);
    this.size += 1;
  }

  remove(item: Item): boolean {
    const name = this.#nameOf(item);
    const line = this.#lines.get(name);
    if (!line?.remove(item)) return false;
    this.#took(name, line, 1);
    return true;
  }

  take(end: End): Item | undefined {
    const [next] = this.#lines;
    if (!next) return undefined;
    const [name, line] = next;
    const item = line.take(end);
    this.#lines.delete(name);
    this.#lines.set(name, line);
    this.#took(name, line, 1);
    return item;
  }

  takeSince(timeMs: number): Item[] {
    return [...this.#lines].flatMap(([name, line]) => {
      const late = line.takeSince(timeMs);
      this.#took(name, line, late.length);
      return late;
    });
  }

  takeOfLargest(): Item | undefined {
    let largest: [string, Line<Item>] | undefined;
    for (const one of this.#lines) if (!largest || one[1].size > largest[1].size) largest = one;
    if (!largest) return undefined;
    const item = largest[1].takeOfLargest();
    this.#took(...largest, 1);
    return item;
  }

  #took(name: string, line: Line<Item>, count: number): void {
    this.size -= count;
    if (line.size === 0) this.#lines.delete(name);
  }
}

/** Of so many who are taken while both wait, one is somebody new: whoever says that they return is believed. */
const takenForNew = 3;

/** Those who return, before the others. */
class ReturningFirst<Item extends Waiting> implements Line<Item> {
  readonly #returning: Line<Item>;
  readonly #others: Line<Item>;
  #taken = 0;

  constructor(begin: () => Line<Item>) {
    this.#returning = begin();
    this.#others = begin();
  }

  get size(): number {
    return this.#returning.size + this.#others.size;
  }

  add(item: Item): void {
    this.#lineOf(item).add(item);
  }

  remove(item: Item): boolean {
    return this.#lineOf(item).remove(item);
  }

  take(end: End): Item | undefined {
    if (this.#returning.size === 0 || this.#others.size === 0)
      return this.#returning.take(end) ?? this.#others.take(end);
    this.#taken += 1;
    return (this.#taken % takenForNew === 0 ? this.#others : this.#returning).take(end);
  }

  takeSince(timeMs: number): Item[] {
    return [...this.#returning.takeSince(timeMs), ...this.#others.takeSince(timeMs)];
  }

  takeOfLargest(): Item | undefined {
    return (this.#others.size >= this.#returning.size ? this.#others : this.#returning).takeOfLargest();
  }

  #lineOf({ isReturning }: Item): Line<Item> {
    return isReturning ? this.#returning : this.#others;
  }
}

/** In the order in which they came. */
class Row<Item extends Waiting> implements Line<Item> {
  readonly #items: Item[] = [];

  get size(): number {
    return this.#items.length;
  }

  add(item: Item): void {
    this.#items.push(item);
  }

  remove(item: Item): boolean {
    const at = this.#items.indexOf(item);
    if (at >= 0) this.#items.splice(at, 1);
    return at >= 0;
  }

  take(end: End): Item | undefined {
    return end === 'newest' ? this.#items.pop() : this.#items.shift();
  }

  takeSince(timeMs: number): Item[] {
    const young = this.#items.findIndex(({ sinceMs }) => sinceMs > timeMs);
    return this.#items.splice(0, young < 0 ? this.#items.length : young);
  }

  takeOfLargest(): Item | undefined {
    return this.#items.shift();
  }
}
