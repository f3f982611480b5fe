import { afterAll, beforeAll, expect, it } from 'vitest';
import { hasBrowser } from '../support/browser.ts';
import { eventually } from '../support/eventually.ts';
import type { QuireProcess } from '../support/quire-process.ts';
import { buildXlsx } from '../support/xlsx-fixture.ts';
import { type EditorPage, EditorWorld } from './editor-world.ts';
import { delivered, put, shows } from './sheet-page.ts';

/** Who is gone is waited for until the test is over. */
const waiting = { RECONNECT_GRACE_MS: '120000' };

let world: EditorWorld<QuireProcess>;
beforeAll(async () => {
  world = await EditorWorld.openOwn();
});
afterAll(() => world?.close());

/** Everything typed is in the browser's database, to be sent by the next tab. */
async function kept(editor: EditorPage): Promise<void> {
  const { frame } = editor;
  await editor.showsSaving(/^(?:Offline|Reconnecting)/);
  await frame.locator('.saving-status').click();
  await eventually(
    () => frame.locator('.saving-details dd').allTextContents(),
    ([here]) => /kept if this tab closes$/.test(here ?? ''),
  );
}

it.skipIf(!hasBrowser)(
  '[XS217] a server that is killed, a tab that crashes and somebody who polls lose nothing of a spreadsheet, and all have its values',
  { timeout: 240_000 },
  async () => {
    const { quire, integrator } = world.world;
    const key = 'sheet-endings';
    const bytes = buildXlsx([
      ['Item', 'Price', 'Sum'],
      ['Nails', 3, '=B2*10'],
    ]);
    const sourceUrl = integrator.serve(`${key}.xlsx`, { bytes });
    const visit = { key, user: 'ann', sourceUrl, documentType: 'cell' } as const;
    const context = await world.newContext();
    const ann = await world.visit({ ...visit, context });
    const bob = await world.world.joinWorkbook({
      key,
      user: 'bob',
      sourceUrl,
      fileType: 'xlsx',
      transport: 'polling',
      reconnectAttempts: 10_000,
    });
    const sheet = bob.workbook.sheets[0]!.id;
    bob.dispatch({ operations: [{ op: 'set', sheet, cells: [[1, 1, { v: 4 }]] }] });
    await shows(ann, 'C2', '40');
    await put(ann, 'A3', 'Glue');
    await put(ann, 'B3', '7');
    await put(ann, 'C3', '=B3*10');
    await ann.saved();
    await eventually(
      async () => bob.workbook.sheets[0]!.grid.cell(2, 2).formula?.text,
      (text) => text === 'B3*10',
    );
    await quire.kill();
    try {
      await put(ann, 'B2', '5');
      await kept(ann);
      const session = await context.newCDPSession(ann.page);
      const crashed = ann.page.waitForEvent('crash');
      session.send('Page.crash').catch(() => undefined);
      await crashed;
      await ann.page.close();
      bob.dispatch({ operations: [{ op: 'insert', sheet, axis: 'row', at: 1, count: 1 }] });
    } finally {
      await quire.restart(waiting);
    }
    await bob.saved();
    const again = await world.visit({ ...visit, context });
    // Her entry is in the row that he has moved.
    await shows(again, 'B3', '5');
    await shows(again, 'C3', '50');
    await shows(again, 'C4', '70');
    await eventually(
      async () => bob.workbook.sheets[0]!.grid.cell(2, 1).value,
      (value) => value === 5,
    );
    expect(again.problems).toEqual([]);
    await bob.close();
    const { grid } = (await delivered(world, key, again)).sheets[0]!;
    expect([
      grid.cell(2, 1).value,
      grid.cell(2, 2).value,
      grid.cell(3, 0).value,
      grid.cell(3, 2).value,
    ]).toEqual([...[5, 50, 'Glue', 70]]);
  },
);
