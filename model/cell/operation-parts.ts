import { CELL_LIMITS } from './limits.ts';

/** Areas, or spans of lines, in lists that one operation takes each. */
export function inParts<Part>(all: readonly Part[]): Part[][] {
  const most = CELL_LIMITS.areasPerOperation;
  return Array.from({ length: Math.ceil(all.length / most) }, (_, at) =>
    all.slice(at * most, (at + 1) * most),
  );
}
