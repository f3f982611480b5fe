import { EventEmitter } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { afterEach, expect, test, vi } from 'vitest';
import { eventually } from '../../../test/support/eventually.ts';
import { AdmissionControl } from './admission-control.ts';
import { Door, type Place } from './door.ts';

let door: Door | null = null;
afterEach(() => {
  door?.stop();
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** A door, and those who knock at it, by the addresses that they ask for. */
function opened({ isFull = false, isBusy = (): boolean => false } = {}) {
  const counted: string[] = [];
  const told: string[] = [];
  const places: Place[] = [];
  const made = new Door(
    ({ url = '' }) => ({ tenant: url.includes('storm') ? 'storm' : '', network: '' }),
    { admitted: () => counted.push('admitted'), refused: (why) => counted.push(why) },
    () => undefined,
    { isBusy },
  );
  door = made;
  const knock = (url: string) => {
    const socket = new EventEmitter();
    made.knock({ url, socket } as unknown as IncomingMessage, {
      enter: (place) => {
        places.push(place);
        told.push(url);
      },
      refuse: (afterS) => told.push(`${url} refused for ${afterS}`),
    });
    return socket;
  };
  // In one turn of the event loop, so that nobody's time runs out.
  if (isFull) for (let free = made.state.limit; free > 0; free -= 1) knock('/first');
  told.length = 0;
  counted.length = 0;
  return { door: made, counted, told, places, knock };
}

test('[NC1] a place at the door is given back once, when its holder is signed in or gone', () => {
  const { door: made, told, places, knock } = opened({ isFull: true });
  const [first, second] = places;
  for (const name of ['/a', '/b', '/c']) knock(name);
  first!.served(5);
  first!.leave();
  first!.leave();
  expect(told).toEqual(['/a']);
  second!.leave();
  expect([told, made.state.waiting]).toEqual([['/a', '/b'], 1]);
});

test('[NC2] whoever goes while waiting is let in no more, and counted', () => {
  const { counted, told, places, knock } = opened({ isFull: true });
  knock('/a').emit('close');
  knock('/b');
  places[0]!.leave();
  expect([told, counted]).toEqual([['/b'], ['left', 'admitted']]);
});

test('[NC3] who says that a session goes on goes before others of the same tenant', () => {
  const { told, places, knock } = opened({ isFull: true });
  for (const name of ['/new', '/back?a=b&quireReturning=1', '/storm', '/storm?quireReturning=1']) knock(name);
  for (const place of places.splice(0)) place.leave();
  expect(told).toEqual(['/back?a=b&quireReturning=1', '/storm?quireReturning=1', '/new', '/storm']);
});

test('[NC2] those who wait at a server that stops are refused', () => {
  const { door: made, told, knock } = opened({ isFull: true });
  knock('/a');
  made.stop();
  expect(told).toEqual([expect.stringMatching(/^\/a refused for [12]$/)]);
});

test('[NC1] the door looks by itself: people who wait for others who say nothing are let in', async () => {
  const { told, knock } = opened({ isFull: true });
  knock('/a');
  await eventually(() => expect(told).toEqual(['/a']));
});

test('[NC12] a door is crowded while very many come, though nobody has to wait', async () => {
  const { door: made, places, knock } = opened();
  const come = () => {
    knock('/a');
    for (const place of places.splice(0)) place.leave();
  };
  come();
  expect(made.isCrowded).toBe(false);
  await eventually(() => {
    for (let number = 0; number < 20; number += 1) come();
    expect(made.state.waiting).toBe(0);
    expect(made.isCrowded).toBe(true);
  });
});

test('[NC12] a door is crowded while somebody waits, and after many were turned away', async () => {
  const { door: made, places, knock } = opened({ isFull: true });
  expect(made.isCrowded).toBe(false);
  knock('/a');
  expect(made.isCrowded).toBe(true);
  places[0]!.leave();
  expect(made.isCrowded).toBe(false);
  for (let number = 0; number < 50; number += 1) made.turnedAway();
  await eventually(() => expect(made.isCrowded).toBe(true));
});

test('[LD36] a door at which nobody knocks looks once a second, and ten times when somebody knocks or the process is busy', () => {
  vi.useFakeTimers();
  const look = vi.spyOn(AdmissionControl.prototype, 'look');
  let isBusy = false;
  const { places, knock } = opened({ isBusy: () => isBusy });
  const looksIn = (seconds: number) => {
    look.mockClear();
    vi.advanceTimersByTime(seconds * 1_000);
    return look.mock.calls.length;
  };
  looksIn(1);
  expect(looksIn(10)).toBe(10);
  knock('/a');
  expect(looksIn(2)).toBe(20);
  places[0]!.leave();
  looksIn(20);
  expect(looksIn(10)).toBe(10);
  // Nobody is late at a door that begins to look often again.
  expect(look.mock.calls.every(([loopDelayMs]) => loopDelayMs === 0)).toBe(true);

  isBusy = true;
  looksIn(1);
  expect(looksIn(10)).toBe(100);
});
