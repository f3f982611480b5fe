import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LogReceiver } from './log-receiver.ts';
import type { Change, ChangesBroadcast } from './protocol/index.ts';

const stored = (index: number): Change => ({
  docid: 'doc',
  change: JSON.stringify(`change ${index}`),
  time: 0,
  user: 'bob2',
  useridoriginal: 'bob',
});

const range = (from: number, to: number) => Array.from({ length: to - from }, (_, at) => stored(from + at));

const broadcast = (from: number, to: number): ChangesBroadcast => ({
  type: 'saveChanges',
  changes: range(from, to),
  changesIndex: to,
  syncChangesIndex: to,
  endSaveChanges: true,
});

function receiver() {
  const applied: string[] = [];
  const counts: number[] = [];
  const log = new LogReceiver({
    recognise: () => 0,
    apply: (changes, fromIndex) => {
      expect(fromIndex).toBe(applied.length);
      counts.push(changes.length);
      applied.push(...changes.map(({ change }) => change));
    },
  });
  log.release();
  return { log, applied, counts };
}

const texts = (count: number) => range(0, count).map(({ change }) => JSON.parse(change));

describe('the change log as it arrives', () => {
  it('[C56] broadcasts that overtake the auth reply are merged with the history by their indexes', () => {
    const runs = fc.record({
      history: fc.nat(10),
      cuts: fc.uniqueArray(fc.integer({ min: 1, max: 20 }), { maxLength: 6 }),
      repeats: fc.array(fc.tuple(fc.nat(20), fc.integer({ min: 1, max: 20 })), { maxLength: 4 }),
      order: fc.infiniteStream(fc.nat(10)),
    });
    fc.assert(
      fc.property(runs, ({ history, cuts, repeats, order }) => {
        const ends = [...cuts.sort((a, b) => a - b), 21];
        const broadcasts = ends.map((end, at) => broadcast(at === 0 ? 0 : ends[at - 1]!, end));
        for (const [from, count] of repeats) broadcasts.push(broadcast(from, Math.min(21, from + count)));
        const { log, applied } = receiver();
        log.history(range(0, history));
        while (broadcasts.length > 0) {
          const [next] = broadcasts.splice(order.next().value! % broadcasts.length, 1);
          expect(log.broadcast(next!)).toBe('taken');
        }
        expect(log.sessionBegins()).toBe('taken');
        expect(applied).toEqual(texts(21));
        expect(log.nextIndex).toBe(21);
      }),
    );
  });

  it('[C18] a live broadcast that leaves a hole is not taken', () => {
    const { log, applied } = receiver();
    log.sessionBegins();
    expect(log.broadcast(broadcast(0, 2))).toBe('taken');
    expect(log.broadcast(broadcast(3, 4))).toBe('gap');
    expect(applied).toEqual(texts(2));
    expect(log.broadcast(broadcast(1, 4))).toBe('taken');
    expect(applied).toEqual(texts(4));
  });

  it('[C56] after a lost connection broadcasts wait for the next auth reply, and older ones are forgotten', () => {
    const { log, applied } = receiver();
    log.sessionBegins();
    log.broadcast(broadcast(0, 2));
    log.connectionLost();
    log.broadcast(broadcast(5, 6));
    log.connectionLost();
    expect(log.broadcast(broadcast(4, 5))).toBe('taken');
    expect(log.broadcast(broadcast(2, 4))).toBe('taken');
    expect(applied).toEqual(texts(2));
    expect(log.sessionBegins()).toBe('taken');
    expect(applied).toEqual(texts(5));
  });

  it('[FK1] what a returning client missed is applied as one, however many saves it was made by', () => {
    const { log, applied, counts } = receiver();
    log.sessionBegins();
    log.broadcast(broadcast(0, 2));
    log.connectionLost();
    for (let index = 2; index < 40; index += 1) log.broadcast(broadcast(index, index + 1));
    expect(log.sessionBegins()).toBe('taken');
    expect(applied).toEqual(texts(40));
    expect(counts).toEqual([2, 38]);
  });

  it('[FK1] what came before a hole is applied all the same', () => {
    const { log, applied } = receiver();
    log.broadcast(broadcast(0, 2));
    log.broadcast(broadcast(3, 4));
    expect(log.sessionBegins()).toBe('gap');
    expect(applied).toEqual(texts(2));
  });

  it('[C58] a save in parts is applied as a whole', () => {
    const { log, applied } = receiver();
    log.sessionBegins();
    log.broadcast({ ...broadcast(0, 2), endSaveChanges: false });
    expect(applied).toEqual([]);
    log.broadcast(broadcast(2, 3));
    expect(applied).toEqual(texts(3));
  });
});
