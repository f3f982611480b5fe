import { describe, expect, it } from 'vitest';
import { FairQuota, type QuotaSlot } from './fair-quota.ts';

function roomOf(places: number) {
  const room = new FairQuota(places);
  const gone: string[] = [];
  const enter = (group: string, name: string): QuotaSlot => room.acquire(group, () => gone.push(name));
  return { room, gone, enter };
}

describe('a room that is shared', () => {
  it('[GW16] lets everybody in, and of the group with the most the oldest goes who has said nothing', () => {
    const { room, gone, enter } = roomOf(4);
    const first = enter('many', 'm1');
    enter('many', 'm2');
    enter('many', 'm3');
    enter('few', 'f1');
    first.heard();
    enter('other', 'o1');
    expect(gone).toEqual(['m2']);
    enter('many', 'm4');
    expect(gone).toEqual(['m2', 'm3']);
    enter('other', 'o2');
    expect(gone).toEqual(['m2', 'm3', 'm4']);
    expect(room.taken).toBe(4);
  });

  it('[GW16] who has spoken goes when all of the group have, the oldest first', () => {
    const { gone, enter } = roomOf(2);
    for (const name of ['a1', 'a2', 'a3', 'a4']) enter('a', name).heard();
    expect(gone).toEqual(['a1', 'a2']);
  });

  it('[GW16] a place that was left is free, once', () => {
    const { room, gone, enter } = roomOf(2);
    const place = enter('a', 'a1');
    place.release();
    place.release();
    place.heard();
    enter('b', 'b1');
    enter('b', 'b2');
    expect([gone, room.taken]).toEqual([[], 2]);
  });

  it('[GW16] where all groups are of the same size, the one that was the first goes', () => {
    const { gone, enter } = roomOf(3);
    for (const name of ['a', 'b', 'c', 'd', 'e']) enter(name, name);
    expect(gone).toEqual(['a', 'b']);
  });

  it('[GW16] finds the largest group again as clients come and go', () => {
    const { room, gone, enter } = roomOf(50);
    let seed = 7;
    const random = (below: number) => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed % below;
    };
    const sizes = new Map<string, number>();
    const places: { group: string; name: string; place: QuotaSlot }[] = [];
    const resize = (group: string, by: number) => sizes.set(group, (sizes.get(group) ?? 0) + by);
    for (let step = 0; step < 5_000; step += 1) {
      if (random(3) === 0 && places.length > 0) {
        const [left] = places.splice(random(places.length), 1);
        left!.place.release();
        resize(left!.group, -1);
      } else {
        const group = `g${random(6)}`;
        const name = `${group}-${step}`;
        const most = Math.max(...sizes.values());
        places.push({ group, name, place: enter(group, name) });
        const evicted = places.findIndex((one) => one.name === gone.at(-1));
        if (evicted >= 0) {
          const [left] = places.splice(evicted, 1);
          expect(sizes.get(left!.group)).toBe(most);
          resize(left!.group, -1);
        }
        resize(group, 1);
      }
      expect(room.taken).toBe(places.length);
    }
  });
});
