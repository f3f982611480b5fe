import type { Browser, FrameLocator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DocumentSummary, personHeader, type VersionSummary } from '../../example/api.ts';
import { hasBrowser, newContext, openBrowser } from '../support/browser.ts';
import { CuttableProxy } from '../support/e2e-proxy.ts';
import { openTestDatabase, type TestDatabase } from '../support/postgres.ts';
import { QuireProcess } from '../support/quire-process.ts';

/** Where pictures of the pages are left, for people to look at. */
const shots = process.env.SCREENSHOTS_DIR;

describe.skipIf(!hasBrowser)('the example’s answers to the editor', () => {
  let database: TestDatabase;
  let quire: QuireProcess;
  let browser: Browser;

  beforeAll(async () => {
    database = await openTestDatabase();
    [quire, browser] = await Promise.all([
      QuireProcess.start({ DATABASE_URL: database.url, EXAMPLE_ENABLED: 'true', CLOSING_GRACE_MS: '200' }),
      openBrowser(),
    ]);
  });
  afterAll(async () => {
    await browser?.close();
    await quire?.remove();
    await database?.close();
  });

  const ask = async <Answer>(method: string, where: string, body?: unknown): Promise<Answer> => {
    const response = await fetch(`${quire.address}/example/api/${where}`, {
      method,
      headers: { [personHeader]: 'ann', 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${method} ${where}: ${response.status} ${await response.text()}`);
    return (await response.json()) as Answer;
  };
  const create = (title: string) => ask<DocumentSummary>('POST', 'documents', { template: 'minutes', title });
  const versionsOf = async (id: string) =>
    (await ask<{ versions: VersionSummary[] }>('GET', `documents/${id}`)).versions;

  async function open(where: string, address = quire.address): Promise<[Page, FrameLocator]> {
    const context = await newContext(browser, { viewport: { width: 1280, height: 860 } });
    const page = await context.newPage();
    await page.goto(`${address}/example/${where}`);
    const frame = page.frameLocator('iframe >> nth=0');
    await frame.locator('.ProseMirror').waitFor();
    return [page, frame];
  }
  async function choose(frame: FrameLocator, entry: string): Promise<void> {
    await frame.locator('.menu-bar').getByRole('button', { name: 'File', exact: true }).click();
    await frame.locator('[role^="menuitem"]', { hasText: entry }).click();
  }
  async function typeAfter(page: Page, frame: FrameLocator, before: string, text: string): Promise<void> {
    await frame.locator('[contenteditable=true]').getByText(before).click();
    await page.keyboard.press('End');
    await page.keyboard.type(text);
    await frame.getByRole('button', { name: /Saved on the server|Stored/ }).waitFor();
  }

  it('[EH28] rename, a stored version, its history with marks, restoring and a copy go through the real editor', async () => {
    const { id } = await create('Plan');
    const [page, frame] = await open(`?document=${id}`);
    await choose(frame, 'Rename');
    await frame.locator('dialog input[name=name]').fill('Garden plan');
    await frame.locator('dialog').getByRole('button', { name: 'Rename' }).click();
    await page.getByRole('heading', { name: 'Garden plan' }).waitFor();

    await typeAfter(page, frame, 'Apple trees along the south wall', ' and pears');
    await page.keyboard.press('Control+s');
    await expect.poll(async () => (await versionsOf(id)).length).toBe(2);
    await choose(frame, 'Version history');
    const newest = frame.locator('.version').first();
    await newest.waitFor();
    await newest.click();
    await frame.locator('.version-inserted', { hasText: 'and pears' }).first().waitFor();
    if (shots) await page.screenshot({ path: `${shots}/H-example-history.png` });
    await frame.locator('.version').last().click();
    await frame.getByRole('button', { name: 'Restore this version' }).click();
    await frame.locator('dialog[open]').getByRole('button', { name: 'Restore', exact: true }).click();
    await expect.poll(async () => (await versionsOf(id)).map(({ origin }) => origin)[0]).toBe('restored');
    const text = frame.locator('[contenteditable=true]');
    await text.getByText('Apple trees along the south wall', { exact: true }).waitFor();

    await choose(frame, 'Save a copy');
    await page.getByText('is saved as a new document').first().waitFor();
    const { documents } = await ask<{ documents: DocumentSummary[] }>('GET', 'documents');
    expect(documents.filter(({ title }) => title.startsWith('Garden plan'))).toHaveLength(2);
    await choose(frame, 'New document');
    await page.getByRole('heading', { name: 'Documents', exact: true }).waitFor();
  });

  it('[EH29] a reader who asks to edit is answered, and people have their pictures', async () => {
    const { id } = await create('Read only');
    const [page] = await open(`?document=${id}&with=yara`);
    const reader = page.frameLocator('.pane:nth-child(2) iframe');
    await reader.locator('.edit-rights').click();
    await reader.getByText('Yara Haddad').first().waitFor();
    await page.frameLocator('.pane:nth-child(1) iframe').getByRole('button', { name: 'People' }).click();
    await page.frameLocator('.pane:nth-child(1) iframe').locator('.people img').first().waitFor();
  });

  it('[EH30] somebody whose session was stored while they were away goes on in the next one', async () => {
    const { id } = await create('Away');
    const away = await CuttableProxy.to(quire.address);
    const port = Number(new URL(away.address).port);
    const [page, frame] = await open(`?document=${id}`, away.address);
    await typeAfter(page, frame, 'Apple trees along the south wall', ' before');
    await away.close();
    await expect.poll(async () => (await versionsOf(id)).length).toBe(2);
    await page.keyboard.type(' and meanwhile');
    const back = await CuttableProxy.to(quire.address, port);
    try {
      const text = frame.locator('[contenteditable=true]');
      const shown = async () => (await text.allTextContents()).join();
      await expect.poll(shown).toContain('south wall before and meanwhile');
      await frame.getByRole('button', { name: /Saved on the server|Stored/ }).waitFor();
      await page.context().close();
      await expect.poll(async () => (await versionsOf(id)).length).toBe(3);
    } finally {
      await back.close();
    }
  });
});
