import { describe, expect, it } from 'vitest';
import type { AuthRequest } from '../../../client/protocol/index.ts';
import { grantsOf } from '../../../model/log/change-author.ts';
import { isViewer, mayDownload, withReadPermissions } from './identity.ts';
import { readSessionClaims } from './session-credentials.ts';

describe('permissions of an odd type', () => {
  const standing = (permissions: unknown) => {
    const read = withReadPermissions({ type: 'auth', mode: 'edit', permissions } as AuthRequest);
    return {
      view: isViewer(read),
      ...grantsOf(read.permissions, read.mode),
      download: mayDownload(permissions),
    };
  };

  it.each<[permissions: unknown, standing: object]>([
    [{ edit: true }, { view: false, download: true }],
    [{ edit: 'true' }, { view: false, download: true }],
    [{ edit: null }, { view: false, download: true }],
    [[], { view: false, download: true }],
    [{ edit: 'false' }, { view: true, may: [], download: true }],
    [{ edit: 0 }, { view: true, may: [], download: true }],
    [{ edit: {} }, { view: true, may: [], download: true }],
    [{ edit: [true] }, { view: true, may: [], download: true }],
    [
      { edit: '0', review: '1' },
      { view: false, may: ['review'], download: true },
    ],
    [
      { edit: false, comment: 'true' },
      { view: false, may: ['comment'], download: true },
    ],
    [
      { edit: false, comment: {} },
      { view: true, may: [], download: true },
    ],
    [
      { protect: 'false', modifyFilter: [] },
      { view: false, mayNot: ['protect', 'filter'], download: true },
    ],
    [{ download: 'false' }, { view: false, download: false }],
    [{ download: {} }, { view: false, download: false }],
    ['edit', { view: true, may: [], download: false }],
    [['edit'], { view: true, may: [], download: false }],
  ])('[AT26] %j make %j', (permissions, expected) => {
    expect(standing(permissions)).toEqual(expected);
  });

  it('[AT26] those of a session token are read in the same way', () => {
    const session = (permissions: unknown) =>
      readSessionClaims({
        document: { key: 'k', permissions },
        editorConfig: { user: { id: 'ann', name: 'Ann', index: 1 }, ds_sessionTimeConnect: 1 },
      })?.permissions;
    expect(session({ edit: 'false', print: 1, chat: {} })).toEqual({ edit: false, print: true, chat: false });
    expect(session('all')).toMatchObject({ edit: false, download: false });
    expect(session(undefined)).toBeNull();
  });
});
