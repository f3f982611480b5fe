import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDocx } from '../../converter/engines/ooxml/docx/docx-engine.ts';
import { applyChanges } from '../../model/word/change.ts';
import { buildDocx } from '../support/docx-fixture.ts';
import { inStep, typeAfter } from '../support/e2e-text.ts';
import { EndToEndWorld } from '../support/e2e-world.ts';
import { eventually } from '../support/eventually.ts';
import { textsOf } from '../support/fault-checks.ts';
import { randomFrom } from '../support/fault-random.ts';
import { accepted, type ReceivedCallback } from '../support/integrator.ts';
import { newName } from '../support/new-name.ts';
import { fetchFile } from '../support/word-editor.ts';

let world: EndToEndWorld;
beforeAll(async () => {
  world = await EndToEndWorld.open();
});
afterAll(() => world?.close());

const source = buildDocx({ paragraphs: ['A story', 'Here: ', 'There: '] });

async function logOf(key: string): Promise<string[]> {
  const { rows } = await world.database.pool.query<{ changes: string }>(
    'SELECT changes FROM batches WHERE key = $1 ORDER BY first_index',
    [key],
  );
  return rows.flatMap(({ changes }) => JSON.parse(changes) as string[]);
}

describe('saving while people write', () => {
  it.for([21, 22, 23])(
    '[FV18] each file is the document at its index, in order, whatever is asked and refused when, seed %i',
    async (seed) => {
      const key = newName(`forced-${seed}`);
      const random = randomFrom(seed);
      const sourceUrl = world.integrator.serve(`${key}.docx`, { bytes: source });
      const taken: ReceivedCallback[] = [];
      world.integrator.answer(key, async (callback) => {
        if (callback.status !== 6) return accepted;
        await new Promise((resolve) => setTimeout(resolve, random() * 60));
        if (random() < 0.3) return { status: 503, body: '' };
        taken.push(callback);
        return accepted;
      });
      const ann = await world.join({ key, user: 'ann', sourceUrl });
      const bob = await world.join({ key, user: 'bob', sourceUrl, transport: 'plain' });
      const people = [ann, bob];
      let writing = true;
      const pressing = (async () => {
        while (writing) {
          await new Promise((resolve) => setTimeout(resolve, random() * 80));
          if (random() < 0.3) await world.command({ c: 'forcesave', key, userdata: String(random()) });
          else await people[random() < 0.5 ? 0 : 1]!.client.forceSave();
        }
      })();
      await Promise.all([
        typeAfter(ann, 'Here', 'abcdefghijklmnopqrstuvwxyz'.repeat(4)),
        typeAfter(bob, 'There', 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'.repeat(4)),
      ]);
      writing = false;
      await pressing;
      await inStep(...people);
      await ann.client.forceSave();
      const log = await logOf(key);
      await eventually(
        async () => people.map(({ client }) => client.stored?.index),
        (indices) => indices.every((index) => index === log.length),
      );
      const { rows: saves } = await world.database.pool.query<{ hash: string; end: number }>(
        'SELECT result_hash AS hash, end_index AS "end" FROM saves WHERE key = $1 AND status = 6',
        [key],
      );
      const ends: number[] = [];
      for (const { body } of taken) {
        const { end } = saves.find(({ hash }) => String(body.url).includes(hash))!;
        ends.push(end);
        const at = applyChanges(openDocx(source).doc, log.slice(0, end)).doc;
        expect(textsOf(openDocx(await fetchFile(body.url)).doc)).toEqual(textsOf(at));
      }
      expect(ends).toEqual([...ends].sort((one, other) => one - other));
      expect(ends.at(-1)).toBe(log.length);
      const final = textsOf(ann.state.doc);
      for (const session of people) await session.close();
      const { body } = await world.integrator.waitForCallback(key, ({ status }) => status === 2);
      expect(body.notmodified).toBe(true);
      expect(textsOf(openDocx(await fetchFile(body.url)).doc)).toEqual(final);
    },
  );

  it('[FV19] the callback is signed in its header and its body', async () => {
    const key = newName('forced-signed');
    const sourceUrl = world.integrator.serve('signed.docx', { bytes: source });
    const ann = await world.join({ key, user: 'ann', sourceUrl });
    await typeAfter(ann, 'Here', 'x');
    await ann.saved();
    const answer = await ann.client.forceSave();
    expect(answer.code).toBe(0);
    const { body, headers } = await world.integrator.waitForCallback(key, ({ status }) => status === 6);
    const { token, ...claims } = body;
    const inHeader = await world.verify(String(headers.authorization).replace('Bearer ', ''));
    expect(inHeader.payload).toMatchObject(claims);
    expect(await world.verify(String(token))).toMatchObject(claims);
    await ann.close();
  });
});
