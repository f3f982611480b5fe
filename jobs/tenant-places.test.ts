import fc from 'fast-check';
import { expect, test } from 'vitest';
import { mostAtOnce, TenantPlaces } from './tenant-places.ts';

test('[JP11] whatever comes in whichever order, no tenant has more places than there are for one, and one with less than half of them gets one', async () => {
  const steps = fc.array(
    fc.record({ tenant: fc.constantFrom('a', 'b', 'c'), kind: fc.constantFrom('comes', 'goes') }),
    { maxLength: 40 },
  );
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 8 }), steps, async (count, given) => {
      const places = new TenantPlaces(count);
      const running: Record<string, number> = { a: 0, b: 0, c: 0 };
      const total = () => Object.values(running).reduce((sum, one) => sum + one, 0);
      for (const { tenant, kind } of given) {
        const own = running[tenant]!;
        if (kind === 'goes') {
          if (own > 0) places.leave(tenant);
          running[tenant] = Math.max(0, own - 1);
          continue;
        }
        const isLow = own < Math.max(1, Math.floor(count / 2));
        const enters = places.hasRoom(tenant);
        if (isLow || total() < count) expect(enters).toBe(true);
        if (!enters) continue;
        expect(await places.enter(tenant, 0)).toBe(true);
        running[tenant] = own + 1;
        expect(running[tenant]).toBeLessThanOrEqual(count);
      }
      // Another one finds a place as long as the first has them alone.
      expect(mostAtOnce(count)).toBeGreaterThan(count);
    }),
  );
});

test('[JP11] who waits gets the place that becomes free, unless it is not for that tenant, or comes too late', async () => {
  const places = new TenantPlaces(2);
  const entered = await Promise.all([places.enter('a', 0), places.enter('a', 0), places.enter('b', 0)]);
  expect(entered).toEqual([true, true, true]);
  expect(await places.enter('a', 1)).toBe(false);
  const [first, second] = [places.enter('b', 60_000), places.enter('a', 60_000)];
  places.leave('b');
  expect(await first).toBe(true);
  places.leave('a');
  places.leave('b');
  expect(await second).toBe(true);
});

test('[JP15] whose jobs go on for long has half of the places while others are about, and all when they are not', async () => {
  let now = 0;
  const places = new TenantPlaces(4, () => now);
  const enters = async (tenant: string) => {
    if (!places.hasRoom(tenant)) return false;
    return places.enter(tenant, 0);
  };
  const count = async (tenant: string) => {
    let entered = 0;
    while (await enters(tenant)) entered += 1;
    for (let one = 0; one < entered; one += 1) places.leave(tenant);
    return entered;
  };
  expect(await count('slow')).toBe(4);
  await enters('slow');
  now += 2_000;
  expect(await count('other')).toBe(3);
  // While it is on, and after that.
  expect(await enters('slow')).toBe(true);
  expect(await enters('slow')).toBe(false);
  places.leave('slow');
  places.leave('slow');
  expect(await count('slow')).toBe(2);
  expect(await count('other')).toBe(4);
  now += 50_000;
  expect(await count('slow')).toBe(2);
  // Nobody else has come for a minute.
  now += 59_000;
  await enters('slow');
  now += 2_000;
  places.leave('slow');
  expect(await count('slow')).toBe(4);
});
