import { describe, expect, it } from 'vitest';
import { readFrameConfig } from '../../frame/frame-config.ts';
import { roleOf } from '../../frame/role.ts';
import { maySettle } from './review-rights.ts';

function rights(permissions: object) {
  const config = readFrameConfig({ user: { id: 'me', name: 'Me' } }, { permissions });
  return { role: roleOf(config), permissions: config.document.permissions };
}

describe('rights in a review', () => {
  const settles = (given: object, author: string) => {
    const { role, permissions } = rights(given);
    return (['accept', 'reject'] as const).map((decision) =>
      maySettle(decision, author, 'Me', role, permissions),
    );
  };

  it('[RV13] a reviewer may only reject, and only what is their own', () => {
    const reviewer = { edit: false, review: true };
    expect(settles(reviewer, 'Me')).toEqual([false, true]);
    expect(settles(reviewer, 'Ann')).toEqual([false, false]);
  });

  it('[RV13] an editor may settle what the groups say, and nothing without the right to review', () => {
    expect(settles({ edit: true }, 'Ann')).toEqual([true, true]);
    expect(settles({ edit: true, review: false }, 'Ann')).toEqual([false, false]);
    const grouped = { edit: true, reviewGroups: ['Sales', ''] };
    expect(settles(grouped, 'Sales\u00a0Ann')).toEqual([true, true]);
    expect(settles(grouped, 'Ann')).toEqual([true, true]);
    expect(settles(grouped, 'Law\u00a0Ann')).toEqual([false, false]);
  });
});
