import { describe, expect, it } from 'vitest';
import type { AuthRequest } from '../../../client/protocol/index.ts';
import { mergeClaims } from './claims.ts';

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
