import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { askedHosts } from '../support/asked-kinds.ts';
import { StrangeMeetings } from '../support/strange-meetings.ts';
import { StrangeWorld } from '../support/strange-world.ts';

let world: StrangeWorld;
let meetings: StrangeMeetings;
beforeAll(async () => {
  world = await StrangeWorld.open();
  meetings = new StrangeMeetings(world);
});
afterAll(() => world?.close());

describe.each(askedHosts)('[OA12] $what', (kind) => {
  it('gets bodies of all sizes, however they are framed and ended', async () => {
    expect(await meetings.framed(kind)).toEqual([]);
  });

  it('takes what is unusual and right', async () => {
    expect(await meetings.unusual(kind)).toEqual([]);
  });

  it('meets what is wrong with an error', async () => {
    expect(await meetings.wrong(kind)).toEqual([]);
  });
});

it('[OA12] an integrator or host that stops in an answer is given up', async () => {
  expect(await meetings.stopping(askedHosts)).toEqual([]);
});
