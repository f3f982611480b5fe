import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { texts, type } from '../../client/testing/word-typing.ts';
import { hasBrowser } from '../support/browser.ts';
import { buildDocx } from '../support/docx-fixture.ts';
import { eventually } from '../support/eventually.ts';
import { newName } from '../support/new-name.ts';
import type { QuireProcess } from '../support/quire-process.ts';
import { EditorWorld } from './editor-world.ts';

const checkpointEvery = 20;

describe.skipIf(!hasBrowser)('coming late', () => {
  let world: EditorWorld<QuireProcess>;
  beforeAll(async () => {
    world = await EditorWorld.openOwn({ CHECKPOINT_EVERY: String(checkpointEvery) });
  });
  afterAll(() => world?.close());

  it('[CK18] a page that comes late begins at a checkpoint; if that is lost, with the whole log', async () => {
    const { integrator, database } = world.world;
    const key = newName('late');
    const sourceUrl = integrator.serve('late.docx', { bytes: buildDocx({ paragraphs: ['One:', 'Two:'] }) });
    const ann = await world.world.join({ key, user: 'ann', sourceUrl });
    const typed = 'x'.repeat(checkpointEvery + 5);
    type(ann, 0, typed);
    await ann.saved();
    expect(await world.world.command({ c: 'forcesave', key })).toMatchObject({ error: 0 });
    const isThere = 'SELECT end_index FROM checkpoints WHERE key = $1';
    await eventually(
      async () => (await database.pool.query(isThere, [key])).rowCount,
      (rows) => rows === 1,
    );
    type(ann, 1, 'y');
    await ann.saved();

    const visit = async (user: string) => {
      const context = await world.newContext();
      const fetched: string[] = [];
      context.on('request', (request) => fetched.push(new URL(request.url()).pathname));
      const page = await world.visit({ key, user, sourceUrl, context });
      return { page, context, checkpoints: fetched.filter((path) => path.includes('/checkpoint/')).length };
    };
    const bob = await visit('bob');
    expect(bob.checkpoints).toBe(1);
    expect(await bob.page.text()).toBe(`One:${typed}\nTwo:y`);
    await bob.page.typeAfter('Two:', ' Bob');
    await eventually(
      async () => texts(ann)[1],
      (text) => text === 'Two: Boby',
    );
    type(ann, 1, '!');
    await bob.page.showsText(`One:${typed}\nTwo: Boby!`);
    await bob.page.page.keyboard.press('Control+z');
    await eventually(
      async () => texts(ann)[1]?.includes('Bob'),
      (isThere) => isThere === false,
    );

    await database.pool.query('UPDATE checkpoints SET hash = $2 WHERE key = $1', [key, 'f'.repeat(64)]);
    const cem = await visit('cem');
    expect(cem.checkpoints).toBe(1);
    expect(await cem.page.text()).toBe(texts(ann).join('\n'));
    await cem.page.typeAfter('One:', ' Cem');
    await eventually(
      async () => texts(ann)[0],
      (text) => text === `One: Cem${typed}`,
    );
    await bob.page.showsText(/Cem/);
    for (const { page, context } of [bob, cem]) {
      expect(page.problems.filter((problem) => !/404/.test(problem))).toEqual([]);
      await context.close();
    }
  });
});
