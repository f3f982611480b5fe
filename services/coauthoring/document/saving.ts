import {
  DisconnectCode,
  fieldBounds,
  parseChangeList,
  type SaveChanges,
  ServiceError,
} from '../../../client/protocol/index.ts';
import { workOfChange } from '../../../model/change-work.ts';
import { stringsInTurns } from '../../../platform/json-in-turns/reading.ts';
import { listInTurns } from '../../../platform/json-in-turns/writing.ts';
import type { StoredBatch } from '../../../platform/ports/change-log.ts';
import { longCharacters, type Peer } from '../../../platform/ports/peer.ts';
import type { SaveRefusal } from '../../../platform/ports/session-metrics.ts';
import type { Admission } from './admission.ts';
import type { BatchDetails, ChangeFeed } from './change-feed.ts';
import { fitsAsSent } from './changes-message.ts';
import type { Locking } from './locking.ts';
import { type CutResult, LogCut } from './log-cut.ts';
import { LogShare } from './log-share.ts';
import { type Member, releasedLock, remembered } from './member.ts';
import { NewcomerWork } from './newcomer-work.ts';
import { largestBatchSentAlong } from './node-messages.ts';
import { type OpenDocument, send } from './open-document.ts';
import type { SaveLock } from './save-lock.ts';
import { type StoredPlace, storedAlready } from './stored-place.ts';

/**
 * The save path of one document: batch in, durable, broadcast to the others, acknowledged.
 *
 * Invariants: an acknowledgement leaves after the commit (I1); an append names the end of the log it expects (I2); the
 * broadcast is queued before the next saver gets the lock, so that every receiver sees index order (I3); a batch
 * that is stored already is acknowledged again and not stored again (I5). A batch that cannot be accepted is never met
 * with silence. One that somebody else's overtook is answered with `saveLock: true`, where its client names the place of
 * its changes; else the connection is interrupted, and its client comes back, learns what is stored and resends.
 */
export class Saving {
  readonly #document: OpenDocument;
  readonly #saveLock: SaveLock;
  readonly #locking: Locking;
  readonly #admission: Admission;
  readonly #feed: ChangeFeed;
  readonly #cut: LogCut;
  readonly #share: LogShare;
  readonly #newcomers: NewcomerWork;

  constructor(
    document: OpenDocument,
    saveLock: SaveLock,
    locking: Locking,
    admission: Admission,
    feed: ChangeFeed,
  ) {
    this.#feed = feed;
    this.#cut = new LogCut(document, saveLock, feed);
    this.#share = new LogShare(document);
    this.#newcomers = new NewcomerWork(document);
    this.#document = document;
    this.#saveLock = saveLock;
    this.#locking = locking;
    this.#admission = admission;
  }

  async saveChanges(member: Member, part: SaveChanges): Promise<void> {
    const { faultPoint } = this.#document.ports;
    const { peer } = member;
    const isLong = part.changes.length > longCharacters;
    const changes = isLong ? await longChangeList(part.changes, peer) : parseChangeList(part.changes);
    if (changes === null) {
      peer.dismiss(DisconnectCode.accessDeny, 'saveChanges: changes must be a JSON array of strings');
      return;
    }
    faultPoint('save:received');
    if (await this.#acknowledgeResend(member, part, changes)) return;
    if (!this.#document.isOpen) return this.#refuse(member, 'the document is not open');
    const work = await workOfAll(changes, this.#document.model, peer);
    if (work === null) return this.#refuseForGood(member, 'malformed', noChanges);
    if (isLong) await peer.turn();
    if (!(await this.#canBeSent(member, part, changes)))
      return this.#refuseForGood(member, 'too_large', tooLarge);
    if (part.quireIndex !== undefined && part.quireIndex !== this.#document.endIndex) {
      return this.#overtaken(member, part, 'the batch belongs to another index');
    }
    if (!(await this.#saveLock.takeOrExtend(member, part.changes.length))) {
      return this.#overtaken(member, part, 'the save lock belongs to somebody else');
    }
    if (await this.#saveLock.catchUp(withoutReplay(member, part))) {
      return this.#overtaken(member, part, 'somebody else has saved on another server');
    }
    const deleteFrom = this.#deletionOf(part);
    if (!(await this.#share.takes(member.author, part.changes.length))) {
      return this.#refuseForGood(member, 'share', shareUsedUp);
    }
    if (!(await this.#hasRoom(part.changes.length, deleteFrom))) {
      return this.#refuseForGood(member, 'full', tooMuchChanged);
    }
    if (isLong) await peer.turn();
    const stored = await this.#store(member, part, changes, deleteFrom);
    if (!stored) return;
    faultPoint('save:committed');
    this.#saveLock.paced(member, work);
    this.#newcomers.grew(work);
    await this.#stored(member, part, changes, stored, deleteFrom);
    faultPoint('save:acknowledged');
  }

  /** Cuts the log back to `fromIndex` without appending: undo of changes that nobody else was given. */
  async cutBack(member: Member, fromIndex: number): Promise<void> {
    const document = this.#document;
    if (!document.isOpen || fromIndex >= document.endIndex) return;
    const hadLock = member.saveLockUntilMs !== null;
    const { kind } = await this.#cut.replaceFrom(member, fromIndex, null);
    if (kind === 'conflict') return this.#conflict(member);
    if (kind !== 'appended') return this.#refuseRewriting(member);
    document.publish({ t: 'cut', version: document.logVersion, fromIndex });
    if (!hadLock) await this.#saveLock.releaseOf(member);
  }

  #deletionOf(part: SaveChanges): number | null {
    const index = part.deleteIndex ?? -1;
    return part.startSaveChanges && index >= 0 && index < this.#document.endIndex ? index : null;
  }

  /** Writes the batch. Resolves with it after the commit; undefined when it could not be accepted (the peer knows). */
  async #store(
    member: Member,
    part: SaveChanges,
    changes: readonly string[],
    deleteFrom: number | null,
  ): Promise<StoredBatch | undefined> {
    const document = this.#document;
    const text = await listInTurns(changes, () => member.peer.turn(), part.changes);
    const firstIndex = deleteFrom ?? document.endIndex;
    const batch: StoredBatch = {
      firstIndex,
      nextIndex: firstIndex + changes.length,
      author: member.author,
      savedAtMs: Math.max(Date.now(), document.lastSavedAtMs + 1),
      changes: text,
    };
    if (changes.length === 0 && deleteFrom === null) return batch;
    try {
      const { kind } = await this.#write(member, batch, deleteFrom);
      if (kind !== 'appended') {
        await (kind === 'conflict'
          ? this.#conflict(member, { part, changes })
          : this.#refuseRewriting(member));
        return undefined;
      }
      // Its size was counted when room was made for it.
      document.appended(batch, 0);
      return batch;
    } catch (error) {
      await this.#refuse(member, 'the change log did not answer', error);
      return undefined;
    }
  }

  /**
   * Gives the log the batch. It takes none of a document that is being closed. Perhaps somebody left elsewhere
   * and did not know of the editors here: then these open it again.
   */
  async #write(member: Member, batch: StoredBatch, deleteFrom: number | null): Promise<CutResult> {
    const { key, endIndex, ports } = this.#document;
    const replacement = batch.firstIndex < batch.nextIndex ? batch : null;
    const write = () =>
      deleteFrom === null
        ? ports.log.append({ key, batch })
        : this.#cut.replaceFrom(member, deleteFrom, replacement);
    let result = await write();
    if (result.kind === 'conflict' && result.endIndex === endIndex && ports.nodes) {
      if (await ports.lifecycle.editorIsBack(key)) result = await write();
    }
    return result;
  }

  async #stored(
    member: Member,
    part: SaveChanges,
    changes: readonly string[],
    batch: StoredBatch,
    cutFrom: number | null,
  ): Promise<void> {
    const document = this.#document;
    const { uniqueId } = member.author;
    const isLast = part.endSaveChanges === true;
    if (isLast && part.isExcel && part.isCoAuthoring !== false && part.excelAdditionalInfo) {
      await this.#locking.shift(member, part.excelAdditionalInfo);
    }
    const locks = isLast && part.releaseLocks === true ? await this.#locking.release(uniqueId) : [];
    const isAlone = !document
      .editors()
      .some(({ connectionId, waits }) => !waits && connectionId !== member.peer.id);
    const details = {
      // A client that names the place of its changes does not take back what it has saved; others do while they are alone.
      isFinal: part.quireIndex !== undefined || !isAlone,
      isLast,
      locks: locks.map(releasedLock),
      excelAdditionalInfo: part.excelAdditionalInfo ?? null,
    };
    await this.#feed.broadcast(member, batch, changes, details);
    const isPublished = document.hasOtherNodes;
    if (isPublished) this.#publish(batch, details, cutFrom);
    const { firstIndex } = batch;
    remembered(member, {
      ...{ claimedIndex: null, lastFirstIndex: firstIndex, midSave: !isLast, overtakenIndex: null },
    });
    this.#acknowledge(member, part, batch);
    this.#admission.sawActivity(uniqueId);
    if (!isLast) return;
    if (part.unlock === true) await this.#admission.release(member);
    await this.#saveLock.releaseOf(member);
    // Somebody has come on another node since the lock was taken.
    if (!isPublished && document.hasOtherNodes) this.#publish(batch, details, cutFrom);
  }

  #publish(batch: StoredBatch, details: BatchDetails, cutFrom: number | null): void {
    const { changes, ...rest } = batch;
    const { logVersion: version, historyFloor: floor } = this.#document;
    const isSentAlong = changes.length <= largestBatchSentAlong;
    this.#document.publish({
      t: 'stored',
      ...details,
      ...{ version, floor, cutFrom },
      batch: isSentAlong ? batch : rest,
    });
  }

  #acknowledge(member: Member, part: SaveChanges, batch: StoredPlace): void {
    const deletionAsked = (part.deleteIndex ?? -1) >= 0;
    const base = part.startSaveChanges && !deletionAsked ? batch.firstIndex : -1;
    if (part.endSaveChanges) {
      send(member, {
        type: 'unSaveLock',
        index: base,
        time: batch.savedAtMs,
        syncChangesIndex: batch.nextIndex,
      });
      this.#document.ports.metrics.acknowledged(member.peer.handlingSinceMs);
    } else {
      send(member, { type: 'savePartChanges', changesIndex: base, syncChangesIndex: batch.nextIndex });
    }
  }

  /** Acknowledges a part that is stored already. */
  async #acknowledgeResend(member: Member, part: SaveChanges, changes: readonly string[]): Promise<boolean> {
    const batch = await storedAlready(this.#document, member, part, changes);
    if (batch === null) return false;
    this.#acknowledge(member, part, batch);
    if (part.endSaveChanges) await this.#saveLock.releaseOf(member);
    return true;
  }

  /**
   * Whether the log may grow by so much. The known size may include changes that were taken back: then it is looked up.
   */
  async #hasRoom(characters: number, deleteFrom: number | null): Promise<boolean> {
    const document = this.#document;
    const { log, maxLogBytes } = document.ports;
    const isFull = document.logBytes === null || document.logBytes + characters > maxLogBytes;
    const before = isFull
      ? await log.sizeOf(document.key, deleteFrom ?? document.endIndex)
      : document.logBytes!;
    document.sizeChanged(before + characters);
    return before + characters <= maxLogBytes;
  }

  /** Whether a batch, however its changes are wrapped when others are sent them, fits into the queue of one who keeps up. */
  #canBeSent(member: Member, part: SaveChanges, changes: readonly string[]): Promise<boolean> {
    const { key, ports } = this.#document;
    // Quoted once more, it grows to twice its size at most.
    const beside = 2 * Buffer.byteLength(part.excelAdditionalInfo ?? '');
    const sent = { text: part.changes, changes, beside };
    return fitsAsSent(key, member.author, sent, ports.maxSentBytes, () => member.peer.turn());
  }

  /** What was sent can never be stored: its client is told why, and has to open the document anew. */
  async #refuseForGood(member: Member, reason: SaveRefusal, message: string): Promise<void> {
    this.#document.ports.metrics.refused(reason);
    await this.#saveLock.releaseOf(member);
    this.#document.sizeChanged(null);
    send(member, { type: 'warning', code: ServiceError.editorChanges, message });
    send(member, { type: 'error', code: DisconnectCode.restore, description: message });
  }

  /**
   * Somebody else wrote: what this node knew is stale, and is read again. The batch may be one that is stored already,
   * from another connection of its session; else it was made without knowing the changes before it.
   */
  async #conflict(member: Member, batch?: { part: SaveChanges; changes: readonly string[] }): Promise<void> {
    try {
      this.#document.history.forget();
      await this.#feed.catchUp(batch ? withoutReplay(member, batch.part) : member);
      if (batch && (await this.#acknowledgeResend(member, batch.part, batch.changes))) return;
    } catch (error) {
      return this.#refuse(member, 'the change log did not answer', error);
    }
    if (batch) await this.#overtaken(member, batch.part, 'the change log ends elsewhere');
    else await this.#refuse(member, 'the change log ends elsewhere');
  }

  /**
   * Somebody else's batch took the place of this one, or somebody else has the save lock. A client that names the place
   * of its changes is sent what it lacks, and `saveLock: true`: it puts its changes behind those of the others and asks
   * again. Other clients have no answer for this and are interrupted; so is one that names the same wrong index again,
   * or one that the log does not reach.
   */
  async #overtaken(member: Member, part: SaveChanges, reason: string): Promise<void> {
    const { quireIndex } = part;
    if (quireIndex === undefined) return this.#refuse(member, reason);
    const document = this.#document;
    try {
      if (quireIndex > document.endIndex) await this.#feed.catchUp();
    } catch (error) {
      return this.#refuse(member, 'the change log did not answer', error);
    }
    const isBehind = quireIndex < document.endIndex;
    const isRepeated = isBehind && quireIndex === member.save.overtakenIndex;
    if (isRepeated || quireIndex > document.endIndex) return this.#refuse(member, reason);
    document.ports.metrics.refused('overtaken');
    remembered(member, { overtakenIndex: isBehind ? quireIndex : null });
    await this.#saveLock.refuse(member);
  }

  async #refuse(member: Member, reason: string, cause?: unknown): Promise<void> {
    const counted: SaveRefusal = cause === undefined ? 'stale' : 'no_log';
    this.#document.ports.metrics.refused(counted);
    member.peer.interrupt(reason, cause);
    await this.#saveLock.releaseOf(member);
  }

  /** Somebody wants to take back changes that others have been given meanwhile, or have made: only a reload helps. */
  async #refuseRewriting(member: Member): Promise<void> {
    this.#document.ports.metrics.refused('rewriting');
    await this.#saveLock.releaseOf(member);
    send(member, {
      type: 'error',
      code: DisconnectCode.restore,
      description: 'Restore error. Document modified.',
    });
  }
}

/** The document has as many changes as it may have: it has to be closed, which delivers it, and opened again. */
const tooMuchChanged =
  'The document has been changed too much since it was opened. Close it and open it again.';
const shareUsedUp =
  'The document takes no more comments, suggestions or filled fields until everybody has closed it.';
const noChanges = 'What was sent is no change of this kind of document.';
const tooLarge = 'This change is larger than others can be sent. Make it in smaller parts.';

/** The same as `parseChangeList`, in turns. */
async function longChangeList(text: string, peer: Peer): Promise<string[] | null> {
  await peer.turn();
  try {
    const list = await stringsInTurns(text, () => peer.turn());
    return list.length > fieldBounds.changesPerMessage ? null : list;
  } catch {
    return null;
  }
}

/**
 * How much work texts are together for everybody who applies them; null: one of them is no change of the model. Of what editors of others
 * make (`model` null) nothing is known. Many texts are looked at in pieces.
 */
async function workOfAll(texts: readonly string[], model: string | null, peer: Peer): Promise<number | null> {
  if (model === null) return 0;
  let characters = 0;
  let work = 0;
  for (const text of texts) {
    const one = workOfChange(model, text);
    if (one === null) return null;
    work += one;
    characters += text.length;
    if (characters <= longCharacters) continue;
    await peer.turn();
    characters = 0;
  }
  return work;
}

/**
 * Who is left out when others' changes are sent before a part is refused: its client, unless it can take them up during
 * a save. It is interrupted and gets them when it is back.
 */
const withoutReplay = (member: Member, part: SaveChanges): Member | null =>
  part.quireIndex === undefined ? member : null;
