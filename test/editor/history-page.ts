import { afterAll, beforeAll } from 'vitest';
import { hasBrowser } from '../support/browser.ts';
import { buildDocx } from '../support/docx-fixture.ts';
import { type EditorPage, type EditorVisit, EditorWorld } from './editor-world.ts';

const events = ['onRequestHistory', 'onRequestHistoryData', 'onRequestRestore', 'onRequestHistoryClose'];
export const ann = { id: 'ann', name: 'Ann' };
export const bob = { id: 'bob', name: 'Bob' };

/** The list of a page with two versions; the second is the document that is open. */
export const listOf = (key: string, changes: object[] = []) => ({
  currentVersion: 2,
  history: [
    { version: 1, key: `${key}-v1`, created: '2026-03-01 09:00:00', user: bob },
    { version: 2, key, created: '2026-03-02 10:00:00', user: ann, changes, serverVersion: '9.3.0' },
  ],
});

export const versionText = (editor: EditorPage) =>
  editor.frame.locator('.desk:not([hidden]) .ProseMirror').textContent();
export const marked = (editor: EditorPage) =>
  editor.frame
    .locator('.version-inserted, .version-deleted')
    .evaluateAll((all) => all.map((one) => [one.textContent, one.getAttribute('title')]));

export async function openHistory(editor: EditorPage, list: object): Promise<void> {
  await editor.choose('File', 'Version history');
  await editor.event('onRequestHistory');
  await editor.call('refreshHistory', list);
  await editor.frame.locator('.version').first().waitFor();
}

/** Pages that have a version history and files to compare with, for the suite that calls it. */
export function historyPages() {
  let world: EditorWorld;
  beforeAll(async () => {
    if (hasBrowser) world = await EditorWorld.open();
  });
  afterAll(() => world?.close());

  const serve = (name: string, ...paragraphs: string[]) =>
    world.world.integrator.serve(name, { bytes: buildDocx({ paragraphs }) });
  const visit = (more: Partial<EditorVisit> & Pick<EditorVisit, 'key' | 'sourceUrl'>) =>
    world.visit({ user: 'ann', events, ...more });

  /** What the page says of version 2, signed. */
  async function second(key: string, url: string, olderUrl: string, more: object = {}) {
    const data = {
      version: 2,
      key: `${key}-v2`,
      fileType: 'docx',
      url,
      previous: { key: `${key}-v1`, fileType: 'docx', url: olderUrl },
      ...more,
    };
    return { ...data, token: await world.world.sign(data) };
  }

  const compareWith = async (editor: EditorPage, method: string, url: string, more: object = {}) => {
    const file = { fileType: 'docx', url, ...more };
    await editor.call(method, { ...file, token: await world.world.sign(file) });
  };

  return {
    serve,
    visit,
    second,
    compareWith,
    /** Once the suite has begun. */
    get world(): EditorWorld {
      return world;
    },
  };
}
