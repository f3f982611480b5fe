import { existsSync } from 'node:fs';
import type { Browser, BrowserContext } from 'playwright-core';
import { hasBrowser, newContext, openBrowser } from '../support/browser.ts';
import { EndToEndWorld } from '../support/e2e-world.ts';
import type { ReceivedCallback } from '../support/integrator.ts';
import type { QuireProcess } from '../support/quire-process.ts';
import { OfficePage } from './office-page.ts';

export type { HostEvent, OfficePage } from './office-page.ts';

const { EDITORS_DIR: editorsDir, X2T_DIR: x2tDir } = process.env;

/** Whether this machine has what the tests with editors of others need: the editors, x2t and a browser. */
export const hasEditors =
  editorsDir !== undefined && x2tDir !== undefined && existsSync(editorsDir) && hasBrowser;

/** What tests that need them say where they are not. */
export const needsEditors = hasEditors
  ? 'in the editors of EDITORS_DIR'
  : 'in the editors of EDITORS_DIR (skipped: set EDITORS_DIR and X2T_DIR)';

/** What somebody opens, as an integrator's page would say it. */
export interface OfficeVisit {
  key: string;
  user: string;
  sourceUrl: string;
  /** `docx` unless given. */
  fileType?: string;
  documentType?: 'word' | 'cell' | 'slide';
  mode?: 'edit' | 'view';
  permissions?: Record<string, unknown>;
  /** More of `document` and `editorConfig`. */
  document?: Record<string, unknown>;
  editorConfig?: Record<string, unknown>;
  /** The server's address if the browser does not reach it directly. */
  address?: string;
  /** The embedding page's script is that of Quire's own editor. */
  own?: boolean;
}

/** A server with editors of others and x2t, a browser, and people who use them. */
export class OfficeWorld {
  readonly world: EndToEndWorld<QuireProcess>;
  readonly browser: Browser;
  readonly context: BrowserContext;
  #pages = 0;

  private constructor(world: EndToEndWorld<QuireProcess>, browser: Browser, context: BrowserContext) {
    this.world = world;
    this.browser = browser;
    this.context = context;
  }

  /** `settings` of the server, beside those of every such world. */
  static async open(settings: Readonly<Record<string, string>> = {}): Promise<OfficeWorld> {
    const [world, browser] = await Promise.all([
      EndToEndWorld.openOwn({
        ...{ EDITORS_DIR: editorsDir!, X2T_DIR: x2tDir!, TRUST_PARTIAL_RIGHTS: 'true' },
        ...settings,
      }),
      openBrowser(),
    ]);
    const context = await newContext(browser, {
      viewport: { width: 1_300, height: 900 },
      acceptDownloads: true,
    });
    return new OfficeWorld(world, browser, context);
  }

  async close(): Promise<void> {
    await this.browser.close();
    await this.world.close();
  }

  /** Serves a file under a name of its own; the address for `sourceUrl`. */
  serve(name: string, bytes: Uint8Array): string {
    return this.world.integrator.serve(name, { bytes });
  }

  /** Opens the editor and waits until the document can be worked on. */
  async visit(visit: OfficeVisit): Promise<OfficePage> {
    const editor = await this.start(visit);
    await editor.ready();
    return editor;
  }

  /** Opens the page without waiting for the document. */
  async start(visit: OfficeVisit): Promise<OfficePage> {
    const { quire, integrator } = this.world;
    const address = visit.address ?? quire.address;
    const script = `${address}/web-apps/apps/${visit.own ? 'quire/' : ''}api/documents/api.js`;
    const html = hostPage(script, await this.configOf(visit));
    const url = integrator.serve(`host-${this.#pages++}.html`, {
      bytes: new TextEncoder().encode(html),
      contentType: 'text/html; charset=utf-8',
    });
    const page = await this.context.newPage();
    const editor = new OfficePage(page);
    await page.goto(url);
    return editor;
  }

  /** The next callback of a document with one of these statuses. */
  callback(key: string, statuses: readonly number[], timeoutMs = 120_000): Promise<ReceivedCallback> {
    return this.world.integrator.waitForCallback(key, ({ status }) => statuses.includes(status), timeoutMs);
  }

  /** The signed configuration that the page gives to `DocsAPI.DocEditor`. */
  async configOf(visit: OfficeVisit): Promise<Record<string, unknown>> {
    const { key, user, sourceUrl, fileType = 'docx', documentType = 'word', mode = 'edit' } = visit;
    const { permissions = { edit: true }, document = {}, editorConfig = {} } = visit;
    const { customization = {}, ...restOfConfig } = editorConfig;
    const config = {
      documentType,
      document: { key, url: sourceUrl, fileType, title: `${key}.${fileType}`, permissions, ...document },
      editorConfig: {
        callbackUrl: this.world.integrator.callbackUrl(key),
        user: { id: user, name: `Name of ${user}` },
        mode,
        ...restOfConfig,
        // Hints about new features lie over the page and are nobody's document.
        customization: { features: { featuresTips: false }, ...(customization as object) },
      },
    };
    return { ...config, token: await this.world.sign(config) };
  }
}

function hostPage(script: string, config: Record<string, unknown>): string {
  const json = JSON.stringify(config).replaceAll('<', '\\u003c');
  return `<!doctype html><meta charset="utf-8"><title>Host</title><link rel="icon" href="data:,">
<style>html, body { margin: 0; height: 100% }</style>
<div id="place"></div>
<script src="${script}"></script>
<script>
  window.seen = [];
  const names = ['onAppReady','onDocumentReady','onDocumentStateChange','onError','onWarning','onInfo','onDownloadAs',
    'onOutdatedVersion','onRequestRefreshFile','onMetaChange','onRequestClose','onRequestSaveAs'];
  const events = Object.fromEntries(names.map((name) => [name, (event) => window.seen.push({ name, data: event?.data })]));
  window.editor = new DocsAPI.DocEditor('place', { ...${json}, events });
</script>`;
}
