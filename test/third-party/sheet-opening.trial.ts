import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fetchFile } from '../support/word-editor.ts';
import { realX2t, startX2t } from '../support/x2t.ts';
import { buildXlsx } from '../support/xlsx-fixture.ts';
import { hasEditors, needsEditors } from './editor-driver.ts';
import { SheetPage } from './sheet-page.ts';
import { SheetWorld } from './sheet-world.ts';

const timeout = 240_000;
/** The editors are 20 MB of script each: on a busy machine they take their time to start. */
const openingMs = 90_000;

describe.skipIf(!hasEditors)(`a table ${needsEditors}`, { timeout }, () => {
  let world: SheetWorld;
  let directory: string;

  beforeAll(async () => {
    [world, directory] = await Promise.all([
      SheetWorld.open(),
      mkdtemp(path.join(os.tmpdir(), 'quire-locked-')),
    ]);
  }, timeout);
  afterAll(async () => {
    await world?.close();
    await rm(directory, { recursive: true, force: true });
  });

  it('[TS11] of plain text is opened with what its reader says of it, and saved in the same way', async () => {
    const key = world.newKey();
    const sourceUrl = world.office.serve('list.csv', Buffer.from('name;number\nMüller;1\n'));
    const page = await world.office.start(world.visitOf('ann', key, { sourceUrl, fileType: 'csv' }));
    await page.event('onAppReady', openingMs);
    await page.find('.open-dlg button.primary').click({ timeout: openingMs });
    await page.ready();
    const ann = new SheetPage(page);
    await ann.shows('A2', 'Müller');
    await ann.enter('B2', '12');
    await page.saved();
    await page.leave();
    const { body } = await world.office.callback(key, [2]);
    expect(body.filetype).toBe('csv');
    expect(Buffer.from(await fetchFile(body.url)).toString()).toMatch(/name;number\r?\nMüller;12/);
  });

  it('[TS12] under a password is opened by whoever knows it, and by nobody else', async () => {
    const x2t = await startX2t(realX2t!, { dataDir: directory });
    const plain = { bytes: buildXlsx([['secret', 1]]), fileType: 'xlsx' };
    const locked = await x2t.convert({ ...plain, options: { savePassword: 'größer' } }, 'xlsx');
    const key = world.newKey();
    const sourceUrl = world.office.serve('locked.xlsx', locked);
    const page = await world.office.start(world.visitOf('ann', key, { sourceUrl }));
    await page.event('onAppReady', openingMs);
    const password = page.find('.open-dlg input[type=password]');
    await password.fill('wrong', { timeout: openingMs });
    await page.press('Enter');
    await page.find('.open-dlg .input-field.error').waitFor({ timeout: openingMs });
    expect((await page.events()).map(({ name }) => name)).not.toContain('onDocumentReady');
    await page.answerPassword('größer');
    await page.ready();
    await new SheetPage(page).shows('A1', 'secret');
  });

  it.for([
    ['csv', /^(?:\xEF\xBB\xBF)?1,2,3\r?\n4,5,6/],
    ['ods', /^PK.*mimetypeapplication\/vnd\.oasis\.opendocument\.spreadsheet/s],
    ['pdf', /^%PDF-/],
  ] as const)('[TS13] is downloaded as %s', async ([fileType, wanted]) => {
    const ann = await world.join('ann', world.newKey());
    await ann.office.forgetEvents();
    // The editor loads what it asks about a pdf after it has said that it is ready.
    await ann.office.frame.waitForFunction(() => {
      const { SSE } = globalThis as { SSE?: { Views?: { PrintSettings?: unknown } } };
      return SSE?.Views?.PrintSettings !== undefined;
    });
    await ann.office.call('downloadAs', fileType);
    // About pages the editor asks first.
    if (fileType === 'pdf') await ann.office.find('.asc-window button.primary').click();
    const { data } = await ann.office.event('onDownloadAs');
    const { url, fileType: given } = data as { url: string; fileType: string };
    expect(given).toBe(fileType);
    expect(
      Buffer.from(await fetchFile(url))
        .toString('latin1')
        .slice(0, 300),
    ).toMatch(wanted);
  });
});
