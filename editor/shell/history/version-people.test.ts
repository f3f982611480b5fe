import { expect, test } from 'vitest';
import { peopleOf } from './version-people.ts';

test('[EH31] the people of a version are named once, without their groups', () => {
  const change = (name: string) => ({ created: '2026-03-02 10:00:00', user: { id: name, name } });
  const version = {
    ...{ version: 1, key: 'k', created: '2026-03-02 10:00:00', serverVersion: undefined },
    user: { id: 'ann', name: 'group-2\u00a0Ann Lee' },
    changes: [change('Bob'), change('group-1,group-2\u00a0Ann Lee'), change('')],
  };
  expect(peopleOf(version)).toBe('Bob, Ann Lee');
});
