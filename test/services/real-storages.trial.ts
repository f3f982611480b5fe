import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { askedFiles } from '../support/asked-kinds.ts';
import { RunningStorage, realStorages } from '../support/real-storages.ts';
import { StrangeMeetings } from '../support/strange-meetings.ts';
import { StrangeWorld } from '../support/strange-world.ts';

let world: StrangeWorld;
beforeAll(async () => {
  world = await StrangeWorld.open();
});
afterAll(() => world?.close());

describe.each(realStorages)('[OA12] files of $what', (real) => {
  it.skipIf(!real.isHere)('are fetched as they are, again and again', async () => {
    const storage = await RunningStorage.start(real);
    onTestFinished(() => storage.close());
    const meetings = new StrangeMeetings(world);
    for (const kind of askedFiles.filter(({ fetches }) => fetches !== null)) {
      expect(await meetings.files(kind, storage)).toEqual([]);
    }
  });
});
