import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasBrowser } from '../support/browser.ts';
import { buildDocx } from '../support/docx-fixture.ts';
import { eventually } from '../support/eventually.ts';
import { newName } from '../support/new-name.ts';
import { type EditorPage, EditorWorld } from './editor-world.ts';

describe.skipIf(!hasBrowser)('hasty people', () => {
  let world: EditorWorld;
  beforeAll(async () => {
    world = await EditorWorld.open();
  });
  afterAll(() => world?.close());

  const open = (key: string, user: string): Promise<EditorPage> => {
    const bytes = buildDocx({ paragraphs: ['First line:', 'Second line:'] });
    const sourceUrl = world.world.integrator.serve(`${key}.docx`, { bytes });
    return world.visit({ key, user, sourceUrl });
  };
  const inStep = async (...people: EditorPage[]): Promise<void> => {
    for (const person of people) await person.saved();
    await eventually(
      () => Promise.all(people.map((person) => person.document())),
      (documents) => documents.every((one) => JSON.stringify(one) === JSON.stringify(documents[0])),
    );
    for (const { problems } of people) expect(problems).toEqual([]);
  };

  it('[EW26] 5,000 characters are pasted, taken back and put again', async () => {
    const key = newName('paste');
    const [ann, bob] = [await open(key, 'ann'), await open(key, 'bob')];
    const lines = Array.from({ length: 50 }, (_, n) => `${n} `.padEnd(100, 'lorem ipsum '));
    await ann.placeCursor('First line:');
    await ann.frame.evaluate((text) => {
      const data = new DataTransfer();
      data.setData('text/plain', text);
      const event = new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true });
      document.querySelector('.ProseMirror')!.dispatchEvent(event);
    }, lines.join('\n'));
    const pasted = `First line:${lines.join('\n')}\nSecond line:`;
    await bob.showsText(pasted);
    await ann.page.keyboard.press('Control+z');
    await bob.showsText('First line:\nSecond line:');
    await ann.page.keyboard.press('Control+y');
    await bob.showsText(pasted);
    await inStep(ann, bob);
  });

  it('[EW27] 200 quick undos and redos end where they began, while another types', async () => {
    const key = newName('undo');
    const [ann, bob] = [await open(key, 'ann'), await open(key, 'bob')];
    await ann.typeAfter('First line:', ' some words');
    await bob.placeCursor('Second line:');
    const typing = bob.page.keyboard.type(' typed meanwhile by somebody else');
    for (let time = 0; time < 100; time++) {
      await ann.page.keyboard.press('Control+z');
      await ann.page.keyboard.press('Control+y');
    }
    await typing;
    await inStep(ann, bob);
    expect(await ann.text()).toBe('First line: some words\nSecond line: typed meanwhile by somebody else');
  });

  it('[EW33] a caret that the browser has not told of yet stays where it was put when others type', async () => {
    const key = newName('caret');
    const [ann, bob] = [await open(key, 'ann'), await open(key, 'bob')];
    await bob.placeCursor('First line:');
    await bob.frame.evaluate(() => {
      const hold = (event: Event) => event.stopImmediatePropagation();
      addEventListener('selectionchange', hold, { capture: true });
      const lines = document.querySelectorAll('.ProseMirror p');
      getSelection()!.selectAllChildren(lines[1]!);
      getSelection()!.collapseToEnd();
    });
    await ann.typeAfter('First line:', ' of Ann');
    await bob.showsText('First line: of Ann\nSecond line:');
    await bob.page.keyboard.type(' of Bob');
    await inStep(ann, bob);
    expect(await ann.text()).toBe('First line: of Ann\nSecond line: of Bob');
  });

  it('[EW28] bold is switched on and off in haste, with and without a selection', async () => {
    const key = newName('bold');
    const [ann, bob] = [await open(key, 'ann'), await open(key, 'bob')];
    await ann.placeCursor('First line:');
    for (let time = 0; time < 20; time++) {
      await ann.page.keyboard.press('Control+b');
      await ann.page.keyboard.type(String(time % 10));
    }
    await ann.page.keyboard.press('Control+a');
    for (let time = 0; time < 41; time++) await ann.page.keyboard.press('Control+b');
    await inStep(ann, bob);
    expect(await bob.text()).toBe('First line:01234567890123456789\nSecond line:');
    const marks = new Set<string>();
    JSON.stringify(await bob.document(), (_key, value: unknown) => {
      const node = value as { type?: string; marks?: unknown } | null;
      if (node?.type === 'text') marks.add(JSON.stringify(node.marks ?? []));
      return value;
    });
    expect(marks.size).toBe(1);
  });
});
