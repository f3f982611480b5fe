import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { variedDocuments } from '../model/varied-documents.ts';
import { hasBrowser } from '../support/browser.ts';
import { corpusDocuments, type NamedDocument, needsCorpus, refusalInCorpus } from '../support/corpus.ts';
import { eventually } from '../support/eventually.ts';
import { newName } from '../support/new-name.ts';
import { EditorWorld } from './editor-world.ts';

/** So different from each other as there are: lists, tables, sections, notes, changes, fields, forms, languages. */
const varied = [
  'ComplexNumberedLists.docx',
  'EmbeddedDocument.docx',
  'FieldCodes.docx',
  'HeaderFooterUnicode.docx',
  'WithGIF.docx',
  'checkboxes.docx',
  'comments-rich-para.docx',
  'delins.docx',
  'form_footnotes.docx',
  'heading123.docx',
  'sct-section-props.docx',
  'tbl-having-tables.docx',
];
const atOnce = 4;

/** All files when this is set, and pictures of them when it names a folder. */
const { CORPUS_ALL: all, SCREENSHOTS_DIR: shots } = process.env;
const documents = [
  ...variedDocuments,
  ...corpusDocuments().filter(([name]) => all !== undefined || varied.includes(name)),
];

describe.skipIf(!hasBrowser)(`files of many kinds, ${needsCorpus}`, { timeout: 400_000 }, () => {
  let world: EditorWorld;
  beforeAll(async () => {
    world = await EditorWorld.open();
    if (shots) await mkdir(shots, { recursive: true });
  });
  afterAll(() => world?.close());

  it('[EF30] open without an error, show their words, and are not changed by being looked at', async () => {
    const context = await world.newContext({ viewport: { width: 1100, height: 1300 } });
    const failures: string[] = [];
    const open = async ([file, bytes]: NamedDocument) => {
      const key = newName(`corpus-${file.replace(/[^A-Za-z0-9-]/g, '-')}`);
      const sourceUrl = world.world.integrator.serve(`${key}.docx`, { bytes });
      const reader = await world.visit({ key, user: 'Ann', sourceUrl, context });
      try {
        const failed = (await reader.events()).find(({ name }) => name === 'onError');
        if (failed) {
          if (refusalInCorpus([file, bytes]) === undefined)
            failures.push(`${file}: ${JSON.stringify(failed.data)}`);
          return;
        }
        const words = (await reader.text()).match(/\p{L}{3,}/gu)?.slice(0, 5) ?? [];
        const shown = await reader.frame.locator('.ProseMirror').textContent();
        for (const word of words) if (!shown?.includes(word)) failures.push(`${file}: ${word} is not shown`);
        if (reader.problems.length > 0) failures.push(`${file}: ${reader.problems.join('; ')}`);
        if (shots) {
          // Pages that are not in front are not drawn.
          await reader.page.bringToFront();
          await reader.frame.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
          await reader.page.screenshot({ path: path.join(shots, `editor-corpus-${file}.png`) });
        }
      } finally {
        await reader.page.close();
      }
      await eventually(
        async () => world.world.integrator.callbacksOf(key).map(({ status }) => status),
        (statuses) => statuses.length > 0,
      ).then(
        (statuses) => {
          if (statuses.join() !== '4') failures.push(`${file}: delivered with status ${statuses.join()}`);
        },
        () => failures.push(`${file}: nothing was said after it was closed`),
      );
    };
    const waiting = [...documents];
    const worker = async () => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
        const [name] = next;
        await open(next).catch((error: unknown) => failures.push(`${name}: ${String(error)}`));
      }
    };
    await Promise.all(Array.from({ length: atOnce }, worker));
    await context.close();
    expect(failures).toEqual([]);
  });
});
