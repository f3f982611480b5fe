import { type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { HostBridge } from '../../frame/host-bridge.ts';
import type { HostCommandData } from '../../frame/host-commands.ts';

export type MentionUser = HostCommandData<'setUsers'>['users'][number];

const mostUsers = 100;

/** The people that somebody can mention, as the embedding page knows them. */
export class Mentions {
  readonly users: ReadonlySignal<readonly MentionUser[]>;
  readonly #users: Signal<readonly MentionUser[]> = signal([]);
  readonly #host: HostBridge;
  #asked: string | null = null;

  constructor(host: HostBridge) {
    this.#host = host;
    this.users = this.#users;
  }

  /** Hears the page's answers. Returns how to stop. */
  follow(): () => void {
    return this.#host.on('setUsers', ({ c, users }) => {
      if (c === 'mention') this.#users.value = users.filter(({ name }) => name !== '');
    });
  }

  /** Asks for people whose name has these letters. */
  ask(search: string): void {
    if (this.#asked === search) return;
    this.#asked = search;
    this.#host.send('onRequestUsers', { c: 'mention', from: 0, count: mostUsers, search });
  }
}

/** What is being typed after an `@` before the cursor, or null. */
export function mentionAt(
  text: string,
  cursor: number,
): { readonly start: number; readonly query: string } | null {
  const typed = /(?:^|[\s(])@([^\s@]{0,40})$/u.exec(text.slice(0, cursor));
  const query = typed?.[1];
  return query === undefined ? null : { start: cursor - query.length - 1, query };
}

export const matching = (users: readonly MentionUser[], query: string): MentionUser[] => {
  const wanted = query.toLocaleLowerCase();
  return users.filter(({ name, email }) =>
    [name, email ?? ''].some((one) => one.toLocaleLowerCase().includes(wanted)),
  );
};

/** Addresses of those people who are named in a text. */
export function mentionedIn(text: string, users: readonly MentionUser[]): string[] {
  const named = users.filter(({ name, email }) => email && text.includes(`@${name}`));
  return [...new Set(named.map(({ email }) => email!))];
}
