import { strFromU8, unzipSync } from 'fflate';
import type { Locator } from 'playwright-core';
import { buildDocx, type DocxFixture } from '../support/docx-fixture.ts';
import { eventually } from '../support/eventually.ts';
import { newName } from '../support/new-name.ts';
import type { EditorPage, EditorVisit, EditorWorld } from './editor-world.ts';

/** The parts of an assembled file, XML as text and everything else as Latin-1. */
export type Parts = Readonly<Record<string, string>>;

export const partsOf = (docx: Uint8Array): Parts =>
  Object.fromEntries(
    Object.entries(unzipSync(docx)).map(([name, bytes]) => [
      name,
      strFromU8(bytes, !/\.(?:xml|rels)$/.test(name)),
    ]),
  );

/** Somebody with mouse and keyboard in front of an editor. */
export class Person {
  readonly editor: EditorPage;

  constructor(editor: EditorPage) {
    this.editor = editor;
  }

  get #keyboard() {
    return this.editor.page.keyboard;
  }

  /** Selects text of one line with the mouse, and looks whether it is; typing and keys go to the document then. */
  async select(text: string): Promise<void> {
    await eventually(
      async () => {
        await this.drag(text, text);
        return this.editor.frame.evaluate(() => String(getSelection()));
      },
      // Text may be shown in capitals, and somebody’s name may stand before it.
      (selected) => selected.toLowerCase().endsWith(text.toLowerCase()),
    );
  }

  /** Puts the cursor behind some text. */
  async cursorAfter(text: string): Promise<void> {
    await this.select(text);
    await this.press('ArrowRight');
  }

  /** Presses the mouse before the one text and lets it go behind the other. */
  async drag(from: string, to: string): Promise<void> {
    const { page } = this.editor;
    // A press inside of what is selected would drag it.
    await this.editor.frame.evaluate(() => getSelection()?.removeAllRanges());
    const start = await this.boxOf(from);
    const end = from === to ? start : await this.boxOf(to);
    await page.mouse.move(start.left + 0.5, start.y);
    await page.mouse.down();
    await page.mouse.move((start.left + end.right) / 2, (start.y + end.y) / 2);
    await page.mouse.move(end.right - 0.5, end.y);
    await page.mouse.up();
    await this.told();
  }

  /** Where the first place with this text is on the screen, scrolled to it. */
  async boxOf(text: string): Promise<{ left: number; right: number; y: number }> {
    const { frame } = this.editor;
    const box = await frame.evaluate(async (wanted) => {
      const find = () => {
        const editable = document.querySelector('.ProseMirror')!;
        const walker = document.createTreeWalker(editable, NodeFilter.SHOW_TEXT);
        for (let node = walker.nextNode(); node; node = walker.nextNode()) {
          const at = node.nodeValue!.indexOf(wanted);
          if (at < 0) continue;
          const range = document.createRange();
          range.setStart(node, at);
          range.setEnd(node, at + wanted.length);
          return { element: node.parentElement!, rect: range.getBoundingClientRect() };
        }
        throw new Error(`no text ${wanted}`);
      };
      const drawn = () => new Promise((resolve) => requestAnimationFrame(resolve));
      find().element.scrollIntoView({ block: 'nearest', behavior: 'instant' });
      await drawn();
      await drawn();
      const { rect } = find();
      return { left: rect.left, right: rect.right, y: (rect.top + rect.bottom) / 2 };
    }, text);
    const offset = await (await frame.frameElement()).boundingBox();
    const [x, y] = [offset?.x ?? 0, offset?.y ?? 0];
    return { left: x + box.left, right: x + box.right, y: y + box.y };
  }

  /** The browser tells of a new selection later than it is made. */
  async told(): Promise<void> {
    await this.editor.frame.evaluate(
      () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(() => resolve(null), 0))),
    );
  }

  /** Presses keys one after the other, in names as the browser has them. */
  async press(...keys: string[]): Promise<void> {
    for (const key of keys) {
      await this.#keyboard.press(key);
      await this.told();
    }
  }

  async type(text: string): Promise<void> {
    await this.#keyboard.type(text);
    await this.told();
  }

  /** A control of the toolbar above the text. */
  tool(name: string): Locator {
    return this.editor.frame.locator('.format-toolbar').getByRole('button', { name, exact: true });
  }

  /** An entry of a toolbar's menu. */
  async chooseTool(menu: string, entry: string): Promise<void> {
    await this.tool(menu).click();
    await this.#entry(entry).click();
  }

  /** An entry of the menu bar. */
  async choose(menu: string, entry: string): Promise<void> {
    const { frame } = this.editor;
    await frame.locator('.menu-bar').getByRole('button', { name: menu, exact: true }).click();
    await this.#entry(entry).click();
  }

  #entry(name: string): Locator {
    const label = new RegExp(`^${name.replaceAll('.', '\\.')}`);
    return this.editor.frame.locator('[role="menu"] button').filter({ hasText: label }).first();
  }

  /** Fills the fields of the dialog that is open, by their names in the form, and confirms. */
  async confirm(fields: Readonly<Record<string, string>>, button: string | RegExp = 'OK'): Promise<void> {
    const dialog = this.editor.frame.getByRole('dialog');
    for (const [name, value] of Object.entries(fields)) await dialog.locator(`[name="${name}"]`).fill(value);
    await dialog.getByRole('button', { name: button, exact: true }).click();
    await dialog.waitFor({ state: 'hidden' });
    await this.told();
  }
}

/** One document in an editor, from its source to the file that is delivered when everybody has left. */
export class EditedDocument {
  readonly world: EditorWorld;
  readonly key: string;
  readonly source: Uint8Array;

  constructor(world: EditorWorld, name: string, fixture: DocxFixture | Uint8Array) {
    this.world = world;
    this.key = newName(name);
    this.source = fixture instanceof Uint8Array ? fixture : buildDocx(fixture);
  }

  async open(user = 'Ann', more: Partial<EditorVisit> = {}): Promise<Person> {
    const sourceUrl = this.world.world.integrator.serve(`${this.key}.docx`, { bytes: this.source });
    const visit = { key: this.key, user, sourceUrl, viewport: { width: 1500, height: 900 }, ...more };
    return new Person(await this.world.visit(visit));
  }

  /** Everybody goes; the parts of the file that the integrator gets. */
  async delivered(...people: Person[]): Promise<Parts> {
    for (const { editor } of people) {
      await editor.saved();
      await editor.page.close();
    }
    const { integrator } = this.world.world;
    const { body } = await integrator.waitForCallback(this.key, ({ status }) => status === 2);
    const response = await fetch(String(body.url));
    return partsOf(new Uint8Array(await response.arrayBuffer()));
  }
}

/** A paragraph of one run. */
export const plain = (text: string): string =>
  `<w:p><w:r><w:t xml:space="preserve">${text}</w:t></w:r></w:p>`;

/** A run with properties. */
export const run = (text: string, properties = ''): string =>
  `<w:r>${properties && `<w:rPr>${properties}</w:rPr>`}<w:t xml:space="preserve">${text}</w:t></w:r>`;

/** A run written anew says that its spaces count only where it must. */
export const withoutSpace = (xml: string | undefined): string =>
  (xml ?? '').replaceAll(' xml:space="preserve"', '');

/** The body of a document part, without the section at its end. */
export const bodyOf = (parts: Parts): string =>
  withoutSpace(/<w:body>(.*)<w:sectPr>/s.exec(parts['word/document.xml'] ?? '')?.[1]);
