import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type CommandName, commandParameters } from '../../services/integration/command-parameters.ts';
import { type BadRequest, badRequests, type RequestSchema, signJwt } from '../support/bad-requests.ts';
import type { RawClient } from '../support/raw-client.ts';
import { RawClient as Client } from '../support/raw-client.ts';
import { save } from '../support/saving.ts';
import { Scene, sceneSecret } from '../support/scene.ts';

/** A server with a document that is being edited and has a change, which no bad request may touch. */
interface Victim {
  scene: Scene;
  secret: string | null;
  key: string;
  ann: RawClient;
}

let demanding: Victim;
let trusting: Victim;

async function victimOf(tokens: boolean): Promise<Victim> {
  // Without a converter a server says after a minute that something is wrong.
  const scene = await Scene.open({ tokens, environment: { CONVERTER_PROCESSES: '1' } });
  const key = scene.newKey();
  const claims = {
    document: { key, url: `${scene.integrator.address}/files/document.docx`, permissions: { edit: true } },
    editorConfig: { callbackUrl: scene.integrator.callbackUrl(key), mode: 'edit', user: { id: 'ann' } },
  };
  const token = signJwt(claims, sceneSecret);
  const ann = scene.keep(await Client.open(scene.quire.address, key));
  await ann.join(tokens ? { token } : {});
  const jwtOpen = tokens ? token : '';
  ann.send(scene.authMessage(key, 'ann', { jwtOpen, supportAuthChangesAck: false }));
  await ann.next('auth');
  await ann.next('documentOpen');
  await save(ann, ['1;a']);
  await scene.integrator.waitForCallback(key);
  return { scene, secret: tokens ? sceneSecret : null, key, ann };
}

beforeAll(async () => {
  [demanding, trusting] = await Promise.all([victimOf(true), victimOf(false)]);
});
afterAll(() => Promise.all([demanding?.scene.close(), trusting?.scene.close()]));

/** Everything the server has stored. */
async function stateOf({ scene }: Victim): Promise<unknown> {
  const tables = ['documents', 'openings', 'batches', 'saves', 'forgotten', 'media'];
  const contents = tables.map(
    (table) => `(SELECT md5(string_agg(t::text, ',' ORDER BY t::text)) FROM ${table} AS t) AS ${table}`,
  );
  const { rows } = await scene.database.pool.query(`SELECT ${contents.join(', ')}`);
  return { ...rows[0], callbacks: scene.integrator.callbacks.length };
}

let before: unknown[];
beforeEach(async () => {
  before = await Promise.all([demanding, trusting].map(stateOf));
});
/** The server lives on, has changed nothing, told nobody anything, and reports no error. */
afterEach(async () => {
  expect(await Promise.all([demanding, trusting].map(stateOf))).toEqual(before);
  for (const { scene, ann } of [demanding, trusting]) {
    expect(await (await fetch(`${scene.quire.address}/healthcheck`)).text()).toBe('true');
    expect(scene.quire.errorText()).toBe('');
    await ann.settled();
    expect(['drop', 'meta', 'warning'].flatMap((type) => ann.unreadOf(type as 'drop'))).toEqual([]);
  }
});

/** A number is a key as well, of no document here. */
const key = (good: string) => ({ good, required: true, accepts: [], maxCharacters: 240 }) as const;
const anything = {
  good: 'x',
  required: false,
  accepts: ['text', 'number', 'boolean', 'null', 'list', 'object'],
} as const;

/** Every parameter of every command. What samples of a text may mean is left to other tests. */
const schemas = (document: string): Record<CommandName, RequestSchema> => ({
  version: {},
  license: {},
  getForgottenList: {},
  info: {
    key: key(document),
    userdata: anything,
    callback: { good: 'http://storage.test/', required: false, accepts: ['null'] },
  },
  forcesave: { key: key(document), userdata: anything },
  drop: {
    key: key(document),
    users: { good: ['nobody'], required: false, accepts: ['null', 'list', 'text'] },
  },
  meta: { key: key(document), meta: { good: { title: 'New.docx' }, required: true, accepts: [] } },
  saved: {
    key: key(document),
    status: { good: '0', required: true, accepts: ['text', 'number'] },
    conv: anything,
  },
  getForgotten: { key: key(document) },
  deleteForgotten: { key: key(document) },
});

/** Wrong keys that are texts are of no document, or none at all: the same number. */
const numberOf: Readonly<Record<string, number>> = {
  key: 1,
  meta: 5,
  callback: 2,
  users: 2,
  status: 2,
  c: 5,
};
const unsignedNumber: Readonly<Record<string, number>> = {
  unsigned: 6,
  'signed with another secret': 6,
  'not yet valid': 6,
  expired: 7,
  'of another use': 5,
};

/** The answer that is documented: an HTTP status and, with 200, the number of the error. */
function documented({ fault, body }: BadRequest, { secret }: Victim): [status: number, error: number | null] {
  if ('member' in fault) return [200, numberOf[fault.member]!];
  if (fault.kind !== 'malformed') return [200, unsignedNumber[fault.kind]!];
  if (body === '') return [200, secret === null ? 5 : 6];
  try {
    JSON.parse(body);
    return [200, secret === null ? 2 : 6];
  } catch {
    return [400, null];
  }
}

async function send({ scene }: Victim, request: BadRequest, path: string) {
  const { headers, body } = request;
  return fetch(scene.quire.address + path, { method: 'POST', headers, body });
}

describe('bad requests', () => {
  const paths = fc.constantFrom('/command', '/coauthoring/CommandService.ashx', '/9.3.0-abc/command');

  it.each(Object.keys(commandParameters) as CommandName[])(
    '[RA7] %s: whatever is wrong with a parameter or a token, the answer is its documented error',
    async (name) => {
      for (const victim of [demanding, trusting]) {
        const c = { good: name, required: true, accepts: [], maxCharacters: 64 } as const;
        const schema = { c, ...schemas(victim.key)[name] };
        await fc.assert(
          fc.asyncProperty(badRequests({ schema, secret: victim.secret }), paths, async (request, path) => {
            const response = await send(victim, request, path);
            const [status, error] = documented(request, victim);
            expect(response.status).toBe(status);
            expect(response.headers.get('content-type')).toContain('application/json');
            const answer = (await response.json()) as Record<string, unknown>;
            const { key: echoed, ...rest } = answer;
            expect(rest).toEqual({ error: error ?? expect.any(String) });
            const hasItsKey = 'key' in schema && 'member' in request.fault && request.fault.member !== 'key';
            if (hasItsKey) expect(echoed).toBe(victim.key);
          }),
          { numRuns: 40 },
        );
      }
    },
  );

  it('[RA7] the schema of this test has every parameter of every command, and no other', () => {
    for (const [name, schema] of Object.entries(schemas('k'))) {
      const { shape } = commandParameters[name as CommandName];
      expect([name, Object.keys(schema).sort()]).toEqual([name, Object.keys(shape).sort()]);
    }
  });

  it('[RA7] a command that is too large has status 413', async () => {
    for (const victim of [demanding, trusting]) {
      const body = JSON.stringify({ c: 'version', padding: 'x'.repeat(1_100_000) });
      const response = await send(victim, { fault: { kind: 'malformed' }, headers: {}, body }, '/command');
      expect(response.status).toBe(413);
    }
  });

  it('[RA8] addresses of documents take no other token than that of a session with this very document', async () => {
    const { scene, key: document } = demanding;
    const nowS = Math.floor(Date.now() / 1000);
    const session = {
      document: { key: document, permissions: { edit: true } },
      editorConfig: { user: { id: 'ann', index: 1 }, ds_sessionTimeConnect: 1 },
    };
    const tokens = [
      '',
      'x',
      'a.b.c',
      signJwt(session, sceneSecret),
      signJwt(session, 'another secret that is long enough'),
      signJwt({ ...session, exp: nowS - 100 }, sceneSecret),
      signJwt({ c: 'info', key: document }, sceneSecret),
    ];
    const cmd = encodeURIComponent(JSON.stringify({ c: 'save', outputformat: 65 }));
    const routes = [
      ['POST', `/upload/{key}`],
      ['POST', `/upload/{key}/more/segments`],
      ['POST', `/savefile/{key}?cmd=${cmd}`],
      ['POST', `/downloadas/{key}?cmd=${cmd}`],
      ['GET', `/printfile/{key}/a.pdf`],
      ['POST', `/downloadfile/{key}`],
      ['GET', `/downloadfile/{key}`],
    ] as const;
    const keys = [document, 'nowhere', 'a%2Fb', '%ZZ', 'x'.repeat(241), '%00', 'k%20'];
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...routes),
        fc.constantFrom(...keys),
        fc.constantFrom(undefined, ...tokens),
        fc.constantFrom('header', 'query'),
        async ([method, route], at, token, place) => {
          const url = scene.quire.address + route.replace('{key}', at);
          const inQuery = token !== undefined && place === 'query';
          const query = inQuery ? `${url.includes('?') ? '&' : '?'}token=${encodeURIComponent(token)}` : '';
          const headers =
            token !== undefined && place === 'header' ? { authorization: `Bearer ${token}` } : undefined;
          const response = await fetch(url + query, { method, headers });
          expect([route, at, token, response.status]).toEqual([route, at, token, 403]);
        },
      ),
      { numRuns: 300 },
    );
  });

  it('[RA9] no request makes the server fail, whatever its method, path, query, headers and body', async () => {
    const word = fc.oneof(
      fc.constantFrom(
        'command',
        'converter',
        'doc',
        'c',
        'cache',
        'files',
        'meta',
        'hosting',
        'wopi',
        'internal',
      ),
      fc.constantFrom(
        '9.3.0-x',
        '..',
        '.',
        '%2e%2e',
        '%00',
        '%ff',
        '%',
        'upload',
        'downloadas',
        'ws',
        '__proto__',
      ),
      fc.string({ maxLength: 20 }).map(encodeURIComponent),
    );
    const path = fc.array(word, { maxLength: 6 }).map((words) => `/${words.join('/')}`);
    const query = fc.dictionary(
      fc.constantFrom(
        'token',
        'cmd',
        'c',
        'key',
        'md5',
        'expires',
        'shardkey',
        'WOPISrc',
        'EIO',
        'transport',
        '__proto__',
      ),
      fc.oneof(fc.string(), fc.json()),
      { maxKeys: 4 },
    );
    const method = fc.constantFrom('GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'HEAD');
    const header = fc.dictionary(
      fc.constantFrom(
        'authorization',
        'content-type',
        'content-encoding',
        'range',
        'x-forwarded-host',
        'x-forwarded-for',
        'x-forwarded-prefix',
        'if-none-match',
        'accept',
      ),
      fc.string({ unit: fc.constantFrom(...'abc/=-,;:*0123 "'), maxLength: 40 }).map((text) => text.trim()),
      { maxKeys: 4 },
    );
    for (const { scene } of [demanding, trusting]) {
      await fc.assert(
        fc.asyncProperty(
          path,
          query,
          method,
          header,
          fc.oneof(fc.string(), fc.json()),
          async (at, asked, verb, headers, text) => {
            const search = new URLSearchParams(Object.entries(asked));
            const body = verb === 'GET' || verb === 'HEAD' ? undefined : text;
            const response = await fetch(`${scene.quire.address}${at}?${search}`, {
              method: verb,
              headers,
              body,
              redirect: 'manual',
            });
            expect(response.status).toBeLessThan(500);
            await response.arrayBuffer();
          },
        ),
        { numRuns: 200 },
      );
    }
  });
});
