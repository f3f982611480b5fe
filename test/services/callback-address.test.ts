import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseWordDocument } from '../../model/word/document.ts';
import { freePort } from '../support/free-port.ts';
import type { ReceivedCallback } from '../support/integrator.ts';
import { RawClient, type RawClientOptions } from '../support/raw-client.ts';
import { save } from '../support/saving.ts';
import { Scene, type SharedScene } from '../support/scene.ts';
import { append, wordEditor } from '../support/word-editor.ts';

const isFinal = ({ status }: ReceivedCallback) => status === 2;
/** What somebody sends who wants the integrator to ask elsewhere. */
const elsewhere: RawClientOptions = {
  headers: {
    host: 'evil.test',
    'x-forwarded-host': 'evil.test',
    'x-forwarded-proto': 'https',
    'x-forwarded-prefix': '/evil',
  },
  query: '&WOPISrc=https%3A%2F%2Fevil.test&usid=evil',
};

async function person(
  scene: SharedScene,
  at: string,
  key: string,
  user: string,
  mode: 'edit' | 'view',
  options: RawClientOptions,
) {
  const permissions = { edit: mode === 'edit' };
  const token = await scene.sign({
    document: {
      key,
      url: `${scene.integrator.address}/files/document.docx`,
      fileType: 'docx',
      title: 'document.docx',
      permissions,
    },
    editorConfig: { callbackUrl: scene.integrator.callbackUrl(key), mode, user: { id: user, name: user } },
  });
  const client = scene.keep(await RawClient.connect(at, key, { ...options, handshake: { token } }));
  const changes = { supportAuthChangesAck: false, mode, permissions, jwtOpen: token };
  client.send(scene.authMessage(key, user, { ...changes, ...wordEditor(scene, key) }));
  const auth = await client.next('auth');
  const opened = await client.next('documentOpen');
  return { client, auth, files: opened.data.data as Record<string, string> };
}

/** An editor writes and leaves, after everybody has come. */
async function finish(
  scene: SharedScene,
  at: string,
  key: string,
  { client, files }: Awaited<ReturnType<typeof person>>,
) {
  const link = at + files['Editor.bin']!.slice(files['Editor.bin']!.indexOf('/cache/files/'));
  const { doc } = parseWordDocument(await (await fetch(link)).json());
  await save(client, [append('a', doc, 0, '!').change]);
  await client.leave();
  return scene.integrator.waitForCallback(key, isFinal);
}

const recorded = async (scene: SharedScene, key: string) => {
  const { rows } = await scene.database.pool.query<{ base_url: string; routing: object | null }>(
    'SELECT base_url, routing FROM documents WHERE key = $1',
    [key],
  );
  return rows[0];
};

describe('without PUBLIC_URL', () => {
  let scene: SharedScene;
  beforeAll(async () => {
    scene = await Scene.openShared({ tokens: true });
  });
  afterAll(() => scene?.close());

  it('[BU6] who only looks does not choose the address that the integrator is told, before the editor or after', async () => {
    const key = scene.newKey();
    const before = await person(scene, scene.quire.address, key, 'vic', 'view', elsewhere);
    expect(await recorded(scene, key)).toEqual({ base_url: '', routing: null });
    // The own links of whoever asks follow the own request.
    expect(before.files['Editor.bin']).toMatch(/^https:\/\/evil\.test\/evil\/cache\/files\//);
    const ann = await person(scene, scene.quire.address, key, 'ann', 'edit', { query: '&usid=ann' });
    await person(scene, scene.quire.address, key, 'vera', 'view', elsewhere);
    const { body, url } = await finish(scene, scene.quire.address, key, ann);
    for (const link of [body.url, body.changesurl]) {
      expect(String(link)).toMatch(new RegExp(`^${scene.quire.address}/cache/files/`));
      expect(new URL(String(link)).searchParams.get('usid')).toBe('ann');
      expect((await fetch(String(link))).status).toBe(200);
    }
    expect(url.href).not.toContain('evil');
  });
});

describe('with PUBLIC_URL', () => {
  let scene: Scene;
  const publicUrl = 'https://docs.example.com/office';
  let at: string;
  beforeAll(async () => {
    const port = await freePort();
    at = `http://127.0.0.1:${port}`;
    scene = await Scene.open({
      tokens: true,
      environment: { CONVERTER_PROCESSES: '1', PUBLIC_URL: `${publicUrl}/`, PORT: String(port) },
    });
  });
  afterAll(() => scene?.close());

  it('[BU7] the address is that one whoever asks, also for what was recorded before it was set', async () => {
    const key = scene.newKey();
    const ann = await person(scene, at, key, 'ann', 'edit', elsewhere);
    expect(ann.files['Editor.bin']).toMatch(/^https:\/\/docs\.example\.com\/office\/cache\/files\//);
    expect((await recorded(scene, key))?.base_url).toBe(publicUrl);
    await scene.database.pool.query(`UPDATE documents SET base_url = 'https://evil.test' WHERE key = $1`, [
      key,
    ]);
    const { body } = await finish(scene, at, key, ann);
    for (const link of [body.url, body.changesurl]) {
      expect(String(link)).toMatch(/^https:\/\/docs\.example\.com\/office\/cache\/files\//);
    }
  });
});
