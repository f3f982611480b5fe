import { strFromU8, unzipSync } from 'fflate';
import type { Node } from 'prosemirror-model';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDocx } from '../../converter/engines/ooxml/docx/docx-engine.ts';
import { buildDocx } from '../support/docx-fixture.ts';
import { newName } from '../support/new-name.ts';
import { eventually } from '../support/scene.ts';
import { fetchFile } from '../support/word-editor.ts';
import { violations } from './axe.ts';
import { type EditorPage, EditorWorld, hasBrowser } from './editor-world.ts';

const shots = process.env.SHOTS_DIR;
const shot = async (page: EditorPage, name: string) => {
  if (shots) await page.page.screenshot({ path: `${shots}/R-${name}.png` });
};

const title = 'The contract';
const paragraphs = [
  { text: title, style: 'Heading1' },
  'The tenant pays the rent on the first day of each month.',
  'The landlord repairs the roof.',
  'Both sign this contract.',
];

describe.skipIf(!hasBrowser)('review in the editor', { timeout: 120_000 }, () => {
  let world: EditorWorld;
  beforeAll(async () => {
    world = await EditorWorld.open();
  }, 120_000);
  afterAll(() => world?.close());

  const serve = (key: string) =>
    world.world.integrator.serve(`${key}.docx`, { bytes: buildDocx({ paragraphs }) });

  /** Everybody leaves; the file that the integrator gets then. */
  async function assembled(key: string, ...people: EditorPage[]): Promise<Uint8Array> {
    for (const { page } of people) await page.close();
    const { body } = await world.world.integrator.waitForCallback(key, ({ status }) => status === 2, 30_000);
    return fetchFile(body.url);
  }

  const xmlOf = (docx: Uint8Array) => strFromU8(unzipSync(docx)['word/document.xml']!);

  it('[RV10] a reviewer writes and deletes, an editor accepts one and rejects the other, the file has the rest', async () => {
    const key = newName('review-story');
    const sourceUrl = serve(key);
    const ann = await world.visit({ key, user: 'Ann', sourceUrl });
    const rita = await world.visit({
      key,
      user: 'Rita',
      sourceUrl,
      permissions: { edit: false, review: true, comment: true },
    });
    await rita.typeAfter('pays the rent', ' in full');
    await rita.placeCursor('The landlord repairs');
    for (let count = 0; count < 'repairs'.length; count++) await rita.page.keyboard.press('Backspace');
    await rita.page.keyboard.type('replaces');
    await rita.placeCursor('Both sign this contract');
    await rita.page.keyboard.press('Delete');
    await rita.page.keyboard.press('Enter');
    await rita.page.keyboard.type('Twice');
    await eventually(
      () => ann.text(),
      (text) =>
        text ===
        [
          title,
          'The tenant pays the rent in full on the first day of each month.',
          'The landlord replacesrepairs the roof.',
          'Both sign this contract.',
          'Twice',
        ].join('\n'),
    );
    await panel(ann, 'Tracked changes');
    const list = ann.frame.getByRole('list', { name: 'Tracked changes' });
    await eventually(
      () => list.getByRole('listitem').allInnerTexts(),
      (texts) => texts.length === 5,
    );
    expect((await list.getByRole('listitem').allInnerTexts()).map((text) => text.split('\n').at(-1))).toEqual(
      ['Inserted in full', 'Inserted replaces', 'Deleted repairs', 'Deleted .', 'Inserted ¶Twice'],
    );
    await shot(ann, 'changes');
    await shot(rita, 'reviewer');
    // A reviewer takes back only what is their own.
    await panel(rita, 'Tracked changes');
    const own = rita.frame.getByRole('list', { name: 'Tracked changes' });
    await own.getByRole('button', { name: 'Reject this change' }).first().waitFor();
    expect(await own.getByRole('button', { name: 'Accept this change' }).count()).toBe(0);

    await list.getByRole('listitem').filter({ hasText: 'in full' }).getByLabel('Accept this change').click();
    await list.getByRole('listitem').filter({ hasText: 'repairs' }).getByLabel('Reject this change').click();
    await eventually(
      () => list.getByRole('listitem').count(),
      (count) => count === 3,
    );
    const annText = await ann.text();
    await eventually(
      () => rita.text(),
      (text) => text === annText,
    );
    expect([...ann.problems, ...rita.problems]).toEqual([]);
    const docx = await assembled(key, ann, rita);
    const xml = xmlOf(docx);
    const revisions = xml.matchAll(/<w:(ins|del)\b[^>]*?w:author="([^"]*)"[^>]*?(?:\/>|>(.*?)<\/w:\1>)/g);
    expect(
      [...revisions].map(([, kind, author, inside]) => [
        kind,
        author,
        inside === undefined
          ? '¶'
          : [...inside.matchAll(/<w:(?:t|delText)[^>]*>([^<]*)/g)].map(([, text]) => text).join(''),
      ]),
    ).toEqual([
      ['ins', 'Rita', 'replaces'],
      ['ins', 'Rita', '¶'],
      ['del', 'Rita', '.'],
      ['ins', 'Rita', 'Twice'],
    ]);
    const { doc } = openDocx(docx);
    expect(doc.child(1).textContent).toBe('The tenant pays the rent in full on the first day of each month.');
  });

  it('[RC10] two people comment, answer and resolve; both see it, and so does the file', async () => {
    const key = newName('comment-story');
    const sourceUrl = serve(key);
    const ann = await world.visit({ key, user: 'Ann', sourceUrl, editorConfig: { canRequestUsers: true } });
    const cora = await world.visit({
      key,
      user: 'Cora',
      sourceUrl,
      permissions: { edit: false, comment: true },
    });
    await selectText(cora, 'the first day');
    await cora.page.keyboard.press('Control+Alt+m');
    const field = cora.frame.getByLabel('New comment');
    await field.fill('Why not the third?');
    await shot(cora, 'comment-draft');
    await field.press('Control+Enter');
    const threads = (page: EditorPage) => page.frame.getByRole('list', { name: 'Comments' });
    await threads(cora).getByText('Why not the third?').waitFor();
    await ann.frame.locator('.commented', { hasText: 'the first day' }).click();
    await threads(ann).getByText('Why not the third?').waitFor();
    await threads(ann).getByRole('button', { name: 'Answer' }).click();
    const answer = ann.frame.getByRole('textbox', { name: 'Answer' });
    await answer.fill('Banks are closed then.');
    await answer.press('Control+Enter');
    await threads(cora).getByText('Banks are closed then.').waitFor();
    await shot(ann, 'comments');
    await threads(cora).getByRole('button', { name: 'Resolve' }).click();
    await threads(ann).getByText('Resolved').waitFor();
    await shot(cora, 'comment-resolved');

    // Whoever may comment may not write.
    const before = await cora.text();
    await cora.placeCursor('Both sign');
    await cora.page.keyboard.type('never');
    await cora.page.keyboard.press('Backspace');
    expect(await cora.text()).toBe(before);
    expect(await ann.text()).toBe(before);
    expect([...ann.problems, ...cora.problems]).toEqual([]);

    const { doc } = openDocx(await assembled(key, ann, cora));
    const comments: Node[] = [];
    doc.descendants((node) => {
      if (node.type.name === 'comment') comments.push(node);
    });
    expect(
      comments.map(({ attrs }) => [attrs.author, attrs.text, attrs.done, attrs.parent !== null]),
    ).toEqual([
      ['Cora', 'Why not the third?', true, false],
      ['Ann', 'Banks are closed then.', expect.any(Boolean), true],
    ]);
    expect(rangeText(doc, comments[0]!.attrs.ref)).toBe('the first day');
  });

  it('[RV14] an editor switches tracking; what is shown follows the menu, and undo takes tracked changes back', async () => {
    const key = newName('tracking-modes');
    const ann = await world.visit({ key, user: 'Ann', sourceUrl: serve(key) });
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
    await display(ann, 'Show as if accepted');
    expect((await shown()).replaceAll(/\n+/g, '|')).toContain('The landlord repair! roof.');
    await shot(ann, 'final');
    await display(ann, 'Show as if rejected');
    expect((await shown()).replaceAll(/\n+/g, '|')).toContain('The tenant pays the rent');
    await display(ann, 'Show bars beside changes');
    await shot(ann, 'simple');
    await display(ann, 'Show all markup');
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
    const ann = await world.visit({ key, user: 'Ann', sourceUrl });
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
    const ben = await world.visit({ key, user: 'Ben', sourceUrl, editorConfig: { actionLink } });
    await ben.frame.getByRole('list', { name: 'Comments' }).getByText('Please look').waitFor();
    expect(await ben.frame.locator('.commented-active').textContent()).toBe('the roof');
    expect([...ann.problems, ...ben.problems]).toEqual([]);
  });

  it('[RC12] panels of comments and changes have no faults that axe finds, in light, dark and on a phone', async () => {
    const key = newName('review-axe');
    const sourceUrl = serve(key);
    const ann = await world.visit({ key, user: 'Ann', sourceUrl, colorScheme: 'dark', ...german });
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
    const phone = await world.visit({
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

  async function display(page: EditorPage, name: string): Promise<void> {
    await page.frame.getByRole('toolbar', { name: 'Menus' }).getByRole('button', { name: 'Review' }).click();
    await page.frame.getByRole('menuitemcheckbox', { name }).click();
  }

  async function panel(page: EditorPage, name: string): Promise<void> {
    await page.frame.getByRole('toolbar', { name: 'Menus' }).getByRole('button', { name: 'Review' }).click();
    await page.frame.getByRole('menuitemcheckbox', { name }).click();
  }
});

const german = { editorConfig: { lang: 'de' } };

/** The text between the anchors of a comment. */
function rangeText(doc: Node, ref: string): string {
  const places: number[] = [];
  doc.descendants((node, position) => {
    if (node.type.name === 'anchor' && node.attrs.ref === ref) places.push(position);
  });
  return doc.textBetween(places[0]!, places[1]!);
}

/** Selects a stretch of text of one paragraph, as with the mouse. */
async function selectText(page: EditorPage, wanted: string): Promise<void> {
  await page.placeCursor(wanted);
  await page.frame.evaluate((length) => {
    const selection = document.getSelection()!;
    const { anchorNode, anchorOffset } = selection;
    selection.setBaseAndExtent(anchorNode!, anchorOffset - length, anchorNode!, anchorOffset);
  }, wanted.length);
  await page.frame.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => resolve(null))));
}
