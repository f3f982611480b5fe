import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { LoadDoor } from '../test/support/load-door.ts';
import { worldOf } from '../test/support/load-people.ts';
import { inMs, unpacked } from './meters.ts';
import { Visitors } from './visitors.ts';

let door: LoadDoor;
beforeEach(async () => {
  door = await LoadDoor.start();
  // A look at what is waited for takes a twentieth of a second of these.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});
afterEach(async () => {
  vi.useRealTimers();
  await door.stop();
});

describe('visitors', () => {
  const visitorsWith = (attempts: number) => {
    const around = worldOf(door.url, { attempts });
    return { ...around, visitors: new Visitors(around.world, around.recorders, 10) };
  };

  it('[LD27] come at a rate, are in for a moment, and leave', async () => {
    const { visitors, gauges, count, problems } = visitorsWith(2);
    visitors.begin({ perS: 10 }, 1_000);
    for (const nowMs of [999, 2_950, 2_999]) visitors.tick(nowMs);
    await expect.poll(() => count('opened')).toBe(20);
    await expect.poll(() => [gauges.sessions, gauges.opening, door.open.size]).toEqual([0, 0, 0]);
    expect([door.asked, problems]).toEqual([20, []]);
  });

  it('[LD37] who come later than they were due are measured by how late', () => {
    const { world, visitors } = visitorsWith(1);
    visitors.begin({ perS: 10 }, 0);
    visitors.tick(950);
    visitors.end();
    const late = unpacked(world.meters.take().latencies.late!);
    expect(late.totalCount).toBe(10);
    expect([inMs(late.minNonZeroValue), inMs(late.maxValue)]).toEqual([
      expect.closeTo(50, -1),
      expect.closeTo(950, -1),
    ]);
  });

  it('[LD27] who were refused and come again are of the rate, so that refusing brings no more of them', async () => {
    const { visitors, count } = visitorsWith(2);
    door.onUpgrade = (_, socket) => {
      socket.end('HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\n\r\n');
      return true;
    };
    visitors.begin({ perS: 10 }, 0);
    visitors.tick(950);
    await expect.poll(() => count('givenUp')).toBe(10);
    visitors.tick(1_950);
    expect([door.asked, count('refused'), count('retried')]).toEqual([20, 20, 10]);
    visitors.tick(2_000);
    await expect.poll(() => count('givenUp')).toBe(11);
    visitors.end();
  });

  it('[LD27] come so many at once: another one for each who is in or has given up', async () => {
    const { visitors, gauges, count } = visitorsWith(1);
    door.onConnection = () => false;
    visitors.begin({ atOnce: 3 }, 0);
    for (let tick = 0; tick < 3; tick += 1) visitors.tick(tick);
    await expect.poll(() => door.open.size).toBe(3);
    expect([door.asked, gauges.opening]).toEqual([3, 3]);
    const [first, second] = door.open;
    first!.send('{"type":"license"}');
    second!.terminate();
    await expect.poll(() => [count('opened'), count('givenUp')]).toEqual([1, 1]);
    visitors.tick(4);
    await expect.poll(() => door.asked).toBe(5);
    expect(gauges.opening).toBe(3);
    visitors.end();
    visitors.tick(5);
    expect([gauges.opening, gauges.sessions]).toEqual([0, 0]);
    await expect.poll(() => door.open.size).toBe(0);
    expect(door.asked).toBe(5);
  });
});
