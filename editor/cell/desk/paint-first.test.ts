import { options } from 'preact';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { orderPainting, paintFirst } from './paint-first.ts';

let frames: (() => void)[] = [];
let page = new EventTarget();

beforeEach(() => {
  frames = [];
  page = new EventTarget();
  vi.stubGlobal('requestAnimationFrame', (frame: () => void) => frames.push(frame));
  orderPainting(page);
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
  options.debounceRendering = undefined;
});

/** Asks for components to be drawn, as Preact does; resolves when they are. */
const drawn = (done: string[], name: string) =>
  new Promise<void>((resolve) => {
    options.debounceRendering!(() => {
      done.push(name);
      resolve();
    });
  });

it('[XS42] components are drawn at once where no cells were changed', async () => {
  const done: string[] = [];
  const all = drawn(done, 'components');
  await Promise.resolve();
  expect(done).toEqual(['components']);
  await all;
});

it('[XS42] the frame with changed cells comes before what is around them, also where that was asked for first', async () => {
  const done: string[] = [];
  // Within one event: a field is closed, then the cell is changed.
  const all = drawn(done, 'components');
  paintFirst();
  paintFirst();
  await Promise.resolve();
  expect(done).toEqual([]);
  expect(frames).toHaveLength(1);
  frames[0]!();
  done.push('cells');
  expect(done).toEqual(['cells']);
  await all;
  expect(done).toEqual(['cells', 'components']);
  await drawn(done, 'later');
  expect(done.at(-1)).toBe('later');
});

it('[XS42] a page without frames does not wait for one', async () => {
  vi.useFakeTimers();
  const done: string[] = [];
  const all = drawn(done, 'components');
  paintFirst();
  await Promise.resolve();
  expect(done).toEqual([]);
  vi.advanceTimersByTime(100);
  await all;
  expect(done).toEqual(['components']);
});

it('[XS42] who goes on before the frame is answered by components as they are now', async () => {
  const done: string[] = [];
  const all = drawn(done, 'components');
  paintFirst();
  await Promise.resolve();
  page.dispatchEvent(new Event('pointermove'));
  // A field that is drawn now would be given back its old text.
  page.dispatchEvent(new Event('input'));
  expect(done).toEqual([]);
  page.dispatchEvent(new Event('keydown'));
  await all;
  expect(done).toEqual(['components']);
  frames[0]!();
});
