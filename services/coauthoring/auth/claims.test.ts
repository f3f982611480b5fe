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
});
