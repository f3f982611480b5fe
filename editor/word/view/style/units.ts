/** 20 twips to the point. */
export function twipsToPt(twips: number): string {
  return `${round(twips / 20)}pt`;
}

export function halfPointsToPt(halfPoints: number): string {
  return `${round(halfPoints / 2)}pt`;
}

/** 914,400 EMU to the inch, 96 CSS pixels to the inch. */
const emuPerPixel = 9_525;

export function emuToPx(emu: number): number {
  return round(emu / emuPerPixel);
}

export function pxToEmu(pixels: number): number {
  return Math.max(0, Math.round(pixels * emuPerPixel));
}

/** 1,440 twips to the inch. */
export function twipsToPx(twips: number): number {
  return round(twips / 15);
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
