import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { unzipSync } from 'fflate';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildDocx } from '../support/docx-fixture.ts';
import type { ReceivedCallback } from '../support/integrator.ts';
import { QuireProcess } from '../support/quire-process.ts';
import { save } from '../support/saving.ts';
import { Scene, type SignedIn } from '../support/scene.ts';
import { fetchFile, joinWord, paragraphsOf } from '../support/word-editor.ts';
import { installFakeX2t, needsX2t, realX2t } from '../support/x2t.ts';

/** Opens by putting a word before the source, and writes the base and all changes; `damaged` changes do not fit. */
const standIn = `
  to=$(sed -n 's/.*<m_sFileTo>\\(.*\\)<\\/m_sFileTo>.*/\\1/p' "$1")
  if [ -e in/Editor.bin ]; then
    grep -q damaged in/changes/*.json && exit 86
    (head -c 4 in/Editor.bin; cat in/changes/*.json; ls in/media) > "$to"
  else
    mkdir out/media; printf picture > out/media/image1.png
    (printf DOCY; cat in/source.*) > "$to"
  fi`;

const is = (status: number) => (callback: ReceivedCallback) => callback.status === status;

const filesOf = ({ client }: SignedIn): Record<string, string> => {
  const { data } = client.received.find((message) => message.type === 'documentOpen')!;
  return data.data as Record<string, string>;
};
const text = async (url: unknown) => Buffer.from(await fetchFile(url)).toString('latin1');

let directory: string;
let x2tDir: string;

beforeAll(async () => {
  directory = await mkdtemp(path.join(os.tmpdir(), 'quire-binary-'));
  x2tDir = (await installFakeX2t(path.join(directory, 'x2t'), standIn)).directory;
});
afterAll(() => rm(directory, { recursive: true, force: true }));

describe('documents in the binary form', () => {
  let scene: Scene;

  beforeAll(async () => {
    scene = await Scene.open({
      environment: { CONVERTER_PROCESSES: '1', X2T_DIR: x2tDir, X2T_UNCONFINED: 'true' },
    });
  });
  afterAll(() => scene?.close());

  it('[XT15] are what editors that name no model get, and x2t applies their changes when they save and leave', async () => {
    const key = scene.newKey();
    const ann = await scene.join(key, 'ann');
    const files = filesOf(ann);
    expect(Object.keys(files).sort()).toEqual(['Editor.bin', 'media/image1.png']);
    expect(await text(files['Editor.bin'])).toMatch(/^DOCYPK/);
    expect(await text(files['media/image1.png'])).toBe('picture');
    await save(ann.client, ['5;AAAA', '"quoted"']);
    ann.client.send({ type: 'forceSaveStart' });
    expect((await ann.client.next('forceSaveStart')).messages).toMatchObject({ code: 0 });
    const forced = await scene.integrator.waitForCallback(key, is(6));
    expect(await text(forced.body.url)).toBe('DOCY["5;AAAA","\\"quoted\\""]image1.png\n');
    const bob = await scene.joinBeside(ann.client, key, 'bob');
    await save(bob.client, ['6;BBBB'], {}, 2);
    await bob.client.leave();
    await ann.client.leave();
    const { body } = await scene.integrator.waitForCallback(key, is(2));
    expect(await text(body.url)).toBe('DOCY["5;AAAA","\\"quoted\\""]["6;BBBB"]image1.png\n');
    expect(body).toMatchObject({ filetype: 'docx', users: ['bob'] });
    const archive = unzipSync(await fetchFile(body.changesurl));
    expect(Object.keys(archive)).toEqual(['changes0.json', 'changes1.json']);
    expect(Buffer.from(archive['changes0.json']!).toString()).toBe('["5;AAAA","\\"quoted\\""]');
  });

  it('[XT15] are converted once for the same content, and beside the word model', async () => {
    const bytes = buildDocx({ paragraphs: ['Once'] });
    const url = scene.integrator.serve('once.docx', { bytes });
    const opened = async () =>
      (await scene.database.pool.query('SELECT source_hash, opened_at FROM opened_sources')).rows;
    const before = await opened();
    const asked = (key: string) => ({ openCmd: { c: 'open', id: key, format: 'docx', url, title: 'o' } });
    const [first, second] = [scene.newKey(), scene.newKey()];
    await scene.join(first, 'ann', asked(first));
    const after = await opened();
    expect(after).toHaveLength(before.length + 1);
    await scene.join(second, 'ann', asked(second));
    expect(await opened()).toEqual(after);
    const word = await joinWord(scene, scene.newKey(), 'ann');
    expect(word.doc.textContent).toBe('FirstSecond');
  });

  it('[XT16] whose changes x2t cannot apply are kept: base and log go to forgotten storage', async () => {
    const key = scene.newKey();
    const ann = await scene.join(key, 'ann');
    await save(ann.client, ['damaged']);
    await ann.client.leave();
    await scene.integrator.waitForCallback(key, is(3));
    expect((await scene.command({ c: 'getForgottenList' })).keys).toContain(key);
    expect(await scene.storedChanges(key)).toEqual(['damaged']);
    const line = await scene.quire.logged(
      ({ msg, documentKey }) => msg === 'A job ended' && documentKey === key,
    );
    expect(line).toMatchObject({ kind: 'not-assembled', reason: /x2t ended with 86/ });
  });

  it('[XT17] of a format that x2t reads only are saved in the OOXML format of their kind', async () => {
    const key = scene.newKey();
    const url = scene.integrator.serve('flat.fodt', { bytes: Buffer.from('<office:document/>') });
    const ann = await scene.join(key, 'ann', {
      openCmd: { c: 'open', id: key, format: 'fodt', url, title: 'flat.fodt' },
    });
    expect(await text(filesOf(ann)['Editor.bin'])).toBe('DOCY<office:document/>');
    await save(ann.client, ['1;A']);
    await ann.client.leave();
    const { body } = await scene.integrator.waitForCallback(key, is(2));
    expect(body.filetype).toBe('docx');
    expect(String(body.url)).toMatch(/output\.docx/);
  });

  it('[XT17] are refused when x2t does not open files of their kind', async () => {
    const key = scene.newKey();
    const url = scene.integrator.serve('a.bin', { bytes: Buffer.from('something') });
    const client = await scene.connect(key);
    const openCmd = { c: 'open', id: key, format: 'bin', url, title: 'a.bin' };
    client.send(scene.authMessage(key, 'ann', { openCmd }));
    expect((await client.next('documentOpen')).data).toMatchObject({ status: 'err', data: -82 });
  });
});

describe('a server', () => {
  it('[XT18] goes on with documents in the form that their changes are made for', async () => {
    const scene = await Scene.open({ environment: { CONVERTER_PROCESSES: '1' } });
    try {
      const [changed, untouched] = [scene.newKey(), scene.newKey()];
      const ann = await scene.join(changed, 'ann');
      expect(await text(filesOf(ann)['Editor.bin'])).toMatch(/^PK/);
      await save(ann.client, ['1;A']);
      const other = await scene.join(untouched, 'ann');
      other.client.cut();
      await scene.quire.kill();
      await scene.quire.restart({ X2T_DIR: x2tDir, X2T_UNCONFINED: 'true' });
      const again = await scene.join(changed, 'bob');
      expect(await text(filesOf(again)['Editor.bin'])).toMatch(/^PK/);
      const binary = await scene.join(untouched, 'bob');
      expect(await text(filesOf(binary)['Editor.bin'])).toMatch(/^DOCYPK/);
    } finally {
      await scene.close();
    }
  });

  it('[XT19] does not start when X2T_DIR holds no x2t that runs, and says so', async () => {
    const start = QuireProcess.start({ X2T_DIR: path.join(directory, 'none') });
    await expect(start).rejects.toThrow(/x2t in .* cannot be used: there is no program/);
  });
});

describe.skipIf(!realX2t)(`a document ${needsX2t}`, () => {
  it('[XT15] is opened to the binary form and saved by it', async () => {
    const environment = { CONVERTER_PROCESSES: '1', X2T_DIR: realX2t!.directory };
    const scene = await Scene.open({ environment });
    try {
      const key = scene.newKey();
      const ann = await scene.join(key, 'ann');
      expect(await text(filesOf(ann)['Editor.bin'])).toMatch(/^DOCY;v/);
      // Real editors are needed for real changes; one that is none is passed over.
      await save(ann.client, ['no change']);
      await ann.client.leave();
      const { body } = await scene.integrator.waitForCallback(key, is(2));
      expect(paragraphsOf(await fetchFile(body.url))).toEqual(['First', 'Second']);
    } finally {
      await scene.close();
    }
  });
});
