import { expect, it } from 'vitest';
import type { Drawing } from '../../../model/cell/items.ts';
import { colorSteps } from './picture-colors.ts';

type Pixel = readonly [red: number, green: number, blue: number];

/** What a pixel is after all steps, as filters of a page reckon. */
function shown(recolored: NonNullable<Drawing['recolored']>, pixel: Pixel): number[] {
  const within = (part: number) => Math.max(0, Math.min(1, part));
  let now: number[] = [...pixel];
  for (const step of colorSteps(recolored, undefined)) {
    if (step.kind === 'gray') now = now.map(() => 0.213 * now[0]! + 0.715 * now[1]! + 0.072 * now[2]!);
    if (step.kind === 'line') now = now.map((part) => within(part * step.slope + step.intercept));
    if (step.kind === 'between')
      now = now.map((part, at) => step.ends[at]![0] + part * (step.ends[at]![1] - step.ends[at]![0]));
  }
  return now.map((part) => Math.round(part * 100) / 100);
}

it('[XS279] pictures are grey, of two colours, lighter, or of more contrast, as their drawing says', () => {
  const [dark, red, light]: Pixel[] = [
    [0, 0, 0],
    [1, 0, 0],
    [1, 1, 1],
  ];
  expect(shown({ isGray: true }, red!)).toEqual([0.21, 0.21, 0.21]);
  expect([dark, light].map((pixel) => shown({ threshold: 0.5 }, pixel!)[0])).toEqual([0, 1]);
  const duotone = [{ rgb: '000000' }, { rgb: 'FF0000' }] as const;
  expect([dark, light].map((pixel) => shown({ duotone: [...duotone] }, pixel!))).toEqual([
    [0, 0, 0],
    [1, 0, 0],
  ]);
  expect(shown({ brightness: 0.2 }, [0.5, 0.5, 0.5])).toEqual([0.7, 0.7, 0.7]);
  expect(shown({ contrast: 0.5 }, [0.6, 0.5, 0.4])).toEqual([0.7, 0.5, 0.3]);
  const pale = [dark, light].map((pixel) => shown({ brightness: 0.7, contrast: -0.7 }, pixel!)[0]!);
  expect(pale[0]).toBeGreaterThan(0.6);
  expect(pale[0]).toBeLessThan(pale[1]!);
  expect(colorSteps({ opacity: 0.6 }, undefined)).toEqual([{ kind: 'opacity', part: 0.6 }]);
});
