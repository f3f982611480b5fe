import {
  type Block,
  type ChatMessage,
  type ClientMessage,
  DisconnectCode,
  EditorType,
  ForceSaveType,
  type Lock,
  type ServerMessage,
  type ServerMessageOf,
} from '../../../client/protocol/index.ts';
import { Admission } from './admission.ts';
import { addMessage, chatCell } from './chat.ts';
import { sendMissed } from './history.ts';
import { Locking } from './locking.ts';
import { isEditor, type Member } from './member.ts';
import { type DocumentPorts, OpenDocument, type StoredAtIntegrator, send } from './open-document.ts';
import { SaveTurns } from './save-turns.ts';
import { Saving } from './saving.ts';
import { ViewerFeed } from './viewer-feed.ts';

/** What a connection that signed in brings to a document. */
export interface Joining {
  member: Member;
  restored: boolean;
  /** How many changes a returning client has; null when it cannot say. */
  syncIndex: number | null;
  acknowledgesHistory: boolean;
  /** Element locks a returning client believes it holds. */
  blocks: readonly Block[];
  /** The `auth` reply, with what is shared at the time it is sent. */
  welcome: (shared: SharedState) => Promise<ServerMessage>;
}

/** What of the document's shared state goes into an `auth` reply. */
export interface SharedState {
  participants: ReturnType<OpenDocument['participants']>;
  locks: Record<string, Lock> | Lock[];
  messages: ChatMessage[] | undefined;
  endIndex: number;
  stored: StoredAtIntegrator;
}

/**
 * One document, one actor: everything that touches a document's session runs through `run`, one task at a time, in
 * arrival order. Cursors alone go past it, since nothing depends on their order among saves.
 */
export class DocumentActor {
  readonly document: OpenDocument;
  readonly #turns: SaveTurns;
  readonly #locking: Locking;
  readonly #admission: Admission;
  readonly #saving: Saving;
  readonly #viewers: ViewerFeed;
  #tail: Promise<void> = Promise.resolve();

  constructor(key: string, ports: DocumentPorts, onError: (error: unknown) => void) {
    this.document = new OpenDocument(key, ports);
    const run = (task: () => Promise<void>) => {
      this.run(task).catch(onError);
    };
    this.#turns = new SaveTurns(this.document, run);
    this.#locking = new Locking(this.document);
    this.#admission = new Admission(this.document, run);
    this.#viewers = new ViewerFeed(this.document, run);
    this.#saving = new Saving(this.document, this.#turns, this.#locking, this.#admission, this.#viewers);
  }

  /** Runs a task after everything that came before it. A task that fails does not stop the ones behind it. */
  run<Result>(task: () => Promise<Result>): Promise<Result> {
    const result = this.#tail.then(task);
    this.#tail = result.then(
      () => undefined,
      () => undefined,
    );
    return result;
  }

  /** Lets a member in. Call within `run`. Returns false when a restored session cannot go on (the locks are taken). */
  async join(joining: Joining): Promise<boolean> {
    const { document } = this;
    const { member } = joining;
    if (joining.restored) {
      if (!(await this.#locking.regain(member, joining.blocks))) return false;
      await this.#replaceOlder(member);
    }
    if (member.view && member.live) await this.#viewers.show();
    document.members.set(member.peer.id, member);
    if (joining.blocks.length > 0) await this.#locking.announce(member, joining.blocks);
    if (isEditor(member)) {
      document.ports.lifecycle.editorJoined(document.key, member.visitor, document.editorIds());
    }
    let waitAuth = false;
    if (member.state === 'closed') {
      await this.greet(joining);
      return true;
    }
    if (joining.restored) {
      if (joining.syncIndex !== null && (!member.view || member.live)) {
        await sendMissed(document, member, joining.syncIndex);
        // Somebody who was alone meanwhile may have counted on taking back what has been given out now.
        if (isEditor(member)) document.historyFloor = document.endIndex;
      }
      member.state = 'active';
      await this.greet(joining);
    } else {
      const welcome = () => this.greet(joining);
      waitAuth = await this.#admission.admit({ ...joining, welcome });
    }
    document.announceParticipants(member, waitAuth);
    return true;
  }

  /** A connection is gone, or its user left co-editing with `close`. Call within `run`. */
  async leave(member: Member, explicitly: boolean): Promise<void> {
    const { document } = this;
    const wasEditor = isEditor(member);
    const wasClosed = member.state === 'closed';
    if (explicitly) {
      member.state = 'closed';
      member.view = true;
    } else {
      document.members.delete(member.peer.id);
      member.historyAck?.(false);
    }
    if (wasClosed) return;
    this.#admission.forget(member);
    await this.#locking.forget(member.peer.id);
    const stillHere = [...document.members.values()].some(
      (one) => one.state !== 'closed' && one.author.uniqueId === member.author.uniqueId,
    );
    if (stillHere) return;
    document.announceParticipants(member, false);
    if (!wasEditor) return;
    await this.#turns.release(member);
    await this.#locking.releaseAndTell(member, false);
    await this.#admission.release(member);
    const { visitor } = member;
    const editors = document.editorIds();
    const { lifecycle } = document.ports;
    if (editors.length > 0) return lifecycle.editorLeft(document.key, visitor, editors);
    await this.#viewers.show();
    await lifecycle.lastEditorLeft(document.key, visitor, explicitly);
  }

  /**
   * Handles a message of a member. Call within `run`. A connection whose session has moved to another one is not
   * heard any more: what it still had to say is sent again by the session itself.
   */
  async handle(member: Member, message: ClientMessage): Promise<void> {
    if (this.document.members.get(member.peer.id) !== member) return;
    switch (message.type) {
      case 'getLock':
        if (this.#mayEdit(member)) await this.#locking.getLock(member, message);
        return;
      case 'isSaveLock':
        if (this.#mayEdit(member)) await this.#turns.ask(member, message);
        return;
      case 'saveChanges':
        if (this.#mayEdit(member)) await this.#saving.saveChanges(member, message);
        return;
      case 'unSaveLock':
        await this.#turns.release(member);
        this.#saveLockGivenBack(member);
        return;
      case 'unLockDocument':
        if (isEditor(member)) await this.#unLock(member, message);
        return;
      case 'authChangesAck':
        member.historyAck?.(true);
        return;
      case 'message':
        await this.#say(member, message.message);
        return;
      case 'getMessages': {
        const messages = await this.#chat((chat) => [chat, chat]);
        send(member, { type: 'message', ...(messages.length > 0 ? { messages: [...messages] } : {}) });
        return;
      }
      case 'cursor':
        this.showCursor(member, message.cursor);
        return;
      default:
        return;
    }
  }

  /** Whether a live viewer can go on with a session that began then: nothing it was shown was taken back. */
  isIntactForViewersSince(sessionBeganMs: number): boolean {
    return this.#viewers.isIntactSince(sessionBeganMs);
  }

  /** Tells members, all or those of some users, that they are to stop editing. Call within `run`. */
  drop(userIds: readonly string[] | null): void {
    this.document.broadcast(
      { type: 'drop', code: DisconnectCode.drop, description: 'drop' },
      (member) => member.state !== 'closed' && (userIds === null || userIds.includes(member.author.userId)),
    );
  }

  /**
   * Tells editors how a forced save ended, or that one was begun by the timer, and everybody what the integrator has
   * now, where that has changed. Call within `run`.
   */
  announceForceSave(
    messages: ServerMessageOf<'forceSave'>['messages'],
    stored: StoredAtIntegrator | null = null,
  ): void {
    if (stored) this.document.announceStored(stored);
    // A form that was submitted is of interest to whoever did, and is answered there.
    if (messages.type === ForceSaveType.form) return;
    this.document.broadcast({ type: 'forceSave', messages }, isEditor);
  }

  /** Tells everybody that the integrator takes no file of the document. Call within `run`. */
  announceRefusal(refusedSinceMs: number): void {
    const { stored } = this.document;
    if (stored.refusedSinceMs === refusedSinceMs) return;
    this.document.announceStored({ ...stored, refusedSinceMs });
  }

  /** Tells whoever is still attached that the document was saved under its key for the last time. */
  announceEnd(success: boolean, stored: StoredAtIntegrator | null): void {
    if (stored) this.document.announceStored(stored);
    this.document.broadcast({ type: 'updateVersion', success }, () => true);
  }

  /** Gives a user another name on all connections, and tells everybody. Returns who was renamed. Call within `run`. */
  rename(userId: string, name: string): Member[] {
    const renamed = [...this.document.members.values()].filter(({ author }) => author.userId === userId);
    for (const member of renamed) member.author.name = name;
    this.document.announceParticipants(null, false);
    return renamed;
  }

  /** Shows a member's cursor to the others. */
  showCursor(member: Member, cursor: string): void {
    const { uniqueId, userId } = member.author;
    this.document.broadcast(
      { type: 'cursor', messages: [{ cursor, time: Date.now(), user: uniqueId, useridoriginal: userId }] },
      (one) => one !== member && one.state === 'active',
    );
  }

  /** Stops the actor's timers; it is not used afterwards. */
  stop(): void {
    this.#turns.stop();
    this.#admission.stop();
    this.#viewers.stop();
    this.document.stop();
    this.document.history.forget();
  }

  #mayEdit(member: Member): boolean {
    if (isEditor(member) && member.state === 'active') return true;
    member.peer.dismiss(DisconnectCode.accessDeny, 'access deny');
    return false;
  }

  async #unLock(member: Member, request: Extract<ClientMessage, { type: 'unLockDocument' }>): Promise<void> {
    const deleteIndex = request.deleteIndex ?? -1;
    if (deleteIndex >= 0) await this.#saving.cutBack(member, deleteIndex);
    if (request.unlock) await this.#admission.release(member);
    if (request.releaseLocks) await this.#locking.releaseAndTell(member, true);
    if (request.isSave) {
      await this.#turns.release(member);
      this.#saveLockGivenBack(member);
    }
  }

  #saveLockGivenBack(member: Member): void {
    send(member, { type: 'unSaveLock', index: -1, time: -1, syncChangesIndex: -1 });
  }

  async #say(member: Member, text: string): Promise<void> {
    if (!member.chat) return;
    const { uniqueId, userId, name } = member.author;
    const message = {
      docid: this.document.key,
      message: text,
      time: Date.now(),
      user: uniqueId,
      useridoriginal: userId,
      username: name,
    };
    await this.#chat((chat) => [addMessage(chat, message), undefined]);
    this.document.broadcast(
      { type: 'message', messages: [message] },
      (one) => one.state === 'active' && one.chat,
    );
  }

  #chat<Result>(
    step: (chat: readonly ChatMessage[]) => readonly [readonly ChatMessage[], Result],
  ): Promise<Result> {
    return this.document.ports.coordination.update(this.document.key, chatCell, step);
  }

  /** Sends the `auth` reply, with the state of things now. Call within `run`. */
  async greet({ member, welcome }: Joining): Promise<void> {
    const { document } = this;
    const locks = await this.#locking.locks();
    const messages = await this.#chat((chat) => [chat, chat]);
    send(
      member,
      await welcome({
        participants: document.participants(),
        locks: document.editorType === EditorType.text ? locks : Object.values(locks),
        messages: member.chat && messages.length > 0 ? [...messages] : undefined,
        endIndex: document.endIndex,
        stored: document.stored,
      }),
    );
  }

  /**
   * A returning session takes the place of its earlier connection, which may still look alive. Which of the two its
   * client uses is not known here (a late `auth` may come from the older one), so the one that loses is not told to
   * stay away.
   */
  async #replaceOlder(member: Member): Promise<void> {
    for (const older of [...this.document.members.values()]) {
      if (older.sessionId !== member.sessionId) continue;
      this.document.members.delete(older.peer.id);
      older.historyAck?.(false);
      this.#admission.forget(older);
      await this.#turns.withdraw(older);
      await this.#locking.forget(older.peer.id);
      older.peer.interrupt('the session moved to another connection');
    }
  }
}
