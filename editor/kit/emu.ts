/** English metric units, in which Office files measure drawings, to a pixel of CSS. */
export const emuPerPx = 9_525;
