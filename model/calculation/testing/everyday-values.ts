import { readFileSync } from 'node:fs';
import type { CellContent, CellValue } from '../calculation.ts';

export interface EverydayValue {
  readonly formula: string;
  readonly value: CellValue;
  /** How far a number may be from it. */
  readonly tolerance: number;
}

/** Formulas that read the same cells. */
export interface EverydaySection {
  readonly title: string;
  readonly cells: Readonly<Record<string, CellContent>>;
  /** Whether its formulas are of the time before dynamic arrays. */
  readonly isOld: boolean;
  readonly from1904: boolean;
  readonly formulas: readonly EverydayValue[];
}

function contentOf(text: string): CellContent {
  return text.startsWith('=') ? { formula: text.slice(1), kind: 'dynamic' } : JSON.parse(text);
}

function everydayValue(formula: string, text: string): EverydayValue {
  if (text.startsWith('"')) return { formula, value: text.slice(1, -1).replaceAll('""', '"'), tolerance: 0 };
  if (text === 'TRUE' || text === 'FALSE') return { formula, value: text === 'TRUE', tolerance: 0 };
  if (text.startsWith('#')) return { formula, value: { error: text }, tolerance: 0 };
  const value = Number(text.replace('…', ''));
  const [, decimals = '', exponent = '0'] = /(?:\.(\d+))?(?:E([+-]?\d+))?…?$/.exec(text)!;
  // What goes on behind the digits that are given is cut off or rounded there.
  const tolerance = text.endsWith('…')
    ? 1.01 * 10 ** (Number(exponent) - decimals.length)
    : 1e-9 * Math.abs(value);
  return { formula, value, tolerance };
}

function sectionOf(text: string): EverydaySection {
  const [title, ...lines] = text.trim().split('\n') as [string, ...string[]];
  const cells = lines.flatMap((line) => /^([A-Z]+\d+): (.+)$/.exec(line) ?? []);
  const given = Array.from({ length: cells.length / 3 }, (_, at) => cells.slice(at * 3 + 1, at * 3 + 3));
  const formulas = lines.filter((line) => line.includes(' → ')).map((line) => line.split(' → '));
  return {
    title,
    cells: Object.fromEntries(given.map(([address, content]) => [address!, contentOf(content!)])),
    isOld: lines.includes('formulas of old'),
    from1904: lines.includes('days from 1904'),
    formulas: formulas.map(([formula, value]) => everydayValue(formula!, value!)),
  };
}

const sectionsIn = (name: string): EverydaySection[] =>
  readFileSync(new URL(name, import.meta.url), 'utf8')
    .split(/^# /m)
    .slice(1)
    .map(sectionOf);

/** Formulas as everyday sheets have them, with what Excel makes of them by its documentation; those of a section read the same cells. */
export const everydaySections: readonly EverydaySection[] = sectionsIn('./everyday-values.txt');

/** Formulas at the edges of functions, and as people ask about them, in the same form. */
export const furtherSections: readonly EverydaySection[] = sectionsIn('./further-values.txt');

/** Formulas that combine functions, as sheets do, in the same form. */
export const combinedSections: readonly EverydaySection[] = sectionsIn('./combined-values.txt');
