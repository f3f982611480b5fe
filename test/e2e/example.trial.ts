import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { WordSession } from '../../client/word/word-session.ts';
import { openDocx } from '../../converter/engines/ooxml/docx/docx-engine.ts';
import { type DocumentSummary, personHeader, type VersionSummary } from '../../example/api.ts';
import { violations } from '../editor/axe.ts';
import { hasBrowser, newContext, openBrowser } from '../support/browser.ts';
import { buildDocx } from '../support/docx-fixture.ts';
import { typeAfter } from '../support/e2e-text.ts';
import type { OpenedConfig } from '../support/example-world.ts';
import { buildPdf } from '../support/pdf-fixture.ts';
import { openTestDatabase, type TestDatabase } from '../support/postgres.ts';
import { QuireProcess } from '../support/quire-process.ts';

/** Where pictures of the pages are left, for people to look at. */
const shots = process.env.SCREENSHOTS_DIR;

let database: TestDatabase;
let quire: QuireProcess;
const sessions: WordSession[] = [];

beforeAll(async () => {
  database = await openTestDatabase();
  quire = await QuireProcess.start({
    DATABASE_URL: database.url,
    EXAMPLE_ENABLED: 'true',
    CLOSING_GRACE_MS: '200',
  });
});
afterAll(async () => {
  await quire?.remove();
  await database?.close();
});
afterEach(() => {
  for (const session of sessions.splice(0)) session.client.abort();
});

const api = (where: string) => `${quire.address}/example/api/${where}`;
const ask = async <Answer>(method: string, where: string, body?: unknown): Promise<Answer> => {
  const response = await fetch(api(where), {
    method,
    headers: { [personHeader]: 'ann', 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${method} ${where}: ${response.status} ${await response.text()}`);
  return (await response.json()) as Answer;
};
const create = (title: string, template = 'minutes') =>
  ask<DocumentSummary>('POST', 'documents', { template, title });
const versions = async (id: string) =>
  (await ask<{ versions: VersionSummary[] }>('GET', `documents/${id}`)).versions;
const textOf = async (id: string, version: number) => {
  const file = await fetch(api(`documents/${id}/versions/${version}/file`));
  return openDocx(new Uint8Array(await file.arrayBuffer())).doc.textContent;
};

/** Opens a document with what the example gives its pages, as their editor would. */
async function join(id: string, as: string, more = ''): Promise<WordSession> {
  const config = await ask<OpenedConfig>('GET', `documents/${id}/config?as=${as}${more}`);
  const { document, editorConfig, token } = config;
  const session = new WordSession({
    url: quire.address,
    key: document.key,
    transport: 'websocket',
    token,
    clientId: `${as}-${sessions.length}`,
    auth: {
      user: { id: editorConfig.user.id, username: editorConfig.user.name },
      permissions: document.permissions,
      mode: editorConfig.mode,
      coEditingMode: 'fast',
      ...(editorConfig.callbackUrl !== undefined && { documentCallbackUrl: editorConfig.callbackUrl }),
      openCmd: { format: 'docx', url: document.url, title: document.title },
    },
    reconnect: { initialDelayMs: 20, maxDelayMs: 100 },
  });
  sessions.push(session);
  await session.open();
  return session;
}

describe('the example beside a real document server', () => {
  it('[EX21] what two people write comes back as a version with both names, and is opened next', async () => {
    const { id } = await create('Written together');
    const [ann, bob] = [await join(id, 'ann'), await join(id, 'bob')];
    const editing = async () => (await summary(id)).editing;
    await expect.poll(async () => (await editing()).sort()).toEqual(['ann', 'bob']);
    await typeAfter(ann, 'Apple trees', ' and pears');
    await ann.saved();
    await typeAfter(bob, 'A new shed', ' with a view');
    await bob.saved();
    await ann.close();
    await bob.close();
    await expect.poll(async () => (await versions(id)).length).toBe(2);
    const [second] = await versions(id);
    expect(second).toMatchObject({ number: 2, origin: 'saved', hasChanges: true });
    expect(second!.people.map(({ name }) => name).sort()).toEqual(['Ann Lindqvist', 'Bob Okafor']);
    const text = await textOf(id, 2);
    expect(text).toContain('Apple trees along the south wall and pears');
    expect(text).toContain('with a view');
    await expect.poll(editing).toEqual([]);

    const again = await join(id, 'bob');
    expect(again.state.doc.textContent).toBe(text);
    const earlier = await join(id, 'bob', '&version=1');
    expect(earlier.state.doc.textContent).toBe(await textOf(id, 1));
    expect(earlier.client.status.readOnly).toBe(true);
  });

  it('[EX22] a version is restored while somebody writes, and nothing they wrote is lost', async () => {
    const { id } = await create('Restored');
    const ann = await join(id, 'ann');
    await typeAfter(ann, 'A new shed', ' that is not to stay');
    await ann.saved();
    ann.client.on('ended', () => undefined);
    await ask('POST', `documents/${id}/versions/1/restore`);
    const all = await versions(id);
    expect(all.map(({ origin }) => origin)).toEqual(['restored', 'saved', 'created']);
    expect(await textOf(id, 2)).toContain('that is not to stay');
    expect(await textOf(id, 3)).toBe(await textOf(id, 1));
    const next = await join(id, 'bob');
    expect(next.state.doc.textContent).toBe(await textOf(id, 1));
  });

  it('[EX1] the welcome page leads to the example', async () => {
    const welcome = await (await fetch(`${quire.address}/`)).text();
    expect(welcome).toContain('href="../example/"');
    expect((await fetch(`${quire.address}/example`)).url).toBe(`${quire.address}/example/`);
  });
});

const summary = async (id: string) =>
  (await ask<{ document: DocumentSummary }>('GET', `documents/${id}`)).document;

describe.skipIf(!hasBrowser)('the pages in Chromium', () => {
  let browser: Browser;
  const problems: string[] = [];
  beforeAll(async () => {
    browser = await openBrowser();
    if (shots) await mkdir(shots, { recursive: true });
  });
  afterAll(() => browser?.close());
  afterEach(async () => {
    for (const context of browser.contexts()) await context.close();
    expect(problems.splice(0)).toEqual([]);
  });

  async function openPage(where = '', options: BrowserContextOptions = {}): Promise<Page> {
    const context = await newContext(browser, { viewport: { width: 1280, height: 860 }, ...options });
    const page = await context.newPage();
    page.on('pageerror', (error) => {
      // Frames report for themselves.
      if (error.stack?.includes('/example/assets/')) problems.push(String(error));
    });
    page.on('console', (message) => {
      const { url } = message.location();
      // What the server refuses on purpose is in the console, too.
      const isOurs = url.includes('/example/') && !message.text().startsWith('Failed to load resource');
      if (message.type() === 'error' && isOurs) problems.push(message.text());
    });
    await page.goto(`${quire.address}/example/${where}`);
    return page;
  }
  const shoot = async (page: Page, name: string) => {
    if (shots) await page.screenshot({ path: path.join(shots, `example-${name}.png`) });
  };
  const row = (page: Page, title: string) => page.locator('.document').filter({ hasText: title });

  it('[EX23] an empty list says what to do, and a template makes a document that is opened', async () => {
    for (const { id } of (await ask<{ documents: DocumentSummary[] }>('GET', 'documents')).documents) {
      await ask('DELETE', `documents/${id}`);
    }
    const page = await openPage();
    await page.getByText('No documents yet').waitFor();
    await shoot(page, 'empty');
    expect(await violations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Minutes' }).click();
    await page.locator('iframe').waitFor();
    expect(page.url()).toMatch(/\?document=[0-9a-f]{16}$/);
    await page.getByRole('link', { name: 'Documents' }).click();
    await row(page, 'Minutes').waitFor();
  });

  it('[EX23] a file is uploaded, renamed, deleted and brought back', async () => {
    const page = await openPage();
    const bytes = Buffer.from(buildDocx({ paragraphs: ['From a file'] }));
    const upload = async (name: string, buffer: Buffer) => {
      const mimeType = 'application/octet-stream';
      await page.locator('input[type=file]').setInputFiles({ name, mimeType, buffer });
    };
    await upload('Contract.docx', bytes);
    await row(page, 'Contract').waitFor();
    await upload('Broken.docx', Buffer.from('not a docx'));
    await page.getByText('Broken.docx was not uploaded').waitFor();
    await page.getByText('It may be damaged').waitFor();
    await shoot(page, 'upload-refused');
    await page.locator('.upload-failed').getByRole('button', { name: 'Dismiss' }).click();

    await page.getByRole('button', { name: 'More for Contract' }).click();
    await page.getByRole('menuitem', { name: 'Rename' }).click();
    await page.getByLabel('Title').fill('Lease');
    await page.keyboard.press('Enter');
    await row(page, 'Lease').waitFor();

    await page.getByRole('button', { name: 'More for Lease' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await row(page, 'Lease').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Undo' }).click();
    await row(page, 'Lease').waitFor();
  });

  it('[EX33] what has no editor is shown for reading, and the list says so', async () => {
    const page = await openPage();
    const buffer = Buffer.from(buildPdf([{ lines: ['A plan of the garden'] }]));
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'Garden.pdf', mimeType: 'application/pdf', buffer });
    await row(page, 'Garden').waitFor();
    await page.getByText('There is no editor for pdf files here yet').waitFor();
    await page.getByRole('link', { name: 'Garden', exact: false }).first().click();
    const frame = page.frameLocator('iframe');
    await frame.locator('.textLayer', { hasText: 'A plan of the garden' }).waitFor();
    await shoot(page, 'viewer');
  });

  it('[EX23] the list follows what happens elsewhere, by itself', async () => {
    const page = await openPage();
    await page.locator('.templates').first().waitFor();
    const { id, title } = await create('Made elsewhere');
    await row(page, title).waitFor();
    const bob = await join(id, 'bob');
    await row(page, title).getByLabel('Editing now: Bob Okafor').waitFor();
    await typeAfter(bob, 'Apple trees', '!');
    await bob.saved();
    await bob.close();
    await row(page, title).getByRole('button', { name: '2 versions' }).waitFor();
    await create('Letter to the boatyard', 'letter');
    await create('Field report', 'report');
    await row(page, 'Field report').waitFor();
    await page.getByText('No connection').waitFor({ state: 'detached' });
    await shoot(page, 'list');
    expect(await violations(page)).toEqual([]);
    await page.emulateMedia({ colorScheme: 'dark' });
    await shoot(page, 'list-dark');
    expect(await violations(page)).toEqual([]);
    await page.emulateMedia({ contrast: 'more' });
    await shoot(page, 'list-contrast');
    expect(await violations(page)).toEqual([]);
  });

  it('[EX24] two people are side by side in one document, and either side can be somebody else', async () => {
    const { id } = await create('Side by side');
    const page = await openPage();
    await row(page, 'Side by side').getByRole('link', { name: 'Open as two people' }).click();
    await expect.poll(() => page.locator('iframe').count()).toBe(2);
    await page.getByRole('region', { name: 'Side by side, open as Ann Lindqvist' }).waitFor();
    await page.getByRole('region', { name: 'Side by side, open as Bob Okafor' }).waitFor();
    await shoot(page, 'side-by-side');
    expect(await violations(page)).toEqual([]);
    await page.getByRole('button', { name: 'This side is Bob Okafor' }).click();
    await page.getByRole('menuitemcheckbox', { name: 'Yara Haddad' }).click();
    await page.getByRole('region', { name: 'Side by side, open as Yara Haddad' }).waitFor();
    expect(new URL(page.url()).search).toBe(`?document=${id}&with=yara`);
    await page.goBack();
    await page.getByRole('region', { name: 'Side by side, open as Bob Okafor' }).waitFor();
    await page.getByRole('button', { name: 'One person' }).click();
    await expect.poll(() => page.locator('iframe').count()).toBe(1);
  });

  it('[EX29] what is typed on one side is seen on the other, and is a version when both have left', async () => {
    const { id } = await create('Typed in pages');
    const page = await openPage(`?document=${id}&with=bob`);
    const [left, right] = [0, 1].map((index) =>
      page.frameLocator(`.pane:nth-child(${index + 1}) iframe`).locator('[contenteditable=true]'),
    ) as [Locator, Locator];
    await left.getByText('Apple trees along the south wall').click();
    await page.keyboard.press('End');
    await page.keyboard.type(' by the gate');
    await right.getByText('Apple trees along the south wall by the gate').waitFor();
    await shoot(page, 'typed');
    await page.getByRole('link', { name: 'Documents' }).click();
    await row(page, 'Typed in pages').getByRole('button', { name: '2 versions' }).waitFor();
    expect(await textOf(id, 2)).toContain('south wall by the gate');

    await row(page, 'Typed in pages').getByRole('link', { name: 'Open Typed in pages' }).click();
    const editor = page.frameLocator('iframe').locator('[contenteditable=true]');
    await editor.getByText('by the gate').waitFor();
    await page.getByRole('button', { name: 'Versions' }).click();
    await page.getByRole('button', { name: 'Restore version 1' }).click();
    await page.getByRole('button', { name: 'Restore', exact: true }).click();
    await page.getByRole('listitem').getByText('Version 1 again').waitFor();
    await editor.getByText('Apple trees along the south wall', { exact: true }).waitFor();
    await shoot(page, 'restored');
  });

  it('[EX23] versions are looked at, downloaded and restored', async () => {
    const { id } = await create('History');
    const bob = await join(id, 'bob');
    await typeAfter(bob, 'Apple trees', ' of Bob');
    await bob.saved();
    await bob.close();
    await expect.poll(async () => (await versions(id)).length).toBe(2);
    const page = await openPage();
    await row(page, 'History').getByRole('button', { name: '2 versions' }).click();
    const panel = page.getByRole('complementary', { name: 'Versions' });
    await panel.getByText('Saved after everybody left').waitFor();
    await panel.getByText('Reports of the document server').click();
    await panel.getByText('Saved, everybody has left → Version 2').waitFor();
    await shoot(page, 'versions');
    expect(await violations(page)).toEqual([]);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      panel.getByRole('link', { name: 'Download version 1' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('History (version 1).docx');
    await panel.getByRole('button', { name: 'Restore version 1' }).click();
    await shoot(page, 'restore');
    await page.getByRole('button', { name: 'Restore', exact: true }).click();
    await panel.getByText('Version 1 again').waitFor();
    await panel.getByRole('link', { name: 'View version 2' }).click();
    await page.getByText('You are looking at version 2').waitFor();
    await page.getByRole('link', { name: 'Back to the current version' }).click();
    await page.getByText('You are looking at version 2').waitFor({ state: 'detached' });
  });

  it('[EX23] an account that may only read is told so, and a deleted document can be brought back', async () => {
    const { id } = await create('Deleted');
    const page = await openPage(`?document=${id}`);
    await page.locator('iframe').waitFor();
    await ask('DELETE', `documents/${id}`);
    await page.getByRole('heading', { name: 'This document was deleted' }).waitFor();
    await shoot(page, 'deleted');
    await page.getByRole('button', { name: 'Bring it back' }).click();
    await page.locator('iframe').waitFor();
    await page.getByRole('button', { name: 'Account: Ann Lindqvist' }).click();
    await page.getByRole('menuitemcheckbox', { name: 'Yara Haddad' }).click();
    await page.getByRole('link', { name: 'Documents' }).click();
    await page.getByText('Yara Haddad cannot add or change documents').waitFor();
    expect(await page.getByRole('button', { name: 'Minutes Agenda' }).isDisabled()).toBe(true);
    await page.reload();
    await page.getByRole('button', { name: 'Account: Yara Haddad' }).waitFor();
  });

  it('[EX25] the list works by keyboard alone', async () => {
    await create('By keyboard');
    const page = await openPage();
    await row(page, 'By keyboard').waitFor();
    await page.keyboard.press('Tab');
    expect(await page.locator(':focus').textContent()).toBe('Skip to the documents');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    expect(await page.locator(':focus').getAttribute('aria-label')).toMatch(/^Open /);
    await row(page, 'By keyboard').getByRole('button', { name: 'More for' }).focus();
    await page.keyboard.press('Enter');
    const focused = () => page.locator(':focus').textContent();
    await expect.poll(focused).toBe('Open as two people');
    await page.keyboard.press('End');
    expect(await page.locator(':focus').textContent()).toBe('Delete');
    await page.keyboard.press('Escape');
    await row(page, 'By keyboard').getByRole('link', { name: 'Open By keyboard' }).focus();
    await page.keyboard.press('Enter');
    await page.locator('iframe').waitFor();
  });

  it.each([
    ['phone', { viewport: { width: 390, height: 844 } }, 'Documents'],
    ['german', { locale: 'de-DE' }, 'Dokumente'],
    ['arabic', { locale: 'ar-EG' }, 'المستندات'],
  ])('[EX25] the list fits and speaks: %s', async (name, options, heading) => {
    const title = `Fits ${name}`;
    await create(title);
    const page = await openPage('', options);
    await page.getByRole('heading', { name: heading, exact: true }).waitFor();
    await row(page, title).waitFor();
    const widths = await page
      .locator('.list-main > *, .document, .footer')
      .evaluateAll((elements) => elements.map((element) => element.getBoundingClientRect().right));
    expect(Math.max(...widths)).toBeLessThanOrEqual(page.viewportSize()!.width);
    await shoot(page, `list-${name}`);
    expect(await violations(page)).toEqual([]);
  });
});
