import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fontStack, lineFactor } from './fonts.ts';

describe('fonts', () => {
  it.for([
    ['Calibri', '"Calibri", "Carlito", sans-serif'],
    ['Cambria', '"Cambria", "Caladea", serif'],
    ['Unknown Serif', '"Unknown Serif", "Noto Serif", "DejaVu Serif", serif'],
    ['Consolas', '"Consolas", "Noto Sans Mono", "DejaVu Sans Mono", monospace'],
  ] as const)('[VW6] %s is followed by fonts of its widths and a generic one', ([name, stack]) => {
    expect(fontStack(name)).toBe(stack);
  });

  it('[VW6] no name of a file leaves its string', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 40 }), (name) => {
        const [, quoted = ''] = /^"((?:[^"\\\n]|\\[0-9a-f]+ )*)", /.exec(fontStack(name)) ?? [];
        return fontStack(name).startsWith(`"${quoted}", `);
      }),
    );
  });

  it('[VW6] fonts have lines of their own height', () => {
    expect(lineFactor('Calibri')).toBe(1.22);
    expect(lineFactor('Anything')).toBe(1.2);
  });
});
