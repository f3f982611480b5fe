import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { WordSession, WordSessionOptions } from '../../client/word/word-session.ts';
import { openDocx } from '../../converter/engines/ooxml/docx/docx-engine.ts';
import { hasBrowser, newContext, openBrowser } from '../support/browser.ts';
import { buildDocx } from '../support/docx-fixture.ts';
import { inStep, paragraphWith, typeAfter } from '../support/e2e-text.ts';
import { EndToEndWorld } from '../support/e2e-world.ts';
import { eventually } from '../support/eventually.ts';
import { newName } from '../support/new-name.ts';

/** What the page script leaves on `window`. */
interface ClientPage {
  client: { WordSession: new (options: WordSessionOptions) => WordSession };
  session: WordSession;
}

const entry = fileURLToPath(new URL('../../client/word/word-session.ts', import.meta.url));

/** The client as one script that a browser runs, and the names of the files in it. */
async function bundle(): Promise<{ script: string; inputs: string[] }> {
  const result = await build({
    entryPoints: [entry],
    bundle: true,
    platform: 'browser',
    format: 'iife',
    globalName: 'client',
    metafile: true,
    write: false,
    logLevel: 'silent',
  });
  return { script: result.outputFiles[0]!.text, inputs: Object.keys(result.metafile.inputs) };
}

describe.skipIf(!hasBrowser)('the client library in Chromium', () => {
  let world: EndToEndWorld;
  let browser: Browser;
  let client: { script: string; inputs: string[] };

  beforeAll(async () => {
    [world, browser, client] = await Promise.all([EndToEndWorld.open(), openBrowser(), bundle()]);
  });
  afterAll(async () => {
    await browser?.close();
    await world?.close();
  });

  /** A page of the server's own origin, as an editor's is, with the client in it. */
  async function openPage(): Promise<Page> {
    const page = await (await newContext(browser)).newPage();
    await page.goto(`${world.quire.address}/index.html`);
    await page.addScriptTag({ content: client.script });
    return page;
  }

  it('[E10] the bundle has nothing of Node in it', () => {
    // Of `ws` there are the few lines that it has for browsers, and no more.
    const ofNode = /node_modules\/(ws\/(?!browser\.js$)|xmlhttprequest-ssl\/)/;
    expect(client.inputs.filter((name) => ofNode.test(name))).toEqual([]);
  });

  it.for([
    ['E11', 'websocket'],
    ['E12', 'polling'],
    ['E13', 'plain'],
  ] as const)('[%s] a browser on %s and a client in Node see each other’s edits', async ([, transport]) => {
    const key = newName(`browser-${transport}`);
    const source = buildDocx({ paragraphs: ['From the browser:', 'From Node:'] });
    const sourceUrl = world.integrator.serve(`${key}.docx`, { bytes: source });
    const node = await world.join({ key, user: 'nora', sourceUrl });
    const page = await openPage();
    const options = await world.optionsOf({ key, user: 'bea', sourceUrl, transport });
    await page.evaluate(
      async (given) => {
        const scope = globalThis as unknown as ClientPage;
        scope.session = new scope.client.WordSession({ ...given, clientId: 'bea' } as WordSessionOptions);
        await scope.session.open();
      },
      options as Record<string, unknown>,
    );
    await page.evaluate(async () => {
      const { session } = globalThis as unknown as ClientPage;
      for (const letter of ' größe 漢字 🙂') {
        // The end of the first paragraph.
        session.dispatch(session.state.tr.insertText(letter, session.state.doc.child(0).nodeSize - 1));
      }
      await session.saved();
    });
    await eventually(
      async () => paragraphWith(node.state.doc, 'From the browser').text,
      (text) => text === 'From the browser: größe 漢字 🙂',
    );
    await typeAfter(node, 'From Node', ' hello');
    await inStep(node);
    await eventually(
      () => page.evaluate(() => (globalThis as unknown as ClientPage).session.state.doc.child(1).textContent),
      (text) => text === 'From Node: hello',
    );
    await node.close();
    await page.evaluate(() => (globalThis as unknown as ClientPage).session.close());
    const callback = await world.integrator.waitForCallback(key, ({ status }) => status !== 1);
    expect(callback.body).toMatchObject({ status: 2 });
    const result = await fetch(String(callback.body.url));
    const { doc } = openDocx(new Uint8Array(await result.arrayBuffer()));
    expect(doc.child(0).textContent).toBe('From the browser: größe 漢字 🙂');
    expect(doc.child(1).textContent).toBe('From Node: hello');
  });
});
