import type { Logger } from 'pino';
import type { Closing } from '../../db/closing.ts';
import { shareOf } from '../../platform/key-share.ts';
import type { NodeLeases } from '../../platform/ports/coordination.ts';
import type { Leaving } from './leaving.ts';

const sweepEveryMs = 30_000;
/** Of so many sweeps the last two, which it takes to find out, are also for the share of the others, who may be unable to. */
const sweepsInRound = 10;
/** Where others edit a document is asked again after so many sweeps, at random, so that it is not asked of all at once. */
const [fewestBelieved, mostBelieved] = [5, 10];

/** The documents that somebody is attached to: what is asked of them, and their actors. */
interface OpenDocuments {
  /** Whether somebody edits a document on this node. */
  isEditedHere(key: string): boolean;
  participantsIn(key: string): Promise<readonly { readonly view: boolean; readonly nodeId: string }[]>;
  /** Works on a document; its actor is kept as long. */
  use<Result>(key: string, work: (actor: DocumentActor) => Promise<Result>): Promise<Result>;
}

/** Runs work in line with the messages of a document. */
interface DocumentActor {
  run<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Takes sessions of dead nodes out of the document. */
  forgetDead(): Promise<void>;
}

export interface RecoveryDependencies {
  closing: Closing;
  leaving: Leaving;
  registry: OpenDocuments;
  /** Null: this server is the only one. */
  leases: NodeLeases | null;
  log: Logger;
}

/** Nodes on which a document was edited, and until which sweep that is believed of those that live. */
interface EditedElsewhere {
  nodeIds: readonly string[];
  untilSweep: number;
}

/**
 * Takes up what a dead process left (I6). Documents that were being edited get a grace in which their editors come
 * back; then, and for closings and assemblies at once, things go on where they stopped. Repeated now and then, because
 * a timer or a job may be lost without the process dying. Every node does so for its share of the documents, and now and then
 * for all; the database lets one of them.
 */
export class Recovery {
  readonly #deps: RecoveryDependencies;
  /** Documents in state `open` without an editor on any node, and since when that is known here. */
  #leftAlone = new Map<string, number>();
  /** Documents that were edited on other nodes when that was asked. */
  #editedElsewhere = new Map<string, EditedElsewhere>();
  #graceMs = 0;
  #sweeps = 0;
  #isSweeping = false;
  /** Another sweep is to follow. */
  #isWanted = false;
  #isStopped = false;
  #timer: NodeJS.Timeout | null = null;
  #afterDeath: NodeJS.Timeout | null = null;
  #unwatch: (() => void) | undefined;

  constructor(dependencies: RecoveryDependencies) {
    this.#deps = dependencies;
  }

  /**
   * Runs at start. Assemblies go on at once; what was being edited, or had just been left, waits `reconnectGraceMs` for
   * editors of the time before to come back.
   */
  async start(reconnectGraceMs: number): Promise<void> {
    const { closing, leaving, leases } = this.#deps;
    this.#graceMs = reconnectGraceMs;
    for (const document of await closing.unfinished()) {
      if (document.state === 'assembling') leaving.assemble(document);
    }
    for (const key of await closing.openKeys()) this.#leftAlone.set(key, Date.now());
    this.#timer = setTimeout(() => {
      this.#timer = setInterval(() => this.#sweepAside(), sweepEveryMs);
      this.#sweepAside();
    }, reconnectGraceMs);
    this.#unwatch = leases?.watch({
      died: () => {
        // Runs once to see which documents have no editors, and once more when editors have had time to come back.
        this.#sweepAside();
        if (this.#afterDeath) clearTimeout(this.#afterDeath);
        this.#afterDeath = setTimeout(() => this.#sweepAside(), reconnectGraceMs + 100);
      },
      lapsed: () => undefined,
    });
  }

  stop(): void {
    this.#isStopped = true;
    if (this.#timer) clearTimeout(this.#timer);
    if (this.#afterDeath) clearTimeout(this.#afterDeath);
    this.#unwatch?.();
  }

  /** One sweep at a time, however long it takes: what it is asked for meanwhile, the next one does. */
  #sweepAside(): void {
    this.#isWanted = true;
    if (this.#isSweeping) return;
    this.#isSweeping = true;
    this.#sweepWhileWanted()
      .catch((error: unknown) => {
        this.#deps.log.error({ err: error }, 'Unfinished documents could not be looked for');
      })
      .finally(() => {
        this.#isSweeping = false;
      });
  }

  async #sweepWhileWanted(): Promise<void> {
    while (this.#isWanted && !this.#isStopped) {
      this.#isWanted = false;
      await this.#sweep();
    }
  }

  async #sweep(): Promise<void> {
    const living = (await this.#deps.leases?.living()) ?? null;
    const isOwn = this.#ownShare(living);
    const before = this.#leftAlone;
    const leftAlone = new Map<string, number>();
    this.#leftAlone = leftAlone;
    const editedElsewhere = this.#stillEdited(living);
    this.#editedElsewhere = editedElsewhere;
    for (const document of await this.#deps.closing.unfinished()) {
      if (!isOwn(document.key)) continue;
      if (document.state === 'closing') this.#deps.leaving.assembleAfter(document.key, document.dueInMs);
      else this.#deps.leaving.assemble(document);
    }
    for (const key of await this.#deps.closing.openKeys()) {
      if (isOwn(key) && !editedElsewhere.has(key))
        await this.#look(key, before.get(key) ?? Date.now(), leftAlone, living);
    }
  }

  /** What may be believed of what others edit: to ask about thousands of documents at once is felt by everybody in them. */
  #stillEdited(living: ReadonlySet<string> | null): Map<string, EditedElsewhere> {
    const isBelieved = ({ nodeIds, untilSweep }: EditedElsewhere) =>
      untilSweep > this.#sweeps && nodeIds.some((nodeId) => living?.has(nodeId));
    return new Map([...this.#editedElsewhere].filter(([, edited]) => isBelieved(edited)));
  }

  /** Which documents this node is to look at now: to ask who is in one costs what the nodes share a step, and to queue a job some. */
  #ownShare(living: ReadonlySet<string> | null): (key: string) => boolean {
    const isForAll = this.#sweeps % sweepsInRound >= sweepsInRound - 2;
    this.#sweeps += 1;
    const nodes = [...(living ?? [])].sort();
    const own = nodes.indexOf(this.#deps.leases?.nodeId ?? '');
    if (own < 0 || isForAll) return () => true;
    return (key) => shareOf(key, nodes.length) === own;
  }

  /** A document in state `open` that nobody edits on any node: its editors left and no node noticed. */
  async #look(
    key: string,
    sinceMs: number,
    leftAlone: Map<string, number>,
    living: ReadonlySet<string> | null,
  ): Promise<void> {
    const { registry, closing, leaving, log } = this.#deps;
    const isEdited = async () => {
      if (registry.isEditedHere(key)) return true;
      const present = await registry.participantsIn(key);
      const editors = present.filter(({ view, nodeId }) => !view && (living?.has(nodeId) ?? true));
      if (editors.length > 0) this.#isEditedBy(key, editors);
      return editors.length > 0;
    };
    if (await isEdited()) return;
    leftAlone.set(key, sinceMs);
    if (Date.now() - sinceMs < this.#graceMs) return;
    await registry.use(key, (actor) =>
      actor.run(async () => {
        await actor.forgetDead();
        if (await isEdited()) return;
        const visitor = await closing.lastOpening(key);
        await leaving.lastEditorLeft(key, visitor ?? { userId: '', callbackUrl: null }, true);
        log.warn({ documentKey: key }, 'A document nobody had left was closed');
        if (await isEdited()) await leaving.editorIsBack(key);
      }),
    );
  }

  #isEditedBy(key: string, editors: readonly { readonly nodeId: string }[]): void {
    const sweeps = fewestBelieved + Math.floor(Math.random() * (1 + mostBelieved - fewestBelieved));
    const nodeIds = [...new Set(editors.map(({ nodeId }) => nodeId))];
    this.#editedElsewhere.set(key, { nodeIds, untilSweep: this.#sweeps + sweeps });
  }
}
