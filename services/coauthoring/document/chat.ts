import { type ChatMessage, type CursorMessage, ServiceError } from '../../../client/protocol/index.ts';
import { Budget } from '../../../platform/budget.ts';
import { Frame } from '../../../platform/ports/peer.ts';
import type { Member } from './member.ts';
import { type OpenDocument, send } from './open-document.ts';

/** A document's chat keeps the newest of these many messages and characters. */
const chatLimits = { messages: 1_000, characters: 1_000_000 } as const;

/** What one person may say in a document: so much a second, and what was not said before, up to so much at once. */
const perPerson = {
  messages: { aSecond: 1, atOnce: 20 },
  characters: { aSecond: 1_000, atOnce: 100_000 },
} as const;

const chatValue = { name: 'chat', empty: [] as readonly ChatMessage[] };

/** Adds a message and drops the oldest ones beyond the limits. */
function addMessage(chat: readonly ChatMessage[], message: ChatMessage): readonly ChatMessage[] {
  let characters = message.message.length;
  let first = chat.length;
  while (
    first > 0 &&
    chat.length - first + 1 < chatLimits.messages &&
    characters + chat[first - 1]!.message.length <= chatLimits.characters
  ) {
    first -= 1;
    characters += chat[first]!.message.length;
  }
  return [...chat.slice(first), message];
}

/** The chat of a document, which is kept, and the cursors of its participants, which are not. */
export class Chat {
  readonly #document: OpenDocument;
  /** What people may still say, by their ids, in whichever session of theirs. */
  readonly #people = new Map<string, { messages: Budget; characters: Budget }>();

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
    await this.#document.bestEffort(() => this.#chat((before) => [addMessage(before, message), undefined]));
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
    this.#document.broadcast(
      { type: 'message', messages: [message] },
      (one) => one.state === 'active' && one.chat && !one.isShutOut,
    );
  }

  /** Every message that is kept; none while what the nodes share does not answer. */
  async messages(): Promise<readonly ChatMessage[]> {
    return (await this.#document.bestEffort(() => this.#chat((chat) => [chat, chat]))) ?? [];
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
    await this.#chat(() => [chatValue.empty, undefined]);
  }

  #chat<Result>(
    step: (chat: readonly ChatMessage[]) => readonly [readonly ChatMessage[], Result],
  ): Promise<Result> {
    return this.#document.ports.coordination.update(this.#document.key, chatValue, step);
  }
}
