import {
  type Block,
  type ChatMessage,
  type ClientMessage,
  DisconnectCode,
  EditorType,
  type Lock,
  type ServerMessage,
} from '../../../client/protocol/index.ts';
import type { SaveTurn } from '../../ports/cluster.ts';
import { Admission } from './admission.ts';
import { ChangeFeed } from './change-feed.ts';
import type { Present } from './company.ts';
import { Departures } from './departures.ts';
import { sendMissed } from './history.ts';
import { Locking } from './locking.ts';
import { isEditor, type Member } from './member.ts';
import type { DocumentNotice, NodeMessage } from './node-messages.ts';
import { deliver } from './notices.ts';
import { type DocumentPorts, OpenDocument, type StoredAtIntegrator, send } from './open-document.ts';
import { OtherNodes } from './other-nodes.ts';
import { Presence } from './presence.ts';
import type { SaveAsker } from './save-queue.ts';
import { SaveTurns } from './save-turns.ts';
import { Saving } from './saving.ts';
import { Talk } from './talk.ts';
import { ViewerFeed } from './viewer-feed.ts';

/** What a connection that signed in brings to a document. */
export interface Joining {
  member: Member;
  restored: boolean;
  /** How many changes a returning client has; null when it cannot say. */
  syncIndex: number | null;
  /**
   * Whether a returning client that cannot say what it has still has everything. Asked once nothing is missed any more:
   * another node may have stored something since it was looked up. Null where that cannot be.
   */
  isUpToDate: (() => Promise<boolean>) | null;
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
  readonly #presence: Presence;
  readonly #feed: ChangeFeed;
  readonly #turns: SaveTurns;
  readonly #locking: Locking;
  readonly #admission: Admission;
  readonly #saving: Saving;
  readonly #viewers: ViewerFeed;
  readonly #departures: Departures;
  readonly #talk: Talk;
  readonly #others: OtherNodes;
  #tail: Promise<void> = Promise.resolve();

  constructor(key: string, ports: DocumentPorts, onError: (error: unknown) => void) {
    const document = new OpenDocument(key, ports);
    this.document = document;
    const run = (task: () => Promise<void>) => {
      this.run(task).catch(onError);
    };
    this.#presence = new Presence(document, run, () => this.#admission.letIn());
    this.#viewers = new ViewerFeed(document, run);
    this.#feed = new ChangeFeed(document, this.#viewers);
    this.#turns = new SaveTurns(document, this.#feed, run);
    this.#locking = new Locking(document);
    this.#admission = new Admission(document, this.#presence, this.#turns, run);
    this.#saving = new Saving(document, this.#turns, this.#locking, this.#admission, this.#feed);
    this.#talk = new Talk(document);
    this.#departures = new Departures(document, {
      ...{ presence: this.#presence, turns: this.#turns, locking: this.#locking },
      ...{ admission: this.#admission, viewers: this.#viewers },
    });
    this.#others = new OtherNodes(document, {
      heard: (message, nodeId) => {
        if (message.t === 'cursor') this.#talk.tellCursor(message.message);
        else run(() => this.#hear(message, nodeId));
      },
      lookAgain: (thoroughly) => this.run(() => this.#lookAgain(thoroughly)),
    });
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
    const { member, restored } = joining;
    await this.#others.listen();
    if (restored) {
      if (!(await this.#locking.regain(member, joining.blocks))) return false;
      await this.#replaceHere(member);
    }
    if (member.view && member.live) await this.#viewers.show();
    document.members.set(member.peer.id, member);
    if (member.state === 'closed') {
      if (joining.blocks.length > 0) await this.#locking.announce(member, joining.blocks);
      await this.greet(joining);
      return true;
    }
    const { gateKeeper, replaced, isOnlyEditor } = await this.#presence.enter(member, restored);
    if (replaced.length > 0) await this.#replaceElsewhere(replaced);
    // The last one may have left elsewhere without knowing of this one.
    if (isOnlyEditor && document.ports.nodes && document.open) {
      document.open = await document.ports.lifecycle.editorIsBack(document.key);
    }
    if (joining.blocks.length > 0) await this.#locking.announce(member, joining.blocks);
    if (isEditor(member)) {
      document.ports.lifecycle.editorJoined(document.key, member.visitor, document.editorIds());
    }
    if (restored) {
      if (!(await this.#turns.share(member))) return true;
      if (document.ports.nodes && joining.isUpToDate && !(await joining.isUpToDate())) {
        member.peer.interrupt('another node stored changes meanwhile');
        return true;
      }
      if (joining.syncIndex !== null && (!member.view || member.live)) {
        await sendMissed(document, member, joining.syncIndex);
        // Somebody who was alone meanwhile may have counted on taking back what has been given out now.
        if (isEditor(member)) document.historyFloor = document.endIndex;
      }
      member.state = 'active';
      await this.#turns.count();
      await this.greet(joining);
    } else {
      const welcome = () => this.greet(joining);
      await this.#admission.admit({ ...joining, welcome }, gateKeeper);
      // From now on this node hears of what is saved.
      if (gateKeeper) await this.#turns.count();
    }
    this.#presence.announce(member.author.uniqueId, member.state === 'waiting');
    return true;
  }

  /** A connection is gone, or its user left co-editing with `close`. Call within `run`. */
  async leave(member: Member, explicitly: boolean): Promise<void> {
    const { document } = this;
    const { id } = member.peer;
    const wasClosed = member.state === 'closed';
    if (explicitly) {
      member.state = 'closed';
      member.view = true;
    } else {
      document.members.delete(id);
      member.historyAck?.(false);
    }
    if (wasClosed) return;
    this.#admission.forget(member);
    await this.#locking.forget(id);
    await this.#departures.of(({ connectionId }) => connectionId === id, explicitly);
  }

  /** Sees to what dead nodes left behind. Call within `run`. */
  forgetDead(): Promise<void> {
    return this.#departures.ofTheDead();
  }

  /**
   * Handles a message of a member. Call within `run`. A connection whose session has moved to another one is not
   * heard any more: what it still had to say is sent again by the session itself.
   */
  async handle(member: Member, message: ClientMessage): Promise<void> {
    if (this.document.members.get(member.peer.id) !== member) return;
    // What this node held may have been given away: its members come back and learn what is so.
    if (this.document.ports.nodes?.leases.isHeld() === false)
      return member.peer.interrupt('the node was away');
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
        await this.#turns.giveBack(member);
        this.#saveLockGivenBack(member);
        return;
      case 'unLockDocument':
        if (isEditor(member)) await this.#unLock(member, message);
        return;
      case 'authChangesAck':
        member.historyAck?.(true);
        return;
      case 'message':
        await this.#talk.say(member, message.message);
        return;
      case 'getMessages': {
        const messages = await this.#talk.messages();
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

  /** The element locks, and who may save now and next, on any node. Call within `run`. */
  async held(): Promise<{ locks: Lock[]; saveTurns: SaveTurn[] }> {
    const { holder, waiting } = await this.#turns.queue();
    const turns = waiting.map((asker) => turnOf(asker, null));
    return {
      locks: Object.values(await this.#locking.locks()),
      saveTurns: holder ? [turnOf(holder, holder.expiresAtMs), ...turns] : turns,
    };
  }

  /** Learns what goes on on other nodes, where nobody is here yet who would have heard of it. Call within `run`. */
  async lookUp(): Promise<void> {
    const { document } = this;
    if (!document.ports.nodes || document.members.size > 0) return;
    await document.tolerantly(() => this.#presence.refresh());
    await this.#turns.count();
  }

  /** Everybody here is brought up to date with what the database says of the log. Call within `run`. */
  async follow({ nextIndex, logVersion }: { nextIndex: number; logVersion: number }): Promise<void> {
    const { document } = this;
    if (document.members.size === 0 || document.editors().length === 0) {
      document.history.keepOnly(logVersion);
      if (nextIndex < document.historyFloor) document.historyFloor = 0;
      document.endIndex = nextIndex;
      document.logVersion = logVersion;
    } else if (nextIndex !== document.endIndex || logVersion !== document.logVersion) {
      await this.#feed.catchUp();
    }
  }

  /** The source is opened, or not any more what was opened. Call within `run`. */
  setOpen(open: boolean): void {
    const { document } = this;
    if (open && !document.open) document.say({ t: 'opened' });
    document.open = open;
  }

  /** Gives a user another name on all connections, and tells everybody. Call within `run`. */
  async rename(userId: string, name: string): Promise<void> {
    await this.#presence.rename(userId, name);
    this.#renameHere(userId, name);
    this.document.say({ t: 'renamed', userId, name });
    this.#presence.announce(null, false);
  }

  /** Shows a member's cursor to the others. */
  showCursor(member: Member, cursor: string): void {
    this.#talk.showCursor(member, cursor);
  }

  /** Stops the actor's timers; it is not used afterwards. */
  stop(): void {
    this.#turns.stop();
    this.#admission.stop();
    this.#viewers.stop();
    this.#presence.stop();
    this.#others.stop();
    this.document.history.forget();
  }

  /** Forgets what is shared of the document where nobody is left on any node. Call within `run`. */
  async forget(): Promise<void> {
    const { document } = this;
    await this.#departures.seeTo(await this.#presence.leaveLate(), false);
    await this.#presence.refresh();
    if (document.company.present.length > 0) return this.#turns.count();
    await this.#turns.clear();
    await this.#locking.clear();
    await this.#talk.clear();
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
        return this.#turns.heard(message.connectionId, message.end);
      case 'locked':
        return this.#locking.heardLocked(message.locks);
      case 'unlocked':
        return this.#locking.heardUnlocked(message.locks, message.lifted);
      case 'company':
        return this.#presence.heard(message.about, message.waitAuth);
      case 'here':
        if (document.company.present.every((one) => one.nodeId !== nodeId)) this.#presence.heard(null, false);
        return;
      case 'moved':
        for (const connectionId of message.connectionIds)
          await this.#drop(document.members.get(connectionId));
        return;
      case 'renamed':
        return this.#renameHere(message.userId, message.name);
      case 'chat':
        return this.#talk.tell(message.message);
      case 'opened':
        document.open = true;
        return;
      case 'cursor':
        return this.#talk.tellCursor(message.message);
      default:
        return this.notice(message);
    }
  }

  /** Tells the people here of something that concerns them. Call within `run`. */
  notice(notice: DocumentNotice): void {
    deliver(this.document, notice);
    this.document.ports.noticed(this.document.key, notice);
  }

  /** Puts right whatever may have been missed of what other nodes did, or what they miss of this one. */
  async #lookAgain(thoroughly: boolean): Promise<void> {
    const { document } = this;
    await this.#departures.seeTo(await this.#presence.leaveLate(), false);
    if (document.members.size === 0) return;
    const { departed, wasMissing } = await this.#presence.putRight();
    await this.#departures.seeTo(departed, false);
    await this.#departures.ofTheDead();
    await this.#locking.lookAgain();
    await this.#turns.lookAgain();
    if (thoroughly) await this.#feed.catchUp();
    await this.#admission.letIn();
    this.#presence.tellIfChanged();
    document.say(wasMissing ? { t: 'company', about: null, waitAuth: false } : { t: 'here' });
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
    if (request.releaseLocks) await this.#locking.releaseAndTell(member.author.uniqueId, true);
    if (request.isSave) {
      await this.#turns.giveBack(member);
      this.#saveLockGivenBack(member);
    }
  }

  #saveLockGivenBack(member: Member): void {
    send(member, { type: 'unSaveLock', index: -1, time: -1, syncChangesIndex: -1 });
  }

  /** Sends the `auth` reply, with the state of things now. Call within `run`. */
  async greet({ member, welcome }: Joining): Promise<void> {
    const { document } = this;
    const locks = await this.#locking.locksToShow();
    const messages = await this.#talk.messages();
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
  async #replaceHere(member: Member): Promise<void> {
    for (const older of [...this.document.members.values()]) {
      if (older.sessionId === member.sessionId) await this.#drop(older);
    }
  }

  /** The same for connections that the session has, or had, on other nodes. */
  async #replaceElsewhere(replaced: readonly Present[]): Promise<void> {
    const connectionIds = replaced.map(({ connectionId }) => connectionId);
    this.document.say({ t: 'moved', connectionIds });
    for (const connectionId of connectionIds) {
      await this.#turns.withdraw(connectionId);
      await this.#locking.forget(connectionId);
    }
  }

  /** A member whose session goes on with another connection. */
  async #drop(older: Member | undefined): Promise<void> {
    if (!older) return;
    this.document.members.delete(older.peer.id);
    older.historyAck?.(false);
    this.#admission.forget(older);
    await this.#turns.withdraw(older.peer.id);
    await this.#locking.forget(older.peer.id);
    older.peer.interrupt('the session moved to another connection');
  }

  #renameHere(userId: string, name: string): void {
    const renamed = [...this.document.members.values()].filter(({ author }) => author.userId === userId);
    for (const member of renamed) member.author.name = name;
    if (renamed.length > 0) this.document.ports.renamed(renamed);
  }
}

const turnOf = ({ connectionId, userId }: SaveAsker, expiresAtMs: number | null): SaveTurn => ({
  connectionId,
  user: userId,
  expiresAtMs,
});
