import { expect, test } from 'vitest';
import { randomFrom } from '../../../test/support/fault-random.ts';
import { AdmissionControl, type Entry } from './admission-control.ts';

/** A door whose clock is a number, and what became of those who knocked, by their names. */
function doorAt({ mostWaiting = 1_000 } = {}) {
  const told: string[] = [];
  const counted: string[] = [];
  const entries = new Map<string, Entry>();
  const admission = new AdmissionControl(
    mostWaiting,
    () => counted.push('entered'),
    (why) => counted.push(why),
  );
  const clock = { nowMs: 0 };
  const knock = (name: string, { tenant = '', network = '', isReturning = false } = {}) =>
    admission.ask(
      {
        ...{ tenant, network, isReturning },
        came: (entry) => entries.set(name, entry),
        enter: () => told.push(name),
        refuse: (withinS) => told.push(`${name} refused ${withinS}`),
      },
      clock.nowMs,
    );
  const leave = (name: string) => admission.leave(entries.get(name)!, clock.nowMs);
  const look = (times = 1, loopDelayMs = 0) => {
    for (let time = 0; time < times; time += 1) {
      clock.nowMs += 100;
      admission.look(loopDelayMs, clock.nowMs);
    }
  };
  /** Takes all places, and says who took them. */
  const fill = () => {
    const names = Array.from({ length: admission.limit }, (_, at) => `first${at}`);
    for (const name of names) knock(name);
    told.length = 0;
    return names;
  };
  return { admission, told, counted, clock, knock, leave, look, fill };
}

test('[NC1] no more come in at once than the limit says; the next one enters when somebody is signed in or gone', () => {
  const { admission, told, knock, leave, fill } = doorAt();
  const [first, second] = fill();
  expect(admission.underWay).toBe(admission.limit);
  for (const name of ['a', 'b', 'c']) knock(name);
  expect(told).toEqual([]);
  leave(first!);
  leave(first!);
  expect(told).toEqual(['a']);
  leave('b');
  leave(second!);
  expect(told).toEqual(['a', 'c']);
});

test('[NC6] who takes longer than two seconds, as behind a slow storage or without a word, keeps nobody out', () => {
  const { told, knock, look, fill } = doorAt();
  fill();
  look(19, 1_000);
  knock('a');
  expect(told).toEqual([]);
  look(1, 1_000);
  expect(told).toEqual(['a']);
});

/** So long a client tries to come in. */
const patienceMs = 5_000;

/** What becomes of people who come to a server that signs them in one after the other, in the time of the model. */
function stormOf(
  perS: number,
  {
    costMs = 5,
    forMs = 60_000,
    tenantOf = (_number: number): string => '',
    networkOf = (_number: number): string => '',
  } = {},
) {
  const waits: { atMs: number; waitedMs: number; number: number }[] = [];
  const refused: { atMs: number; waitedMs: number; withinS: number }[] = [];
  const work: { since: number; entry: Entry; askedAtMs: number }[] = [];
  const admission = new AdmissionControl(
    100_000,
    () => undefined,
    () => undefined,
  );
  let came = 0;
  let served = 0;
  let doneMs = 0;
  let nowMs = 0;
  for (; nowMs < forMs; nowMs += 1) {
    for (; came < (nowMs * perS) / 1_000; came += 1) {
      const askedAtMs = nowMs;
      const number = came;
      let entry: Entry;
      admission.ask(
        {
          tenant: tenantOf(number),
          network: networkOf(number),
          isReturning: false,
          came: (its) => {
            entry = its;
          },
          enter: () => {
            waits.push({ atMs: nowMs, waitedMs: nowMs - askedAtMs, number });
            work.push({ since: nowMs, entry, askedAtMs });
          },
          refuse: (withinS) => refused.push({ atMs: nowMs, waitedMs: nowMs - askedAtMs, withinS }),
        },
        nowMs,
      );
    }
    doneMs += 1;
    for (; doneMs >= costMs && work.length > 0; doneMs -= costMs) {
      const { since, entry, askedAtMs } = work.shift()!;
      if (nowMs - askedAtMs < patienceMs) served += 1;
      admission.served(nowMs - since + costMs);
      admission.leave(entry, nowMs);
    }
    if (work.length === 0) doneMs = Math.min(doneMs, costMs);
    if (nowMs % 100 === 0) admission.look(0, nowMs);
  }
  return { admission, came, served, waits, refused };
}

test('[NC7] a server that can take 200 a second takes as many when 300, 600 and 2,000 come', () => {
  expect(stormOf(100).served).toBeGreaterThan(5_990);
  expect(stormOf(100).refused).toEqual([]);
  for (const perS of [300, 600, 2_000]) expect(stormOf(perS).served).toBeGreaterThan(0.98 * 12_000);
});

test('[NC2] who is let in has waited for three seconds at most, and for half a second in an overload; all others are refused', () => {
  const { admission, came, waits, refused } = stormOf(2_000);
  const longest = (of: readonly { atMs: number; waitedMs: number }[], fromMs: number) =>
    Math.max(...of.filter(({ atMs }) => atMs >= fromMs).map(({ waitedMs }) => waitedMs));
  expect(longest([...waits, ...refused], 0)).toBeLessThanOrEqual(3_100);
  expect(longest([...waits, ...refused], 3_200)).toBeLessThanOrEqual(600);
  expect(waits.length + refused.length + admission.waiting).toBe(came);
});

test('[NC2] in an overload the newest go first: most of those who are let in have hardly waited', () => {
  const late = stormOf(2_000).waits.filter(({ atMs }) => atMs > 5_000);
  const quick = late.filter(({ waitedMs }) => waitedMs <= 20);
  expect(quick.length).toBeGreaterThan(0.9 * late.length);
});

test('[NC3] a storm of one tenant leaves those of another in, who are fewer than half of what can be taken', () => {
  // One in twenty of 2,000 a second is of the other tenant.
  const { waits } = stormOf(2_000, { tenantOf: (number) => (number % 20 === 0 ? 'small' : 'storm') });
  const ofSmall = waits.filter(({ number }) => number % 20 === 0).length;
  expect(ofSmall).toBeGreaterThan(0.95 * (120_000 / 20));
});

test('[NC3] a storm from one network leaves those of others in, whose tenant nobody knows', () => {
  const { waits } = stormOf(2_000, { networkOf: (number) => (number % 20 === 0 ? `n${number}` : 'storm') });
  const ofOthers = waits.filter(({ number }) => number % 20 === 0).length;
  expect(ofOthers).toBeGreaterThan(0.95 * (120_000 / 20));
});

test('[NC3] silent connections of one network, as many as may wait, keep nobody else out of a server that looks late', () => {
  const { admission, told, clock, knock, fill } = doorAt();
  fill();
  const storm = () => {
    for (let number = 0; number < 1_000; number += 1) knock('', { network: 'storm', isReturning: true });
  };
  const lookLate = () => {
    clock.nowMs += 690;
    storm();
    clock.nowMs += 10;
    admission.look(600, clock.nowMs);
  };
  storm();
  for (let look = 0; look < 5; look += 1) lookLate();
  knock('somebody', { network: 'other' });
  lookLate();
  expect(told).toContain('somebody');
});

test('[NC4] the more are refused for each who comes in, the later those are asked to come again', () => {
  const spreadOf = (perS: number) => stormOf(perS, { forMs: 20_000 }).refused.at(-1)!.withinS;
  expect(spreadOf(250)).toBe(2);
  expect(spreadOf(1_200)).toBeGreaterThan(5);
  expect(spreadOf(20_000)).toBe(60);
});

/** So many come within a second to a server that signs 200 in a second, and come again as they are asked until they are in. */
function rushOf(people: number) {
  const random = randomFrom(1);
  const comingAt = new Map<number, number>();
  const comes = (atMs: number) => void comingAt.set(atMs, (comingAt.get(atMs) ?? 0) + 1);
  for (let number = 0; number < people; number += 1) comes(Math.floor(random() * 1_000));
  const inside: Entry[] = [];
  let refused = 0;
  let served = 0;
  let nowMs = 0;
  const admission = new AdmissionControl(
    2_000,
    () => undefined,
    () => undefined,
  );
  const ask = () => {
    let entry: Entry;
    admission.ask(
      {
        ...{ tenant: '', network: '', isReturning: false },
        came: (its) => {
          entry = its;
        },
        enter: () => inside.push(entry),
        refuse: (withinS) => {
          refused += 1;
          comes(nowMs + 1_000 * (1 + Math.floor(random() * withinS)) + Math.ceil(1_000 * random()));
        },
      },
      nowMs,
    );
  };
  for (; served < people && nowMs < 600_000; nowMs += 1) {
    for (let number = comingAt.get(nowMs) ?? 0; number > 0; number -= 1) ask();
    if (nowMs % 5 === 0 && inside.length > 0) {
      admission.served(5 * inside.length);
      admission.leave(inside.shift()!, nowMs);
      served += 1;
    }
    if (nowMs % 100 === 0) admission.look(0, nowMs);
  }
  return { seconds: nowMs / 1_000, refused };
}

test('[NC4] of very many who come at once each is refused a few times only, and they are in hardly later for it', () => {
  for (const people of [1_000, 5_000, 20_000]) {
    const { seconds, refused } = rushOf(people);
    expect(seconds).toBeLessThan(1.3 * (people / 200) + 5);
    expect(refused).toBeLessThan(3.5 * people);
  }
});

test('[NC2] of more than may wait, one of the tenant with the most is refused at once, and counted', () => {
  const { counted, told, knock, fill } = doorAt({ mostWaiting: 2 });
  const entered = fill().length;
  knock('a', { tenant: 'storm' });
  knock('b', { tenant: 'storm' });
  knock('c', { tenant: 'other' });
  expect(told).toEqual(['a refused 2']);
  expect(counted.slice(entered)).toEqual(['crowded']);
});

test('[NC2] when a server stops, those who wait are refused', () => {
  const { admission, told, knock, fill } = doorAt();
  fill();
  knock('a');
  admission.refuseAll();
  expect([told, admission.waiting]).toEqual([['a refused 2'], 0]);
});

test('[NC8] of those whom others lead here, as many are wanted as it takes for twice as many to come as are let in', () => {
  expect(stormOf(190).admission.share).toBe(1);
  const { share } = stormOf(2_000).admission;
  expect(share).toBeLessThan(0.05);
  const { admission } = stormOf(300, { forMs: 20_000 });
  expect(admission.share).toBe(1);
});

test('[NC8] once the line is empty all are wanted again', () => {
  const { admission } = stormOf(2_000, { forMs: 20_000 });
  admission.refuseAll();
  for (let nowMs = 20_000; nowMs < 25_000; nowMs += 100) admission.look(0, nowMs);
  expect(admission.share).toBe(1);
});
