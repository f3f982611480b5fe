import type { Browser } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import { openBrowser } from '../support/browser.ts';
import { type ShownBlock, type ShownPage, ViewWorld } from '../support/view-world.ts';

/** Blocks as tests of lists compare them. */
export const paragraphs = (blocks: readonly ShownBlock[]) =>
  blocks.map(({ text, attrs }) => ({ text, list: attrs.listId, level: attrs.listLevel }));

/** A picture of one pixel: a PNG as base64. */
export const dot =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** Shows documents, for the suite that calls it. */
export function viewShown(): { show(...given: Parameters<ViewWorld['show']>): Promise<ShownPage> } {
  let browser: Browser;
  let world: ViewWorld;
  beforeAll(async () => {
    browser = await openBrowser();
    world = await ViewWorld.open(browser);
  });
  afterAll(() => browser?.close());

  return { show: (...given) => world.show(...given) };
}
