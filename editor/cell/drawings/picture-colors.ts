import type { Drawing } from '../../../model/cell/items.ts';
import { readColor } from '../grid/colors.ts';
import { cssColor } from '../shown/sheet-colors.ts';

/** What is done to red, green and blue, or to how opaque a picture is, each a part of one. */
export type ColorStep =
  | { readonly kind: 'gray' }
  | { readonly kind: 'line'; readonly slope: number; readonly intercept: number }
  | { readonly kind: 'between'; readonly ends: readonly (readonly [number, number])[] }
  | { readonly kind: 'opacity'; readonly part: number };

/** So steep that what is above a threshold is white, and the rest black. */
const steep = 255;

/** The steps that make the colours of a picture what its drawing says. */
export function colorSteps(
  { isGray, threshold, duotone, brightness = 0, contrast = 0, opacity }: NonNullable<Drawing['recolored']>,
  theme: readonly string[] | undefined,
): ColorStep[] {
  const steps: ColorStep[] = [];
  if (isGray || threshold !== undefined || duotone) steps.push({ kind: 'gray' });
  if (threshold !== undefined) steps.push({ kind: 'line', slope: steep, intercept: 0.5 - steep * threshold });
  if (duotone) {
    const [dark, light] = duotone.map((color) => readColor(cssColor(color, theme) ?? '') ?? [0, 0, 0]);
    steps.push({ kind: 'between', ends: [0, 1, 2].map((at) => [dark![at]! / 255, light![at]! / 255]) });
  }
  if (brightness !== 0 || contrast !== 0) {
    const slope = contrast > 0 ? 1 / Math.max(1 / steep, 1 - contrast) : 1 + contrast;
    // A picture behind text (bright 70 %, contrast -70 %) is pale, not white: with less contrast brightness does less.
    const raised = brightness * (1 + Math.min(0, contrast) / 2);
    steps.push({ kind: 'line', slope, intercept: (1 - slope) / 2 + raised });
  }
  if (opacity !== undefined) steps.push({ kind: 'opacity', part: opacity });
  return steps;
}
