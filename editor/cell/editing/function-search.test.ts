import { describe, expect, it } from 'vitest';
import { texts as arabic } from '../../strings/ar/functions.ts';
import { texts as german } from '../../strings/de/functions.ts';
import { texts as english } from '../../strings/en/functions.ts';
import { categoryOf, foundFunctions, functionCategories } from './function-search.ts';
import { functionNamed, functions, takenBy } from './functions.ts';

const nothing = () => null;
const names = (...given: Parameters<typeof foundFunctions>) =>
  foundFunctions(...given).map(({ name }) => name);

describe('the functions that a person looks for', () => {
  it('[XH27] are found by their names, those first that begin so, and by what they do', () => {
    expect(names('sumx', null, nothing)).toEqual(['SUMX2MY2', 'SUMX2PY2', 'SUMXMY2']);
    expect(names('IF', null, nothing).slice(0, 4)).toEqual(['IF', 'IFERROR', 'IFNA', 'IFS']);
    expect(names('IF', null, nothing)).toContain('SUMIF');
    const about = ({ name }: { name: string }) => (name === 'SUM' ? 'Adds numbers.' : null);
    expect(names('adds num', null, about)).toEqual(['SUM']);
    expect(names('nothing at all', null, about)).toEqual([]);
  });

  it('[XH27] are each of one category, by which they are listed', () => {
    expect(names('', null, nothing)).toHaveLength(functions.length);
    const listed = functionCategories.flatMap((category) => names('', category, nothing));
    expect(listed.toSorted()).toEqual(functions.map(({ name }) => name).toSorted());
    expect(categoryOf(functionNamed('PMT')!)).toBe('financial');
    expect(names('', 'statistics', nothing)).toContain('STDEV.S');
    expect(names('mo', 'dates', nothing)).toEqual(['MONTH', 'EOMONTH']);
  });

  it('[XH27] are told with what they take, and those used most in a sentence of each language', () => {
    expect(takenBy(functionNamed('ROUND')!)).toBe('(number, digits)');
    const told = Object.keys(english.aboutFunctions);
    expect(told.filter((name) => !functionNamed(name.replace('_', '.')))).toEqual([]);
    for (const { aboutFunctions } of [german, arabic]) expect(Object.keys(aboutFunctions)).toEqual(told);
  });
});
