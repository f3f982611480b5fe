import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openXlsx } from '../../converter/engines/ooxml/xlsx/xlsx-engine.ts';
import { parseWorkbook } from '../../model/cell/document.ts';
import { hasBrowser, newContext, openBrowser } from '../support/browser.ts';
import { buildDocx } from '../support/docx-fixture.ts';
import { eventually } from '../support/eventually.ts';
import type { HostedFile } from '../support/wopi-host.ts';
import { textOfDocx, WopiScene } from '../support/wopi-scene.ts';
import { buildXlsx } from '../support/xlsx-fixture.ts';
import { EditorPage } from './editor-world.ts';
import { put, shows } from './sheet-page.ts';

let scene: WopiScene;
let browser: Browser;

beforeAll(async () => {
  if (!hasBrowser) return;
  [scene, browser] = await Promise.all([WopiScene.open(), openBrowser()]);
});
afterAll(async () => {
  await browser?.close();
  await scene?.close();
});

interface HostMessage {
  MessageId: string;
  Values: Record<string, unknown>;
}

/** The host's own page: it frames the editor's, posts its form there, and keeps what it is told. */
function hostPage(action: string, token: string): string {
  return `<!doctype html><meta charset="utf-8"><title>Host</title><link rel="icon" href="data:,">
<style>html, body, iframe { margin: 0; width: 100%; height: 100%; border: 0 }</style>
<iframe name="office" allow="clipboard-read; clipboard-write"></iframe>
<form method="post" target="office" action="${action}">
<input type="hidden" name="access_token" value="${token}"><input type="hidden" name="access_token_ttl" value="0"></form>
<script>
  window.heard = [];
  addEventListener('message', ({ data, origin }) => window.heard.push({ ...JSON.parse(data), origin }));
  window.tell = (MessageId, Values = {}) => document.querySelector('iframe').contentWindow
    .postMessage(JSON.stringify({ MessageId, SendTime: Date.now(), Values }), '*');
  document.querySelector('form').submit();
</script>`;
}

class FramedEditor extends EditorPage {
  heard(): Promise<HostMessage[]> {
    return this.page.evaluate(() => (globalThis as unknown as { heard: HostMessage[] }).heard);
  }

  async hears(messageId: string): Promise<HostMessage> {
    return (await eventually(
      async () => (await this.heard()).find((message) => message.MessageId === messageId),
      (message) => message !== undefined,
    ))!;
  }

  tell(messageId: string): Promise<void> {
    return this.page.evaluate(
      (id) => (globalThis as unknown as { tell(id: string): void }).tell(id),
      messageId,
    );
  }
}

/** Somebody opens a file from a page of the host, by the address that discovery gives. */
async function open(file: HostedFile, name: string, action = 'edit', rights?: object): Promise<FramedEditor> {
  const discovery = await (await fetch(`${scene.quire.address}/hosting/discovery`)).text();
  const type = file.name.split('.').at(-1);
  const template = new RegExp(`name="${action}" ext="${type}"[^>]*urlsrc="([^"]*)"`).exec(discovery)![1]!;
  const address = template.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
  const source = encodeURIComponent(scene.host.sourceOf(file.id));
  const url = `${address.replace(/<.*&>/, 'ui=en-US&')}WOPISrc=${source}`;
  const token = scene.host.person(name, { ...everything, ...rights });
  const page = await (await newContext(browser, { viewport: { width: 1200, height: 800 } })).newPage();
  const framed = new FramedEditor(page);
  await page.goto(scene.host.servePage(`${name}-${file.id}.html`, hostPage(url, token)));
  await framed.hears('App_LoadingStatus');
  return framed;
}

const everything = {
  UserCanWrite: true,
  SupportsUpdate: true,
  SupportsLocks: true,
  SupportsRename: true,
  UserCanRename: true,
  EditNotificationPostMessage: true,
  ClosePostMessage: true,
  FileSharingPostMessage: true,
};

describe.skipIf(!hasBrowser)('the page that a WOPI host frames', () => {
  it('[WO35] two people write in it, and the host has the file when both have gone', async () => {
    const file = scene.newFile(buildDocx({ paragraphs: ['First paragraph', 'Second paragraph'] }));
    scene.host.info = { PostMessageOrigin: scene.host.address };
    const ann = await open(file, 'ann');
    const bob = await open(file, 'bob');
    // A balancer finds the node of the file by the queries of the frame and of what the frame asks for.
    const routing = new URL(bob.frame.url()).searchParams;
    expect(routing.get('WOPISrc')).toBe(scene.host.sourceOf(file.id));
    expect(routing.get('usid')).toMatch(/^[\w-]+$/);
    const { rows } = await scene.database.pool.query('SELECT routing FROM documents WHERE key = $1', [
      file.id,
    ]);
    expect(rows[0]?.routing).toEqual(
      Object.fromEntries([...routing].filter(([name]) => /^(WOPISrc|usid)$/.test(name))),
    );
    await ann.typeAfter('First paragraph', ' by Ann');
    await bob.typeAfter('Second paragraph', ' by Bob');
    await ann.saved();
    await bob.saved();
    const both = 'First paragraph by Ann\nSecond paragraph by Bob';
    await ann.showsText(both);
    await bob.showsText(both);
    expect((await ann.hears('App_LoadingStatus')).Values).toMatchObject({ Status: 'Document_Loaded' });
    await ann.hears('Edit_Notification');
    for (const { page, problems } of [ann, bob]) {
      expect(problems).toEqual([]);
      await page.context().close();
    }
    await eventually(
      async () => textOfDocx(file.bytes),
      (text) => text === both,
    );
    await eventually(
      async () => file.lock,
      (lock) => lock === null,
    );
    expect(scene.host.badProofs).toEqual([]);
  });

  it('[WO35] two people write in a spreadsheet, and the host has the file when both have gone', async () => {
    const bytes = buildXlsx([
      ['Item', 'Price'],
      ['Nails', 3.5],
    ]);
    const file = scene.newFile(bytes, 'Prices.xlsx');
    scene.host.info = { PostMessageOrigin: scene.host.address };
    const ann = await open(file, 'ann');
    const bob = await open(file, 'bob');
    await put(ann, 'A3', 'Glue');
    await put(bob, 'B3', '=B2*2');
    await shows(ann, 'B3', '7');
    await shows(bob, 'A3', 'Glue');
    for (const one of [ann, bob]) {
      await one.saved();
      expect(one.problems).toEqual([]);
      await one.page.context().close();
    }
    const stored = () => parseWorkbook(openXlsx(new Uint8Array(file.bytes)).model).sheets[0]!.grid;
    await eventually(
      async () => [stored().cell(2, 0).value, stored().cell(2, 1).value],
      ([item, price]) => item === 'Glue' && price === 7,
    );
    await eventually(
      async () => file.lock,
      (lock) => lock === null,
    );
    expect(scene.host.badProofs).toEqual([]);
  });

  it('[WO36] the host gives the focus and is told of a new name and of closing', async () => {
    const file = scene.newFile();
    scene.host.info = { PostMessageOrigin: scene.host.address };
    const ann = await open(file, 'ann');
    await ann.frame.getByRole('button', { name: file.name }).click();
    await ann.frame.locator('dialog input[name=name]').fill('A new name');
    await ann.frame.locator('dialog').getByRole('button', { name: 'Rename' }).click();
    expect((await ann.hears('File_Rename')).Values).toEqual({ NewName: 'A new name' });
    expect(file.name).toBe('A new name.docx');
    await eventually(
      () => ann.frame.locator('.title-bar h1').textContent(),
      (text) => text === 'A new name.docx',
    );
    await ann.choose('File', 'Close');
    await ann.hears('UI_Close');
    const focused = () => ann.frame.evaluate(() => document.activeElement?.className.includes('ProseMirror'));
    await ann.tell('Blur_Focus');
    await ann.tell('Host_PostmessageReady');
    await ann.tell('Grab_Focus');
    await eventually(focused, (is) => is === true);
    await ann.page.context().close();
  });

  it('[WO37] a page without an editor says why in the language of its person', async () => {
    const page = await (await newContext(browser)).newPage();
    const query = new URLSearchParams({
      WOPISrc: scene.host.sourceOf('nothing'),
      access_token: 'x',
      ui: 'de-DE',
    });
    await page.goto(`${scene.quire.address}/hosting/wopi/word/edit?${query}`);
    await eventually(
      () => page.locator('main h1').textContent(),
      (text) => /Der Speicher lässt Sie diese Datei nicht öffnen/.test(text ?? ''),
    );
    await page.close();
  });
});
