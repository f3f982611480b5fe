import { describe, expect, it } from 'vitest';
import { readFrameConfig } from '../../frame/frame-config.ts';
import { roleOf } from '../../frame/role.ts';
import { commentRights, maySettle } from './review-rights.ts';

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

  const comments = (given: object, author: string) => {
    const { role, permissions } = rights(given);
    const { see, edit, resolve, remove } = commentRights(author, 'Me', role, permissions);
    return [see, edit, resolve, remove];
  };

  it('[RC1] comments can be changed and deleted by whoever may comment, or by their authors only', () => {
    expect(comments({ edit: true }, 'Ann')).toEqual([true, true, true, true]);
    for (const limited of [
      { edit: false, comment: true },
      { edit: false, review: true, comment: true },
    ]) {
      expect(comments(limited, 'Ann')).toEqual([true, false, true, false]);
      expect(comments(limited, 'Me')).toEqual([true, true, true, true]);
    }
    const authorOnly = { edit: true, editCommentAuthorOnly: true, deleteCommentAuthorOnly: true };
    expect(comments(authorOnly, 'Ann')).toEqual([true, false, true, false]);
    expect(comments(authorOnly, 'Me')).toEqual([true, true, true, true]);
    expect(comments({ edit: false }, 'Me')).toEqual([true, false, false, false]);
  });

  it('[RC1] groups say whose comments are seen, changed and deleted; one’s own are always seen', () => {
    const grouped = { edit: true, commentGroups: { view: ['Sales'], edit: [''], remove: [] } };
    expect(comments(grouped, 'Law\u00a0Ann')).toEqual([false, false, false, false]);
    expect(comments(grouped, 'Sales\u00a0Ann')).toEqual([true, false, false, false]);
    expect(comments(grouped, 'Me')).toEqual([true, true, true, false]);
  });
});
