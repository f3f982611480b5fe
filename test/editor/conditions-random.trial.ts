import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDocx } from '../../converter/engines/ooxml/docx/docx-engine.ts';
import { hasBrowser } from '../support/browser.ts';
import { buildDocx } from '../support/docx-fixture.ts';
import { eventually } from '../support/eventually.ts';
import { randomFrom, seedsOf } from '../support/fault-random.ts';
import type { QuireProcess } from '../support/quire-process.ts';
import { fetchFile } from '../support/word-editor.ts';
import { type EditorPage, type EditorVisit, EditorWorld } from './editor-world.ts';

/** Somebody who types numbered words into a paragraph of their own, over as many tabs as it takes. */
class Writer {
  readonly visit: EditorVisit;
  readonly words: string[] = [];
  editor: EditorPage;

  constructor(visit: EditorVisit, editor: EditorPage) {
    this.visit = visit;
    this.editor = editor;
  }

  get start(): string {
    return `${this.visit.user}:`;
  }

  async write(count: number): Promise<void> {
    await this.editor.placeCursor(this.words.at(-1) ?? this.start);
    for (let at = 0; at < count; at++) {
      const word = `${this.visit.user}${this.words.length}`;
      this.words.push(word);
      await this.editor.page.keyboard.type(` ${word}`);
    }
  }

  /** Closes the tab without a word when everything typed is kept, and comes back. */
  async comeBack(world: EditorWorld): Promise<void> {
    const { editor } = this;
    await editor.frame.locator('.saving-status').click();
    await eventually(
      () => editor.frame.locator('.saving-details dd').first().textContent(),
      (here) => here === 'nothing' || /kept if this tab closes$/.test(here ?? ''),
    );
    await editor.page.close({ runBeforeUnload: false });
    this.editor = await world.visit(this.visit);
  }
}

describe.skipIf(!hasBrowser)('whatever happens in which order', { timeout: 300_000 }, () => {
  let world: EditorWorld<QuireProcess>;
  beforeAll(async () => {
    world = await EditorWorld.openOwn();
  });
  afterAll(() => world?.close());

  it.for(seedsOf(1, 2))(
    '[EW32] each word that was typed is in the stored document once, seed %i',
    async (seed) => {
      const { integrator, quire } = world.world;
      const key = `random-${seed}`;
      const random = randomFrom(seed);
      const sourceUrl = integrator.serve(`${key}.docx`, {
        bytes: buildDocx({ paragraphs: ['ann:', 'bob:', 'All of us.'] }),
      });
      const writers = await Promise.all(
        ['ann', 'bob'].map(async (user) => {
          const context = await world.newContext({ viewport: { width: 1200, height: 800 } });
          const visit = { key, user, sourceUrl, context };
          return new Writer(visit, await world.visit(visit));
        }),
      );
      for (let round = 0; round < 10; round++) {
        const writer = writers[Math.floor(random() * 2)]!;
        const choice = random();
        if (choice < 0.25) await Promise.all(writers.map((one) => one.write(4)));
        else if (choice < 0.45) {
          await quire.kill();
          await Promise.all(writers.map((one) => one.write(3)));
          await quire.restart();
        } else if (choice < 0.6) {
          await writer.write(3);
          await writer.comeBack(world);
        } else if (choice < 0.8) {
          const entry = random() < 0.5 ? 'Changes are shared when you save' : 'Everyone sees changes at once';
          await writer.editor.choose('Together', entry);
          await writer.write(2);
        } else await writer.editor.page.keyboard.press('Control+s');
      }
      for (const { editor } of writers) await editor.choose('Together', 'Everyone sees changes at once');
      for (const { editor } of writers) await editor.saved();
      const wanted = [...writers.map(({ start, words }) => [start, ...words].join(' ')), 'All of us.'].join(
        '\n',
      );
      for (const { editor } of writers) {
        await editor.showsText(wanted);
        expect(editor.problems.filter((one) => !/WebSocket|ERR_|Failed to load/.test(one))).toEqual([]);
        expect((await editor.events()).filter(({ name }) => name === 'onError')).toEqual([]);
      }
      for (const { visit } of writers) await visit.context!.close();
      const { body } = await integrator.waitForCallback(key, ({ status }) => status === 2);
      const { doc } = openDocx(await fetchFile(String(body.url)));
      expect(doc.textBetween(0, doc.content.size, '\n')).toBe(wanted);
    },
  );
});
