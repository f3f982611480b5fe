import type { BrowserContext } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasBrowser } from '../support/browser.ts';
import { buildDocx } from '../support/docx-fixture.ts';
import { CuttableProxy } from '../support/e2e-proxy.ts';
import { eventually } from '../support/eventually.ts';
import type { QuireProcess } from '../support/quire-process.ts';
import { fetchFile } from '../support/word-editor.ts';
import { type EditorPage, type EditorVisit, EditorWorld } from './editor-world.ts';

/** Who is gone is waited for until the test is over, or the document is stored at once. */
const waiting = { RECONNECT_GRACE_MS: '120000' };
const storing = { RECONNECT_GRACE_MS: '1000' };

describe.skipIf(!hasBrowser)('coming back after a crash', () => {
  let world: EditorWorld<QuireProcess>;
  const contexts: BrowserContext[] = [];
  beforeAll(async () => {
    world = await EditorWorld.openOwn();
  });
  afterAll(async () => {
    for (const context of contexts) await context.close();
    await world?.close();
  });

  const profile = async (): Promise<BrowserContext> => {
    const context = await world.newContext({ viewport: { width: 1200, height: 800 } });
    contexts.push(context);
    return context;
  };
  const visitOf = (key: string, context: BrowserContext, more: Partial<EditorVisit> = {}): EditorVisit => {
    const bytes = buildDocx({ paragraphs: ['First line:', 'Second line:', 'Third line:'] });
    const sourceUrl = world.world.integrator.serve(`${key}.docx`, { bytes });
    const document = { referenceData: { fileKey: `file of ${key}`, instanceId: 'here' } };
    return { key, user: 'ann', sourceUrl, context, document, ...more };
  };
  /** Everything typed is in the browser's database. */
  const journaled = async (editor: EditorPage): Promise<void> => {
    await editor.showsSaving(/^(?:Offline|Reconnecting)/);
    await editor.frame.locator('.saving-status').click();
    await eventually(
      () => editor.frame.locator('.saving-details dd').allTextContents(),
      ([here]) => /kept if this tab closes$/.test(here ?? ''),
    );
    // A snapshot of what the changes stand on is written when nothing has been sent for a while.
    await eventually(
      () => snapshots(editor),
      (count) => count > 0,
    );
  };
  const snapshots = (editor: EditorPage): Promise<number> =>
    editor.frame.evaluate(
      () =>
        new Promise<number>((resolve, reject) => {
          const opening = indexedDB.open('quire-unsent');
          opening.onerror = () => reject(opening.error);
          opening.onsuccess = () => {
            const counting = opening.result.transaction('snapshots').objectStore('snapshots').count();
            counting.onsuccess = () => {
              opening.result.close();
              resolve(counting.result);
            };
          };
        }),
    );
  const crash = async ({ page }: EditorPage): Promise<void> => {
    const session = await page.context().newCDPSession(page);
    const crashed = page.waitForEvent('crash');
    session.send('Page.crash').catch(() => undefined);
    await crashed;
    await page.close();
  };

  it.for(['closed', 'crashed'] as const)(
    '[EW6] what a %s tab had not sent is in the document of the same key again, and it is said',
    async (how) => {
      const { quire } = world.world;
      const context = await profile();
      const visit = visitOf(`return-${how}`, context);
      const ann = await world.visit(visit);
      await ann.typeAfter('First line:', ' sent');
      await ann.saved();
      await quire.kill();
      try {
        await ann.typeAfter('Second line:', ' not sent');
        await journaled(ann);
        if (how === 'closed') await ann.page.close({ runBeforeUnload: false });
        else await crash(ann);
      } finally {
        await quire.restart(waiting);
      }
      const again = await world.visit(visit);
      await again.showsText('First line: sent\nSecond line: not sent\nThird line:');
      await again.showsNotice(/^9 changes that had not been sent were added to the document$/);
      await again.showsSaving(/^Saved on the server$/);
      expect(again.problems).toEqual([]);
      const later = await world.visit({ ...visit, user: 'bob', context: await profile() });
      expect(await later.text()).toBe('First line: sent\nSecond line: not sent\nThird line:');
    },
  );

  it('[EW7] what was not sent finds its place in the file’s next version, which has a new key', async () => {
    const { quire, integrator } = world.world;
    const context = await profile();
    const visit = visitOf('version-1', context);
    const ann = await world.visit(visit);
    await ann.typeAfter('First line:', ' sent');
    await ann.saved();
    await quire.kill();
    try {
      await ann.typeAfter('Second line:', ' not sent');
      await journaled(ann);
      await crash(ann);
    } finally {
      await quire.restart(storing);
    }
    const { body } = await integrator.waitForCallback('version-1', ({ status }) => status === 2);
    const bytes = await fetchFile(String(body.url));
    const sourceUrl = integrator.serve('version-2.docx', { bytes });
    const again = await world.visit({ ...visit, key: 'version-2', sourceUrl });
    await again.showsText('First line: sent\nSecond line: not sent\nThird line:');
    await again.showsNotice(/^9 changes that had not been sent were added to the document$/);
    await again.showsSaving(/^Saved on the server$/);
    expect(again.problems).toEqual([]);
  });

  it('[EW8] text whose place is gone is offered for copying until it is discarded', async () => {
    const { quire } = world.world;
    const context = await profile();
    const visit = visitOf('placeless', context);
    const ann = await world.visit(visit);
    const bob = await world.visit({ ...visit, user: 'bob', context: await profile() });
    await ann.saved();
    await quire.kill();
    try {
      await ann.typeAfter('Second', ' words without a place');
      await journaled(ann);
      await ann.page.close({ runBeforeUnload: false });
    } finally {
      await quire.restart(waiting);
    }
    await bob.saved();
    await bob.frame.locator('.ProseMirror p', { hasText: 'Second line' }).click({ clickCount: 3 });
    await bob.page.keyboard.press('Delete');
    await bob.page.keyboard.press('Backspace');
    await bob.showsText('First line:\nThird line:');
    await bob.saved();
    const dialogOf = (editor: EditorPage) =>
      editor.frame.getByRole('dialog', { name: 'Text that found no place' });
    for (const time of ['first', 'second']) {
      const again = await world.visit(visit);
      const dialog = dialogOf(again);
      await dialog.waitFor();
      expect(await dialog.locator('textarea').inputValue(), time).toContain('words without a place');
      expect(await again.text()).toBe('First line:\nThird line:');
      if (time === 'second') await dialog.getByRole('button', { name: 'Discard' }).click();
      else await again.page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
      await again.page.close({ runBeforeUnload: false });
    }
    const last = await world.visit(visit);
    expect(await dialogOf(last).count()).toBe(0);
    expect(last.problems).toEqual([]);
  });

  it.for(['answers', 'does not answer'] as const)(
    '[EW29] who was away until the document was stored goes on in the newer version if the page %s',
    async (how) => {
      const { quire, integrator } = world.world;
      await quire.kill();
      await quire.restart(storing);
      const key = `away-${how.replaceAll(' ', '-')}`;
      const context = await profile();
      const proxy = await CuttableProxy.to(quire.address);
      try {
        const unhandled = how === 'answers' ? [] : ['onRequestRefreshFile'];
        const visit = visitOf(key, context, { address: proxy.address, unhandled });
        const ann = await world.visit(visit);
        await ann.typeAfter('First line:', ' sent');
        await ann.saved();
        await context.setOffline(true);
        proxy.cut();
        await ann.typeAfter('Second line:', ' not sent');
        const { body } = await integrator.waitForCallback(key, ({ status }) => status === 2);
        const sourceUrl = integrator.serve(`${key}-2.docx`, { bytes: await fetchFile(String(body.url)) });
        await context.setOffline(false);
        if (how === 'answers') {
          await ann.event('onRequestRefreshFile');
          await ann.refresh(await world.configOf({ ...visit, key: `${key}-2`, sourceUrl }));
        } else {
          await ann.showsNotice(
            /can only be read; changes of yours that were not sent are kept in this browser/,
          );
          const dialog = ann.frame.getByRole('dialog', { name: 'Text that was not sent' });
          expect(await dialog.locator('textarea').inputValue()).toContain('not sent');
          expect(await ann.text()).toBe('First line:\nSecond line:\nThird line:');
          await ann.page.close({ runBeforeUnload: false });
        }
        const next = how === 'answers' ? ann : await world.visit({ ...visit, key: `${key}-2`, sourceUrl });
        await next.showsText('First line: sent\nSecond line: not sent\nThird line:');
        await next.showsSaving(/^Saved on the server$/);
        await next.typeAfter('Third line:', ' on');
        await next.saved();
      } finally {
        await proxy.close();
      }
    },
  );
});
