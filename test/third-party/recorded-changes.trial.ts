import { readdirSync, readFileSync } from 'node:fs';
import { strFromU8, unzipSync } from 'fflate';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import type { ReceivedCallback } from '../support/integrator.ts';
import type { RawClient, Sent } from '../support/raw-client.ts';
import { needsRecordings, type Recording, recordedSaves } from '../support/recorded-changes.ts';
import { save } from '../support/saving.ts';
import { Scene } from '../support/scene.ts';
import { fetchFile, paragraphsOf } from '../support/word-editor.ts';
import { needsX2t, realX2t } from '../support/x2t.ts';

const is = (status: number) => (callback: ReceivedCallback) => callback.status === status;

/** The editors that x2t belongs to, `9.3`; it applies what these record, and what is older only when it fits. */
const ownVersion = realX2t?.version.split('.').slice(0, 2).join('.');
const recordings = recordedSaves?.recordings ?? [];
const own = recordings.find(({ version }) => version.startsWith(`${ownVersion}.`));

/** What the macros of the data set leave in a document. */
function expectEverythingIn(docx: Uint8Array): void {
  const parts = unzipSync(docx);
  const xml = strFromU8(parts['word/document.xml']!);
  expect(paragraphsOf(docx).filter((text) => text !== '')).toEqual(['Add Text.', 'Create Paragraph.']);
  expect(xml.match(/<w:tc>/g)).toHaveLength(2);
  expect(xml.match(/<w:drawing>/g)).toHaveLength(1);
  const [, style] = /<w:pStyle w:val="([^"]+)"/.exec(xml)!;
  const styles = strFromU8(parts['word/styles.xml']!).split('<w:style ');
  expect(styles.find((one) => one.includes(`w:styleId="${style}"`))).toMatch(/w:fill="87cefa"/i);
}

describe.skipIf(!realX2t || !own)(`a document ${needsX2t} ${needsRecordings}`, () => {
  let scene: Scene;

  const open = (environment: Record<string, string> = {}) =>
    Scene.open({ environment: { CONVERTER_PROCESSES: '1', X2T_DIR: realX2t!.directory, ...environment } });
  const sample = (world: Scene, key: string): Sent => {
    const url = world.integrator.serve('sample.docx', { bytes: recordedSaves!.source });
    return { openCmd: { c: 'open', id: key, format: 'docx', url, title: 'sample.docx' } };
  };
  const fileOf = async ({ body }: ReceivedCallback) => fetchFile(body.url);

  /** Saves as editors do, one after the other. Returns how many changes are stored then. */
  async function saveAll(client: RawClient, saves: Recording['saves'], from = 0): Promise<number> {
    let index = from;
    for (const changes of saves) {
      await save(client, changes, {}, index);
      index += changes.length;
    }
    return index;
  }

  beforeAll(async () => {
    scene = await open();
  });
  afterAll(() => scene?.close());

  it.for(recordings.map(({ version, saves }) => [version, saves] as const))(
    '[XR1] typed in editors %s holds all of it when they have left, or is kept as it was with all changes',
    async ([version, saves]) => {
      const key = scene.newKey();
      const { client } = await scene.join(key, 'ann', sample(scene, key));
      await saveAll(client, saves);
      await client.leave();
      const saved = await scene.integrator.waitForCallback(key, ({ status }) => status !== 1);
      const mustFit = version.startsWith(`${ownVersion}.`);
      expect(saved.status).toBeOneOf(mustFit ? [2] : [2, 3]);
      if (saved.status === 2) return expectEverythingIn(await fileOf(saved));
      expect((await scene.command({ c: 'getForgottenList' })).keys).toContain(key);
      expect(await scene.storedChanges(key)).toEqual(saves.flat());
      const { url } = await scene.command({ c: 'getForgotten', key });
      const kept = unzipSync(await fetchFile(url));
      expect(Buffer.compare(kept['base.docx']!, recordedSaves!.source)).toBe(0);
      expect(JSON.parse(strFromU8(kept['changes0.json']!))).toEqual(saves.flat());
    },
  );

  it('[XR2] typed by two in turn holds what both did', async () => {
    const key = scene.newKey();
    const ann = await scene.join(key, 'ann', sample(scene, key));
    const index = await saveAll(ann.client, own!.saves.slice(0, 2));
    const bob = await scene.joinBeside(ann.client, key, 'bob', sample(scene, key));
    const next = await saveAll(bob.client, own!.saves.slice(2, 4), index);
    await saveAll(ann.client, own!.saves.slice(4), next);
    await bob.client.leave();
    await ann.client.leave();
    const saved = await scene.integrator.waitForCallback(key, is(2));
    expectEverythingIn(await fileOf(saved));
    const archive = unzipSync(await fetchFile(saved.body.changesurl));
    const changes = Object.keys(archive).map((name) => JSON.parse(strFromU8(archive[name]!)) as string[]);
    expect(changes).toHaveLength(3);
    expect(changes.flat()).toEqual(own!.saves.flat());
  });

  it('[XR3] is forced to be saved in the middle, and saved once more at the end', async () => {
    const key = scene.newKey();
    const { client } = await scene.join(key, 'ann', sample(scene, key));
    const index = await saveAll(client, own!.saves.slice(0, 2));
    client.send({ type: 'forceSaveStart' });
    const forced = await scene.integrator.waitForCallback(key, is(6));
    const half = await fileOf(forced);
    expect(paragraphsOf(half)).toEqual(['Add Text.', 'Create Paragraph.']);
    await saveAll(client, own!.saves.slice(2), index);
    await client.leave();
    expectEverythingIn(await fileOf(await scene.integrator.waitForCallback(key, is(2))));
  });

  it.concurrent.for([
    ['forced:started', 6],
    ['assembly:started', 2],
    ['assembly:result-stored', 2],
  ] as const)('[XR4] arrives although the worker is killed at %s', async ([FAULT_POINT, status]) => {
    const world = await open({ FAULT_POINT });
    try {
      const key = world.newKey();
      const { client } = await world.join(key, 'ann', sample(world, key));
      await saveAll(client, own!.saves);
      if (status === 6) client.send({ type: 'forceSaveStart' });
      else await client.leave();
      expectEverythingIn(await fileOf(await world.integrator.waitForCallback(key, is(status))));
      expect(convertersOf(world)).toHaveLength(2);
    } finally {
      await world.close();
    }
  });

  it('[XR5] arrives although the worker is killed while x2t runs, and x2t does not outlive it', async () => {
    const world = await open();
    try {
      const key = world.newKey();
      const { client } = await world.join(key, 'ann', sample(world, key));
      await saveAll(client, own!.saves);
      const [worker] = convertersOf(world);
      await client.leave();
      const running = await eventually(
        async () => descendantsOf(worker!),
        (pids) => pids.length > 0,
      );
      process.kill(worker!, 'SIGKILL');
      expectEverythingIn(await fileOf(await world.integrator.waitForCallback(key, is(2))));
      await eventually(
        async () => running.filter((pid) => commandOf(pid).includes('x2t')),
        (left) => left.length === 0,
      );
    } finally {
      await world.close();
    }
  });
});

/** The process numbers of the converters that were ready so far. */
function convertersOf({ quire }: Scene): number[] {
  return quire.log.filter(({ msg }) => msg === 'A converter is ready').map(({ pid }) => Number(pid));
}

function descendantsOf(parent: number): number[] {
  const parents = new Map<number, number>();
  for (const name of readdirSync('/proc')) {
    const stat = /^\d+$/.test(name) ? processFile(Number(name), 'stat') : '';
    const [, parentPid] = /\) \S (\d+)/.exec(stat) ?? [];
    if (parentPid !== undefined) parents.set(Number(name), Number(parentPid));
  }
  const found = [parent];
  for (const one of found) {
    for (const [pid, parentPid] of parents) if (parentPid === one) found.push(pid);
  }
  return found.slice(1);
}

const commandOf = (pid: number) => processFile(pid, 'cmdline');

/** Empty when the process has ended. */
function processFile(pid: number, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8');
  } catch {
    return '';
  }
}
