import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../support/browser.ts';
import { eventually } from '../support/eventually.ts';
import {
  apiHosts,
  config,
  framesOf,
  heardBy,
  readyFrame,
  run,
  seen,
  seenOf,
  start,
  waitForCommand,
} from './api-page.ts';
import { appsPath } from './embedding.ts';

describe.skipIf(!hasBrowser)('api.js in Chromium', () => {
  const hosts = apiHosts();
  const { openHost, addStranger, strangerIn } = hosts;

  it('[AJ12] a frame that reloads is sent everything again', async () => {
    const page = await openHost();
    await start(page, 'first', config());
    const frame = await readyFrame(page);
    await run(frame, 'location.reload()');
    await eventually(
      () => seenOf(page, 'onAppReady'),
      (events) => events.length === 2,
    );
    await waitForCommand(framesOf(page)[0]!, 'openDocument');
  });

  it('[AJ13] the frame takes the place of the element, with a name for screen readers', async () => {
    const page = await openHost();
    await run(
      page,
      `start('first', ${JSON.stringify({ ...config({}, { mode: 'view', customization: { uiTheme: 'theme-dark' } }), width: 640, height: '50%' })}); void 0`,
    );
    const frame = await readyFrame(page);
    const query = Object.fromEntries(new URL(frame.url()).searchParams);
    expect(frame.url().startsWith(`${hosts.embedding.editorsAddress}${appsPath}quire/word/index.html?`)).toBe(
      true,
    );
    expect(query).toEqual({
      lang: 'en',
      type: 'desktop',
      documentType: 'word',
      fileType: 'docx',
      mode: 'view',
      uitheme: 'theme-dark',
      frameEditorId: 'first',
      parentOrigin: hosts.embedding.hostAddress,
      shardkey: 'shard-1',
    });
    const element = page.locator('iframe');
    expect(await element.getAttribute('title')).toBe('Editor: Plan.docx');
    expect(await element.getAttribute('name')).toBe('frameEditor');
    expect(await element.getAttribute('allow')).toMatch(/clipboard-write.*fullscreen/);
    const style = `(({ style }) => [style.width, style.height])(document.querySelector('iframe'))`;
    expect(await run(page, style)).toEqual(['640px', '50%']);
    expect(await run(page, `document.getElementById('first')`)).toBeNull();
  });

  it('[AJ15] what others say to the page in the name of the editor is ignored', async () => {
    const page = await openHost();
    await start(page, 'first', config());
    const frame = await readyFrame(page);
    const forged = `JSON.stringify({ event: 'onError', data: 'forged', frameEditorId: 'first' })`;
    await run(page, `postMessage(${forged}, '*')`);
    await addStranger(page);
    const stranger = strangerIn(page);
    await run(stranger, `parent.postMessage(${forged}, '*')`);
    await run(
      frame,
      `parent.postMessage(JSON.stringify({ event: 'onError', frameEditorId: 'second' }), '*')`,
    );
    await run(frame, `for (const bad of ['{', 'null', '5', {}, { event: 5 }]) parent.postMessage(bad, '*')`);
    await run(frame, `bridge.send('onDocumentReady')`);
    await eventually(
      () => seenOf(page, 'onDocumentReady'),
      (events) => events.length === 1,
    );
    expect(await seenOf(page, 'onError')).toEqual([]);
  });

  it('[AJ17] an element that the page replaced without a word can have a new editor', async () => {
    const page = await openHost();
    await start(page, 'first', config());
    await readyFrame(page);
    await run(page, `document.querySelector('iframe').outerHTML = '<div id="first"></div>'`);
    await run(page, `seen.length = 0; start('first', ${JSON.stringify(config({ key: 'k2' }))}); void 0`);
    expect(await run(await readyFrame(page), 'config.document.key')).toBe('k2');
    expect(await seenOf(page, 'onError')).toEqual([]);
  });

  it('[AJ18] destroyEditor leaves an empty element with the old id and no listener, however often it is called', async () => {
    const page = await openHost();
    await run(
      page,
      `window.listeners = 0;
       for (const [name, step] of [['addEventListener', 1], ['removeEventListener', -1]]) {
         const real = window[name];
         window[name] = function (...given) { window.listeners += step; return real.apply(this, given); };
       }`,
    );
    await start(page, 'first', config());
    await readyFrame(page);
    expect(await run(page, 'listeners')).toBe(2);
    await run(page, 'editors.first.destroyEditor()');
    expect(await run(page, 'listeners')).toBe(0);
    expect(await run(page, `document.querySelectorAll('iframe').length`)).toBe(0);
    expect(await run(page, `document.getElementById('first').outerHTML`)).toBe('<div id="first"></div>');
    await run(page, `document.getElementById('first').textContent = 'mine'`);
    await run(
      page,
      `editors.first.destroyEditor(); editors.first.showMessage('x'); editors.first.refreshFile(${JSON.stringify(config())})`,
    );
    expect(await run(page, `document.getElementById('first').outerHTML`)).toBe('<div id="first">mine</div>');
    expect(await seenOf(page, 'onError')).toEqual([]);
  });

  it('[AJ19] so are an element that does not exist and one that is taken', async () => {
    const page = await openHost();
    await start(page, 'nowhere', config());
    await start(page, 'first', config());
    await readyFrame(page);
    await run(
      page,
      `DocsAPI.DocEditor('first', { events: { onError: ({ data }) => seen.push({ name: 'taken', data }) } }); void 0`,
    );
    const [missing] = await seenOf(page, 'onError');
    expect(missing).toMatchObject({
      id: 'nowhere',
      data: {
        errorCode: -7,
        errorDescription:
          'The page has no element with the id “nowhere” for the editor to take the place of.',
      },
    });
    const [taken] = await eventually(
      () => seenOf(page, 'taken'),
      (events) => events.length === 1,
    );
    expect(taken).toMatchObject({ data: { errorDescription: expect.stringContaining('already') } });
    expect(framesOf(page)).toHaveLength(1);
  });

  it('[AJ19] nothing that is given makes the call throw, and handlers may be set later', async () => {
    const page = await openHost();
    for (const given of ['undefined', 'null', '5', '[]', '{}', '{ document: document }', '{ events: 5 }']) {
      await run(page, `DocsAPI.DocEditor('second', ${given}).destroyEditor()`);
    }
    await run(
      page,
      `window.given = { events: {} };
       DocsAPI.DocEditor('second', given);
       given.events.onError = ({ data }) => seen.push({ name: 'late', data });`,
    );
    await eventually(
      () => seenOf(page, 'late'),
      (events) => events.length === 1,
    );
  });

  it('[AJ10] unknown options go to the editor as they are', async () => {
    const page = await openHost();
    await start(page, 'first', { ...config({ odd: [1] }, { strange: { deep: true } }), unheard: 'of' });
    const [init, open] = await heardBy(await readyFrame(page));
    expect(init).toMatchObject({ data: { config: { strange: { deep: true } } } });
    expect(open).toMatchObject({ data: { doc: { odd: [1] } } });
    expect(await seenOf(page, 'onError')).toEqual([]);
  });

  it('[AJ31] createConnector throws the reason why there is none, with the address of the table', async () => {
    const page = await openHost();
    await start(page, 'first', config());
    const reason = await run<string>(
      page,
      '(() => { try { editors.first.createConnector(); } catch (error) { return error.message; } })()',
    );
    expect(reason).toMatch(/^createConnector is not there: this editor has no automation API\./);
    expect(reason).toContain(`${hosts.embedding.editorsAddress}${appsPath}quire/api-compatibility.txt`);
  });

  it('[AJ32] the editor is told which events the page has handlers for', async () => {
    const page = await openHost();
    await start(page, 'first', config(), ['onAppReady', 'onRequestOpen']);
    const frame = await readyFrame(page);
    const raw = await run<string[]>(frame, 'raw');
    const init = raw.map((message) => JSON.parse(message)).find(({ command }) => command === 'init');
    expect(init.data.handlers).toEqual(expect.arrayContaining(['onAppReady', 'onRequestOpen']));
  });

  it('[AJ20] refreshFile checks the new configuration and sends all of it', async () => {
    const page = await openHost();
    await start(page, 'first', config());
    const frame = await readyFrame(page);
    await run(page, `editors.first.refreshFile(${JSON.stringify(config({ url: '' }))})`);
    const [refused] = await eventually(
      () => seenOf(page, 'onError'),
      (events) => events.length === 1,
    );
    expect(refused).toMatchObject({ data: { errorDescription: 'The option document.url is missing.' } });
    await run(
      page,
      `editors.first.refreshFile(${JSON.stringify({ ...config({ key: 'k2' }), token: 'jwt' })})`,
    );
    const heard = await waitForCommand(frame, 'refreshFile');
    expect(heard.at(-1)).toMatchObject({
      data: { documentType: 'word', document: { key: 'k2', token: 'jwt' }, editorConfig: { lang: 'en' } },
    });
    await run(frame, 'location.reload()');
    await eventually(
      () => seenOf(page, 'onAppReady'),
      (events) => events.length === 2,
    );
    await eventually(
      () => run(framesOf(page)[0]!, 'window.config?.document.key'),
      (key) => key === 'k2',
    );
  });

  it('[AJ20] openDocument gives the frame the bytes themselves', async () => {
    const page = await openHost();
    await start(page, 'first', config());
    const frame = await readyFrame(page);
    await run(page, 'editors.first.openDocument(new Uint8Array([9, 8, 7, 6]).subarray(1, 3))');
    await eventually(
      () => run<number[][]>(frame, 'heard.map(([, data]) => Array.from(new Uint8Array(data)))'),
      (bytes) => bytes.length === 1 && bytes[0]!.join() === '8,7',
    );
  });

  it('[AJ21] a request for edit rights is denied when the page has no answer to it', async () => {
    const page = await openHost();
    await start(page, 'first', config());
    const frame = await readyFrame(page);
    await run(frame, `bridge.send('onRequestEditRights')`);
    expect((await waitForCommand(frame, 'applyEditRights')).at(-1)?.data).toEqual({ allowed: false });
    await start(page, 'second', config(), ['onAppReady', 'onRequestEditRights']);
    const answered = await readyFrame(page, 'second');
    await run(answered, `bridge.send('onRequestEditRights')`);
    await eventually(
      () => seenOf(page, 'onRequestEditRights'),
      (events) => events.length === 1,
    );
    expect((await heardBy(answered)).map(({ command }) => command)).not.toContain('applyEditRights');
  });

  it('[AJ22] a mouse button released outside the frame is told to it, until the page wants that no more', async () => {
    const page = await openHost();
    await start(page, 'first', { ...config(), width: '200px', height: '100px' });
    const frame = await readyFrame(page);
    const release = async () => {
      await page.mouse.move(500, 300);
      await page.mouse.down();
      await page.mouse.up();
    };
    await release();
    const heard = await waitForCommand(frame, 'processMouse');
    const box = (await page.locator('iframe').boundingBox())!;
    expect(heard.at(-1)?.data).toEqual({ type: 'mouseup', x: 500 - box.x, y: 300 - box.y });
    await run(page, 'editors.first.detachMouseEvents()');
    await release();
    await run(page, `editors.first.showMessage('after')`);
    await waitForCommand(frame, 'showMessage');
    await run(page, 'editors.first.attachMouseEvents()');
    await release();
    await eventually(
      () => heardBy(frame),
      (messages) => messages.filter(({ command }) => command === 'processMouse').length === 2,
    );
  });

  it('[AJ23] a frame that is never done loading is the same error', async () => {
    const page = await openHost();
    await page.clock.install();
    await page.route('**/quire/word/index.html*', () => undefined);
    await start(page, 'first', config());
    await page.clock.runFor(59_000);
    expect(await seenOf(page, 'onError')).toEqual([]);
    await page.clock.runFor(2_000);
    expect(await seenOf(page, 'onError')).toMatchObject([{ data: { errorCode: -24 } }]);
    await run(page, 'editors.first.destroyEditor()');
    expect(await page.getByRole('alert').count()).toBe(0);
  });

  it('[AJ24] the only global name is DocsAPI, and it has what wrappers and connectors look for', async () => {
    const page = await openHost();
    const added = await run<string[]>(page, `Object.keys(window).filter((name) => !before.includes(name))`);
    expect(added).toEqual(['DocsAPI']);
    expect(await run(page, 'DocsAPI.DocEditor.version()')).toMatch(/^\d+\.\d+\.\d+$/);
    expect(await run(page, 'DocsAPI.DocEditor.defaultConfig.type')).toBe('desktop');
    expect(await run(page, 'typeof window.DocEditor')).toBe('undefined');
  });

  it('[AJ25] preloading by the address or by warmUp puts an invisible frame into the element', async () => {
    const page = await openHost('/preload');
    const loaded = (of: Page) => of.locator('#first iframe, #second iframe');
    await eventually(
      () => loaded(page).count(),
      (count) => count === 1,
    );
    expect(await loaded(page).getAttribute('src')).toBe(
      `${hosts.embedding.editorsAddress}${appsPath}quire/preload/index.html`,
    );
    expect(await loaded(page).isVisible()).toBe(false);
    const other = await openHost();
    const asked = other.waitForRequest('**/quire/word/index.html');
    await run(other, `DocsAPI.DocEditor.warmUp('second'); DocsAPI.DocEditor.warmUp('nowhere')`);
    await asked;
    expect(await loaded(other).getAttribute('aria-hidden')).toBe('true');
    expect(await seen(other)).toEqual([]);
  });
});
