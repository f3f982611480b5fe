import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildDocx } from '../support/docx-fixture.ts';
import { eventually } from '../support/scene.ts';
import { type EditorPage, type EditorVisit, EditorWorld, hasBrowser } from './editor-world.ts';

let world: EditorWorld;
let source = '';
let keys = 0;
/** Where pictures of the pages are left, for people to look at. */
const shots = process.env.SCREENSHOTS_DIR;

beforeAll(async () => {
  if (!hasBrowser) return;
  world = await EditorWorld.open();
  source = world.world.integrator.serve('look.docx', {
    bytes: buildDocx({ paragraphs: [{ text: 'A title', style: 'Heading1' }, 'Some text to look at'] }),
  });
}, 90_000);
afterAll(() => world?.close());

const visit = (more: Partial<EditorVisit> = {}): Promise<EditorPage> =>
  world.visit({ key: `look-${keys++}`, user: 'ann', sourceUrl: source, ...more });
const customized = (customization: object, more: Partial<EditorVisit> = {}) =>
  visit({ ...more, editorConfig: { customization, ...more.editorConfig } });
const count = (editor: EditorPage, selector: string) => editor.frame.locator(selector).count();
const shot = async (editor: EditorPage, name: string) => {
  if (shots) await editor.page.screenshot({ path: `${shots}/H-${name}.png` });
};

describe.skipIf(!hasBrowser)('how the page wants the editor to look', () => {
  it('[EH15] what is switched off is not there', async () => {
    const editor = await customized({
      help: false,
      chat: false,
      comments: false,
      compactToolbar: true,
      toolbarHideFileName: true,
    });
    const menus = await editor.frame.locator('.menu-bar button').allTextContents();
    expect(menus).toContain('File');
    expect(menus).not.toContain('Help');
    expect(await editor.frame.getByRole('button', { name: 'Chat' }).count()).toBe(0);
    expect(await editor.frame.getByRole('button', { name: 'Comments' }).count()).toBe(0);
    expect(await count(editor, '.title-bar h1')).toBe(0);
    expect(await count(editor, '.format-toolbar')).toBe(0);
    await editor.choose('View', 'Toolbar');
    expect(await count(editor, '.format-toolbar')).toBe(1);
  });

  it('[EH15] without wishes everything is there', async () => {
    const editor = await visit();
    expect(await editor.frame.locator('.menu-bar button').allTextContents()).toContain('Help');
    for (const name of ['Chat', 'Comments']) {
      expect(await editor.frame.locator('.title-bar').getByRole('button', { name }).count()).toBe(1);
    }
    expect(await count(editor, '.format-toolbar')).toBe(1);
    expect(await count(editor, '.host-logo')).toBe(0);
  });

  it('[EH15] logo, way back, feedback and theme are the page’s', async () => {
    const pixel = 'data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7';
    const served = { bytes: Buffer.from('A page'), contentType: 'text/html' };
    const home = world.world.integrator.serve('home', served);
    world.world.integrator.serve('home-feedback', served);
    const editor = await customized({
      logo: { image: pixel, url: home },
      goback: { url: home, text: 'All documents', blank: false },
      feedback: { url: `${home}-feedback`, visible: true },
      uiTheme: 'theme-dark',
    });
    expect(await editor.frame.locator('.host-logo-link').getAttribute('href')).toBe(home);
    expect(await editor.frame.evaluate(() => document.documentElement.dataset.theme)).toBe('dark');
    const feedback = editor.page.context().waitForEvent('page');
    await editor.choose('Help', 'Feedback');
    await (await feedback).waitForURL(`${home}-feedback`);
    await shot(editor, 'customized-dark');
    await editor.frame.getByRole('link', { name: 'All documents' }).click();
    await editor.page.waitForURL(home);
  });

  it('[EH15] the way back may ask the page to close', async () => {
    const editor = await customized({ goback: { requestClose: true, text: 'Back to files' } });
    await editor.frame.getByRole('button', { name: 'Back to files' }).click();
    await editor.event('onRequestClose');
  });

  it.for([
    [150, (zoom: number) => zoom === 1.5],
    [-1, (zoom: number) => zoom < 0.9],
    [-2, (zoom: number) => zoom > 1.05],
  ] as const)('[EH15] zoom %d', async ([zoom, fits]) => {
    const editor = await customized({ zoom });
    await eventually(
      () =>
        editor.frame.evaluate(() =>
          Number(getComputedStyle(document.querySelector('.paper')!).getPropertyValue('zoom')),
        ),
      fits,
    );
  });

  it('[EH16] embedded: a reader’s bar with what the page has an address for, and nothing else', async () => {
    const { address } = world.world.integrator;
    const editor = await visit({
      type: 'embedded',
      editorConfig: {
        embedded: {
          saveUrl: `${address}/files/save`,
          shareUrl: `${address}/share?a=1&b=2`,
          embedUrl: `${address}/embed?a=1&b=%222%22`,
          fullscreenUrl: `${address}/full`,
          toolbarDocked: 'bottom',
        },
      },
    });
    expect((await editor.event('onInfo')).data).toEqual({ mode: 'view' });
    expect(await count(editor, '.menu-bar, .format-toolbar, .status-bar')).toBe(0);
    expect(await editor.frame.locator('.ProseMirror').getAttribute('contenteditable')).toBe('false');
    const link = (name: string) => editor.frame.getByRole('link', { name }).getAttribute('href');
    expect(await link('Download')).toBe(`${address}/files/save`);
    expect(await link('Full screen')).toBe(`${address}/full`);
    await editor.frame.getByRole('button', { name: 'Share' }).click();
    const texts = await editor.frame
      .locator('dialog textarea')
      .evaluateAll((all) => all.map((one) => (one as HTMLTextAreaElement).value));
    expect(texts[0]).toBe(`${address}/share?a=1&b=2`);
    expect(texts[1]).toContain(`src="${address}/embed?a=1&amp;b=%222%22"`);
    await editor.page.keyboard.press('Escape');
    const [bar, desk] = await Promise.all(
      ['.reading-bar', '.desk'].map((one) => editor.frame.locator(one).boundingBox()),
    );
    expect(bar!.y).toBeGreaterThan(desk!.y);
    await shot(editor, 'embedded');
  });

  it('[EH16] embedded: without addresses only the text, its name and its size', async () => {
    const editor = await visit({ type: 'embedded', permissions: { edit: true } });
    expect(await editor.frame.locator('.reading-bar a').count()).toBe(0);
    await editor.showsText(/Some text to look at/);
  });

  it('[EH17] mobile: one menu, the same document, and typing', async () => {
    const editor = await visit({ type: 'mobile', viewport: { width: 390, height: 780 } });
    expect(await count(editor, '.menu-bar, .status-bar')).toBe(0);
    await editor.typeAfter('Some text', ' typed on a phone');
    await editor.saved();
    await editor.frame.getByRole('button', { name: 'Menus' }).click();
    const entries = await editor.frame.locator('[role^="menuitem"]').allTextContents();
    expect(entries.join()).toMatch(/Save now.*Download.*Outline/);
    await shot(editor, 'mobile');
    const width = await editor.frame.evaluate(() => document.documentElement.scrollWidth);
    expect(width).toBeLessThanOrEqual(390);
  });

  it('[EH18] a guest is asked for a name once, and others see it with the page’s word for guests', async () => {
    const key = `look-${keys++}`;
    const editorConfig = { user: {}, customization: { anonymous: { label: 'Visitor' } } };
    const first = await world.start({ key, user: 'x', sourceUrl: source, editorConfig });
    const frame = await eventually(
      async () => first.page.frames().find((one) => one.url().includes('/quire/word/')),
      (found) => found !== undefined,
    );
    await frame!.locator('dialog input[name=name]').fill('Zoe');
    await frame!.locator('dialog').getByRole('button', { name: 'OK' }).click();
    await first.settled();
    const context = first.page.context();
    const bob = await visit({ key, user: 'bob' });
    await bob.frame.locator('.title-bar').getByRole('button', { name: 'People' }).click();
    await eventually(
      () => bob.frame.locator('.people').textContent(),
      (text) => text!.includes('Zoe (Visitor)'),
    );
    await first.page.close();
    const again = await visit({ key, user: 'x', editorConfig, context });
    expect(await count(again, 'dialog')).toBe(0);
  });

  it('[EH18] a guest is not asked where the page does not want it', async () => {
    const editorConfig = { user: {}, customization: { anonymous: { request: false } } };
    const editor = await visit({ editorConfig });
    await editor.frame.locator('.title-bar').getByRole('button', { name: 'People' }).click();
    await eventually(
      () => editor.frame.locator('.people').textContent(),
      (text) => text!.includes('Guest (you)'),
    );
  });
});
