import fc from 'fast-check';
import { expect, test } from 'vitest';
import { mostAtOnce, type TakenPlace, TenantPlaces } from './tenant-places.ts';

const nobody = (tenant: string) => ({ tenant, person: '' });
const one = (person: string) => ({ tenant: 'app', person });

test('[JP11] whatever comes in whichever order, no tenant has more places than there are for one, and one with less than half of them gets one', async () => {
  const steps = fc.array(
    fc.record({ tenant: fc.constantFrom('a', 'b', 'c'), kind: fc.constantFrom('comes', 'goes') }),
    { maxLength: 40 },
  );
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 8 }), steps, async (count, given) => {
      const places = new TenantPlaces(count);
      const running: Record<string, TakenPlace[]> = { a: [], b: [], c: [] };
      const total = () => Object.values(running).reduce((sum, { length }) => sum + length, 0);
      for (const { tenant, kind } of given) {
        const own = running[tenant]!;
        if (kind === 'goes') {
          const first = own.shift();
          if (first) places.leave(first);
          continue;
        }
        const isLow = own.length < Math.max(1, Math.floor(count / 2));
        const enters = places.hasRoom(nobody(tenant));
        if (isLow || total() < count) expect(enters).toBe(true);
        if (!enters) continue;
        own.push((await places.enter(nobody(tenant), 0))!);
        expect(own.length).toBeLessThanOrEqual(count);
      }
      // Another one finds a place as long as the first has them alone.
      expect(mostAtOnce(count)).toBeGreaterThan(count);
    }),
  );
});

test('[JP11] who waits gets the place that becomes free, unless it is not for that tenant, or comes too late', async () => {
  const places = new TenantPlaces(2);
  const enter = (tenant: string, patienceMs = 0) => places.enter(nobody(tenant), patienceMs);
  const [a, , b] = await Promise.all([enter('a'), enter('a'), enter('b')]);
  expect(await enter('a', 1)).toBeNull();
  const [first, second] = [enter('b', 60_000), enter('a', 60_000)];
  places.leave(b!);
  const later = await first;
  expect(later).not.toBeNull();
  places.leave(a!);
  places.leave(later!);
  expect(await second).not.toBeNull();
});

/** Places on a clock that is turned by hand. */
function turned(count: number) {
  let now = 0;
  const places = new TenantPlaces(count, () => now);
  const enter = async (owner: ReturnType<typeof nobody>) =>
    places.hasRoom(owner) ? places.enter(owner, 0) : null;
  return {
    places,
    enter,
    pass: (ms: number) => {
      now += ms;
    },
    /** How many jobs of an owner may begin; none of them is begun. */
    room: async (owner: ReturnType<typeof nobody>) => {
      const entered: TakenPlace[] = [];
      for (let place = await enter(owner); place; place = await enter(owner)) entered.push(place);
      for (const place of entered) places.leave(place);
      return entered.length;
    },
    /** A job of an owner that is long, from its beginning to its end. */
    hasLong: async (owner: ReturnType<typeof nobody>) => {
      const place = await places.enter(owner, 0);
      now += 2_000;
      places.leave(place!);
    },
  };
}

test('[JP15] whose jobs go on for long has half of the places while others are about, and all when they are not', async () => {
  const { places, enter, room, pass } = turned(4);
  const slow = nobody('slow');
  expect(await room(slow)).toBe(4);
  const first = await enter(slow);
  pass(2_000);
  expect(await room(nobody('other'))).toBe(3);
  // While it is on, and after that.
  const second = await enter(slow);
  expect(second).not.toBeNull();
  expect(await enter(slow)).toBeNull();
  places.leave(first!);
  places.leave(second!);
  expect(await room(slow)).toBe(2);
  expect(await room(nobody('other'))).toBe(4);
  pass(50_000);
  expect(await room(slow)).toBe(2);
  // Nobody else has come for a minute.
  pass(59_000);
  const last = await enter(slow);
  pass(2_000);
  places.leave(last!);
  expect(await room(slow)).toBe(4);
});

test.each([2, 4, 8])(
  '[JP17] of %i places one person has all but one, and half of them for long work beside others',
  async (count) => {
    const { room, hasLong } = turned(count);
    expect(await room(one('ann'))).toBe(count - 1);
    await hasLong(one('ann'));
    expect(await room(one('ann'))).toBe(count - 1);
    expect(await room(one('bob'))).toBe(count - 1);
    expect(await room(one('ann'))).toBe(count / 2);
  },
);

test('[JP18] long work of whoever leaves a place to work that is expected to be short, also beside other tenants', async () => {
  const { places, enter, hasLong, pass } = turned(3);
  const greedy = ['a', 'b', 'c', 'd'].map(one);
  for (const owner of greedy) await hasLong(owner);
  await enter(nobody('other'));
  const taken = [];
  for (const owner of greedy) taken.push(await enter(owner));
  expect(taken.filter((place) => place !== null)).toHaveLength(1);
  expect(await enter(one('short'))).not.toBeNull();
  // Who is not known to have long jobs is known by it while one is under way.
  const { enter: enterNow, room, pass: passNow } = turned(3);
  await enterNow(one('new'));
  await enterNow(one('new'));
  passNow(2_000);
  expect(await room(one('new'))).toBe(0);
  expect(await room(one('short'))).toBe(1);
  // A minute later it is forgotten.
  for (const place of taken) if (place) places.leave(place);
  pass(200_000);
  expect(places.hasRoom(one('a'))).toBe(true);
});

test('[JP21] a job of a large source leaves the place for short work from its beginning, and its person has that place for others', async () => {
  const { enter } = turned(2);
  const large = (person: string) => ({ ...one(person), isLarge: true });
  expect(await enter(large('new'))).not.toBeNull();
  expect(await enter(large('other'))).toBeNull();
  expect(await enter(one('other'))).not.toBeNull();
});

test('[JP19] neither short nor long work waits for ever: long work that was refused finds the last place kept for it', async () => {
  const { places, enter, hasLong } = turned(2);
  await hasLong(one('slow'));
  const short = [await enter(one('x')), await enter(one('y'))];
  expect(short).not.toContain(null);
  expect(await places.enter(one('slow'), 0)).toBeNull();
  // However many short ones come, they have one place in turn now.
  places.leave(short[0]!);
  expect(await enter(one('z'))).toBeNull();
  expect(await enter(one('slow'))).not.toBeNull();
  places.leave(short[1]!);
  expect(await enter(one('z'))).not.toBeNull();
});

test('[JP19] whatever comes in whichever order, who waits gets a place when others end, and no place is given away twice', async () => {
  const steps = fc.array(
    fc.record({
      person: fc.constantFrom('a', 'b', 'c', 'd'),
      kind: fc.constantFrom('comes', 'comes', 'goes', 'passes'),
    }),
    { maxLength: 60 },
  );
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 8 }), steps, async (count, given) => {
      const { places, enter, pass } = turned(count);
      const running: TakenPlace[] = [];
      for (const { person, kind } of given) {
        if (kind === 'passes') pass(700);
        else if (kind === 'comes') {
          const place = await enter(one(person));
          if (place) running.push(place);
          const own = running.filter((each) => each.person === person).length;
          expect(own).toBeLessThanOrEqual(Math.max(1, count - 1));
          expect(running.length).toBeLessThanOrEqual(count);
        } else if (running.length > 0) places.leave(running.shift()!);
      }
      for (const place of running) places.leave(place);
      for (const person of ['a', 'b', 'c', 'd']) expect(places.hasRoom(one(person))).toBe(true);
    }),
  );
});
