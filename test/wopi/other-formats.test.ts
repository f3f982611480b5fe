import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { typeAfter } from '../support/e2e-text.ts';
import { eventually } from '../support/eventually.ts';
import { FormatsStandIn, standInResult } from '../support/formats-stand-in.ts';
import { buildOdt } from '../support/odt-fixture.ts';
import { WopiScene } from '../support/wopi-scene.ts';

let directory: string;
let engine: FormatsStandIn;
let scene: WopiScene;

beforeAll(async () => {
  directory = await mkdtemp(path.join(os.tmpdir(), 'quire-wopi-formats-'));
  engine = await FormatsStandIn.install(path.join(directory, 'x2t'));
  scene = await WopiScene.open(engine.environment);
});
beforeEach(() => engine.reset());
afterAll(async () => {
  await scene?.close();
  await rm(directory, { recursive: true, force: true });
});

const odt = (name: string) => scene.newFile(buildOdt({ paragraphs: [name] }), `${name}.odt`);

describe('a file of another format at a WOPI host', () => {
  it('[BO16] is announced, edited, and put back in its own format', async () => {
    const discovery = await (await fetch(`${scene.quire.address}/hosting/discovery`)).text();
    const actions = [...discovery.matchAll(/<action name="(\w+)" ext="odt"/g)].map(([, name]) => name);
    expect(actions).toEqual(['view', 'embedview', 'mobileView', 'edit', 'mobileEdit']);
    const file = odt('put-back');
    const ann = await scene.edit(file, scene.host.person('ann'));
    await typeAfter(ann, 'First', ' by Ann');
    await ann.close();
    await eventually(
      async () => standInResult(file.bytes),
      ({ told, paragraphs }) => told.endsWith('to 67') && paragraphs[0] === 'First by Ann',
    );
  });

  it('[BO20] is opened by each extension of its format, which discovery names', async () => {
    const discovery = await (await fetch(`${scene.quire.address}/hosting/discovery`)).text();
    const isEdited = (type: string) => discovery.includes(`<action name="edit" ext="${type}"`);
    const pairs = [
      ['htm', 'html'],
      ['xhtml', 'html'],
      ['mhtml', 'mht'],
      ['markdown', 'md'],
      ['text', 'txt'],
    ] as const;
    for (const [extension, type] of pairs)
      expect([extension, isEdited(extension)]).toEqual([extension, isEdited(type)]);
    const file = scene.newFile(Buffer.from('<p>Only letters</p>'), 'called.XHTML');
    const ann = await scene.edit(file, scene.host.person('ann'));
    expect(ann.state.doc.textContent).toBe('FirstSecond');
    await ann.close();
    const old = scene.newFile(Buffer.from('Only letters'), 'old.mhtml');
    const how = { kind: 'convert-and-edit', mode: 'mhtml/docx' };
    const { token } = await scene.page(old, scene.host.person('ann'), how);
    const progress = `${scene.quire.address}/hosting/wopi/convert-and-edit-handler?token=${token}`;
    await eventually(
      async () => (await (await fetch(progress)).json()) as { url?: string },
      ({ url }) => url !== undefined,
    );
  });

  it('[BO17] is never overwritten by another format: the work is kept and gone on with', async () => {
    const file = odt('kept');
    const before = file.bytes;
    const ann = await scene.edit(file, scene.host.person('ann'));
    await typeAfter(ann, 'First', ' kept');
    await engine.cannotWrite('odt');
    await ann.close();
    await eventually(
      () => scene.stateOf(file.id),
      (state) => state === 'forgotten',
    );
    expect(file.bytes).toBe(before);
    await engine.reset();
    const bob = await scene.edit(file, scene.host.person('bob'));
    expect(bob.state.doc.textContent).toBe('First keptSecond');
    await bob.close();
    await eventually(
      async () => file.bytes,
      (bytes) => bytes !== before && standInResult(bytes).paragraphs[0] === 'First kept',
    );
  });
});
