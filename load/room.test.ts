import { expect, it } from 'vitest';
import { Room } from './room.ts';

it('[LD30] of who has gone a document keeps what they saved, and nothing where that is nothing', () => {
  const room = new Room('some', 0);
  const saver = (acknowledged: number, sent: number) => ({ acknowledged, sent, connection: {} });
  room.works.set('ann', saver(1, 2));
  room.works.set('bob', saver(0, 0));
  for (const author of ['ann', 'bob', 'eve']) {
    room.enter();
    room.leave(author, 7);
  }
  expect(room.works).toEqual(new Map([['ann', { acknowledged: 1, sent: 2 }]]));
  expect([room.isChanged, room.acknowledged, room.present, room.leftAtMs]).toEqual([true, 1, 0, 7]);
});
