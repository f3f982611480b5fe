import { gzipSync } from 'node:zlib';
import { transform } from 'esbuild';
import type { ConsoleMessage } from 'playwright-core';
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
  shoot,
  start,
  waitForCommand,
} from './api-page.ts';
import { appsPath } from './embedding.ts';

describe.skipIf(!hasBrowser)('api.js in Chromium', () => {
  const hosts = apiHosts();
  const { openHost, addStranger, strangerIn } = hosts;

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

  it('[AJ26] the script is one classic script of ES2019, and small', async () => {
    const { script } = hosts.embedding;
    const [now, then] = await Promise.all(
      ['esnext', 'es2019'].map((target) => transform(script, { target, minify: false })),
    );
    expect(then!.code).toBe(now!.code);
    expect(script).not.toMatch(/^\s*(?:import|export)\b/m);
    expect(gzipSync(script).length).toBeLessThan(10_000);
  });
});
