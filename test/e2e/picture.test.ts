import { unzipSync } from 'fflate';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildDocx, PIXEL_PNG } from '../support/docx-fixture.ts';
import { paragraphWith } from '../support/e2e-text.ts';
import { EndToEndWorld } from '../support/e2e-world.ts';
import { newName } from '../support/new-name.ts';

let world: EndToEndWorld;
beforeAll(async () => {
  world = await EndToEndWorld.open();
});
afterAll(() => world?.close());

const upload = (key: string, token: string | undefined, body: Uint8Array) =>
  fetch(`${world.quire.address}/upload/${key}`, {
    method: 'POST',
    headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
    body: Buffer.from(body),
  });

const join = async (key: string, user: string, mode: 'edit' | 'view' = 'edit') => {
  const sourceUrl = world.integrator.serve('pictures.docx', {
    bytes: buildDocx({ paragraphs: ['A picture: '] }),
  });
  return world.join({ key, user, mode, sourceUrl });
};

describe('pictures', () => {
  it('[UP1] a picture that an editor uploads is shown to others by link and is in the assembled file', async () => {
    const key = newName('picture');
    const ann = await join(key, 'ann');
    const answer = await upload(key, ann.client.authReply?.jwt, PIXEL_PNG);
    expect(answer.status).toBe(200);
    const [[path, link]] = Object.entries((await answer.json()) as Record<string, string>) as [
      [string, string],
    ];
    expect(path).toMatch(/^media\/[0-9a-f]+\.png$/);
    const shown = new Uint8Array(await (await fetch(link)).arrayBuffer());
    expect(Buffer.compare(shown, PIXEL_PNG)).toBe(0);

    const { schema, tr, doc } = ann.state;
    const picture = schema.nodes.image!.create({ src: path, width: 914_400, height: 914_400, alt: 'A dot' });
    ann.dispatch(tr.insert(paragraphWith(doc, 'A picture').end, picture));
    await ann.saved();
    await ann.close();

    const { body } = await world.integrator.waitForCallback(key, ({ status }) => status === 2);
    const files = unzipSync(new Uint8Array(await (await fetch(String(body.url))).arrayBuffer()));
    const added = Object.keys(files).filter((name) => name.startsWith('word/media/'));
    expect(added).toHaveLength(1);
    expect(Buffer.compare(files[added[0]!]!, PIXEL_PNG)).toBe(0);
    expect(Buffer.from(files['word/document.xml']!).toString()).toContain('descr="A dot"');
  });

  it('[UP2] only an editor of the open document may upload, and only pictures', async () => {
    const key = newName('refused');
    const ann = await join(key, 'ann');
    const vera = await join(key, 'vera', 'view');
    const token = ann.client.authReply?.jwt;
    expect((await upload(key, undefined, PIXEL_PNG)).status).toBe(403);
    expect((await upload(key, vera.client.authReply?.jwt, PIXEL_PNG)).status).toBe(403);
    expect((await upload(newName('another'), token, PIXEL_PNG)).status).toBe(403);
    expect((await upload(key, token, Buffer.from('<svg onload="alert(1)"/>'))).status).toBe(415);
    expect((await upload(key, token, Buffer.alloc(26_214_401, 0x89))).status).toBe(413);
  });
});
