import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasBrowser } from '../support/browser.ts';
import { eventually } from '../support/eventually.ts';
import { newName } from '../support/new-name.ts';
import { buildXlsx } from '../support/xlsx-fixture.ts';
import { type EditorPage, type EditorVisit, EditorWorld } from './editor-world.ts';
import { goTo, put, selected, shows } from './sheet-page.ts';

describe.skipIf(!hasBrowser)('people in haste in a spreadsheet', () => {
  let world: EditorWorld;
  let sourceUrl: string;
  beforeAll(async () => {
    world = await EditorWorld.open();
    const bytes = buildXlsx([
      ['Item', 'Price'],
      ['Wood', 7],
      ['Nails', 1],
      ['Glue', 2],
    ]);
    sourceUrl = world.world.integrator.serve('haste.xlsx', { bytes });
  });
  afterAll(() => world?.close());

  const visit = (key: string, user: string, more: Partial<EditorVisit> = {}) =>
    world.visit({ key, user, sourceUrl, documentType: 'cell', ...more });

  /** A browser profile whose pages get no code of these names before it is released; what they asked for then is done. */
  const withHeld = async (...names: string[]) => {
    const context = await world.newContext({ viewport: { width: 1200, height: 800 } });
    const asked: string[] = [];
    let end = () => {};
    const held = new Promise<void>((resolve) => {
      end = resolve;
    });
    for (const name of names)
      await context.route(`**/assets/${name}-*.js`, async (route) => {
        asked.push(route.request().url());
        await held;
        await route.continue();
      });
    const release = async ({ frame }: EditorPage) => {
      await eventually(
        async () => asked.length,
        (count) => count === names.length,
      );
      end();
      for (const address of asked) await frame.evaluate(`import(${JSON.stringify(address)})`);
    };
    return { context, release };
  };

  it('[XS241] who has gone elsewhere before what finds a change was there stays there when it is taken back', async () => {
    const { context, release } = await withHeld('changed-place');
    const ann = await visit(newName('sheet'), 'ann', { context });
    await put(ann, 'A2', 'Steel');
    await ann.page.keyboard.press('Control+z');
    await shows(ann, 'A2', 'Wood');
    await goTo(ann, 'B:B');
    await ann.page.keyboard.press('Control+x');
    await goTo(ann, 'A1');
    await release(ann);
    await selected(ann, 'A1');
    await ann.page.keyboard.press('Control+Shift+Equal');
    await shows(ann, 'A2', '7');
    await shows(ann, 'B2', 'Wood');
    await goTo(ann, 'D9');
    await ann.page.keyboard.press('Control+z');
    await shows(ann, 'A2', 'Wood');
    expect(ann.problems).toEqual([]);
  });
});
