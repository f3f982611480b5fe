import { DocumentActor } from './document/actor.ts';
import { isEditor, type Member } from './document/member.ts';
import type { DocumentNotification } from './document/node-messages.ts';
import type { DocumentPorts } from './document/open-document.ts';
import {
  editorIdsIn,
  type Participant,
  type ParticipantList,
  participantsValue,
} from './document/participants.ts';
import { SessionCounts, type SessionKind } from './document/session-counts.ts';

interface Kept {
  readonly actor: DocumentActor;
  /** How many tasks still need the actor, beside those who are attached. */
  users: number;
  /** Runs while it is to be dropped. */
  lingering: NodeJS.Timeout | null;
}

/** The documents this node has somebody attached to, or had a moment ago: one actor for each, never two. */
export class DocumentRegistry {
  readonly #documents = new Map<string, Kept>();
  readonly #ports: DocumentPorts;
  readonly #lingerMs: number;
  #stopped = false;
  /** Called with members of this node that have another name now. */
  onRenamed: (members: readonly Member[]) => void = () => undefined;
  readonly #unwatch: (() => void) | undefined;
  readonly #onError: (error: unknown, key: string) => void;

  /** A document that nobody is attached to is kept for `lingerMs`, so that a reloaded page finds its chat. */
  constructor(
    ports: Omit<DocumentPorts, 'renamed' | 'sessions'>,
    lingerMs: number,
    onError: (error: unknown, key: string) => void,
  ) {
    const renamed = (members: readonly Member[]) => this.onRenamed(members);
    this.#ports = { ...ports, sessions: new SessionCounts(), renamed };
    this.#lingerMs = lingerMs;
    this.#onError = onError;
    this.#unwatch = ports.nodes?.leases.watch({
      died: () => this.#forgetDead(),
      lapsed: () => this.#interruptAll(),
    });
  }

  /** Does something with the actor of a document. It is made if there is none, and stays the only one meanwhile. */
  async use<Result>(key: string, work: (actor: DocumentActor) => Promise<Result>): Promise<Result> {
    const kept = this.#documents.get(key) ?? this.#make(key);
    stopLingering(kept);
    kept.users += 1;
    try {
      return await work(kept.actor);
    } finally {
      kept.users -= 1;
      this.maybeDrop(key);
    }
  }

  /** The actor of a document that somebody is attached to. */
  find(key: string): DocumentActor | undefined {
    return this.#documents.get(key)?.actor;
  }

  /** To be called when somebody left: drops the document after a while if nobody is attached to it. */
  maybeDrop(key: string): void {
    const kept = this.#documents.get(key);
    if (kept && isIdle(kept)) this.#dropIn(kept, this.#lingerMs);
  }

  /** Who takes part in a document, on any node. */
  async participantsIn(key: string): Promise<readonly Participant[]> {
    return (await this.#listOf(key)).present;
  }

  /** Whether somebody edits a document on this node. */
  isEditedHere(key: string): boolean {
    const members = this.find(key)?.document.members.values() ?? [];
    return [...members].some(isEditor);
  }

  /** Whether anybody has to do with a document, on any node. */
  async isAttached(key: string): Promise<boolean> {
    return this.#documents.has(key) || (await this.participantsIn(key)).length > 0;
  }

  /** The integrator's ids of all who edit a document on any node, each once. */
  async editorIdsOf(key: string): Promise<string[]> {
    return editorIdsIn(await this.#listOf(key));
  }

  /** Publishes a notification to the participants of a document on all nodes. */
  publish(key: string, notification: DocumentNotification): Promise<void> {
    const actor = this.find(key);
    this.#ports.nodes?.bus.publish(key, JSON.stringify(notification));
    if (!actor) this.#ports.notified(key, notification);
    return actor ? actor.run(async () => actor.notify(notification)) : Promise.resolve();
  }

  /** How many are attached to the documents of this node, by kind. */
  get sessions(): Readonly<Record<SessionKind, number>> {
    return this.#ports.sessions.now();
  }

  get size(): number {
    return this.#documents.size;
  }

  *actors(): Iterable<DocumentActor> {
    for (const { actor } of this.#documents.values()) yield actor;
  }

  stop(): void {
    this.#stopped = true;
    for (const kept of this.#documents.values()) {
      stopLingering(kept);
      kept.actor.stop();
    }
    this.#unwatch?.();
  }

  #make(key: string): Kept {
    const actor = new DocumentActor(key, this.#ports, (error) => this.#onError(error, key));
    const kept: Kept = { actor, users: 0, lingering: null };
    this.#documents.set(key, kept);
    return kept;
  }

  #dropIn(kept: Kept, delayMs: number): void {
    if (kept.lingering || this.#stopped) return;
    const { key } = kept.actor.document;
    kept.lingering = setTimeout(() => {
      kept.lingering = null;
      kept.actor.run(() => this.#drop(kept)).catch((error: unknown) => this.#onError(error, key));
    }, delayMs);
    kept.lingering.unref();
  }

  /** Is repeated until what the nodes share answers. Call within `run`: those who come meanwhile wait. */
  async #drop(kept: Kept): Promise<void> {
    const { ports, key } = kept.actor.document;
    // Another one that was in line may have dropped it.
    if (!isIdle(kept) || this.#documents.get(key) !== kept) return;
    try {
      await kept.actor.forget();
    } catch (error) {
      this.#dropIn(kept, ports.times.tryAgainMs);
      // Nodes lose what they share now and then; a single one that cannot forget has a fault.
      if (!ports.nodes) throw error;
      return;
    }
    if (!isIdle(kept)) return;
    kept.actor.stop();
    this.#documents.delete(key);
  }

  #listOf(key: string): Promise<ParticipantList> {
    return this.#ports.coordination.update(key, participantsValue, (list) => [list, list]);
  }

  /** Another node is gone: documents that know of participants elsewhere clear up what these have left. */
  #forgetDead(): void {
    for (const actor of this.actors()) {
      if (!actor.document.isElsewhere) continue;
      actor
        .run(() => actor.forgetDead())
        .catch((error: unknown) => {
          actor.document.resync();
          this.#onError(error, actor.document.key);
        });
    }
  }

  /** The other nodes took this one for dead and gave away what its members had; these begin anew. */
  #interruptAll(): void {
    for (const { document } of this.actors()) {
      document.othersMayHaveCome();
      for (const { peer } of document.members.values()) peer.interrupt('the node was away');
    }
  }
}

const isIdle = ({ actor, users }: Kept): boolean => users === 0 && actor.document.members.size === 0;

function stopLingering(kept: Kept): void {
  if (kept.lingering) clearTimeout(kept.lingering);
  kept.lingering = null;
}
