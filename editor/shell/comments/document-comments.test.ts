import { describe, expect, it } from 'vitest';
import { readFrameConfig } from '../../frame/frame-config.ts';
import { roleOf } from '../../frame/role.ts';
import { commentRights } from './document-comments.ts';

describe('rights on comments', () => {
  const comments = (given: object, author: string) => {
    const config = readFrameConfig({ user: { id: 'me', name: 'Me' } }, { permissions: given });
    const { permissions } = config.document;
    const { see, edit, resolve, remove } = commentRights(author, 'Me', roleOf(config), permissions);
    return [see, edit, resolve, remove];
  };

  it('[RC1] comments can be changed and deleted by everybody who may comment, or by their authors only', () => {
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
