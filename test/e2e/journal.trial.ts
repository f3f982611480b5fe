import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Recovered } from '../../client/replica/unsent-changes.ts';
import type { WordSession, WordSessionOptions } from '../../client/word/word-session.ts';
import { unsentStoreContract } from '../contract/unsent-store.ts';
import { hasBrowser, newContext, openBrowser } from '../support/browser.ts';
import { buildDocx } from '../support/docx-fixture.ts';
import { CuttableProxy } from '../support/e2e-proxy.ts';
import { inStep, paragraphWith, typeAfter } from '../support/e2e-text.ts';
import { EndToEndWorld, type Visit } from '../support/e2e-world.ts';
import { eventually } from '../support/eventually.ts';
import type * as journalPage from '../support/journal-page.ts';
import { newName } from '../support/new-name.ts';

/** What the page script leaves on `window`. */
interface JournalPage {
  journal: typeof journalPage;
  session: WordSession;
  found: Pick<Recovered, 'applied' | 'lost' | 'text'>[];
}

/** In a page: lets nobody else write into a database, as long as the page is there. */
function hold(name: string): Promise<void> {
  interface Request {
    onsuccess: () => void;
    result: {
      transaction(stores: string[], mode: string): { objectStore(name: string): { count(): Request } };
    };
  }
  const { indexedDB } = globalThis as unknown as { indexedDB: { open(name: string): Request } };
  return new Promise((resolve) => {
    const opening = indexedDB.open(name);
    opening.onsuccess = () => {
      const records = opening.result.transaction(['records', 'changes', 'snapshots'], 'readwrite');
      const again = () => {
        resolve();
        records.objectStore('records').count().onsuccess = again;
      };
      records.objectStore('records').count().onsuccess = again;
    };
  });
}

async function bundle(): Promise<string> {
  const result = await build({
    entryPoints: [fileURLToPath(new URL('../support/journal-page.ts', import.meta.url))],
    bundle: true,
    platform: 'browser',
    format: 'iife',
    globalName: 'journal',
    write: false,
    logLevel: 'silent',
  });
  return result.outputFiles[0]!.text;
}

describe.skipIf(!hasBrowser)('the journal of unsent changes in Chromium', () => {
  let world: EndToEndWorld;
  let browser: Browser;
  let script: string;

  beforeAll(async () => {
    [world, browser, script] = await Promise.all([EndToEndWorld.open(), openBrowser(), bundle()]);
  });
  afterAll(async () => {
    await browser?.close();
    await world?.close();
  });

  async function openPage(context: BrowserContext): Promise<Page> {
    const page = await context.newPage();
    await page.goto(`${world.quire.address}/index.html`);
    await page.addScriptTag({ content: script });
    return page;
  }

  /** A tab of a person's browser in which a document is open. */
  async function openTab(context: BrowserContext, visit: Visit, file?: string): Promise<Page> {
    const page = await openPage(context);
    const options = { ...(await world.optionsOf(visit)), ...(file && { file }) };
    await page.evaluate(
      async (given) => {
        const page = globalThis as unknown as JournalPage;
        page.found = [];
        page.session = new page.journal.WordSession({
          ...(given as unknown as WordSessionOptions),
          store: new page.journal.IndexedDbUnsentStore(),
          onRecovered: ({ applied, lost, text }) => page.found.push({ applied, lost, text }),
        });
        await page.session.open();
      },
      options as Record<string, unknown>,
    );
    return page;
  }

  /** Types at the end of a paragraph, given by its number. */
  const typeIn = (page: Page, paragraph: number, text: string) =>
    page.evaluate(
      ({ at, letters }) => {
        const { session } = globalThis as unknown as JournalPage;
        for (const letter of letters) {
          const { doc, tr } = session.state;
          const end = doc.children.slice(0, at + 1).reduce((size, child) => size + child.nodeSize, -1);
          session.dispatch(tr.insertText(letter, end));
        }
      },
      { at: paragraph, letters: text },
    );
  const statusOf = (page: Page) =>
    page.evaluate(() => (globalThis as unknown as JournalPage).session.savingStatus);
  const foundBy = (page: Page) => page.evaluate(() => (globalThis as unknown as JournalPage).found);
  const textsOf = (page: Page) =>
    page.evaluate(() =>
      (globalThis as unknown as JournalPage).session.state.doc.children.map((block) => block.textContent),
    );

  /** The renderer dies: nothing of the page runs any more. */
  async function crash(page: Page): Promise<void> {
    const crashed = page.waitForEvent('crash');
    const devtools = await page.context().newCDPSession(page);
    devtools.send('Page.crash').catch(() => undefined);
    await crashed;
    await page.close();
  }

  const serve = (key: string, paragraphs: string[]) =>
    world.integrator.serve(`${key}.docx`, { bytes: buildDocx({ paragraphs }) });

  it.for(unsentStoreContract.map(({ title }) => title))('%s, in IndexedDB', async (title) => {
    const context = await newContext(browser);
    const page = await openPage(context);
    await page.evaluate(async (wanted) => {
      const { journal } = globalThis as unknown as JournalPage;
      const rule = journal.unsentStoreContract.find((one) => one.title === wanted)!;
      await rule.check(() => new journal.IndexedDbUnsentStore('contract'));
    }, title);
    await context.close();
  });

  it('[JR30] what a crashed tab had not sent is merged by the next; a tab that lives keeps its own', async () => {
    const key = newName('crashed-tab');
    const sourceUrl = serve(key, ['Written online:', 'Written offline:']);
    const node = await world.join({ key, user: 'nora', sourceUrl });
    const proxy = await CuttableProxy.to(world.quire.address);
    const context = await newContext(browser);
    const first = await openTab(context, { key, user: 'bea', sourceUrl, address: proxy.address });
    await typeIn(first, 0, ' yes');
    await eventually(
      () => statusOf(first),
      ({ unsentCount }) => unsentCount === 0,
    );
    await proxy.close();
    await typeIn(first, 1, ' größe 漢字 🙂');
    await eventually(
      () => statusOf(first),
      ({ journaled, unsentCount }) => journaled && unsentCount > 0,
    );
    await typeAfter(node, 'Written offline', ' no');

    const second = await openTab(context, { key, user: 'bea', sourceUrl });
    expect(await foundBy(second)).toEqual([]);
    expect(await textsOf(second)).toEqual(['Written online: yes', 'Written offline: no']);

    await crash(first);
    const third = await openTab(context, { key, user: 'bea', sourceUrl });
    expect(await foundBy(third)).toEqual([{ applied: 11, lost: 0, text: '' }]);
    await third.evaluate(() => (globalThis as unknown as JournalPage).session.saved());
    await eventually(
      async () => paragraphWith(node.state.doc, 'Written offline').text,
      (text) => text.includes('größe 漢字 🙂') && text.includes(' no'),
    );
    await inStep(node);
    expect(await textsOf(third)).toEqual(node.state.doc.children.map(({ textContent }) => textContent));
    const left = () =>
      third.evaluate(
        (key) =>
          new (globalThis as unknown as JournalPage).journal.IndexedDbUnsentStore().list('bea', key, null),
        key,
      );
    await eventually(left, (records) => records.length === 0);
    await context.close();
    await node.close();
  });

  it('[JR33] what was typed just before a page is left is there again, however busy its database is', async () => {
    const key = newName('busy-database');
    const sourceUrl = serve(key, ['Unsent:']);
    const proxy = await CuttableProxy.to(world.quire.address);
    const context = await newContext(browser);
    const first = await openTab(context, { key, user: 'bea', sourceUrl, address: proxy.address });
    const other = await openPage(context);
    await other.evaluate(hold, 'quire-unsent');
    await proxy.close();
    await typeIn(first, 0, ' kept');
    await first.goto('about:blank');
    await first.close();
    await other.close();
    const second = await openTab(context, { key, user: 'bea', sourceUrl });
    expect(await foundBy(second)).toEqual([{ applied: 5, lost: 0, text: '' }]);
    expect(await textsOf(second)).toEqual(['Unsent: kept']);
    await second.evaluate(() => (globalThis as unknown as JournalPage).session.saved());
    await eventually(
      () =>
        second.evaluate(() => Object.keys((globalThis as unknown as { localStorage: object }).localStorage)),
      (names) => !names.some((name) => name.startsWith('quire-unsent')),
    );
    await context.close();
  });

  it('[JR31] after the document was closed and saved, the changes go into its new version', async () => {
    const key = newName('first-version');
    const sourceUrl = serve(key, ['Nora writes here:', 'Bea writes here:', 'Both write here:']);
    const node = await world.join({ key, user: 'nora', sourceUrl });
    const proxy = await CuttableProxy.to(world.quire.address);
    const context = await newContext(browser);
    const file = 'the-file';
    const first = await openTab(context, { key, user: 'bea', sourceUrl, address: proxy.address }, file);
    await proxy.close();
    await typeIn(first, 1, ' kept');
    await typeIn(first, 2, ' lost');
    await eventually(
      () =>
        first.evaluate(async (key) => {
          const store = new (globalThis as unknown as JournalPage).journal.IndexedDbUnsentStore();
          const [record] = await store.list('bea', key, null);
          return record ? store.snapshot(record.id) : null;
        }, key),
      (snapshot) => snapshot !== null,
    );
    await crash(first);
    await typeAfter(node, 'Nora', ' done');
    const { end, text } = paragraphWith(node.state.doc, 'Both');
    node.dispatch(node.state.tr.delete(end - text.length - 1, end + 1));
    await node.saved();
    await node.close();
    const { body } = await world.integrator.waitForCallback(key, ({ status }) => status === 2);
    // The link is to where the tab had reached the server, which is gone.
    const { pathname, search } = new URL(String(body.url));
    const result = await fetch(`${world.quire.address}${pathname}${search}`);
    const saved = new Uint8Array(await result.arrayBuffer());
    const nextUrl = world.integrator.serve('second-version.docx', { bytes: saved });

    const nextKey = newName('second-version');
    const again = await openTab(context, { key: nextKey, user: 'bea', sourceUrl: nextUrl }, file);
    expect(await foundBy(again)).toEqual([{ applied: 5, lost: 5, text: ' lost' }]);
    expect(await textsOf(again)).toEqual(['Nora writes here: done', 'Bea writes here: kept']);
    await again.evaluate(() => (globalThis as unknown as JournalPage).session.close());
    await world.integrator.waitForCallback(nextKey, ({ status }) => status === 2);
    await context.close();
  });
});
