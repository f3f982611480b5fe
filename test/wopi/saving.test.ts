import { readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { SignJWT } from 'jose';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { ServiceError } from '../../client/protocol/index.ts';
import { buildDocx } from '../support/docx-fixture.ts';
import { inStep, typeAfter } from '../support/e2e-text.ts';
import { endRetries } from '../support/end-retries.ts';
import { eventually } from '../support/eventually.ts';
import type { HostedFile } from '../support/wopi-host.ts';
import { textOfDocx, WopiScene } from '../support/wopi-scene.ts';

let scene: WopiScene;
const secret = 'the secret of an integrator beside the hosts';
beforeAll(async () => {
  scene = await WopiScene.open({ JWT_SECRET: secret });
});
afterAll(() => scene?.close());
afterEach(() => {
  scene.host.heal();
  expect(scene.host.badProofs).toEqual([]);
});

const stored = (file: HostedFile, text: string | RegExp) =>
  eventually(
    async () => textOfDocx(file.bytes),
    (now) => (typeof text === 'string' ? now === text : text.test(now)),
  );

const inState = (key: string, wanted: string) =>
  eventually(
    () => scene.stateOf(key),
    (state) => state === wanted,
  );

const forgottenKeys = async (): Promise<string[]> =>
  (await scene.database.pool.query('SELECT key FROM forgotten')).rows.map(({ key }) => key);

describe('what is written at the host', () => {
  it('[WO12] two people write; the host gets one file with both, and then its lock back', async () => {
    const file = scene.newFile();
    const ann = await scene.edit(file, scene.host.person('ann'));
    const bob = await scene.edit(file, scene.host.person('bob'));
    await typeAfter(ann, 'First', ' by Ann');
    await typeAfter(bob, 'Second', ' by Bob');
    await inStep(ann, bob);
    await ann.close();
    await bob.close();
    await stored(file, 'First by Ann\nSecond by Bob');
    await eventually(
      async () => file.lock,
      (lock) => lock === null,
    );
    const [put, ...others] = scene.host.seen(file.id, 'PUT');
    expect(others).toEqual([]);
    expect(put!.headers).toMatchObject({
      'x-wopi-lock': file.id,
      'x-lool-wopi-isexitsave': 'true',
      'x-lool-wopi-isautosave': 'false',
      'x-lool-wopi-ismodifiedbyuser': 'true',
      'x-wopi-editors': expect.stringMatching(/^(ann|bob)$/),
      'content-length': String(file.bytes.length),
    });
    const order = scene.host.requests
      .filter(({ fileId }) => fileId === file.id)
      .map(({ operation }) => operation);
    expect(order.lastIndexOf('UNLOCK')).toBeGreaterThan(order.lastIndexOf('PUT'));
    for (const { headers } of scene.host.requests) {
      expect(headers['x-wopi-sessionid']).toMatch(/./);
      expect(headers['x-wopi-correlationid']).toMatch(/./);
      expect(headers.authorization).toBeUndefined();
    }
  });

  it('[WO12] nothing is written when nothing was changed, and the lock is given back', async () => {
    const file = scene.newFile();
    const ann = await scene.edit(file, scene.host.person('ann'));
    expect(file.lock?.id).toBe(file.id);
    await ann.close();
    await eventually(
      async () => file.lock,
      (lock) => lock === null,
    );
    expect(scene.host.seen(file.id, 'PUT')).toEqual([]);
  });

  it('[WO13] the same key is edited again at once, with what the host has then', async () => {
    const file = scene.newFile();
    const token = scene.host.person('ann');
    const first = await scene.edit(file, token);
    await typeAfter(first, 'First', '!');
    await first.saved();
    await first.close();
    await stored(file, 'First!\nSecond');
    const second = await scene.edit(file, token);
    expect(second.state.doc.textContent).toBe('First!Second');
    await second.close();
    await inState(file.id, 'idle');
    scene.host.change(file.id, buildDocx({ paragraphs: ['Changed elsewhere'] }));
    const third = await scene.edit(file, token);
    expect(third.state.doc.textContent).toBe('Changed elsewhere');
    await third.close();
  });

  it('[WO14] a save by button is a PutFile that says so, while people go on', async () => {
    const file = scene.newFile();
    const ann = await scene.edit(file, scene.host.person('ann'));
    await typeAfter(ann, 'First', ' 1');
    await ann.saved();
    await ann.client.forceSave();
    await stored(file, 'First 1\nSecond');
    expect(scene.host.seen(file.id, 'PUT')[0]!.headers).toMatchObject({
      'x-lool-wopi-isautosave': 'false',
      'x-lool-wopi-isexitsave': 'false',
    });
    await typeAfter(ann, 'First 1', ' 2');
    await ann.saved();
    await ann.close();
    await stored(file, 'First 1 2\nSecond');
  });

  it('[WO15] a host that tells no versions is followed by the time of the last change', async () => {
    scene.host.tellsVersions = false;
    const file = scene.newFile();
    const token = scene.host.person('ann');
    for (const text of ['a', 'b']) {
      const ann = await scene.edit(file, token);
      await typeAfter(ann, 'First', text);
      await ann.saved();
      await ann.close();
      await stored(file, new RegExp(`^First[ab]*${text}\n`));
    }
    scene.host.tellsVersions = true;
    expect(await forgottenKeys()).not.toContain(file.id);
  });

  it('[WO16] the direct address of a file is used, and the host itself when that fails', async () => {
    const file = scene.newFile();
    const other = scene.host.add('elsewhere', buildDocx({ paragraphs: ['From the direct address'] }));
    const ann = scene.host.person('ann');
    scene.host.info = {
      FileUrl: `${scene.host.sourceOf(other.id)}/contents?access_token=${encodeURIComponent(ann)}`,
    };
    const page = await scene.page(file, ann);
    scene.host.info = { FileUrl: `${scene.host.address}/nowhere` };
    const second = scene.newFile();
    const secondPage = await scene.page(second, ann);
    scene.host.info = {};
    const unproven = scene.host.badProofs.length;
    const opened = await scene.join(secondPage);
    expect(opened.state.doc.textContent).toBe('FirstSecond');
    await opened.close();
    expect(scene.host.badProofs.length).toBe(unproven);
    // Requests to a direct address are not signed, which our host does not take.
    await scene.join(page);
    expect(scene.host.badProofs.splice(0).join()).toMatch(/GetFile: a header of the proof is missing/);
    expect(scene.host.seen(file.id, 'GetFile')).toHaveLength(1);
    expect(scene.host.seen(file.id, 'GetFile')[0]!.headers['x-wopi-maxexpectedsize']).toMatch(/^\d+$/);
  });
});

describe('an address of a file that a host names', () => {
  it.for([
    ['of a host that is not named', 'https://elsewhere.test/d.docx'],
    ['that is relative', '/relative/d.docx'],
    ['that is empty', ''],
    ['that is no text', 5],
    ['where there is nothing', null],
  ] as const)('[WO93] %s leads to the file all the same', async ([, given]) => {
    const file = scene.newFile();
    scene.host.info = { FileUrl: given ?? `${scene.host.address}/wopi/gone/d.docx` };
    const page = await scene.page(file, scene.host.person('ann'));
    scene.host.info = {};
    const bytes = await fetch(`${scene.quire.address}/downloadfile/${page.key}`, {
      headers: { authorization: `Bearer ${page.token}` },
    });
    expect(bytes.status).toBe(200);
    const ann = await scene.join(page);
    expect(ann.state.doc.textContent).toBe('FirstSecond');
    await ann.close();
  });

  it.for(['https://elsewhere.test/t.docx', '/t.docx'])(
    '[WO93] of a template, %s, leaves a blank document',
    async (template) => {
      const file = scene.newFile(new Uint8Array());
      scene.host.info = { TemplateSource: template };
      const page = await scene.page(file, scene.host.person('ann'));
      scene.host.info = {};
      const ann = await scene.join(page);
      expect(ann.state.doc.textContent).toBe('');
      await ann.close();
    },
  );
});

describe('a host in trouble', () => {
  it.for([
    ['fails', { status: 500 }],
    ['is full', { status: 507 }],
    ['finds the file too large', { status: 413 }],
    ['breaks the connection', 'break'],
  ] as const)('[WO17] one that %s gets the file later', async ([, failure]) => {
    const file = scene.newFile();
    const ann = await scene.edit(file, scene.host.person('ann'));
    await typeAfter(ann, 'First', ' kept');
    await ann.saved();
    scene.host.fail('PUT', failure, 2);
    await ann.close();
    await stored(file, 'First kept\nSecond');
    expect(scene.host.seen(file.id, 'PUT')).toHaveLength(3);
    await eventually(
      async () => file.lock,
      (lock) => lock === null,
    );
  });

  it('[WO17] people inside are told that a save was not taken, and go on writing', async () => {
    const file = scene.newFile();
    const ann = await scene.edit(file, scene.host.person('ann'));
    const warnings: string[] = [];
    ann.client.on('warning', ({ message }) => warnings.push(String(message)));
    await typeAfter(ann, 'First', ' 1');
    await ann.saved();
    scene.host.fail('PUT', { status: 500 }, 1);
    await ann.client.forceSave();
    await typeAfter(ann, 'First 1', ' 2');
    await ann.saved();
    await eventually(
      async () => warnings,
      (all) => all.some((text) => /did not take the document/.test(text)),
    );
    await ann.close();
    await stored(file, 'First 1 2\nSecond');
  });

  it('[WO18] when a token is not taken any more, the one of somebody else is used', async () => {
    const file = scene.newFile();
    const [annToken, bobToken] = [scene.host.person('ann'), scene.host.person('bob')];
    const bob = await scene.edit(file, bobToken);
    const ann = await scene.edit(file, annToken);
    await typeAfter(ann, 'First', ' by Ann');
    await inStep(ann, bob);
    scene.host.revoke(annToken);
    await bob.close();
    await ann.close();
    await stored(file, 'First by Ann\nSecond');
    expect(scene.host.seen(file.id, 'PUT').at(-1)!.token).toBe(bobToken);
  });

  it('[WO19] when nobody is let write, the work is kept, and gone on with by who opens the file next', async () => {
    const file = scene.newFile();
    const token = scene.host.person('ann');
    const ann = await scene.edit(file, token);
    await typeAfter(ann, 'First', ' kept');
    await ann.saved();
    scene.host.revoke(token);
    await ann.close();
    await endRetries(scene.database.pool, file.id);
    await inState(file.id, 'forgotten');
    expect(textOfDocx(file.bytes)).toBe('First\nSecond');
    expect(await forgottenKeys()).toContain(file.id);
    const bob = await scene.edit(file, scene.host.person('bob'));
    expect(bob.state.doc.textContent).toBe('First keptSecond');
    await bob.close();
    await stored(file, 'First kept\nSecond');
    await eventually(forgottenKeys, (keys) => !keys.includes(file.id));
  });

  it('[WO20] a file that changed behind us is not overwritten: the work is kept, and the next opening has the file', async () => {
    const file = scene.newFile();
    const token = scene.host.person('ann');
    const ann = await scene.edit(file, token);
    const warnings: string[] = [];
    ann.client.on('warning', ({ message }) => warnings.push(String(message)));
    await typeAfter(ann, 'First', ' mine');
    await ann.saved();
    scene.host.change(file.id, buildDocx({ paragraphs: ['Theirs'] }));
    await ann.client.forceSave();
    await eventually(
      async () => warnings,
      (all) => all.some((text) => /changed at the storage/.test(text)),
    );
    await ann.close();
    await inState(file.id, 'forgotten');
    expect(textOfDocx(file.bytes)).toBe('Theirs');
    expect(scene.host.seen(file.id, 'PUT')).toEqual([]);
    const next = await scene.edit(file, token);
    expect(next.state.doc.textContent).toBe('Theirs');
    await typeAfter(next, 'Theirs', ' and mine');
    await next.saved();
    await next.close();
    await eventually(
      async () => textOfDocx(file.bytes),
      (text) => text === 'Theirs and mine',
    );
    const kept = (await forgottenKeys()).filter((key) => key.startsWith(`${file.id}.kept-`));
    expect(kept).toHaveLength(1);
    const { rows } = await scene.database.pool.query(
      'SELECT result_hash FROM forgotten WHERE key = $1',
      kept,
    );
    expect(rows[0].result_hash).toMatch(/^[0-9a-f]{64}$/);
  });

  it('[DR28] a file that is gone from our store before the host takes it is made anew', async () => {
    const file = scene.newFile();
    const ann = await scene.edit(file, scene.host.person('ann'));
    scene.host.fail('PUT', { status: 500 });
    await typeAfter(ann, 'First', ' kept');
    await ann.saved();
    await ann.close();
    const hash = await eventually(
      async () => {
        const { rows } = await scene.database.pool.query(
          'SELECT result_hash, attempts FROM saves WHERE key = $1 AND status = 2',
          [file.id],
        );
        return rows[0]?.attempts > 0 ? (rows[0].result_hash as string) : null;
      },
      (found) => found !== null,
    );
    const blobs = path.join(scene.quire.dataDir, 'blobs');
    const name = (await readdir(blobs, { recursive: true })).find((one) => one.endsWith(hash!));
    await rm(path.join(blobs, name!));
    // An attempt that has begun has the file still: a host that is well takes it.
    await scene.quire.logged(({ code }) => code === 'file-gone');
    scene.host.heal();
    await eventually(
      async () => textOfDocx(file.bytes),
      (now) => now === 'First kept\nSecond',
    );
  });

  it('[WO21] a file that another application has locked waits until it is free', async () => {
    const file = scene.newFile();
    const ann = await scene.edit(file, scene.host.person('ann'));
    await typeAfter(ann, 'First', ' mine');
    await ann.saved();
    file.lock = { id: 'another', expiresAtMs: Date.now() + 60_000 };
    await ann.close();
    const locksBefore = scene.host.seen(file.id, 'LOCK').length;
    await eventually(
      async () => scene.host.seen(file.id, 'LOCK').length,
      (count) => count >= locksBefore + 2,
    );
    // Asked for is the lock, not the file: some hosts keep a copy of what they refuse.
    expect(scene.host.seen(file.id, 'PUT')).toHaveLength(1);
    expect(textOfDocx(file.bytes)).toBe('First\nSecond');
    file.lock = null;
    await stored(file, 'First mine\nSecond');
    await eventually(
      async () => file.lock,
      (lock) => lock === null,
    );
  });
});

describe('a host that has another version and does not say so beforehand', () => {
  it('[WO81] is put the file once, people are told with a code, the work is kept, and the next opening has its file', async () => {
    const file = scene.newFile();
    const token = scene.host.person('ann');
    const ann = await scene.edit(file, token);
    const warnings: { code?: number | null | undefined; message?: string | undefined }[] = [];
    ann.client.on('warning', (warning) => warnings.push(warning));
    scene.host.conflicts = true;
    await typeAfter(ann, 'First', ' mine');
    await ann.saved();
    await ann.client.forceSave();
    await eventually(
      async () => warnings,
      (all) => all.some(({ code }) => code === ServiceError.quireStorageConflict),
    );
    for (const more of [' and', ' more']) {
      await typeAfter(ann, 'First', more);
      await ann.saved();
      await ann.client.forceSave();
    }
    await ann.close();
    await inState(file.id, 'forgotten');
    expect(scene.host.seen(file.id, 'PUT')).toHaveLength(1);
    expect(textOfDocx(file.bytes)).toBe('First\nSecond');
    await eventually(
      async () => file.lock,
      (lock) => lock === null,
    );
    scene.host.conflicts = false;
    const next = await scene.edit(file, token);
    expect(next.state.doc.textContent).toBe('FirstSecond');
    expect((await forgottenKeys()).some((key) => key.startsWith(`${file.id}.kept-`))).toBe(true);
    await next.close();
  });

  it('[IE11] a host that gives the lock but refuses the file in the name of another is not asked again and again', async () => {
    const file = scene.newFile();
    const ann = await scene.edit(file, scene.host.person('ann'));
    const codes: unknown[] = [];
    ann.client.on('warning', ({ code }) => codes.push(code));
    scene.host.conflicts = true;
    scene.host.conflictLock = 'External';
    for (const more of [' mine', ' and', ' more']) {
      await typeAfter(ann, 'First', more);
      await ann.saved();
      await ann.client.forceSave();
    }
    await eventually(
      async () => codes,
      (all) => all.includes(ServiceError.quireStorageConflict),
    );
    await ann.close();
    await inState(file.id, 'forgotten');
    // A lock may have been given up between the two.
    expect(scene.host.seen(file.id, 'PUT')).toHaveLength(2);
    expect(textOfDocx(file.bytes)).toBe('First\nSecond');
  });
});

describe('whose documents these are', () => {
  it('[WO22] nobody enters a document of a host by another way', async () => {
    const file = scene.newFile();
    const page = await scene.page(file, scene.host.person('ann'));
    const ann = await scene.join(page);
    const integrator = await new SignJWT({
      document: {
        key: file.id,
        url: 'https://storage.test/x',
        fileType: 'docx',
        permissions: { edit: true },
      },
      editorConfig: { mode: 'edit', user: { id: 'eve' }, callbackUrl: `wopi:${page.userAuth.userSessionId}` },
    })
      .setProtectedHeader({ alg: 'HS256' })
      .sign(Buffer.from(secret));
    for (const key of [file.id, 'some-other-key']) {
      const config = {
        ...page.config,
        document: { ...page.config.document, permissions: { edit: true } },
      };
      const eve = scene.sessionOf({ ...page, key, token: integrator, config });
      await expect(eve.open()).rejects.toThrow();
    }
    await ann.close();
  });

  it('[WO22] of what the browser says only a wish to look on counts', async () => {
    const file = scene.newFile();
    const token = scene.host.person('rita', {
      UserCanWrite: false,
      SupportsLocks: true,
      SupportsUpdate: true,
    });
    const page = await scene.page(file, token);
    const config = {
      ...page.config,
      document: { ...page.config.document, permissions: { edit: true } },
      editorConfig: { ...page.config.editorConfig, mode: 'edit', user: { id: 'admin', name: 'Admin' } },
    };
    const rita = scene.sessionOf({ ...page, config });
    await rita.open();
    expect(rita.client.participants).toMatchObject([{ idOriginal: 'rita', view: true }]);
    await rita.close();
  });
});
