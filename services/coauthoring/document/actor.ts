import {
  type ClientMessage,
  DisconnectCode,
  ForceSaveType,
  type Lock,
} from '../../../client/protocol/index.ts';
import { Mutex } from '../../../platform/keyed-mutex.ts';
import type { SaveLockEntry } from '../../../platform/ports/cluster.ts';
import { Admission } from './admission.ts';
import { ChangeFeed } from './change-feed.ts';
import { Chat } from './chat.ts';
import { sendMissed } from './history.ts';
import { type Greeting, Joining, type JoinRequest } from './joining.ts';
import { LeaveCleanup } from './leave-cleanup.ts';
import { lockPartsOf } from './lock-parts.ts';
import { Locking } from './locking.ts';
import type { StoredAtIntegrator } from './log-end.ts';
import { followsChanges, isEditor, type Member, participantOf, shutOut } from './member.ts';
import type { DocumentNotification, NodeMessage } from './node-messages.ts';
import { type DocumentPorts, OpenDocument, send } from './open-document.ts';
import type { OpenedAs } from './opened-as.ts';
import { OtherNodes } from './other-nodes.ts';
import type { Participant } from './participants.ts';
import { Presence } from './presence.ts';
import { type DocumentMessage, handled } from './rights/message-rights.ts';
import { SaveLock } from './save-lock.ts';
import type { SaveLockRequester } from './save-lock-queue.ts';
import { Saving } from './saving.ts';
import { ViewerFeed } from './viewer-feed.ts';

/**
 * One document, one actor: everything that touches a document's session runs through `run`, one task at a time, in the
 * order in which they came. Only cursors do not go through it: nothing depends on their order among saves.
 */
export class DocumentActor {
  readonly document: OpenDocument;
  readonly #presence: Presence;
  readonly #feed: ChangeFeed;
  readonly #saveLock: SaveLock;
  readonly #locking: Locking;
  readonly #admission: Admission;
  readonly #saving: Saving;
  readonly #viewers: ViewerFeed;
  readonly #leaveCleanup: LeaveCleanup;
  readonly #chat: Chat;
  readonly #others: OtherNodes;
  readonly #joining: Joining;
  readonly #mutex = new Mutex();

  constructor(key: string, ports: DocumentPorts, onError: (error: unknown) => void) {
    const document = new OpenDocument(key, ports, () => this.#others.resync());
    this.document = document;
    const run = (task: () => Promise<void>) => {
      this.run(task).catch(onError);
    };
    this.#presence = new Presence(document, run, () => this.#admission.letIn());
    this.#viewers = new ViewerFeed(document, run);
    this.#feed = new ChangeFeed(document, this.#viewers);
    this.#saveLock = new SaveLock(document, this.#feed, run);
    this.#locking = new Locking(document, () => this.#presence.refresh());
    this.#admission = new Admission(document, this.#presence, this.#saveLock, run);
    this.#saving = new Saving(document, this.#saveLock, this.#locking, this.#admission, this.#feed);
    this.#chat = new Chat(document);
    const parts = {
      presence: this.#presence,
      saveLock: this.#saveLock,
      locking: this.#locking,
      admission: this.#admission,
      viewers: this.#viewers,
    };
    this.#leaveCleanup = new LeaveCleanup(document, parts);
    this.#others = new OtherNodes(document, {
      heard: (message, nodeId) => {
        if (message.t === 'cursor') this.#chat.broadcastCursor(message.message);
        else run(() => this.#hear(message, nodeId));
      },
      lookAgain: (thoroughly) => this.run(() => this.#lookAgain(thoroughly)),
    });
    const more = { others: this.#others, leaveCleanup: this.#leaveCleanup, chat: this.#chat, ...parts };
    this.#joining = new Joining(document, more);
  }

  /** Runs a task after everything that came before it. A task that fails does not stop the ones behind it. */
  run<Result>(task: () => Promise<Result>): Promise<Result> {
    return this.#mutex.run(task);
  }

  /** Lets a member in. Call within `run`. Returns false when a restored session cannot go on (the locks are taken). */
  async join(joining: JoinRequest): Promise<boolean> {
    try {
      return await this.#joining.join(joining);
    } catch (error) {
      // Nobody learns of the end of a connection that did not get in. So it must not stay among the members, nor keep
      // locks that it may have got back.
      const { member } = joining;
      await this.#remove(member, participantOf(member, this.document.nodeId)).catch(() =>
        this.document.resync(),
      );
      throw error;
    }
  }

  /** Sends the `auth` reply, with the state of things now. Call within `run`. */
  greet(joining: Greeting): Promise<void> {
    return this.#joining.greet(joining);
  }

  /** A connection is gone, or its user left co-editing with `close`. Call within `run`. */
  async leave(member: Member, explicitly: boolean): Promise<void> {
    const { document } = this;
    // One whose session has moved to another connection leaves nothing.
    const isOwn = document.members.get(member.peer.id) === member;
    await this.#remove(member, isOwn ? participantOf(member, document.nodeId) : null, explicitly);
  }

  async #remove(member: Member, own: Participant | null, explicitly = false): Promise<void> {
    const { id } = member.peer;
    const wasClosed = member.state === 'closed';
    if (explicitly) {
      this.document.closed(member, { asViewer: true });
    } else {
      this.document.detached(id);
      member.historyAck?.(false);
    }
    if (wasClosed) return;
    this.#admission.forget(member);
    await this.#locking.forgetOwn(id);
    await this.#leaveCleanup.connectionEnded(id, own, explicitly);
  }

  /** Sees to what dead nodes left behind. Call within `run`. */
  async forgetDead(): Promise<void> {
    await this.#presence.refresh();
    await this.#leaveCleanup.nodesDied();
  }

  /**
   * Handles a message of a member. Call within `run`. A connection whose session has moved to another one is ignored:
   * the session itself sends again what is missing.
   */
  async handle(member: Member, message: DocumentMessage): Promise<void> {
    if (this.document.members.get(member.peer.id) !== member) return;
    // What this node held may have been given away: its members come back and learn the present state.
    if (this.document.ports.nodes?.leases.isHeld() === false)
      return member.peer.interrupt('the node was away');
    await handled(message, { member, document: this.document }, () => this.#handle(member, message));
  }

  async #handle(member: Member, message: DocumentMessage): Promise<void> {
    switch (message.type) {
      case 'getLock':
        return this.#locking.getLock(member, message);
      case 'isSaveLock':
        return this.#saveLock.ask(member, message);
      case 'saveChanges':
        return this.#saving.saveChanges(member, message);
      case 'unSaveLock':
        await this.#saveLock.releaseOf(member);
        return this.#confirmRelease(member);
      case 'unLockDocument':
        return this.#unLock(member, message);
      case 'authChangesAck':
        return member.historyAck?.(true);
      case 'message':
        return this.#chat.say(member, message.message);
      case 'getMessages': {
        const messages = await this.#chat.messages();
        return send(member, { type: 'message', ...(messages.length > 0 ? { messages: [...messages] } : {}) });
      }
      case 'cursor':
        return this.showCursor(member, message.cursor);
    }
  }

  /** Whether a live viewer can go on with a session that began then: nothing it was shown was taken back. */
  isIntactForViewersSince(sessionBeganMs: number): boolean {
    return this.#viewers.isIntactSince(sessionBeganMs);
  }

  /** The element locks, and who may save now and next, on any node. Call within `run`. */
  async held(): Promise<{ locks: Lock[]; saveTurns: SaveLockEntry[] }> {
    const { holder, waiting } = await this.#saveLock.queue();
    const next = waiting.map((requester) => entryOf(requester, null));
    return {
      locks: Object.values(await this.#locking.locks()),
      saveTurns: holder ? [entryOf(holder, holder.expiresAtMs), ...next] : next,
    };
  }

  /** Learns what happens on other nodes, while nobody is attached here yet. Call within `run`. */
  async lookUp(): Promise<void> {
    const { document } = this;
    if (!document.ports.nodes || document.members.size > 0) return;
    await document.bestEffort(() => this.#presence.refresh());
    await this.#saveLock.shared.count();
  }

  /** Everybody here is brought up to date with what the database says of the log. Call within `run`. */
  async follow({ nextIndex, logVersion }: { nextIndex: number; logVersion: number }): Promise<void> {
    const { document } = this;
    if (document.members.size === 0) {
      document.logFound({ version: logVersion, endIndex: nextIndex });
    } else if (nextIndex !== document.endIndex || logVersion !== document.logVersion) {
      await this.#feed.catchUp();
    }
  }

  /** The source is opened, or not any more what was opened. Call within `run`. */
  setOpen(isOpen: boolean, openedAs?: OpenedAs): void {
    const { document } = this;
    if (openedAs) document.openedAs(openedAs);
    if (isOpen && !document.isOpen) document.publish({ t: 'opened', ...(openedAs && { as: openedAs }) });
    document.openChanged(isOpen);
  }

  /** A member has given the password of the document: it is sent what was kept from it. Call within `run`. */
  async passwordGiven(member: Member): Promise<void> {
    const { document } = this;
    const wasShutOut = member.isShutOut;
    member.knowsPassword = true;
    shutOut(member, true);
    if (!wasShutOut) return;
    const messages = member.chat ? await this.#chat.messages() : [];
    if (messages.length > 0) send(member, { type: 'message', messages: [...messages] });
    if (!followsChanges(member)) return;
    await sendMissed(document, member, 0);
    if (!isEditor(member)) return;
    document.givenOut();
    for (const part of lockPartsOf(await this.#locking.locksToShow()))
      send(member, { type: 'getLock', locks: part });
  }

  /** Gives a user another name on all connections, and sends it to everybody. Call within `run`. */
  async rename(userId: string, name: string): Promise<void> {
    await this.#presence.rename(userId, name);
    this.#renameHere(userId, name);
    this.document.publish({ t: 'renamed', userId, name });
    this.#presence.announce(null, false);
  }

  /** Shows a member's cursor to the others. */
  showCursor(member: Member, cursor: string): void {
    this.#chat.showCursor(member, cursor);
  }

  /** Stops the actor's timers; it is not used afterwards. */
  stop(): void {
    this.#saveLock.stop();
    this.#admission.stop();
    this.#viewers.stop();
    this.#presence.stop();
    this.#others.stop();
    this.document.history.forget();
  }

  /** Deletes what the nodes share of the document when nobody is left on any node. Call within `run`. */
  async forget(): Promise<void> {
    const { document } = this;
    await this.#leaveCleanup.cleanUp(await this.#presence.leaveLate(), false);
    await this.#locking.releaseLate();
    await this.#presence.refresh();
    if (document.participants.length > 0) return this.#saveLock.shared.count();
    await this.#saveLock.shared.clear();
    await this.#locking.clear();
    await this.#chat.clear();
  }

  /** What another node says. */
  async #hear(message: NodeMessage, nodeId: string): Promise<void> {
    const { document } = this;
    switch (message.t) {
      case 'stored': {
        this.#admission.sawActivity(message.batch.author.uniqueId);
        if (await this.#feed.heard(message)) this.#locking.freed(message.locks);
        else this.#locking.heardUnlocked(message.locks, []);
        return;
      }
      case 'cut':
        return this.#feed.heardCut(message.version, message.fromIndex);
      case 'turn':
        return this.#saveLock.heard(message.connectionId, message.end);
      case 'locked':
        return this.#locking.heardLocked(message.locks);
      case 'unlocked':
        return this.#locking.heardUnlocked(message.locks, message.lifted);
      case 'company':
        return this.#presence.heard(message.about, message.waitAuth);
      case 'here':
        if (document.participants.every((one) => one.nodeId !== nodeId)) this.#presence.heard(null, false);
        return;
      case 'moved':
        for (const connectionId of message.connectionIds) await this.#drop(connectionId);
        return;
      case 'renamed':
        return this.#renameHere(message.userId, message.name);
      case 'chat':
        return this.#chat.broadcast(message.message);
      case 'opened':
        if (message.as) document.openedAs(message.as);
        document.openChanged(true);
        return;
      case 'cursor':
        return this.#chat.broadcastCursor(message.message);
      default:
        return this.notify(message);
    }
  }

  /** Notifies the participants here. Call within `run`. */
  notify(notification: DocumentNotification): void {
    deliver(this.document, notification);
    this.document.ports.notified(this.document.key, notification);
  }

  /** Makes up for messages of other nodes that were missed here, and of this node that others missed. */
  async #lookAgain(thoroughly: boolean): Promise<void> {
    const { document } = this;
    await this.#leaveCleanup.cleanUp(await this.#presence.leaveLate(), false);
    if (document.members.size === 0) return;
    const { left, wasMissing } = await this.#presence.putRight();
    await this.#leaveCleanup.cleanUp(left, false);
    await this.#leaveCleanup.nodesDied();
    // What another node said of a move may have been lost.
    for (const { connectionId } of this.#presence.moved()) await this.#drop(connectionId);
    await this.#locking.lookAgain();
    await this.#saveLock.lookAgain();
    if (thoroughly) await this.#feed.catchUp();
    await this.#admission.letIn();
    this.#presence.broadcastIfChanged();
    document.publish(wasMissing ? { t: 'company', about: null, waitAuth: false } : { t: 'here' });
  }

  /** The session of a connection to this node goes on elsewhere. */
  #drop(connectionId: string): Promise<void> {
    return this.#joining.drop(this.document.members.get(connectionId));
  }

  async #unLock(member: Member, request: Extract<ClientMessage, { type: 'unLockDocument' }>): Promise<void> {
    const deleteIndex = request.deleteIndex ?? -1;
    if (deleteIndex >= 0) await this.#saving.cutBack(member, deleteIndex);
    if (request.unlock) await this.#admission.release(member);
    if (request.releaseLocks) await this.#locking.releaseAndPublish(member.author.uniqueId, true);
    if (request.isSave) {
      await this.#saveLock.releaseOf(member);
      this.#confirmRelease(member);
    }
  }

  #confirmRelease(member: Member): void {
    send(member, { type: 'unSaveLock', index: -1, time: -1, syncChangesIndex: -1 });
  }

  #renameHere(userId: string, name: string): void {
    const renamed = [...this.document.members.values()].filter(
      ({ author, nameIsFixed }) => author.userId === userId && !nameIsFixed,
    );
    for (const member of renamed) member.author.name = name;
    if (renamed.length > 0) this.document.ports.renamed(renamed);
  }
}

const entryOf = ({ connectionId, userId }: SaveLockRequester, expiresAtMs: number | null): SaveLockEntry => ({
  connectionId,
  user: userId,
  expiresAtMs,
});

/** Notifies the participants here of something that a node learned. */
function deliver(document: OpenDocument, notification: DocumentNotification): void {
  switch (notification.t) {
    // The integrator takes no file of the document.
    case 'refused':
      if (document.stored.refusedSinceMs === notification.sinceMs) return;
      announceStored(document, { ...document.stored, refusedSinceMs: notification.sinceMs });
      return;
    // How a forced save ended, or that one was begun by the timer, and what the integrator has now.
    case 'force-save':
      if (notification.stored) announceStored(document, notification.stored);
      // A form that was submitted concerns the one who submitted it, who is answered there.
      if (notification.message.type === ForceSaveType.form) return;
      document.broadcast({ type: 'forceSave', messages: notification.message }, isEditor);
      return;
    // The document was saved under its key for the last time.
    case 'ended':
      if (notification.stored) announceStored(document, notification.stored);
      document.broadcast({ type: 'updateVersion', success: notification.success }, () => true);
      return;
    // Everybody, or some users, are sent away; the server does not rely on clients to stop by themselves.
    case 'drop':
      for (const member of document.members.values()) {
        if (notification.userIds !== null && !notification.userIds.includes(member.author.userId)) continue;
        send(member, { type: 'drop', code: DisconnectCode.drop, description: 'drop' });
        member.peer.dismiss(DisconnectCode.drop, 'drop');
      }
      return;
    case 'everybody':
      document.broadcast(notification.message, () => true);
      return;
    case 'connection':
      document.broadcast(notification.message, ({ peer }) => peer.id === notification.connectionId);
      return;
    case 'source-changed':
      for (const { peer } of document.members.values()) {
        peer.dismiss(DisconnectCode.updateVersion, 'The file of the document has changed.');
      }
  }
}

function announceStored(document: OpenDocument, stored: StoredAtIntegrator): void {
  document.storedChanged(stored);
  document.broadcastStored();
}
