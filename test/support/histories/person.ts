import { setTimeout as delay } from 'node:timers/promises';
import { randomFrom } from '../fault-random.ts';
import { CellClient } from './cell-client.ts';
import type { Cluster } from './cluster.ts';
import type { ClientPlace, EditorClient } from './editor-client.ts';
import { pick } from './editor-client.ts';
import type { Family, History } from './history.ts';
import { LibraryClient } from './library-client.ts';
import { OtherEditor } from './other-editor.ts';
import type { Seat } from './seat.ts';
import { Viewer } from './viewer.ts';
import { WordClient } from './word-client.ts';

/** Somebody who comes, edits or looks on, goes in one way or another, and comes again, until told to stop. */
export class Person {
  readonly seat: Seat;
  readonly #number: number;
  readonly #seed: number;
  readonly #random: () => number;
  readonly #history: History;
  readonly #cluster: Pick<Cluster, 'address' | 'stickyAddress'>;
  #key = '';
  #visits = 0;
  #client: EditorClient | null = null;
  #stopping = false;
  #done: Promise<void> = Promise.resolve();

  constructor(
    seat: Seat,
    number: number,
    seed: number,
    history: History,
    cluster: Pick<Cluster, 'address' | 'stickyAddress'>,
  ) {
    this.seat = seat;
    this.#number = number;
    this.#seed = seed;
    this.#random = randomFrom(seed);
    this.#history = history;
    this.#cluster = cluster;
  }

  /** Whether this one only looks on. */
  get isViewer(): boolean {
    return this.#number > this.seat.editors;
  }

  /** Who is there for this person now; null between visits. */
  get client(): EditorClient | null {
    return this.#client?.isAlive ? this.#client : null;
  }

  begin(): void {
    this.#done = this.#live();
  }

  /** No more edits. Whoever is out comes in once more. Resolves when there is a client, or none can be had. */
  async stop(): Promise<void> {
    this.#stopping = true;
    await this.#done;
    // A viewer is not told that those who edit have gone on to another document.
    if (this.isViewer && this.#key !== this.seat.key) await this.client?.leave(true);
    for (let attempt = 0; attempt < 8 && !this.client; attempt += 1) await this.#enter();
  }

  async #live(): Promise<void> {
    await delay(this.#random() * 1_500);
    while (!this.#stopping) {
      if (!(await this.#enter())) {
        await delay(200);
        continue;
      }
      const actions = 5 + Math.floor(this.#random() * 120);
      const isOver = () => this.isViewer && this.#key !== this.seat.key;
      for (let action = 0; action < actions && !this.#stopping && this.client && !isOver(); action += 1) {
        await this.#client!.act();
        await delay(this.#random() * this.#random() * 300);
      }
      if (this.#stopping) return;
      if (this.client) await this.client.leave(this.#random() < 0.5);
      this.#client = null;
      await delay(this.#random() * 1_500);
    }
  }

  /** Opens the document anew. False when the client was not let in. */
  async #enter(): Promise<boolean> {
    this.#visits += 1;
    const { seat } = this;
    const { key } = seat;
    this.#key = key;
    const family = this.isViewer ? 'viewer' : pick(seat.families, this.#random);
    const place: ClientPlace = {
      client: `${key}.${this.#number}.${this.#visits}`,
      userId: `u${this.#number}-`,
      key,
      address: this.#cluster.address,
      stickyAddress: this.#cluster.stickyAddress(this.#random),
      sourceUrl: seat.sourceUrl,
      callbackUrl: seat.callbackUrl,
      history: this.#history,
      random: randomFrom(this.#seed + this.#visits * 7_919),
      over: () => seat.over(key),
      undoes: seat.isForUndo ? 0.4 : 0.08,
      model: seat.model,
    };
    this.#client = makeClient(family, place, seat.editorType);
    await this.#client.open();
    return this.#client.isAlive;
  }
}

function makeClient(family: Family, place: ClientPlace, editorType: number): EditorClient {
  if (family === 'viewer') return new Viewer(place, editorType);
  if (family === 'word') return new WordClient(place);
  if (family === 'cell') return new CellClient(place);
  return family === 'library' ? new LibraryClient(place, editorType) : new OtherEditor(place, editorType);
}
