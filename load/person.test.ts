import { afterEach, beforeEach, describe, expect, it } from 'vitest';
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
    const around = worldOf(door.url);
    return { ...around, person: new Person(around.world, around.recorders, '0', 0) };
  };
  const acts = ['save', 'chat', 'cursor'] as const;

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
    expect(problems).toEqual(['lost']);
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
    expect(door.asked).toBe(1);
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
      door.onConnection = () => true;
      if (!greets) for (const socket of door.open) socket.send('{"type":"license"}');
      await expect.poll(() => door.open.size).toBe(0);
    }
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
