import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasBrowser } from '../support/browser.ts';
import { buildDocx } from '../support/docx-fixture.ts';
import { eventually } from '../support/eventually.ts';
import { newName } from '../support/new-name.ts';
import { EditorWorld } from './editor-world.ts';

describe.skipIf(!hasBrowser)('typing in the editor', () => {
  let world: EditorWorld;
  beforeAll(async () => {
    world = await EditorWorld.open();
  });
  afterAll(() => world?.close());

  it('[ED1] two people see each other’s letters, and the assembled file has both', async () => {
    const { integrator } = world.world;
    const key = newName('typing');
    const bytes = buildDocx({ paragraphs: ['First line:', 'Second line:'] });
    const sourceUrl = integrator.serve('typing.docx', { bytes });
    const ann = await world.visit({ key, user: 'ann', sourceUrl });
    const bob = await world.visit({ key, user: 'bob', sourceUrl });
    await ann.typeAfter('First line:', ' by Ann');
    await eventually(
      () => bob.text(),
      (text) => text.includes('by Ann'),
    );
    await bob.typeAfter('Second line:', ' by Bob');
    for (const person of [ann, bob]) {
      await eventually(
        () => person.text(),
        (text) => text === 'First line: by Ann\nSecond line: by Bob',
      );
    }
    expect([...ann.problems, ...bob.problems]).toEqual([]);
  });
});
