import type { Browser, BrowserContext, BrowserContextOptions, Frame, Page } from 'playwright-core';
import { newContext, openBrowser } from '../support/browser.ts';
import { EndToEndWorld } from '../support/e2e-world.ts';
import { eventually } from '../support/eventually.ts';
import { patienceMs } from '../support/patience.ts';
import type { QuireProcess } from '../support/quire-process.ts';
import type { ServerOfMany } from '../support/world-server.ts';

/** What somebody opens, as an integrator's page would say it. */
export interface EditorVisit {
  key: string;
  user: string;
  sourceUrl: string;
  permissions?: Record<string, unknown>;
  /** A text document unless given. */
  documentType?: 'word' | 'cell' | 'slide';
  /** The server's address if the browser does not reach it directly. */
  address?: string;
  /** More of `document` and `editorConfig`. */
  document?: Record<string, unknown>;
  editorConfig?: Record<string, unknown>;
  /** Events that the page has no handler for; it has one for every other. */
  unhandled?: readonly string[];
  /** `desktop` unless given. */
  type?: 'desktop' | 'mobile' | 'embedded';
  /** Events that the page has handlers for, beside those of every such page. */
  events?: readonly string[];
  /** Signed otherwise than by this world's key, or about something else. */
  token?: string;
  /** The browser profile to use again; a new one unless given. */
  context?: BrowserContext;
  viewport?: { width: number; height: number };
  colorScheme?: 'light' | 'dark';
}

/** What an event of the editor told the page. */
export interface HostEvent {
  name: string;
  data: unknown;
}

/** A server, an integrator, a browser, and people with the real editor in a page of the integrator's. */
export class EditorWorld<Quire extends ServerOfMany = ServerOfMany> {
  readonly world: EndToEndWorld<Quire>;
  readonly browser: Browser;
  #pages = 0;

  private constructor(world: EndToEndWorld<Quire>, browser: Browser) {
    this.world = world;
    this.browser = browser;
  }

  /** On the server of this worker, as `EndToEndWorld.open` says. */
  static async open(): Promise<EditorWorld> {
    const [world, browser] = await Promise.all([EndToEndWorld.open(), openBrowser()]);
    return new EditorWorld(world, browser);
  }

  /** On a server of its own, as `EndToEndWorld.openOwn` says. */
  static async openOwn(settings: Readonly<Record<string, string>> = {}): Promise<EditorWorld<QuireProcess>> {
    const [world, browser] = await Promise.all([EndToEndWorld.openOwn(settings), openBrowser()]);
    return new EditorWorld(world, browser);
  }

  /** Closes also what people have open. */
  async close(): Promise<void> {
    await this.browser.close();
    await this.world.close();
  }

  /** A browser profile. */
  newContext(options?: BrowserContextOptions): Promise<BrowserContext> {
    return newContext(this.browser, options);
  }

  /** Opens the editor and waits until the document is shown, or the editor has said why it cannot be. */
  async visit(visit: EditorVisit): Promise<EditorPage> {
    const editor = await this.start(visit);
    await editor.settled();
    return editor;
  }

  /** Opens the page without waiting for the document. */
  async start(visit: EditorVisit): Promise<EditorPage> {
    const { world } = this;
    const context =
      visit.context ??
      (await this.newContext({
        viewport: visit.viewport ?? { width: 1200, height: 800 },
        colorScheme: visit.colorScheme ?? 'light',
      }));
    const name = `host-${this.#pages++}.html`;
    const html = hostPage(
      visit.address ?? world.quire.address,
      await this.configOf(visit),
      visit.unhandled ?? [],
      visit.events ?? [],
    );
    const address = world.integrator.serve(name, {
      bytes: new TextEncoder().encode(html),
      contentType: 'text/html; charset=utf-8',
    });
    const page = await context.newPage();
    const editor = new EditorPage(page);
    await page.goto(address);
    return editor;
  }

  /** The signed configuration that the page gives to `DocsAPI.DocEditor`. */
  async configOf(visit: EditorVisit): Promise<Record<string, unknown>> {
    const { key, user, sourceUrl, permissions = { edit: true }, documentType = 'word' } = visit;
    const { world } = this;
    const fileType = documentType === 'cell' ? 'xlsx' : 'docx';
    const config = {
      documentType,
      ...(visit.type && { type: visit.type }),
      document: {
        key,
        url: sourceUrl,
        fileType,
        title: `${key}.${fileType}`,
        permissions,
        ...visit.document,
      },
      editorConfig: {
        callbackUrl: world.integrator.callbackUrl(key),
        user: { id: user, name: user },
        mode: 'edit',
        ...visit.editorConfig,
      },
    };
    return { ...config, token: visit.token ?? (await world.sign(config)) };
  }
}

function hostPage(
  server: string,
  config: Record<string, unknown>,
  unhandled: readonly string[],
  more: readonly string[],
): string {
  const json = JSON.stringify(config).replaceAll('<', '\\u003c');
  return `<!doctype html><meta charset="utf-8"><title>Host</title><link rel="icon" href="data:,">
<style>html, body { margin: 0; height: 100% }</style>
<div id="place"></div>
<script src="${server}/web-apps/apps/api/documents/api.js"></script>
<script>
  window.seen = [];
  const names = ['onAppReady','onDocumentReady','onDocumentStateChange','onError','onWarning','onInfo',
    'onMetaChange','onRequestClose','onRequestRename','onRequestUsers','onRequestRefreshFile','onDownloadAs',
    'onRequestSaveAs','onRequestEditRights','onRequestSendNotify'];
  const handled = [...names, ...${JSON.stringify(more)}].filter((name) => !${JSON.stringify(unhandled)}.includes(name));
  const events = Object.fromEntries(handled.map((name) => [name, (event) => window.seen.push({ name, data: event.data })]));
  window.editor = new DocsAPI.DocEditor('place', { ...${json}, events });
</script>`;
}

/** One person's page with the editor in it. */
export class EditorPage {
  readonly page: Page;
  /** Errors of scripts and of the console, of page and frame. */
  readonly problems: string[] = [];
  /** What the page's author is told on the console. */
  readonly warnings: string[] = [];

  constructor(page: Page) {
    this.page = page;
    page.on('pageerror', (error) => this.problems.push(String(error)));
    page.on('console', (message) => {
      if (message.type() === 'error') this.problems.push(message.text());
      if (message.type() === 'warning') this.warnings.push(message.text());
    });
  }

  /** The editor's own page. @throws Error while there is none */
  get frame(): Frame {
    const frame = this.page.frames().find((one) => one.url().includes('/web-apps/apps/quire/'));
    if (!frame) throw new Error('there is no editor on the page');
    return frame;
  }

  events(): Promise<HostEvent[]> {
    return this.page.evaluate(() => (globalThis as unknown as { seen: HostEvent[] }).seen);
  }

  /** The first event of a name, when it has come. */
  event(name: string): Promise<HostEvent> {
    return eventually(
      async () => (await this.events()).find((event) => event.name === name),
      (event) => event !== undefined,
    ) as Promise<HostEvent>;
  }

  /** Calls a method of the editor's object on the page. */
  call(method: string, ...given: unknown[]): Promise<void> {
    return this.page.evaluate(
      ([name, ...rest]) => {
        const { editor } = globalThis as unknown as {
          editor: Record<string, (...values: unknown[]) => void>;
        };
        editor[name as string]!(...rest);
      },
      [method, ...given],
    );
  }

  /** Resolves when the document is shown, or the editor has reported an error. */
  async settled(): Promise<void> {
    await eventually(
      () => this.events(),
      (events) => events.some(({ name }) => name === 'onDocumentReady' || name === 'onError'),
      patienceMs,
    );
  }

  /** The document as ProseMirror holds it, as JSON. */
  document(): Promise<Record<string, unknown>> {
    return this.frame.evaluate(() => {
      const place = document.querySelector('.ProseMirror') as unknown as {
        pmViewDesc: { node: { toJSON(): Record<string, unknown> } };
      };
      return place.pmViewDesc.node.toJSON();
    });
  }

  /** The document's text, one line a paragraph. */
  text(): Promise<string> {
    return this.frame.evaluate(() => {
      const place = document.querySelector('.ProseMirror') as unknown as {
        pmViewDesc: { node: { content: { size: number }; textBetween(...args: unknown[]): string } };
      };
      const { node } = place.pmViewDesc;
      return node.textBetween(0, node.content.size, '\n');
    });
  }

  /** Resolves when the title bar says that everything is on the server. */
  async saved(): Promise<void> {
    // The status is drawn a frame after what it tells of.
    await this.frame.evaluate(
      () => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))),
    );
    const status = this.frame.locator('.saving-status');
    await eventually(
      async () => (await status.textContent()) ?? '',
      (text) => /^(?:Saved on the server|Stored)$/.test(text.trim()),
      patienceMs,
    );
  }

  /** What the title bar says of the changes. */
  async savingStatus(): Promise<string> {
    return ((await this.frame.locator('.saving-status').textContent()) ?? '').trim();
  }

  /** Resolves when the title bar says this of the changes. */
  async showsSaving(wanted: RegExp): Promise<void> {
    await eventually(
      () => this.savingStatus(),
      (text) => wanted.test(text),
      patienceMs,
    );
  }

  /** The sentences above the document. */
  notices(): Promise<string[]> {
    return this.frame.locator('.notices .notice > span').allTextContents();
  }

  /** Resolves when one of the sentences above the document is this. */
  async showsNotice(wanted: RegExp): Promise<void> {
    await eventually(
      () => this.notices(),
      (texts) => texts.some((text) => wanted.test(text)),
      patienceMs,
    );
  }

  /** Resolves when the document's text is this. */
  async showsText(wanted: string | RegExp): Promise<void> {
    await eventually(
      () => this.text(),
      (text) => (typeof wanted === 'string' ? text === wanted : wanted.test(text)),
      patienceMs,
    );
  }

  /** Chooses an entry of a menu by their names. */
  async choose(menu: string, entry: string): Promise<void> {
    await this.frame.locator('.menu-bar').getByRole('button', { name: menu, exact: true }).click();
    await this.frame.locator('[role^="menuitem"]', { hasText: entry }).first().click();
  }

  /** The embedding page gives a newer version of the document. */
  refresh(config: Record<string, unknown>): Promise<void> {
    return this.page.evaluate((given) => {
      const { editor } = globalThis as unknown as { editor: { refreshFile(config: unknown): void } };
      editor.refreshFile(given);
    }, config);
  }

  /** Puts the cursor behind a stretch of text and types. */
  async typeAfter(before: string, text: string): Promise<void> {
    await this.placeCursor(before);
    await this.page.keyboard.type(text);
  }

  /** Puts the cursor behind the first place where this text stands. */
  async placeCursor(before: string): Promise<void> {
    await this.frame.evaluate(async (wanted) => {
      const editable = document.querySelector<HTMLElement>('.ProseMirror')!;
      editable.focus();
      const selection = document.getSelection()!;
      const walker = document.createTreeWalker(editable, NodeFilter.SHOW_TEXT);
      for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        const at = node.nodeValue!.indexOf(wanted);
        if (at < 0) continue;
        const isThere = selection.anchorNode === node && selection.anchorOffset === at + wanted.length;
        // The browser tells of a new selection later than it is made.
        const told = isThere
          ? Promise.resolve()
          : new Promise((resolve) => document.addEventListener('selectionchange', resolve, { once: true }));
        selection.collapse(node, at + wanted.length);
        await told;
        await new Promise((resolve) => requestAnimationFrame(resolve));
        return;
      }
      throw new Error(`no text ${wanted}`);
    }, before);
  }
}
