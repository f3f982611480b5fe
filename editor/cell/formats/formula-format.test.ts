import { describe, expect, it } from 'vitest';
import { formatOfFormula } from './formula-format.ts';

const patterns = { day: 'dd.mm.yyyy', moment: 'dd.mm.yyyy hh:mm', time: 'hh:mm' };
const formats: Readonly<Record<string, string>> = {
  ...{ A1: 'd mmm yyyy', A2: 'd mmm yyyy', B1: '[$€]#,##0.00', 'Plan!B2': '#,##0', C1: '0%' },
};
const formatOf = (formula: string) =>
  formatOfFormula(formula, {
    formatOf: (reference) => formats[reference.replaceAll('$', '')] ?? null,
    patterns,
  });

describe('the number format of a formula in a cell that has none', () => {
  it('[XH20] is that of days where a day comes out', () => {
    expect(formatOf('TODAY()')).toBe('dd.mm.yyyy');
    expect(formatOf('NOW()')).toBe('dd.mm.yyyy hh:mm');
    expect(formatOf('A1+7')).toBe('d mmm yyyy');
    expect(formatOf('D1 + $A$1')).toBe('d mmm yyyy');
    expect(formatOf('MAX(A1:A9)')).toBe('d mmm yyyy');
    expect(formatOf('A2-A1')).toBeNull();
    expect(formatOf('A2-A1+A1')).toBe('d mmm yyyy');
    expect(formatOf('A1*2')).toBeNull();
    expect(formatOf('YEAR(A1)')).toBeNull();
    expect(formatOf('TODAY()>A1')).toBeNull();
  });

  it('[XH20] is that of amounts and percents as far as these stay what they are', () => {
    expect(formatOf('B1')).toBe('[$€]#,##0.00');
    expect(formatOf('SUM(B1:B9)')).toBe('[$€]#,##0.00');
    expect(formatOf('SUMIF(A1:A9,">1",B1:B9)')).toBe('[$€]#,##0.00');
    expect(formatOf('D1+B1-SUM(D1:D3)')).toBe('[$€]#,##0.00');
    expect(formatOf('-B1')).toBe('[$€]#,##0.00');
    expect(formatOf('B1*C1')).toBe('[$€]#,##0.00');
    expect(formatOf('B1/12')).toBe('[$€]#,##0.00');
    expect(formatOf('12/B1')).toBeNull();
    expect(formatOf('B1/B1')).toBeNull();
    expect(formatOf('B1*D1+B1')).toBeNull();
    expect(formatOf('Plan!B2')).toBe('#,##0');
    expect(formatOf('C1')).toBe('0%');
    expect(formatOf('D1*C1')).toBeNull();
    expect(formatOf('COUNT(B1:B9)')).toBeNull();
    expect(formatOf('(B1)')).toBeNull();
    expect(formatOf('B1+')).toBeNull();
    expect(formatOf('')).toBeNull();
  });
});
