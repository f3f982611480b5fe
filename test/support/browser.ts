import { existsSync } from 'node:fs';
import { buffer } from 'node:stream/consumers';
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Download,
  type LaunchOptions,
} from 'playwright-core';
import { pictureOnFailure } from './evidence.ts';
import { patienceMs } from './patience.ts';
import { serverOfWorker } from './shared-server.ts';

/** Chromium without windows, which needs a third of the time of a processor that the whole one does for a page. */
const browserProgram = '/usr/bin/chromium-headless-shell';

export const hasBrowser = existsSync(browserProgram);
if (!hasBrowser) console.warn(`Tests in a browser are skipped: there is no ${browserProgram}.`);

/** How the browser is started. */
export const browserOptions: LaunchOptions = {
  executablePath: browserProgram,
  args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
};

/** What test files are told of a browser that they share. */
export interface BrowserTold {
  /** Where Playwright connects to it. */
  endpoint: string;
}

/** The browser that the files of this worker share. Closing it closes what was opened by it and nothing else. */
export async function openBrowser(): Promise<Browser> {
  const { endpoint } = await serverOfWorker<BrowserTold>('browser');
  const browser = await chromium.connect(endpoint);
  pictureOnFailure(browser);
  return browser;
}

/** A profile of its own in a browser, with the patience of all tests. */
export async function newContext(browser: Browser, options?: BrowserContextOptions): Promise<BrowserContext> {
  const context = await browser.newContext(options);
  context.setDefaultTimeout(patienceMs);
  return context;
}

/** What a page has downloaded. It is fetched from the browser, which keeps the file in a place of its own. */
export async function downloaded(download: Download): Promise<Uint8Array> {
  return new Uint8Array(await buffer(await download.createReadStream()));
}
