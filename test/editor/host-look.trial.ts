import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../support/browser.ts';
import { eventually } from '../support/eventually.ts';
import { newName } from '../support/new-name.ts';
import { count, lookPages, shot } from './host-look-page.ts';

const pages = lookPages();
const { visit, customized } = pages;

describe.skipIf(!hasBrowser)('how the page wants the editor to look', () => {
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
    const home = pages.world.world.integrator.serve('home', served);
    pages.world.world.integrator.serve('home-feedback', served);
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

  it('[EH16] embedded: without addresses only the text, its name and its size', async () => {
    const editor = await visit({ type: 'embedded', permissions: { edit: true } });
    expect(await editor.frame.locator('.reading-bar a').count()).toBe(0);
    await editor.showsText(/Some text to look at/);
  });

  it('[EH18] a guest is asked for a name once, and others see it with the page’s word for guests', async () => {
    const key = newName('look');
    const editorConfig = { user: {}, customization: { anonymous: { label: 'Visitor' } } };
    const first = await pages.world.start({ key, user: 'x', sourceUrl: pages.source, editorConfig });
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
