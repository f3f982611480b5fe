import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../support/browser.ts';
import { eventually } from '../support/eventually.ts';
import { newName } from '../support/new-name.ts';
import { violations } from './axe.ts';
import { contracts, pressReview, selectText, shot } from './review-page.ts';

describe.skipIf(!hasBrowser)('review in the editor', () => {
  const contract = contracts();
  const { serve } = contract;

  it('[RV14] an editor switches tracking; what is shown follows the menu, and undo takes tracked changes back', async () => {
    const key = newName('tracking-modes');
    const ann = await contract.world.visit({ key, user: 'Ann', sourceUrl: serve(key) });
    const before = await ann.document();
    const status = ann.frame.getByRole('button', { name: 'Track changes' });
    await ann.placeCursor('The tenant');
    await ann.page.keyboard.press('Control+Shift+E');
    expect(await status.getAttribute('aria-pressed')).toBe('true');
    await ann.page.keyboard.type(' Bo');
    await ann.placeCursor('repairs the');
    await ann.page.keyboard.press('Control+Backspace');
    await ann.page.keyboard.press('Backspace');
    await ann.page.keyboard.press('Backspace');
    await ann.page.keyboard.type('!');
    await eventually(
      () => ann.text(),
      (text) => text.includes('The tenant Bo pays') && text.includes('repair!s the roof'),
    );
    const shown = () =>
      // biome-ignore lint/performance/useDomNodeTextContent: it must not have what is hidden
      ann.frame.evaluate(() => document.querySelector<HTMLElement>('.ProseMirror')!.innerText);
    await pressReview(ann, 'Show as if accepted');
    expect((await shown()).replaceAll(/\n+/g, '|')).toContain('The landlord repair! roof.');
    await shot(ann, 'final');
    await pressReview(ann, 'Show as if rejected');
    expect((await shown()).replaceAll(/\n+/g, '|')).toContain('The tenant pays the rent');
    await pressReview(ann, 'Show bars beside changes');
    await shot(ann, 'simple');
    await pressReview(ann, 'Show all markup');
    await shot(ann, 'markup');
    await ann.page.keyboard.press('Control+Shift+E');
    expect(await status.getAttribute('aria-pressed')).toBe('false');
    await ann.frame.locator('.ProseMirror').focus();
    for (let count = 0; count < 8; count++) await ann.page.keyboard.press('Control+z');
    expect(await ann.document()).toEqual(before);
    expect(ann.problems).toEqual([]);
  });

  it('[RC11] mentions come from the page and are told to it; a link of it opens at a comment', async () => {
    const key = newName('mentions');
    const sourceUrl = serve(key);
    const ann = await contract.world.visit({ key, user: 'Ann', sourceUrl });
    await selectText(ann, 'the roof');
    await ann.frame
      .getByRole('button', { name: /^Comment$/ })
      .first()
      .click();
    const field = ann.frame.getByLabel('New comment');
    await field.pressSequentially('Please look @b');
    await eventually(
      async () =>
        (await ann.events()).filter(({ name }) => name === 'onRequestUsers').map(({ data }) => data),
      (asked) => asked.some((data) => (data as { search?: string }).search === 'b'),
    );
    await ann.page.evaluate(() => {
      const users = [{ id: '7', name: 'Ben Doe', email: 'ben@example.org' }];
      (globalThis as unknown as { editor: { setUsers(data: object): void } }).editor.setUsers({
        c: 'mention',
        users,
      });
    });
    await ann.frame.getByRole('option', { name: /Ben Doe/ }).waitFor();
    await shot(ann, 'mention');
    await field.press('Enter');
    expect(await field.inputValue()).toBe('Please look @Ben Doe ');
    await field.press('Control+Enter');
    const told = await ann.event('onRequestSendNotify');
    const { actionLink, message, emails } = told.data as {
      actionLink: { action: { type: string; data: string } };
      message: string;
      emails: string[];
    };
    expect([actionLink.action.type, message, emails]).toEqual([
      'comment',
      'Please look @Ben Doe',
      ['ben@example.org'],
    ]);
    await ann.saved();
    const ben = await contract.world.visit({ key, user: 'Ben', sourceUrl, editorConfig: { actionLink } });
    await ben.frame.getByRole('list', { name: 'Comments' }).getByText('Please look').waitFor();
    expect(await ben.frame.locator('.commented-active').textContent()).toBe('the roof');
    expect([...ann.problems, ...ben.problems]).toEqual([]);
  });

  it('[RC12] panels of comments and changes have no faults that axe finds, in light, dark and on a phone', async () => {
    const key = newName('review-axe');
    const sourceUrl = serve(key);
    const ann = await contract.world.visit({ key, user: 'Ann', sourceUrl, colorScheme: 'dark', ...german });
    await ann.placeCursor('Both sign');
    await ann.page.keyboard.press('Control+Shift+E');
    await ann.typeAfter('Both sign', ' und unterschreiben');
    await selectText(ann, 'the roof');
    await ann.page.keyboard.press('Control+Alt+m');
    await ann.page.keyboard.type('Welches Dach?');
    await ann.page.keyboard.press('Control+Enter');
    await ann.frame.getByRole('list', { name: 'Kommentare' }).getByText('Welches Dach?').waitFor();
    await shot(ann, 'comments-dark');
    expect(await violations(ann.frame, '.side-panel')).toEqual([]);
    await ann.showsSaving(/Server gesichert|Gespeichert/);
    const phone = await contract.world.visit({
      key,
      user: 'Omar',
      sourceUrl,
      viewport: { width: 360, height: 720 },
      editorConfig: { lang: 'ar', customization: { review: { showReviewChanges: true } } },
    });
    await phone.frame.locator('.changes li').first().waitFor();
    await shot(phone, 'changes-phone-ar');
    expect(await violations(phone.frame, '.side-panel')).toEqual([]);
    expect([...ann.problems, ...phone.problems]).toEqual([]);
  });
});

const german = { editorConfig: { lang: 'de' } };
