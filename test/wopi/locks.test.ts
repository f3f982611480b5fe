import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inStep, typeAfter } from '../support/e2e-text.ts';
import { eventually } from '../support/eventually.ts';
import { textOfDocx, WopiScene } from '../support/wopi-scene.ts';

let scene: WopiScene;
beforeAll(async () => {
  scene = await WopiScene.open({ WOPI_LOCK_REFRESH_MS: '300' });
});
afterAll(() => scene?.close());

const count = (id: string, operation: 'LOCK' | 'REFRESH_LOCK' | 'PUT') =>
  scene.host.seen(id, operation).length;

describe('our lock on a file', () => {
  it('[WO23] is taken with the page, and confirmed as long as somebody edits, also by a server that starts anew', async () => {
    const file = scene.newFile();
    const page = await scene.page(file, scene.host.person('ann'));
    expect(file.lock?.id).toBe(file.id);
    const ann = await scene.join(page);
    await typeAfter(ann, 'First', ' before');
    await ann.saved();
    await eventually(
      async () => count(file.id, 'REFRESH_LOCK'),
      (refreshed) => refreshed >= 2,
    );
    await scene.quire.kill();
    const before = count(file.id, 'REFRESH_LOCK');
    await scene.quire.restart();
    await eventually(
      async () => count(file.id, 'REFRESH_LOCK'),
      (refreshed) => refreshed > before,
    );
    await typeAfter(ann, 'First before', ' and after');
    await ann.saved();
    await ann.close();
    await eventually(
      async () => textOfDocx(file.bytes),
      (text) => text === 'First before and after\nSecond',
    );
    await eventually(
      async () => file.lock,
      (lock) => lock === null,
    );
    expect(scene.host.badProofs).toEqual([]);
  });

  it('[WO24] that the host forgot is taken anew; one that somebody else has now is told of', async () => {
    const file = scene.newFile();
    const ann = await scene.edit(file, scene.host.person('ann'));
    const warnings: string[] = [];
    ann.client.on('warning', ({ message }) => warnings.push(String(message)));
    await typeAfter(ann, 'First', ' mine');
    await ann.saved();
    file.lock!.expiresAtMs = 0;
    await eventually(
      async () => file.lock,
      (lock) => lock !== null && lock.expiresAtMs > 0,
    );
    file.lock = { id: 'another', expiresAtMs: Date.now() + 60_000 };
    await eventually(
      async () => warnings,
      (all) => all.some((text) => /locked by another/.test(text)),
    );
    file.lock = null;
    await eventually(
      async () => file.lock as { id: string } | null,
      (lock) => lock?.id === file.id,
    );
    await ann.close();
    await eventually(
      async () => textOfDocx(file.bytes),
      (text) => text === 'First mine\nSecond',
    );
  });

  it('[WO25] of a page from which nobody came in is given back after a minute', async () => {
    const file = scene.newFile();
    await scene.page(file, scene.host.person('ann'));
    expect(file.lock).not.toBeNull();
    await scene.database.pool.query(
      `UPDATE wopi_files SET visited_at = now() - interval '61 seconds' WHERE key = $1`,
      [file.id],
    );
    await eventually(
      async () => file.lock,
      (lock) => lock === null,
    );
  });

  it('[WO25] of a page that was opened before the last save ended is there when its person comes in', async () => {
    const file = scene.newFile();
    const [annToken, bobToken] = [scene.host.person('ann'), scene.host.person('bob')];
    const ann = await scene.edit(file, annToken);
    await typeAfter(ann, 'First', ' by Ann');
    await ann.saved();
    const page = await scene.page(file, bobToken);
    await ann.close();
    await eventually(
      async () => file.lock,
      (lock) => lock === null,
    );
    const bob = await scene.join(page);
    expect(bob.state.doc.textContent).toBe('First by AnnSecond');
    expect(file.lock).toMatchObject({ id: file.id });
    await typeAfter(bob, 'Second', ' by Bob');
    await bob.saved();
    await bob.close();
    await eventually(
      async () => textOfDocx(file.bytes),
      (text) => text === 'First by Ann\nSecond by Bob',
    );
  });

  it('[WO26] is asked of no host that takes none; a change behind us is noticed there all the same', async () => {
    const file = scene.newFile();
    const token = scene.host.person('ann', { UserCanWrite: true, SupportsUpdate: true });
    const ann = await scene.edit(file, token);
    await typeAfter(ann, 'First', ' mine');
    await ann.saved();
    scene.host.change(file.id, file.bytes);
    await ann.close();
    await eventually(
      () => scene.stateOf(file.id),
      (state) => state === 'forgotten',
    );
    expect(count(file.id, 'LOCK') + count(file.id, 'REFRESH_LOCK') + count(file.id, 'PUT')).toBe(0);
  });
});

describe('a server that dies', () => {
  it('[WO27] and dies again, wherever it hands work over, has done so once it runs again, and the host has it once', async () => {
    await scene.quire.stop();
    await scene.quire.restart({ FAULT_POINT: 'delivery:before-callback' });
    const file = scene.newFile();
    const ann = await scene.edit(file, scene.host.person('ann'));
    const bob = await scene.edit(file, scene.host.person('bob'));
    await typeAfter(ann, 'First', ' safe');
    await typeAfter(bob, 'Second', ' too');
    await inStep(ann, bob);
    const died = scene.quire.died();
    await ann.close();
    await bob.close();
    await died;
    const { version } = file;
    await scene.quire.restartToDie('wopi:written');
    expect(file.version).toBe(version + 1);
    await scene.quire.restartToDie('delivery:after-callback');
    await scene.quire.restart({ FAULT_POINT: '' });
    await eventually(
      () => scene.stateOf(file.id),
      (state) => state === 'closed',
    );
    expect(textOfDocx(file.bytes)).toBe('First safe\nSecond too');
    // What had arrived before the server died is recognised, not written a second time.
    expect(file.version).toBe(version + 1);
    await eventually(
      async () => file.lock,
      (lock) => lock === null,
    );
    const { rows } = await scene.database.pool.query('SELECT key FROM forgotten WHERE key = $1', [file.id]);
    expect(rows).toEqual([]);
  });
});

describe('the keys of proofs', () => {
  it('[WO28] after a rotation, a host that has the old discovery believes the server as well as one that has the new', async () => {
    const program = path.resolve(import.meta.dirname, '../../bin/quire.js');
    const old = await (await fetch(`${scene.quire.address}/hosting/discovery`)).text();
    await promisify(execFile)(process.execPath, [program, 'wopi', 'rotate-keys'], {
      env: { ...process.env, DATA_DIR: scene.quire.dataDir, DATABASE_URL: scene.database.url },
    });
    await scene.quire.stop();
    await scene.quire.restart({ CONVERTER_PROCESSES: '0' });
    const now = await (await fetch(`${scene.quire.address}/hosting/discovery`)).text();
    const value = (xml: string, name: string) =>
      new RegExp(` ${name}="([^"]*)"`).exec(xml.slice(xml.indexOf('<proof-key')))![1];
    expect(value(now, 'oldvalue')).toBe(value(old, 'value'));
    expect(value(now, 'value')).not.toBe(value(old, 'value'));
    const token = scene.host.person('ann');
    expect((await scene.page(scene.newFile(), token)).status).toBe(200);
    await scene.host.trust(scene.quire.address);
    expect((await scene.page(scene.newFile(), token)).status).toBe(200);
    expect(scene.host.badProofs).toEqual([]);
  });
});
