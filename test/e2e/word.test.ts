import { strFromU8, unzipSync } from 'fflate';
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DocumentHooks } from '../../client/options.ts';
import { openDocx } from '../../converter/engines/ooxml/docx/docx-engine.ts';
import { buildDocx, PIXEL_PNG } from '../support/docx-fixture.ts';
import { CuttableProxy } from '../support/e2e-proxy.ts';
import { inStep, paragraphWith, typeAfter } from '../support/e2e-text.ts';
import { EndToEndWorld } from '../support/e2e-world.ts';
import { eventually } from '../support/eventually.ts';
import { newName } from '../support/new-name.ts';
import { Scrape } from '../support/scrape.ts';

let world: EndToEndWorld;
beforeAll(async () => {
  world = await EndToEndWorld.open();
});
afterAll(() => world?.close());

const untouchedTable =
  '<w:tbl><w:tblPr/><w:tblGrid><w:gridCol w:w="4500"/></w:tblGrid><w:tr><w:tc><w:tcPr><w:tcW w:w="4500" w:type="dxa"/></w:tcPr>' +
  '<w:p w:rsidR="00A1B2C3"><w:r><w:t>Nobody touches this</w:t></w:r></w:p></w:tc></w:tr></w:tbl>';
const report = buildDocx({
  paragraphs: [{ text: 'Report', style: 'Heading1' }, 'Everybody writes here:', 'Lock me', 'Trees: '],
  body: `${untouchedTable}<w:p/>`,
  parts: { 'word/media/image1.png': PIXEL_PNG, 'customXml/item1.xml': '<kept  xmlns="urn:kept"/>' },
  contentTypes: { png: 'image/png' },
});

async function download(url: unknown): Promise<Uint8Array> {
  const response = await fetch(String(url));
  expect(response.status).toBe(200);
  return new Uint8Array(await response.arrayBuffer());
}

/** The numbers a source's opening ended with. */
async function openingErrorOf(name: string, bytes: Uint8Array) {
  const sourceUrl = world.integrator.serve(`${name}.docx`, { bytes });
  const opened = world.join({ key: newName(name), user: 'ann', sourceUrl });
  return opened.then(
    () => 'opened',
    ({ status, data }: { status: string; data: unknown }) => ({ status, data }),
  );
}

describe('a document edited together', () => {
  it('[E1] three people on three transports: conflict, lock, chat, a cut network, leaving, the callback', async () => {
    const key = newName('story');
    const sourceUrl = world.integrator.serve('story.docx', { bytes: report });
    const proxy = await CuttableProxy.to(world.quire.address);
    try {
      const visit = { key, sourceUrl, address: proxy.address };
      const ann = await world.join({ ...visit, user: 'ann', transport: 'websocket' });
      const bob = await world.join({ ...visit, user: 'bob', transport: 'polling' });
      const carol = await world.join({ ...visit, user: 'carol', transport: 'plain' });
      const all = [ann, bob, carol];
      await eventually(
        async () => all.map(({ client }) => client.participants.length),
        (counts) => counts.every((count) => count === 3),
      );

      const heard = carol.client.once('chat');
      ann.client.chat('I write the first word.');
      expect((await heard).at(-1)).toMatchObject({
        message: 'I write the first word.',
        useridoriginal: 'ann',
      });

      const locked = paragraphWith(ann.state.doc, 'Lock me').id;
      expect(await ann.client.acquire([locked])).toEqual({ granted: true });
      expect(await bob.client.acquire([locked])).toMatchObject({
        granted: false,
        holder: { user: ann.client.userId },
      });

      await Promise.all([
        typeAfter(ann, 'Everybody', ' Ann was here.'),
        typeAfter(bob, 'Everybody', ' BOB TOO.'),
        typeAfter(carol, 'Everybody', ' 1234567890'),
      ]);
      await inStep(...all);

      const typing = Promise.all([
        typeAfter(ann, 'Trees', 'abcdefghijklmnopqrstuvwxyz'.repeat(3)),
        typeAfter(bob, 'Trees', 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'.repeat(3)),
      ]);
      for (let cut = 0; cut < 3; cut += 1) {
        const { acknowledgedIndex } = carol.client.status;
        await eventually(
          async () => carol.client.status,
          (status) => status.connection === 'ready' && status.acknowledgedIndex > acknowledgedIndex,
        );
        proxy.cut();
      }
      await typing;
      await inStep(...all);
      const trees = paragraphWith(carol.state.doc, 'Trees').text.slice('Trees: '.length);
      expect(trees.replace(/[^a-z]/g, '')).toBe('abcdefghijklmnopqrstuvwxyz'.repeat(3));
      expect(trees.replace(/[^A-Z]/g, '')).toBe('ABCDEFGHIJKLMNOPQRSTUVWXYZ'.repeat(3));

      ann.client.queueSave({ releaseLocks: true });
      await ann.saved();
      await eventually(
        () => bob.client.acquire([locked]),
        ({ granted }) => granted,
      );

      const final = ann.state.doc;
      await ann.close();
      await bob.close();
      // Each comes by a way of its own: the last to go is who the server saw last.
      await eventually(
        async () => carol.client.participants.length,
        (count) => count === 1,
      );
      await carol.close();
      const callback = await world.integrator.waitForCallback(key, ({ status }) => status !== 1);
      expect(callback.body).toMatchObject({
        key,
        status: 2,
        filetype: 'docx',
        actions: [{ type: 0, userid: 'carol' }],
        notmodified: false,
        token: expect.any(String),
      });
      // The plain body lacks these where so many saves were made that the header would be too long (TK9).
      const { history, changesurl } = decodeJwt<{
        history: { changes: { user: { id: string } }[] };
        changesurl: string;
      }>(String(callback.body.token));
      expect(new Set(history.changes.map(({ user }) => user.id))).toEqual(new Set(['ann', 'bob', 'carol']));
      const assembled = await download(callback.body.url);
      expect(openDocx(assembled).doc.textContent).toBe(final.textContent);
      const [before, after] = [unzipSync(report), unzipSync(assembled)];
      expect(Object.keys(after)).toEqual(Object.keys(before));
      for (const [name, bytes] of Object.entries(before)) {
        if (name !== 'word/document.xml') expect(Buffer.compare(after[name]!, bytes), name).toBe(0);
      }
      expect(strFromU8(after['word/document.xml']!)).toContain(untouchedTable);
      const archive = unzipSync(await download(changesurl));
      const names = history.changes.map((_, index) => `changes${index}.json`);
      expect(Object.keys(archive).sort()).toEqual([...names, 'stamps.json'].sort());
    } finally {
      await proxy.close();
    }
  });

  it('[E2] two documents with the same content are opened with one conversion', async () => {
    const opened = async () =>
      (await Scrape.of(world.quire.address)).sum('quire_converter_job_seconds_count', { kind: 'open' });
    const names = [newName('twin'), newName('twin')];
    const shared = `Content that ${names.join(' and ')} share`;
    const bytes = buildDocx({ paragraphs: [shared] });
    const before = await opened();
    const twins = await Promise.all(
      names.map((key) =>
        world.join({ key, user: 'ann', sourceUrl: world.integrator.serve(`${key}.docx`, { bytes }) }),
      ),
    );
    for (const { state } of twins) expect(state.doc.textContent).toBe(shared);
    const { rows } = await world.database.pool.query<{ hash: string; opened: number }>(
      `SELECT source_hash AS hash, (SELECT count(*)::int FROM opened_sources o WHERE o.source_hash = d.source_hash) AS opened
       FROM documents d WHERE key = ANY($1)`,
      [names],
    );
    expect(rows).toHaveLength(2);
    expect(rows[0]).toEqual({ hash: rows[1]!.hash, opened: 1 });
    expect((await opened()) - before).toBe(1);
    for (const twin of twins) await twin.close();
  });

  it('[E3] a viewer sees edits as they are made and may make none', async () => {
    const key = newName('viewed');
    const sourceUrl = world.integrator.serve('viewed.docx', { bytes: report });
    const ann = await world.join({ key, user: 'ann', sourceUrl });
    await typeAfter(ann, 'Report', ' before');
    await ann.saved();
    const vera = await world.join({ key, user: 'vera', sourceUrl, mode: 'view', transport: 'polling' });
    expect(vera.client.status.readOnly).toBe(true);
    await typeAfter(ann, 'Report', ' and after');
    await inStep(ann, vera);
    expect(paragraphWith(vera.state.doc, 'Report').text).toBe('Report before and after');
    expect(() => vera.client.queueSave()).toThrow(/may not change/);
    await ann.close();
    // The viewer stays: the document is closed without it.
    const ended = vera.client.once('updateVersion');
    const callback = await world.integrator.waitForCallback(key, ({ status }) => status !== 1);
    expect(callback.body).toMatchObject({ status: 2, users: ['ann'] });
    expect(await ended).toMatchObject({ success: true });
    await vera.close();
  });

  it('[E4] without a callback address the result goes to forgotten storage and can be fetched from there', async () => {
    const key = newName('nowhere-to-go');
    const sourceUrl = world.integrator.serve('nowhere.docx', { bytes: report });
    const ann = await world.join({ key, user: 'ann', sourceUrl, callbackUrl: null });
    await typeAfter(ann, 'Report', ' that nobody asks for');
    await ann.close();
    const list = await eventually(
      () => world.command({ c: 'getForgottenList' }),
      ({ keys }) => (keys as string[]).includes(key),
    );
    expect(list).toMatchObject({ error: 0 });
    const { url } = await world.command({ c: 'getForgotten', key });
    const { doc } = openDocx(await download(url));
    expect(paragraphWith(doc, 'Report').text).toBe('Report that nobody asks for');
    expect(await world.command({ c: 'deleteForgotten', key })).toMatchObject({ error: 0 });
    expect(await world.command({ c: 'getForgotten', key })).toMatchObject({ error: 1 });
  });
});

describe('documents that are not edited as a model', () => {
  /** An editor of a kind that only it understands: its document is the list of its changes. */
  function opaqueEditor() {
    const log: string[] = [];
    const waiting: string[] = [];
    let base: Uint8Array | null = null;
    const hooks: DocumentHooks = {
      load: async (opened) => {
        base = await download(opened!.urls['Editor.bin']);
      },
      takeBatch: () => (waiting.length > 0 ? [...waiting] : null),
      applyRemote: (changes) => void log.push(...changes.map(({ change }) => change)),
      confirm: (_firstIndex, count) => void log.push(...waiting.splice(0, count)),
    };
    return { hooks, log, waiting, base: () => base! };
  }

  it('[E5] an editor that names no model gets the file itself; its log is kept, handed out and gone on with', async () => {
    const key = newName('opaque');
    const sourceUrl = world.integrator.serve('opaque.docx', { bytes: report });
    const first = opaqueEditor();
    const ann = await world.joinOpaque({ key, user: 'ann', sourceUrl }, first.hooks);
    expect(Buffer.compare(first.base(), report)).toBe(0);
    first.waiting.push('84;first', '12;sec"ond');
    ann.queueSave();
    await ann.saved();
    await ann.close();
    const callback = await world.integrator.waitForCallback(key, ({ status }) => status !== 1);
    expect(callback.body).toMatchObject({ key, status: 3, users: ['ann'] });
    expect(callback.body).not.toHaveProperty('url');

    const { url } = await eventually(
      () => world.command({ c: 'getForgotten', key }),
      ({ error }) => error === 0,
    );
    const archive = unzipSync(await download(url));
    expect(Buffer.compare(archive['base.docx']!, report)).toBe(0);
    expect(JSON.parse(strFromU8(archive['changes0.json']!))).toEqual(['84;first', '12;sec"ond']);

    const second = opaqueEditor();
    const bob = await world.joinOpaque({ key, user: 'bob', sourceUrl, transport: 'plain' }, second.hooks);
    expect(Buffer.compare(second.base(), report)).toBe(0);
    expect(second.log).toEqual(['84;first', '12;sec"ond']);
    second.waiting.push('7;third');
    bob.queueSave();
    await bob.saved();
    await bob.close();
    await world.integrator.waitForCallback(key, ({ status }) => status === 3);
    const again = await eventually(
      async () => unzipSync(await download((await world.command({ c: 'getForgotten', key })).url)),
      (files) => Object.keys(files).length === 3,
    );
    expect(JSON.parse(strFromU8(again['changes1.json']!))).toEqual(['7;third']);
  });

  it('[E6] a damaged file and a protected one are refused with their numbers', async () => {
    const damaged = report.slice(0, report.length / 2);
    expect(await openingErrorOf('damaged', damaged)).toEqual({ status: 'err', data: -86 });
    expect(await openingErrorOf('protected', encryptedPackage())).toEqual({ status: 'err', data: -85 });
  });
});

/** The least of an OLE file with the stream of an encrypted package ([MS-CFB] 2.2, 2.6.1). */
function encryptedPackage(): Buffer {
  const file = Buffer.alloc(1_536);
  file.write('d0cf11e0a1b11ae1', 'hex');
  const name = 'EncryptedPackage';
  file.write(name, 512, 'utf16le');
  file.writeUInt16LE(2 * (name.length + 1), 512 + 64);
  return file;
}
