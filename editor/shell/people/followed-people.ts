import { type ReadonlySignal, signal } from '@preact/signals';
import type { DocumentClient } from '../../../client/document-client.ts';
import { announce } from '../../kit/announce.tsx';
import { t } from '../../strings/strings.ts';
import { type Person, peopleIn } from './people.ts';

/** Who is in the document now; screen readers say who comes and goes. `stop`: follows it no longer. */
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
