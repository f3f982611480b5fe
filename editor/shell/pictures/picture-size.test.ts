import { expect, it } from 'vitest';
import { sizeInRoom } from './picture-size.ts';

const natural = { width: 300, height: 200 };
const room = { width: 600, height: 900 };
const nothing = { widthPixels: null, heightPixels: null, share: null };

it('[EW42] a pasted picture has the size that its HTML gives it, and no more than there is room for', () => {
  expect(sizeInRoom(nothing, natural, room)).toEqual(natural);
  expect(sizeInRoom({ ...nothing, widthPixels: 150 }, natural, room)).toEqual({ width: 150, height: 100 });
  expect(sizeInRoom({ ...nothing, heightPixels: 100 }, natural, room)).toEqual({ width: 150, height: 100 });
  expect(sizeInRoom({ ...nothing, widthPixels: 90, heightPixels: 20 }, natural, room)).toEqual({
    width: 90,
    height: 20,
  });
  expect(sizeInRoom({ ...nothing, share: 0.5 }, natural, room)).toEqual({ width: 300, height: 200 });
  expect(sizeInRoom({ ...nothing, widthPixels: 1200 }, natural, room)).toEqual({ width: 600, height: 400 });
  expect(sizeInRoom({ ...nothing, share: 3 }, natural, { width: 90, height: 900 })).toEqual({
    width: 90,
    height: 60,
  });
});
