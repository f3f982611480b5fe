import type { Frame, Locator, Page } from 'playwright-core';
import { downloaded } from '../support/browser.ts';
import { eventually } from '../support/eventually.ts';

/** These editors are 20 MB of script each: on a busy machine they take their time to start. */
const openingMs = 120_000;
const waitMs = 60_000;

/** What an event of the editor told the embedding page. */
export interface HostEvent {
  name: string;
  data: unknown;
}

/** What of the editors' interface for the page around them is used here. */
interface Editors {
  Asc: {
    editor: {
      asc_enableKeyEvents(on: boolean): void;
      asc_addImage(): void;
      asc_addComment(comment: Comment): void;
    };
    asc_CCommentData: new () => Comment;
  };
}

interface Comment {
  asc_putText(text: string): void;
  asc_putTime(time: string): void;
  asc_putUserId(id: string): void;
  asc_putUserName(name: string): void;
  asc_putDocumentFlag(wholeDocument: boolean): void;
}

/** One person's page with an editor of others in it. */
export class OfficePage {
  readonly page: Page;
  /** Errors of scripts and of the console, of page and frame. */
  readonly problems: string[] = [];
  #signIns = 0;

  constructor(page: Page) {
    this.page = page;
    page.on('pageerror', (error) => this.problems.push(String(error.stack ?? error)));
    page.on('console', (message) => {
      if (message.type() === 'error') this.problems.push(message.text());
    });
    page.on('websocket', (socket) => {
      socket.on('framereceived', ({ payload }) => {
        if (String(payload).startsWith('42["message",{"type":"auth",')) this.#signIns += 1;
      });
    });
  }

  /** The editor's own page. @throws Error while there is none */
  get frame(): Frame {
    const frame = this.page.frames().find((one) => one.name() === 'frameEditor');
    if (!frame) throw new Error('there is no editor on the page');
    return frame;
  }

  events(): Promise<HostEvent[]> {
    return this.page.evaluate(() => (globalThis as unknown as { seen: HostEvent[] }).seen);
  }

  /** Forgets the events so far. */
  async forgetEvents(): Promise<void> {
    await this.page.evaluate(() => {
      (globalThis as unknown as { seen: HostEvent[] }).seen = [];
    });
  }

  /** The first event of a name, when it has come. */
  async event(name: string, timeoutMs = waitMs): Promise<HostEvent> {
    return (await eventually(
      async () => (await this.events()).find((event) => event.name === name),
      (event) => event !== undefined,
      timeoutMs,
    )) as HostEvent;
  }

  /** Resolves when the document can be worked on. @throws Error when the editor reports one instead */
  async ready(): Promise<void> {
    const events = await eventually(
      () => this.events(),
      (seen) => seen.some(({ name }) => name === 'onDocumentReady' || name === 'onError'),
      openingMs,
    );
    const error = events.find(({ name }) => name === 'onError');
    if (error)
      throw new Error(`the editor reports ${JSON.stringify(error.data)}; ${this.problems.join('; ')}`);
    await this.focus();
  }

  /** Calls a method of the editor's object on the embedding page. */
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

  /** Runs a function in the editor's page, with the interface that the editors give to macros and plugins. */
  inEditor<Given, Result>(run: (given: Given) => Result, given: Given): Promise<Result> {
    return this.frame.evaluate(run as never, given as never) as Promise<Result>;
  }

  /** Something of the editor's page. */
  find(selector: string): Locator {
    return this.frame.locator(selector);
  }

  /** Puts the keyboard into the document. */
  async focus(): Promise<void> {
    await eventually(
      () =>
        this.frame.evaluate(() => {
          const { Asc } = globalThis as unknown as Editors;
          Asc.editor.asc_enableKeyEvents(true);
          const mask = document.querySelector<HTMLElement>('.asc-loadmask, .modals-mask');
          return { focused: document.activeElement?.id, masked: mask !== null && mask.offsetParent !== null };
        }),
      ({ focused, masked }) => focused === 'area_id' && !masked,
    );
  }

  async press(...keys: readonly string[]): Promise<void> {
    for (const key of keys) await this.page.keyboard.press(key);
  }

  async type(text: string): Promise<void> {
    await this.page.keyboard.type(text, { delay: 40 });
  }

  /** Resolves when the server has all that was changed here; `before` this there was a change. */
  async saved(timeoutMs = waitMs): Promise<void> {
    await eventually(
      () => this.#isChanged(),
      (isChanged) => isChanged === false,
      timeoutMs,
    );
  }

  /** Whether the editor has changes that it has not saved; undefined while it has not said anything about it. */
  async #isChanged(): Promise<unknown> {
    return (await this.events()).filter(({ name }) => name === 'onDocumentStateChange').at(-1)?.data;
  }

  /** Says something in the chat. */
  async say(text: string): Promise<void> {
    await this.find('#left-btn-chat').click();
    await this.find('#chat-msg-text').fill(text);
    await this.find('#chat-msg-btn-add').click();
    await this.find('#left-btn-chat').click();
    await this.focus();
  }

  /** Comments on what is selected. */
  async addComment(text: string): Promise<void> {
    await this.find('a[data-tab=review]').click();
    await this.find('button[id^=tlbtn-addcomment]:visible').first().click();
    await this.changes(async () => {
      await this.find('.comments-popover textarea:visible').fill(text);
      await this.press('Control+Enter');
    });
    await this.find('.comments-popover').getByText(text).waitFor();
    await this.press('Escape');
    await this.focus();
  }

  /**
   * Does something after which the editor changes the document, perhaps later: it may ask for a lock first, or load a
   * picture. Resolves when it has, so that `saved` is about this change.
   */
  async changes(action: () => Promise<void>): Promise<void> {
    await eventually(
      () => this.#isChanged(),
      (isChanged) => isChanged !== true,
    );
    await this.forgetEvents();
    await action();
    await this.event('onDocumentStateChange');
  }

  /** Comments on what is selected, as an embedding page does, without the dialogue. */
  putComment(text: string): Promise<void> {
    return this.changes(() =>
      this.inEditor((given) => {
        const { editor, asc_CCommentData } = (globalThis as unknown as Editors).Asc;
        const comment = new asc_CCommentData();
        comment.asc_putText(given);
        comment.asc_putTime(String(Date.now()));
        comment.asc_putUserId('someone');
        comment.asc_putUserName('Someone');
        comment.asc_putDocumentFlag(false);
        editor.asc_addComment(comment);
      }, text),
    );
  }

  /** Puts in a picture from a file that `open` lets one choose: what the button for pictures does, unless given. */
  async putPicture(
    bytes: Uint8Array,
    open = () => this.inEditor(() => (globalThis as unknown as Editors).Asc.editor.asc_addImage(), undefined),
  ): Promise<void> {
    await this.changes(async () => {
      const chooser = this.page.waitForEvent('filechooser');
      await open();
      await (await chooser).setFiles({
        name: 'picture.png',
        mimeType: 'image/png',
        buffer: Buffer.from(bytes),
      });
    });
    await this.focus();
  }

  /** Answers the question for a password, when it is asked. */
  async answerPassword(password: string): Promise<void> {
    const field = this.find('.asc-window input[type=password]:visible');
    await field.waitFor({ timeout: openingMs });
    await field.fill(password);
    await this.find('.asc-window:visible button:has-text("OK")').click();
    await field.waitFor({ state: 'hidden' });
  }

  /** Does something that ends the connection, and resolves when the editor is back and takes what is typed. */
  async comesBackAfter(ends: () => Promise<unknown> | undefined): Promise<void> {
    const before = this.#signIns;
    await ends();
    await eventually(
      async () => this.#signIns,
      (signIns) => signIns > before,
    );
    await this.find('#id-toolbar-btn-paste:not(.disabled)').waitFor({ state: 'attached', timeout: waitMs });
    await this.focus();
  }

  /** The document in another format, by the number of the format. */
  async downloadAs(format: number): Promise<Uint8Array> {
    await this.find('a[data-tab=file]').click();
    await this.find('#fm-btn-download').click();
    const download = this.page.waitForEvent('download', { timeout: 60_000 });
    await this.find(`[format="${format}"]:visible`).first().click();
    // About some formats the editor asks first.
    const answered = this.find('.asc-window:visible button:has-text("OK")')
      .click({ timeout: 60_000 })
      .catch(() => undefined);
    await Promise.race([download, answered]);
    const bytes = await downloaded(await download);
    await this.press('Escape');
    return bytes;
  }

  /** Leaves as somebody who closes the tab. */
  async leave(): Promise<void> {
    await this.page.close({ runBeforeUnload: false });
  }
}
