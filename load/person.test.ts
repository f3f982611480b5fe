import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { LoadDoor } from '../test/support/load-door.ts';
import { worldOf } from '../test/support/load-people.ts';
import { Person } from './person.ts';
import { LeanClient } from './wire/lean-client.ts';
import { targetOf } from './wire/target.ts';

let door: LoadDoor;
beforeEach(async () => {
  door = await LoadDoor.start();
});
afterEach(() => door.stop());

describe('a person whose connection is gone', () => {
  const somebody = () => {
    const around = worldOf(door.url, { random: () => 1 });
    return { ...around, person: new Person(around.world, around.recorders, '0', 0) };
  };
  const acts = ['save', 'chat', 'cursor'] as const;
  /** Who was cut off stays away for a second, of which each look takes a twentieth. */
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
  afterEach(() => void vi.useRealTimers());

  it('[LD21] has no turn, counts nowhere, and comes again', async () => {
    const { person, count, gauges, problems } = somebody();
    await person.arrive(performance.now());
    for (const act of acts) person.act(act, performance.now());
    await expect.poll(() => door.heard).toContain('saveChanges');
    expect([count('chats'), count('cursors'), gauges.sessions]).toEqual([1, 1, 1]);
    door.cut();
    await expect.poll(() => person.isIn).toBe(false);
    const heard = door.heard.length;
    for (const act of acts) person.act(act, performance.now());
    person.watch(Number.POSITIVE_INFINITY);
    expect([count('chats'), count('cursors'), gauges.sessions, gauges.opening]).toEqual([1, 1, 0, 0]);
    expect([problems, count('lost')]).toEqual([['lost'], 1]);
    vi.runAllTimers();
    await expect.poll(() => person.isIn).toBe(true);
    expect(door.heard.slice(heard)).toEqual(['auth']);
    expect([count('opened'), gauges.sessions, gauges.opening]).toEqual([2, 1, 0]);
    person.leave();
  });

  it('[LD21] while the model was on its way is not in when it comes, and once when it has come again', async () => {
    const { person, count, gauges, problems } = somebody();
    let give = () => {};
    door.beforeModel = () =>
      new Promise((resolve) => {
        give = resolve;
        door.cut();
      });
    const arrived = person.arrive(performance.now());
    await expect.poll(() => problems).toEqual(['open']);
    door.beforeModel = () => Promise.resolve();
    give();
    await arrived;
    for (const act of acts) person.act(act, performance.now());
    expect([person.isIn, gauges.opening, count('opened'), count('cursors')]).toEqual([false, 0, 0, 0]);
    vi.runAllTimers();
    await expect.poll(() => person.isIn).toBe(true);
    expect([gauges.sessions, gauges.opening, count('opened')]).toEqual([1, 0, 1]);
    person.leave();
  });

  it('[LD21] does not come again after leaving, and nothing is open then', async () => {
    const { person, gauges, world } = somebody();
    await person.arrive(performance.now());
    door.cut();
    await expect.poll(() => person.isIn).toBe(false);
    person.leave();
    person.leave();
    expect([gauges.sessions, gauges.opening, world.rooms.awaited]).toEqual([0, 0, 0]);
    await expect.poll(() => door.open.size).toBe(0);
    vi.runAllTimers();
    expect(door.asked).toBe(1);
    expect(gauges.opening).toBe(0);
  });

  it('[LD21] who leaves on the way in goes at once, whether greeted or not', async () => {
    for (const greets of [true, false]) {
      const { person, gauges, problems } = somebody();
      door.onConnection = () => greets;
      door.beforeModel = () => new Promise(() => {});
      void person.arrive(performance.now());
      await expect.poll(() => door.open.size).toBe(1);
      if (greets) await expect.poll(() => door.heard).toContain('auth');
      person.leave();
      expect([gauges.opening, gauges.sessions ?? 0, problems]).toEqual([0, 0, []]);
      await expect.poll(() => door.open.size).toBe(0);
    }
  });
});

describe('a person who is refused', () => {
  afterEach(() => void vi.useRealTimers());
  const refuse = (retryAfter: string) => {
    door.onUpgrade = (_, socket) => {
      socket.end(
        `HTTP/1.1 503 Service Unavailable\r\nRetry-After: ${retryAfter}\r\nConnection: close\r\n\r\n`,
      );
      return true;
    };
  };

  it('[LD23] stays away for as long as the server asks, and comes again: no error, and late by all of it', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const opened: number[] = [];
    const { world, recorders, count, problems, gauges } = worldOf(door.url);
    const person = new Person(world, { ...recorders, open: (ms) => void opened.push(ms) }, '0', 0);
    refuse('7');
    const dueAtMs = performance.now() - 60_000;
    await person.arrive(dueAtMs);
    vi.advanceTimersByTime(6_999);
    expect([door.asked, gauges.opening, count('refused'), count('retried')]).toEqual([1, 0, 1, 0]);
    door.onUpgrade = () => false;
    vi.advanceTimersByTime(1);
    expect([gauges.opening, count('retried')]).toEqual([1, 1]);
    await expect.poll(() => person.isIn).toBe(true);
    expect(['opened', 'errors', 'open.failed', 'givenUp'].map(count)).toEqual([1, 0, 0, 0]);
    expect([door.asked, problems]).toEqual([2, []]);
    expect(opened[0]).toBeGreaterThan(60_000);
    person.leave();
  });

  it('[LD23] gives up after so many attempts, and comes when it is due once more', async () => {
    const { world, recorders, count, problems, gauges } = worldOf(door.url, { attempts: 3 });
    const person = new Person(world, recorders, '0', 0);
    refuse('0');
    await person.arrive(performance.now());
    await expect.poll(() => count('givenUp')).toBe(1);
    expect([door.asked, count('refused'), count('retried'), gauges.opening]).toEqual([3, 3, 2, 0]);
    expect(problems).toEqual([]);
    door.onUpgrade = () => false;
    await person.arrive(performance.now());
    expect([person.isIn, door.asked]).toEqual([true, 4]);
    person.leave();
  });

  it('[LD23] who was cut off on the way in comes again too, and that is an error', async () => {
    const { world, recorders, count, problems } = worldOf(door.url, { attempts: 2 });
    const person = new Person(world, recorders, '0', 0);
    door.onUpgrade = (_, socket) => socket.destroy() !== null;
    await person.arrive(performance.now());
    await expect.poll(() => count('givenUp')).toBe(1);
    expect([problems, count('refused'), count('retried')]).toEqual([['open', 'open'], 0, 1]);
    expect(count('open.failed')).toBe(2);
  });

  it('[LD23] over long-polling is refused in the form of Engine.IO', async () => {
    door.onRequest = (_, response) =>
      response.writeHead(503, { 'Retry-After': '3' }).end('{"code":4,"message":"Come again"}');
    const connecting = LeanClient.connect(targetOf(door.url), 'k', { transport: 'polling' });
    await expect(connecting).rejects.toMatchObject({ code: 'busy', retryAfterMs: 3_000 });
  });
});

it('[LD22] a connection that nobody greets, or that ended with the greeting, is waited for no longer than clients wait', async () => {
  const connect = (withinMs?: number) =>
    LeanClient.connect(targetOf(door.url), 'k', { transport: 'plain', ...(withinMs && { withinMs }) });
  door.onConnection = () => false;
  await expect(connect(50)).rejects.toMatchObject({ code: 'ended' });
  door.onUpgrade = () => true;
  await expect(connect(50)).rejects.toMatchObject({ code: 'unreachable' });
  door.onUpgrade = () => false;
  door.onConnection = () => true;
  const client = await connect();
  door.cut();
  await expect.poll(() => client.isOpen).toBe(false);
  await expect(client.next('auth')).rejects.toMatchObject({ code: 'ended' });
});
