import type { Frame } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasBrowser } from '../support/browser.ts';
import { buildDocx } from '../support/docx-fixture.ts';
import { eventually } from '../support/eventually.ts';
import { newName } from '../support/new-name.ts';
import type { QuireProcess } from '../support/quire-process.ts';
import { type EditorVisit, EditorWorld } from './editor-world.ts';

describe.skipIf(!hasBrowser)('several documents in a page', () => {
  let world: EditorWorld<QuireProcess>;
  beforeAll(async () => {
    world = await EditorWorld.openOwn();
  });
  afterAll(() => world?.close());

  const visitOf = (key: string, text: string, more: Partial<EditorVisit> = {}): EditorVisit => {
    const bytes = buildDocx({ paragraphs: [text, 'Last line.'] });
    const sourceUrl = world.world.integrator.serve(`${key}.docx`, { bytes });
    return { key, user: 'ann', sourceUrl, ...more };
  };

  it.for(['fast', 'strict'] as const)(
    '[EW23] in %s mode refreshFile goes on in place with the new key and what was typed',
    async (mode) => {
      const { quire } = world.world;
      const editorConfig = { coEditing: { mode, change: true } };
      const [older, newer] = [newName(`old-${mode}`), newName(`new-${mode}`)];
      const ann = await world.visit(visitOf(older, 'First line:', { editorConfig }));
      await ann.frame.evaluate(() => {
        (globalThis as { mark?: number }).mark = 1;
      });
      const next = await world.configOf(visitOf(newer, 'Somebody else: First line:', { editorConfig }));
      if (mode === 'fast') await quire.kill();
      await ann.typeAfter('First line:', ' not sent');
      await ann.refresh(next);
      if (mode === 'fast') await quire.restart();
      await ann.showsText('Somebody else: First line: not sent\nLast line.');
      await ann.typeAfter('not sent', ' yet');
      await ann.page.keyboard.press('Control+s');
      await ann.showsSaving(/^(?:Saved on the server|Stored)$/);
      expect(await ann.frame.evaluate(() => (globalThis as { mark?: number }).mark)).toBe(1);
      const bob = await world.visit({ ...visitOf(newer, 'unused'), user: 'bob' });
      expect(await bob.text()).toBe('Somebody else: First line: not sent yet\nLast line.');
      const states = (await ann.events()).filter(({ name }) => name === 'onDocumentStateChange');
      expect(states.at(-1)?.data).toBe(false);
    },
  );

  it('[EW24] of several calls of refreshFile the last counts', async () => {
    const key = newName('hasty');
    const ann = await world.visit(visitOf(key, 'Version 0:'));
    const configs = await Promise.all(
      [1, 2, 3].map((n) => world.configOf(visitOf(`${key}-${n}`, `Version ${n}:`))),
    );
    for (const config of configs) await ann.refresh(config);
    await ann.showsText('Version 3:\nLast line.');
    await ann.typeAfter('Version 3:', ' here');
    await ann.saved();
    expect((await ann.events()).filter(({ name }) => name === 'onError')).toEqual([]);
    expect(ann.problems).toEqual([]);
  });

  it('[EW25] two editors on one page have nothing to do with each other', async () => {
    const { integrator, quire } = world.world;
    const [leftKey, rightKey] = [newName('left'), newName('right')];
    const configs = {
      left: await world.configOf(visitOf(leftKey, 'Left:')),
      right: await world.configOf(visitOf(rightKey, 'Right:')),
    };
    const html = `<!doctype html><meta charset="utf-8"><title>Two</title><link rel="icon" href="data:,">
<style>html, body { margin: 0; height: 100%; display: flex }</style><div id="left"></div><div id="right"></div>
<script src="${quire.address}/web-apps/apps/api/documents/api.js"></script>
<script>
  window.seen = { left: [], right: [] };
  const configs = ${JSON.stringify(configs).replaceAll('<', '\\u003c')};
  window.editors = Object.fromEntries(Object.entries(configs).map(([id, config]) => {
    const names = ['onDocumentReady', 'onDocumentStateChange', 'onError'];
    const events = Object.fromEntries(names.map((name) => [name, ({ data }) => window.seen[id].push([name, data])]));
    return [id, new DocsAPI.DocEditor(id, { ...config, events })];
  }));
</script>`;
    const address = integrator.serve('two.html', {
      bytes: new TextEncoder().encode(html),
      contentType: 'text/html; charset=utf-8',
    });
    const context = await world.newContext({ viewport: { width: 1400, height: 800 } });
    try {
      const page = await context.newPage();
      const problems: string[] = [];
      page.on('pageerror', (error) => problems.push(String(error)));
      await page.goto(address);
      type Seen = Record<'left' | 'right', [string, unknown][]>;
      const seen = () => page.evaluate(() => (globalThis as unknown as { seen: Seen }).seen);
      await eventually(seen, ({ left, right }) => left.length > 0 && right.length > 0);
      const frameOf = async (text: string): Promise<Frame> => {
        for (const frame of page.frames()) {
          if ((await frame.locator('.ProseMirror', { hasText: text }).count()) > 0) return frame;
        }
        throw new Error(`no editor shows ${text}`);
      };
      const [left, right] = [await frameOf('Left:'), await frameOf('Right:')];
      const place = (frame: Frame) => frame.locator('.ProseMirror p').first();
      await place(left).click();
      await page.keyboard.press('End');
      await page.keyboard.type(' one');
      await place(right).click();
      await page.keyboard.press('End');
      await page.keyboard.type(' two');
      await place(left).click();
      await page.keyboard.press('Control+z');
      await place(right).click();
      await page.keyboard.press('Control+s');
      await integrator.waitForCallback(rightKey, ({ status }) => status === 6);
      await eventually(
        () => Promise.all([place(left).textContent(), place(right).textContent()]),
        ([one, other]) => one === 'Left:' && other === 'Right: two',
      );
      expect(integrator.callbacksOf('left')).toEqual([]);
      const heard = await seen();
      for (const events of [heard.left, heard.right]) {
        expect(events.filter(([name]) => name !== 'onDocumentStateChange')).toEqual([
          ['onDocumentReady', undefined],
        ]);
      }
      await page.evaluate(() =>
        (
          globalThis as unknown as { editors: { left: { destroyEditor(): void } } }
        ).editors.left.destroyEditor(),
      );
      await place(right).click();
      await page.keyboard.press('End');
      await page.keyboard.type('!');
      expect(await place(right).textContent()).toBe('Right: two!');
      expect(problems).toEqual([]);
    } finally {
      await context.close();
    }
  });
});
