import type { Node } from 'prosemirror-model';
import { describe, expect, it } from 'vitest';
import { openDocx } from '../../converter/engines/ooxml/docx/docx-engine.ts';
import { hasBrowser } from '../support/browser.ts';
import { eventually } from '../support/eventually.ts';
import { newName } from '../support/new-name.ts';
import type { EditorPage } from './editor-world.ts';
import { contracts, pressReview, selectText, shot, title, xmlOf } from './review-page.ts';

describe.skipIf(!hasBrowser)('review in the editor', () => {
  const contract = contracts();
  const { serve, assembled } = contract;

  it('[RV10] a reviewer writes and deletes, an editor accepts one and rejects the other, the file has the rest', async () => {
    const key = newName('review-story');
    const sourceUrl = serve(key);
    const ann = await contract.world.visit({ key, user: 'Ann', sourceUrl });
    const rita = await contract.world.visit({
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
    await pressReview(ann, 'Tracked changes');
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
    await pressReview(rita, 'Tracked changes');
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
    const ann = await contract.world.visit({
      key,
      user: 'Ann',
      sourceUrl,
      editorConfig: { canRequestUsers: true },
    });
    const cora = await contract.world.visit({
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
});

/** The text between the anchors of a comment. */
function rangeText(doc: Node, ref: string): string {
  const places: number[] = [];
  doc.descendants((node, position) => {
    if (node.type.name === 'anchor' && node.attrs.ref === ref) places.push(position);
  });
  return doc.textBetween(places[0]!, places[1]!);
}
