import path from 'node:path';
import { expect } from 'vitest';
import { newName } from '../support/new-name.ts';
import { buildPdf } from '../support/pdf-fixture.ts';
import type { ServerOfMany } from '../support/world-server.ts';
import type { EditorPage, EditorVisit, EditorWorld } from './editor-world.ts';

/** Somebody who opens a file in the viewer; `settled` comes later. */
export async function lookAt(
  world: EditorWorld<ServerOfMany>,
  user: string,
  name: string,
  bytes: Uint8Array,
  more: Partial<EditorVisit> = {},
): Promise<EditorPage> {
  const key = more.key ?? newName('looked-at');
  const sourceUrl = world.world.integrator.serve(name, { bytes });
  const { document, ...others } = more;
  const fileType = path.extname(name).slice(1);
  const visit = { key, sourceUrl, user, document: { fileType, title: name, ...document }, ...others };
  return world.start(visit);
}
/** One that is shown. */
export async function shownTo(...given: Parameters<typeof lookAt>): Promise<EditorPage> {
  const reader = await lookAt(...given);
  await reader.settled();
  expect((await reader.events()).filter(({ name }) => name === 'onError')).toEqual([]);
  return reader;
}
/** What is scrolled. */
export const pagesOf = ({ frame }: EditorPage) => frame.locator('.viewer-pages');
/** The numbers of the pages that are drawn. */
export const drawn = ({ frame }: EditorPage) =>
  frame
    .locator('.page canvas')
    .evaluateAll((all) => all.map((one) => Number(one.closest('.page')?.getAttribute('data-page-number'))));
/** A PDF of 60 pages, with a needle on every twentieth and with links and a script that are not to be followed. */
export const manyPages = buildPdf(
  Array.from({ length: 60 }, (_, at) => ({
    lines: [`This is page ${at + 1}`, at % 20 === 0 ? 'A needle' : 'Hay'],
    links: at === 0 ? ['https://example.com/a', 'ftp://example.com/b', 'javascript:alert(1)'] : [],
  })),
  { openAction: 'app.alert(1)' },
);
