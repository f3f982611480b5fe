import { describe, expect, test } from 'vitest';
import {
  areAlike,
  calculatedHere,
  calculatedThere,
  type Shown,
  workbookOf,
} from '../support/formulas/compared-values.ts';
import { whyKnown } from '../support/formulas/known-differences.ts';
import { askedFunctions, type RandomFormula, randomFormulas } from '../support/formulas/random-formulas.ts';
import { calculateWithLibreOffice, hasLibreOffice } from '../support/libreoffice.ts';
import { propertySeed, seedVariable } from '../support/property-seed.ts';

const formulasAtMost = 20_000;
const inWorkbook = 400;
const workbooksAtOnce = 4;
const mostOfFunction = 3;
const TIMEOUT_MS = 1_800_000;

interface Opinion extends RandomFormula {
  readonly ours: Shown;
  readonly theirs: Shown;
}

/** What both say; nothing where LibreOffice does not come to an end. */
async function opinions(workbooks: readonly RandomFormula[][]): Promise<Opinion[]> {
  const documents = await calculateWithLibreOffice(workbooks.map(workbookOf), 45_000).catch(() => undefined);
  if (documents) {
    return workbooks.flatMap((formulas, index) => {
      const ours = calculatedHere(formulas);
      const theirs = calculatedThere(documents[index]!, formulas.length);
      return formulas.map((one, place) => ({ ...one, ours: ours[place]!, theirs: theirs[place]! }));
    });
  }
  if (workbooks.length === 1) return [];
  const alone: Opinion[] = [];
  for (const workbook of workbooks) alone.push(...(await opinions([workbook])));
  return alone;
}

/** Functions that a program does not have give `#NAME?` there. */
const isUnknown = ({ theirs }: Opinion) =>
  typeof theirs === 'object' && theirs !== null && theirs.error === '#NAME?';
const shown = (value: Shown) =>
  typeof value === 'object' && value !== null ? value.error : JSON.stringify(value);

describe.skipIf(!hasLibreOffice)('a second opinion', () => {
  test(
    '[CE54] formulas of all functions come to what LibreOffice calculates, but for what is known',
    async () => {
      const seed = propertySeed(process.env[seedVariable]);
      const source = randomFormulas(seed);
      const workbooks = Array.from({ length: formulasAtMost / inWorkbook }, () =>
        Array.from({ length: inWorkbook }, () => source.next().value),
      );
      const all: Opinion[] = [];
      for (let first = 0; first < workbooks.length; first += workbooksAtOnce)
        all.push(...(await opinions(workbooks.slice(first, first + workbooksAtOnce))));
      const compared = all.filter((one) => !isUnknown(one));
      const others = compared.filter(({ ours, theirs }) => !areAlike(ours, theirs));
      const unknown = others.filter((one) => whyKnown(one, one.ours, one.theirs) === undefined);
      console.log(
        `second opinion: seed ${seed}, ${compared.length} formulas compared, ${others.length} differ, ${unknown.length} of them not known`,
      );
      const told = unknown.map(
        ({ formula, kind, ours, theirs }) =>
          `${formula} (${kind}): ours ${shown(ours)}, theirs ${shown(theirs)}`,
      );
      console.log(told.join('\n'));
      // What is new with a seed is looked at; a function that is wrong differs again and again.
      const often = askedFunctions.filter(
        ({ name }) => unknown.filter(({ about }) => about === name).length > mostOfFunction,
      );
      expect(often.map(({ name }) => name)).toEqual([]);
      expect(unknown.length).toBeLessThan(compared.length / 500);
      expect(compared.length).toBeGreaterThan(formulasAtMost * 0.8);
      expect(new Set(compared.map(({ about }) => about)).size).toBeGreaterThan(askedFunctions.length * 0.85);
    },
    TIMEOUT_MS,
  );
});
