import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildDocx } from '../support/docx-fixture.ts';
import { TestIntegrator } from '../support/integrator.ts';
import { newName } from '../support/new-name.ts';
import { startNodes, type TestNodes } from '../support/nodes.ts';
import { hasRedis } from '../support/redis.ts';
import { type CrowdFamily, SavingCrowd } from '../support/saving-crowd.ts';

const savesEach = 20;
const longestPauseMs = 40;

describe.skipIf(!hasRedis)('saving over three nodes', () => {
  let world: TestNodes;
  let integrator: TestIntegrator;
  beforeAll(async () => {
    integrator = await TestIntegrator.start();
    integrator.serve('document.docx', { bytes: buildDocx({ paragraphs: ['First'] }) });
    world = await startNodes(3, { CONVERTER_PROCESSES: '0' });
  });
  afterAll(async () => {
    await world?.close();
    await integrator?.close();
  });

  test.each<[CrowdFamily, number]>([
    ['library', 2],
    ['library', 6],
    ['other', 2],
    ['other', 6],
  ])('[MN35] disconnects and refuses nobody: clients of the family %s, %i people', async (family, people) => {
    const key = newName(`${family}-${people}`);
    const crowd = await SavingCrowd.open({
      addresses: world.nodes.map(({ address }) => address),
      ...{ key, family, people },
      sourceUrl: `${integrator.address}/files/document.docx`,
      callbackUrl: integrator.callbackUrl(key),
    });
    try {
      await crowd.save(savesEach, longestPauseMs);
      await crowd.settled();
      expect(await crowd.complaints(world.database.pool)).toEqual([]);
      expect(crowd.counts).toEqual({ saves: savesEach * people, closes: 0, refusals: 0 });
    } finally {
      await crowd.close();
    }
  });
});
