import { chromium } from 'playwright-core';
import { type BrowserTold, browserOptions } from './browser.ts';
import type { SharedServer } from './shared-server.ts';

/** Starts a browser for several connections, each with contexts of its own. */
export async function startBrowser(): Promise<SharedServer<BrowserTold>> {
  const server = await chromium.launchServer({ ...browserOptions, host: '127.0.0.1' });
  let isRunning = true;
  server.on('close', () => {
    isRunning = false;
  });
  return {
    told: { endpoint: server.wsEndpoint() },
    isRunning: () => isRunning,
    stop: () => server.close(),
  };
}
