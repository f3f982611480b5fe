import {
  type Block,
  type GetLock,
  type Lock,
  type LockMap,
  lockKey,
  parseExcelInfo,
  type ReleasedLock,
} from '../../../client/protocol/index.ts';
import { Frame } from '../../../platform/ports/peer.ts';
import {
  acquireLocks,
  dropRefusals,
  freeLocks,
  type LockRequest,
  type LockTable,
  noLocks,
  putBackLocks,
  releaseLocks,
  shiftLocks,
} from './element-locks.ts';
import { lockPartsOf, partsOf } from './lock-parts.ts';
import { isEditor, type Member, releasedLock } from './member.ts';
import { type OpenDocument, send } from './open-document.ts';

/** What going through the table, and storing it, takes for each lock, in characters of a message to nobody. */
const charactersOfLock = 120;

const locksValue = { name: 'locks', empty: noLocks };

/** Element locks of one document: asks the shared table and sends clients what came of it, on this node and the others. */
export class Locking {
  readonly #document: OpenDocument;
  readonly #seeWhoIsThere: () => Promise<void>;
  /** The table as it was last seen here, where other nodes may change it. */
  #seen: LockTable = noLocks;
  /** What `othersSeen` was when that was looked at; null: others served the document then, or it is not known what became of a step. */
  #seenAt: number | null = null;
  /** What was refused because the table did not answer, by connection. */
  #unanswered: { connectionId: string; lock: Lock }[] = [];
  /** Connections to this node that the table may have refusals of. */
  readonly #refused = new Set<string>();
  /** What was released when the table did not answer. */
  #owed: Lock[] = [];

  /** `seeWhoIsThere` learns who takes part, on any node. */
  constructor(document: OpenDocument, seeWhoIsThere: () => Promise<void>) {
    this.#document = document;
    this.#seeWhoIsThere = seeWhoIsThere;
  }

  /** All locks by key. */
  locks(): Promise<LockTable['locks']> {
    return this.#update((table) => [table, table.locks]);
  }

  /** All locks by key for a newcomer; none when the table does not answer, since the newcomer comes in all the same. */
  async locksToShow(): Promise<LockTable['locks']> {
    if (this.#isSeen()) return this.#seen.locks;
    return (await this.#document.bestEffort(() => this.locks())) ?? this.#seen.locks;
  }

  async getLock(member: Member, request: GetLock): Promise<void> {
    const asked = await this.#document.bestEffort(() =>
      this.#update((table) => {
        const { state, outcome } = acquireLocks(table, this.#requestOf(member, request.block));
        return [state, [state.locks, outcome] as const];
      }),
    );
    if (!asked?.[1].granted) this.#refused.add(member.peer.id);
    if (!asked) return this.#refuse(member, request.block);
    const [locks, outcome] = asked;
    member.peer.paysFor(Object.keys(locks).length * charactersOfLock, 0);
    if (outcome.granted) return this.#publishGranted(member, locksOn(locks, request.block));
    if (outcome.refused && (await this.#freeLeft(outcome.refused.lock.user)))
      return this.getLock(member, request);
    const shown = outcome.refused ? { [outcome.refused.key]: outcome.refused.lock } : {};
    for (const part of lockPartsOf({ ...shown, ...locksOn(locks, request.block), ...shown }))
      send(member, { type: 'getLock', locks: part });
  }

  /**
   * Frees the locks of a user who is not there: their node died after they had got the locks back and before they were
   * participants again. Returns whether there were any.
   */
  async #freeLeft(userId: string): Promise<boolean> {
    const document = this.#document;
    const { nodes, times } = document.ports;
    const isThere = () => document.participants.some(({ uniqueId }) => uniqueId === userId);
    if (!nodes || isThere()) return false;
    const latestMs = Date.now() - times.comingInMs;
    const left = Object.values(this.#seen.locks).filter(
      ({ user, time }) => user === userId && time < latestMs,
    );
    if (left.length === 0) return false;
    const freed = await document.bestEffort(async () => {
      await this.#seeWhoIsThere();
      if (isThere()) return [];
      this.#owed.push(...left);
      return this.releaseLate();
    });
    return freed !== undefined && freed.length > 0;
  }

  /** Nobody knows whether the element is free: it is refused, and shown as nobody's until it is known. */
  #refuse(member: Member, blocks: readonly Block[]): void {
    const [block] = blocks;
    if (!block) return;
    const lock: Lock = { time: Date.now(), user: '', block };
    this.#unanswered.push({ connectionId: member.peer.id, lock });
    send(member, { type: 'getLock', locks: { [lockKey(block)]: lock } });
  }

  /** Sends a member who got its locks back all there are, and the other editors those. */
  async announce(member: Member, blocks: readonly Block[]): Promise<void> {
    const locks = await this.locks();
    for (const part of lockPartsOf(locks)) send(member, { type: 'getLock', locks: part });
    this.#publishGranted(member, locksOn(locks, blocks), false);
  }

  /** Publishes locks that were granted to editors. They add them to those they know; the list of all may be long. */
  #publishGranted(member: Member, granted: LockMap, toSelf = true): void {
    this.#document.publish({ t: 'locked', locks: granted });
    const hear = [...this.#document.members.values()].filter((one) =>
      one === member ? toSelf : isActiveEditor(one),
    );
    for (const part of lockPartsOf(granted)) {
      const frame = Frame.of({ type: 'getLock', locks: part });
      member.peer.paysFor(frame.characters, hear.length);
      for (const one of hear) one.peer.send(frame);
    }
  }

  /** Another node granted locks. */
  heardLocked(locks: LockMap): void {
    this.#seen = { ...this.#seen, locks: { ...this.#seen.locks, ...locks } };
    for (const part of lockPartsOf(locks))
      this.#document.broadcast({ type: 'getLock', locks: part }, isActiveEditor);
  }

  /** Another node freed locks, or takes back what was refused because of them. */
  heardUnlocked(
    locks: readonly ReleasedLock[],
    lifted: readonly { connectionId: string; lock: ReleasedLock }[],
  ): void {
    if (locks.length > 0) {
      this.freed(locks);
      for (const part of partsOf(locks))
        this.#document.broadcast({ type: 'releaseLock', locks: part }, isActiveEditor);
    }
    this.#lift(lifted);
  }

  /** Editors here were sent that these locks are free. */
  freed(locks: readonly ReleasedLock[]): void {
    if (locks.length === 0) return;
    const keys = new Set(locks.map(({ block }) => lockKey(block)));
    const left = Object.entries(this.#seen.locks).filter(([key]) => !keys.has(key));
    this.#seen = { ...this.#seen, locks: Object.fromEntries(left) };
  }

  /**
   * Compares with the table, since messages may have been missed: locks of members here that nobody released are put
   * back, and editors are sent what is different.
   */
  async lookAgain(): Promise<void> {
    const document = this.#document;
    const before = this.#seen;
    const users = new Map([...document.members.values()].map((one) => [one.author.uniqueId, one]));
    const isOwed = among(this.#owed);
    const freed = new Set((await this.releaseLate()).map(({ block }) => lockKey(block)));
    const known = Object.entries(before.locks).filter(([key]) => !freed.has(key));
    const held = known.map(([, lock]) => lock).filter((lock) => users.has(lock.user) && !isOwed(lock));
    const [locks, lost] = await this.#update((table) => {
      const { state, lost } = putBackLocks(table, held, document.lockRules);
      return [state, [state.locks, lost] as const];
    });
    for (const { user } of lost) users.get(user)?.peer.interrupt('a lock was lost');
    const ended = known.filter(([key, { user }]) => locks[key]?.user !== user);
    const begun = Object.entries(locks).filter(([key, { user }]) => before.locks[key]?.user !== user);
    const unanswered = this.#unanswered;
    this.#unanswered = [];
    this.#lift(unanswered.map(({ connectionId, lock }) => ({ connectionId, lock: releasedLock(lock) })));
    this.heardUnlocked(
      ended.map(([, lock]) => releasedLock(lock)),
      [],
    );
    if (begun.length > 0) this.heardLocked(Object.fromEntries(begun));
  }

  /** Frees what was released when the table did not answer, publishes what of it is free, and returns that. */
  async releaseLate(): Promise<readonly ReleasedLock[]> {
    const owed = this.#owed;
    if (owed.length === 0) return [];
    const [locks, lifted] = await this.#update((table) => {
      const { state, lifted } = freeLocks(table, among(owed));
      // What the table has lost is free as well.
      const free = owed.filter(({ block }) => !Object.hasOwn(state.locks, lockKey(block)));
      return [state, [free.map(releasedLock), lifted] as const];
    });
    this.#owed = this.#owed.filter((lock) => !owed.includes(lock));
    const notices = lifted.map(({ connectionId, lock }) => ({ connectionId, lock: releasedLock(lock) }));
    if (locks.length > 0) this.#document.publish({ t: 'unlocked', locks, lifted: notices });
    this.heardUnlocked(locks, notices);
    return locks;
  }

  /** Forgets the table where nobody is left on any node. */
  async clear(): Promise<void> {
    if (this.#isSeen() && this.#seen === noLocks) return;
    await this.#update((table) => [Object.keys(table.locks).length === 0 ? noLocks : table, undefined]);
  }

  /** Whether a returning member gets back the locks it says it holds. */
  async regain(member: Member, blocks: readonly Block[]): Promise<boolean> {
    if (blocks.length === 0) return true;
    return this.#update((table) => {
      const { state, outcome } = acquireLocks(table, this.#requestOf(member, blocks));
      return outcome.granted ? [state, true] : [table, false];
    });
  }

  /** Moves the range locks of the others by the rows and columns that the member's save inserted and removed. */
  async shift(member: Member, excelAdditionalInfo: string): Promise<void> {
    const info = parseExcelInfo(excelAdditionalInfo);
    if (!info) return;
    const step = (table: LockTable) => [shiftLocks(table, info, member.author.uniqueId), undefined] as const;
    await this.#document.bestEffort(() => this.#update(step));
  }

  /** Frees the locks of a user and returns them. Those who were refused because of them are notified. */
  async release(userId: string): Promise<Lock[]> {
    const { released, lifted } = await this.#release(userId);
    if (lifted.length > 0) this.#document.publish({ t: 'unlocked', locks: [], lifted });
    return released;
  }

  /** Frees the locks of a user and publishes that to the other editors, and to the user if `toSelf`. */
  async releaseAndPublish(userId: string, toSelf: boolean): Promise<void> {
    const { released, lifted } = await this.#release(userId);
    const locks = released.map(releasedLock);
    if (locks.length === 0 && lifted.length === 0) return;
    this.#document.publish({ t: 'unlocked', locks, lifted });
    if (locks.length === 0) return;
    for (const part of partsOf(locks)) {
      this.#document.broadcast({ type: 'releaseLock', locks: part }, (one) =>
        one.author.uniqueId === userId ? toSelf : isActiveEditor(one),
      );
    }
  }

  async #release(userId: string) {
    if (this.#isSeen() && releaseLocks(this.#seen, userId).state === this.#seen)
      return { released: [], lifted: [] };
    const step = () =>
      this.#update((table) => {
        const { state, released, lifted } = releaseLocks(table, userId);
        return [state, { released, lifted }];
      });
    const freed = await this.#document.bestEffort(step);
    if (!freed) this.#owed.push(...Object.values(this.#seen.locks).filter(({ user }) => user === userId));
    const { released, lifted } = freed ?? { released: [], lifted: [] };
    const notices = lifted.map(({ connectionId, lock }) => ({ connectionId, lock: releasedLock(lock) }));
    this.#lift(notices);
    return { released, lifted: notices };
  }

  /** Notifies those here who were refused locks that they may ask again. */
  #lift(lifted: readonly { connectionId: string; lock: ReleasedLock }[]): void {
    for (const { connectionId, lock } of lifted) {
      const asker = this.#document.members.get(connectionId);
      if (asker) send(asker, { type: 'releaseLock', locks: [lock] });
    }
  }

  /** The connection is gone: what it was refused is of no interest any more. */
  async forget(connectionId: string): Promise<void> {
    const step = (table: LockTable) => [dropRefusals(table, connectionId), undefined] as const;
    await this.#document.bestEffort(() => this.#update(step));
  }

  /** The same for a connection to this node, of which is known whether there is anything to forget. */
  async forgetOwn(connectionId: string): Promise<void> {
    if (this.#refused.delete(connectionId)) await this.forget(connectionId);
  }

  #requestOf(member: Member, blocks: readonly Block[]): LockRequest {
    return {
      connectionId: member.peer.id,
      userId: member.author.uniqueId,
      editorType: this.#document.lockRules,
      blocks,
      nowMs: Date.now(),
    };
  }

  /** Whether the table is as it was last seen here: nobody elsewhere can have changed it since. */
  #isSeen(): boolean {
    const { ports, isElsewhere, othersSeen } = this.#document;
    return ports.nodes !== null && !isElsewhere && this.#seenAt === othersSeen;
  }

  async #update<Result>(step: (table: LockTable) => readonly [LockTable, Result]): Promise<Result> {
    const { ports, key, isElsewhere, othersSeen } = this.#document;
    if (!ports.nodes) return ports.coordination.update(key, locksValue, step);
    this.#seenAt = null;
    const [table, result] = await ports.coordination.update(key, locksValue, (before) => {
      const [after, result] = step(before);
      return [after, [after, result] as const];
    });
    this.#seen = table;
    if (!isElsewhere) this.#seenAt = othersSeen;
    return result;
  }
}

/** Whether a lock is one of these, and not one that its user got later. */
const among = (locks: readonly Lock[]) => (one: Lock) =>
  locks.some(({ user, time }) => user === one.user && time === one.time);

const isActiveEditor = (member: Member): boolean =>
  isEditor(member) && member.state === 'active' && !member.isShutOut;

/** The locks that lie on these blocks. */
function locksOn(locks: LockTable['locks'], blocks: readonly Block[]): LockMap {
  const keys = blocks.map(lockKey).filter((key) => Object.hasOwn(locks, key));
  return Object.fromEntries(keys.map((key) => [key, locks[key]!]));
}
