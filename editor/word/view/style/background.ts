import { inkOn } from './colors.ts';
import type { Declarations } from './declarations.ts';

/**
 * A background of the document with what makes text readable on it in every theme: automatic colours turn black or
 * white, and explicit ones are those of a light or a dark page.
 * @param hex RRGGBB, `auto` or null
 */
export function background(hex: unknown): Declarations {
  if (typeof hex !== 'string' || !/^[0-9A-Fa-f]{6}$/.test(hex)) return {};
  const ink = inkOn(hex);
  return {
    'background-color': `#${hex}`,
    'color-scheme': ink === '000000' ? 'light' : 'dark',
    '--auto-ink': `#${ink}`,
  };
}
