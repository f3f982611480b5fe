import {
  type Block,
  type GetLock,
  type Lock,
  type LockMap,
  lockKey,
  parseExcelInfo,
} from '../../../client/protocol/index.ts';
import {
  acquireLocks,
  dropRefusals,
  type LockRequest,
  type LockTable,
  noLocks,
  releaseLocks,
} from './element-locks.ts';
import { Frame } from './frame.ts';
import { shiftLocks } from './lock-shift.ts';
import { isEditor, type Member, releasedLock } from './member.ts';
import { type OpenDocument, send } from './open-document.ts';

const lockCell = { name: 'locks', empty: noLocks };

/** Element locks of one document: asks the shared table and tells clients what came of it. */
export class Locking {
  readonly #document: OpenDocument;

  constructor(document: OpenDocument) {
    this.#document = document;
  }

  /** All locks by key. */
  locks(): Promise<LockTable['locks']> {
    return this.#update((table) => [table, table.locks]);
  }

  async getLock(member: Member, request: GetLock): Promise<void> {
    const [locks, outcome] = await this.#update((table) => {
      const { state, outcome } = acquireLocks(table, this.#requestOf(member, request.block));
      return [state, [state.locks, outcome] as const];
    });
    if (outcome.granted) return this.#tell(member, locksOn(locks, request.block));
    const shown = outcome.refused ? { [outcome.refused.key]: outcome.refused.lock } : {};
    send(member, { type: 'getLock', locks: { ...locksOn(locks, request.block), ...shown } });
  }

  /** Sends a member who got its locks back all there are, and the other editors those. */
  async announce(member: Member, blocks: readonly Block[]): Promise<void> {
    const locks = await this.locks();
    send(member, { type: 'getLock', locks: { ...locks } });
    this.#tell(member, locksOn(locks, blocks), false);
  }

  /** Tells editors of locks that were granted. They add them to those they know; the list of all may be long. */
  #tell(member: Member, granted: LockMap, toSelf = true): void {
    const frame = Frame.of({ type: 'getLock', locks: granted });
    for (const one of this.#document.members.values()) {
      if (one === member ? toSelf : isEditor(one) && one.state === 'active') one.peer.send(frame);
    }
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
    if (info) await this.#update((table) => [shiftLocks(table, info, member.author.uniqueId), undefined]);
  }

  /** Frees the member's locks and returns them. Whoever was refused because of them is told here. */
  async release(member: Member): Promise<Lock[]> {
    const { released, lifted } = await this.#update((table) => {
      const { state, released, lifted } = releaseLocks(table, member.author.uniqueId);
      return [state, { released, lifted }];
    });
    for (const { connectionId, lock } of lifted) {
      const asker = this.#document.members.get(connectionId);
      if (asker) send(asker, { type: 'releaseLock', locks: [releasedLock(lock)] });
    }
    return released;
  }

  /** Frees the member's locks and tells the other editors, and the member itself if `toSelf`. */
  async releaseAndTell(member: Member, toSelf: boolean): Promise<void> {
    const released = await this.release(member);
    if (released.length === 0) return;
    this.#document.broadcast({ type: 'releaseLock', locks: released.map(releasedLock) }, (one) =>
      one === member ? toSelf : isEditor(one) && one.state === 'active',
    );
  }

  /** The connection is gone: what it was refused is of no interest any more. */
  async forget(connectionId: string): Promise<void> {
    await this.#update((table) => [dropRefusals(table, connectionId), undefined]);
  }

  #requestOf(member: Member, blocks: readonly Block[]): LockRequest {
    return {
      connectionId: member.peer.id,
      userId: member.author.uniqueId,
      editorType: this.#document.editorType,
      blocks,
      nowMs: Date.now(),
    };
  }

  #update<Result>(step: (table: LockTable) => readonly [LockTable, Result]): Promise<Result> {
    return this.#document.ports.coordination.update(this.#document.key, lockCell, step);
  }
}

/** The locks that lie on these blocks. */
function locksOn(locks: LockTable['locks'], blocks: readonly Block[]): LockMap {
  const keys = blocks.map(lockKey).filter((key) => Object.hasOwn(locks, key));
  return Object.fromEntries(keys.map((key) => [key, locks[key]!]));
}
