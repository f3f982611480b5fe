import type { Node } from 'prosemirror-model';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDocx } from '../../converter/engines/ooxml/docx/docx-engine.ts';
import { hasBrowser } from '../support/browser.ts';
import { buildDocx } from '../support/docx-fixture.ts';
import { CuttableProxy } from '../support/e2e-proxy.ts';
import { eventually } from '../support/eventually.ts';
import { randomFrom, seedsOf } from '../support/fault-random.ts';
import { hasLibreOffice, readWithLibreOffice, withoutRuns } from '../support/libreoffice.ts';
import { newName } from '../support/new-name.ts';
import { type EditorPage, EditorWorld } from './editor-world.ts';

const words = ['alpha ', 'beta ', 'gamma ', 'delta. ', 'ä漢字 ', '🙂 '];

/** One thing that somebody does at the keyboard. */
async function act({ page }: EditorPage, random: () => number): Promise<void> {
  const { keyboard } = page;
  const choice = random();
  if (choice < 0.55) await keyboard.type(words[Math.floor(random() * words.length)]!);
  else if (choice < 0.63) await keyboard.press('Enter');
  else if (choice < 0.71) await keyboard.press('Backspace');
  else if (choice < 0.77) await keyboard.press('Control+b');
  else if (choice < 0.81) await keyboard.press('Control+z');
  else if (choice < 0.85) await keyboard.press('Control+Shift+7');
  else if (choice < 0.89) await keyboard.press('Shift+Enter');
  else await keyboard.press(['ArrowUp', 'ArrowDown', 'ArrowLeft', 'Home', 'End'][Math.floor(random() * 5)]!);
}

/** The paragraphs that have any text, white space and breaks of lines as one blank, as LibreOffice's are given here. */
function paragraphsOf(doc: Node): string[] {
  const texts: string[] = [];
  doc.descendants((node) => {
    if (node.isTextblock) texts.push(withoutRuns(node.textBetween(0, node.content.size)));
    return !node.isTextblock;
  });
  return texts.filter((text) => text !== '');
}

describe.skipIf(!hasBrowser)('people type at random in one document', { timeout: 240_000 }, () => {
  let world: EditorWorld;
  beforeAll(async () => {
    world = await EditorWorld.open();
  });
  afterAll(() => world?.close());

  const walks = seedsOf(['ED3', 5, 25, 2] as const, ['ED2', 2, 60, 1] as const);
  it.for(walks)(
    '[%s] %i people, each %i actions, with lost connections',
    async ([, count, actions, seed]) => {
      const { integrator, quire } = world.world;
      const key = newName(`random-${count}`);
      const bytes = buildDocx({ paragraphs: ['One paragraph.', 'Another paragraph.', 'A third one.'] });
      const sourceUrl = integrator.serve(`${key}.docx`, { bytes });
      const proxies = await Promise.all(Array.from({ length: count }, () => CuttableProxy.to(quire.address)));
      try {
        const people: EditorPage[] = [];
        for (const [index, proxy] of proxies.entries()) {
          people.push(await world.visit({ key, user: `user${index}`, sourceUrl, address: proxy.address }));
        }
        await Promise.all(
          people.map(async (person, index) => {
            const random = randomFrom(seed * 100 + index);
            await person.placeCursor(index % 2 === 0 ? 'One paragraph.' : 'A third one.');
            for (let action = 0; action < actions; action++) {
              await act(person, random);
              if (random() < 0.04) proxies[index]!.cut();
            }
          }),
        );
        for (const person of people) await person.saved();
        const first = await eventually(
          () => Promise.all(people.map((person) => person.document())),
          (documents) => documents.every((one) => JSON.stringify(one) === JSON.stringify(documents[0])),
        );
        expect(first).toHaveLength(count);
        const text = await people[0]!.text();
        for (const { problems, page } of people) {
          // A connection that was cut is an error for the console of a browser, and nothing else may be.
          expect(problems.filter((problem) => !/WebSocket|ERR_|Failed to load/.test(problem))).toEqual([]);
          await page.close();
        }
        const callback = await integrator.waitForCallback(key, ({ status }) => status === 2);
        const assembled = new Uint8Array(await (await fetch(String(callback.body.url))).arrayBuffer());
        const { doc } = openDocx(assembled);
        expect(doc.textBetween(0, doc.content.size, '\n')).toBe(text);
        if (hasLibreOffice) {
          const [read] = await readWithLibreOffice([assembled]);
          expect(read!.paragraphs).toEqual(paragraphsOf(doc));
        }
      } finally {
        await Promise.all(proxies.map((proxy) => proxy.close()));
      }
    },
  );
});
