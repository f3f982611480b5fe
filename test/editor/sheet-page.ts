import { openXlsx } from '../../converter/engines/ooxml/xlsx/xlsx-engine.ts';
import { parseWorkbook } from '../../model/cell/document.ts';
import type { Workbook } from '../../model/cell/workbook.ts';
import { eventually } from '../support/eventually.ts';
import { fetchFile } from '../support/word-editor.ts';
import type { EditorPage, EditorWorld } from './editor-world.ts';

/** What a cell near the active one shows, as it is read aloud. `name` is as `B2`. */
export const cellText = async ({ frame }: EditorPage, name: string): Promise<string> =>
  (await frame.locator(`.cell-desk:not([hidden]) [role="gridcell"][data-cell="${name}"]`).textContent()) ??
  '';

/** Resolves when a cell near the active one shows this. */
export async function shows(editor: EditorPage, name: string, text: string): Promise<void> {
  await eventually(
    () => cellText(editor, name),
    (now) => now === text,
  );
}

/** Goes to a cell, an area or a name by the field that has the name of what is selected. */
export async function goTo({ frame, page }: EditorPage, name: string): Promise<void> {
  await frame.locator('.name-box').fill(name);
  await page.keyboard.press('Enter');
}

/** Resolves when this is selected, as `B2` or `B2:C3`. */
export async function selected({ frame }: EditorPage, name: string): Promise<void> {
  await eventually(
    () => frame.locator('.name-box').inputValue(),
    (now) => now === name,
  );
}

/** Goes to a cell, types and presses Enter. */
export async function put(editor: EditorPage, name: string, text: string): Promise<void> {
  await goTo(editor, name);
  await editor.page.keyboard.type(text);
  await editor.page.keyboard.press('Enter');
}

/** The workbook of a file behind a link. */
export const fetchWorkbook = async (url: unknown): Promise<Workbook> =>
  parseWorkbook(openXlsx(await fetchFile(url)).model);

/** These people go when all of theirs is saved, as the last ones; the workbook that the integrator gets. */
export async function delivered(
  { world }: EditorWorld,
  key: string,
  ...people: EditorPage[]
): Promise<Workbook> {
  for (const person of people) await person.saved();
  for (const { page } of people) await page.close();
  const { body } = await world.integrator.waitForCallback(key, ({ status }) => status === 2);
  return fetchWorkbook(body.url);
}
