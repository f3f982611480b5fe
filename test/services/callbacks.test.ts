import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseWordDocument } from '../../model/word/document.ts';
import { signJwt } from '../support/bad-requests.ts';
import { eventually } from '../support/eventually.ts';
import { accepted, type ReceivedCallback } from '../support/integrator.ts';
import { RawClient } from '../support/raw-client.ts';
import { save } from '../support/saving.ts';
import { Scene, sceneSecret } from '../support/scene.ts';
import { append, fetchFile, paragraphsOf, wordEditor } from '../support/word-editor.ts';

const outboxSecret = 'what the server signs with, long enough for every algorithm';
const previousSecret = 'what integrators signed with before, long enough as well';

let scene: Scene;

beforeAll(async () => {
  scene = await Scene.open({
    tokens: true,
    environment: {
      CONVERTER_PROCESSES: '1',
      JWT_SECRET_OUTBOX: outboxSecret,
      JWT_SECRET_PREVIOUS: previousSecret,
      JWT_HEADER_INBOX: 'AuthorizationJwt',
      JWT_HEADER_OUTBOX: 'X-From-Docs',
      JWT_PREFIX_OUTBOX: 'none',
      CALLBACK_RETRY_FOR_MS: '20000',
    },
  });
});
afterAll(() => scene?.close());

/** The claims of a token of the server; throws when it is not signed with its secret for outgoing tokens. */
function claimsOf(token: unknown): Record<string, unknown> {
  const [header, payload, signature] = String(token).split('.');
  const expected = createHmac('sha256', outboxSecret).update(`${header}.${payload}`).digest('base64url');
  expect(signature).toBe(expected);
  return JSON.parse(Buffer.from(payload!, 'base64url').toString()) as Record<string, unknown>;
}

async function open(key: string, secret = sceneSecret) {
  const { openCmd } = wordEditor(scene, key) as { openCmd: { url: string } };
  const claims = {
    document: { key, url: openCmd.url, fileType: 'docx', title: 'base.docx', permissions: { edit: true } },
    editorConfig: {
      callbackUrl: scene.integrator.callbackUrl(key),
      mode: 'edit',
      user: { id: 'ann', name: 'Ann' },
    },
  };
  const token = signJwt(claims, secret);
  const client = scene.keep(await RawClient.open(scene.quire.address, key));
  await client.join({ token });
  client.send(scene.authMessage(key, 'ann', { openCmd, jwtOpen: token, supportAuthChangesAck: false }));
  await client.next('auth');
  const { data } = await client.next('documentOpen');
  const files = data.data as Record<string, string>;
  const { doc } = parseWordDocument(await (await fetch(files['Editor.bin']!)).json());
  return { client, doc };
}

/** Posts with a token in the header that this server was told integrators use. */
async function post(path: string, parameters: Record<string, unknown>): Promise<Record<string, unknown>> {
  const response = await fetch(scene.quire.address + path, {
    method: 'POST',
    headers: {
      AuthorizationJwt: `Bearer ${signJwt({ payload: parameters }, sceneSecret)}`,
      accept: 'application/json',
    },
    body: JSON.stringify(parameters),
  });
  return (await response.json()) as Record<string, unknown>;
}

describe('callbacks of a server whose directions have secrets and headers of their own', () => {
  it('[RA18] carry the outgoing token in header and body', async () => {
    const key = scene.newKey();
    const { client, doc } = await open(key);
    const first = await scene.integrator.waitForCallback(key);
    await save(client, [append('a', doc, 0, '!').change]);
    await client.leave();
    const last = await scene.integrator.waitForCallback(key, ({ status }) => status === 2);
    for (const { body, headers } of [first, last]) {
      const { token, ...plain } = body;
      expect(headers.authorization).toBeUndefined();
      expect(claimsOf(headers['x-from-docs'])).toMatchObject({ payload: plain });
      expect(claimsOf(token)).toMatchObject(plain);
    }
  });

  it('[RA18] the secret before opens documents and gives commands while it is replaced, and no other does', async () => {
    const key = scene.newKey();
    const { client } = await open(key, previousSecret);
    const command = (secret: string) => scene.command({ token: signJwt({ c: 'info', key }, secret) });
    expect(await command(previousSecret)).toMatchObject({ error: 0 });
    expect(await command(sceneSecret)).toMatchObject({ error: 0 });
    expect(await command(outboxSecret)).toEqual({ error: 6 });
    await client.leave();
  });

  it('[RA19] while a callback is under way the integrator may save, fetch and convert, as its examples do', async () => {
    const key = scene.newKey();
    const done: Record<string, unknown> = {};
    scene.integrator.answer(key, async ({ status, body }: ReceivedCallback) => {
      if (status === 1) done.forcesave = (await post('/command', { c: 'forcesave', key })).error;
      if (status === 2) {
        done.text = paragraphsOf(await fetchFile(body.url));
        done.changes = (await fetchFile(body.changesurl)).byteLength > 0;
        const converted = await post('/converter', {
          async: false,
          filetype: 'docx',
          outputtype: 'docx',
          key: `${key}-copy`,
          url: body.url,
        });
        done.converted = paragraphsOf(await fetchFile(converted.fileUrl));
        done.info = (await post('/command', { c: 'info', key })).error;
        done.drop = (await post('/command', { c: 'drop', key, users: ['ann'] })).error;
        done.meta = (await post('/command', { c: 'meta', key, meta: { title: 'x.docx' } })).error;
      }
      return accepted;
    });
    const { client, doc } = await open(key);
    await save(client, [append('a', doc, 0, ' by Ann').change]);
    await client.leave();
    await eventually(() =>
      expect(done).toEqual({
        forcesave: expect.any(Number),
        text: ['First by Ann', 'Second'],
        changes: true,
        converted: ['First by Ann', 'Second'],
        info: 0,
        drop: 0,
        meta: 0,
      }),
    );
  });
});

describe('a server that sends no tokens', () => {
  it('[RA20] demands them all the same, and its callbacks and downloads carry none', async () => {
    const quiet = await Scene.open({ tokens: true, environment: { JWT_ENABLED_OUTBOX: 'false' } });
    try {
      const key = quiet.newKey();
      const url = quiet.integrator.serve('quiet.docx', { bytes: new Uint8Array() });
      const claims = {
        document: { key, url, fileType: 'docx', permissions: { edit: true } },
        editorConfig: { callbackUrl: quiet.integrator.callbackUrl(key), mode: 'edit', user: { id: 'ann' } },
      };
      const token = signJwt(claims, sceneSecret);
      const client = quiet.keep(await RawClient.open(quiet.quire.address, key));
      await client.join({ token });
      client.send(quiet.authMessage(key, 'ann', { jwtOpen: token, supportAuthChangesAck: false }));
      await client.next('auth');
      const { body, headers } = await quiet.integrator.waitForCallback(key);
      expect(body).toEqual({ key, status: 1, users: ['ann'], actions: [{ type: 1, userid: 'ann' }] });
      expect(headers.authorization).toBeUndefined();
      expect(await quiet.command({ c: 'info', key })).toEqual({ error: 6 });
    } finally {
      await quiet.close();
    }
  });

  it('[RA20] commands need none where incoming tokens are off, and documents do all the same', async () => {
    const open = await Scene.open({ tokens: true, environment: { JWT_ENABLED_INBOX: 'false' } });
    try {
      expect(await open.command({ c: 'version' })).toMatchObject({ error: 0 });
      const client = open.keep(await RawClient.open(open.quire.address, 'k'));
      client.sendFrame('40{}');
      expect(await client.packet((text) => text.startsWith('44'))).toContain('not authorized');
    } finally {
      await open.close();
    }
  });
});
