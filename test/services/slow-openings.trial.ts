import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildDocx } from '../support/docx-fixture.ts';
import { eventually } from '../support/eventually.ts';
import { TestIntegrator } from '../support/integrator.ts';
import type { RawClient, Sent } from '../support/raw-client.ts';
import { save } from '../support/saving.ts';
import { Scene } from '../support/scene.ts';
import { slowDocument } from '../support/slow-documents.ts';
import { append, joinWord } from '../support/word-editor.ts';

let scene: Scene;
let strict: Scene;
let other: TestIntegrator;

beforeAll(async () => {
  [scene, strict, other] = await Promise.all([
    Scene.open({ environment: { CONVERTER_PROCESSES: '1', CONVERTER_CONCURRENCY: '2' } }),
    Scene.open({
      environment: { CONVERTER_PROCESSES: '1', CONVERTER_CONCURRENCY: '1', OPENING_TIMEOUT_MS: '1000' },
    }),
    TestIntegrator.start(),
  ]);
});
afterAll(() => Promise.all([scene?.close(), strict?.close(), other?.close()]));

/** Asks to open a source in the word model. */
async function ask(where: Scene, url: string): Promise<RawClient> {
  const key = where.newKey();
  const client = await where.connect(key);
  const message = where.authMessage(key, 'ann', { supportAuthChangesAck: false });
  client.send({ ...message, openCmd: { ...(message.openCmd as Sent), url, model: 'word' } });
  return client;
}

const answerOf = async (client: RawClient) => (await client.next('documentOpen')).data;
const jobsEnded = (where: Scene) =>
  where.quire.log.filter(({ msg, job }) => msg === 'A job ended' && job === 'open');

describe('openings that go on for long', () => {
  it('[JP13] hold up neither saves nor the openings of another application, and end all the same', async () => {
    const { integrator } = scene;
    const key = scene.newKey();
    const { client, doc } = await joinWord(scene, key, 'ann');
    await save(client, [append('ann', doc, 0, '!').change]);
    let opened = 0;
    const slow = [1, 2, 3].map(async (number) => {
      const url = integrator.serve(`slow-${number}.docx`, { bytes: slowDocument(number) });
      const answer = await answerOf(await ask(scene, url));
      opened += 1;
      return answer;
    });
    await eventually(
      async () => [1, 2, 3].filter((number) => integrator.downloadsOf(`slow-${number}.docx`) > 0).length,
      (count) => count === 3,
    );
    const bytes = buildDocx({ paragraphs: ['Of another application'] });
    const url = other.serve('quick.docx', { bytes });
    expect(await answerOf(await ask(scene, url))).toMatchObject({ status: 'ok' });
    await client.leave();
    await integrator.waitForCallback(key, ({ status }) => status === 2);
    expect(opened).toBe(0);
    for (const answer of await Promise.all(slow)) expect(answer).toMatchObject({ status: 'ok' });
  });

  it('[CV19] are ended with -93 after their time, which is remembered; the place is free again', async () => {
    const url = strict.integrator.serve('slow.docx', { bytes: slowDocument(0) });
    expect(await answerOf(await ask(strict, url))).toMatchObject({ status: 'err', data: -93 });
    const ended = jobsEnded(strict).length;
    expect(await answerOf(await ask(strict, url))).toMatchObject({ status: 'err', data: -93 });
    expect(jobsEnded(strict)).toHaveLength(ended);
    const quick = strict.integrator.serve('quick.docx', { bytes: buildDocx({ paragraphs: ['Quick'] }) });
    expect(await answerOf(await ask(strict, quick))).toMatchObject({ status: 'ok' });
  });
});
