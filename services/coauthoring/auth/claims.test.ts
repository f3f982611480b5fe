import { describe, expect, it } from 'vitest';
import type { AuthRequest } from '../../../client/protocol/index.ts';
import { mergeClaims, namedDocument, namesUser } from './claims.ts';

const request = {
  type: 'auth',
  docid: 'k',
  lang: 'de',
  mode: 'edit',
  permissions: { edit: true },
  openCmd: { c: 'open', id: 'k', format: 'docx', title: 'Plan.docx', url: 'http://storage.test/1' },
} as unknown as AuthRequest;

const claims = (fileType: unknown, title: unknown, lang: unknown) => ({
  document: { key: 'k', url: 'http://storage.test/1', permissions: { edit: true }, fileType, title },
  editorConfig: { mode: 'edit', lang },
});

describe('claims of a token', () => {
  it.each([
    ['rtf', 'Other.rtf', 'fr', { format: 'rtf', title: 'Other.rtf' }, 'fr'],
    ['', '', '', { format: 'docx', title: 'Plan.docx' }, 'de'],
    [undefined, undefined, undefined, { format: 'docx', title: 'Plan.docx' }, 'de'],
    [null, null, null, { format: 'docx', title: 'Plan.docx' }, 'de'],
  ])(
    '[AT4] file type %j, title %j and language %j win where they say something',
    (type, title, lang, openCmd, read) => {
      expect(mergeClaims(request, claims(type, title, lang))).toMatchObject({
        ok: true,
        request: { openCmd, lang: read },
      });
    },
  );

  it('[RA25] null in a token is as good as absent, and seconds may be a text', () => {
    const bare = { ...request, permissions: undefined } as AuthRequest;
    const document = { key: 'k', url: 'http://storage.test/1', permissions: null };
    const editorConfig = { mode: 'edit', user: null, coEditing: null, quireStoreWithinS: '20' };
    const token = { document, editorConfig, url: null, key: null, payload: null, version: null };
    const merged = mergeClaims(bare, token);
    expect(merged).toMatchObject({ ok: true, purpose: 'open', request: { quireStoreWithinS: 20 } });
    expect(merged.ok && merged.request.permissions).toBeUndefined();
    // A token that says nothing of rights does not vouch for those that the browser names.
    expect(mergeClaims(request, token)).toMatchObject({ ok: false });
    for (const wrong of ['', 'soon', '-1', null, []]) {
      const config = { mode: 'edit', quireStoreWithinS: wrong };
      expect(mergeClaims(bare, { document, editorConfig: config })).toMatchObject({
        request: { quireStoreWithinS: undefined },
      });
    }
  });

  it('[RA25] the token of a version may have its document and what was before it at null', () => {
    const token = { version: '2', key: 'k', url: 'http://storage.test/1', document: null, previous: null };
    expect(mergeClaims(request, token)).toMatchObject({ ok: true, purpose: 'history' });
  });

  it('[RA27] the token of a file to compare with opens that file for reading, under a key of that kind alone', () => {
    const docid = `quire-compare-${'0a'.repeat(16)}`;
    const asked = { ...request, docid } as AuthRequest;
    const file = { fileType: 'odt', url: 'http://storage.test/2' };
    for (const token of [file, { ...file, c: 'compare', key: null, directUrl: 'http://cdn.test/2' }]) {
      expect(mergeClaims(asked, token)).toMatchObject({
        ok: true,
        purpose: 'history',
        request: {
          docid,
          mode: 'view',
          documentCallbackUrl: '',
          permissions: { edit: false, download: false },
          openCmd: { id: docid, url: file.url, format: 'odt' },
        },
      });
      for (const other of ['k', '', undefined, `${docid}0`, docid.toUpperCase()]) {
        expect(mergeClaims({ ...request, docid: other } as AuthRequest, token).ok).toBe(false);
      }
    }
    for (const more of [
      { key: 'k' },
      { c: 'insert-text' },
      { payload: {} },
      { status: 2 },
      { images: [] },
      { outputtype: 'pdf' },
      { url: null },
      { fileType: null },
    ]) {
      expect([more, mergeClaims(asked, { ...file, ...more }).ok]).toEqual([more, false]);
    }
  });
});

describe('a whole number that a page has rounded', () => {
  it('[TK17] is what its token says, in permissions too', () => {
    const key = '12345678901234567890';
    const signed = { reviewGroups: ['9007199254740993'], edit: true };
    const page = { reviewGroups: [Number('9007199254740993')], edit: true };
    const token = {
      document: { key, url: 'http://storage.test/1', permissions: signed },
      editorConfig: { mode: 'edit', user: { id: '9007199254740993' } },
    };
    const asked = { ...request, docid: String(Number(key)), permissions: page } as unknown as AuthRequest;
    expect(mergeClaims(asked, token)).toMatchObject({
      ok: true,
      request: { docid: key, permissions: signed, user: { id: '9007199254740993' } },
    });
    const other = { ...page, reviewGroups: [Number('9007199254740999')] };
    expect(mergeClaims({ ...asked, permissions: other } as unknown as AuthRequest, token).ok).toBe(false);
  });
});

/** What a token does with one member changed. */
function merged(path: string, value: unknown, asked: Partial<AuthRequest> = {}) {
  const token: Record<string, unknown> = JSON.parse(JSON.stringify(claims('docx', 'Plan.docx', 'de')));
  const names = path.split('.');
  let at = token;
  for (const name of names.slice(0, -1)) {
    at[name] ??= {};
    at = at[name] as Record<string, unknown>;
  }
  at[names.at(-1)!] = value;
  const result = mergeClaims({ ...request, permissions: { edit: true }, ...asked }, token);
  return result.ok ? result.request : `${result.code} ${result.description}`;
}

const anAddress = 'http://storage.test/callback';
/** What is no text and no number. */
const odd = [true, {}, { a: 1 }, [], ['x']];
const none = [null, '', false];

describe('a member of a token of an odd type', () => {
  it.each<[path: string, asked: Partial<AuthRequest>]>([
    ['document.key', {}],
    ['document.url', {}],
    ['editorConfig.callbackUrl', { documentCallbackUrl: anAddress }],
  ])(
    '[AT27] %s is read as number, and refused by name where it is missing or cannot be read',
    (path, asked) => {
      expect(merged(path, 42, asked)).toMatchObject(
        { 'document.key': { docid: '42' }, 'document.url': { openCmd: { url: '42' } } }[path] ?? {
          documentCallbackUrl: '42',
        },
      );
      for (const value of odd)
        expect(merged(path, value, asked)).toBe(`4006 token:${path} cannot be read in it`);
      for (const value of none)
        expect(merged(path, value, asked)).toBe(`4006 token:${path} is missing in it`);
    },
  );

  it('[AT27] who cannot be read is nobody that the page names, and who is left out is', () => {
    const asked = { user: { id: 'mallory' } } as Partial<AuthRequest>;
    expect(merged('editorConfig.user.id', 7, asked)).toMatchObject({ user: { id: '7' } });
    for (const value of odd) {
      expect(merged('editorConfig.user.id', value, asked)).toBe(
        '4006 token:editorConfig.user.id cannot be read in it',
      );
    }
    for (const value of ['ann', 7, ['ann']]) {
      expect(merged('editorConfig.user', value, asked)).toBe(
        '4006 token:editorConfig.user cannot be read in it',
      );
    }
    for (const value of [...none, {}, []]) {
      expect(merged('editorConfig.user', value, asked)).toMatchObject({ user: { id: 'mallory' } });
    }
  });

  it.each<[path: string, read: (given: AuthRequest) => unknown]>([
    ['document.title', ({ openCmd }) => openCmd?.title],
    ['document.fileType', ({ openCmd }) => openCmd?.format],
    ['editorConfig.lang', ({ lang }) => lang],
    ['editorConfig.coEditing', ({ coEditingMode }) => coEditingMode],
    ['editorConfig.coEditing.mode', ({ coEditingMode }) => coEditingMode],
    ['editorConfig.user.name', ({ user }) => user?.username],
    ['editorConfig.user.group', ({ user }) => user?.username],
    ['editorConfig.quireStoreWithinS', ({ quireStoreWithinS }) => quireStoreWithinS],
  ])('[AT27] %s says nothing where it cannot be read', (path, read) => {
    const asked = { coEditingMode: 'strict', user: { username: 'Ann' } } as Partial<AuthRequest>;
    const without = merged(path, undefined, asked);
    if (typeof without === 'string') throw new Error(without);
    for (const value of odd) {
      const request = merged(path, value, asked);
      expect(typeof request === 'string' ? request : read(request)).toEqual(read(without));
    }
  });

  it.each([
    ['editorConfig.coEditing.change', 'true', { coEditingMode: 'fast' }],
    ['editorConfig.coEditing.change', 1, { coEditingMode: 'fast' }],
    ['editorConfig.quireStoreWithinS', '20', { quireStoreWithinS: 20 }],
    ['editorConfig.user.index', '3', { user: { indexUser: 3 } }],
    ['document.ds_encrypted', 1, { encrypted: true }],
    ['document.title', 2026, { openCmd: { title: '2026' } }],
  ])('[AT27] %s may be %j', (path, value, read) => {
    expect(merged(path, value)).toMatchObject(read);
  });

  it('[AT25] a list or an object is a mode for viewing, and true one for editing', () => {
    for (const mode of [{}, [], ['edit'], { mode: 'edit' }]) {
      expect(merged('editorConfig.mode', mode)).toMatchObject({ mode: 'view' });
    }
    expect(merged('editorConfig.mode', true)).toMatchObject({ mode: 'edit' });
    for (const mode of none) {
      expect(merged('editorConfig.mode', mode)).toBe('4006 token:editorConfig.mode is missing in it');
    }
  });

  it('[AT7] what is empty at the top of a token is not what it was made for', () => {
    for (const name of ['url', 'payload', 'key']) {
      for (const value of none) expect(merged(name, value)).toMatchObject({ docid: 'k' });
      for (const value of odd) expect(merged(name, value)).toMatch(/^4004 /);
    }
  });

  it('[AT27] a number names the document of a token, also where its file is asked for', () => {
    const document = { key: 42, url: 'http://storage.test/1', fileType: 'docx' };
    expect(namedDocument({ document })).toMatchObject({ key: '42' });
    expect(namedDocument(document)).toMatchObject({ key: '42' });
    expect(namesUser({ editorConfig: { user: { name: {} } } })).toBe(false);
  });
});
