import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildDocx } from '../support/docx-fixture.ts';
import { eventually } from '../support/eventually.ts';
import { buildPdf } from '../support/pdf-fixture.ts';
import { openTestDatabase } from '../support/postgres.ts';
import { QuireProcess } from '../support/quire-process.ts';
import { Scene } from '../support/scene.ts';
import { textOfDocx, WopiScene } from '../support/wopi-scene.ts';

let scene: WopiScene;
beforeAll(async () => {
  scene = await WopiScene.open();
});
afterAll(() => scene?.close());

const reader = { UserCanWrite: false, SupportsUpdate: true, SupportsLocks: true };

describe('discovery', () => {
  it('[WO1] lists what can be served, and the addresses that hosts fill in', async () => {
    const xml = await (await fetch(`${scene.quire.address}/hosting/discovery`)).text();
    const actions = [...xml.matchAll(/<app name="Word"[^>]*>(.*?)<\/app>/gs)][0]![1]!;
    const edit =
      /<action name="edit" ext="docx" default="true" requires="locks,update" urlsrc="([^"]*)"\/>/.exec(
        actions,
      )!;
    const address = edit[1]!.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
    expect(address.replace(/<.*&>/, '')).toBe(`${scene.quire.address}/hosting/wopi/word/edit?&`);
    for (const name of ['view', 'embedview', 'mobileView', 'mobileEdit', 'editnew']) {
      expect(actions).toContain(`<action name="${name}" ext="docx"`);
    }
    const mime = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
    expect(xml).toContain(`<app name="${mime}"><action name="view" ext="" `);
    for (const name of ['edit', 'editnew']) expect(xml).toContain(`<action name="${name}" ext="xlsx"`);
    expect(xml).toContain(`<app name="Capabilities">`);
    // Without editors of others nothing is promised that only they can do.
    expect(xml).not.toContain('ext="pptx"');
    const icon = /<app name="Word" favIconUrl="([^"]*)"/.exec(xml)![1]!;
    expect((await fetch(icon)).headers.get('content-type')).toContain('image/svg+xml');
  });

  it('[WO2] capabilities name the converter', async () => {
    const capabilities = await (await fetch(`${scene.quire.address}/hosting/capabilities`)).json();
    expect(capabilities).toMatchObject({
      'convert-to': { available: true, endpoint: '/lool/convert-to' },
      hasTemplateSource: true,
    });
  });

  it('[WO3] is not there unless WOPI is on', async () => {
    const without = await Scene.openShared();
    const { address } = without.quire;
    for (const path of [
      '/hosting/discovery',
      '/hosting/capabilities',
      '/hosting/wopi/word/edit',
      '/cool/convert-to/pdf',
    ]) {
      expect((await fetch(address + path, { method: path.includes('cool') ? 'POST' : 'GET' })).status).toBe(
        404,
      );
    }
    await without.close();
  });
});

describe('a server whose operator has named nobody', () => {
  it('[WO49] opens files of no host and converts for nobody, and says which settings do', async () => {
    const database = await openTestDatabase();
    const settings = { DATABASE_URL: database.url, CONVERTER_PROCESSES: '0', WOPI_ENABLED: 'true' };
    const quire = await QuireProcess.start({ ...settings, ALLOW_PRIVATE_IP_ADDRESS: 'true' });
    try {
      const source = scene.host.sourceOf(scene.newFile().id);
      for (const wopiSrc of [source, 'https://files.example.com/wopi/files/1']) {
        const query = new URLSearchParams({ WOPISrc: wopiSrc, access_token: scene.host.person('ann') });
        const page = await fetch(`${quire.address}/hosting/wopi/word/edit?${query}`, { method: 'POST' });
        expect(page.status).toBe(403);
      }
      const form = () => {
        const data = new FormData();
        data.set('data', new Blob([Buffer.from(buildDocx({ paragraphs: ['x'] }))]), 'a.docx');
        return data;
      };
      const forged = { 'x-forwarded-for': '127.0.0.1' };
      for (const path of ['/cool/convert-to/docx', '/lool/convert-to', '/COOL/convert-to/pdf']) {
        const answer = await fetch(quire.address + path, { method: 'POST', body: form(), headers: forged });
        expect([path, answer.status]).toEqual([path, 403]);
        expect(await answer.text()).toContain('WOPI_CONVERT_FROM');
      }
      const capabilities = await (await fetch(`${quire.address}/hosting/capabilities`)).json();
      expect(capabilities).toMatchObject({ 'convert-to': { available: false } });
      await quire.logged(({ msg }) =>
        msg.includes('WOPI_HOSTS is not set: no WOPI host may use this server'),
      );
    } finally {
      await quire.remove();
      await database.close();
    }
  });
});

describe('the page of an editor', () => {
  it.for(['POST', 'GET'] as const)(
    '[WO4] by %s: signed, and without what is not for browsers',
    async (method) => {
      const file = scene.newFile();
      scene.host.info = { FileUrl: `${scene.host.address}/secret`, ClosePostMessage: true };
      const page = await scene.page(file, scene.host.person('ann'), {
        method,
        query: { ui: 'de-DE', thm: '2' },
      });
      scene.host.info = {};
      expect(page.status).toBe(200);
      expect(page.key).toBe(file.id);
      expect(page.userAuth).toMatchObject({ mode: 'edit', forcedViewMode: false });
      expect(page.fileInfo).toMatchObject({ BaseFileName: file.name, UserId: 'ann' });
      expect(page.html).not.toContain('/secret');
      expect(page.html).not.toContain('token of ann');
      const claims = JSON.parse(Buffer.from(page.token.split('.')[1]!, 'base64url').toString());
      expect(JSON.stringify(claims)).not.toContain('token of ann');
      expect(page.config).toMatchObject({
        documentType: 'word',
        document: { key: file.id, fileType: 'docx', title: file.name, permissions: { edit: true } },
        editorConfig: {
          mode: 'edit',
          lang: 'de-DE',
          user: { id: 'ann', name: 'Name of ann' },
          customization: { uiTheme: 'default-dark', close: { visible: true } },
        },
      });
      expect(page.headers.get('content-security-policy')).toContain("script-src 'self'");
      expect(page.headers.get('cache-control')).toBe('no-store');
    },
  );

  it('[WO84] of a file without an editor is for reading, also where somebody wants to edit, who is told why', async () => {
    const file = scene.newFile(buildPdf([{ lines: ['One'] }]), 'plan.pdf');
    const page = await scene.page(file, scene.host.person('ann'));
    expect(page.status).toBe(200);
    expect(page.userAuth).toMatchObject({
      mode: 'view',
      viewNotice: 'Files of this kind can only be looked at.',
    });
    expect(page.config).toMatchObject({
      document: { fileType: 'pdf', title: 'plan.pdf' },
      editorConfig: { mode: 'view' },
    });
    const [xml, view] = [
      await (await fetch(`${scene.quire.address}/hosting/discovery`)).text(),
      'hosting/wopi/pdf/view',
    ];
    expect(xml).toContain(
      `<action name="view" ext="pdf" default="true" urlsrc="${scene.quire.address}/${view}?`,
    );
    expect(xml).not.toContain('name="edit" ext="pdf"');
  });

  it('[WO5] names in it are text, whatever they hold', async () => {
    const name = `</title><script>alert(1)</script>"'&.docx`;
    const file = scene.newFile(buildDocx({ paragraphs: ['x'] }), name);
    const page = await scene.page(file, scene.host.person('"><img src=x onerror=alert(2)>'));
    expect(page.html).not.toContain('<script>alert');
    expect(page.html).not.toContain('<img');
    expect(page.config.document.title).toBe(name);
  });

  it('[WO6] an edit key stays; a view key is that of the version', async () => {
    const file = scene.newFile();
    const ann = scene.host.person('ann');
    const first = await scene.page(file, ann, { mode: 'view' });
    expect((await scene.page(file, ann, { mode: 'view' })).key).toBe(first.key);
    expect((await scene.page(file, ann)).key).toBe(file.id);
    scene.host.change(file.id, buildDocx({ paragraphs: ['Other'] }));
    const second = await scene.page(file, ann, { mode: 'view' });
    expect(second.key).not.toBe(first.key);
    expect((await scene.page(file, ann)).key).toBe(file.id);
    expect(second.userAuth.mode).toBe('view');
    const ids = ['a b/ü', 'a b/ö', 'x'.repeat(400)].map((id) =>
      scene.host.add(id, buildDocx({ paragraphs: ['x'] }), 'a.docx'),
    );
    const keys = await Promise.all(ids.map(async (one) => (await scene.page(one, ann)).key));
    expect(new Set(keys).size).toBe(3);
    for (const key of keys) expect(key).toMatch(/^[0-9A-Za-z\-._=]{1,240}$/);
  });

  it('[WO7] rights become permissions', async () => {
    const file = scene.newFile();
    const permissionsOf = async (rights: object) => {
      const person = scene.host.person('p', { ...rights, SupportsUpdate: true, SupportsLocks: true });
      const { config, userAuth } = await scene.page(file, person);
      return { ...config.document.permissions, mode: userAuth.mode };
    };
    expect(await permissionsOf({ UserCanWrite: true })).toMatchObject({
      edit: true,
      comment: true,
      mode: 'edit',
    });
    expect(await permissionsOf({ UserCanWrite: true, UserCanOnlyComment: true })).toMatchObject({
      edit: false,
      review: false,
      comment: true,
      mode: 'edit',
    });
    expect(await permissionsOf({ UserCanWrite: true, UserCanReview: false })).toMatchObject({
      review: false,
    });
    expect(
      await permissionsOf({ UserCanWrite: true, DisablePrint: true, CopyPasteRestrictions: 'BlockAll' }),
    ).toMatchObject({ print: false, copy: false });
    expect(await permissionsOf({ UserCanWrite: true, ReadOnly: true })).toMatchObject({
      edit: false,
      mode: 'view',
    });
  });

  it('[WO8] without the right to write, or the lock, it opens for reading and says why', async () => {
    const file = scene.newFile();
    const forbidden = await scene.page(file, scene.host.person('rita', reader));
    expect(forbidden.userAuth).toMatchObject({ mode: 'view', forcedViewMode: true });
    expect(scene.host.seen(file.id, 'LOCK')).toHaveLength(0);
    file.lock = { id: 'of another application', expiresAtMs: Date.now() + 60_000 };
    const locked = await scene.page(file, scene.host.person('ann'));
    expect(locked.userAuth).toMatchObject({ mode: 'view', forcedViewMode: true });
    expect(locked.key).not.toBe(file.id);
    const session = scene.sessionOf(locked);
    const warnings: unknown[] = [];
    session.client.on('warning', (warning) => warnings.push(warning));
    await session.open();
    await eventually(
      async () => warnings,
      (all) => all.length > 0,
    );
    expect(warnings[0]).toMatchObject({ code: -200, message: expect.stringMatching(/locked by another/) });
    expect(session.client.status.readOnly).toBe(true);
    expect(session.state.doc.textContent).toBe('FirstSecond');
  });

  it.for([
    ['no file', { WOPISrc: '' }, {}, 400, /does not name a file/],
    ['no token', {}, { access_token: '' }, 401, /without an access token/],
    ['a strange host', { WOPISrc: 'http://203.0.113.9/wopi/files/1' }, {}, 403, /not set up to open/],
    ['an unknown token', {}, { access_token: 'nobody' }, 403, /does not let you/],
  ] as const)('[WO9] %s: the page says what is wrong', async ([, query, fields, status, words]) => {
    const file = scene.newFile();
    const page = await scene.page(file, scene.host.person('ann'), {
      query: { ...query },
      fields: { ...fields },
    });
    expect(page.status).toBe(status);
    expect(page.html).toMatch(words);
    expect(page.token).toBe('');
  });

  it.for([
    [{ status: 404 }, 404, /no such file/],
    [{ status: 500 }, 502, /does not answer/],
    ['break', 502, /does not answer/],
  ] as const)('[WO9] a host that answers %j: the page says so', async ([failure, status, words]) => {
    const file = scene.newFile();
    scene.host.fail('CheckFileInfo', failure);
    const page = await scene.page(file, scene.host.person('ann'));
    scene.host.heal();
    expect(page.status).toBe(status);
    expect(page.html).toMatch(words);
  });

  it('[WO9] a format without an editor, and an editor that is none', async () => {
    const file = scene.newFile(new Uint8Array([1]), 'strange.xyz');
    expect((await scene.page(file, scene.host.person('ann'))).status).toBe(415);
    expect((await scene.page(file, scene.host.person('ann'), { kind: 'game' })).status).toBe(404);
  });

  it('[WO10] an empty file becomes a blank document in the language of the page', async () => {
    const file = scene.newFile(new Uint8Array(0));
    const ann = scene.host.person('ann');
    const page = await scene.page(file, ann, { query: { ui: 'fr-FR' } });
    expect(scene.host.seen(file.id, 'PUT')).toHaveLength(1);
    expect(textOfDocx(file.bytes)).toBe('');
    const session = await scene.join(page);
    session.dispatch(session.state.tr.insertText('Begun', 1));
    await session.saved();
    await session.close();
    await eventually(
      async () => textOfDocx(file.bytes),
      (text) => text === 'Begun',
    );
  });

  it('[WO97] a file of which the host wrongly says that it is empty is opened as it is, also where there is a template', async () => {
    const template = scene.host.add('another', buildDocx({ paragraphs: ['From a template'] }));
    const ann = scene.host.person('ann');
    const TemplateSource = `${scene.host.sourceOf(template.id)}/contents?access_token=${encodeURIComponent(ann)}`;
    for (const said of [{ Size: 0 }, { Size: 0, TemplateSource }, { Size: null, TemplateSource }]) {
      const file = scene.newFile();
      scene.host.info = said;
      const session = await scene.edit(file, ann);
      expect(scene.host.seen(file.id, 'PUT')).toHaveLength(0);
      expect(session.state.doc.textContent).toBe('FirstSecond');
      await session.close();
      expect(textOfDocx(file.bytes)).toBe('First\nSecond');
    }
    scene.host.info = {};
  });

  it('[WO97] an empty file that the host does not give is begun anew', async () => {
    const file = scene.newFile(new Uint8Array(0));
    scene.host.fail('GetFile', { status: 404 }, 1);
    const session = await scene.edit(file, scene.host.person('ann'));
    expect(session.state.doc.textContent).toBe('');
    await session.close();
  });

  it('[WO11] a template is opened for a file that is empty, and the file is written when it is saved', async () => {
    const file = scene.newFile(new Uint8Array(0));
    const template = scene.host.add('template', buildDocx({ paragraphs: ['From a template'] }));
    const ann = scene.host.person('ann');
    scene.host.info = {
      TemplateSource: `${scene.host.sourceOf(template.id)}/contents?access_token=${encodeURIComponent(ann)}`,
    };
    const session = await scene.edit(file, ann);
    scene.host.info = {};
    expect(session.state.doc.textContent).toBe('From a template');
    expect(file.bytes).toHaveLength(0);
    session.dispatch(session.state.tr.insertText('! ', 1));
    await session.saved();
    await session.close();
    await eventually(
      async () => file.bytes.length,
      (length) => length > 0,
    );
    expect(textOfDocx(file.bytes)).toBe('! From a template');
  });
});
