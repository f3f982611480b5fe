import { type ReadonlySignal, signal } from '@preact/signals';
import type { DocumentClient } from '../../../client/document-client.ts';
import type { Participant } from '../../../client/protocol/participant.ts';
import { announce } from '../../kit/announce.tsx';
import { t } from '../../strings/strings.ts';

/** Colours that are told apart, also by people who do not see red or green well, with white text on them. */
const colors = [
  '#1f5fd6',
  '#b3261e',
  '#1b7a43',
  '#8e3bb0',
  '#a85700',
  '#00707d',
  '#c2185b',
  '#5d6b1a',
  '#4a3fbf',
  '#6d4c41',
] as const;

export interface Person {
  /** Unique id, one for each opening. */
  readonly id: string;
  /** The embedding page's id of the person. */
  readonly userId: string;
  readonly name: string;
  readonly initials: string;
  readonly color: string;
  readonly isMe: boolean;
  readonly viewsOnly: boolean;
}

/** A person's colour: the same on every screen, because it follows the order of joining. */
export const colorOf = (indexUser: number): string => colors[indexUser % colors.length]!;

/** The two letters that stand for a name. */
export function initialsOf(name: string): string {
  const words = name.trim().split(/[\s\u00a0]+/);
  const letters = words.length > 1 ? [words[0], words.at(-1)] : [words[0]];
  return letters
    .map((word) => [...(word ?? '')][0] ?? '')
    .join('')
    .toUpperCase();
}

function personOf(participant: Participant, ownId: string): Person {
  const name = participant.username || participant.idOriginal;
  return {
    id: participant.id,
    userId: participant.idOriginal,
    name,
    initials: initialsOf(name),
    color: colorOf(participant.indexUser),
    isMe: participant.id === ownId,
    viewsOnly: participant.view,
  };
}

/** Who is in the document now, oneself first. A second tab of somebody is a second person. */
export function peopleIn(client: DocumentClient): Person[] {
  const ownId = client.userId;
  const here = client.participants.filter(({ isCloseCoAuthoring }) => !isCloseCoAuthoring);
  return here
    .map((participant) => personOf(participant, ownId))
    .sort((a, b) => Number(b.isMe) - Number(a.isMe) || a.name.localeCompare(b.name));
}

/** The participants as they change; screen readers say who joins and leaves. `stop`: follows it no longer. */
export function followPeople(client: DocumentClient): {
  people: ReadonlySignal<readonly Person[]>;
  stop: () => void;
} {
  const people = signal<readonly Person[]>(peopleIn(client));
  const stop = client.on('participants', () => {
    const now = peopleIn(client);
    announceChanges(people.peek(), now);
    people.value = now;
  });
  return { people, stop };
}

function announceChanges(before: readonly Person[], after: readonly Person[]): void {
  const missingIn = (list: readonly Person[]) => (person: Person) =>
    !person.isMe && !list.some(({ id }) => id === person.id);
  for (const { name } of after.filter(missingIn(before))) announce(t('together.joined', { name }));
  for (const { name } of before.filter(missingIn(after))) announce(t('together.left', { name }));
}
