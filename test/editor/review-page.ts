import { strFromU8, unzipSync } from 'fflate';
import { afterAll, beforeAll } from 'vitest';
import { buildDocx } from '../support/docx-fixture.ts';
import { fetchFile } from '../support/word-editor.ts';
import { type EditorPage, EditorWorld } from './editor-world.ts';

const shots = process.env.SHOTS_DIR;
export const shot = async (page: EditorPage, name: string) => {
  if (shots) await page.page.screenshot({ path: `${shots}/R-${name}.png` });
};

/** The heading of the contract that is reviewed. */
export const title = 'The contract';
const paragraphs = [
  { text: title, style: 'Heading1' },
  'The tenant pays the rent on the first day of each month.',
  'The landlord repairs the roof.',
  'Both sign this contract.',
];

export const xmlOf = (docx: Uint8Array) => strFromU8(unzipSync(docx)['word/document.xml']!);

/** Presses an entry of the menu of reviewing: a panel, or what is shown. */
export async function pressReview(page: EditorPage, name: string): Promise<void> {
  await page.frame.getByRole('toolbar', { name: 'Menus' }).getByRole('button', { name: 'Review' }).click();
  await page.frame.getByRole('menuitemcheckbox', { name }).click();
}

/** Selects a stretch of text of one paragraph, as with the mouse. */
export async function selectText(page: EditorPage, wanted: string): Promise<void> {
  await page.placeCursor(wanted);
  await page.frame.evaluate((length) => {
    const selection = document.getSelection()!;
    const { anchorNode, anchorOffset } = selection;
    selection.setBaseAndExtent(anchorNode!, anchorOffset - length, anchorNode!, anchorOffset);
  }, wanted.length);
  await page.frame.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => resolve(null))));
}

/** A contract for several people, for the suite that calls it. */
export function contracts() {
  let world: EditorWorld;
  beforeAll(async () => {
    world = await EditorWorld.open();
  });
  afterAll(() => world?.close());

  const serve = (key: string) =>
    world.world.integrator.serve(`${key}.docx`, { bytes: buildDocx({ paragraphs }) });

  /** Everybody leaves; the file that the integrator gets then. */
  async function assembled(key: string, ...people: EditorPage[]): Promise<Uint8Array> {
    for (const { page } of people) await page.close();
    const { body } = await world.world.integrator.waitForCallback(key, ({ status }) => status === 2);
    return fetchFile(body.url);
  }

  return {
    serve,
    assembled,
    /** Once the suite has begun. */
    get world(): EditorWorld {
      return world;
    },
  };
}
