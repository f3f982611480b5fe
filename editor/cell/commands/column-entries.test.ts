import { describe, expect, it } from 'vitest';
import { entryBeginning } from './column-entries.ts';

describe('[XS169] what is proposed of a column', () => {
  it('is the one entry that begins as what was typed, whatever its case', () => {
    const entries = ['Apple', 'apricot', 'Banana', '12 Eggs'];
    expect(entryBeginning(entries, 'b')).toBe('Banana');
    expect(entryBeginning(entries, 'AP')).toBe(null);
    expect(entryBeginning(entries, 'app')).toBe('Apple');
    expect(entryBeginning([...entries, 'APPLE'], 'app')).toBe('Apple');
    expect(entryBeginning(entries, 'Apple')).toBe(null);
    expect(entryBeginning([...entries, 'app'], 'app')).toBe(null);
    expect(entryBeginning(entries, 'c')).toBe(null);
  });

  it('is nothing for what may become a number or a formula, or where lines are broken', () => {
    expect(entryBeginning(['12 Eggs', '=a'], '1')).toBe(null);
    expect(entryBeginning(['12 Eggs', "'=a"], "'")).toBe(null);
    expect(entryBeginning(['one\ntwo'], 'on')).toBe(null);
    expect(entryBeginning(['Apple'], '')).toBe(null);
  });
});
