import { setTimeout as pause, setImmediate as turn } from 'node:timers/promises';
import { expect } from 'vitest';
import type { ClientMessage, ServerMessage } from '../../client/protocol/index.ts';
import { MemoryBusHub, MemorySharedValues } from '../../platform/adapters/memory-coordination.ts';
import {
  SharedCoordination,
  type SharedValueStore,
  type VersionedValue,
} from '../../platform/adapters/shared-coordination.ts';
import { type Coordination, CoordinationUnavailable } from '../../platform/ports/coordination.ts';
import type { DocumentLifecycle } from '../../platform/ports/document-lifecycle.ts';
import { noSessionMetrics } from '../../platform/ports/session-metrics.ts';
import type { DocumentActor } from '../../services/coauthoring/document/actor.ts';
import { HistoryMemory } from '../../services/coauthoring/document/history-chunks.ts';
import { defaultSessionTimes, type SessionTimes } from '../../services/coauthoring/document/open-document.ts';
import type { DocumentMessage } from '../../services/coauthoring/document/rights/message-rights.ts';
import { SessionCounts } from '../../services/coauthoring/document/session-counts.ts';
import { DocumentRegistry } from '../../services/coauthoring/registry.ts';
import { eventually } from './eventually.ts';
import { FakeClient } from './fake-client.ts';
import { listsOf } from './lists-of.ts';
import { MemoryChangeLog } from './memory-change-log.ts';
import { MemoryLeaseHub } from './memory-leases.ts';
import { patienceMs } from './patience.ts';
import { WaitError } from './wait-error.ts';

const key = 'd1';
/** Of chances from 0 to 9: so many messages are lost, so many are late. */
const lost = 1;
const late = 4;

/** What nodes share, beyond a socket. */
class DistantCells implements SharedValueStore {
  #cells = new MemorySharedValues();
  isAway = false;

  async compareAndPut(
    ...step: Parameters<SharedValueStore['compareAndPut']>
  ): Promise<VersionedValue | null> {
    await this.#answers();
    return this.#cells.compareAndPut(...step);
  }

  async append(...entry: Parameters<SharedValueStore['append']>): Promise<void> {
    await this.#answers();
    await this.#cells.append(...entry);
  }

  async entries(documentKey: string, name: string): Promise<readonly string[]> {
    await this.#answers();
    return this.#cells.entries(documentKey, name);
  }

  async clear(documentKey: string, name: string): Promise<void> {
    await this.#answers();
    await this.#cells.clear(documentKey, name);
  }

  loseEverything(): void {
    this.#cells = new MemorySharedValues();
  }

  async #answers(): Promise<void> {
    await turn();
    if (this.isAway) throw new Error('away');
  }
}

/** A bus on which messages are lost and late; what one node says to another stays in order. */
class LossyHub extends MemoryBusHub {
  readonly #chance: () => number;
  readonly #lines = new Map<string, Promise<void>>();
  readonly isDead: (nodeId: string) => boolean;
  /** Nothing arrives. */
  isMute = false;

  constructor(chance: () => number, isDead: (nodeId: string) => boolean) {
    super();
    this.#chance = chance;
    this.isDead = isDead;
  }

  override deliver(from: string, to: string, arrive: () => void): void {
    const chance = this.#chance();
    if (chance < lost || this.isDead(from) || this.isMute) return;
    const line = `${from} ${to}`;
    const before = this.#lines.get(line) ?? Promise.resolve();
    const arrived = before.then(() => (chance < lost + late ? pause(chance) : turn()));
    this.#lines.set(
      line,
      arrived.then(() => {
        if (!this.isDead(to)) arrive();
      }),
    );
  }
}

/** One server of several. Once it is dead nothing it waits for comes any more. */
class Node {
  readonly id: string;
  readonly registry: DocumentRegistry;
  isDead = false;

  constructor(id: string, world: NodesWorld) {
    this.id = id;
    const { log } = world;
    const leases = world.leases.leasesOf(id);
    const living = async () => {
      const found = await leases.living();
      await world.afterLook(id, found);
      return found;
    };
    const nodes = { bus: world.hub.busOf(id), leases: { ...leases, living } };
    const coordination = SharedCoordination.withOwnership(this.#mortalStore(world), nodes.bus, nodes.leases);
    this.registry = new DocumentRegistry(
      {
        log,
        coordination: this.#mortal(coordination),
        nodes,
        lifecycle: world.lifecycleOf(this),
        metrics: noSessionMetrics,
        notified: () => undefined,
        ...{ maxLogBytes: 1_000_000, maxSentBytes: 10_000_000 },
        trustsPartialRights: false,
        ...{ checkpointWork: Number.POSITIVE_INFINITY, checkpointWanted: () => undefined },
        historyMemory: new HistoryMemory(1_000_000),
        times: world.times,
        faultPoint: () => undefined,
      },
      0,
      (error) => {
        if (!(error instanceof CoordinationUnavailable)) world.errors.push(error);
      },
    );
  }

  /** What a process would have done next ends with it. */
  #mortalStore(world: NodesWorld): SharedValueStore {
    const store = world.coordination;
    return {
      compareAndPut: async (...step) => {
        await world.beforeStep(this.id, step[1]);
        if (this.isDead) await new Promise(() => undefined);
        const answer = await store.compareAndPut(...step);
        if (answer === null) await world.afterPut(step[1], step[3]);
        return answer;
      },
      ...listsOf(store),
    };
  }

  #mortal(opening: Promise<Coordination>): Coordination {
    return {
      update: async (...step) => {
        const coordination = await opening;
        // Other work is done between question and answer, as beyond a socket.
        await turn();
        if (this.isDead) await new Promise(() => undefined);
        return coordination.update(...step);
      },
      append: async (...entry) => (await opening).append(...entry),
      entries: async (...list) => (await opening).entries(...list),
      clear: async (...list) => (await opening).clear(...list),
    };
  }
}

interface Place {
  node: Node;
  actor: DocumentActor;
  /** Resolves when the sign-in is done, or its node is dead. */
  entered: Promise<void>;
}

export interface Act {
  who: number;
  node: number;
  what: string;
  count: number;
}

/** Several nodes in one process, one document, and clients of it that come back when they are interrupted. */
export class NodesWorld {
  readonly log = new MemoryChangeLog();
  readonly coordination = new DistantCells();
  readonly leases = new MemoryLeaseHub();
  readonly hub: LossyHub;
  readonly nodes: Node[];
  readonly errors: unknown[] = [];
  /** Who was the last editor that left, each time. */
  readonly left: string[] = [];
  /** Of all nodes, of those that run already too. */
  readonly times: SessionTimes;
  /** Everything that was acknowledged. */
  readonly acknowledged: string[] = [];
  /** Nobody can say what state the document is in. */
  isDatabaseAway = false;
  /** The document is closed, and its file on the way to the integrator: nobody gets it back by joining. */
  isHandedOver = false;
  /** Called before a node makes a step of a cell that is shared. */
  beforeStep: (nodeId: string, cell: string) => Promise<void> = async () => undefined;
  /** Called when such a step has been made, before its node learns of it. The content is null where it only looked. */
  afterPut: (cell: string, content: VersionedValue | null) => Promise<void> = async () => undefined;
  /** Called when a node has seen which nodes live, before it does anything about it. */
  afterLook: (nodeId: string, living: ReadonlySet<string>) => Promise<void> = async () => undefined;
  readonly #clients = new Map<number, FakeClient>();
  readonly #placeOf = new Map<FakeClient, Place>();
  readonly #held = new Map<FakeClient, Set<string>>();
  readonly #intents = new Map<FakeClient, string[]>();
  readonly #comes = new Set<number>();
  #editorsCame = false;
  /** Which node has told of an end since which nobody came. */
  #endToldBy: Node | null = null;
  #numbers = 0;
  #isSettling = false;

  /** By `chance` messages are lost and late; times are short then, so that what happens after them happens. */
  constructor(count: number, chance: (() => number) | null = null, { lookAgainMs = 15 } = {}) {
    this.log.setState(key, 'open');
    this.times = {
      ...defaultSessionTimes,
      ...{ viewerHoldMs: 0, lookAgainMs, tryAgainMs: 5 },
      ...(chance ? { saveLockAnswerMs: 60, saveLeaseMs: 400, firstEditorWaitMs: 40, comingInMs: 50 } : {}),
    };
    const isDead = (id: string) => this.nodes.find((node) => node.id === id)?.isDead ?? true;
    this.hub = new LossyHub(() => (chance && !this.#isSettling ? chance() : 9), isDead);
    this.nodes = [];
    for (let at = 0; at < count; at += 1) this.nodes.push(new Node(`n${at}`, this));
  }

  lifecycleOf(node: Node): DocumentLifecycle {
    const editorsCame = () => {
      this.#editorsCame = true;
      this.#endToldBy = null;
    };
    return {
      editorJoined: editorsCame,
      editorLeft: () => undefined,
      lastEditorLeft: async (_key, { userId }) => {
        if (node.isDead) await new Promise(() => undefined);
        if (this.isHandedOver) return;
        expect(this.#editorsCame, 'one end for each session').toBe(true);
        this.#editorsCame = false;
        this.#endToldBy = node;
        this.left.push(userId);
        this.log.setState(key, 'closing');
      },
      editorIsBack: async () => {
        if (this.isDatabaseAway) throw new Error('away');
        if (this.isHandedOver) return false;
        this.log.setState(key, 'open');
        editorsCame();
        return true;
      },
    };
  }

  async join(name: string, at: number, { view = false } = {}): Promise<FakeClient> {
    this.#numbers += 1;
    const client = new FakeClient(name, this.#numbers, { view });
    await this.#enter(client, at, null);
    return client;
  }

  /** The same session, over another connection. */
  #anew(client: FakeClient): FakeClient {
    const back = new FakeClient(client.name, client.member.userIndex);
    this.#numbers += 1;
    Object.assign(back.member.peer, { id: `${client.member.peer.id}-${this.#numbers}` });
    back.changes = [...client.changes];
    return back;
  }

  /**
   * A session goes on with a new connection, on this node. `silently`: nobody learns of the end of the old one. `blocks`: the
   * locks that it believes it has.
   */
  async comeBack(
    client: FakeClient,
    at: number,
    { silently = false, blocks = [] as readonly string[] } = {},
  ): Promise<FakeClient> {
    const back = this.#anew(client);
    await this.#enter(back, at, client.isIn ? client.changes.length : 0, null, blocks);
    if (!silently) await this.leave(client);
    return back;
  }

  async say(client: FakeClient, message: DocumentMessage): Promise<void> {
    const place = this.#placeOf.get(client);
    if (!place || client.gone) return;
    await this.#orDeath(
      place.node,
      place.actor.run(() => place.actor.handle(client.member, message)),
    );
  }

  /** Asks for the turn, waits for it, saves and waits for the acknowledgement. */
  async save(
    client: FakeClient,
    changes: string[],
    more: Parameters<NodesWorld['send']>[2] = {},
  ): Promise<void> {
    const before = client.received.length;
    await this.say(client, { type: 'isSaveLock', syncChangesIndex: client.changes.length });
    await this.until(() => client.received.slice(before).some(({ type }) => type === 'saveLock'));
    await this.send(client, changes, more);
    await this.until(() => client.received.slice(before).some(({ type }) => type === 'unSaveLock'));
  }

  /** Saves without asking. */
  async send(
    client: FakeClient,
    changes: string[],
    more: Partial<Extract<ClientMessage, { type: 'saveChanges' }>> = {},
  ): Promise<void> {
    client.sent = changes;
    if (more.deleteIndex) client.changes.length = more.deleteIndex;
    await this.say(client, {
      ...{ type: 'saveChanges', changes: JSON.stringify(changes), startSaveChanges: true },
      ...{ endSaveChanges: true, deleteIndex: null, unlock: false, releaseLocks: false },
      ...more,
    });
  }

  async leave(client: FakeClient): Promise<void> {
    const place = this.#placeOf.get(client);
    client.gone = true;
    this.#held.delete(client);
    if (!place || place.node.isDead) return;
    const { actor, node, entered } = place;
    // What a connection said is handled before its end.
    await entered;
    if (actor.document.members.get(client.member.peer.id) === client.member) {
      await this.#orDeath(
        node,
        actor.run(() => actor.leave(client.member, false)),
      );
    }
    node.registry.maybeDrop(key);
  }

  /** A process is gone; another one takes its place. */
  kill(at: number): void {
    const node = this.nodes[at]!;
    node.isDead = true;
    node.registry.stop();
    for (const [client, place] of this.#placeOf) {
      if (place.node !== node) continue;
      client.gone = true;
      this.#held.delete(client);
    }
    this.leases.end(node.id);
    // It may not have found out that somebody came while it told of the end.
    if (this.#endToldBy === node) this.#editorsCame = true;
    this.#numbers += 1;
    this.nodes[at] = new Node(`n${at}-${this.#numbers}`, this);
    // The dead one is still known by its id to whoever asks whether it is dead.
  }

  /** Every node may have missed something. */
  interrupt(): void {
    for (const { id } of this.nodes) this.hub.interrupt(id);
  }

  async present() {
    return this.nodes[0]!.registry.participantsIn(key);
  }

  async stored(): Promise<string[]> {
    const changes: string[] = [];
    for await (const page of this.log.read(key, 0, 1_000_000)) {
      for (const batch of page) changes.push(...(JSON.parse(batch.changes) as string[]));
    }
    return changes;
  }

  /** The log is as it was after so many batches. */
  restore(batches: number): void {
    this.log.restore(key, batches);
  }

  until(condition: () => boolean | Promise<boolean>): Promise<void> {
    return eventually(condition, (is) => is).then(() => undefined);
  }

  /** Every node has done what had reached it, some times over. */
  async quiet(): Promise<void> {
    for (let round = 0; round < 12; round += 1) {
      await pause(1);
      for (const { registry, isDead } of this.nodes) {
        if (isDead) continue;
        for (const actor of registry.actors()) await actor.run(async () => undefined);
      }
    }
    expect(this.errors).toEqual([]);
    for (const { registry, isDead } of this.nodes) if (!isDead) this.#checkCounts(registry);
  }

  /** What is counted as people come and go is what is there. */
  #checkCounts(registry: DocumentRegistry): void {
    const counts = new SessionCounts();
    for (const { document } of registry.actors()) {
      for (const member of document.members.values()) counts.attached(member);
    }
    expect(registry.sessions).toEqual(counts.now());
  }

  /** Something that a random client, or fate, does. */
  async act({ who, node, what, count }: Act): Promise<void> {
    // Who is on the way in can do nothing else.
    if (this.#comes.has(who)) return;
    const client = this.#clients.get(who);
    const isComing = !client || client.gone || what === 'move';
    if (isComing) this.#comes.add(who);
    const work = this.#act(client, who, node, what, count).finally(() => isComing && this.#comes.delete(who));
    // Some things happen before the one before has ended.
    if (count > 1) await work;
    else work.catch((error: unknown) => this.errors.push(error));
    await turn();
  }

  /** No lock is held by two, as far as their clients know. */
  checkLocks(): void {
    const holders = new Map<string, string>();
    for (const [client, blocks] of this.#held) {
      if (client.gone) continue;
      for (const block of blocks) {
        const other = holders.get(block);
        expect(other === undefined || other === client.name, `${block}: ${other}, ${client.name}`).toBe(true);
        holders.set(block, client.name);
      }
    }
  }

  inside(): FakeClient[] {
    return [...this.#clients.values()];
  }

  /** Nothing is lost or late any more, everybody who was interrupted comes back, and all is told. */
  async settle(): Promise<void> {
    this.#isSettling = true;
    await this.until(() => this.#comes.size === 0);
    const isSettled = async () => {
      for (const [who, client] of this.#clients) {
        if (client.gone) this.#clients.set(who, await this.comeBack(client, who % this.nodes.length));
      }
      const clients = this.inside();
      for (const client of clients) {
        if (this.#intents.has(client) && client.isIn) await this.#ask(client);
        await this.say(client, { type: 'unLockDocument', unlock: true });
      }
      await pause(2);
      const log = await this.stored();
      return clients.every(
        (one) => one.isIn && !one.gone && !this.#intents.has(one) && one.changes.length === log.length,
      );
    };
    const inVain = async () =>
      new WaitError('everything to come to rest', patienceMs, await this.#describe());
    const deadline = Date.now() + patienceMs;
    while (!(await isSettled())) if (Date.now() > deadline) throw await inVain();
    // A document that nobody has come to since is found by whoever looks for such.
    const { registry } = this.nodes[0]!;
    await registry.use(key, (actor) => actor.run(() => actor.forgetDead()));
    await this.until(async () => (await this.present()).length === this.inside().length).catch(async () => {
      throw await inVain();
    });
    await this.quiet();
  }

  async close(): Promise<void> {
    await this.quiet();
    for (const { registry } of this.nodes) registry.stop();
  }

  async #act(
    client: FakeClient | undefined,
    who: number,
    at: number,
    what: string,
    count: number,
  ): Promise<void> {
    const node = at % this.nodes.length;
    if (what === 'kill') return this.kill(node);
    if (what === 'lapse') return this.#lapse(node);
    if (what === 'lose') return this.hub.interrupt(this.nodes[node]!.id);
    if (!client || client.gone) {
      if (client) this.#clients.set(who, await this.comeBack(client, node));
      else if (what === 'join') this.#clients.set(who, await this.#joinAs(who, node));
      return;
    }
    if (what === 'unlock') return this.say(client, { type: 'unLockDocument', unlock: true });
    if (!client.isIn) return;
    switch (what) {
      case 'leave':
        this.#clients.delete(who);
        this.#intents.delete(client);
        return this.leave(client);
      case 'move':
        this.#clients.set(who, await this.comeBack(client, node));
        return;
      case 'save':
        this.#numbers += 1;
        if (this.#intents.has(client)) return;
        this.#intents.set(
          client,
          Array.from({ length: count }, (_, index) => `${client.name}-${this.#numbers}-${index}`),
        );
        return this.#ask(client);
      case 'lock':
        return this.say(client, { type: 'getLock', block: [`p${count}`] });
      case 'free':
        this.#held.delete(client);
        return this.say(client, { type: 'unLockDocument', releaseLocks: true });
    }
  }

  #ask(client: FakeClient): Promise<void> {
    return this.say(client, { type: 'isSaveLock', syncChangesIndex: client.changes.length });
  }

  async #joinAs(who: number, at: number): Promise<FakeClient> {
    this.#numbers += 1;
    const client = new FakeClient(`u${who}`, this.#numbers);
    this.#clients.set(who, client);
    await this.#enter(client, at, null);
    return client;
  }

  /** A node is away for a moment: the others take it for dead. */
  async #lapse(at: number): Promise<void> {
    const { id } = this.nodes[at]!;
    for (const [client, { node }] of this.#placeOf) if (node.id === id) this.#held.delete(client);
    this.leases.end(id);
    await turn();
    this.leases.renew(id);
  }

  /**
   * Somebody who has `count` changes, and cannot say so, comes back; `meanwhile` happens after they were found to be all and
   * before the node takes part.
   */
  async comeBackAsOthersDo(
    client: FakeClient,
    at: number,
    count: number,
    meanwhile: () => Promise<void>,
  ): Promise<FakeClient> {
    const back = this.#anew(client);
    back.changes = (await this.stored()).slice(0, count);
    await this.#enter(back, at, null, { count, meanwhile });
    return back;
  }

  async #enter(
    client: FakeClient,
    at: number,
    syncIndex: number | null,
    returning: { count: number; meanwhile: () => Promise<void> } | null = null,
    blocks: readonly string[] = [],
  ): Promise<void> {
    const node = this.nodes[at]!;
    client.onMessage = (message) => this.#heard(client, message);
    client.onEnd = () => {
      this.#held.delete(client);
      setImmediate(() => this.leave(client));
    };
    const { member } = client;
    const enter = async (actor: DocumentActor) => {
      if (!member.view) this.log.setState(key, 'open');
      const end = (await this.log.endOf(key))!;
      await actor.follow({ nextIndex: end.endIndex, logVersion: end.version });
      actor.setOpen(true);
      await returning?.meanwhile();
      await actor.join({
        ...{ member, restored: returning !== null || syncIndex !== null, syncIndex },
        isUpToDate: returning && (async () => (await this.log.endOf(key))!.endIndex === returning.count),
        ...{ acknowledgesHistory: false, blocks },
        findCheckpoint: returning || syncIndex !== null ? null : () => this.#findCheckpoint(client, actor),
        welcome: async (shared) =>
          ({
            ...{ type: 'auth', result: 1, sessionId: member.sessionId, indexUser: member.userIndex },
            ...shared,
          }) as ServerMessage,
      });
    };
    const { registry } = node;
    const entered = this.#orDeath(
      node,
      registry.use(key, (actor) => actor.run(() => enter(actor))),
    );
    this.#placeOf.set(client, { node, actor: registry.find(key)!, entered });
    await entered;
  }

  /** There is a checkpoint for every other newcomer, at any place of the log that the node knows. */
  async #findCheckpoint(client: FakeClient, { document }: DocumentActor) {
    const { version } = (await this.log.endOf(key))!;
    const index = client.member.userIndex % (document.endIndex + 1);
    if (version !== document.logVersion || client.member.userIndex % 2 === 0 || index === 0) return null;
    client.checkpoint = (await this.stored()).slice(0, index);
    return { index, url: '' };
  }

  async #describe(): Promise<string> {
    const clients = this.inside().map((one) => ({
      ...{ name: one.name, id: one.member.peer.id, state: one.member.state, isIn: one.isIn, gone: one.gone },
      ...{ changes: one.changes.length, wants: this.#intents.get(one), sent: one.sent },
      node: this.#placeOf.get(one)?.node.id,
      heard: one.received.slice(-12).map(({ type }) => type),
    }));
    const known = { clients, log: (await this.stored()).length, present: await this.present() };
    return JSON.stringify(known, null, 1);
  }

  /** What a client does by itself. */
  #heard(client: FakeClient, message: ServerMessage): void {
    const { uniqueId } = client.member.author;
    switch (message.type) {
      case 'saveLock': {
        const intent = this.#intents.get(client);
        if (!message.saveLock && intent) setImmediate(() => this.send(client, intent));
        return;
      }
      case 'unSaveLock': {
        const intent = this.#intents.get(client);
        if (message.syncChangesIndex >= 0 && intent) {
          this.acknowledged.push(...intent);
          this.#intents.delete(client);
        }
        return;
      }
      case 'getLock':
        for (const [block, { user }] of Object.entries(message.locks)) {
          if (user !== uniqueId) continue;
          this.#held.set(client, (this.#held.get(client) ?? new Set()).add(block));
        }
        return;
      default:
        return;
    }
  }

  /** Work of a node that dies is never done. */
  async #orDeath(node: Node, work: Promise<unknown>): Promise<void> {
    let isDone = false;
    const done = work.then(
      () => {
        isDone = true;
      },
      (error: unknown) => {
        isDone = true;
        if (!(error instanceof CoordinationUnavailable)) this.errors.push(error);
      },
    );
    while (!isDone && !node.isDead) await Promise.race([done, pause(1)]);
  }
}
