import {
  type Block,
  type ChatMessage,
  EditorType,
  type Lock,
  type ServerMessage,
} from '../../../client/protocol/index.ts';
import type { Admission, OfferedCheckpoint } from './admission.ts';
import type { Chat } from './chat.ts';
import { sendMissed } from './history.ts';
import type { LeaveCleanup } from './leave-cleanup.ts';
import { lockPartsOf } from './lock-parts.ts';
import type { Locking } from './locking.ts';
import type { StoredAtIntegrator } from './log-end.ts';
import { entered, isEditor, type Member, participantOf, remembered } from './member.ts';
import { type OpenDocument, send } from './open-document.ts';
import type { OtherNodes } from './other-nodes.ts';
import { type Participant, participantMessage } from './participants.ts';
import type { Presence } from './presence.ts';
import type { SaveLock } from './save-lock.ts';
import type { ViewerFeed } from './viewer-feed.ts';

/** What a connection that signed in brings to a document. */
export interface JoinRequest {
  member: Member;
  restored: boolean;
  /** How many changes a returning client has; null when it cannot say. */
  syncIndex: number | null;
  /**
   * Whether a returning client that cannot say what it has still has everything. Asked when this node misses no more
   * messages, since another node may have stored something before. Null where that cannot be.
   */
  isUpToDate: (() => Promise<boolean>) | null;
  acknowledgesHistory: boolean;
  /** Looks for a checkpoint of the log as it is then, for a newcomer who can begin with one; null: it cannot. */
  findCheckpoint: (() => Promise<OfferedCheckpoint | null>) | null;
  /** Element locks a returning client believes it holds. */
  blocks: readonly Block[];
  /** The `auth` reply, with what is shared at the time it is sent. */
  welcome: (shared: SharedState) => Promise<ServerMessage>;
}

/** What it takes to send somebody the `auth` reply, also once more. */
export type Greeting = Pick<JoinRequest, 'member' | 'welcome'>;

/** What of the document's shared state goes into an `auth` reply. */
export interface SharedState {
  participants: ReturnType<typeof participantMessage>[];
  locks: Record<string, Lock> | Lock[];
  messages: ChatMessage[] | undefined;
  endIndex: number;
  stored: StoredAtIntegrator;
}

export interface JoiningParts {
  others: OtherNodes;
  presence: Presence;
  saveLock: SaveLock;
  locking: Locking;
  admission: Admission;
  viewers: ViewerFeed;
  leaveCleanup: LeaveCleanup;
  chat: Chat;
}

/**
 * Lets people into one document: newcomers get its history; sessions that return go on where they were and replace
 * their earlier connections.
 */
export class Joining {
  readonly #document: OpenDocument;
  readonly #parts: JoiningParts;

  constructor(document: OpenDocument, parts: JoiningParts) {
    this.#document = document;
    this.#parts = parts;
  }

  /** Lets a member in. Returns false when a restored session cannot go on (the locks are taken). */
  async join(joining: JoinRequest): Promise<boolean> {
    const document = this.#document;
    const { member, restored } = joining;
    const blocks = isEditor(member) ? joining.blocks : [];
    await this.#parts.others.listen();
    if (restored) {
      if (!(await this.#parts.locking.regain(member, blocks))) return false;
      if (!isEditor(member)) await this.#removeEditor(member);
      await this.#replaceHere(member);
    }
    if (member.view && member.live) await this.#parts.viewers.show();
    document.attached(member);
    if (member.state === 'closed') {
      await this.greet(joining);
      return true;
    }
    const { firstEditor, replaced, isOnlyEditor } = await this.#parts.presence.enter(member, restored);
    if (replaced.length > 0) await this.#replaceElsewhere(replaced);
    // The last one may have left elsewhere without knowing of this one.
    if (isOnlyEditor && document.ports.nodes && document.isOpen) {
      document.openChanged(await document.ports.lifecycle.editorIsBack(document.key));
      if (!document.isOpen) {
        // Another node closed it, for want of editors, before this one was among them. Who comes back opens it again.
        member.peer.interrupt('the document was closed meanwhile');
        return true;
      }
    }
    if (blocks.length > 0) await this.#parts.locking.announce(member, blocks);
    if (isEditor(member)) {
      document.ports.lifecycle.editorJoined(document.key, member.visitor, document.editorIds());
    }
    if (restored) {
      if (!(await this.#parts.saveLock.share(member))) return true;
      if (document.ports.nodes && joining.isUpToDate && !(await joining.isUpToDate())) {
        member.peer.interrupt('another node stored changes meanwhile');
        return true;
      }
      if (joining.syncIndex !== null && !member.isShutOut && (!member.view || member.live)) {
        await sendMissed(document, member, joining.syncIndex);
      }
      // Somebody who was alone meanwhile may have expected to take back changes that have been given out now.
      const isAlone = document.editors().every(({ connectionId }) => connectionId === member.peer.id);
      if (isEditor(member) && (joining.syncIndex !== null || !isAlone)) document.givenOut();
      entered(member, 'active');
      if (joining.syncIndex === null) remembered(member, { returnedToIndex: document.endIndex });
      await this.#parts.saveLock.shared.count();
      await this.greet(joining);
    } else {
      const welcome = () => this.greet(joining);
      await this.#parts.admission.admit({ ...joining, welcome }, firstEditor);
      if (firstEditor) {
        // From now on this node hears of what is saved.
        await this.#parts.saveLock.shared.count();
        // Nobody waits for somebody who was on a node that has died.
        if (firstEditor.nodeId !== document.nodeId) await this.#parts.leaveCleanup.nodesDied();
      }
    }
    this.#parts.presence.announce(member.author.uniqueId, member.state === 'waiting');
    return true;
  }

  /** Sends the `auth` reply, with the state of things now. */
  async greet({ member, welcome }: Greeting): Promise<void> {
    const document = this.#document;
    const [locks, messages] = member.isShutOut
      ? [{}, []]
      : await Promise.all([this.#parts.locking.locksToShow(), this.#parts.chat.messages()]);
    const [first = {}, ...rest] = lockPartsOf(locks);
    send(
      member,
      await welcome({
        participants: document.participants.map(participantMessage),
        locks: document.lockRules === EditorType.text ? first : Object.values(first),
        messages: member.chat && messages.length > 0 ? [...messages] : undefined,
        endIndex: document.endIndex,
        stored: document.stored,
      }),
    );
    if (!isEditor(member)) return;
    for (const part of rest) send(member, { type: 'getLock', locks: part });
  }

  /**
   * A returning session takes the place of its earlier connection, which may still look alive. Which of the two its
   * client uses is not known here (a late `auth` may come from the older one), so the one that loses is not asked to
   * stay away.
   */
  async #replaceHere(member: Member): Promise<void> {
    for (const older of [...this.#document.members.values()]) {
      if (older.sessionId === member.sessionId) await this.drop(older);
    }
  }

  /** An editor's session goes on as a viewer's: nobody else would release what it held. */
  async #removeEditor({ sessionId }: Member): Promise<void> {
    const document = this.#document;
    const isGone = (one: Participant) => one.sessionId === sessionId && !one.view;
    const own = [...document.members.values()]
      .map((one) => participantOf(one, document.nodeId))
      .filter(isGone);
    const left = await this.#parts.presence.leave(isGone, own);
    if (left.length === 0) return;
    document.publish({ t: 'moved', connectionIds: left.map((one) => one.participant.connectionId) });
    await this.#parts.leaveCleanup.cleanUp(left, false);
  }

  /** The same for connections that the session has, or had, on other nodes. */
  async #replaceElsewhere(replaced: readonly Participant[]): Promise<void> {
    const connectionIds = replaced.map(({ connectionId }) => connectionId);
    this.#document.publish({ t: 'moved', connectionIds });
    for (const connectionId of connectionIds) {
      await this.#parts.saveLock.withdraw(connectionId);
      await this.#parts.locking.forget(connectionId);
    }
  }

  /** A member's session goes on with another connection. */
  async drop(older: Member | undefined): Promise<void> {
    if (!older) return;
    this.#document.detached(older.peer.id);
    older.historyAck?.(false);
    this.#parts.admission.forget(older);
    await this.#parts.saveLock.withdraw(older.peer.id);
    await this.#parts.locking.forgetOwn(older.peer.id);
    older.peer.interrupt('the session moved to another connection');
  }
}
