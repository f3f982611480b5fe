import type { Request } from 'express';
import { beforeEach, describe, expect, it } from 'vitest';
import { loadConfig } from '../../platform/config.ts';
import { Tokens } from '../../platform/secrets/tokens.ts';
import type { AddressRights, Need } from '../http/address-rights.ts';
import { type SessionNeeds, sessionTokens } from './session-standing.ts';

const secret = 'a secret that is long enough for tests';
const tokens = new Tokens(
  { inbox: secret, previousInbox: undefined, outbox: secret, session: 'another secret of the server' },
  loadConfig({}),
);

/** What the server knows. */
let state: { dropped: boolean; row: object | null; options: object | null; present: object[] };
beforeEach(() => {
  const ann = { userIndex: 3, sessionTimeConnectMs: 17, sessionId: 'secret', connectionId: 'c1' };
  state = {
    dropped: false,
    row: { state: 'open', model: 'word', openingOptions: null },
    options: {},
    present: [ann],
  };
});

const judge = sessionTokens({
  tokens,
  droppedUsers: { keepsOut: async () => state.dropped },
  documents: { find: async () => state.row },
  registry: { find: () => undefined, participantsIn: async () => state.present },
  sealing: { open: () => JSON.stringify(state.options) },
} as unknown as SessionNeeds);

interface Asked {
  needs?: readonly Need[];
  config?: object;
  permissions?: object;
  key?: string;
  query?: Record<string, string>;
  hasCommand?: true;
}

/** What somebody gets: `in`, or the status and the reason. */
async function ask({ needs = [], config, permissions, key = 'k', query, hasCommand }: Asked) {
  const token = await tokens.signSession({
    document: { key: 'k', ...(permissions && { permissions }) },
    editorConfig: {
      ...{ mode: 'edit', user: { id: 'ann', name: 'Ann', index: 3 }, ds_sessionTimeConnect: 17 },
      ...config,
    },
  });
  const request = { params: { key }, headers: {}, query: { token, ...query } } as unknown as Request;
  const rights: AddressRights = {
    shows: 'session token',
    callers: 'any',
    needs,
    ...(hasCommand && { hasCommand }),
  };
  const verdict = await judge(request, rights);
  if ('found' in verdict) return 'in';
  const said: unknown[] = [];
  const response = {
    status: (status: number) => {
      said.push(status);
      return response;
    },
    json: ({ error }: { error: string }) => void said.push(error),
  };
  verdict.refuse(response as never);
  return said.join(' ');
}

describe('session tokens at addresses of documents', () => {
  it('[AT23] open the address of their own document, from the header, the query or the command', async () => {
    expect(await ask({})).toBe('in');
    expect(await ask({ key: 'other' })).toBe('403 not allowed');
    expect(await ask({ query: { token: 'x' } })).toBe('403 not allowed');
    expect(await ask({ query: { cmd: '[' } })).toBe('in');
    expect(await ask({ query: { cmd: '[' }, hasCommand: true })).toBe('400 cmd is not a JSON object');
  });

  it('[AT23] are good for what the row needs, as the token and the server say it', async () => {
    const inView = { config: { mode: 'view' } };
    const noDownload = { permissions: { download: false, print: true } };
    const shownPdf = { cmd: JSON.stringify({ inline: true, outputformat: 'pdf' }) };
    const cases: [Asked, string][] = [
      [{ needs: ['mayEdit'] }, 'in'],
      [{ needs: ['mayEdit'], ...inView }, '403 not allowed'],
      [{ needs: ['mayEdit'], config: { ds_isCloseCoAuthoring: true } }, '403 not allowed'],
      [{ needs: ['mayAddPictures'], permissions: { edit: false, review: true } }, 'in'],
      [{ needs: ['mayAddPictures'], permissions: { edit: false, comment: true } }, '403 not allowed'],
      [{ needs: ['mayDownload'], ...inView }, 'in'],
      [{ needs: ['mayDownload'], ...noDownload }, '403 not allowed'],
      [{ needs: ['mayDownload'], ...noDownload, query: shownPdf, hasCommand: true }, 'in'],
      [{ needs: ['mayDownload'], ...noDownload, query: shownPdf }, '403 not allowed'],
      [{ needs: ['isConnected'] }, 'in'],
      [{ needs: ['isConnected'], config: { ds_sessionTimeConnect: 18 } }, '403 not allowed'],
      [{ needs: ['isOpen', 'seesContent', 'isNotDropped'] }, 'in'],
    ];
    for (const [asked, answer] of cases) expect([asked, await ask(asked)]).toEqual([asked, answer]);
  });

  it('[AT23] are good for nothing of a document that is closed, protected, or was left by a drop', async () => {
    state.dropped = true;
    expect(await ask({ needs: ['isNotDropped'] })).toBe('403 not allowed');
    state.row = { state: 'closing', model: 'word', openingOptions: null };
    expect(await ask({ needs: ['isOpen'] })).toBe('403 the document is not open');
    state.row = null;
    expect(await ask({ needs: ['seesContent'] })).toBe('403 the document is not open');
    state.row = { state: 'open', model: 'word', openingOptions: 'sealed' };
    state.options = { password: 'x' };
    expect(await ask({ needs: ['seesContent'] })).toBe('403 the document is not open');
    expect(await ask({ needs: ['seesContent'], config: { ds_isEnterCorrectPassword: true } })).toBe('in');
  });
});
