import { DocumentActor } from './document/actor.ts';
import type { DocumentPorts } from './document/open-document.ts';

/** The documents this node has somebody attached to, or had a moment ago. */
export class DocumentRegistry {
  readonly #actors = new Map<string, DocumentActor>();
  readonly #lingering = new Map<string, NodeJS.Timeout>();
  readonly #ports: DocumentPorts;
  readonly #lingerMs: number;
  readonly #onError: (error: unknown, key: string) => void;

  /** A document that nobody is attached to is kept for `lingerMs`, so that a reloaded page finds its chat. */
  constructor(ports: DocumentPorts, lingerMs: number, onError: (error: unknown, key: string) => void) {
    this.#ports = ports;
    this.#lingerMs = lingerMs;
    this.#onError = onError;
  }

  /** The actor of a document, made if there is none. */
  actor(key: string): DocumentActor {
    clearTimeout(this.#lingering.get(key));
    this.#lingering.delete(key);
    let actor = this.#actors.get(key);
    if (!actor) {
      actor = new DocumentActor(key, this.#ports, (error) => this.#onError(error, key));
      this.#actors.set(key, actor);
    }
    return actor;
  }

  /** The actor of a document that somebody is attached to. */
  find(key: string): DocumentActor | undefined {
    return this.#actors.get(key);
  }

  /** To be called when somebody left: drops the document after a while if nobody is attached to it. */
  maybeDrop(key: string): void {
    const actor = this.#actors.get(key);
    if (!actor || actor.document.members.size > 0 || this.#lingering.has(key)) return;
    const timer = setTimeout(() => {
      this.#lingering.delete(key);
      actor
        .run(async () => {
          if (actor.document.members.size > 0 || this.#actors.get(key) !== actor) return;
          this.#actors.delete(key);
          actor.stop();
          await this.#ports.coordination.forget(key);
        })
        .catch((error: unknown) => this.#onError(error, key));
    }, this.#lingerMs);
    timer.unref();
    this.#lingering.set(key, timer);
  }

  get size(): number {
    return this.#actors.size;
  }

  actors(): Iterable<DocumentActor> {
    return this.#actors.values();
  }

  stop(): void {
    for (const timer of this.#lingering.values()) clearTimeout(timer);
    for (const actor of this.#actors.values()) actor.stop();
  }
}
