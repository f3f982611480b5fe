import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildPptx } from '../support/pptx-fixture.ts';
import type { RawClient, Sent } from '../support/raw-client.ts';
import { save } from '../support/saving.ts';
import { Scene, type SharedScene, type SignedIn } from '../support/scene.ts';
import { wordBase } from '../support/word-editor.ts';
import { buildXlsx } from '../support/xlsx-fixture.ts';

let scene: SharedScene;

beforeAll(async () => {
  scene = await Scene.openShared();
});
afterAll(() => scene?.close());

/** Asks for locks and returns the whole map of the answer. */
async function lock(client: RawClient, ...block: unknown[]) {
  await client.settled();
  client.unreadOf('getLock');
  while (client.unreadOf('getLock').length > 0) await client.next('getLock');
  client.send({ type: 'getLock', block });
  return (await client.next('getLock')).locks;
}

const holder = (locks: Record<string, { user: string }>, key: string) => locks[key]?.user;

/** The `auth` fields of an editor of a type, with a file that is for such editors. */
function asEditor(editorType: number): Sent {
  const [format, bytes] = (
    [
      ['docx', () => wordBase],
      ['xlsx', () => buildXlsx([['A1']])],
      ['pptx', () => buildPptx(['Title'])],
    ] as const
  )[editorType]!;
  const name = `locking.${format}`;
  const url = scene.integrator.serve(name, { bytes: bytes() });
  return { editorType, openCmd: { c: 'open', format, url, title: name } };
}

async function three(editorType: number): Promise<[SignedIn, SignedIn, SignedIn]> {
  const asked = asEditor(editorType);
  const { key, ann, bob } = await scene.pair(asked);
  return [ann, bob, await scene.join(key, 'carol', asked)];
}

const range = (guid: string, r1: number, r2: number, more: Sent = {}): Sent => ({
  sheetId: 's1',
  type: 1,
  subType: null,
  guid,
  rangeOrObjectId: { c1: 0, r1, c2: 3, r2 },
  ...more,
});
const sheet = (guid: string, sheetId = 's1'): Sent => ({
  sheetId,
  type: 3,
  subType: null,
  guid,
  rangeOrObjectId: null,
});
const cellObject = (guid: string, id: string): Sent => ({
  sheetId: 's1',
  type: 2,
  subType: null,
  guid,
  rangeOrObjectId: id,
});
const slideObject = (slideId: string, objId: string): Sent => ({ type: 1, slideId, objId, guid: objId });
const slide = (val: string): Sent => ({ type: 2, val, guid: val });

describe('locks of text documents', () => {
  it('[LK1] who asks and all other editors are told the locks that were granted', async () => {
    const [ann, bob, carol] = await three(0);
    await lock(ann.client, 'p1');
    const locks = await lock(bob.client, 'p2', 'p3');
    expect(locks).toEqual({
      p2: { time: expect.any(Number), user: 'bob2', block: 'p2' },
      p3: { time: expect.any(Number), user: 'bob2', block: 'p3' },
    });
    for (const { client } of [ann, carol]) {
      expect((await client.next('getLock', (message) => 'p2' in message.locks)).locks).toEqual(locks);
    }
  });

  it('[LK2] a request that runs into somebody else gets nothing, and sees who is in the way', async () => {
    const [ann, bob, carol] = await three(0);
    await lock(ann.client, 'p1');
    const refused = await lock(bob.client, 'p2', 'p1');
    expect([holder(refused, 'p2'), holder(refused, 'p1')]).toEqual(['ann1', 'ann1']);
    expect(holder(await lock(carol.client, 'p2'), 'p2')).toBe('carol3');
  });

  it('[LK3] a refusal is lifted when the one in the way lets go', async () => {
    const [ann, bob] = await three(0);
    await lock(ann.client, 'p1');
    await lock(bob.client, 'p2', 'p1');
    ann.client.send({ type: 'unLockDocument', releaseLocks: true });
    const released = await bob.client.next('releaseLock', ({ locks }) =>
      locks.some(({ block }) => block === 'p2'),
    );
    expect(released.locks).toMatchObject([{ block: 'p2', user: 'ann1', changes: null }]);
    expect(holder(await lock(bob.client, 'p2', 'p1'), 'p1')).toBe('bob2');
  });

  it('[LK4] what one holds already is granted again', async () => {
    const [ann] = await three(0);
    await lock(ann.client, 'p1');
    expect(Object.keys(await lock(ann.client, 'p1', 'p2'))).toEqual(['p1', 'p2']);
  });

  it('[LK5] locks given back are told to the owner and the other editors, viewers do not hear of locks', async () => {
    const [ann, bob, carol] = await three(0);
    const viewer = await scene.join(ann.client.key, 'viewer', { mode: 'view' });
    await lock(ann.client, 'p1');
    await lock(bob.client, 'p2');
    ann.client.send({
      type: 'unLockDocument',
      isSave: false,
      unlock: false,
      deleteIndex: null,
      releaseLocks: true,
    });
    for (const { client } of [ann, bob, carol]) {
      expect(await client.next('releaseLock')).toEqual({
        type: 'releaseLock',
        locks: [{ block: 'p1', user: 'ann1', time: expect.any(Number), changes: null }],
      });
    }
    await bob.client.leave();
    for (const { client } of [ann, carol]) {
      expect(await client.next('releaseLock')).toMatchObject({ locks: [{ block: 'p2', user: 'bob2' }] });
    }
    await viewer.client.settled();
    expect([...viewer.client.unreadOf('getLock'), ...viewer.client.unreadOf('releaseLock')]).toEqual([]);
  });

  it('[LK6] a save with releaseLocks tells of the locks in its broadcast, one without keeps them', async () => {
    const [ann, bob] = await three(0);
    await lock(ann.client, 'p1');
    await save(ann.client, ['1;a'], { releaseLocks: false });
    expect((await bob.client.next('saveChanges')).locks).toEqual([]);
    expect(holder(await lock(bob.client, 'p1'), 'p1')).toBe('ann1');
    await save(ann.client, ['2;b'], { releaseLocks: true }, 1);
    expect((await bob.client.next('saveChanges')).locks).toMatchObject([{ block: 'p1', user: 'ann1' }]);
    expect(holder(await lock(bob.client, 'p1'), 'p1')).toBe('bob2');
  });

  it('[LK7] blocks of the PDF editor are told apart by their guid', async () => {
    const [ann, bob] = await three(0);
    expect(holder(await lock(ann.client, { guid: 'g1', objId: 'x', type: 1 }), 'g1')).toBe('ann1');
    const locks = await lock(bob.client, { guid: 'g2', objId: 'x', type: 1 });
    expect([holder(locks, 'g1'), holder(locks, 'g2')]).toEqual([undefined, 'bob2']);
    expect(holder(await lock(bob.client, { guid: 'g1', objId: 'y', type: 1 }), 'g1')).toBe('ann1');
  });

  it('[LK8] newcomers get the locks, as an object for texts and as a list for all others', async () => {
    const [ann] = await three(0);
    await lock(ann.client, 'p1');
    const dave = await scene.join(ann.client.key, 'dave');
    expect(dave.auth.locks).toEqual({ p1: { time: expect.any(Number), user: 'ann1', block: 'p1' } });
    const [eve] = await three(1);
    await lock(eve.client, range('g1', 0, 1));
    const fred = await scene.join(eve.client.key, 'fred', asEditor(1));
    expect(fred.auth.locks).toMatchObject([{ user: 'ann1', block: range('g1', 0, 1) }]);
  });

  it('[LK9] an empty request is answered and grants nothing', async () => {
    const [ann] = await three(0);
    expect(await lock(ann.client)).toEqual({});
  });
});

describe('locks of spreadsheets', () => {
  it('[LK10] ranges that overlap are one user’s, whatever their guids; others are free', async () => {
    const [ann, bob, carol] = await three(1);
    expect(holder(await lock(ann.client, range('a', 0, 5)), 'a')).toBe('ann1');
    expect(holder(await lock(bob.client, range('b', 5, 9)), 'b')).toBe('ann1');
    expect(holder(await lock(bob.client, range('c', 6, 9)), 'c')).toBe('bob2');
    expect(holder(await lock(carol.client, range('d', 4, 6)), 'd')).toMatch(/ann1|bob2/);
    expect(holder(await lock(carol.client, range('e', 0, 5, { sheetId: 's2' })), 'e')).toBe('carol3');
    expect(holder(await lock(ann.client, range('f', 2, 3)), 'f')).toBe('ann1');
    expect(holder(await lock(carol.client, range('g', 10, 11, { subType: undefined })), 'g')).toBe('carol3');
  });

  it('[LK15] ranges are told apart by the file, not by the editor of who came first, also a reader', async () => {
    for (const mode of ['view', 'edit']) {
      const asked = asEditor(1);
      const key = scene.newKey();
      const first = await scene.join(key, 'first', { ...asked, editorType: 0, mode, coEditingMode: 'fast' });
      const join =
        mode === 'view' ? scene.join(key, 'ann', asked) : scene.joinBeside(first.client, key, 'ann', asked);
      const ann = await join;
      const bob = await (mode === 'view'
        ? scene.joinBeside(ann.client, key, 'bob', asked)
        : scene.join(key, 'bob', asked));
      expect(holder(await lock(ann.client, range('a', 0, 5)), 'a')).toBe('ann2');
      expect(holder(await lock(bob.client, range('b', 5, 9)), 'b')).toBe('ann2');
    }
  });

  it('[LK11] sheets as a whole are one user’s, and exclude ranges and objects of others on them', async () => {
    const [ann, bob, carol] = await three(1);
    await lock(ann.client, sheet('a', 's1'));
    expect(holder(await lock(bob.client, sheet('b', 's2')), 'b')).toBe('ann1');
    expect(holder(await lock(bob.client, range('c', 0, 1)), 'c')).toBe('ann1');
    expect(holder(await lock(carol.client, cellObject('d', 'o1')), 'd')).toBe('ann1');
    expect(holder(await lock(ann.client, sheet('e', 's2')), 'e')).toBe('ann1');
  });

  it('[LK12] an object is one user’s; two structural changes of a sheet exclude each other', async () => {
    const [ann, bob, carol] = await three(1);
    await lock(ann.client, cellObject('a', 'o1'));
    expect(holder(await lock(bob.client, cellObject('b', 'o1')), 'b')).toBe('ann1');
    expect(holder(await lock(bob.client, cellObject('c', 'o2')), 'c')).toBe('bob2');
    expect(holder(await lock(ann.client, range('d', 0, 0, { subType: 4 })), 'd')).toBe('ann1');
    expect(holder(await lock(carol.client, range('e', 50, 50, { subType: 3 })), 'e')).toBe('ann1');
  });

  it('[LK13] rows inserted or removed by a save move the ranges that others hold below them', async () => {
    const { key, ann, bob } = await scene.pair(asEditor(1));
    await lock(bob.client, range('b', 3, 5));
    const excelAdditionalInfo = JSON.stringify({
      indexCols: null,
      indexRows: {
        s1: { _arrElements: [{ _recalcType: 1, _position: 1, _count: 1, m_bIsSaveIndex: false }] },
      },
    });
    await save(ann.client, ['1;a'], { isExcel: true, isCoAuthoring: true, excelAdditionalInfo });
    const told = await bob.client.next('saveChanges');
    expect(told.excelAdditionalInfo).toBe(excelAdditionalInfo);
    const carol = await scene.join(key, 'carol', asEditor(1));
    expect(carol.auth.locks).toMatchObject([
      { user: 'bob2', block: { rangeOrObjectId: { c1: 0, r1: 4, c2: 3, r2: 6 } } },
    ]);
    expect(holder(await lock(ann.client, range('free', 3, 3)), 'free')).toBe('ann1');
    expect(holder(await lock(ann.client, range('taken', 6, 6)), 'taken')).toBe('bob2');
  });
});

describe('locks of presentations', () => {
  it('[LK14] a slide excludes the objects of others on it, and an object of another its slide', async () => {
    const [ann, bob, carol] = await three(2);
    await lock(ann.client, slideObject('s1', 'o1'));
    expect(holder(await lock(bob.client, slide('s1')), 's1')).toBe('ann1');
    expect(holder(await lock(bob.client, slide('s2')), 's2')).toBe('bob2');
    expect(holder(await lock(carol.client, slideObject('s2', 'o2')), 'o2')).toBe('bob2');
    expect(holder(await lock(carol.client, slideObject('s1', 'o1')), 'o1')).toBe('ann1');
    expect(holder(await lock(carol.client, slideObject('s1', 'o3')), 'o3')).toBe('carol3');
    const presentation = { type: 3, val: 'theme', guid: 'theme' };
    expect(holder(await lock(carol.client, presentation), 'theme')).toBe('carol3');
    expect(holder(await lock(ann.client, presentation), 'theme')).toBe('carol3');
  });
});
