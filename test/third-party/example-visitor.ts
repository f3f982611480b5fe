import type { Browser, BrowserContext, FrameLocator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { patienceMs } from '../support/patience.ts';

const patience = { timeout: patienceMs };

/** People whom every example has, by the names that its list shows; their ids differ. */
export const people = {
  john: 'John Smith',
  mark: 'Mark Pottato',
  hamish: 'Hamish Mitchell',
  anonymous: 'Anonymous',
} as const;

export type PersonName = keyof typeof people;

/** The links that make a new document of a kind. */
const kinds = {
  word: '.try-editor.word, .try-editor.docx',
  cell: '.try-editor.cell, .try-editor.xlsx',
  slide: '.try-editor.slide, .try-editor.pptx',
  form: '.try-editor.form, .try-editor.pdf',
} as const;

type ExampleKind = keyof typeof kinds;

/** An editor that was opened from an example's list. */
export class OpenedExample {
  readonly page: Page;
  readonly frame: FrameLocator;
  /** What the page wrote to its console, and errors of its scripts. */
  readonly console: string[] = [];

  /** @param isWopi the editor is in a page of ours, which the example frames */
  constructor(page: Page, isWopi = false) {
    this.page = page;
    const frame = page.frameLocator('iframe >> nth=0');
    this.frame = isWopi ? frame.frameLocator('iframe >> nth=0') : frame;
    page.on('console', (message) => this.console.push(message.text()));
    page.on('pageerror', (error) => this.console.push(`error: ${error.message}`));
  }

  get text() {
    return this.frame.locator('.ProseMirror');
  }

  /** Pages of what is shown without an editor. */
  get pages() {
    return this.frame.locator('.pdfViewer .page');
  }

  async ready(): Promise<this> {
    await this.frame.locator('.ProseMirror, .cell-desk, .pdfViewer .page').first().waitFor(patience);
    return this;
  }

  /** Goes to a cell of a spreadsheet, types and presses Enter. */
  async put(cell: string, text: string): Promise<void> {
    await this.frame.locator('.name-box').fill(cell, patience);
    await this.page.keyboard.press('Enter');
    await this.page.keyboard.type(text);
    await this.page.keyboard.press('Enter');
  }

  /** Resolves when a cell near the active one shows this. */
  async cellShows(cell: string, text: string): Promise<void> {
    const place = this.frame.locator(`.cell-desk:not([hidden]) [role="gridcell"][data-cell="${cell}"]`);
    await eventually(async () => expect(await place.textContent()).toBe(text));
  }

  /** Types at the end of the document. */
  async write(text: string): Promise<void> {
    await this.text.focus();
    await this.page.keyboard.press('Control+End');
    await this.page.keyboard.type(text);
  }

  async shows(text: string): Promise<void> {
    await eventually(async () => expect((await this.text.allTextContents()).join('\n')).toContain(text));
  }

  async saved(): Promise<void> {
    await this.frame.getByRole('button', { name: /Saved on the server|Stored/ }).waitFor(patience);
  }

  async choose(entry: string): Promise<void> {
    await this.frame.locator('.menu-bar').getByRole('button', { name: 'File', exact: true }).click(patience);
    await this.frame.locator('[role^="menuitem"]', { hasText: entry }).click(patience);
  }
}

/** Somebody in front of an example's pages. */
export class ExampleVisitor {
  readonly context: BrowserContext;
  readonly #address: string;
  readonly #person: PersonName;
  readonly #list: Page;
  readonly #isWopi: boolean;
  readonly #sockets = new Set<() => Promise<void>>();
  #isAway = false;

  private constructor(
    context: BrowserContext,
    list: Page,
    { address, person, isWopi }: { address: string; person: PersonName; isWopi: boolean },
  ) {
    this.context = context;
    this.#list = list;
    this.#address = address;
    this.#person = person;
    this.#isWopi = isWopi;
  }

  /** @param address of the list; of the one that opens files by WOPI where `isWopi` */
  static async come(
    browser: Browser,
    address: string,
    person: PersonName,
    isWopi = false,
  ): Promise<ExampleVisitor> {
    const context = await browser.newContext({ viewport: { width: 1400, height: 900 } });
    // The examples' pages ask a service of fonts, which a test must not wait for.
    await context.route(/^https?:\/\/(?!localhost|127\.0\.0\.1)/, (route) => route.abort());
    const visitor = new ExampleVisitor(context, await context.newPage(), { address, person, isWopi });
    await visitor.#watchConnections();
    await visitor.list();
    return visitor;
  }

  /** The list of files, as it is now. */
  async list(): Promise<Page> {
    // Some lists load themselves anew when an editor was opened, and may do so just now.
    await eventually(() => this.#list.goto(this.#address, patience));
    await this.#list.locator('#user').selectOption({ label: people[this.#person] });
    return this.#list;
  }

  /** Makes a new document by the list's link, a text unless another kind is named; empty, or with what the example has as a sample. */
  async create(kind: ExampleKind = 'word', { withSample = false } = {}): Promise<OpenedExample> {
    const list = await this.list();
    // The list's scripts put the wish into the links.
    await list.waitForLoadState('networkidle', patience);
    if (withSample) await list.locator('#createSample').check({ force: true });
    return this.#opens(() => list.locator(kinds[kind]).click(patience));
  }

  /** Opens a file of the list: in the way that an icon of its row stands for, else for editing. */
  async open(file: string, mode?: 'view' | 'comment' | 'review' | 'embedded'): Promise<OpenedExample> {
    const list = await this.list();
    const row = this.rowOf(list, file);
    const link = mode
      ? row.locator(`a[href*="=${mode}"]:not([href*="type=mobile"])`)
      : row.locator('a.stored-edit');
    return this.#opens(() => link.first().click(patience));
  }

  rowOf(list: Page, file: string) {
    return list.locator('tr.tableRow', { hasText: file });
  }

  /** Puts a file into the field for uploads and waits until it can be edited. */
  async upload(name: string, bytes: Uint8Array): Promise<Page> {
    const list = await this.list();
    // The list's scripts ask what can be converted, and forget a file that comes before they know.
    await list.waitForLoadState('networkidle', patience);
    const buffer = Buffer.from(bytes);
    await list.locator('#fileupload').setInputFiles({ name, mimeType: 'application/octet-stream', buffer });
    await list.locator('#beginEdit:not(.disable)').waitFor({ timeout: 90_000 });
    return list;
  }

  /** Presses “Edit” after an upload. */
  editUploaded(list: Page): Promise<OpenedExample> {
    return this.#opens(() => list.locator('#beginEdit').click(patience));
  }

  /** The address of an editor’s page may name the file in several ways; the editor’s title is the file’s. */
  async #opens(press: () => Promise<void>): Promise<OpenedExample> {
    const opened = this.context.waitForEvent('page', patience);
    await press();
    return new OpenedExample(await opened, this.#isWopi).ready();
  }

  /** Loses the connection of every open editor, and makes no new one. The example stays in reach. */
  async cutOff(): Promise<void> {
    this.#isAway = true;
    for (const cut of this.#sockets) await cut();
    this.#sockets.clear();
  }

  comeBack(): void {
    this.#isAway = false;
  }

  async #watchConnections(): Promise<void> {
    await this.context.route(/\/doc\/[^/]+\/c\//, (route) =>
      this.#isAway ? route.abort() : route.continue(),
    );
    await this.context.routeWebSocket(/\/doc\/[^/]+\/c\//, async (socket) => {
      if (this.#isAway) return socket.close();
      const server = socket.connectToServer();
      this.#sockets.add(async () => {
        await server.close();
        await socket.close();
      });
    });
  }
}
