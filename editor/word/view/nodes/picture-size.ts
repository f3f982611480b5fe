export interface PixelSize {
  readonly width: number;
  readonly height: number;
}

export interface Resize {
  readonly from: PixelSize;
  /** How much the dragged corner moved away from the picture, CSS pixels. */
  readonly growX: number;
  readonly growY: number;
  /** The sides may change on their own. */
  readonly free: boolean;
  /** Width of the column. */
  readonly maxWidth: number;
}

const least = 8;

/** The size of a picture while it is resized: in proportion unless `free`, never wider than the column. */
export function resized({ from, growX, growY, free, maxWidth }: Resize): PixelSize {
  const limit = Math.max(least, maxWidth);
  const width = Math.min(limit, Math.max(least, from.width + growX));
  if (free) return rounded(width, Math.max(least, from.height + growY));
  // The direction that moved more, for its size, decides.
  const byWidth = Math.abs(growX) / from.width >= Math.abs(growY) / from.height;
  const wanted = byWidth ? width / from.width : Math.max(least, from.height + growY) / from.height;
  const scale = Math.min(wanted, limit / from.width);
  return rounded(Math.max(least, from.width * scale), Math.max(1, from.height * scale));
}

function rounded(width: number, height: number): PixelSize {
  return { width: Math.round(width), height: Math.round(height) };
}
