import { afterEach, expect, test, vi } from 'vitest';
import type { ClientMessage } from '../../../client/protocol/index.ts';
import { Budget } from '../../../platform/budget.ts';
import { Traffic } from '../../../platform/metrics/transport.ts';
import { Frame } from '../../../platform/ports/peer.ts';
import { type Arrival, Connection, type ConnectionLimits } from './connection.ts';
import { FairScheduler } from './fair-scheduler.ts';
import { PersonBudgets } from './person-budgets.ts';

/** A connection each of whose messages costs the same, and what became of them. */
function connectionOf(cost: number, changes: Partial<ConnectionLimits> = {}, mostCharacters = 1_000_000) {
  const traffic = new Traffic();
  const seen = {
    read: 0,
    handled: 0,
    paused: 0,
    resumed: 0,
    ended: [] as boolean[],
    cursors: [] as string[],
    written: 0,
    queuedBytes: 0,
  };
  let rest: (() => void) | null = null;
  const handler = {
    costOf: () => cost,
    mostCharactersOf: () => mostCharacters,
    handleAside: (_connection: Connection, message: ClientMessage) => {
      if (message.type !== 'cursor') return false;
      seen.cursors.push(message.cursor);
      return true;
    },
    handle: async (_connection: Connection, _message: ClientMessage) => {
      seen.handled += 1;
      rest?.();
    },
    disconnected: async () => undefined,
    failed: () => undefined,
  };
  const transport = {
    write: () => {
      seen.written += 1;
    },
    prepare: async () => undefined,
    queuedBytes: () => seen.queuedBytes,
    whenDrained: () => undefined,
    end: (finally_: boolean) => seen.ended.push(finally_),
    trust: () => undefined,
    pause: () => {
      seen.paused += 1;
    },
    resume: () => {
      seen.resumed += 1;
    },
  };
  const limits = {
    ...{ outboundQueueBytes: 1_000, inboundQueueCharacters: 10_000_000, traffic },
    ...{
      workMsPerSecond: 1_000,
      patienceMs: 60_000,
      requests: 1,
      scheduler: new FairScheduler(),
      people: new PersonBudgets(),
      ...changes,
    },
  };
  const handshake = { baseUrl: '', routing: null, network: '' };
  const connection = new Connection('c', handshake, transport, handler, limits);
  const receive = (count: number, value: object = { type: 'getMessages' }) => {
    for (let sent = 0; sent < count; sent += 1) {
      connection.receive(
        arrivalOf(value, () => {
          seen.read += 1;
        }),
        20,
      );
    }
  };
  const handled = (count: number) =>
    new Promise<void>((resolve) => {
      rest = () => {
        if (seen.handled >= count) resolve();
      };
      rest();
    });
  return { connection, traffic, seen, receive, handled, transport };
}

/** A message, with what is done when it is read. */
function arrivalOf(value: object, onRead = (): void => undefined): Arrival {
  const read = () => {
    onRead();
    return { value };
  };
  return { text: () => null, read };
}

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

test('[CU1] a cursor passes no other one that waits to be read, also when its sender has something to spend again', async () => {
  let nowMs = 1_000;
  vi.spyOn(performance, 'now').mockImplementation(() => nowMs);
  let release = (): void => undefined;
  const turn = new Promise<void>((resolve) => {
    release = resolve;
  });
  const { receive, seen } = connectionOf(3, { scheduler: { next: () => turn } as unknown as FairScheduler });
  const cursors = Array.from({ length: 6 }, (_, number) => `${number};AgAA`);
  for (const cursor of cursors.slice(0, 4)) receive(1, { type: 'cursor', cursor });
  expect(seen.cursors.length).toBeLessThan(4);
  nowMs += 10_000;
  for (const cursor of cursors.slice(4)) receive(1, { type: 'cursor', cursor });
  release();
  while (seen.cursors.length < cursors.length) await new Promise((resolve) => setImmediate(resolve));
  expect(seen.cursors).toEqual(cursors);
});

test('[GW33] a large message is read in its turn, and what came behind it passes nothing of it', async () => {
  const turns: (() => void)[] = [];
  const next = () => new Promise<void>((resolve) => turns.push(resolve));
  const { connection, receive, seen, handled } = connectionOf(0, { scheduler: { next } as FairScheduler });
  let isRead = false;
  const arrival = arrivalOf({ type: 'getMessages' }, () => {
    isRead = true;
  });
  connection.receive(arrival, 300_000);
  receive(1, { type: 'cursor', cursor: '1;AgAA' });
  await new Promise((resolve) => setImmediate(resolve));
  expect([isRead, turns.length, seen.cursors]).toEqual([false, 1, []]);
  turns[0]!();
  await handled(1);
  while (seen.cursors.length < 1) await new Promise((resolve) => setImmediate(resolve));
  expect([isRead, turns.length]).toEqual([true, 1]);
});

test('[GW20] messages beyond the budget are not even read; they wait on their side of the socket and are handled later', async () => {
  const { connection, seen, receive, handled, traffic } = connectionOf(1_010);
  receive(40);
  await handled(25);
  expect(seen.read).toBe(25);
  await handled(26);
  expect([seen.paused, traffic.slowedPeers]).toEqual([1, 1]);
  expect(seen).toMatchObject({ read: 26, ended: [] });
  connection.gone();
});

test('[GW20] a client that goes on asking for too much is disconnected so that they may come back', async () => {
  const { seen, receive, traffic } = connectionOf(10_000, { workMsPerSecond: 100_000, patienceMs: 20 });
  const ended = new Promise<void>((resolve) => {
    const look = () => (seen.ended.length > 0 ? resolve() : void setImmediate(look));
    look();
  });
  receive(2_000);
  await ended;
  expect(seen.ended).toEqual([false]);
  expect(traffic.greedyPeers).toBe(1);
  expect(seen.handled).toBeLessThan(2_000);
});

test('[GW20] of what still waits when the connection ends, saves are handled, at once, and nothing else', async () => {
  const { connection, seen, receive, handled } = connectionOf(100_000, { workMsPerSecond: 1 });
  const save = { type: 'saveChanges', changes: '[]', startSaveChanges: true, endSaveChanges: true };
  receive(1);
  receive(5);
  receive(2, save);
  receive(1);
  connection.gone();
  await handled(3);
  await new Promise((resolve) => setImmediate(resolve));
  expect(seen.handled).toBe(3);
});

test('[GW20] what is done in scheduler leaves the event loop to others between any two pieces', async () => {
  const scheduler = new FairScheduler();
  const one = connectionOf(3, { scheduler });
  const other = connectionOf(3, { scheduler });
  let loops = 0;
  const count = () => {
    loops += 1;
    if (one.seen.handled < 30 || other.seen.handled < 30) setImmediate(count);
  };
  setImmediate(count);
  one.receive(30);
  other.receive(30);
  await Promise.all([one.handled(30), other.handled(30)]);
  expect(loops).toBeGreaterThan(40);
});

test('[GW20] a small message of a connection that has asked for little is handled at once', async () => {
  const { seen, receive } = connectionOf(0.1);
  receive(3);
  await Promise.resolve();
  await Promise.resolve();
  await Promise.resolve();
  expect(seen.handled).toBe(3);
});

/** A connection of somebody, whose large messages cost nothing but what the person pays. */
function connectionOfPerson(person: string, people: PersonBudgets) {
  const { connection, seen, receive } = connectionOf(
    0,
    { people, inboundQueueCharacters: 32_000_000 },
    Number.POSITIVE_INFINITY,
  );
  connection.belongsTo(person);
  const save = { type: 'saveChanges', changes: '[]', startSaveChanges: true, endSaveChanges: true };
  return {
    connection,
    seen,
    receive,
    saveLarge: () => connection.receive(arrivalOf(save), 10_000_000),
  };
}

const turns = async () => {
  for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
};

test('[GW34] the large messages of a person on many connections wait together, and nobody and nothing else with them', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  const people = new PersonBudgets();
  const all = Array.from({ length: 6 }, () => connectionOfPerson('ann', people));
  for (const { saveLarge } of all) saveLarge();
  const bob = connectionOfPerson('bob', people);
  bob.saveLarge();
  const tab = connectionOfPerson('ann', people);
  tab.receive(3);
  const handled = () => all.map(({ seen }) => seen.handled).join('');
  await vi.advanceTimersByTimeAsync(1_000);
  await turns();
  expect([handled(), bob.seen.handled, tab.seen.handled]).toEqual(['111100', 1, 3]);
  expect(all.map(({ seen }) => seen.paused).join('')).toBe('000011');
  await vi.advanceTimersByTimeAsync(7_000);
  await turns();
  expect(handled()).toBe('111110');
  await vi.advanceTimersByTimeAsync(10_000);
  await turns();
  expect(handled()).toBe('111111');
  expect(all.map(({ seen }) => seen.resumed).join('')).toBe('000011');
  expect(all.flatMap(({ seen }) => seen.ended)).toEqual([]);
});

test('[GW34] a large save that waits for its person is stored when its time has come, also if its connection has ended', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  const people = new PersonBudgets();
  people.pay('ann', 42_000_000, performance.now());
  const { connection, seen, saveLarge } = connectionOfPerson('ann', people);
  saveLarge();
  await turns();
  connection.gone();
  await vi.advanceTimersByTimeAsync(9_000);
  await turns();
  expect(seen.handled).toBe(0);
  await vi.advanceTimersByTimeAsync(1_000);
  await turns();
  expect(seen.handled).toBe(1);
});

test('[GW37] where too much of a person waits already, a connection that sends more is ended, and nothing of it is kept', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  const people = new PersonBudgets();
  const all = Array.from({ length: 12 }, () => connectionOfPerson('ann', people));
  for (const { saveLarge } of all) saveLarge();
  await turns();
  expect(all.map(({ seen }) => seen.ended.length).join('')).toBe('000000000011');
  for (const { connection } of all.slice(10)) connection.gone();
  await vi.advanceTimersByTimeAsync(120_000);
  await turns();
  expect(all.map(({ seen }) => seen.handled).join('')).toBe('111111111100');
  const back = connectionOfPerson('ann', people);
  back.saveLarge();
  await turns();
  expect(back.seen.handled).toBe(1);
});

test('[GW34] who had to wait for their person for long is not sent away for it', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  const people = new PersonBudgets();
  const { connection, seen, saveLarge } = connectionOfPerson('ann', people);
  connection.paysFor(15_000_000_000, 0);
  saveLarge();
  await vi.advanceTimersByTimeAsync(50_000);
  await turns();
  expect(seen).toMatchObject({ handled: 1, ended: [] });
  people.pay('ann', 91_000_000, performance.now());
  saveLarge();
  await vi.advanceTimersByTimeAsync(61_000);
  await turns();
  expect(seen).toMatchObject({ handled: 2, ended: [] });
});

test('[GW21] so many requests are on their way at once, and the next one begins when one of them has ended', async () => {
  const { connection } = connectionOf(0, { requests: 2 });
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const request = (name: string) =>
    connection.requests.begin(() => {
      begun.push(name);
      return new Promise((resolve) => ends.push(resolve));
    });
  await request('a');
  await request('b');
  const third = request('c');
  await Promise.resolve();
  expect(begun).toEqual(['a', 'b']);
  ends[0]!();
  await third;
  expect(begun).toEqual(['a', 'b', 'c']);
});

test('[GW20] a budget fills by its rate up to its limit, and says when nothing is owed any more', () => {
  const budget = new Budget(50, 500, 0);
  budget.spend(600, 0);
  expect(budget.waitMs(0)).toBe(2_000);
  expect(budget.waitMs(1_500)).toBe(500);
  expect(budget.waitMs(2_000)).toBe(0);
  expect(budget.credit(1_000_000)).toBe(500);
});

test('[AT22] a message that is larger than its kind may be ends the connection and is not handled', async () => {
  const { connection, seen } = connectionOf(1, {}, 30);
  connection.receive(arrivalOf({ type: 'getMessages' }), 30);
  await expect.poll(() => seen.handled).toBe(1);
  connection.receive(arrivalOf({ type: 'getMessages', junk: 'x'.repeat(20) }), 58);
  expect(seen).toMatchObject({ handled: 1, ended: [true] });
});

test('[CU2] a peer that does not keep up is not sent what it can do without, and stays; what it needs is sent', () => {
  const { connection, seen } = connectionOf(1, { outboundQueueBytes: 1_000_000 });
  const cursor = new Frame('{"type":"cursor"}');
  connection.offer(cursor);
  seen.queuedBytes = 200_000;
  for (let sent = 0; sent < 1_000; sent += 1) connection.offer(cursor);
  expect(seen).toMatchObject({ written: 1, ended: [] });
  connection.send(cursor);
  seen.queuedBytes = 0;
  connection.offer(cursor);
  expect(seen).toMatchObject({ written: 3, ended: [] });
});

/** A connection whose peer reads when it is told to, and what it was sent. */
function connectionToReader(outboundQueueBytes: number) {
  const { connection, seen, traffic, transport } = connectionOf(0, { outboundQueueBytes });
  const sent: string[] = [];
  let onDrained: (() => void)[] = [];
  Object.assign(transport, {
    write: (frame: Frame) => {
      sent.push(frame.json);
      seen.queuedBytes += frame.bytes;
    },
    whenDrained: (callback: () => void) => {
      if (seen.queuedBytes === 0) callback();
      else onDrained.push(callback);
    },
  });
  const read = async () => {
    seen.queuedBytes = 0;
    const callbacks = onDrained;
    onDrained = [];
    for (const callback of callbacks) callback();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { connection, seen, sent, traffic, read };
}

test('[GW30] a message that is larger than the queue ends no connection, nor does what follows while it is on its way', async () => {
  const { connection, seen, read, traffic } = connectionToReader(1_000);
  connection.send(new Frame('x'.repeat(400)));
  connection.send(new Frame('x'.repeat(5_000)));
  for (let count = 0; count < 9; count += 1) connection.send(new Frame('x'.repeat(100)));
  expect(seen.ended).toEqual([]);
  await read();
  for (let count = 0; count < 10; count += 1) connection.send(new Frame('x'.repeat(100)));
  expect(seen.ended).toEqual([]);
  connection.send(new Frame('x'));
  expect(seen.ended).toEqual([false]);
  expect(traffic.slowPeers).toBe(1);
});

async function* framesOf(...texts: string[]) {
  for (const text of texts) {
    if (text === 'fails') throw new Error(text);
    yield new Frame(text);
  }
}

test('[GW31] what is sent paced goes out as it leaves, and what is sent meanwhile goes after it, in its order', async () => {
  const { connection, sent, seen, read } = connectionToReader(1_000);
  connection.sendPaced(framesOf('a', 'b'));
  connection.send(new Frame('after'));
  connection.sendPaced(framesOf('c'));
  connection.offer(new Frame('can do without'));
  connection.send(new Frame('last'));
  await read();
  expect(sent).toEqual(['a']);
  await read();
  expect(sent).toEqual(['a', 'b', 'after']);
  await read();
  expect(sent).toEqual(['a', 'b', 'after', 'c', 'last']);
  connection.send(new Frame('now'));
  expect(sent).toHaveLength(6);
  expect(seen.ended).toEqual([]);
});

test('[GW31] what waits behind it is bounded, and where it cannot be read the client comes back', async () => {
  const slow = connectionToReader(1_000);
  slow.connection.sendPaced(framesOf('a', 'b'));
  slow.connection.send(new Frame('x'.repeat(1_000)));
  expect(slow.connection.hasRoom(new Frame('x'))).toBe(false);
  expect(slow.seen.ended).toEqual([]);
  slow.connection.send(new Frame('x'));
  expect(slow.seen.ended).toEqual([false]);
  const failing = connectionToReader(1_000);
  failing.connection.sendPaced(framesOf('fails'));
  await failing.read();
  expect(failing.seen.ended).toEqual([false]);
});

test.each([
  [1, 80_000_000, false],
  [1, 100_000_000, true],
  [20, 30_000_000, false],
  [20, 40_000_000, true],
  [1_000, 30_000_000, false],
])(
  '[GW32] who has %i others sent %i characters is handled later: %s',
  async (receivers, characters, isHeld) => {
    const { connection, seen, receive } = connectionOf(0, { workMsPerSecond: 20 });
    connection.paysFor(characters, receivers);
    receive(1);
    for (let turn = 0; turn < 3; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    expect(seen.handled).toBe(isHeld ? 0 : 1);
    connection.gone();
  },
);
