import type { Recorder } from './meters.ts';
import { Person } from './person.ts';
import type { Recorders } from './recorders.ts';
import type { World } from './world.ts';

/** How many visitors come: always so many on their way at once, or so many attempts a second. */
export type Rush = { atOnce: number } | { perS: number };

/** So long a visitor stays who has come in, milliseconds. */
const stayMs = 1_000;
/**
 * Documents that visitors open. So few that there is somebody in each of them from some thirty log-ins a second on: documents that are
 * opened for one and closed again cost more, and would be more of the work in a storm, where those who came together do
 * not get in together, than when the best rate was looked for.
 */
const documents = 32;

/**
 * People who come to documents of their own, stay for a moment and leave. Who is refused comes again as anybody does, and that
 * is one of the attempts that were asked for: what a server is offered does not grow by what it refuses.
 */
export class Visitors {
  readonly #world: World;
  readonly #recorders: Recorders;
  readonly #peopleEach: number;
  /** How late they come. */
  readonly #late: Recorder;
  #rush: Rush | null = null;
  #beganAtMs = 0;
  /** In this rush, those who tried again included. */
  #attempts = 0;
  /** On their way, or waiting to try again. */
  #underWay = 0;
  /** Everybody who has not left. */
  readonly #present = new Set<Person>();
  /** Of all rushes. */
  #visitors = 0;

  /** @param peopleEach so many come to each document, one after the other */
  constructor(world: World, recorders: Recorders, peopleEach: number) {
    this.#world = world;
    this.#recorders = recorders;
    this.#peopleEach = peopleEach;
    this.#late = world.meters.latency('late');
  }

  /** Begins a rush; one that was there before ends. */
  begin(rush: Rush, beginAtMs: number): void {
    this.end();
    this.#rush = rush;
    this.#beganAtMs = beginAtMs;
    this.#attempts = 0;
  }

  /** Nobody comes any more, and whoever is in, or on the way, leaves. */
  end(): void {
    this.#rush = null;
    for (const visitor of this.#present) visitor.leave();
    this.#present.clear();
    this.#underWay = 0;
  }

  /** Lets those come who are due. */
  tick(nowMs: number): void {
    const rush = this.#rush;
    if (rush === null || nowMs < this.#beganAtMs) return;
    if ('atOnce' in rush) {
      while (this.#underWay < rush.atOnce) this.#send(nowMs);
      return;
    }
    const dueAtMs = () => this.#beganAtMs + (this.#attempts * 1_000) / rush.perS;
    for (let dueMs = dueAtMs(); dueMs <= nowMs; dueMs = dueAtMs()) {
      this.#late(nowMs - dueMs);
      this.#send(dueMs);
    }
  }

  #send(dueAtMs: number): void {
    const number = Math.floor(this.#visitors / this.#peopleEach) % documents;
    this.#visitors += 1;
    const visitor = new Person(this.#world, this.#recorders, `visits-${number}`, number);
    this.#present.add(visitor);
    this.#underWay += 1;
    visitor.onAttempt = () => {
      if (this.#present.has(visitor)) this.#attempts += 1;
    };
    visitor.onIn = () => {
      this.#underWay -= 1;
      visitor.onIn = () => undefined;
      setTimeout(() => {
        visitor.leave();
        this.#present.delete(visitor);
      }, stayMs);
    };
    visitor.onGivenUp = () => {
      if (!this.#present.delete(visitor)) return;
      this.#underWay -= 1;
    };
    void visitor.arrive(dueAtMs);
  }
}
