import type { LockResult } from '../locks.ts';
import type { Lock } from '../protocol/index.ts';
import type { ChangeName } from './change-names.ts';

/** What the locks of a session need of the client. */
export interface LockingClient {
  readonly userId: string;
  readonly locks: ReadonlyMap<string, Lock>;
  acquire(elementIds: readonly string[]): Promise<LockResult>;
  releaseLocks(): boolean;
}

/** The elements that this session holds, and those that others hold. Elements are named by their ids. */
export class SessionLocks {
  readonly #client: LockingClient;
  readonly #granted = new Set<string>();
  /**
   * Every element that was ever asked for. One that was given back, or refused, may still become this session's: a
   * lost connection brings locks back, and the server may come to a question later, after its early refusal.
   */
  readonly #everAsked = new Set<string>();
  readonly #asked = new Map<string, Promise<void>>();
  /** The elements that changes of strict mode touch. */
  readonly #touched = new WeakMap<ChangeName, readonly string[]>();
  readonly #refused: (elementId: string, holder: Lock) => void;
  readonly #answered: () => void;

  /** `refused` is told of an element that somebody else holds, `answered` after each answer. */
  constructor(
    client: LockingClient,
    refused: (elementId: string, holder: Lock) => void,
    answered: () => void,
  ) {
    this.#client = client;
    this.#refused = refused;
    this.#answered = answered;
  }

  /** Locks of others by element id. */
  get ofOthers(): ReadonlyMap<string, Lock> {
    const { locks, userId } = this.#client;
    return new Map([...locks].filter(([, { user }]) => user !== userId));
  }

  /** Who else holds an element, or null. */
  holderOf(elementId: string): Lock | null {
    const lock = this.#client.locks.get(elementId);
    return lock && lock.user !== this.#client.userId ? lock : null;
  }

  /** The elements that this session holds, as far as it knows. */
  get own(): ReadonlySet<string> {
    return new Set([...this.#granted].filter((id) => this.holds(id)));
  }

  /** Granted, and not lost with a connection since. */
  holds(elementId: string): boolean {
    return this.#granted.has(elementId) && this.#isOwn(elementId);
  }

  /** A change was made that touches these elements: those that are neither held nor asked for are asked for. */
  touch(name: ChangeName, elementIds: readonly string[]): void {
    this.#touched.set(name, elementIds);
    this.require(name);
  }

  /** Asks once more for what a change touches. */
  require(name: ChangeName): void {
    for (const id of this.#touchedBy(name)) {
      if (this.holds(id) || this.#asked.has(id)) continue;
      this.#asked.set(id, this.#ask(id));
    }
  }

  /** Whether a change touches an element. */
  touches(name: ChangeName, elementId: string): boolean {
    return this.#touchedBy(name).includes(elementId);
  }

  /** Whether this session holds everything that a change touches. */
  covers(name: ChangeName): boolean {
    return this.#touchedBy(name).every((id) => this.holds(id));
  }

  /** Resolves when nothing is asked for any more. */
  async settled(): Promise<void> {
    while (this.#asked.size > 0) await Promise.all(this.#asked.values());
  }

  /** Gives all elements back that were asked for here. To be called again whenever locks or connection change. */
  release(): void {
    this.#granted.clear();
    if ([...this.#everAsked].some((id) => this.#isOwn(id))) this.#client.releaseLocks();
  }

  #touchedBy(name: ChangeName): readonly string[] {
    return this.#touched.get(name) ?? [];
  }

  #isOwn(id: string): boolean {
    return this.#client.locks.get(id)?.user === this.#client.userId;
  }

  async #ask(id: string): Promise<void> {
    this.#everAsked.add(id);
    let result: LockResult | null = null;
    try {
      result = await this.#client.acquire([id]);
    } catch {
      // No answer, or the session ended: the element is asked for again with the next save or change.
    }
    this.#asked.delete(id);
    if (result?.granted === true) this.#granted.add(id);
    else if (result) this.#refused(id, result.holder);
    this.#answered();
  }
}
