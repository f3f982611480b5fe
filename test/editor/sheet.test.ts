import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openXlsx } from '../../converter/engines/ooxml/xlsx/xlsx-engine.ts';
import { parseWorkbook } from '../../model/cell/document.ts';
import { newName } from '../support/new-name.ts';
import { eventually } from '../support/scene.ts';
import { buildXlsx } from '../support/xlsx-fixture.ts';
import { type EditorPage, EditorWorld, hasBrowser } from './editor-world.ts';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What a cell near the active one shows, as it is read aloud. */
const cellText = async ({ frame }: EditorPage, name: string): Promise<string> =>
  (await frame.locator(`[role="gridcell"][data-cell="${name}"]`).textContent()) ?? '';

const shows = (editor: EditorPage, name: string, text: string): Promise<unknown> =>
  eventually(
    () => cellText(editor, name),
    (now) => now === text,
  );

/** Goes to a cell by the field that has the name of what is selected. */
async function goTo({ frame, page }: EditorPage, name: string): Promise<void> {
  await frame.locator('.name-box').fill(name);
  await page.keyboard.press('Enter');
}

/** What axe finds wrong by the rules of WCAG 2.2 A and AA. */
async function violations({ frame }: EditorPage): Promise<string[]> {
  await frame.evaluate(axe);
  return frame.evaluate(async () => {
    const { axe: checker } = globalThis as unknown as {
      axe: {
        run(options: object): Promise<{
          violations: { id: string; nodes: { html: string; failureSummary: string }[] }[];
        }>;
      };
    };
    const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
    const found = await checker.run({ runOnly: { type: 'tag', values: tags } });
    return found.violations.flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 200)} ${failureSummary}`),
    );
  });
}

describe.skipIf(!hasBrowser)('a spreadsheet in the editor', { timeout: 180_000 }, () => {
  let world: EditorWorld;
  let sourceUrl: string;
  beforeAll(async () => {
    world = await EditorWorld.open();
    const bytes = buildXlsx([
      ['Item', 'Price', 'Count'],
      ['Nails', 3.5, 4],
      ['Glue', 2, 1],
    ]);
    sourceUrl = world.world.integrator.serve('sheet.xlsx', { bytes });
  }, 120_000);
  afterAll(() => world?.close());

  const visit = (key: string, user: string) => world.visit({ key, user, sourceUrl, documentType: 'cell' });

  it('[XS20] two people type, one takes back only what is theirs, and the file has what remains', async () => {
    const key = newName('sheet');
    const ann = await visit(key, 'ann');
    const bob = await visit(key, 'bob');
    expect(await cellText(ann, 'A2')).toBe('Nails');
    await goTo(ann, 'A4');
    await ann.page.keyboard.type('Wood');
    await ann.page.keyboard.press('Tab');
    await ann.page.keyboard.type('12%');
    await ann.page.keyboard.press('Enter');
    await shows(bob, 'A4', 'Wood');
    await shows(bob, 'B4', '12%');
    await goTo(bob, 'C2');
    await bob.page.keyboard.type('9');
    await bob.page.keyboard.press('Enter');
    await shows(ann, 'C2', '9');
    await ann.page.keyboard.press('Control+z');
    await shows(bob, 'B4', '');
    expect([await cellText(bob, 'A4'), await cellText(bob, 'C2')]).toEqual(['Wood', '9']);
    for (const person of [ann, bob]) await person.saved();
    await ann.page.close();
    await bob.page.close();
    const { body } = await world.world.integrator.waitForCallback(key, ({ status }) => status === 2, 60_000);
    const file = new Uint8Array(await (await fetch(String(body.url))).arrayBuffer());
    const { grid } = parseWorkbook(openXlsx(file).model).sheets[0]!;
    expect([grid.cell(3, 0).value, grid.cell(3, 1).value, grid.cell(1, 2).value]).toEqual(['Wood', null, 9]);
    expect([...ann.problems, ...bob.problems]).toEqual([]);
  });

  it('[XS21] is scrolled, read aloud, searched and changed by keys, and axe finds nothing wrong', async () => {
    const ann = await visit(newName('sheet'), 'ann');
    const { frame, page } = ann;
    expect(await violations(ann)).toEqual([]);
    await goTo(ann, 'XFD1048576');
    await shows(ann, 'XFD1048576', '');
    const canvas = frame.locator('.grid-scroller');
    expect(await canvas.evaluate((element) => element.scrollTop)).toBeGreaterThan(1_000_000);
    await goTo(ann, 'A1');
    await page.keyboard.press('Control+ArrowDown');
    await eventually(
      () => frame.locator('.name-box').inputValue(),
      (name) => name === 'A3',
    );
    await page.keyboard.press('Shift+ArrowRight');
    await page.keyboard.press('Control+c');
    await goTo(ann, 'A6');
    await page.keyboard.press('Control+v');
    await shows(ann, 'A6', 'Glue');
    await shows(ann, 'B6', '2');
    await page.keyboard.press('Control+f');
    await frame.locator('.find-bar input[type="search"]').fill('glue');
    await eventually(
      () => frame.locator('.find-count').textContent(),
      (text) => text?.startsWith('2 ') === true,
    );
    expect(ann.problems).toEqual([]);
  });
});
