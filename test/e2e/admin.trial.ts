import { mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { WordSession } from '../../client/word/word-session.ts';
import type { HistoryAnswer, SavesAnswer } from '../../services/admin/api.ts';
import { violations } from '../editor/axe.ts';
import { AdminClient } from '../support/admin-client.ts';
import { hasBrowser, newContext, openBrowser } from '../support/browser.ts';
import { buildDocx } from '../support/docx-fixture.ts';
import { typeAfter } from '../support/e2e-text.ts';
import { EndToEndWorld } from '../support/e2e-world.ts';
import { eventually } from '../support/eventually.ts';
import { accepted } from '../support/integrator.ts';
import type { QuireProcess } from '../support/quire-process.ts';

/** Where pictures of the page are left, for people to look at. */
const shots = process.env.SCREENSHOTS_DIR;

describe.skipIf(!hasBrowser)('the page of the administration', () => {
  let world: EndToEndWorld<QuireProcess>;
  let browser: Browser;
  let page: Page;
  let token: string;
  let sourceUrl: string;

  beforeAll(async () => {
    [world, browser] = await Promise.all([EndToEndWorld.openOwn(), openBrowser()]);
    if (shots) await mkdir(shots, { recursive: true });
    token = (await readFile(path.join(world.quire.dataDir, 'admin-token'), 'utf8')).trim();
    const bytes = buildDocx({ paragraphs: ['Minutes of the meeting', 'It begins.'] });
    sourceUrl = world.integrator.serve('minutes.docx', { bytes });
    page = await (await newContext(browser, { viewport: { width: 1200, height: 800 } })).newPage();
  });
  afterAll(async () => {
    await browser?.close();
    await world?.close();
  });

  const join = (key: string, user: string): Promise<WordSession> => world.join({ key, user, sourceUrl });
  const shoot = async (name: string) => {
    if (shots) await page.screenshot({ path: path.join(shots, `admin-${name}.png`) });
  };
  const section = async (name: string) => {
    await page.getByRole('navigation').getByRole('link', { name, exact: true }).click();
    await page.getByRole('heading', { level: 1, name }).waitFor();
  };
  it('[AP1] a wrong password is refused in words, the right one opens the page and a reload keeps it open', async () => {
    await page.goto(new URL('/', world.quire.adminAddress).href);
    await page.getByLabel('Password or token').fill('guessed');
    await page.keyboard.press('Enter');
    await page.getByText('This is not the password or a token of this server.').waitFor();
    expect(await violations(page)).toEqual([]);
    await shoot('login');
    await page.getByLabel('Password or token').fill(token);
    await page.getByLabel('Your name (optional)').fill('Olga');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('Signed in as Olga').waitFor();
    await page.reload();
    await page.getByText('Signed in as Olga').waitFor();
  });

  it('[AP2] a document with people in it is found, saved, and one of them is sent away and told why', async () => {
    const ann = await join('minutes', 'ann');
    const bob = await join('minutes', 'bob');
    await typeAfter(ann, 'It begins.', ' And goes on.');
    await ann.saved();
    const told: unknown[] = [];
    bob.client.on('warning', ({ message }) => told.push(message));
    const ended = new Promise<void>((resolve) => bob.client.on('ended', () => resolve()));

    await section('Documents');
    await page.getByRole('searchbox').fill('minut');
    await page.getByRole('link', { name: 'minutes.docx' }).click();
    const panel = page.getByRole('complementary');
    await panel.getByText('Name of bob').waitFor();
    await shoot('document');
    expect(await violations(page)).toEqual([]);

    await panel.getByRole('button', { name: 'Save now' }).click();
    await page.getByText('The save was begun; the document stays open.').waitFor();
    await world.integrator.waitForCallback('minutes', ({ status }) => status === 6);
    await panel.getByText(/^(\d+) of \1$/).waitFor();

    await panel.getByRole('button', { name: 'Disconnect Name of bob' }).click();
    const dialog = page.getByRole('dialog', { name: 'Disconnect Name of bob?' });
    await dialog.getByLabel('Message to them (optional)').fill('Please call the help desk.');
    expect(await violations(page)).toEqual([]);
    await shoot('disconnect');
    await page.keyboard.press('Enter');
    await ended;
    expect(told).toEqual(['Please call the help desk.']);
    await panel.getByText('Name of bob').waitFor({ state: 'detached' });
    expect(ann.client.status.connection).toBe('ready');

    await panel.getByRole('button', { name: 'Close document' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Close document' }).click();
    await panel.getByText('Handed over').first().waitFor();
  });

  it('[AP3] a save that its storage refuses says why, and is tried again with success', async () => {
    world.integrator.answer('refused', { status: 507, body: '{"error":1}' });
    const ann = await join('refused', 'ann');
    await typeAfter(ann, 'It begins.', ' Not stored yet.');
    await ann.saved();
    await ann.close();
    const admin = new AdminClient(world.quire.adminAddress, token);
    const waiting = () => admin.get<SavesAnswer>('saves?search=refused&phase=waiting');
    await eventually(waiting, ({ saves }) => saves.length === 1);
    // From here on only the button can be what makes the next attempt.
    const later = `UPDATE saves SET next_attempt_at = now() + interval '1 hour'
      WHERE key = 'refused' AND attempting_since IS NULL`;
    await eventually(
      async () => (await world.database.pool.query(later)).rowCount,
      (count) => count === 1,
    );
    await section('Saves');
    await page.getByLabel('Where it is').selectOption({ label: 'Needs attention' });
    const save = page.getByRole('listitem').filter({ hasText: 'refused.docx' });
    await save.getByText('507').waitFor();
    await shoot('saves');
    expect(await violations(page)).toEqual([]);
    const downloaded = page.waitForEvent('download');
    await save.getByRole('link', { name: /^File \(/ }).click();
    expect((await downloaded).suggestedFilename()).toBe('refused.docx');
    world.integrator.answer('refused', accepted);
    await save.getByRole('button', { name: 'Try again now' }).click();
    await page.getByText('It is tried again now.').waitFor();
    await save.waitFor({ state: 'detached' });
    await page.getByLabel('Where it is').selectOption({ label: 'Handed over' });
    await save.waitFor();
  });

  it('[OB21] all saves that need attention are tried again, and those that cannot be are named with the reason', async () => {
    const admin = new AdminClient(world.quire.adminAddress, token);
    const waiting = () => admin.get<SavesAnswer>('saves?search=many&phase=waiting');
    for (const key of ['many-1', 'many-2', 'many-3']) {
      world.integrator.answer(key, { status: 507, body: '{"error":1}' });
      const ann = await join(key, 'ann');
      await typeAfter(ann, 'It begins.', ' Not stored yet.');
      await ann.saved();
      await ann.close();
    }
    await eventually(waiting, ({ saves }) => saves.length === 3);
    // Only the button makes the next attempts.
    const later = `UPDATE saves SET next_attempt_at = now() + interval '1 hour'
      WHERE key LIKE 'many-%' AND state = 'pending' AND attempting_since IS NULL`;
    await eventually(
      async () => (await world.database.pool.query(later)).rowCount,
      (count) => count === 3,
    );
    for (const key of ['many-1', 'many-3']) world.integrator.answer(key, accepted);
    await page.evaluate('location.hash = "#saves/attention"');
    await page.getByRole('searchbox').fill('many-');
    await page.getByRole('listitem').filter({ hasText: 'many-' }).nth(2).waitFor();
    // Another node begins with one of them, just after the page has asked which there are.
    const busy = `UPDATE saves SET attempting_since = now(), attempting_node = 'another' WHERE key = 'many-2' AND state = 'pending'`;
    await page.route(/saves\?.*limit=200/, async (asked) => {
      const answer = await asked.fetch();
      await world.database.pool.query(busy);
      await asked.fulfill({ response: answer });
    });
    await page.getByRole('button', { name: 'Try all again' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Try all again' }).click();
    const progress = page.getByRole('region', { name: 'Try all again' });
    await progress.getByText(/3 of 3 tried\. 1 could not be tried/).waitFor();
    expect(await progress.getByRole('listitem').count()).toBe(1);
    await shoot('retry-all');
    expect(await violations(page)).toEqual([]);
    await eventually(waiting, ({ saves }) => saves.every(({ key }) => key === 'many-2'));
    await progress.getByRole('button', { name: 'Close' }).click();
    await progress.waitFor({ state: 'detached' });
  });

  it('[OB20] the history is drawn with its axes, and says the same in a table', async () => {
    // The page asks when it is opened and every quarter of a minute; so it is opened when there is something.
    const admin = await AdminClient.of(world.quire);
    await eventually(
      () => admin.get<HistoryAnswer>('history'),
      ({ nodes }) => nodes.some(({ atMs }) => atMs.length > 0),
    );
    await section('History');
    const chart = page.locator('figure', { hasText: 'Memory' });
    await chart.locator('canvas').waitFor();
    expect(await page.locator('figure canvas').count()).toBe(15);
    expect(await chart.getByRole('img').getAttribute('aria-label')).toMatch(/Memory\. .+: now \d+(\.\d)? MB/);
    await chart.getByText('As a table').click();
    expect(await chart.getByRole('row').last().textContent()).toMatch(/\d+:\d\d.*\d MB/);
    // Something is drawn: more than one colour.
    const colours = await page.evaluate(`(() => {
      const canvas = document.querySelector('figure canvas');
      const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
      return new Set(new Uint32Array(data.buffer)).size;
    })()`);
    expect(colours).toBeGreaterThan(2);
    await page.getByLabel('Time shown').selectOption('15 minutes');
    await shoot('history');
    expect(await violations(page)).toEqual([]);
  });

  it('[AP4] every section is without what axe finds wrong, in light and dark, on a phone and from right to left', async () => {
    const names = [
      'Overview',
      'History',
      'Documents',
      'Saves',
      'Queue and workers',
      'Nodes',
      'Configuration',
    ];
    for (const name of names) {
      await section(name);
      await page.getByText('Loading…').waitFor({ state: 'detached' });
      // The other two were looked at with something in them.
      if (name !== 'Documents' && name !== 'Saves') expect(await violations(page)).toEqual([]);
      await shoot(name.toLowerCase().replaceAll(' ', '-'));
    }
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.setViewportSize({ width: 390, height: 800 });
    for (const name of names) {
      await section(name);
      await page.getByText('Loading…').waitFor({ state: 'detached' });
      expect(await page.evaluate('document.documentElement.scrollWidth > innerWidth')).toBe(false);
      await shoot(`phone-${name.toLowerCase().replaceAll(' ', '-')}`);
    }
    for (const name of ['Nodes', 'Saves', 'History']) {
      await section(name);
      await page.getByText('Loading…').waitFor({ state: 'detached' });
      expect(await violations(page)).toEqual([]);
    }
    await page.getByRole('button', { name: /Language/ }).click();
    await page.getByRole('menuitemcheckbox', { name: 'العربية' }).click();
    await page.locator('html[dir=rtl]').waitFor();
    await page.evaluate('location.hash = "#overview"');
    expect(await violations(page)).toEqual([]);
    await shoot('phone-arabic');
  });

  it('[AP5] a paused queue and a drained node are shown to everybody who looks, and a session that is over ends the page', async () => {
    await page.emulateMedia({ colorScheme: 'light' });
    await page.setViewportSize({ width: 1200, height: 800 });
    await page.evaluate('localStorage.clear()');
    await page.reload();
    await section('Queue and workers');
    await page.getByRole('button', { name: 'Pause', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Pause' }).click();
    await page.getByText('The queue is paused: no file is opened').waitFor();
    await page.getByRole('button', { name: 'Go on' }).click();
    await page.getByText('The queue is paused: no file is opened').waitFor({ state: 'detached' });
    await section('Nodes');
    await page.getByRole('button', { name: 'Drain' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Drain' }).click();
    await page.getByText('Drained: nobody is here any more. It can be stopped.').waitFor();
    await shoot('drained');
    await page.getByRole('button', { name: 'Accept people again' }).click();
    await page.getByText('Drained: nobody is here any more.').waitFor({ state: 'detached' });
    await page.context().clearCookies();
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
  });
});
