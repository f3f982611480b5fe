import { type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { DocumentClient } from '../../../client/document-client.ts';
import type { ChatMessage } from '../../../client/protocol/server-messages.ts';
import { announce } from '../../kit/announce.tsx';
import { t } from '../../strings/strings.ts';
import { followPeople, type Person } from './people.ts';

/** The participants and their chat. */
export class Presence {
  readonly people: ReadonlySignal<readonly Person[]>;
  readonly messages: ReadonlySignal<readonly ChatMessage[]>;
  /** Messages that came while the chat was closed. */
  readonly unread: Signal<number> = signal(0);
  /** Id of the person whose cursor this page scrolls with. */
  readonly followed: Signal<string | null> = signal(null);
  readonly #stops: (() => void)[];

  /** `panel`: the name of the panel that is open. */
  constructor(client: DocumentClient, panel: ReadonlySignal<string | null>) {
    const { people, stop } = followPeople(client);
    const messages = signal<readonly ChatMessage[]>(client.authReply?.messages ?? []);
    this.people = people;
    this.messages = messages;
    this.#stops = [
      stop,
      people.subscribe((now) => {
        if (!now.some(({ id }) => id === this.followed.peek())) this.followed.value = null;
      }),
      client.on('chat', (added) => {
        messages.value = [...messages.peek(), ...added];
        const fromOthers = added.filter(({ user }) => user !== client.userId);
        if (panel.peek() !== 'chat') this.unread.value += fromOthers.length;
        for (const { username, message } of fromOthers) {
          announce(t('together.said', { name: username ?? '', message }));
        }
      }),
    ];
  }

  stop(): void {
    for (const stop of this.#stops) stop();
  }
}
