import { type ChatMessage, type CursorMessage, ServiceError } from '../../../client/protocol/index.ts';
import { Budget } from '../../../platform/budget.ts';
import type { Coordination, SharedList } from '../../../platform/ports/coordination.ts';
import { Frame } from '../../../platform/ports/peer.ts';
import type { Member } from './member.ts';
import { type OpenDocument, send } from './open-document.ts';

/** A document's chat keeps its newest messages. */
const chatList: SharedList = { name: 'chat', mostEntries: 1_000, mostBytes: 2_000_000 };

/** What one person may say in a document: so much a second, and what was not said before, up to so much at once. */
const perPerson = {
  messages: { aSecond: 1, atOnce: 20 },
  characters: { aSecond: 1_000, atOnce: 100_000 },
} as const;

/** The chat of a document, which is kept, and the cursors of its participants, which are not. */
export class Chat {
  readonly #document: OpenDocument;
  /** What people may still say, by their ids, in whichever session of theirs. */
  readonly #people = new Map<string, { messages: Budget; characters: Budget }>();
  /** What `othersSeen` was when nothing was found to be kept; null: something may be. */
  #emptyAt: number | null = null;

  constructor(document: OpenDocument) {
    this.#document = document;
  }

  /** Passes on what a member says; what is more than one person may say goes to nobody, and its sender is told. */
  async say(member: Member, text: string): Promise<void> {
    const { uniqueId, userId, name } = member.author;
    if (!this.#maySay(userId, text.length)) {
      const message = 'You write too much to the chat. The message was not sent.';
      return send(member, { type: 'warning', code: ServiceError.quireChatFlood, message });
    }
    const message = {
      docid: this.#document.key,
      message: text,
      time: Date.now(),
      user: uniqueId,
      useridoriginal: userId,
      username: name,
    };
    await this.#document.bestEffort(() => this.#shared.append(this.#document.key, chatList, message));
    this.broadcast(message);
    this.#document.publish({ t: 'chat', message });
  }

  #maySay(userId: string, characters: number): boolean {
    const nowMs = performance.now();
    for (const [id, { messages, characters: left }] of this.#people) {
      const isFull =
        messages.credit(nowMs) >= perPerson.messages.atOnce &&
        left.credit(nowMs) >= perPerson.characters.atOnce;
      if (isFull) this.#people.delete(id);
    }
    const own = this.#people.get(userId) ?? {
      messages: new Budget(perPerson.messages.aSecond, perPerson.messages.atOnce, nowMs),
      characters: new Budget(perPerson.characters.aSecond, perPerson.characters.atOnce, nowMs),
    };
    const mayBeSaid = own.messages.credit(nowMs) >= 1 && own.characters.credit(nowMs) >= characters;
    if (!mayBeSaid) return false;
    own.messages.spend(1, nowMs);
    own.characters.spend(characters, nowMs);
    this.#people.set(userId, own);
    return true;
  }

  /** Broadcasts a message to the participants here. */
  broadcast(message: ChatMessage): void {
    this.#emptyAt = null;
    this.#document.broadcast(
      { type: 'message', messages: [message] },
      (one) => one.state === 'active' && one.chat && !one.isShutOut,
    );
  }

  /** Every message that is kept; none while what the nodes share does not answer. */
  async messages(): Promise<readonly ChatMessage[]> {
    if (this.#isEmpty()) return [];
    const { key, isElsewhere, othersSeen } = this.#document;
    const kept = await this.#document.bestEffort(() => this.#shared.entries<ChatMessage>(key, chatList));
    this.#emptyAt = kept?.length === 0 && !isElsewhere ? othersSeen : null;
    return kept ?? [];
  }

  /** Whether nothing was kept at the last look, and nobody can have said anything since. */
  #isEmpty(): boolean {
    const { isElsewhere, othersSeen } = this.#document;
    return !isElsewhere && this.#emptyAt === othersSeen;
  }

  /** Shows a member's cursor to the others, on all nodes. */
  showCursor(member: Member, cursor: string): void {
    const { uniqueId, userId } = member.author;
    const message = { cursor, time: Date.now(), user: uniqueId, useridoriginal: userId };
    this.broadcastCursor(message, member);
    if (this.#document.isElsewhere) this.#document.publish({ t: 'cursor', message });
  }

  /** Shows a cursor to everybody here but its owner, and those whose connection does not keep up: the next one says as much. */
  broadcastCursor(message: CursorMessage, owner: Member | null = null): void {
    let frame: Frame | undefined;
    for (const one of this.#document.members.values()) {
      if (one === owner || one.state !== 'active' || one.isShutOut) continue;
      frame ??= Frame.of({ type: 'cursor', messages: [message] });
      one.peer.offer(frame);
    }
  }

  async clear(): Promise<void> {
    if (this.#isEmpty()) return;
    await this.#shared.clear(this.#document.key, chatList);
  }

  get #shared(): Coordination {
    return this.#document.ports.coordination;
  }
}
