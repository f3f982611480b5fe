import type { ReleasedLock } from '../../../client/protocol/index.ts';
import type { KnownEnd, StoredBatch } from '../../../platform/ports/change-log.ts';
import { longCharacters } from '../../../platform/ports/peer.ts';
import { broadcastsOf, quoteAlone } from './changes-message.ts';
import { fanOut } from './fan-out.ts';
import { missed } from './history.ts';
import { awaitsAnswerTo, followsChanges, isEditor, type Member } from './member.ts';
import type { StoredMessage } from './node-messages.ts';
import type { OpenDocument } from './open-document.ts';
import { isLiveViewer, type ViewerFeed } from './viewer-feed.ts';

/** What receivers of a batch get beside its changes. */
export interface BatchDetails {
  /** Whether the saver can no longer take it back. */
  isFinal: boolean;
  isLast: boolean;
  locks: readonly ReleasedLock[];
  excelAdditionalInfo: string | null;
}

/**
 * Brings everybody on this node every change of one document once, in index order (I3), also what other nodes stored. What another
 * node says of a change is a hint: where it does not follow on what is known here, the log is read.
 */
export class ChangeFeed {
  readonly #document: OpenDocument;
  readonly #viewers: ViewerFeed;

  constructor(document: OpenDocument, viewers: ViewerFeed) {
    this.#document = document;
    this.#viewers = viewers;
  }

  /** Broadcasts a batch that now ends the log to everybody here but its saver. */
  async broadcast(
    saver: Member | null,
    batch: StoredBatch,
    changes: readonly string[],
    details: BatchDetails,
  ): Promise<void> {
    const document = this.#document;
    const others = [...document.members.values()].filter(
      (one) => one !== saver && followsChanges(one) && !awaitsAnswerTo(one, batch.author),
    );
    const isShown = await this.#viewers.stored(batch.firstIndex, details.isFinal);
    const followers = isShown ? others : others.filter((one) => !isLiveViewer(one));
    if (followers.length === 0) return;
    let characters = 0;
    let encodingMs = 0;
    if (batch.changes.length > longCharacters) await saver?.peer.turn();
    const quotedAlone = saver && (await quoteAlone(batch, () => saver.peer.turn()));
    let sinceMs = performance.now();
    for (const frame of broadcastsOf(document.key, batch, changes, details, quotedAlone)) {
      encodingMs += performance.now() - sinceMs;
      characters += frame.characters;
      if (frame.characters > longCharacters) await saver?.peer.turn();
      await fanOut(followers, frame);
      sinceMs = performance.now();
    }
    document.ports.metrics.fannedOut(followers.length, characters, encodingMs);
    saver?.peer.paysFor(characters, followers.length);
    if (followers.some(isEditor)) document.givenOut();
  }

  /** Shows live viewers everything that is stored, all but one of them. */
  show(except: Member): Promise<void> {
    return this.#viewers.show(except);
  }

  /** Another node stored a batch. Returns whether its locks were sent with it. */
  async heard(message: StoredMessage): Promise<boolean> {
    const document = this.#document;
    const { batch, version, cutFrom } = message;
    if (version < document.logVersion) return false;
    if (version > document.logVersion) {
      const isNextCut = version === document.logVersion + 1 && cutFrom !== null;
      if (!isNextCut || cutFrom > document.endIndex) {
        await this.catchUp();
        return false;
      }
      this.rewritten(cutFrom);
    }
    document.givenOut(Math.max(document.historyFloor, message.floor));
    if (batch.firstIndex !== document.endIndex) {
      if (batch.firstIndex > document.endIndex) await this.catchUp();
      return false;
    }
    const { changes: text } = batch;
    if (text === undefined) {
      await this.catchUp();
      return false;
    }
    document.appended(batch, text.length);
    await this.broadcast(null, { ...batch, changes: text }, JSON.parse(text) as string[], message);
    return true;
  }

  /** Another node took everything from an index on out of the log, or found that it ends there. */
  async heardCut(version: number, fromIndex: number): Promise<void> {
    const document = this.#document;
    if (version === document.logVersion + 1 && fromIndex <= document.endIndex) this.rewritten(fromIndex);
    else if (version > document.logVersion || fromIndex < document.endIndex) await this.catchUp();
  }

  /** Everything from an index on was taken out of the log. What the integrator has may hold changes that are gone. */
  rewritten(fromIndex: number): void {
    this.#broadcastCut(fromIndex, this.#document.cut(fromIndex));
  }

  /** Reads from the log what everybody here has not been sent, and sends it to all but one. */
  async catchUp(except: Member | null = null): Promise<void> {
    const document = this.#document;
    const end = await document.ports.log.endOf(document.key);
    if (!end) return;
    if (end.version !== document.logVersion || end.endIndex < document.endIndex) this.#beginAnew(end);
    const fromIndex = document.endIndex;
    if (end.endIndex <= fromIndex) return;
    const followers = [...document.members.values()].filter((one) => one !== except && followsChanges(one));
    document.readTo(end);
    const isFinal = document.editors().length > 1;
    const isShown = await this.#viewers.stored(fromIndex, isFinal);
    const receivers = isShown ? followers : followers.filter((one) => !isLiveViewer(one));
    if (receivers.length === 0) return;
    if (receivers.some(isEditor)) document.givenOut();
    try {
      for await (const { author, frame } of missed(document, fromIndex, end.endIndex)) {
        const others = receivers.filter((one) => !awaitsAnswerTo(one, author));
        await fanOut(others, frame);
      }
    } catch (error) {
      for (const follower of receivers) follower.peer.interrupt('changes could not be read', error);
    }
  }

  /** Something was taken out of the log, and no node has published it. */
  #beginAnew(end: KnownEnd): void {
    const document = this.#document;
    const { endIndex } = document;
    const { fromIndex, isStoredCut } = document.logReplaced(end);
    if (fromIndex < endIndex) {
      for (const member of document.members.values()) {
        if (isEditor(member) && followsChanges(member)) {
          member.peer.interrupt('the log was rewritten elsewhere');
        }
      }
    }
    this.#broadcastCut(fromIndex, isStoredCut);
  }

  #broadcastCut(fromIndex: number, isStoredCut: boolean): void {
    this.#viewers.rewritten(fromIndex);
    if (isStoredCut) this.#document.broadcastStored();
  }
}
