import type { ChatMessage } from '../../../client/protocol/index.ts';

/** A document's chat keeps the newest of these many messages and characters. */
export const chatLimits = { messages: 1_000, characters: 1_000_000 } as const;

export const chatValue = { name: 'chat', empty: [] as readonly ChatMessage[] };

/** Adds a message and drops the oldest ones beyond the limits. */
export function addMessage(chat: readonly ChatMessage[], message: ChatMessage): readonly ChatMessage[] {
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
