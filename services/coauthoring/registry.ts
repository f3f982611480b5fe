import { DocumentActor } from './document/actor.ts';
import { type Company, companyCell, editorIdsIn, type Present } from './document/company.ts';
import type { Member } from './document/member.ts';
import type { DocumentNotice } from './document/node-messages.ts';
import type { DocumentPorts } from './document/open-document.ts';

/** The documents this node has somebody attached to, or had a moment ago. */
export class DocumentRegistry {
  readonly #actors = new Map<string, DocumentActor>();
  readonly #lingering = new Map<string, NodeJS.Timeout>();
  readonly #ports: DocumentPorts;
  readonly #lingerMs: number;
  #stopped = false;
  /** Called with members of this node that have another name now. */
  onRenamed: (members: readonly Member[]) => void = () => undefined;
  readonly #unwatch: (() => void) | undefined;
  readonly #onError: (error: unknown, key: string) => void;

  /** A document that nobody is attached to is kept for `lingerMs`, so that a reloaded page finds its chat. */
  constructor(
    ports: Omit<DocumentPorts, 'renamed'>,
    lingerMs: number,
    onError: (error: unknown, key: string) => void,
  ) {
    this.#ports = { ...ports, renamed: (members) => this.onRenamed(members) };
    this.#lingerMs = lingerMs;
    this.#onError = onError;
    this.#unwatch = ports.nodes?.leases.watch({
      died: () => this.#forgetDead(),
      lapsed: () => this.#interruptAll(),
    });
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
          await this.#forget(actor);
        })
        .catch((error: unknown) => this.#onError(error, key));
    }, this.#lingerMs);
    timer.unref();
    this.#lingering.set(key, timer);
  }

  /** Who takes part in a document, on any node. */
  async presentIn(key: string): Promise<readonly Present[]> {
    return (await this.#companyOf(key)).present;
  }

  /** Whether anybody has to do with a document, on any node. */
  async isAttached(key: string): Promise<boolean> {
    return this.#actors.has(key) || (await this.presentIn(key)).length > 0;
  }

  /** The integrator's ids of all who edit a document on any node, each once. */
  async editorIdsOf(key: string): Promise<string[]> {
    return editorIdsIn(await this.#companyOf(key));
  }

  /** Tells the people in a document of something, on whatever node they are. */
  tell(key: string, notice: DocumentNotice): Promise<void> {
    const actor = this.#actors.get(key);
    this.#ports.nodes?.bus.say(key, JSON.stringify(notice));
    if (!actor) this.#ports.noticed(key, notice);
    return actor ? actor.run(async () => actor.notice(notice)) : Promise.resolve();
  }

  get size(): number {
    return this.#actors.size;
  }

  actors(): Iterable<DocumentActor> {
    return this.#actors.values();
  }

  stop(): void {
    this.#stopped = true;
    for (const timer of this.#lingering.values()) clearTimeout(timer);
    for (const actor of this.#actors.values()) actor.stop();
    this.#unwatch?.();
  }

  /** Again and again until what the nodes share answers. */
  async #forget(actor: DocumentActor): Promise<void> {
    const { ports, key } = actor.document;
    try {
      await actor.forget();
    } catch (error) {
      if (!ports.nodes || this.#stopped) throw error;
      const again = () => actor.run(() => this.#forget(actor)).catch((late) => this.#onError(late, key));
      setTimeout(again, ports.times.tryAgainMs).unref();
    }
  }

  #companyOf(key: string): Promise<Company> {
    return this.#ports.coordination.update(key, companyCell, (company) => [company, company]);
  }

  /** Another node is gone: those who know of somebody elsewhere see to what is left behind. */
  #forgetDead(): void {
    for (const [key, actor] of this.#actors) {
      if (!actor.document.isElsewhere) continue;
      actor
        .run(() => actor.forgetDead())
        .catch((error: unknown) => {
          actor.document.repair();
          this.#onError(error, key);
        });
    }
  }

  /** This node was taken for dead by the others: what its members had has been given away, and they begin anew. */
  #interruptAll(): void {
    for (const { document } of this.#actors.values()) {
      for (const { peer } of document.members.values()) peer.interrupt('the node was away');
    }
  }
}

/** Who is attached to the documents of this node, by kind. */
export function sessionsOf(registry: DocumentRegistry) {
  const counts = { editor: 0, viewer: 0, live_viewer: 0, closed: 0 };
  for (const { document } of registry.actors()) {
    for (const member of document.members.values()) counts[kindOf(member)] += 1;
  }
  return counts;
}

function kindOf(member: Member): 'editor' | 'viewer' | 'live_viewer' | 'closed' {
  if (member.state === 'closed') return 'closed';
  if (!member.view) return 'editor';
  return member.live ? 'live_viewer' : 'viewer';
}
