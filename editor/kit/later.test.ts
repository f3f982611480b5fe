import { type ComponentType, h, options, render } from 'preact';
import { afterEach, expect, it, vi } from 'vitest';
import { later } from './later.tsx';

const given = options.requestAnimationFrame;
afterEach(() => {
  options.requestAnimationFrame = given;
  vi.unstubAllGlobals();
});

/** A place on the page for components that draw nothing but `null`. */
const place = () => ({ childNodes: [], firstChild: null }) as unknown as Element;
/** What promises that are settled lead to is done. */
const done = () => new Promise((resolve) => setImmediate(resolve));

it('[EH24] a panel is drawn whose code comes between its first drawing and what follows that', async () => {
  vi.stubGlobal('document', {});
  const frames: (() => void)[] = [];
  options.requestAnimationFrame = (frame) => frames.push(frame);
  const follow = async () => {
    for (const frame of frames.splice(0)) frame();
    await done();
  };
  let arrive: (panel: ComponentType<{ onClose: () => void; name: string }>) => void = () => undefined;
  const drawn: string[] = [];
  const Panel = later<{ onClose: () => void; name: string }>(
    () =>
      new Promise((resolve) => {
        arrive = resolve;
      }),
  );
  const draw = (name: string) =>
    render(h(Panel, { name, onClose: () => drawn.push(`${name} closed`) }), place());
  draw('first');
  await follow();
  draw('second');
  arrive(({ name }) => {
    drawn.push(name);
    return null;
  });
  await done();
  expect(drawn).toEqual(['first']);
  await follow();
  expect(drawn).toEqual(['first', 'second']);
});
