import { existsSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { transform } from 'esbuild';
import { type Browser, type ConsoleMessage, chromium, type Frame, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../support/scene.ts';
import { appsPath, Embedding } from './embedding.ts';

const executablePath = '/usr/bin/chromium';
const hasBrowser = existsSync(executablePath);
if (!hasBrowser) console.warn(`Tests in a browser are skipped: there is no ${executablePath}.`);

const shots = process.env.SCREENSHOTS_DIR;

/** What an event told the page. `isEditor`: its target was what `DocEditor` had returned. */
interface Seen {
  id: string;
  name: string;
  data?: unknown;
  isEditor: boolean;
}

interface Heard {
  command: string;
  data?: unknown;
}

const everyEvent = [
  'onAppReady',
  'onDocumentReady',
  'onDocumentStateChange',
  'onError',
  'onMetaChange',
  'onRequestHistoryData',
  'onSaveDocument',
];

/** Given to every page: `start` opens an editor whose events are written down. */
const hostScript = `
window.seen = []; window.editors = {};
window.start = (id, config, names = ${JSON.stringify(everyEvent)}, round = '') => {
  const events = {};
  for (const name of names) events[name] = (event) => {
    const { data, target } = event;
    const size = data instanceof ArrayBuffer ? data.byteLength : undefined;
    seen.push({ id: id + round, name, data: size === undefined ? data : { size }, isEditor: target === editors[id] });
  };
  return (editors[id] = new DocsAPI.DocEditor(id, { ...config, events }));
};
window.before = [...Object.keys(window), 'before'];
`;

const config = (document: object = {}, editorConfig: object = {}) => ({
  document: {
    fileType: 'docx',
    key: 'k1',
    title: 'Plan.docx',
    url: 'https://storage.test/plan.docx',
    ...document,
  },
  editorConfig: { callbackUrl: 'https://storage.test/cb', ...editorConfig },
});

describe.skipIf(!hasBrowser)('api.js in Chromium', { timeout: 60_000 }, () => {
  let embedding: Embedding;
  let browser: Browser;
  const pages: Page[] = [];

  beforeAll(async () => {
    [embedding, browser] = await Promise.all([
      Embedding.open(),
      chromium.launch({
        executablePath,
        args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
      }),
    ]);
  }, 120_000);
  afterEach(async () => {
    for (const page of pages.splice(0)) await page.close();
  });
  afterAll(async () => {
    await browser?.close();
    await embedding?.close();
  });

  async function openHost(path = '/', options: Parameters<Browser['newPage']>[0] = {}): Promise<Page> {
    const page = await browser.newPage(options);
    pages.push(page);
    await page.addInitScript(hostScript);
    await page.goto(embedding.hostAddress + path);
    return page;
  }
  /** Runs an expression in a page or frame. */
  const run = <Value>(where: Page | Frame, expression: string) =>
    where.evaluate(expression) as Promise<Value>;
  const start = (page: Page, id: string, given: unknown, ...more: unknown[]) =>
    run(page, `void start(...${JSON.stringify([id, given, ...more])})`);
  const seen = (page: Page) => run<Seen[]>(page, 'seen');
  const seenOf = async (page: Page, name: string) =>
    (await seen(page)).filter((event) => event.name === name);
  const framesOf = (page: Page) => page.frames().filter((frame) => frame !== page.mainFrame());
  async function readyFrame(page: Page, id = 'first'): Promise<Frame> {
    await eventually(
      () => seen(page),
      (events) => events.some((event) => event.id === id && event.name === 'onAppReady'),
    );
    return framesOf(page).find((frame) => frame.url().includes(`frameEditorId=${id}`))!;
  }
  const heardBy = async (frame: Frame): Promise<Heard[]> =>
    (await run<unknown[]>(frame, 'raw'))
      .filter((message) => typeof message === 'string')
      .map((message) => JSON.parse(message as string));
  const waitForCommand = (frame: Frame, command: string) =>
    eventually(
      () => heardBy(frame),
      (heard) => heard.some((message) => message.command === command),
    );

  it('[AJ12] init, then the document, then the page’s handler, and commands given before wait for that', async () => {
    const page = await openHost();
    await run(
      page,
      `start('first', ${JSON.stringify(config({}, { lang: 'de' }))}, ['onAppReady']);
       editors.first.showMessage('early');
       void 0`,
    );
    const frame = await readyFrame(page);
    await waitForCommand(frame, 'showMessage');
    expect((await heardBy(frame)).map(({ command }) => command)).toEqual([
      'init',
      'openDocument',
      'showMessage',
    ]);
    expect(await seen(page)).toEqual([{ id: 'first', name: 'onAppReady', isEditor: true }]);
    expect(await run(frame, 'config')).toMatchObject({
      document: { key: 'k1', title: 'Plan.docx' },
      editorConfig: { lang: 'de', user: { id: expect.stringMatching(/^uid-/) } },
    });
  });

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
    expect(frame.url().startsWith(`${embedding.editorsAddress}${appsPath}quire/word/index.html?`)).toBe(true);
    expect(query).toEqual({
      lang: 'en',
      type: 'desktop',
      documentType: 'word',
      fileType: 'docx',
      mode: 'view',
      uitheme: 'theme-dark',
      frameEditorId: 'first',
      parentOrigin: embedding.hostAddress,
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

  it('[AJ14] events reach the page’s handlers with the editor as their target', async () => {
    const page = await openHost();
    await start(page, 'first', config());
    const frame = await readyFrame(page);
    await run(
      frame,
      `bridge.send('onDocumentReady');
       bridge.send('onDocumentStateChange', true);
       bridge.send('onMetaChange', { title: 'New.docx', favorite: true });
       bridge.send('onRequestHistoryData', 3);
       bridge.send('onRequestClose');
       bridge.sendDocument(new ArrayBuffer(5));
       bridge.send('onError', { errorCode: -25, errorDescription: 'x' });`,
    );
    await eventually(
      () => seen(page),
      (events) => events.at(-1)?.name === 'onError',
    );
    const target = { id: 'first', isEditor: true };
    expect((await seen(page)).slice(1)).toEqual([
      { ...target, name: 'onDocumentReady' },
      { ...target, name: 'onDocumentStateChange', data: true },
      { ...target, name: 'onMetaChange', data: { title: 'New.docx', favorite: true } },
      { ...target, name: 'onRequestHistoryData', data: 3 },
      { ...target, name: 'onSaveDocument', data: { size: 5 } },
      { ...target, name: 'onError', data: { errorCode: -25, errorDescription: 'x' } },
    ]);
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

  it('[AJ15, HB13] what others say to the editor is ignored', async () => {
    const page = await openHost();
    await start(page, 'first', config());
    const frame = await readyFrame(page);
    await addStranger(page);
    const stranger = strangerIn(page);
    const forged = `JSON.stringify({ command: 'showMessage', data: { msg: 'forged' } })`;
    await run(stranger, `parent.frames[0].postMessage(${forged}, '*')`);
    await run(frame, `postMessage(${forged}, '*')`);
    await run(page, `editors.first.showMessage('real')`);
    const heard = await eventually(
      () => run<[string, { msg: string }][]>(frame, 'heard'),
      (commands) => commands.some(([, data]) => data.msg === 'real'),
    );
    expect(heard).toEqual([['showMessage', { msg: 'real' }]]);
    // The forged ones did arrive.
    expect(
      (await run<unknown[]>(frame, 'raw')).filter((message) => String(message).includes('forged')),
    ).toHaveLength(2);
  });

  it('[AJ16] two editors on one page, with and without new, mind their own business', async () => {
    const page = await openHost();
    await start(page, 'first', config({ key: 'a' }));
    await run(
      page,
      `editors.second = DocsAPI.DocEditor('second', { ...${JSON.stringify(config({ key: 'b' }))}, events: {
         onAppReady: ({ target }) => seen.push({ id: 'second', name: 'onAppReady', isEditor: target === editors.second }),
         onDocumentReady: () => seen.push({ id: 'second', name: 'onDocumentReady' }),
       } }); void 0`,
    );
    const [first, second] = [await readyFrame(page, 'first'), await readyFrame(page, 'second')];
    expect(await run(first, 'config.document.key')).toBe('a');
    expect(await run(second, 'config.document.key')).toBe('b');
    await run(page, `editors.second.showMessage('for the second')`);
    await waitForCommand(second, 'showMessage');
    await run(second, `bridge.send('onDocumentReady')`);
    await eventually(
      () => seenOf(page, 'onDocumentReady'),
      (events) => events.length === 1,
    );
    expect((await seenOf(page, 'onDocumentReady'))[0]!.id).toBe('second');
    expect((await heardBy(first)).map(({ command }) => command)).not.toContain('showMessage');
    await run(page, 'editors.first.destroyEditor()');
    await run(page, `editors.second.showMessage('still there')`);
    await eventually(
      () => heardBy(second),
      (heard) => heard.filter(({ command }) => command === 'showMessage').length === 2,
    );
  });

  it('[AJ17] made, destroyed and made again at once, as React’s development mode does, there is one editor', async () => {
    const page = await openHost();
    await run(
      page,
      `start('first', ${JSON.stringify(config())}, undefined, '-1');
       editors.first.destroyEditor();
       start('first', ${JSON.stringify(config())}, undefined, '-2');
       void 0`,
    );
    await eventually(
      () => seen(page),
      (events) => events.length > 0,
    );
    // The frame of the first one may be there a moment longer.
    const [frame] = await eventually(
      async () => framesOf(page),
      (frames) => frames.length === 1,
    );
    await run(frame!, `bridge.send('onDocumentReady')`);
    await eventually(
      () => seenOf(page, 'onDocumentReady'),
      (events) => events.length > 0,
    );
    expect((await seen(page)).map(({ id, name }) => `${id} ${name}`)).toEqual([
      'first-2 onAppReady',
      'first-2 onDocumentReady',
    ]);
    expect(framesOf(page)).toHaveLength(1);
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

  it('[AJ19] a missing option is named in the place of the editor, by onError and on the console', async () => {
    const page = await openHost();
    const said: string[] = [];
    page.on('console', (message: ConsoleMessage) => {
      if (message.type() === 'error') said.push(message.text());
    });
    await start(page, 'first', config({ url: undefined }));
    const [event] = await eventually(
      () => seenOf(page, 'onError'),
      (events) => events.length === 1,
    );
    const sentence = 'The option document.url is missing.';
    expect(event).toEqual({
      id: 'first',
      name: 'onError',
      data: { errorCode: -7, errorDescription: sentence },
      isEditor: true,
    });
    expect(said).toEqual([`DocsAPI.DocEditor: ${sentence}`]);
    expect(await page.getByRole('alert').textContent()).toContain(sentence);
    expect(framesOf(page)).toEqual([]);
    await shoot(page, 'missing-option');
    await run(page, 'editors.first.destroyEditor()');
    expect(await run(page, `document.getElementById('first').outerHTML`)).toBe('<div id="first"></div>');
    await start(page, 'first', config());
    await readyFrame(page);
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

  it('[AJ20] every method sends its command, also when it was taken off the editor', async () => {
    const data = { any: ['data', 1] };
    const methods: readonly [method: string, given: unknown[], command: string, sent?: unknown][] = [
      ['showMessage', ['Hello'], 'showMessage', { msg: 'Hello' }],
      ['denyEditingRights', ['no'], 'processRightsChange', { enabled: false, message: 'no' }],
      ['processRightsChange', [true, 'yes'], 'processRightsChange', { enabled: true, message: 'yes' }],
      ['refreshHistory', [data, 'm'], 'refreshHistory', { data, message: 'm' }],
      ['setHistoryData', [data], 'setHistoryData', { data }],
      ['setActionLink', ['https://s.test/'], 'setActionLink', { url: 'https://s.test/' }],
      ['setUsers', [data], 'setUsers', data],
      ['showSharingSettings', [data], 'showSharingSettings', data],
      ['setSharingSettings', [data], 'setSharingSettings', data],
      ['insertImage', [data], 'insertImage', data],
      ['setRequestedDocument', [data], 'setRequestedDocument', data],
      ['setRequestedSpreadsheet', [data], 'setRequestedSpreadsheet', data],
      ['setRevisedFile', [data], 'setRevisedFile', data],
      ['setMailMergeRecipients', [data], 'setMailMergeRecipients', data],
      ['setReferenceData', [data], 'setReferenceData', data],
      ['setReferenceSource', [data], 'setReferenceSource', data],
      ['setEmailAddresses', [data], 'setEmailAddresses', data],
      ['setFavorite', [true], 'setFavorite', { favorite: true }],
      ['requestClose', [], 'requestClose'],
      ['downloadAs', ['pdf'], 'downloadAs', 'pdf'],
      ['downloadAs', [], 'downloadAs', undefined],
      ['startFilling', [true], 'startFilling', true],
      ['requestRoles', [], 'requestRoles', undefined],
      ['processMailMerge', [true, 'm'], 'processMailMerge', { enabled: true, message: 'm' }],
      ['serviceCommand', ['c', data], 'internalCommand', { command: 'c', data }],
      ['grabFocus', [], 'grabFocus', undefined],
      ['blurFocus', [], 'blurFocus', undefined],
    ];
    const page = await openHost();
    await start(page, 'first', config());
    const frame = await readyFrame(page);
    for (const [index, [method, given]] of methods.entries()) {
      await run(page, `(({ ${method} }) => void ${method}(...${JSON.stringify(given)}))(editors.first)`);
      // One of them is sent later.
      await eventually(
        () => heardBy(frame),
        (heard) => heard.length === 2 + index + 1,
      );
    }
    const sent = methods.map(([, , command, content]) =>
      content === undefined ? { command } : { command, data: content },
    );
    expect((await heardBy(frame)).slice(2)).toEqual(sent);
    const handled = await run<[string, unknown][]>(frame, 'heard');
    expect(handled.map(([name]) => name)).toEqual(methods.map(([, , command]) => command));
  });

  it('[AJ31] createConnector throws the reason why there is none, with the address of the table', async () => {
    const page = await openHost();
    await start(page, 'first', config());
    const reason = await run<string>(
      page,
      '(() => { try { editors.first.createConnector(); } catch (error) { return error.message; } })()',
    );
    expect(reason).toMatch(/^createConnector is not there: this editor has no automation API\./);
    expect(reason).toContain(`${embedding.editorsAddress}${appsPath}quire/api-compatibility.txt`);
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

  it('[AJ23] a frame that does not answer is an error that names its address, and welcome when it does later', async () => {
    const page = await openHost();
    await page.clock.install();
    let isThere = false;
    await page.route('**/quire/word/index.html*', (route) =>
      isThere ? route.continue() : route.fulfill({ status: 404, body: 'not found' }),
    );
    await start(page, 'first', config());
    const frame = framesOf(page)[0]!;
    await frame.waitForLoadState('load');
    await page.clock.runFor(14_000);
    expect(await seenOf(page, 'onError')).toEqual([]);
    await page.clock.runFor(2_000);
    const [event] = await seenOf(page, 'onError');
    expect(event).toMatchObject({
      data: { errorCode: -24, errorDescription: expect.stringContaining(`${appsPath}quire/word/index.html`) },
    });
    expect(await page.getByRole('alert').textContent()).toContain('The editor could not be loaded.');
    expect(await page.locator('iframe').isVisible()).toBe(false);
    isThere = true;
    await run(
      page,
      `document.querySelector('iframe').src += '#again'; document.querySelector('iframe').src = document.querySelector('iframe').src.replace('#again', '')`,
    );
    await eventually(
      () => seenOf(page, 'onAppReady'),
      (events) => events.length === 1,
    );
    expect(await page.getByRole('alert').count()).toBe(0);
    expect(await page.locator('iframe').isVisible()).toBe(true);
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
      `${embedding.editorsAddress}${appsPath}quire/preload/index.html`,
    );
    expect(await loaded(page).isVisible()).toBe(false);
    const other = await openHost();
    const asked = other.waitForRequest('**/quire/word/index.html');
    await run(other, `DocsAPI.DocEditor.warmUp('second'); DocsAPI.DocEditor.warmUp('nowhere')`);
    await asked;
    expect(await loaded(other).getAttribute('aria-hidden')).toBe('true');
    expect(await seen(other)).toEqual([]);
  });

  it('[AJ26] the script is one classic script of ES2019, and small', async () => {
    const { script } = embedding;
    const [now, then] = await Promise.all(
      ['esnext', 'es2019'].map((target) => transform(script, { target, minify: false })),
    );
    expect(then!.code).toBe(now!.code);
    expect(script).not.toMatch(/^\s*(?:import|export)\b/m);
    expect(gzipSync(script).length).toBeLessThan(10_000);
  });

  /** A frame of a third origin in the page. */
  async function addStranger(page: Page): Promise<void> {
    await run(
      page,
      `new Promise((resolve) => {
        const frame = document.createElement('iframe');
        frame.src = '${embedding.strangerAddress}/empty';
        frame.onload = () => resolve();
        document.body.append(frame);
      })`,
    );
  }
  function strangerIn(page: Page): Frame {
    return framesOf(page).find((frame) => frame.url().startsWith(embedding.strangerAddress))!;
  }
  async function shoot(page: Page, name: string): Promise<void> {
    if (shots) await page.screenshot({ path: `${shots}/A-${name}.png` });
  }
});
