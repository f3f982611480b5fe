import { expect } from 'vitest';
import { buildDocx } from '../support/docx-fixture.ts';
import type { ServedFile } from '../support/integrator.ts';
import { newName } from '../support/new-name.ts';
import type { ServerOfMany } from '../support/world-server.ts';
import type { EditorPage, EditorWorld } from './editor-world.ts';

/** A document that can be opened. */
export const good = buildDocx({ paragraphs: ['First line:'] });

/** The sentence in the place of the document. */
export const sentenceOf = async ({ frame }: EditorPage): Promise<string> =>
  (await frame.locator('.notice-sentence').textContent()) ?? '';

export const tryAgain = ({ frame }: EditorPage): Promise<void> =>
  frame.getByRole('button', { name: 'Try again' }).click();

/** Errors of the console are no surprise where something failed, errors of scripts are. */
export const scriptErrors = ({ problems }: EditorPage): string[] =>
  problems.filter((one) => /TypeError|Uncaught/.test(one));

/** What cannot be opened, as what, and what is said of it. */
export type UnopenedDocument = [
  name: string,
  fileType: string,
  file: ServedFile,
  sentence: string,
  errorCode: number,
];

/** Opens the document in vain, and a good one of the same address at a further try. */
export async function openInVain(
  world: EditorWorld<ServerOfMany>,
  [name, fileType, file, sentence, errorCode]: UnopenedDocument,
): Promise<void> {
  const key = newName(name);
  const { integrator } = world.world;
  const sourceUrl = integrator.serve(`${key}.${fileType}`, file);
  const document = { title: `Report ${key}.${fileType}`, fileType };
  const ann = await world.visit({ key, user: 'ann', sourceUrl, document });
  expect(await sentenceOf(ann)).toBe(sentence);
  expect(await ann.frame.locator('h1').textContent()).toBe(`Report ${key}.${fileType}`);
  expect(await ann.frame.getByRole('link', { name: 'Download' }).getAttribute('href')).toBe(sourceUrl);
  expect((await ann.event('onError')).data).toEqual({ errorCode, errorDescription: sentence });
  await tryAgain(ann);
  await ann.frame.locator('.notice-sentence').waitFor();
  integrator.serve(`${key}.${fileType}`, { bytes: good });
  await tryAgain(ann);
  await ann.event('onDocumentReady');
  await ann.showsText('First line:');
  await ann.typeAfter('First line:', ' works');
  await ann.saved();
  expect(scriptErrors(ann)).toEqual([]);
}
