import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { ServiceError } from '../../client/protocol/index.ts';
import { buildDocx } from '../support/docx-fixture.ts';
import { typeAfter } from '../support/e2e-text.ts';
import { endRetries } from '../support/end-retries.ts';
import { eventually } from '../support/eventually.ts';
import type { HostedFile, WopiTestHost } from '../support/wopi-host.ts';
import { textOfDocx, WopiScene } from '../support/wopi-scene.ts';

let scene: WopiScene;
beforeAll(async () => {
  scene = await WopiScene.open();
});
afterAll(() => scene?.close());
afterEach(() => {
  scene.host.heal();
  expect(scene.host.badProofs).toEqual([]);
});

const stored = (file: HostedFile, text: string) =>
  eventually(
    async () => textOfDocx(file.bytes),
    (now) => now === text,
  );

const inState = (key: string, wanted: string) =>
  eventually(
    () => scene.stateOf(key),
    (state) => state === wanted,
  );

const docxOf = (text: string) => buildDocx({ paragraphs: [text] });
const keptOf = async (file: HostedFile): Promise<string[]> => {
  const { rows } = await scene.database.pool.query('SELECT key FROM forgotten WHERE key LIKE $1', [
    `${file.id}%`,
  ]);
  return rows.map(({ key }) => key);
};

const zoneMs = 2 * 3_600_000;
const inZone = (atMs: number): string => `${new Date(atMs + zoneMs).toISOString().slice(0, -1)}+02:00`;
const firstTime = '2026-01-01T00:00:00Z';

/** Hosts of which one member of CheckFileInfo tells nothing. */
const halfSilent: [string, WopiTestHost['tells']][] = [
  ['gives every file the same version', { version: () => '0' }],
  ['keeps the time of a file that it changes', { time: () => firstTime }],
];

describe.for(halfSilent)('a host that %s', ([, tells]) => {
  it('[WO85] opens what it has now', async () => {
    scene.host.tells = tells;
    const file = scene.newFile(docxOf('Old'));
    const token = scene.host.person('ann');
    const first = await scene.edit(file, token);
    await first.close();
    await inState(file.id, 'idle');
    scene.host.change(file.id, docxOf('New'));
    const next = await scene.edit(file, token);
    expect(next.state.doc.textContent).toBe('New');
    await typeAfter(next, 'New', ' edited');
    await next.saved();
    await next.close();
    await stored(file, 'New edited');
    const views: string[] = [];
    for (const text of ['One', 'Two']) {
      scene.host.change(file.id, docxOf(text));
      const viewer = await scene.join(await scene.page(file, token, { mode: 'view' }));
      views.push(viewer.state.doc.textContent);
      await viewer.close();
    }
    expect(views).toEqual(['One', 'Two']);
  });

  it('[WO85] keeps what somebody else put there while people edit, and the work is kept', async () => {
    scene.host.tells = tells;
    const file = scene.newFile(docxOf('Old'));
    const ann = await scene.edit(file, scene.host.person('ann'));
    const codes: unknown[] = [];
    ann.client.on('warning', ({ code }) => codes.push(code));
    await typeAfter(ann, 'Old', ' mine');
    await ann.saved();
    scene.host.change(file.id, docxOf('Theirs'));
    await ann.client.forceSave();
    await eventually(
      async () => codes,
      (all) => all.includes(ServiceError.quireStorageConflict),
    );
    await ann.close();
    await inState(file.id, 'forgotten');
    expect(textOfDocx(file.bytes)).toBe('Theirs');
    expect(await keptOf(file)).toEqual([file.id]);
  });

  it('[WO85] is not given forgotten work when it has another file by then', async () => {
    scene.host.tells = tells;
    const file = scene.newFile(docxOf('Old'));
    const token = scene.host.person('ann');
    const ann = await scene.edit(file, token);
    await typeAfter(ann, 'Old', ' mine');
    await ann.saved();
    scene.host.fail('PUT', { status: 500 });
    await ann.close();
    await endRetries(scene.database.pool, file.id);
    await inState(file.id, 'forgotten');
    scene.host.fail('PUT', { status: 500 }, 0);
    scene.host.change(file.id, docxOf('Theirs'));
    const next = await scene.edit(file, token);
    expect(next.state.doc.textContent).toBe('Theirs');
    await next.close();
    expect((await keptOf(file))[0]).toMatch(/\.kept-/);
  });

  it('[WO86] takes every save of ours', async () => {
    scene.host.tells = tells;
    const file = scene.newFile(docxOf('Text'));
    const ann = await scene.edit(file, scene.host.person('ann'));
    let text = 'Text';
    for (const more of [' 1', ' 2']) {
      await typeAfter(ann, text, more);
      text += more;
      await ann.saved();
      await ann.client.forceSave();
      await stored(file, text);
    }
    await typeAfter(ann, text, ' 3');
    await ann.saved();
    await ann.close();
    await stored(file, `${text} 3`);
    await inState(file.id, 'closed');
    expect(await keptOf(file)).toEqual([]);
  });
});

/** Hosts whose times have several forms. */
const manyForms: [string, WopiTestHost['tells']][] = [
  [
    'answers PutFile without a version or a time',
    {
      version: () => undefined,
      time: (file, by) => (by === 'PUT' ? undefined : new Date(file.modifiedAtMs).toISOString()),
    },
  ],
  [
    'answers PutFile with a time in full seconds',
    {
      version: () => '0',
      time: (file, by) =>
        by === 'PUT'
          ? `${new Date(file.modifiedAtMs).toISOString().slice(0, 19)}Z`
          : new Date(file.modifiedAtMs).toISOString(),
    },
  ],
  [
    'answers PutFile with the time of its answer',
    {
      version: () => '0',
      time: (file, by) => new Date(file.modifiedAtMs + (by === 'PUT' ? 90_000 : 0)).toISOString(),
    },
  ],
  [
    'names another zone each time',
    {
      version: () => '0',
      time: (() => {
        let asked = 0;
        return (file: HostedFile) =>
          asked++ % 2 === 0 ? inZone(file.modifiedAtMs) : new Date(file.modifiedAtMs).toISOString();
      })(),
    },
  ],
];

describe.for(manyForms)('a host that %s', ([, tells]) => {
  it('[WO86] takes every save of ours, and no other is taken for ours', async () => {
    scene.host.tells = tells;
    const file = scene.newFile(docxOf('Text'));
    const token = scene.host.person('ann');
    const ann = await scene.edit(file, token);
    for (const [before, more] of [
      ['Text', ' 1'],
      ['Text 1', ' 2'],
    ] as const) {
      await typeAfter(ann, before, more);
      await ann.saved();
      await ann.client.forceSave();
      await stored(file, before + more);
    }
    await typeAfter(ann, 'Text 1 2', ' 3');
    await ann.saved();
    await ann.close();
    await stored(file, 'Text 1 2 3');
    await inState(file.id, 'closed');
    expect(await keptOf(file)).toEqual([]);
    const next = await scene.edit(file, token);
    await typeAfter(next, 'Text 1 2 3', ' 4');
    await next.saved();
    scene.host.change(file.id, docxOf('Theirs'));
    await next.close();
    await inState(file.id, 'forgotten');
    expect(textOfDocx(file.bytes)).toBe('Theirs');
  });
});

describe('a host that', () => {
  it('[WO86] does not say after a PutFile what it has now is asked again, and not given the file twice', async () => {
    scene.host.tells = { version: () => undefined, time: () => undefined };
    const file = scene.newFile(docxOf('Text'));
    const ann = await scene.edit(file, scene.host.person('ann'));
    await typeAfter(ann, 'Text', ' 1');
    await ann.saved();
    let isAsked = false;
    scene.host.tells = {
      version: () => undefined,
      time: (_file, by) => {
        // Its answers to what follows this PutFile fail.
        if (by === 'PUT' && !isAsked) scene.host.fail('CheckFileInfo', { status: 500 }, 1);
        isAsked ||= by === 'PUT';
        return undefined;
      },
    };
    await ann.close();
    await stored(file, 'Text 1');
    await inState(file.id, 'closed');
    expect(scene.host.seen(file.id, 'PUT')).toHaveLength(1);
  });

  it('[WO85] says nothing of versions and times is asked for the file at each opening', async () => {
    scene.host.tells = { version: () => undefined, time: () => undefined };
    const file = scene.newFile(docxOf('Old'));
    const token = scene.host.person('ann');
    for (const mode of ['edit', 'view']) {
      const first = await scene.join(await scene.page(file, token, { mode }));
      await first.close();
      if (mode === 'edit') await inState(file.id, 'idle');
      scene.host.change(file.id, docxOf(`New for ${mode}`));
      const next = await scene.join(await scene.page(file, token, { mode }));
      expect(next.state.doc.textContent).toBe(`New for ${mode}`);
      await next.close();
      if (mode === 'edit') await inState(file.id, 'idle');
    }
  });

  it('[WO87] is told the time of our copy in its own words, under both names', async () => {
    const file = scene.newFile(docxOf('Text'));
    const told = new Date(file.modifiedAtMs).toISOString().replace('Z', '000Z');
    scene.host.tells = { version: () => '0', time: () => told };
    const ann = await scene.edit(file, scene.host.person('ann'));
    await typeAfter(ann, 'Text', ' 1');
    await ann.saved();
    await ann.close();
    await stored(file, 'Text 1');
    const { headers } = scene.host.seen(file.id, 'PUT')[0]!;
    for (const name of ['timestamp', 'isautosave', 'isexitsave', 'ismodifiedbyuser']) {
      expect(headers[`x-cool-wopi-${name}`]).toBe(headers[`x-lool-wopi-${name}`]);
    }
    expect(headers['x-cool-wopi-timestamp']).toBe(told);
  });
});
