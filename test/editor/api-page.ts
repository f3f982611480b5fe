import type { Browser, BrowserContextOptions, Frame, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll } from 'vitest';
import { newContext, openBrowser } from '../support/browser.ts';
import { eventually } from '../support/eventually.ts';
import { Embedding } from './embedding.ts';

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

/** A configuration that is whole, with more of `document` and `editorConfig`. */
export const config = (document: object = {}, editorConfig: object = {}) => ({
  document: {
    fileType: 'docx',
    key: 'k1',
    title: 'Plan.docx',
    url: 'https://storage.test/plan.docx',
    ...document,
  },
  editorConfig: { callbackUrl: 'https://storage.test/cb', ...editorConfig },
});

/** Runs an expression in a page or frame. */
export const run = <Value>(where: Page | Frame, expression: string) =>
  where.evaluate(expression) as Promise<Value>;
export const start = (page: Page, id: string, given: unknown, ...more: unknown[]) =>
  run(page, `void start(...${JSON.stringify([id, given, ...more])})`);
export const seen = (page: Page) => run<Seen[]>(page, 'seen');
export const seenOf = async (page: Page, name: string) =>
  (await seen(page)).filter((event) => event.name === name);
export const framesOf = (page: Page) => page.frames().filter((frame) => frame !== page.mainFrame());
export async function readyFrame(page: Page, id = 'first'): Promise<Frame> {
  await eventually(
    () => seen(page),
    (events) => events.some((event) => event.id === id && event.name === 'onAppReady'),
  );
  return framesOf(page).find((frame) => frame.url().includes(`frameEditorId=${id}`))!;
}
export const heardBy = async (frame: Frame): Promise<Heard[]> =>
  (await run<unknown[]>(frame, 'raw'))
    .filter((message) => typeof message === 'string')
    .map((message) => JSON.parse(message as string));
export const waitForCommand = (frame: Frame, command: string) =>
  eventually(
    () => heardBy(frame),
    (heard) => heard.some((message) => message.command === command),
  );

export async function shoot(page: Page, name: string): Promise<void> {
  if (shots) await page.screenshot({ path: `${shots}/A-${name}.png` });
}

/** Pages that embed an editor, for the suite that calls it. */
export function apiHosts() {
  let embedding: Embedding;
  let browser: Browser;
  const pages: Page[] = [];

  beforeAll(async () => {
    [embedding, browser] = await Promise.all([Embedding.open(), openBrowser()]);
  });
  afterEach(async () => {
    for (const page of pages.splice(0)) await page.context().close();
  });
  afterAll(async () => {
    await browser?.close();
    await embedding?.close();
  });

  async function openHost(path = '/', options: BrowserContextOptions = {}): Promise<Page> {
    const page = await (await newContext(browser, options)).newPage();
    pages.push(page);
    await page.addInitScript(hostScript);
    await page.goto(embedding.hostAddress + path);
    return page;
  }
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

  return {
    openHost,
    addStranger,
    strangerIn,
    /** Once the suite has begun. */
    get embedding(): Embedding {
      return embedding;
    },
  };
}
