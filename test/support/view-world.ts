import type { Browser, Page } from 'playwright-core';
import { newContext } from './browser.ts';
import { bundleViewPage, shownDocx } from './view-bundle.ts';

/** What `editor/word/view/testing/view-page.ts` leaves on the page's `globalThis`, as far as it is called from here. */
interface ViewScope {
  quire: {
    show(shown: unknown): Promise<void>;
    paste(data: Readonly<Record<string, string>>): void;
    copyAll(): Record<string, string>;
    blocks(): ShownBlock[];
  };
}

/** A browser that shows documents in the word editor's view, without a server. */
export class ViewWorld {
  readonly #browser: Browser;
  readonly #bundle: { script: string; style: string };

  private constructor(browser: Browser, bundle: { script: string; style: string }) {
    this.#browser = browser;
    this.#bundle = bundle;
  }

  /** In a browser, which stays open. */
  static async open(browser: Browser): Promise<ViewWorld> {
    return new ViewWorld(browser, await bundleViewPage());
  }

  /** A page with the document of a docx in it. */
  async show(docx: Uint8Array, more: { role?: Readonly<Record<string, unknown>> } = {}): Promise<ShownPage> {
    const context = await newContext(this.#browser, { viewport: { width: 1000, height: 1200 } });
    const page = await context.newPage();
    const problems: string[] = [];
    page.on('pageerror', (error) => problems.push(String(error)));
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') problems.push(message.text());
    });
    await page.setContent(
      '<!doctype html><html lang="en"><head><title>Quire</title></head><body></body></html>',
    );
    await page.addStyleTag({ content: this.#bundle.style });
    await page.addScriptTag({ content: this.#bundle.script });
    const shown = new ShownPage(page, problems);
    await shown.show(docx, more);
    return shown;
  }
}

/** A paragraph of the document as tests compare it: what is null or default is left out. */
export interface ShownBlock {
  readonly type: string;
  readonly attrs: Readonly<Record<string, unknown>>;
  readonly text: string;
  /** Marks of each piece of text, by the text. */
  readonly runs: Readonly<Record<string, readonly string[]>>;
}

export class ShownPage {
  readonly page: Page;
  /** Errors and warnings of the page. */
  readonly problems: readonly string[];

  constructor(page: Page, problems: readonly string[]) {
    this.page = page;
    this.problems = problems;
  }

  /** Shows another document in the place of the one before. @throws ConversionError */
  async show(docx: Uint8Array, more: { role?: Readonly<Record<string, unknown>> } = {}): Promise<void> {
    const shown = { ...shownDocx(docx), ...more };
    await this.page.evaluate((given) => (globalThis as unknown as ViewScope).quire.show(given), shown);
  }

  /** Pastes at the end of the document. */
  paste(data: Readonly<Record<string, string>>): Promise<void> {
    return this.page.evaluate((given) => (globalThis as unknown as ViewScope).quire.paste(given), data);
  }

  /** What the clipboard has after everything was copied, by type. */
  copyAll(): Promise<Record<string, string>> {
    return this.page.evaluate(() => (globalThis as unknown as ViewScope).quire.copyAll());
  }

  /** The top-level blocks. */
  blocks(): Promise<ShownBlock[]> {
    return this.page.evaluate(() => (globalThis as unknown as ViewScope).quire.blocks());
  }

  screenshot(path: string): Promise<Buffer> {
    return this.page.screenshot({ path });
  }
}
